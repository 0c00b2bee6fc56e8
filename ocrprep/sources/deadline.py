"""A limit in time for another library's pure Python code, which may loop for hours on a damaged file."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTimeError(BaseException):
    """The limit has passed. No `Exception`, so that the library's own broad handlers let it through."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError within the block once `seconds` of wall clock have passed.

    Works where signals do: in the main thread of a POSIX process, which is where workers read pages. Elsewhere there is
    no limit but that of the whole page.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
