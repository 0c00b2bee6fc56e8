"""The limit in time for other libraries' Python code."""

from __future__ import annotations

import signal
import threading

import pytest

from ocrprep.sources.deadline import OutOfTimeError, deadline


def spin() -> None:
    while True:
        pass


def test_code_that_loops_and_swallows_every_exception_is_stopped() -> None:
    def swallow() -> None:
        try:
            spin()
        except Exception:  # noqa: BLE001  # what a library may do
            spin()

    with pytest.raises(OutOfTimeError), deadline(0.05):
        swallow()


def test_what_ends_in_time_is_left_alone_and_the_old_handler_comes_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with deadline(60):
        pass
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_there_is_no_limit_and_no_error() -> None:
    ended: list[bool] = []

    def work() -> None:
        with deadline(0.001):
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [True]
