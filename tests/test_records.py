"""The written records: every version that was ever written is read as what it meant, and written again as it was."""

from __future__ import annotations

from ocrprep.bundles.bundle import read_representation, representation_text
from ocrprep.pages import Box, Line, Page, TextEvidence, Word
from ocrprep.records import page_from_json, page_to_json
from ocrprep.representation import Representation

VERSION_1 = (
    '{"schemaVersion":1,"sourceId":"sha256:59ad1b2fc74287ded1bba7af67765d23ad4a49f1ae51902cc2ed3f8ebee96cfa",'
    '"representationId":"sha256:f88a1cacabbd63ce006a659ad91b3f874f1ad5a1d081c8d83e749574a538a82b",'
    '"sourceFiles":[{"name":"a.png","hash":"sha256:59ad1b2fc74287ded1bba7af67765d23ad4a49f1ae51902cc2ed3f8ebee96cfa",'
    '"size":4,"pages":1}],"engine":null,"options":{"engine":"auto","languages":["eng"],"ocr":"auto",'
    '"pageSegmentation":3,"renderDpi":300,"imageDpiRange":[120.0,650.0],"maxPixels":120000000,"turnBelow":0.6,'
    '"turnGain":0.15},"pages":null,"layout":"layout-1","pageCount":1}\n'
    '{"page":1,"pageLabel":null,"frame":[1,1],"size":[100.0,50.0],"unit":"px","state":"read","reason":null,'
    '"rasterHash":null,"imageTransformations":[],"affine":null,"textBasis":"ocr","blocks":[{"block":1,'
    '"box":[1.0,2.0,3.0,4.0]}],"lines":[{"block":1,"words":[{"text":"old","box":[1.0,2.0,3.0,4.0],'
    '"baselineAngle":0.0,"confidence":0.5,"textBasis":"ocr","fontSize":null}]}],"asides":[],"warnings":[]}\n'
)
"""A representation as version 1 of the records wrote it."""


def test_version_1_keeps_its_id_and_its_form() -> None:
    header, representation = read_representation(VERSION_1.encode().splitlines())
    assert representation.text == "old\n\f"
    assert representation.representation_id == header.representation_id
    assert representation_text(representation) == VERSION_1


def test_version_1_did_nothing_to_the_pixels() -> None:
    _, representation = read_representation(VERSION_1.encode().splitlines())
    assert representation.options.recipe == ()


def test_a_new_version_has_another_id() -> None:
    _, old = read_representation(VERSION_1.encode().splitlines())
    new = Representation(old.source_id, old.source_files, old.pages, options=old.options)
    assert new.representation_id != old.representation_id


def test_the_evidence_for_a_pages_text_is_written_and_read_back() -> None:
    evidence = TextEvidence("a reason", 0.5, 0.25, 0.001, 1.0, None, "pdfplumber")
    page = Page(1, (10, 10), "pt", [Line((Word("a", Box(0, 0, 1, 1)),))], text_evidence=evidence)
    assert page_from_json(page_to_json(page)) == page
