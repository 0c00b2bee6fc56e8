"""Measure the judgement of text layers: `python -m tests.benchmarks.legibility FOLDER [tune|report|all] [--show N]`.

The folder is searched for ALTO, PAGE, TEI and hOCR files, plain text and aligned ICDAR texts. Then:

1. Every document belongs to one half by a hash of its name: `tune` chose the thresholds, `report` (the default) did
   not.
2. Each page of real lines is judged as it is: lines of 20 characters and more that are called unreadable are false
   flags, counted for each source, clean texts and OCR output apart.
3. Pages of 20 lines of the clean texts are spoilt in the ways in which text layers are spoilt, and judged: the recall
   of whole pages (most of their lines found) and of single lines of 30 characters and more, each judged alone.
4. The time of a page of 60 lines.
"""

from __future__ import annotations

import hashlib
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from ocrprep.pages import Box, Line, Word
from ocrprep.recognition.legibility import legibility

PAGE_LINES, CLEAN_LETTERS, TELLING_LETTERS, WIDTH = 20, 20, 30, 80
PAGES_A_SOURCE = 25
"""Spoilt pages for each source and corruption."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of real text: where it lies, what it is called, whether an engine read it, and what it is asked as."""

    pattern: str
    name: str
    noisy: bool
    languages: tuple[str, ...]


FAMILIES = (
    Family(r"grobid-segmentation/tei/.*\.xml", "scientific English", False, ("eng",)),
    Family(r"dta-books-tei/.*\.xml", "German books 1639-1894", False, ("deu",)),
    Family(r"nulab-dta/.*\.xml", "German scholarship 19th c.", False, ("deu_latf",)),
    Family(r"ocrd-gt-structure-text/.*\.xml", "German, Latin, French 1500-1900", False, ("deu",)),
    Family(r"gallicorpora-(16|17|18)e/.*\.xml", "French print 16th-18th c.", False, ("fra",)),
    Family(r"tapuscorpus/.*\.xml", "French typescripts", False, ("fra",)),
    Family(r"fondue-en-print-20/.*\.xml", "English novels", False, ("eng",)),
    Family(r"ehri-dataset/.*\.xml", "English typed letters", False, ("eng",)),
    Family(r"scribeocr[^/]*/ground_truth/.*\.hocr", "English filings", False, ("eng",)),
    Family(r"scribeocr[^/]*/results/.*\.hocr", "English filings, OCR", True, ("eng",)),
    Family(r"binding/(100K|1M)_0\.json\.gz", "English prose", False, ("eng",)),
    Family(r"binding/(100K_10|1M_10)\.json\.gz", "English prose, 10 % noise", True, ("eng",)),
    Family(r"icdar2017-eval/eng_.*\.txt", "English 17th-19th c.", False, ("eng",)),
    Family(r"icdar2017-eval/fr_.*\.txt", "French 17th-20th c.", False, ("fra",)),
    Family(r"icdar2017-eval/eng_.*\.txt", "English 17th-19th c., OCR", True, ("eng",)),
    Family(r"icdar2017-eval/fr_.*\.txt", "French 17th-20th c., OCR", True, ("fra",)),
    Family(r"cis-ocrtestset/.*/gt/.*\.txt", "Goethe 1809", False, ("deu",)),
    Family(r"cis-ocrtestset/.*/(tess|abbyy)-txt/.*\.txt", "Goethe 1809, OCR", True, ("deu",)),
    Family(r"alto-hocr-samples/.*\.xml", "newspapers, OCR", True, ("eng", "deu", "fra")),
    Family(r"dinglehopper/.*\.xml", "German print, GT and OCR", True, ("deu",)),
)


class Chance(random.Random):
    """The dice of one page, its number, and the codes that its font has given so far."""

    def __init__(self, page: int) -> None:
        super().__init__(page)
        self.page = page
        self.codes: dict[str, str] = {}


def texts_of(path: Path, noisy: bool) -> Iterator[str]:
    """Yield the lines of a file of one of the known formats."""
    if path.name.endswith(".json.gz"):
        import gzip
        import json

        yield from json.loads(gzip.decompress(path.read_bytes()))["text"].splitlines()
    elif path.suffix == ".txt":
        text = path.read_text(encoding="utf-8", errors="replace")
        aligned = re.search(r"^\[OCR_toInput\](.*)\n\[OCR_aligned\].*\n\[ ?GS_aligned\](.*)", text)
        if aligned:
            chosen = aligned[1] if noisy else re.sub("[@#]", "", aligned[2])
            yield from broken(chosen)
        else:
            yield from text.splitlines()
    else:
        yield from lines_of_xml(path)


def broken(text: str) -> Iterator[str]:
    """Break running text into lines of a book's width."""
    line = ""
    for word in text.split():
        if len(line) + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line


def lines_of_xml(path: Path) -> Iterator[str]:
    """Yield the lines of an ALTO, PAGE, TEI or hOCR file, whatever its name space."""
    parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(path.read_bytes(), parser)
    if root is None:
        return
    lines = root.xpath("//*[local-name()='TextLine']")
    for line in lines:
        strings = line.xpath("./*[local-name()='String']/@CONTENT") or line.xpath(
            "./*[local-name()='TextEquiv'][1]/*[local-name()='Unicode']/text()"
        )
        yield " ".join(strings)
    for line in root.xpath("//*[@class='ocr_line']"):
        yield " ".join("".join(word.itertext()) for word in line.xpath(".//*[@class='ocrx_word']"))
    texts = [] if lines else root.xpath("//*[local-name()='text']")
    for text in texts:
        for mark in text.xpath(".//*[local-name()='lb' or local-name()='pb' or local-name()='fw' or local-name()='p']"):
            mark.tail = "\n" + (mark.tail or "")
        yield from "".join(text.itertext()).splitlines()


def half_of(path: Path) -> str:
    """Return the half to which a document belongs."""
    return ("tune", "report")[hashlib.sha256(path.name.encode()).digest()[0] % 2]


def pages_of(folder: Path, family: Family, half: str) -> Iterator[list[str]]:
    """Yield pages of at most 40 real lines."""
    pattern = re.compile(family.pattern)
    for path in sorted(folder.rglob("*")):
        if not pattern.search(path.as_posix()) or not path.is_file() or half not in ("all", half_of(path)):
            continue
        lines = [" ".join(text.split()) for text in texts_of(path, family.noisy)]
        lines = [line for line in lines if line]
        for at in range(0, len(lines), 2 * PAGE_LINES):
            yield lines[at : at + 2 * PAGE_LINES]


def line_of(text: str) -> Line:
    """Return a line as the sources make it: controls are replacement characters, words are split at white space."""
    shown = re.sub(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]", "\ufffd", text)
    return Line(tuple(Word(word, Box(0, 0, 1, 1)) for word in shown.split() or ["-"]))


def shifted(by: int) -> Callable[[str, Chance], str]:
    """Return the corruption that moves every code point, white space too."""
    return lambda text, _: "".join(chr(max(ord(letter) + by, 0)) for letter in text)


def shifted_words(by: int) -> Callable[[str, Chance], str]:
    """Return the corruption that moves every code point of every word and leaves the spaces."""
    return lambda text, _: " ".join("".join(chr(max(ord(c) + by, 33)) for c in word) for word in text.split())


def rotated(text: str, chance: Chance) -> str:
    """Move every letter within the alphabet, by the same number."""
    by = chance.randrange(1, 26)
    small, large = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return text.translate(str.maketrans(small + large, small[by:] + small[:by] + large[by:] + large[:by]))


def substituted(text: str, chance: Chance) -> str:
    """Exchange the letters by a secret alphabet that keeps case, one alphabet a page."""
    small, large = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    order = Chance(chance.page).sample(range(26), 26)
    return text.translate(str.maketrans(small + large, "".join(a[i] for a in (small, large) for i in order)))


def half(corruption: Callable[[str, Chance], str]) -> Callable[[str, Chance], str]:
    """Return a corruption of the second half of a line, as where a line changes its font."""

    def spoil(text: str, chance: Chance) -> str:
        words = text.split()
        middle = len(words) // 2
        return " ".join((*words[:middle], corruption(" ".join(words[middle:]), chance)))

    return spoil


def subset(text: str, chance: Chance) -> str:
    """Give every glyph the next free code from `!` on, in the order of first use, as subset fonts do; spaces stay."""
    return "".join(c if c == " " else chance.codes.setdefault(c, chr(33 + len(chance.codes))) for c in text)


def private(text: str, _: Chance) -> str:
    """Give every character a code of the private use area."""
    return "".join(c if c == " " else chr(0xF000 + ord(c) % 256) for c in text)


def joined(text: str, _: Chance) -> str:
    """Lose all spaces."""
    return text.replace(" ", "")


def letter_spaced(text: str, _: Chance) -> str:
    """Put a space between all letters."""
    return " ".join(text.replace(" ", ""))


def backwards(text: str, _: Chance) -> str:
    """Write the line in mirror order."""
    return text[::-1]


def mojibake(text: str, _: Chance) -> str:
    """Read UTF-8 as the Western code page; lines without such letters get one."""
    text = text if any(ord(c) > 127 for c in text) else text + " café"
    return text.encode().decode("cp1252", errors="replace")


CORRUPTIONS: dict[str, Callable[[str, Chance], str]] = {
    "shift -29": shifted(-29),
    "shift -29, spaces kept": shifted_words(-29),
    "shift +3, spaces kept": shifted_words(3),
    "shift -1, spaces kept": shifted_words(-1),
    "shift +31": shifted(31),
    "letter rotation": rotated,
    "secret alphabet": substituted,
    "secret, half line": half(substituted),
    "shift -29, half line": half(shifted_words(-29)),
    "subset codes": subset,
    "private use": private,
    "no spaces": joined,
    "letter-spaced": letter_spaced,
    "backwards": backwards,
    "mojibake": mojibake,
}


def false_flags(folder: Path, half: str, show: int) -> None:
    """Print the false flags of every family."""
    print(f"{'real text':<34} {'lines':>7} {'flagged':>7} {'per 1,000':>9} {'undecided':>9} {'score':>6}")
    for family in FAMILIES:
        lines = flagged = undecided = pages = 0
        scores: list[float] = []
        examples: list[str] = []
        for page in pages_of(folder, family, half):
            verdict = legibility([line_of(text) for text in page], family.languages)
            pages, undecided = pages + 1, undecided + verdict.undecided
            scores.append(verdict.score)
            lines += sum(len(text) >= CLEAN_LETTERS for text in page)
            wrong = [page[at] for at in verdict.unreadable if len(page[at]) >= CLEAN_LETTERS]
            flagged += len(wrong)
            examples += [f"      {'/'.join(verdict.reasons)}: {text}" for text in wrong]
        if pages:
            rate, mean = 1_000 * flagged / max(lines, 1), statistics.fmean(scores)
            print(f"{family.name:<34} {lines:>7,} {flagged:>7} {rate:>9.2f} {undecided / pages:>9.3f} {mean:>6.3f}")
            print("\n".join(examples[:show]), end="\n" if show and examples else "")


def recall(folder: Path, half: str, show: int) -> None:
    """Print the recall of every corruption over the clean families."""
    print(
        f"\n{'corruption':<24} {'pages':>6} {'found':>6} {'+undec':>6} {'lines':>7} {'found':>6} {'+undec':>6}  reasons"
    )
    clean = [family for family in FAMILIES if not family.noisy]
    pages: list[tuple[list[str], tuple[str, ...]]] = []
    for family in clean:
        texts = [text for page in pages_of(folder, family, half) for text in page if len(text) >= CLEAN_LETTERS]
        starts = list(range(0, len(texts) - PAGE_LINES, PAGE_LINES))
        Chance(1).shuffle(starts)
        pages += [(texts[at : at + PAGE_LINES], family.languages) for at in starts[:PAGES_A_SOURCE]]
    for name, corruption in CORRUPTIONS.items():
        found = doubted = lines = single = single_doubted = 0
        reasons: dict[str, int] = {}
        missed: list[str] = []
        for number, (page, languages) in enumerate(pages):
            chance = Chance(number)
            spoilt = [corruption(text, chance) for text in page]
            verdict = legibility([line_of(text) for text in spoilt], languages)
            hit = 2 * len(verdict.unreadable) > len(page)
            found, doubted = found + hit, doubted + (hit or verdict.undecided)
            for reason in verdict.reasons:
                reasons[reason] = reasons.get(reason, 0) + 1
            for text, real in list(zip(spoilt, page, strict=True))[:3]:
                if len(real) >= TELLING_LETTERS:
                    alone = legibility([line_of(text)], languages)
                    lines, single = lines + 1, single + bool(alone.unreadable)
                    single_doubted += bool(alone.unreadable) or alone.undecided
                    missed += [] if alone.unreadable else [f"      {text}"]
        shares = [found / len(pages), doubted / len(pages), single / max(lines, 1), single_doubted / max(lines, 1)]
        named = ", ".join(sorted(reasons, key=lambda each: -reasons[each])[:3])
        print(
            f"{name:<24} {len(pages):>6,} {shares[0]:>6.3f} {shares[1]:>6.3f} {lines:>7,} {shares[2]:>6.3f} "
            f"{shares[3]:>6.3f}  {named}"
        )
        print("\n".join(missed[:show]), end="\n" if show and missed else "")


def speed(folder: Path, half: str) -> None:
    """Print the time of a page of 60 lines, clean and spoilt."""
    texts = [text for page in pages_of(folder, FAMILIES[0], half) for text in page if len(text) >= TELLING_LETTERS][:60]
    for name, page in (("clean", texts), ("shift -29", [shifted(-29)(text, Chance(0)) for text in texts])):
        lines = [line_of(text) for text in page]
        times = []
        for _ in range(9):
            begun = time.perf_counter()
            legibility(lines, ("eng",))
            times.append(time.perf_counter() - begun)
        print(f"a page of {len(lines)} lines, {name}: {1e3 * statistics.median(times):.1f} ms")


def main(arguments: Sequence[str]) -> None:
    """Print the three tables."""
    show = int(arguments[arguments.index("--show") + 1]) if "--show" in arguments else 0
    half = next((each for each in arguments[1:] if each in ("tune", "report", "all")), "report")
    folder = Path(arguments[0])
    false_flags(folder, half, show)
    recall(folder, half, show)
    speed(folder, half)


if __name__ == "__main__":
    main(sys.argv[1:])
