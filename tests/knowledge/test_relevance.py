"""Which passages are worth showing, and which answer by their meaning."""

from __future__ import annotations

import pytest

from tests.knowledge.room import Library
from workroom.core.ids import new_id
from workroom.knowledge.relevance import MANY, Relevance, is_heading
from workroom.knowledge.types import ChunkHit, ChunkKey, KnowledgeLayer
from workroom.models.embeddings.multilingual import MultilingualEmbedder
from workroom.models.embeddings.ports import Floors

MODEL = "some/model"
FLOORS = Floors(0.1, 0.2, 0.3)


def hit(meaning: float | None, words: float | None = None, *lexemes: str, shared: bool = False) -> ChunkHit:
    layer = KnowledgeLayer.SHARED if shared else KnowledgeLayer.INSTANCE
    model = MODEL if meaning is not None else None
    return ChunkHit(ChunkKey(new_id(), 0), layer, words=words, lexemes=lexemes, meaning=meaning, model=model)


def kept(*hits: ChunkHit, asked: int = 2) -> list[ChunkHit]:
    relevance = Relevance.of(hits, FLOORS, {MODEL: FLOORS})
    return [one for one, _ in relevance.kept([(one, 0.0) for one in hits], asked)]


def answer(*cosines: float) -> float:
    hits = [hit(cosine) for cosine in cosines]
    return Relevance.of(hits, FLOORS, {MODEL: FLOORS}).answer(hits[0])


@pytest.mark.requirement("H5")
def test_below_its_floor_a_passage_is_kept_for_its_words_alone() -> None:
    near, far, shared = hit(0.1), hit(0.09), hit(0.15, shared=True)
    sure, unsure = hit(0.0, 8.0, "lease"), hit(0.0, 3.9, "the")
    assert kept(near, far, shared, sure, unsure) == [near, sure]


@pytest.mark.requirement("H5")
def test_where_a_passage_has_all_the_words_what_is_merely_alike_does_not_follow() -> None:
    exact, alike, also = hit(0.2, 9.0, "nespresso"), hit(0.29), hit(0.35)
    assert kept(exact, alike, also, asked=1) == [exact, also]
    assert kept(exact, alike, also, asked=2) == [exact, alike, also], "half of the words are not all"


def test_an_answer_is_nearly_as_alike_as_the_best_and_reaches_what_was_calibrated() -> None:
    assert answer(0.2, 0.25) == 0.3
    assert answer(0.7, 0.2) == pytest.approx(0.6)


def test_where_everything_is_alike_an_answer_stands_out() -> None:
    assert answer(*[0.55] * MANY) == pytest.approx(0.65)
    assert answer(*[0.55] * (MANY - 1)) == pytest.approx(0.45), "too few to know what is ordinary"


def test_a_model_that_was_not_calibrated_is_careful() -> None:
    assert Floors(0.25, 0.3).answer == pytest.approx(0.55)


@pytest.mark.requirement("H5")
async def test_a_rare_word_stands_alone_in_front(shelf: Library) -> None:
    shelf.embedders.made = MultilingualEmbedder()
    await shelf.put("coffee.md", "The kitchen has a Nespresso machine that was bought in March.")
    for number in range(13):
        await shelf.put(
            f"slide{number}.md", f"Slide {number}: our strategy for next year rests on growth in region {number}."
        )
    await shelf.put("vertrag.md", "Die Kündigung ist der anderen Seite schriftlich und rechtzeitig mitzuteilen.")
    assert await shelf.names("Nespresso") == ["coffee.md"]
    assert await shelf.names("Kündigung") == ["vertrag.md"], (
        "one word, whatever its stem is in the languages of the files"
    )


@pytest.mark.requirement("H5")
async def test_numbers_and_empty_fields_are_no_hits_of_a_short_question(shelf: Library) -> None:
    shelf.embedders.made = MultilingualEmbedder()
    await shelf.put("zero.md", "0")
    await shelf.put("after.md", "After table")
    await shelf.put("list.md", "Preisliste für alle Waren des Hauses")
    assert await shelf.names("price") == ["list.md"]
    assert await shelf.names("Ente") == []


@pytest.mark.requirement("H5")
async def test_a_heading_is_no_answer_by_its_meaning_alone(shelf: Library) -> None:
    shelf.embedders.made = MultilingualEmbedder()
    for name, text in (("heading.md", "# Notes\n"), ("number.txt", "2"), ("title.txt", "Booking Agency")):
        await shelf.put(name, text)
    await shelf.put("said.md", "# Notes\n\nThese are the notes that I wrote in May.\n")
    assert await shelf.names("Zeige meine Notizen") == ["said.md"]
    assert "title.txt" in await shelf.names("agency"), "its words find it"


@pytest.mark.parametrize(("text", "expected"), [
    ("## B. BANK REQUIREMENTS", True), ("CHAPTER 1\n\nINTRODUCTION", True), ("2", True), ("", True),
    ("# Title\n\nRoses want sun.", False), ("租金每月支付", False), ("| Item | Price | Sum |", False),
])  # fmt: skip
def test_what_is_a_heading(text: str, expected: bool) -> None:
    assert is_heading(text) is expected
