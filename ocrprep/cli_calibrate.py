"""`ocrprep calibrate`: measure preparation on labelled documents, and fit the profiles that it reads."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ocrprep.errors import OutputError, UsageError

if TYPE_CHECKING:
    from ocrprep.calibrating.fit import LabelledBook

app = typer.Typer(help="Measure preparation on labelled documents; fit profiles.", no_args_is_help=True)
measure = typer.Typer(help="Measure what preparation finds and what it wrongly drops.", no_args_is_help=True)
fit = typer.Typer(help="Fit a profile on labelled documents.", no_args_is_help=True)
app.add_typer(measure, name="measure")
app.add_typer(fit, name="fit")

WORST = 10

Folders = Annotated[list[Path], typer.Argument(metavar="DIR", help="Folders of labelled books.")]
Language = Annotated[str, typer.Option("--lang", help="Language models for all books, such as fra or deu+lat.")]
LanguageOf = Annotated[
    list[str] | None,
    typer.Option("--lang-of", metavar="PATTERN=LANG", help="Language of the books whose folder fits a pattern."),
]
Kept = Annotated[
    Path | None, typer.Option("--keep-ocr", metavar="DIR", help="Keep what was read as bundles, so that OCR runs once.")
]


@measure.command("furniture")
def measure_furniture(
    folders: Folders,
    furniture: Annotated[str, typer.Option(help="drop or strict.")] = "drop",
    lang: Language = "eng",
    lang_of: LanguageOf = None,
    keep_ocr: Kept = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Count by characters what page furniture is found, and what of the body is wrongly dropped."""
    from ocrprep.calibrating.furniture import measure_furniture as measured
    from ocrprep.options import ReadingOptions

    if furniture not in ("drop", "strict"):
        raise UsageError(f"--furniture {furniture!r}: drop or strict can be measured")
    figures = measured(
        _books(folders, lang, lang_of, keep_ocr),
        ReadingOptions(furniture="strict" if furniture == "strict" else "drop"),
        lambda book: print(f"{book.name}: {len(book.pages)} pages", file=sys.stderr),
    )
    if as_json:
        print(json.dumps(figures.as_json()))
        return
    print("\n".join(figures.as_table()))
    for each in figures.worst[:WORST]:
        text = "".join(character if character.isprintable() else "\ufffd" for character in each.text)
        print(f"lost: {each.book} page {each.page}, {each.characters} characters: {text[:100]}")


@fit.command("furniture")
def fit_furniture(
    folders: Folders,
    output: Annotated[Path, typer.Option("-o", "--output", help="The profile to write.")],
    body_per_1000: Annotated[
        float, typer.Option(min=0, help="Body characters that may wrongly go, a thousand.")
    ] = 0.15,
    strict_body_per_1000: Annotated[float, typer.Option(min=0, help="The same with --furniture strict.")] = 0.08,
    lang: Language = "eng",
    lang_of: LanguageOf = None,
    keep_ocr: Kept = None,
) -> None:
    """Fit the scorecards of page furniture, and choose their thresholds out of book."""
    from ocrprep.calibrating.fit import fit_profile

    profile = fit_profile(
        list(_books(folders, lang, lang_of, keep_ocr)),
        body_per_1000=body_per_1000,
        strict_body_per_1000=strict_body_per_1000,
    )
    partial = output.with_name(f".{output.name}.partial")
    written = json.dumps(json.loads(profile.model_dump_json(by_alias=True)), indent=1, ensure_ascii=False)
    try:
        partial.write_text(written + "\n", encoding="utf-8")
        partial.replace(output)
    except OSError as fault:
        partial.unlink(missing_ok=True)
        raise OutputError(f"{output}: cannot be written: {fault.strerror}") from fault
    print(output)
    for name, value in profile.out_of_book.items():
        print(f"  out of book: {name} {value}")


def _books(folders: list[Path], lang: str, lang_of: list[str] | None, keep_ocr: Path | None) -> Iterator[LabelledBook]:
    from ocrprep.calibrating.books import labelled_books
    from ocrprep.options import Options

    languages: dict[str, str] = {}
    for pair in lang_of or ():
        pattern, equals, named = pair.partition("=")
        if not equals or not named:
            raise UsageError(f"--lang-of {pair!r}: write PATTERN=LANG, such as treitschke*=deu")
        languages[pattern] = named
    languages["*"] = lang
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder}: no folder; name a folder of labelled books")
        yield from labelled_books(folder, Options(images="none"), languages, keep_ocr)
