"""Without a language model: what a document is made of is told in the reader's words, and never for an answer."""

from __future__ import annotations

import pytest

from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, Role, TextPart
from workroom.core.places import file_place, named_place, numbered_place
from workroom.models.embedded.language import CODES, LANGUAGES
from workroom.models.embedded.outline_words import outline_words
from workroom.models.embedded.reply import reply_to
from workroom.models.ports import ModelRequest

DE = LANGUAGES["de"]
TEXT = """word.docx: application/vnd.open-x.y+xml, 39.9 kB, 2 pages
title: Swimming
author: Duck
Sections (id, title, pages):
s1 Let’s swim! (pages 1-2)
    s1.1.1 1. Let’s eat (page 2)
s2 The end
Note: it is short
[Only its outline; readContentObjects, readSection and readFile read what is in it.]"""
OUTLINE = MaterialPart(kind="outline", place=file_place("word.docx"), text=TEXT, read_for=new_id())
PASSAGE = MaterialPart(
    kind="text", place=numbered_place("page", [1], "word.docx"), text="Ducks eat.", read_for=new_id(), found=True
)
SUMMARIES = {
    "de": "Fasse „word.docx“ zusammen: worum es geht, die wichtigsten Punkte und was zu tun ist.",
    "en": "Summarise “word.docx”: what it is about, its main points, and what has to be done.",
    "fr": "Résumez « word.docx » : de quoi il s’agit, les points principaux et ce qu’il faut faire.",
    "pt": "Resuma “word.docx”: do que se trata, os pontos principais e o que precisa ser feito.",
    "zh": "总结“word.docx”：主题、要点以及需要做的事。",
}


def answered(question: str, *materials: MaterialPart, language: str = "en") -> str:
    message = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=question), *materials])
    return reply_to(ModelRequest("", (message,), language=language)).text


def test_headings_are_a_list_with_pages_and_without_ids() -> None:
    assert outline_words(TEXT, DE).split("\n") == [
        "word.docx: 39.9 kB, 2 Seiten",
        "Titel: Swimming",
        "Verfasst von: Duck",
        "- Let’s swim! (Seiten 1–2)",
        "  - 1\\. Let’s eat (Seite 2)",
        "- The end",
        "Note: it is short",
    ]


def test_a_list_stays_a_list_in_a_quotation() -> None:
    shown = answered("Was isst eine Ente?", OUTLINE)
    assert (
        "> Verfasst von: Duck\n> - Let’s swim! (Seiten 1–2)\n>   - 1\\. Let’s eat (Seite 2)\n> - The end\n>\n> Note"
        in shown
    )


def test_a_question_that_nothing_in_the_file_answers_is_told_so() -> None:
    shown = answered("Was isst eine Ente?", OUTLINE)
    assert shown.startswith(DE.say("nothingIn", names="**word.docx**"))
    assert "im Wortlaut" not in shown
    assert "Sections" not in shown
    assert "s1" not in shown


@pytest.mark.parametrize("code", CODES)
def test_a_summary_needs_a_model_and_the_headings_are_shown(code: str) -> None:
    language = LANGUAGES[code]
    for materials in ([OUTLINE], [PASSAGE, OUTLINE]):
        shown = answered(SUMMARIES[code], *materials, language=code)
        assert shown.startswith(language.say("needsModel"))
        assert language.say("outline.pages", title="Let’s swim!", what="1–2") in shown
        assert "Ducks eat." not in shown, "words of the request are no question"
        assert "s1" not in shown


@pytest.mark.parametrize(
    "question",
    [
        "How many pages has @word.docx?", "Wie viele Seiten hat @word.docx?", "Welche Kapitel sind in @word.docx?",
        "Combien de pages a @word.docx ?", "Quantas páginas tem o @word.docx?", "@word.docx 有多少页？",
    ],
)  # fmt: skip
def test_who_asks_for_the_structure_is_shown_it(question: str) -> None:
    leads = [language.say("madeOf") for language in LANGUAGES.values()]
    assert answered(question, OUTLINE).startswith(tuple(leads))


def test_a_file_that_cannot_be_read_is_not_said_to_have_no_answer() -> None:
    broken = OUTLINE.model_copy(update={"text": "word.docx: 3 kB\nIt cannot be read: it has a password."})
    shown = answered("Was isst eine Ente?", broken)
    assert "it has a password" in shown
    assert not shown.startswith(DE.say("nothingIn", names="**word.docx**"))
    named = PASSAGE.model_copy(update={"found": False})
    both = answered("Was isst eine Ente?", OUTLINE, named)
    assert "Ducks eat." in both, "what else was named is shown with it"


def test_what_a_file_is_called_is_no_wish() -> None:
    name = "Zusammenfassung.docx"
    outline = OUTLINE.model_copy(update={"place": file_place(name)})
    assert "Ducks eat." in answered(f"Was isst eine Ente in @{name}?", PASSAGE, outline)


def test_where_files_could_not_be_searched_it_is_not_said_that_nothing_was_found() -> None:
    away = MaterialPart(kind="note", place=named_place("degraded"), text="It could not be searched.", read_for=new_id())
    shown = answered("Was isst eine Ente?", OUTLINE, away)
    assert "could not be searched" in shown
    assert DE.say("nothingIn", names="**word.docx**") not in shown
