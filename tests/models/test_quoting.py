"""Answers without a model: tables cut to the rows that matter, mails with who wrote them, places in the reader's language."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.core.actions import OpenFile
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart
from workroom.core.places import DocumentPlace, file_place, numbered_place, section_place, sheet_place, titled_place
from workroom.core.results import ToolResult
from workroom.core.sources import Source
from workroom.models.embedded import tables
from workroom.models.embedded.language import CODES, LANGUAGES
from workroom.models.embedded.places import place_heading, place_words
from workroom.models.embedded.query_terms import QueryTerms
from workroom.models.embedded.quotation import quoted
from workroom.models.embedded.rendering import rendered

FILE = UUID(int=7)
EN = LANGUAGES["en"]
STOCK = "\n".join(
    ["| Item | Place | Count |", "| --- | --- | --- |"]
    + [f"| {('Screw', 'Nut', 'Bolt')[n % 3]} M{n} | Hall {n % 5} | {n * 7} |" for n in range(2, 40)]
)
MAIL = """From: Petra Muster <petra@muster.example>
To: einkauf@werk.example
Date: Tue, 14 May 2024 09:12:00 +0200
Subject: Angebot Fenster

Guten Tag Herr Keller

Die Lieferfrist beträgt sechs Wochen.

Freundliche Grüsse
Petra Muster

> Am 10. Mai schrieb Herr Keller:
> Wie lange ist die Lieferfrist?"""


CSV = file_place("a.csv")


def found(text: str, place: DocumentPlace = CSV, **opens: Any) -> MaterialPart:
    at = OpenFile(file_id=FILE, **opens)
    return MaterialPart(kind="text", place=place, text=text, read_for=new_id(), opens=at, found=True, mark="k7qda")


def shown(part: MaterialPart, question: str, code: str = "en") -> str:
    """Without its heading."""
    return quoted([part], question, LANGUAGES[code]).partition("\n\n")[2]


@pytest.mark.requirement("C5")
def test_of_a_table_its_head_and_the_rows_with_the_asked_words() -> None:
    assert shown(found(STOCK, quote="| Nut M7 | Hall 2 | 49 |"), "How many nuts M7 are there?") == (
        "> | Item | Place | Count |\n> |---|---|---|\n> | Nut M7 | Hall 2 | 49 |\n>\n> …"
    )


def test_many_rows_are_cut_and_say_so() -> None:
    said = shown(found(STOCK), "Where are the screws?")
    assert said.count("Screw") == tables.MOST_ROWS
    assert "Nut" not in said
    assert said.endswith("\n>\n> …")


def test_without_an_asked_word_the_quoted_row_is_shown_and_without_that_the_first_ones() -> None:
    assert "| Bolt M8 | Hall 3 | 56 |" in shown(found(STOCK, quote="| Bolt M8 | Hall 3 | 56 |"), "?")
    assert shown(found(STOCK), "?").count("\n> | ") == tables.MOST_ROWS


@pytest.mark.requirement("C5", "H5")
def test_what_is_marked_where_it_opens_is_shown() -> None:
    other = "| Bolt M8 | Hall 3 | 56 |"
    said = shown(found(STOCK, quote=other), "How many nuts M7 are there?")
    assert "| Nut M7 | Hall 2 | 49 |" in said
    assert other in said, "what has more of the words does not take its place"
    many = shown(found(STOCK, quote=other), "Where are the screws?")
    assert other in many
    assert many.count("\n> | ") == tables.MOST_ROWS
    long = f"| {'Very ' * 50}long | 1 |"
    text = f"| What | Count |\n| --- | --- |\n| Short | 2 |\n{long}"
    assert long in shown(found(text, quote=long), "?")
    assert shown(found(text, quote=long[:180]), "?").startswith(f"> | What | Count |\n> |---|---|\n> {long}")
    assert long not in shown(found(text, quote="| Short | 2 |"), "very"), "else it is cut"


def test_what_is_marked_may_reach_from_a_text_into_a_table_and_on() -> None:
    head = "We counted all of it in the month of May, which took us three days and two nights."
    text = f"{'Others counted before. ' * 20}\n\n{head}\n\n{STOCK}"
    said = shown(found(text, quote=f"{head}\n\n| Item | Place | Count |"), "counted")
    assert said.count(head) == 1
    assert "> | Item | Place | Count |" in said
    below = f"{STOCK}\n\nSigned by all."
    said = shown(found(below, quote="| Screw M39 | Hall 4 | 273 |\n\nSigned by all."), "who signed")
    assert said.endswith("> | Screw M39 | Hall 4 | 273 |\n>\n> …\n>\n> Signed by all.")


def test_a_table_of_several_passages_has_one_head() -> None:
    lines = STOCK.split("\n")
    text = "\n".join(lines[:20]) + "\n\n" + "\n".join([*lines[:2], *lines[20:]])
    said = shown(found(text), "Screw M3, Screw M30")
    assert said.count("Item") == 1
    assert "Screw M3 " in said
    assert "Screw M30 " in said


@pytest.mark.requirement("C5")
@pytest.mark.parametrize("code", CODES)
def test_what_is_written_for_models_is_said_in_words_for_people(code: str) -> None:
    language = LANGUAGES[code]
    empty = "[Nothing is written there. A scan is read with extractContent, mode ocr.]"
    more = "[cut here; readContentObjects reads on: fileId 7, cursor 3.0]"
    part = MaterialPart(kind="text", place=numbered_place("page", [4], "a.pdf"), text=empty, read_for=new_id())
    assert shown(part, "?", code) == f"> {language.say('wordless')}"
    assert shown(part.model_copy(update={"text": f"The end.\n{more}"}), "?", code) == "> The end.\n> …"
    assert rendered(ToolResult(message="One.\n[page 2 of 9 is next: call readFile with page 2]"), language) == "One.\n…"
    assert rendered(ToolResult(message=empty), language) == language.say("wordless")
    kept = "[a remark in brackets]"
    assert rendered(ToolResult(message=kept), language) == kept


def test_a_place_whose_name_is_that_of_a_tool_stays_a_place() -> None:
    source = Source(
        mark="k7qda", place=numbered_place("page", [3], "readFile next.pdf"), opens=OpenFile(file_id=FILE, page=3)
    )
    said = rendered(ToolResult(message="[page 3 of readFile next.pdf] [[k7qda]]\nHello", sources=[source]), EN)
    assert said.startswith("**page 3 of readFile next.pdf** [[k7qda]]")


def test_ids_of_files_are_not_told_to_people() -> None:
    text = f"There are 2 files “a”: /x/a.pdf (fileId {FILE}); /y/a.pdf (fileId {FILE}). Say which."
    note = MaterialPart(kind="note", place=file_place("a"), text=text, read_for=new_id())
    assert shown(note, "?") == "> There are 2 files “a”: /x/a.pdf; /y/a.pdf. Say which."


@pytest.mark.requirement("C5")
def test_the_head_of_one_table_is_not_put_over_the_rows_of_the_next() -> None:
    towns = "| Town | People |\n| --- | --- |\n| Bern | 130000 |\n| Basel | 170000 |"
    ducks = "| Bird | Seen |\n| --- | --- |\n| Duck | 3 |\n| Goose | 5 |"
    row = "| Goose | 5 |"
    said = shown(
        found(f"{towns}\n\n{ducks}", sheet_place("S", "a.xlsx"), sheet="S", quote=row), "How many geese? Goose"
    )
    assert said == "> | Bird | Seen |\n> |---|---|\n> | Goose | 5 |\n>\n> …"
    assert "Bird" not in shown(found(f"{towns}\n\n{ducks}", quote="| Basel | 170000 |"), "Basel, Duck")


def test_a_title_above_a_table_stays_with_it_and_other_texts_do_not() -> None:
    text = f"{'The stock was counted. ' * 20}\n\nStock in May:\n\n{STOCK}\n\nSigned by all."
    said = shown(found(text, quote="| Nut M7 | Hall 2 | 49 |"), "Nut M7")
    assert said.startswith("> Stock in May:\n>\n> | Item |")
    assert "counted" not in said
    assert "Signed" not in said
    assert shown(found(text, quote="Stock in May:"), "stock").startswith("> Stock in May:\n>\n> | Item |")
    assert "| Item |" not in shown(found(text, quote="The stock was counted."), "was it counted")


def test_titles_in_a_table_and_halves_of_heads_are_heads() -> None:
    titled = "| Cups |  |  |\n| --- | --- | --- |\n| Team | Town | Won |\n| Blues | STL | 1 |\n| Leafs | TOR | 13 |"
    assert "| Team | Town | Won |\n> | Leafs | TOR | 13 |" in shown(found(titled), "Leafs")
    head = "| Who | Count | Results |  |\n| --- | --- | --- | --- |\n|  |  | Exact | Time |"
    halved = f"{head}\n| Anna | 5 | 98% | 2 s |\n| Beat | 4 | 90% | 3 s |"
    assert "|  |  | Exact | Time |\n> | Beat | 4 | 90% | 3 s |" in shown(found(halved), "what did Beat")


def test_columns_that_say_nothing_are_left_out_and_asked_ones_stay() -> None:
    names = [f"C{n}" for n in range(20)]
    text = "\n".join(
        ["| Who | Void | " + " | ".join(names) + " | Profit |", "|" + " --- |" * 23]
        + [f"| {who} |  | " + " | ".join("1" for _ in names) + " | 9 |" for who in ("Anna", "Beat")]
    )
    head = shown(found(text), "Which profit has Anna?").split("\n")[0]
    assert head.startswith("> | Who |")
    assert head.endswith("| Profit |")
    assert head.count("|") == tables.MOST_COLUMNS + 1


def test_a_cell_over_the_whole_row_is_said_once() -> None:
    text = "| A | B | C |\n| --- | --- | --- |\n| Without tax | Without tax | Without tax |\n| 1 | 2 | 3 |"
    assert shown(found(text), "tax").count("Without tax") == 1


def test_a_piece_from_the_middle_of_a_table_is_a_table() -> None:
    said = shown(found("| Nut M7 | Hall 2 | 49 |\n| Nut M8 | Hall 2 | 7 |"), "M8")
    assert said.split("\n")[1:3] == ["> |---|---|---|", "> | Nut M8 | Hall 2 | 7 |"]


@given(some.text(alphabet="|-\\ \nab>#…。?", max_size=200), some.text(max_size=40), some.text(max_size=40))
def test_any_text_can_be_quoted(text: str, quote: str, question: str) -> None:
    for line in quoted([found(text, quote=quote)], question, LANGUAGES["en"]).split("\n")[2:]:
        assert line.startswith(">")


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("de", "> Von: Petra Muster <petra@muster.example> · Datum: 2024-05-14 09:12 (UTC+02:00)"),
        ("fr", "> De: Petra Muster <petra@muster.example> · Date: 2024-05-14 09:12 (UTC+02:00)"),
    ],
)
def test_a_mail_says_who_wrote_it_when_and_what_answers(code: str, line: str) -> None:
    part = found(MAIL, titled_place("Angebot Fenster", "a.eml"), quote="Die Lieferfrist beträgt sechs Wochen.")
    said = shown(part, "Wie lange ist die Lieferfrist?", code)
    assert said.startswith(f"{line}\n>\n> Guten Tag Herr Keller")
    assert "Die Lieferfrist beträgt sechs Wochen." in said
    assert "> Freundliche Grüsse\\\n> Petra Muster" in said, "short lines stay lines"
    assert "einkauf" not in said
    assert "Am 10. Mai" not in said, "what was written before is another mail"


def test_the_subject_is_said_if_the_heading_does_not() -> None:
    assert "Betreff: Angebot Fenster" in shown(found(MAIL, file_place("a.eml"), quote="sechs Wochen"), "", "de")


def test_what_stands_only_in_the_repeated_mail_is_still_quoted() -> None:
    said = shown(found(MAIL, file_place("a.eml"), quote="> Am 10. Mai schrieb Herr Keller:"), "10. Mai", "de")
    assert "Am 10. Mai schrieb Herr Keller" in said


@pytest.mark.parametrize("date", ["gestern", "2024-13-45", "Tue, 99 May 2024", "0"])
def test_a_date_nobody_can_read_stays_as_it_is(date: str) -> None:
    assert f"Date: {date}" in shown(found(f"From: a@b.c\nDate: {date}\n\nHello.", quote="Hello."), "")


def test_a_text_that_only_begins_like_a_mail_is_a_text() -> None:
    text = "From: Basel to Bern it takes an hour."
    assert shown(found(text, quote=text), "") == f"> {text}"


def test_whole_sentences_before_and_after() -> None:
    before, after = "Long before it there was something else to say. " * 9, "After it comes much more than fits. " * 20
    text = f"{before}The pump is old. {after}"
    said = shown(found(text, quote="The pump is old."), "pump")
    assert said.startswith("> … Long before it")
    assert said.endswith("comes much more than fits. …")


@pytest.mark.requirement("D6")
@pytest.mark.parametrize(
    ("code", "page", "sheet", "title"),
    [
        ("en", "pages 3–5, 9 of a-b.pdf", "sheet Q-4 of a.xlsx", "“Dismissals” in a.docx"),
        ("de", "Seiten 3–5, 9 von a-b.pdf", "Blatt Q-4 von a.xlsx", "„Dismissals“ in a.docx"),
        ("fr", "pages 3–5, 9 de a-b.pdf", "feuille Q-4 de a.xlsx", "«\u202fDismissals\u202f» dans a.docx"),
        ("pt", "páginas 3–5, 9 de a-b.pdf", "planilha Q-4 de a.xlsx", "“Dismissals” em a.docx"),
        ("zh", "a-b.pdf 第 3–5, 9 页", "a.xlsx 工作表 Q-4", "a.docx“Dismissals”"),
    ],
)
def test_places_are_said_in_the_language_of_the_answer(code: str, page: str, sheet: str, title: str) -> None:
    language = LANGUAGES[code]
    assert place_heading(numbered_place("page", [3, 4, 5, 9], "a-b.pdf"), language) == f"**{page}**"
    assert place_heading(sheet_place("Q-4", "a.xlsx"), language) == f"**{sheet}**"
    assert place_heading(section_place("s2", "Dismissals", "a.docx"), language) == f"**{title}**"


@pytest.mark.parametrize(
    ("code", "pages", "piece", "recognised"),
    [
        (
            "en",
            "“Loss”, pages 4–5 of a.pdf",
            "part 2 of 3: “Loss” in a.md",
            "slide 2 of b.pptx (recognised from a picture)",
        ),
        (
            "de",
            "„Loss“, Seiten 4–5 von a.pdf",
            "Teil 2 von 3: „Loss“ in a.md",
            "Folie 2 von b.pptx (aus einem Bild erkannt)",
        ),
        (
            "fr",
            "«\u202fLoss\u202f», pages 4–5 de a.pdf",
            "partie 2 sur 3\u00a0: «\u202fLoss\u202f» dans a.md",
            "diapositive 2 de b.pptx (reconnu dans une image)",
        ),
        (
            "pt",
            "“Loss”, páginas 4–5 de a.pdf",
            "parte 2 de 3: “Loss” em a.md",
            "slide 2 de b.pptx (reconhecido em uma imagem)",
        ),
        ("zh", "a.pdf 第 4–5 页“Loss”", "a.md“Loss”（第 2 部分，共 3 部分）", "b.pptx 第 2 张幻灯片（从图片中识别）"),
    ],
)
def test_so_are_chapters_pieces_and_what_was_recognised(code: str, pages: str, piece: str, recognised: str) -> None:
    language = LANGUAGES[code]
    chapter = DocumentPlace(kind="page", numbers=(4, 5), title="Loss", path="a.pdf")
    assert place_words(chapter, language) == pages
    assert place_words(titled_place("Loss", "a.md").model_copy(update={"piece": 2, "pieces": 3}), language) == piece
    slide = numbered_place("slide", [2], "b.pptx").model_copy(update={"recognised": True})
    assert place_words(slide, language) == recognised


def test_the_id_of_a_section_is_not_told_to_people() -> None:
    assert place_words(section_place("s1.2", path="a.docx"), EN) == "a.docx"


@pytest.mark.parametrize("code", CODES)
def test_headings_inside_of_what_is_quoted_are_said_so_too(code: str) -> None:
    text = "[page 1 of a.pdf] [[aaaaa]]\nOne.\n\n[page 2 of a.pdf] [[bbbbb]]\n[image, width 2, location page:2/image:1]\nTwo."
    sources = [
        Source(mark=mark, place=numbered_place("page", [page], "a.pdf"), opens=OpenFile(file_id=FILE, page=page))
        for page, mark in ((1, "aaaaa"), (2, "bbbbb"))
    ]
    opens = OpenFile(file_id=FILE, page=1)
    part = MaterialPart(
        kind="text",
        place=numbered_place("page", [1, 2], "a.pdf"),
        text=text,
        read_for=FILE,
        opens=opens,
        sources=sources,
    )
    said = quoted([part], "", LANGUAGES[code])
    second = LANGUAGES[code].say("place.page", what="2", path="a.pdf")
    assert f"> **{second}**\n>\n> Two." in said
    assert "location" not in said


def test_what_a_tool_cites_has_its_places_worded_and_no_table_for_machines() -> None:
    opens = OpenFile(file_id=FILE, page=3)
    source = Source(mark="k7qda", place=numbered_place("page", [3], "a.pdf"), opens=opens)
    result = ToolResult(
        message="[page 3 of a.pdf] [[k7qda]]\nThe pump.\n[page 4 of b.pdf] [[zzzzz]]",
        items=[{"location": "page:3"}],
        sources=[source],
    )
    assert rendered(result, LANGUAGES["de"]) == (
        "**Seite 3 von a.pdf** [[k7qda]]\n\nThe pump.\n[page 4 of b.pdf] [[zzzzz]]"
    )


@pytest.mark.parametrize(
    ("question", "text", "count"),
    [
        ("Was kosten die Fenstern?", "das Fenster kostet", 2),
        ("Where is M7?", "M70, M17", 0),
        ("Where is M7?", "screw M7", 1),
        ("交货期是多久", "交货期为六周", 2),
    ],
)
def test_which_of_the_asked_words_are_said(question: str, text: str, count: int) -> None:
    language = LANGUAGES["zh" if question[0] > "z" else "de"]
    assert len(QueryTerms.of(question, language).terms_in(text)) == count


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("outline", "a.pptx: application/vnd.open-x.y+xml, 39.9 kB, 1 slides", "a.pptx: 39.9 kB, 1 Folien"),
        (
            "outline",
            "Sheet “A”: 3 rows × 2 columns\n[Only its outline; readFile reads it.]",
            "Sheet “A”: 3 rows × 2 columns",
        ),
        (
            "listing",
            f"2 files, 0 folders\na.txt (text/plain, 3 bytes), fileId {FILE}",
            "2 Dateien, 0 Ordner\\\n> a.txt (3 bytes)",
        ),
        ("note", "There is no page 9.", "There is no page 9."),
    ],
)
def test_what_a_file_is_made_of_is_told_without_words_for_machines(kind: str, text: str, said: str) -> None:
    part = MaterialPart.model_validate({"kind": kind, "place": file_place("a"), "text": text, "read_for": FILE})
    assert quoted([part], "", LANGUAGES["de"]) == f"**a**\n\n> {said}"
