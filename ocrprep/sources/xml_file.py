"""XML and HTML of unknown origin as a tree: no entities, no DTDs, no network, and no repair that is not told.

In order: refuse a file that is too large, or has too many tags; decode it, invalid bytes as U+FFFD; refuse one that
declares entities, before any parser sees it; parse it strictly. Where that fails, repair what can be repaired exactly:
characters that XML does not allow become U+FFFD, named characters of HTML the character, a `&` or `<` that starts
nothing itself; and parse strictly again. Where that fails too, HTML is read by a lenient parser, and believed only when
every character of the text is still there; other XML is refused, with the line and the column.
"""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from typing import Any

from lxml import etree

from ocrprep.errors import SourceError
from ocrprep.pages import PageWarning
from ocrprep.sources.faults import reason_of, shown
from ocrprep.sources.given_text import REPLACEMENT, local_name

MOST_BYTES = 128 * 1024 * 1024
"""A book of 1,000 pages with 480 words each is 40 MB of hOCR; parsing it takes 15 times as much memory (measured)."""

MOST_TAGS = 4_000_000
"""Tags of a file, opening and closing: that book has 1.2 million, and an element takes up to a kilobyte."""

DEEPEST = 256
"""Levels of elements: libxml2's own limit for XML. OCR files have about ten."""

REPAIRED = "ocr_file_repaired"

_ENCODINGS = re.compile(
    r"ascii|utf-8|utf-16(-[lb]e)?|iso8859-\d+|cp125\d|koi8-[ru]|mac-roman|shift_jis|euc_jp|gb\w+|big5"
)
"""Encodings, as Python names them, in which markup is written; others could hide it (UTF-7)."""

_DECLARED = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']""")
_DECLARED_IN_HTML = re.compile(rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")
_HEAD = 4096

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What is no character of XML 1.0."""

_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]\w*;")
_REFERENCE = re.compile(r"&(?:#[xX]([0-9A-Fa-f]{1,8});|#([0-9]{1,10});|([A-Za-z]\w{0,40});)?")
_TAG = re.compile(r"""</?[A-Za-z_:](?:[^<>"']|"[^"<]*"|'[^'<]*')*+>""")
_UNREAD = re.compile(r"<(script|style)\b", re.IGNORECASE)
_MARKUP = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"))
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})

_REPAIRS = {
    "bytes": "{n} invalid bytes became U+FFFD",
    "encoding": "the encoding that it declares is not its own: it was read as UTF-8",
    "characters": "{n} characters that XML does not allow became U+FFFD",
    "names": "{n} named characters that the file does not declare became the character",
    "ampersands": "{n} '&' that start no reference were kept as characters",
    "brackets": "{n} '<' that start no tag were kept as characters",
}


@dataclass(frozen=True, slots=True)
class Markup:
    """A parsed file: the root of its tree, and a warning for each kind of repair."""

    root: Any
    warnings: tuple[PageWarning, ...]


@dataclass(slots=True)
class _Repairs:
    """How often each kind of repair was made, and the line of the first."""

    counts: Counter[str] = field(default_factory=Counter)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, line: int, number: int = 1) -> None:
        self.counts[kind] += number
        self.lines.setdefault(kind, line)

    def warnings(self, name: str) -> tuple[PageWarning, ...]:
        """Return one warning for each kind, in the order in which they were made."""
        return tuple(
            PageWarning(REPAIRED, f"{name}: {_REPAIRS[kind].format(n=n)}, first in line {self.lines[kind]}")
            for kind, n in self.counts.items()
        )


def parsed(path: Path, *, is_html: bool) -> Markup:
    """Parse a file, as HTML where strict XML fails and `is_html`; raises SourceError, or OSError from reading it."""
    name = shown(path)
    if path.stat().st_size > MOST_BYTES:
        raise SourceError(f"{name} is larger than {MOST_BYTES // 2**20} MB: split it into files of fewer pages")
    repairs = _Repairs()
    text = _decoded(path.read_bytes(), name, repairs, is_html=is_html)
    if "<!ENTITY" in text:
        raise SourceError(f"{name} declares entities, which are never read: write it again without them")
    if text.count("<") > MOST_TAGS:
        raise SourceError(f"{name} has more than {MOST_TAGS:,} tags: split it into files of fewer pages")
    # Its encoding is no longer true; its lines still count.
    text = _DECLARATION.sub(lambda found: "\n" * found.group().count("\n"), text, count=1)
    shown_name = shown(path.name)
    if not _NAMED.search(text):
        try:
            return Markup(_strict(text), repairs.warnings(shown_name))
        except etree.XMLSyntaxError:
            pass
    repaired = _repaired(text, repairs, is_html=is_html)
    try:
        return Markup(_strict(repaired), repairs.warnings(shown_name))
    except etree.XMLSyntaxError as error:
        if not is_html:
            raise SourceError(f"{name} is damaged ({reason_of(error)}): write it again with its program") from error
        reason = f"{shown_name} is no well-formed XML ({reason_of(error)}): read as HTML, with all of its text"
    warnings = repairs.warnings(shown_name)
    return Markup(_lenient(repaired, name), (*warnings, PageWarning(REPAIRED, reason)))


def decoded_head(head: bytes) -> str:
    """Return the first characters of a file of markup, whatever its encoding; what is no text comes out as nonsense."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if head.startswith(mark):
            return head[len(mark) :].decode(encoding, "replace")
    if head[:2] in (b"<\0", b"\0<"):
        return head.decode("utf-16-le" if head[0] else "utf-16-be", "replace")
    return head.decode("latin-1")


def _decoded(raw: bytes, name: str, repairs: _Repairs, *, is_html: bool) -> str:
    """Decode a file by its mark, its declaration, or as UTF-8."""
    encoding = "utf-8"
    head = raw[:_HEAD]
    declared = _DECLARED.search(head) or (_DECLARED_IN_HTML.search(head) if is_html else None)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif raw.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    elif head[:2] in (b"<\0", b"\0<"):
        encoding = "utf-16-le" if head[0] else "utf-16-be"
    elif declared is not None:
        encoding = _known_encoding(declared[1].decode("ascii"), name)
        # Programs on Windows declare UTF-16 in front of UTF-8: what was just read as ASCII is no UTF-16.
        if encoding.startswith("utf-16"):
            repairs.add("encoding", 1)
            encoding = "utf-8"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        new = max(text.count(REPLACEMENT) - raw.count(REPLACEMENT.encode()), 1)
        repairs.add("bytes", raw.count(b"\n", 0, error.start) + 1, new)
        return text


def _known_encoding(declared: str, name: str) -> str:
    try:
        encoding = codecs.lookup(declared).name
    except LookupError:
        encoding = ""
    if not _ENCODINGS.fullmatch(encoding):
        raise SourceError(f"{name} declares the encoding {declared}, which is not read: save it as UTF-8")
    return encoding


def _strict(text: str) -> Any:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(text.encode(), parser)


def _lenient(text: str, name: str) -> Any:
    """Read HTML; raises SourceError where any character of its text is lost, or the tree is too deep."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.LxmlError as error:
        raise SourceError(f"{name} is no HTML ({reason_of(error)}): write it again with its program") from error
    if root is None:
        raise SourceError(f"{name} holds no HTML: write it again with its program")
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > DEEPEST:
            raise SourceError(f"{name} nests more than {DEEPEST} elements: it is damaged, or an attack")
    if "".join("".join(_text_of(root)).split()) != "".join("".join(_text_in(text)).split()):
        raise SourceError(f"{name} cannot be repaired without losing text: write it again with its program")
    return root


def _text_of(root: Any) -> Iterator[str]:
    """Yield the text of a tree, without scripts and styles."""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            yield element.tail or ""
        elif local_name(element).lower() not in ("script", "style"):
            yield element.text or ""


def _text_in(text: str) -> Iterator[str]:
    """Yield the text of repaired HTML without a parser, without scripts and styles."""
    for kind, start, end in _pieces(text):
        if kind == "text":
            yield html.unescape(text[start:end])
        elif kind == "<![CDATA[":
            yield text[start + len(kind) : end - 3]


def _repaired(text: str, repairs: _Repairs, *, is_html: bool) -> str:
    """Make the exact repairs; the number of lines stays."""
    found = _FORBIDDEN.search(text)
    if found:
        text, count = _FORBIDDEN.subn(REPLACEMENT, text)
        repairs.add("characters", text.count("\n", 0, found.start()) + 1, count)
    parts: list[str] = []
    line = 1
    for kind, start, end in _pieces(text):
        piece = text[start:end]
        if kind == "stray":
            repairs.add("brackets", line)
            piece = "&lt;"
        elif kind == "<![CDATA[" and is_html:
            piece = html.escape(piece[len(kind) : -3], quote=False)
        elif kind in ("text", "tag") and "&" in piece:
            piece = _with_references(piece, line, repairs, is_html=is_html)
        parts.append(piece)
        line += text.count("\n", start, end)
    return "".join(parts)


def _with_references(piece: str, line: int, repairs: _Repairs, *, is_html: bool) -> str:
    """Replace the references of a piece of text or a tag that XML does not know."""

    def replaced(found: re.Match[str]) -> str:
        hexadecimal, decimal, name = found.groups()
        if name in _XML_NAMES:
            return found.group()
        if name is not None and f"{name};" in html5:
            if not is_html:
                repairs.add("names", line)
            return html.escape(html5[f"{name};"])
        code = int(hexadecimal, 16) if hexadecimal else int(decimal) if decimal else None
        if code is None:
            repairs.add("ampersands", line)
            return f"&amp;{found.group()[1:]}"
        if code > 0x10FFFF or _FORBIDDEN.match(chr(code)):
            repairs.add("characters", line)
            return REPLACEMENT
        # HTML reads 128 to 159 as the characters of Windows-1252 (HTML Standard, 13.2.5.80).
        return html.escape(html.unescape(found.group()) if is_html else chr(code))

    return _REFERENCE.sub(replaced, piece)


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Cut markup into text, tags, stray brackets, scripts, and the kinds of `_MARKUP`, in time linear to its length."""
    at, never_closed = 0, set()
    while (start := text.find("<", at)) >= 0:
        if start > at:
            yield "text", at, start
        kind, at = "stray", start + 1
        for opening, closing in _MARKUP:
            if text.startswith(opening, start) and closing not in never_closed:
                end = text.find(closing, start + len(opening))
                if end >= 0:
                    kind, at = opening, end + len(closing)
                    break
                never_closed.add(closing)
        else:
            tag = _TAG.match(text, start)
            unread = _UNREAD.match(text, start) if tag else None
            if tag:
                kind, at = "tag", tag.end()
            if unread and f"</{unread[1]}" not in never_closed and not text.endswith("/>", start, at):
                end = text.find(f"</{unread[1]}", at)
                if end >= 0:
                    kind, at = "unread", end
                else:
                    never_closed.add(f"</{unread[1]}")
        yield kind, start, at
    if at < len(text):
        yield "text", at, len(text)
