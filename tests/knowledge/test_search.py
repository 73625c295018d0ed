"""Search finds what somebody may read, by words and by meaning, and says where it is."""

from __future__ import annotations

import pytest

from tests.contents.room import numbered_pdf
from tests.documents.containers.hostile import zipped
from tests.files.sending import make
from tests.knowledge.room import Library
from workroom.files.types import FileChange, FileStatus
from workroom.identity.sharing import Visibility
from workroom.knowledge.types import KnowledgeLayer


@pytest.mark.requirement("H5")
async def test_a_passage_is_found_with_its_place_and_why(shelf: Library) -> None:
    await shelf.put("other.md", "# Gardens\n\nRoses want sun.\n")
    file = await shelf.put("report.pdf", numbered_pdf(12))
    (first, *_) = await shelf.find("page number 7")
    assert (first.file_id, first.file_name, first.ref.page_index) == (file.id, "report.pdf", 6)
    assert first.ref.location.startswith("page:7/")
    assert "This is page number 7" in first.text
    assert first.why.lexical is not None
    assert "7" in first.why.words


async def test_words_are_found_in_every_form_of_their_language(shelf: Library) -> None:
    await shelf.put("de.txt", "Die Häuser am See wurden im letzten Jahr renoviert und neu gestrichen.")
    await shelf.put("en.txt", "The contractors were renovating the lakeside houses throughout the last year.")
    await shelf.put("fr.txt", "Les maisons au bord du lac ont été rénovées pendant la dernière année.")
    await shelf.put("zh.txt", "湖边的房子去年进行了翻修,并重新粉刷。")
    assert (await shelf.names("Haus am See"))[0] == "de.txt"
    assert (await shelf.names("house renovation"))[0] == "en.txt"
    assert (await shelf.names("rénover la maison"))[0] == "fr.txt"
    assert (await shelf.names("房子翻修"))[0] == "zh.txt"


async def test_meaning_finds_what_has_no_word_in_common(shelf: Library) -> None:
    await shelf.put("cars.txt", "The automobile needs new tires before winter.")
    await shelf.put("cooking.txt", "Boil the pasta until it is soft, then add the sauce.")
    found = await shelf.find("vehicle wheels")
    assert found
    assert found[0].file_name == "cars.txt"
    assert found[0].why.lexical is None
    assert found[0].why.semantic is not None


@pytest.mark.requirement("H6")
async def test_nobody_finds_what_they_may_not_read(shelf: Library) -> None:
    word = "Zaubertrank"
    mine = await shelf.put("mine.txt", f"Der {word} steht im Keller.")
    await shelf.put("hers.txt", f"Noch ein {word}.", person="alice")
    group = await shelf.put("ours.txt", f"Unser {word} für alle im Labor.", person="alice", visibility=Visibility.GROUP)
    assert sorted(await shelf.names(word)) == ["mine.txt", "ours.txt"]
    assert await shelf.names(word, "rita") == ["ours.txt"]
    assert await shelf.find(word, "zoe", "den") == []
    alice = shelf.world["alice"].principal
    await shelf.world.services.files.change(alice, group.id, FileChange(visibility=Visibility.MY))
    assert await shelf.names(word, "rita") == [], "taken back at once"
    await shelf.world.services.files.delete(shelf.world["bob"].principal, mine.id)
    assert await shelf.names(word) == []


@pytest.mark.requirement("H1")
async def test_what_is_shared_with_everybody_is_a_layer_of_its_own(shelf: Library) -> None:
    await shelf.put("ours.txt", "The holiday rules of the laboratory.", visibility=Visibility.GROUP)
    await shelf.put("all.txt", "The holiday rules of the company.", person="alice", visibility=Visibility.ALL)
    found = await shelf.find("holiday rules")
    assert {(p.file_name, p.layer) for p in found} == {
        ("ours.txt", KnowledgeLayer.INSTANCE),
        ("all.txt", KnowledgeLayer.SHARED),
    }
    assert [p.file_name for p in await shelf.find("holiday rules", most_shared=0)] == ["ours.txt"]


async def test_a_passage_says_whose_its_file_is_and_who_else_reads_it(shelf: Library) -> None:
    for name, visibility in (("mine.txt", Visibility.MY), ("ours.txt", Visibility.GROUP)):
        await shelf.put(name, f"The holiday rules of {name}.", visibility=visibility)
    bob = shelf.world["bob"].user.id
    found = {(p.file_name, p.visibility, p.owner_id, p.layer) for p in await shelf.find("holiday rules")}
    assert found == {
        ("mine.txt", Visibility.MY, bob, KnowledgeLayer.INSTANCE),
        ("ours.txt", Visibility.GROUP, bob, KnowledgeLayer.INSTANCE),
    }


async def test_neighbours_are_one_passage_and_copies_are_shown_once(shelf: Library) -> None:
    rows = "\n\n".join(f"# Part {n}\n\nThe turbine number {n} was inspected." for n in range(4))
    await shelf.put("turbines.md", rows)
    await shelf.put("copy.md", rows)
    found = await shelf.find("turbine inspected")
    assert len({p.text for p in found}) == len(found)
    assert any(len(p.chunks) > 1 for p in found)


async def test_documents_in_archives_are_found_where_they_lie(shelf: Library) -> None:
    await shelf.put(
        "project.zip", zipped({"docs/plan.md": b"# Plan\n\nThe submarine dives at noon.", "x.bin": b"\0\1"})
    )
    (found, *_) = await shelf.find("submarine")
    assert (found.file_name, found.inside) == ("project.zip", "docs/plan.md")
    assert found.ref.container_path == "project.zip/docs/plan.md"


@pytest.mark.parametrize(
    "text", ["", "   ", "the", "🙂🙂", "\x00", "word " * 5_000, "' or 1=1 --", "%%%", "a & b | !c"]
)
async def test_odd_questions_are_answered(shelf: Library, text: str) -> None:
    await shelf.put("a.txt", "Some words to be found, and a few more of them.")
    assert await shelf.names(text, meaning=False) in ([], ["a.txt"])
    assert await shelf.names(text) in ([], ["a.txt"])


async def test_archived_files_are_not_searched(shelf: Library) -> None:
    file = await shelf.put("old.txt", "The dinosaur is extinct.")
    assert await shelf.names("dinosaur") == ["old.txt"]
    bob = shelf.world["bob"].principal
    await shelf.world.services.files.change(bob, file.id, FileChange(status=FileStatus.ARCHIVED))
    assert await shelf.names("dinosaur") == []


async def test_an_old_version_is_not_searched_once_there_is_a_newer_one(shelf: Library) -> None:
    await shelf.put("salaries.md", "The salary of the boss is apples.")
    await make(shelf.world, "bob", "salaries.md", b"Nothing to see.")
    assert await shelf.names("apples", meaning=False) == [], "before anybody has looked at the new one"
    look = await shelf.scanner.claim()
    assert look is not None
    await shelf.scanner.work(look)
    assert await shelf.job.claim() is not None
    assert await shelf.names("apples", meaning=False) == [], "while it is being indexed"
    assert await shelf.names("apples") == []
