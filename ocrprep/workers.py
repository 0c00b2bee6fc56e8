"""Worker processes that read pages: a page that hangs or kills its process costs that page and nothing else.

Each worker is a process of its own session that loads the engine once and answers page after page, one JSON line for
each question. The limit of a page is enforced from outside: its worker's whole process group is killed and a new worker
takes the next page. A worker whose parent is gone finds its input closed and ends.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Any, Self

from ocrprep.engines import Engine, EngineSetup, open_engine, thread_limit
from ocrprep.errors import DependencyError, ExitCode, OcrprepError
from ocrprep.options import Options
from ocrprep.recognition import ReadPage, read_page, unread_page
from ocrprep.records import EngineFingerprint, SourceFile, page_from_json, page_to_json
from ocrprep.sources import Source, open_source

PATIENCE = 2.0
"""Seconds between asking a worker to end and killing it: it has at most a program to kill in its turn."""

START_LIMIT = 120.0
"""Seconds in which a worker has to load its engine: a slow disk and a busy machine take ten."""

COMMAND = (sys.executable, "-P", "-m", "ocrprep.workers")


class Workers:
    """A pool of workers with one engine and one set of options; use it as a context, for any number of sources.

    Without a setup they read no pixels (`ocr` never).
    """

    def __init__(self, setup: EngineSetup | None, options: Options, *, command: Sequence[str] = COMMAND) -> None:
        told = {"setup": None if setup is None else setup.to_json(), "options": options.model_dump(mode="json")}
        self._first_line = _line(told)
        self.setup, self.options = setup, options
        self._command = tuple(command)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._running: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        self.jobs = options.jobs or _cores()

    @property
    def fingerprint(self) -> EngineFingerprint | None:
        """What recognises the text, null where no pixels are read."""
        return None if self.setup is None else self.setup.fingerprint

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, also those in the middle of a page."""
        with self._lock:
            running, self._running, self._closed = self._running, set(), True
        for worker in running:
            worker.ask_to_end()
        for worker in running:
            worker.kill()

    def read(
        self, source: Source, pages: Sequence[int], on_page: Callable[[ReadPage], None] | None = None
    ) -> dict[int, ReadPage]:
        """Read pages side by side, in any order; returns them by number.

        Raises DependencyError when a worker finds its engine unusable. Every other fault is a page with a state.
        """
        read: dict[int, ReadPage] = {}
        with ThreadPoolExecutor(max_workers=max(1, min(self.jobs, len(pages)))) as threads:
            try:
                for asked in as_completed([threads.submit(self._ask, source, number) for number in pages]):
                    number, answer = asked.result()
                    read[number] = _read_page(source, number, answer)
                    if on_page is not None:
                        on_page(read[number])
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                self.close()
                raise
        return read

    def _ask(self, source: Source, number: int) -> tuple[int, dict[str, Any]]:
        """Have one page read by a worker that is free or new; every answer says a page, or why there is none."""
        worker = self._take()
        was_used, question, limit = worker.used, _question(source, number), self.options.page_timeout
        answer = worker.ask(question, limit)
        if answer is None and was_used and not worker.timed_out:
            self._give_up(worker)  # it may have died of what an earlier page left behind: ask a new one
            worker = self._take(new=True)
            answer = worker.ask(question, limit)
        if answer is None:
            self._give_up(worker)
            return number, {"fault": worker.last_words(limit)}
        if worker.timed_out:
            self._give_up(worker)  # the answer came with the limit's last moment
        else:
            self._idle.put(worker)
        return number, answer

    def _take(self, *, new: bool = False) -> _Worker:
        if not new:
            with contextlib.suppress(Empty):
                return self._idle.get_nowait()
        worker = _Worker(self._command, self._first_line)
        with self._lock:
            self._running.add(worker)
            closed = self._closed
        if closed:
            worker.kill()
            raise RuntimeError("the workers have been closed")
        return worker

    def _give_up(self, worker: _Worker) -> None:
        with self._lock:
            self._running.discard(worker)


class _Worker:
    """One child process, seen from its parent."""

    def __init__(self, command: Sequence[str], first_line: str) -> None:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the worker
        path = os.pathsep.join(entry for entry in sys.path if entry)
        self._child = subprocess.Popen(  # noqa: S603  # a fixed list of arguments, no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            start_new_session=True,
            env={**os.environ, "OMP_THREAD_LIMIT": thread_limit(os.environ), "PYTHONPATH": path},
        )
        self._questions: IO[bytes] = self._child.stdin  # type: ignore[assignment]  # a pipe, asked for above
        self._answers: IO[bytes] = self._child.stdout  # type: ignore[assignment]
        self._first_line: str | None = first_line
        self.used = self.timed_out = False

    def ask(self, question: str, timeout: float) -> dict[str, Any] | None:
        """Return the answer, or null when the worker died or had to be killed after `timeout` seconds.

        A new worker first loads its engine, which is not counted; it answers for itself when it cannot.
        """
        if self._first_line is not None:
            first_line, self._first_line = self._first_line, None
            begun = self._answer_to(first_line, START_LIMIT)
            if begun is None or "dependency" in begun:
                return begun
        self.used = True
        return self._answer_to(question, timeout)

    def _answer_to(self, question: str, timeout: float) -> dict[str, Any] | None:
        timer = threading.Timer(timeout, self._time_out)
        timer.start()
        try:
            self._questions.write(question.encode())
            self._questions.flush()
            answer = self._answers.readline()
        except OSError:
            answer = b""
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            self.kill()
            return None
        return dict(json.loads(answer))

    def last_words(self, timeout: float) -> str:
        """Say why there was no answer."""
        if self.timed_out:
            return f"timed out after {timeout:g} s; raise --page-timeout (and make the bundle anew with --force)"
        code = self._child.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        said = self._said()
        return f"the worker process died ({how})" + (f": {said}" if said else "")

    def ask_to_end(self) -> None:
        """Send the signal on which a worker ends what it started, in whatever group that runs, and then itself."""
        if os.name == "posix":
            self._child.terminate()

    def kill(self) -> None:
        """End the worker and all that it started: politely, and after a moment by force."""
        self._end()
        for stream in (self._questions, self._answers):
            with contextlib.suppress(OSError):
                stream.close()
        self._child.wait()

    def _time_out(self) -> None:
        self.timed_out = True
        self._end()

    def _end(self) -> None:
        self.ask_to_end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(PATIENCE)
        if os.name != "posix":
            self._child.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)

    def _said(self) -> str:
        """Return the last line that the worker wrote to its standard error, shortened and without controls."""
        self._complaints.seek(0)
        lines = self._complaints.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return "".join(c if c.isprintable() else "\ufffd" for c in last)[:200]


def main(open_engine: Callable[[EngineSetup], Engine] = open_engine) -> None:
    """Answer questions from standard input until it closes: this is what a worker process runs."""
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(ExitCode.INTERRUPTED))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a native library prints must not mix with the answers
    questions = _lines(sys.stdin.buffer)
    told = next(questions)
    options = Options.model_validate_json(json.dumps(told["options"]))
    try:
        engine = None if told["setup"] is None else open_engine(EngineSetup.from_json(told["setup"]))
    except DependencyError as fault:
        _say(answers, {"dependency": str(fault)})
        return
    _say(answers, {"ready": True})
    source: Source | None = None
    for question in questions:
        try:
            if source is None or [str(path) for path in source.paths] != question["paths"]:
                if source is not None:
                    source.close()
                source = _open(question, options.passwords)
            read = read_page(source, question["page"], engine, options)
            picture = None if read.picture is None else base64.b64encode(read.picture).decode("ascii")
            others = {kind: page_to_json(page) for kind, page in read.alternates.items()}
            _say(answers, {"page": page_to_json(read.page), "picture": picture, "alternates": others})
        except DependencyError as fault:
            _say(answers, {"dependency": str(fault)})
        except OcrprepError as fault:
            _say(answers, {"fault": str(fault)})


def _say(answers: IO[str], answer: dict[str, Any]) -> None:
    answers.write(_line(answer))
    answers.flush()


def _read_page(source: Source, number: int, answer: dict[str, Any]) -> ReadPage:
    """Turn an answer into a page; in the caller's thread, since a source is used by one thread only."""
    if "dependency" in answer:
        raise DependencyError(answer["dependency"])
    if "fault" in answer:
        return ReadPage(unread_page(source, number, "failed", answer["fault"]))
    picture = answer["picture"]
    return ReadPage(
        page_from_json(answer["page"]),
        None if picture is None else base64.b64decode(picture),
        {kind: page_from_json(page) for kind, page in answer["alternates"].items()},
    )


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _question(source: Source, number: int) -> str:
    files = [each.model_dump(mode="json") for each in source.files]
    return _line({"paths": [str(path) for path in source.paths], "files": files, "page": number})


def _open(question: dict[str, Any], passwords: Sequence[str]) -> Source:
    files = [SourceFile.model_validate_json(json.dumps(each)) for each in question["files"]]
    return open_source([Path(path) for path in question["paths"]], passwords=passwords, files=files)


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value) + "\n"


def _lines(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in iter(stream.readline, b""))


if __name__ == "__main__":
    main()
