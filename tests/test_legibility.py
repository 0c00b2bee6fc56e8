"""Whether a text layer is language at all, told by its text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrprep.pages import Box, Line, Word
from ocrprep.recognition.legibility import legibility
from ocrprep.recognition.letter_statistics import code_of, folded, language

ENGLISH = (
    "The clerk of the court received the papers on Monday morning",
    "and entered them in the register before the hearing began.",
    "Nobody had asked for a copy of the map until the second week,",
    "when the surveyor came back with two witnesses from the village.",
    "They said that the old fence had stood along the river for years",
    "and that the owner of the mill had never complained about it.",
)
GERMAN = (
    "Der Schreiber des Gerichts nahm die Akten am Montag entgegen",
    "und trug sie vor der Verhandlung in das große Verzeichnis ein.",
    "Niemand hatte bis zur zweiten Woche nach der Karte gefragt,",
    "als der Landmesser mit zwei Zeugen aus dem Dorf zurückkam.",
)
FRENCH = (
    "Le greffier du tribunal reçut les papiers le lundi matin",
    "et les inscrivit au registre avant le début de l’audience.",
    "Personne n’avait demandé une copie de la carte avant cela,",
    "quand l’arpenteur revint du village avec deux témoins âgés.",
)
GREEK = ("Ο γραμματέας του δικαστηρίου πήρε τα έγγραφα το πρωί", "και τα έγραψε στο βιβλίο πριν αρχίσει η δίκη.")
RUSSIAN = ("Секретарь суда получил бумаги в понедельник утром", "и записал их в книгу до начала заседания.")
JAPANESE = ("裁判所の書記は月曜日の朝に書類を受け取りました。", "そして会議が始まる前に帳簿に書きました。")
CHINESE = ("法院的书记员在星期一早上收到了文件，", "并在会议开始之前把它们写进了登记簿。")
ARABIC = ("تسلم كاتب المحكمة الأوراق صباح يوم الاثنين", "وكتبها في السجل قبل بداية الجلسة")
HEBREW = ("מזכיר בית המשפט קיבל את המסמכים ביום שני בבוקר", "ורשם אותם בספר לפני תחילת הדיון")

SECRET = str.maketrans("abcdefghijklmnopqrstuvwxyz", "qhxvzbtnwfjpdrkyagcmlsoeiu")


def line(text: str) -> Line:
    """Return a line of words as the sources make it: controls are replacement characters."""
    shown = "".join("\ufffd" if ord(letter) < 32 else letter for letter in text)
    return Line(tuple(Word(word, Box(0, 0, 1, 1)) for word in shown.split() or ["-"]))


def shifted(text: str, by: int = -29) -> str:
    """Move every character."""
    return "".join(chr(max(ord(letter) + by, 0)) for letter in text)


def shifted_words(text: str, by: int = -29) -> str:
    """Move every character but the spaces, as where spaces come from the places of the words."""
    return " ".join(shifted(word, by) for word in text.split())


def subset_codes(texts: tuple[str, ...]) -> list[str]:
    """Number the glyphs from `!` on in the order of first use."""
    codes: dict[str, str] = {}
    return ["".join(c if c == " " else codes.setdefault(c, chr(33 + len(codes))) for c in text) for text in texts]


def unreadable(texts: tuple[str, ...] | list[str], *languages: str) -> tuple[int, ...]:
    """Return the unreadable lines of a page."""
    return legibility([line(text) for text in texts], languages or ("eng",)).unreadable


@pytest.mark.parametrize("space", ["\u0003", " "])
def test_a_shifted_line_between_a_heading_and_a_line_with_part_numbers(space: str) -> None:
    """The cipher line is found, the codes that look like it are not."""
    cipher = f"1RWLFH{space}RI{space}WKH{space}&RXQW\\{space}&RXUW"
    page = [line(t) for t in ("IN THE COUNTY COURT", cipher, "The clerk filed part WKH-38 and form 6WDWHV.")]
    verdict = legibility(page, ("eng",))
    assert verdict.unreadable == (1,)
    assert "shifted_letters" in verdict.reasons
    assert not verdict.undecided
    assert 0.5 < verdict.score < 0.8


@pytest.mark.parametrize(
    ("texts", "languages"),
    [
        (ENGLISH, ("eng",)),
        (GERMAN, ("deu",)),
        (GERMAN, ("deu_latf",)),
        (FRENCH, ("fra",)),
        (FRENCH, ("eng",)),
        (GERMAN, ("eng",)),
        (ENGLISH, ("fra", "deu")),
        (GREEK, ("ell",)),
        (GREEK, ("eng",)),
        (RUSSIAN, ("rus",)),
        (RUSSIAN, ("eng",)),
        (JAPANESE, ("jpn",)),
        (CHINESE, ("chi_sim",)),
        (ARABIC, ("ara",)),
        (HEBREW, ("heb",)),
        (ENGLISH, ("script/Latin",)),
        (tuple(text.upper() for text in ENGLISH), ("eng",)),
    ],
)
def test_language_is_legible(texts: tuple[str, ...], languages: tuple[str, ...]) -> None:
    verdict = legibility([line(text) for text in texts], languages)
    assert verdict.unreadable == ()
    assert verdict.score == 1.0
    assert not verdict.undecided


CORRUPTIONS: dict[str, tuple[Callable[[str], str], str]] = {
    "shift -29": (shifted, "shifted_letters"),
    "shift -29 of words": (shifted_words, "shifted_letters"),
    "shift +3 of words": (lambda text: shifted_words(text, 3), "shifted_letters"),
    "shift -1 of words": (lambda text: shifted_words(text, -1), "shifted_letters"),
    "secret alphabet": (lambda text: text.lower().translate(SECRET), "unknown_language"),
    "private use": (lambda text: "".join(c if c == " " else chr(0xF000 + ord(c) % 256) for c in text), "private_use"),
    "replacement": (lambda text: text.replace("e", "\ufffd"), "replacement_characters"),
    "no spaces": (lambda text: text.replace(" ", ""), "missing_spaces"),
    "letter-spaced": (lambda text: " ".join(text.replace(" ", "")), "letter_spaced"),
    "backwards": (lambda text: text[::-1], "reversed_text"),
    "one letter": (lambda text: "".join(c if c == " " else "i" for c in text), "repeated_letter"),
}


@pytest.mark.parametrize("texts", [ENGLISH, GERMAN, FRENCH], ids=["English", "German", "French"])
@pytest.mark.parametrize("name", list(CORRUPTIONS))
def test_every_line_of_a_spoilt_page_is_found(name: str, texts: tuple[str, ...]) -> None:
    corruption, reason = CORRUPTIONS[name]
    languages = {ENGLISH: "eng", GERMAN: "deu", FRENCH: "fra"}[texts]
    verdict = legibility([line(corruption(text)) for text in texts], (languages,))
    assert verdict.unreadable == tuple(range(len(texts)))
    assert reason in verdict.reasons
    assert verdict.score == 0.0
    assert not verdict.undecided


def test_codes_of_a_subset_font_are_found() -> None:
    verdict = legibility([line(text) for text in subset_codes(ENGLISH)], ("eng",))
    assert verdict.unreadable == tuple(range(len(ENGLISH)))
    assert "symbol_soup" in verdict.reasons


@pytest.mark.parametrize("text", [GERMAN[3], *FRENCH])
def test_utf8_read_through_a_western_code_page_is_found(text: str) -> None:
    verdict = legibility([line(text.encode().decode("cp1252"))], ("deu", "fra"))
    assert verdict.unreadable == (0,)
    assert verdict.reasons == ("wrong_code_page",)


def test_letters_of_two_scripts_within_words_are_found() -> None:
    mixed = ENGLISH[0].translate(str.maketrans("aeopcy", "аеорсу"))
    verdict = legibility([line(mixed), line(ENGLISH[1])], ("eng",))
    assert verdict.unreadable == (0,)
    assert verdict.reasons == ("mixed_scripts",)


def test_mirrored_hebrew_is_found() -> None:
    assert unreadable([text[::-1] for text in HEBREW], "heb") == (0, 1)


def test_a_span_in_another_font_spoils_its_line() -> None:
    for corruption in (shifted_words, lambda span: span.translate(SECRET)):
        text = f"Notice is given that {corruption('the county court of the second district has')} met on"
        assert unreadable([ENGLISH[0], text]) == (1,)


@pytest.mark.parametrize(
    "text",
    [
        " ".join(
            "Крхфъ",
        )
        * 4,
        "щжсцк гхпрт влдшщ зкмнт бжфцч рстпг кншщъ ылдфж",
    ],
)
def test_soup_of_a_script_that_was_not_asked_for_is_at_least_undecided(text: str) -> None:
    verdict = legibility([line(text)], ("eng",))
    assert verdict.unreadable or verdict.undecided


def test_soup_of_an_asked_script_is_found() -> None:
    soup = "щжсцк гхпрт влдшщ зкмнт бжфцч рстпг кншщъ ылдфж"
    assert unreadable([soup], "rus") == (0,)
    assert unreadable([RUSSIAN[0].translate(str.maketrans("аеиолнстр", "щжсцкгхпъ"))], "rus") == (0,)


def test_a_hostile_line_is_looked_at_in_part() -> None:
    """Neither a line of a million letters nor one of a million dots is searched whole."""
    for text in ("ab" * 500_000, "." * 1_000_000, "a." * 500_000):
        assert len(legibility([line(text)], ("eng",)).unreadable) <= 1


INNOCENT = (
    "INV-2231-QX 4471 RS232 USB3 HDMI1 PCIe x16 DDR4-3200 NVMe",
    "12,345.67 89,012.34 (5,678.90) 1,234 56.7% $8,900 £12 €34",
    "f(x) = 2x + 1, g(y) = y^2 - 3y, h(z) = (z - 1)/(z + 1)",
    "https://www.example.org/reports/2019/annual?id=482&page=7#notes",
    "clerk@court.example.org, archive@example.net, +44 20 7946 0958",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenversicherung",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    "MINUTES OF THE SPECIAL MEETING OF THE BOARD OF TRUSTEES",
    "Mr. J. W. Grzybowski, Dr. Szczepański and Mrs. O’Shaughnessy",
    "XRD, SEM, TEM, FTIR, HPLC, DSC, TGA and NMR were performed.",
    "vnd ſprach zu jhm / Gehe hin auff den berg vnnd ſihe dich vmb",
    "Et cum venisset ad fluvium, dixit ad servos suos: Ecce aqua.",
    "Tlie clcrk of thc conrt rcceived tlie papcrs on Mondav mornina",
    "Introduction . . . . . . . . . . . . . . . . . . . . . . . 17",
    "§§ 12 ff., 34 Abs. 2 Nr. 3 BGB i. V. m. Art. 5 EGBGB; s. o.",
    "a) the α-helix and β-sheet at 5 μm; ΔH = −12 kJ/mol",
    "peptides VTARAGLGY, FHTVTVNTL, HTTWTLTGY, and IELAGTLTL were chosen",
    "HLA-DRB1*01:18 (40.48), HLA-DRB1*01:06 (14.26), HLA-DRB1*01:26",
    "201-204 °C. 1 HNMR (300 MHz, DMSO-d 6 ): δ 2.61 (s, 3H,",
    "verfiel im Jahr mclxxxvj. vnd mccxxiij. zu Wolgaſt verſtorben",
    "xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv",
    "_______________________ (signature) ____________ (date)",
    "CAFÉ» ÉTÉ» «À LA MÉMOIRE» VOILÀ» où l’Âge ÂGÉ»",
    "Smith v. Jones, 347 U.S. 483, 74 S. Ct. 686, 98 L. Ed. 873",
)


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_lookalikes_are_not_flagged(text: str) -> None:
    """Alone and on a page of prose."""
    assert unreadable([text], "eng", "deu", "fra") == ()
    assert unreadable([*ENGLISH, text]) == ()


def test_a_page_of_figures_is_undecided() -> None:
    verdict = legibility([line("12,345 67.8 910") for _ in range(10)], ("eng",))
    assert (verdict.unreadable, verdict.score, verdict.undecided) == ((), 1.0, True)


def test_too_little_text_is_undecided() -> None:
    assert legibility([], ("eng",)).undecided
    assert legibility([line("Notice")], ("eng",)).undecided


def test_soup_in_a_language_without_a_word_list_is_undecided() -> None:
    page = [line(text.lower().translate(SECRET)) for text in ENGLISH]
    verdict = legibility(page, ("cym",))
    assert (verdict.unreadable, verdict.undecided) == ((), True)


def test_another_language_than_the_asked_one_is_noted() -> None:
    assert legibility([line(text) for text in FRENCH], ("eng",)).reasons == ("other_language",)


def test_the_page_decides_about_a_short_line() -> None:
    """A shift that is proved explains short lines too, on a page that proves it."""
    short = shifted_words("The Court")
    assert unreadable([*ENGLISH, short]) == ()
    assert unreadable([*map(shifted_words, ENGLISH), short]) == tuple(range(len(ENGLISH) + 1))


PIECES = st.one_of(st.text(max_size=40), st.sampled_from([*INNOCENT, *ENGLISH, *FRENCH, *RUSSIAN, *JAPANESE]))
SPOILT = st.sampled_from([*map(shifted, ENGLISH), *map(shifted_words, GERMAN), *subset_codes(ENGLISH)])
MODELS = st.lists(st.sampled_from(["eng", "deu_latf", "script/Latin", "osd", "nonsense", "rus", "chi_sim"]), max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(PIECES, SPOILT), max_size=8), MODELS)
def test_any_text_gets_a_verdict(texts: list[str], models: list[str]) -> None:
    verdict = legibility([line(text) for text in texts], models)
    assert 0.0 <= verdict.score <= 1.0
    assert all(0 <= at < len(texts) for at in verdict.unreadable)
    assert all(before < after for before, after in pairwise(verdict.unreadable))
    assert verdict.reasons == tuple(sorted(set(verdict.reasons)))
    assert bool(verdict.unreadable) == (verdict.score < 1.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(PIECES, SPOILT), max_size=6), st.sampled_from([*ENGLISH, *GERMAN]), st.integers(0, 6))
def test_an_innocent_line_makes_no_other_line_unreadable(texts: list[str], innocent: str, at: int) -> None:
    """Page evidence comes from unreadable lines alone."""
    at = min(at, len(texts))
    before = set(unreadable(texts, "eng", "deu"))
    after = set(unreadable([*texts[:at], innocent, *texts[at:]], "eng", "deu"))
    assert {each - (each > at) for each in after} <= before
    assert at not in after


def test_folding_makes_old_and_new_spelling_alike() -> None:
    assert folded("Wiſſenſchaft fähig fa\u0364hig ﬁn Œuvre") == "wissenschaft fahig fahig fin oeuvre"


@pytest.mark.parametrize(
    ("model", "code"), [("eng", "en"), ("script/Fraktur", "de"), ("jpn_vert", "ja"), ("lat", None), ("", None)]
)
def test_model_names_are_mapped_to_word_lists(model: str, code: str | None) -> None:
    assert code_of(model) == code


def test_words_gain_and_soup_loses() -> None:
    english = language("en")
    assert english.gain("notice") > 6
    assert english.gain("rwlfh") < -6
    assert english.cut("noticeofthecountycourt") == ["notice", "of", "the", "county", "court"]
