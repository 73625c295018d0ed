"""Questions whose answer is in no passage: what documents are made of."""

from __future__ import annotations

import pytest

from tests.contents.room import numbered_pdf
from tests.files.sending import make
from tests.world import World
from workroom.contents.materials import QuestionMaterials
from workroom.contents.structure_questions import is_structural, names_in
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, Role, TextPart


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    "question",
    [
        "How many pages does the handbook have?", "What chapters are in the handbook?", "Number of sheets in budget?",
        "Show me the table of contents", "Wie viele Seiten hat das Handbuch?", "Welche Kapitel gibt es?",
        "Inhaltsverzeichnis vom Handbuch", "Combien de pages a le manuel ?", "Quels chapitres y a-t-il ?",
        "Quantas páginas tem o manual?", "Quais capítulos tem?", "手册有多少页？", "有哪些章节？",
        "How many files are in archive.zip?", "How many tables are there",
    ],
)  # fmt: skip
def test_they_are_told_in_five_languages(question: str) -> None:
    assert is_structural(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many people live in Bern?", "What does page 4 say?", "Wie viele Leute wohnen in Bern?", "Hello", "",
        "Which customers pay late?", "Combien de temps dure le contrat ?", "Quantas pessoas?", "有多少人？", "?" * 5_000,
    ],
)  # fmt: skip
def test_and_from_those_about_what_is_written(question: str) -> None:
    assert not is_structural(question)


def test_what_is_left_of_the_question_names_the_file() -> None:
    assert names_in("How many pages does the annual report 2024 have?") == ["annual", "report", "2024"]
    assert "手册有多少页" in names_in("手册有多少页？")


async def read(world: World, text: str) -> list[MaterialPart]:
    served = world.services
    question = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text)])
    materials = QuestionMaterials(served.files, served.finder, served.reader)
    bob = world["bob"].principal
    return list(await materials.of(bob, world.instances["lab"].id, question, 20_000))


@pytest.mark.requirement("C5")
async def test_the_answer_is_the_scan_of_the_file_that_is_named(world: World) -> None:
    handbook = await make(world, "bob", "handbook-2024.pdf", numbered_pdf(12))
    await make(world, "bob", "report.pdf", numbered_pdf(3))
    (part,) = await read(world, "How many pages does the handbook have?")
    assert (part.kind, part.found) == ("outline", True)
    assert part.opens is not None
    assert part.opens.file_id == handbook.id
    assert part.text.startswith("12 pages"), "the number, and not the whole outline"
    (outlined,) = await read(world, "Which chapters does the handbook have?")
    assert outlined.text.startswith("handbook-2024.pdf: application/pdf")
    assert await read(world, "How many pages does the almanac have?") == [], "two files, and neither is meant"


@pytest.mark.requirement("J4")
async def test_a_file_called_by_its_whole_name_is_meant_without_an_at(world: World) -> None:
    report = await make(world, "bob", "Annual-report.pdf", numbered_pdf(12))
    await make(world, "alice", "secret.pdf", numbered_pdf(3))
    (part,) = await read(world, "What is on page 7 of annual-report.pdf?")
    assert (part.kind, part.opens and part.opens.file_id) == ("text", report.id)
    assert "This is page number 7" in part.text
    assert await read(world, "What is on page 2 of secret.pdf, nothere.pdf or v1.2?") == []


async def test_the_only_file_is_meant_whatever_it_is_called_and_nobody_elses(world: World) -> None:
    await make(world, "alice", "secret.pdf", numbered_pdf(99))
    assert await read(world, "How many pages does the secret have?") == []
    await make(world, "bob", "report.pdf", numbered_pdf(3))
    (part,) = await read(world, "How many pages are there?")
    assert "3 pages" in part.text
