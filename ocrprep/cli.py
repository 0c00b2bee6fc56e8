"""The command line: arguments, messages, exit codes.

Only it and `cli_calibrate` print: results to standard output, everything else to standard error.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ocrprep.cli_calibrate import app as calibrate
from ocrprep.errors import ExitCode, IntegrityError, OcrprepError, OutputError, UsageError

if TYPE_CHECKING:
    from ocrprep.bundles import Bundle
    from ocrprep.documents import Document
    from ocrprep.options import Options, ReadingOptions
    from ocrprep.pipeline import OnPage
    from ocrprep.preparation import Outcome
    from ocrprep.workers import Workers

THERE = "  (is there already and verifies: left as it is; --force makes it anew)"

SHOWN_PAGES = 8
"""Page numbers in a line about what to review; the report has them all."""

app = typer.Typer(
    name="ocrprep",
    help="Make scans citable: keep what was read, derive a clean reading with a complete record.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # formatting help with rich takes longer than all else together
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class EngineName(StrEnum):
    """The recognition engines."""

    AUTO = "auto"
    TESSEROCR = "tesserocr"
    PYTESSERACT = "pytesseract"


class Ocr(StrEnum):
    """When pixels are read."""

    AUTO = "auto"
    FORCE = "force"
    NEVER = "never"


class Images(StrEnum):
    """Which page pictures a bundle keeps."""

    REVIEW = "review"
    NONE = "none"


class Retention(StrEnum):
    """What of the source a bundle keeps."""

    FULL = "full"
    HASH_ONLY = "hash_only"


class Furniture(StrEnum):
    """What becomes of page furniture."""

    DROP = "drop"
    STRICT = "strict"
    MARK = "mark"
    OFF = "off"


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")]
OutputFolder = Annotated[Path, typer.Option("-o", "--output", help="Folder for the bundles.", show_default="here")]
FurnitureOption = Annotated[
    Furniture, typer.Option(help="Leave page furniture out, only the nearly certain, only mark it, or do not look.")
]
KeepOption = Annotated[str, typer.Option(help="Kinds of furniture that stay, such as running_head,folio.")]
ReflowOption = Annotated[bool, typer.Option("--reflow/--no-reflow", help="Join lines, or keep the printed ones.")]


app.add_typer(calibrate, name="calibrate")


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    """Make scans citable."""
    if version:
        from importlib.metadata import version as version_of

        print(f"ocrprep {version_of('ocrprep')}")
        raise typer.Exit


@app.command()
def prepare(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT", help="Scanned PDFs, images, or folders of them.")],
    output: OutputFolder = Path(),
    as_one: Annotated[str | None, typer.Option(metavar="NAME", help="All inputs are one document, in order.")] = None,
    lang: Annotated[str, typer.Option(help="Language models, such as eng+fra.")] = "eng",
    engine: Annotated[EngineName, typer.Option(help="Recognition engine.")] = EngineName.AUTO,
    jobs: Annotated[int | None, typer.Option(min=1, help="Pages read at a time.", show_default="the cores")] = None,
    pages: Annotated[str | None, typer.Option(help="Pages to read, such as 1-5,9.")] = None,
    ocr: Annotated[Ocr, typer.Option(help="Read pixels: where needed, always, or never.")] = Ocr.AUTO,
    recipe: Annotated[str | None, typer.Option(help="Steps before reading, such as deskew,upscale; or none.")] = None,
    password_file: Annotated[Path | None, typer.Option(help="File with passwords for PDFs, one a line.")] = None,
    furniture: FurnitureOption = Furniture.DROP,
    keep: KeepOption = "",
    reflow: ReflowOption = True,
    images: Annotated[Images, typer.Option(help="Page pictures in the bundle.")] = Images.REVIEW,
    retention: Annotated[Retention, typer.Option(help="Keep the source's bytes, or only their hash.")] = Retention.FULL,
    bag_info: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="For bag-info.txt.")] = None,
    tessdata: Annotated[Path | None, typer.Option(help="Folder of language models to look in first.")] = None,
    page_timeout: Annotated[float, typer.Option(min=0.1, max=86_400, help="Seconds that one page may take.")] = 300.0,
    max_pixels: Annotated[int | None, typer.Option(min=1, help="Pixel budget of one page.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Make bundles anew, move old ones aside.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when anything needs review.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read documents and write an evidence bundle of each."""
    from ocrprep.documents import documents
    from ocrprep.options import Options, RecognitionOptions
    from ocrprep.pipeline import reading_workers

    options = _options(
        Options,
        recognition=_options(
            RecognitionOptions,
            engine=engine.value,
            languages=lang,
            ocr=ocr.value,
            **({} if max_pixels is None else {"max_pixels": max_pixels}),
            **({} if recipe is None else {"recipe": _recipe(recipe)}),
        ),
        reading=_reading_options(furniture, keep, reflow),
        pages=pages,
        jobs=jobs,
        page_timeout=page_timeout,
        images=images.value,
        retention=retention.value,
        passwords=() if password_file is None else _passwords(password_file),
        tessdata=tessdata,
        bag_info=tuple(_bag_info_line(line) for line in bag_info or ()),
    )
    listed = documents([_named(each) for each in inputs], output, as_one)
    with reading_workers(options) as workers:
        codes = [_prepare_one(each, options, workers, force=force, as_json=as_json) for each in listed]
    failed = [code for code in codes if code not in (ExitCode.OK, ExitCode.NEEDS_REVIEW)]
    if len(codes) > 1:
        print(f"{len(codes)} inputs = {len(codes) - len(failed)} ok + {len(failed)} failed", file=sys.stderr)
    if failed:
        raise typer.Exit(failed[0] if len(codes) == 1 else ExitCode.SOME_FAILED)
    if strict and ExitCode.NEEDS_REVIEW in codes:
        raise typer.Exit(ExitCode.NEEDS_REVIEW)


@app.command()
def verify(
    bundles: Annotated[list[Path], typer.Argument(metavar="BUNDLE", help="Evidence bundles.")],
    expect: Annotated[str | None, typer.Option(metavar="DIGEST", help="The digest that `prepare` printed.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check every file, hash and ID; replay the readings."""
    from ocrprep.bundles import verify as verify_bundle

    if expect is not None and len(bundles) > 1:
        raise UsageError("--expect is the digest of one bundle: give one bundle")
    failed = False
    for path in bundles:
        found = verify_bundle(path, expect=expect)
        failed |= not found.ok
        if as_json:
            _print_json({"bundle": str(path), "ok": found.ok, "digest": found.digest, "problems": list(found.problems)})
        elif found.ok:
            print(f"{path}: verified, {found.digest}")
        else:
            print(f"{path}: does not verify")
            for problem in found.problems:
                print(f"  {problem}")
    if failed:
        raise typer.Exit(ExitCode.INTEGRITY)


@app.command()
def derive(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="The bundle to derive from; it must verify.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Folder; else beside the old one.")] = None,
    furniture: FurnitureOption = Furniture.DROP,
    keep: KeepOption = "",
    reflow: ReflowOption = True,
    as_json: AsJson = False,
) -> None:
    """Make another reading of a bundle, without OCR."""
    from ocrprep.pipeline import derive_bundle

    outcome = derive_bundle(bundle, output or bundle.parent, _reading_options(furniture, keep, reflow))
    _print_outcome(bundle, outcome, as_json=as_json)


@app.command()
def report(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="An evidence bundle.")],
) -> None:
    """Write a bundle's report anew, in a folder beside it."""
    from ocrprep.bundles import open_bundle, review_folder
    from ocrprep.reviewing.report import render_report

    opened = open_bundle(bundle)
    pictures = {page: picture.read_bytes() for page, picture in opened.pictures.items()}
    page = render_report(opened.representation, opened.readings, pictures, title=opened.name)
    target = review_folder(bundle) / "review.html"
    partial = target.with_name(".review.html.partial")
    try:
        target.parent.mkdir(exist_ok=True)
        partial.write_text(page, encoding="utf-8")
        partial.replace(target)
    except OSError as fault:
        partial.unlink(missing_ok=True)
        raise OutputError(f"{target}: cannot be written: {fault.strerror}") from fault
    print(target)


@app.command()
def doctor(
    tessdata: Annotated[Path | None, typer.Option(help="Folder of language models to look in first.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say which engines and models are there, and what is missing."""
    from dataclasses import asdict

    from ocrprep.engines import survey

    found = survey(tessdata)
    if as_json:
        _print_json({**json.loads(json.dumps(asdict(found), default=str)), "ready": found.ready})
    else:
        for engine in found.engines:
            versions = f"Tesseract {engine.version}, Leptonica {engine.leptonica}" if engine.version else "not usable"
            print(f"{engine.name}: {versions}{f', {engine.command}' if engine.command else ''}")
        for model in found.models:
            shadowed = "" if model.taken else "  (an earlier folder has it: not used)"
            print(f"  {model.name:<12} {model.hash}  {model.path}{shadowed}")
        print(f"models are looked for in: {', '.join(str(folder) for folder in found.folders)}")
        for sentence in found.missing:
            print(f"missing: {sentence}")
        print("ready to read" if found.ready else "not ready to read")
    if not found.ready:
        raise typer.Exit(ExitCode.DEPENDENCY)


@app.command()
def schema(
    name: Annotated[str, typer.Argument(help="A record's name; without one, the names.")] = "",
) -> None:
    """Print the JSON Schema of a written record."""
    from ocrprep.records import SCHEMAS, json_schema

    if not name:
        print("\n".join(sorted(SCHEMAS)))
    elif name in SCHEMAS:
        print(json.dumps(json_schema(name), indent=2))
    else:
        raise UsageError(f"no record is called {name!r}: choose one of {', '.join(sorted(SCHEMAS))}")


@app.command()
def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the bundle.")] = Path("demo"),
) -> None:
    """Run the main job on a sample of twelve book pages."""
    from ocrprep.options import Options
    from ocrprep.pipeline import prepare_bundle

    here = Path(__file__).resolve().parent
    places = [here / "samples" / "book.pdf", here.parent / "samples" / "book.pdf"]
    sample = next((place for place in places if place.is_file()), None)
    if sample is None:
        raise UsageError("the sample is not installed: run `make demo` in a checkout, or prepare a scan of your own")
    with _progress(sample.name) as on_page:
        outcome = prepare_bundle(sample, output, Options(), on_page=on_page)
    _print_outcome(sample, outcome, as_json=False)


# --- the parts of prepare -------------------------------------------------------------------------------------------


def _prepare_one(
    document: Document, options: Options, workers: Workers | None, *, force: bool, as_json: bool
) -> ExitCode:
    """Prepare one document of a run; its faults are told and do not stop the others, an unusable engine does."""
    from ocrprep.errors import DependencyError
    from ocrprep.pipeline import prepare_bundle

    shown = document.paths[0] if len(document.paths) == 1 else Path(document.name)
    try:
        with _progress(document.name) as on_page:
            outcome = prepare_bundle(
                document.paths,
                document.folder,
                options,
                name=document.name,
                force=force,
                workers=workers,
                on_page=on_page,
            )
    except DependencyError:
        raise
    except OcrprepError as fault:
        complain(fault)
        if as_json:
            told = {"error": str(fault), "exitCode": int(fault.exit_code)}
            _print_json({"input": str(shown), "status": "failed", **told})
        return fault.exit_code
    return _print_outcome(shown, outcome, as_json=as_json)


def _print_outcome(shown: Path, outcome: Outcome, *, as_json: bool) -> ExitCode:
    """Print where a bundle and its parts lie and what is to be reviewed; returns OK or NEEDS_REVIEW."""
    bundle = outcome.bundle
    record = bundle.record
    states: dict[str, int] = {}
    for page in record.pages:
        states[page.state] = states.get(page.state, 0) + 1
    review = _to_review(bundle)
    if as_json:
        _print_json(
            {
                "input": str(shown),
                "status": "prepared" if outcome.made else "exists",
                "bundle": str(bundle.path),
                "digest": bundle.digest,
                "sourceId": record.source_id,
                "representationId": record.representation_id,
                "readingId": record.reading_id,
                "pages": states,
                "needsReview": review,
            }
        )
    else:
        where = bundle.path / "data"
        print(f"{bundle.path}{'' if outcome.made else THERE}")
        print(f"  reading  {where / 'reading.txt'}")
        print(f"  record   {where / 'reading.json'}")
        print(f"  report   {where / 'review.html'}")
        print(f"  pages    {', '.join(f'{count} {state}' for state, count in states.items())}")
        print(f"  digest   {bundle.digest}")
    for line in review:
        print(f"{shown}: to review: {line}", file=sys.stderr)
    return ExitCode.NEEDS_REVIEW if review else ExitCode.OK


def _to_review(bundle: Bundle) -> list[str]:
    """List what a person has to look at, one line for each kind of it."""
    from ocrprep.reviewing.report import Report

    lines: list[str] = []
    for reason, doubts in Report(bundle.representation, bundle.readings, {}).doubts:
        pages = list(dict.fromkeys(each.page for each in doubts))
        more = f" and {len(pages) - SHOWN_PAGES} more" if len(pages) > SHOWN_PAGES else ""
        lines.append(f"{reason}: {len(doubts)} (page {', '.join(map(str, pages[:SHOWN_PAGES]))}{more})")
    return lines


@contextlib.contextmanager
def _progress(name: str) -> Iterator[OnPage | None]:
    """Show a progress bar on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(visible(name)), total=None)

        def advance(_page: object, total: int) -> None:
            progress.update(task, advance=1, total=total)

        yield advance


def _options(model: Callable[..., Any], **values: Any) -> Any:
    """Make settings, with a one-line message for a value that they refuse."""
    from pydantic import ValidationError

    try:
        return model(**values)
    except ValidationError as fault:
        first = fault.errors()[0]
        option = {"languages": "lang"}.get(str(first["loc"][0]), str(first["loc"][0])).replace("_", "-")
        raise UsageError(f"--{option} {first['input']!r}: {first['msg'].removeprefix('Value error, ')}") from fault


def _reading_options(furniture: Furniture, keep: str, reflow: bool) -> ReadingOptions:
    from ocrprep.options import ReadingOptions

    kinds = tuple(kind.strip() for kind in keep.split(",") if kind.strip())
    made: ReadingOptions = _options(ReadingOptions, furniture=furniture.value, keep=kinds, reflow=reflow)
    return made


def _recipe(text: str) -> tuple[str, ...]:
    """Return the steps of a recipe; `none` is one without steps."""
    return () if text.strip() == "none" else tuple(step.strip() for step in text.split(",") if step.strip())


def _passwords(path: Path) -> tuple[str, ...]:
    """Return the passwords in a file, one a line, spaces and all; they never stand on a command line."""
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise UsageError(f"--password-file {path}: cannot be read ({fault.strerror})") from fault
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        lines = content.decode("latin-1").splitlines()
    passwords = tuple(line for line in lines if line)
    if not passwords:
        raise UsageError(f"--password-file {path}: there is no password in it; write one a line")
    return passwords


def _named(text: str) -> Path:
    """Return an input's path; an empty one, such as an unset variable gives, must not mean the current folder."""
    if not text:
        raise UsageError("an input is empty: name a file or a folder")
    return Path(text)


def _bag_info_line(line: str) -> tuple[str, str]:
    from ocrprep.bundles import check_bag_info

    key, equals, value = line.partition("=")
    if not equals:
        raise UsageError(f"--bag-info {line!r}: write KEY=VALUE, such as External-Identifier=MS-1234")
    made = key.strip(), value.strip()
    check_bag_info([made])
    return made


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=True))


def visible(text: str) -> str:
    """Return a text without what could steer a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def complain(fault: OcrprepError) -> None:
    """Print an error, and an integrity error's details, one line each."""
    print(f"ocrprep: {visible(str(fault))}", file=sys.stderr)
    if isinstance(fault, IntegrityError):
        for detail in fault.details:
            print(f"  {visible(detail)}", file=sys.stderr)
