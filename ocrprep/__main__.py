"""The entry of `ocrprep` and `python -m ocrprep`: signals, standard streams, and the exit code of the process."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, TextIO

from ocrprep.cli import app, complain, visible
from ocrprep.errors import ExitCode, OcrprepError


class _Interrupted(BaseException):
    """A signal asked the program to end; unlike KeyboardInterrupt it reaches `main` through the command framework."""


class _Told:
    """A standard stream that may be closed, full, or a pipe that nobody reads: the work goes on without it."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.fault: OSError | None = None
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write, until that fails once."""
        return self._attempt(lambda stream: stream.write(text)) or len(text)

    def flush(self) -> None:
        """Flush, until that fails once."""
        self._attempt(lambda stream: stream.flush())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def isatty(self) -> bool:
        """Say whether a person is looking."""
        return self._stream is not None and self._stream.isatty()

    def _attempt(self, act: Callable[[TextIO], Any]) -> Any:
        if self._stream is None or self.fault is not None:
            return None
        try:
            return act(self._stream)
        except OSError as fault:
            self.fault = fault
            return None


def main() -> None:
    """Run the command line and end the process with the exit code that fits what happened."""

    signals = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def interrupt(_signal: int, _frame: object) -> None:
        for each in signals:
            signal.signal(each, signal.SIG_IGN)  # an impatient second one must not cut the clearing up short
        raise _Interrupted

    for each in signals:
        signal.signal(each, interrupt)
    out, err = _Told(sys.stdout), _Told(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _run()
        out.flush()
        err.flush()
    if code == ExitCode.OK and out.fault is not None and out.fault.errno != errno.EPIPE:
        code = ExitCode.OUTPUT
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, AttributeError, ValueError):
            stream.flush()
    if out.fault is not None or err.fault is not None:
        os._exit(code)  # the interpreter would try to flush the broken stream once more, and say so
    sys.exit(code)


def _run() -> int:
    """Run the command that was called, and tell what ended it."""
    try:
        app()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.OK
    except OcrprepError as fault:
        complain(fault)
        return fault.exit_code
    except _Interrupted:
        print("ocrprep: interrupted; nothing half-written is left", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OSError as fault:
        print(f"ocrprep: {visible(str(fault))}", file=sys.stderr)
        return ExitCode.OUTPUT
    except Exception:  # noqa: BLE001  # the last resort: told in full, and never taken for success
        traceback.print_exc()
        print("ocrprep: this is a fault of ocrprep itself; please report it with the lines above", file=sys.stderr)
        return ExitCode.INTERNAL
    return ExitCode.OK


if __name__ == "__main__":
    main()
