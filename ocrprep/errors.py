"""Exit codes and the errors that carry them: every message says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells its caller when it ends."""

    OK = 0
    NEEDS_REVIEW = 1
    USAGE = 2
    SOURCE = 3
    DEPENDENCY = 4
    RECOGNITION = 5
    CALIBRATION = 6
    INTEGRITY = 7
    OUTPUT = 8
    SOME_FAILED = 9
    INTERNAL = 70
    INTERRUPTED = 130


class OcrprepError(Exception):
    """A fault that stops a document, with a one-line message for the person who has to act on it."""

    exit_code: ExitCode = ExitCode.INTERNAL


class UsageError(OcrprepError):
    """The call itself is wrong: an option, a page range, a name."""

    exit_code = ExitCode.USAGE


class SourceError(OcrprepError):
    """A source cannot be read: missing, empty, damaged, encrypted or of an unsupported type."""

    exit_code = ExitCode.SOURCE


class DependencyError(OcrprepError):
    """An engine or a language model is missing; the message names what was looked for, where, and how to install it."""

    exit_code = ExitCode.DEPENDENCY


class RecognitionError(OcrprepError):
    """No page of a document could be read."""

    exit_code = ExitCode.RECOGNITION


class CalibrationError(OcrprepError):
    """Something cannot be measured or fitted, or a profile is damaged; the message names the file."""

    exit_code = ExitCode.CALIBRATION


class IntegrityError(OcrprepError):
    """A bundle is not what was written: `details` has one line for each changed, missing or added file or record."""

    exit_code = ExitCode.INTEGRITY

    def __init__(self, message: str, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.details = tuple(details)


class PageError(OcrprepError):
    """One page cannot be read: it is recorded as failed, with this reason, and the rest of the document goes on."""

    exit_code = ExitCode.RECOGNITION


class OutputError(OcrprepError):
    """A result cannot be written, or something that does not verify is in its place."""

    exit_code = ExitCode.OUTPUT
