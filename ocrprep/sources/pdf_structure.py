"""The structure of a PDF as it is written, walked with qpdf by pikepdf: pages, actions, embedded files, forms, layers.

In order: the leaves of the page tree with what hangs on them; the actions that the file or its events start; the name
trees of scripts and embedded files; form fields, bookmarks and layers. Nothing is run, no stream is decoded, what was
seen is not entered again, and every walk is bounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from ocrprep.sources.faults import LONGEST_REASON

MOST_OBJECTS = 100_000
"""Objects that are looked at: a book of 1,000 pages with 50 links each has half as many, and it takes a second."""

MOST_PAGES = 1_000_000
"""Places in the page tree that are counted; each takes 2 to 15 µs."""

LONGEST_UNIT = 75_000.0
"""The largest /UserUnit that ISO 32000-1 (annex C) knows of; others are not believed."""

ACTIONS = {
    "/JavaScript": "script",
    "/Launch": "launch action",
    "/SubmitForm": "submit action",
    "/ImportData": "import action",
}
"""Actions that do more than show another place (ISO 32000-1, table 198)."""

_LIVE = {"/A", "/AA", "/FS", "/RichMediaContent"}
"""What of an annotation can start an action or hold a file."""


@dataclass(slots=True)
class Structure:
    """What a walk has found so far."""

    leaves: list[bool] = field(default_factory=list)
    units: dict[int, float] = field(default_factory=dict)
    promised: int | None = None
    actions: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)
    portfolio: bool = False
    xfa: bool = False
    layers: list[str] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)
    incomplete: bool = False
    damaged: bool = False
    walked: bool = False
    fault: str | None = None

    def first_sight(self, found: Any) -> bool:
        """Return whether an object was not looked at before; objects beyond the limit count as seen.

        Direct objects lie within others, and cannot run in circles.
        """
        if not found.is_indirect:
            return True
        if len(self.seen) >= MOST_OBJECTS:
            self.incomplete = True
            return False
        known = found.objgen in self.seen
        self.seen.add(found.objgen)
        return not known


def walk(document: Any, found: Structure) -> None:
    """Note the structure of an open pikepdf document; raises what pikepdf raises, with what was found until then."""
    root = document.Root
    found.promised = _count(root)
    _walk_pages(root, found)
    found.walked = len(found.leaves) < MOST_PAGES
    _actions(root.get("/OpenAction"), found)
    _triggers(root, found)
    names = _dictionary(root.get("/Names"))
    if names is not None:
        for _, script in _name_tree(names.get("/JavaScript"), found):
            _actions(script, found)
        for key, specification in _name_tree(names.get("/EmbeddedFiles"), found):
            _embedded(specification, key, found)
    for specification in _each(root.get("/AF")):
        _embedded(specification, "", found)
    found.portfolio = _dictionary(root.get("/Collection")) is not None
    _form(root, found)
    _outline(root, found)
    _layers(root, found)


def _count(root: Any) -> int | None:
    pages = _dictionary(root.get("/Pages"))
    count = None if pages is None else pages.get("/Count")
    return count if isinstance(count, int) else None


def _walk_pages(root: Any, found: Structure) -> None:
    """Note every leaf of the page tree in its order: whether it is there, its unit, and what hangs on it.

    A page that stands in several places is counted in each; a node is entered once.
    """
    entered: set[tuple[int, int]] = set()
    waiting = [root.get("/Pages")]
    while waiting:
        node = _dictionary(waiting.pop())
        if len(found.leaves) + len(entered) >= MOST_PAGES:
            found.incomplete = True
            return
        kids = None if node is None else node.get("/Kids")
        if node is None or not isinstance(kids, pikepdf.Array):
            found.leaves.append(node is not None)
            if node is not None:
                _page(node, len(found.leaves), found)
        elif node.objgen not in entered or not node.is_indirect:
            entered.add(node.objgen if node.is_indirect else (0, -len(entered)))
            waiting.extend(kids[index] for index in range(min(len(kids), MOST_PAGES) - 1, -1, -1))


def _page(page: Any, number: int, found: Structure) -> None:
    unit = page.get("/UserUnit")
    if unit is not None:
        length = float(unit)
        if math.isfinite(length) and 0 < length <= LONGEST_UNIT and length != 1:
            found.units[number] = length
    if not found.first_sight(page):
        return
    _triggers(page, found)
    for annotation in _each(page.get("/Annots")):
        if found.first_sight(annotation):
            _annotation(annotation, found)


def _annotation(annotation: Any, found: Structure) -> None:
    live = annotation.keys() & _LIVE  # one look for many links
    if "/A" in live:
        _actions(annotation.get("/A"), found)
    if "/AA" in live:
        _triggers(annotation, found)
    if "/FS" in live:
        _embedded(annotation.get("/FS"), "", found)
    media = _dictionary(annotation.get("/RichMediaContent")) if "/RichMediaContent" in live else None
    if media is not None:
        for key, specification in _name_tree(media.get("/Assets"), found):
            _embedded(specification, key, found)


def _dictionary(found: Any) -> Any:
    return found if isinstance(found, pikepdf.Dictionary) else None


def _each(found: Any) -> Iterator[Any]:
    """Yield the dictionaries of an array, or the one dictionary that stands in its place."""
    if isinstance(found, pikepdf.Array):
        for index in range(min(len(found), MOST_OBJECTS)):
            each = found[index]
            if isinstance(each, pikepdf.Dictionary):
                yield each
    elif isinstance(found, pikepdf.Dictionary):
        yield found


def _triggers(holder: Any, found: Structure) -> None:
    """Count the actions that events of a document, page, annotation or field would start."""
    triggers = _dictionary(holder.get("/AA"))
    if triggers is not None:
        for event in triggers.keys():  # noqa: SIM118 (a pikepdf dictionary, which cannot be iterated by itself)
            _actions(triggers.get(event), found)


def _actions(first: Any, found: Structure) -> None:
    """Count an action and those that follow it."""
    waiting = list(_each(first)) if isinstance(first, pikepdf.Dictionary) else []
    while waiting:
        action = waiting.pop()
        if not found.first_sight(action):
            continue
        kind = str(action.get("/S"))
        if kind == "/Rendition" and action.get("/JS") is not None:
            kind = "/JavaScript"
        if kind in ACTIONS:
            found.actions[kind] += 1
        waiting.extend(_each(action.get("/Next")))


def _name_tree(root: Any, found: Structure) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of a name tree (ISO 32000-1, 7.9.6)."""
    waiting = [root]
    while waiting:
        node = _dictionary(waiting.pop())
        if node is None or not found.first_sight(node):
            continue
        waiting.extend(_each(node.get("/Kids")))
        pairs = node.get("/Names")
        if isinstance(pairs, pikepdf.Array):
            for index in range(0, min(len(pairs), 2 * MOST_OBJECTS) - 1, 2):
                yield _text(pairs[index]), pairs[index + 1]


def _embedded(specification: Any, key: str, found: Structure) -> None:
    """Note a file specification that holds its file, by the name that it gives or else its key."""
    specification = _dictionary(specification)
    if specification is None or specification.get("/EF") is None or not found.first_sight(specification):
        return
    names = (specification.get(each) for each in ("/UF", "/F"))
    found.files.append(next((_text(each) for each in names if each is not None), key))


def _text(string: Any) -> str:
    try:
        words = str(string)
    except UnicodeError:
        words = bytes(string).decode("latin-1")
    return words[: 2 * LONGEST_REASON]


def _form(root: Any, found: Structure) -> None:
    """Look at the fields of a form: their scripts check and calculate what is filled in."""
    form = _dictionary(root.get("/AcroForm"))
    if form is None:
        return
    found.xfa = form.get("/XFA") is not None
    waiting = list(_each(form.get("/Fields")))
    while waiting:
        node = waiting.pop()
        # A field that is an annotation of a page, too, was looked at there.
        if found.first_sight(node):
            _actions(node.get("/A"), found)
            _triggers(node, found)
            waiting.extend(_each(node.get("/Kids")))


def _outline(root: Any, found: Structure) -> None:
    """Look at the bookmarks, which may start actions."""
    waiting = list(_each(root.get("/Outlines")))
    while waiting:
        node = waiting.pop()
        if found.first_sight(node):
            _actions(node.get("/A"), found)
            waiting.extend(each for key in ("/First", "/Next") for each in _each(node.get(key)))


def _layers(root: Any, found: Structure) -> None:
    """Note the optional content that a viewer hides when it opens the file (ISO 32000-1, 8.11.4.3)."""
    properties = _dictionary(root.get("/OCProperties"))
    default = None if properties is None else _dictionary(properties.get("/D"))
    if properties is None or default is None:
        return
    if str(default.get("/BaseState")) == "/OFF":
        shown_layers = {layer.objgen for layer in _each(default.get("/ON"))}
        hidden = [layer for layer in _each(properties.get("/OCGs")) if layer.objgen not in shown_layers]
    else:
        hidden = list(_each(default.get("/OFF")))
    found.layers = [_text(layer.get("/Name")) for layer in hidden[:MOST_OBJECTS]]
