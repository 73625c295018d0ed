"""Passages: long enough to say something, never across pages or sections, nothing lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workroom.core.tokens import estimate
from workroom.documents.types import ContentObject, ContentType, ContextRef
from workroom.knowledge.chunking import TOKENS, chunked
from workroom.knowledge.languages import comparable, configuration


def text(words: str, page: int | None = 0, section: str | None = None, **metadata: object) -> ContentObject:
    ref = ContextRef(container_path="a.pdf", location=f"page:{page}", page_index=page, section_id=section)
    return ContentObject(sequence=0, content_type=ContentType.TEXT, text=words, ref=ref, metadata=dict(metadata))


def test_small_neighbours_are_put_together_but_not_across_pages() -> None:
    found = list(chunked([text("One."), text("Two."), text("Three.", page=1)]))
    assert [(chunk.text, chunk.ref.page_index) for chunk in found] == [("One.\n\nTwo.", 0), ("Three.", 1)]


def test_sections_are_kept_apart() -> None:
    found = list(chunked([text("One.", section="s1"), text("Two.", section="s2")]))
    assert [chunk.text for chunk in found] == ["One.", "Two."]


def test_a_long_text_is_cut_where_sentences_end() -> None:
    sentence = "This sentence has some words in it, and then it ends here. "
    found = list(chunked([text(sentence * 200)]))
    assert len(found) > 3
    assert all(chunk.tokens <= TOKENS for chunk in found)
    assert all(chunk.text.endswith("ends here.") for chunk in found)


def test_pieces_of_a_table_begin_with_its_head() -> None:
    rows = "".join(f"| {n} | some value in a cell |\n" for n in range(400))
    found = list(chunked([text("| Number | Value |\n| --- | --- |\n" + rows, table=True)]))
    assert len(found) > 2
    assert all(chunk.text.startswith("| Number | Value |\n| --- | --- |\n") for chunk in found)


def test_pictures_are_known_by_their_caption() -> None:
    ref = ContextRef(container_path="a.pdf", location="page:1/image:1", label="Figure 3: The pump", page_index=0)
    picture = ContentObject(sequence=0, content_type=ContentType.IMAGE, ref=ref)
    assert [chunk.text for chunk in chunked([picture])] == ["Figure 3: The pump"]


@given(st.lists(st.text(min_size=1, max_size=6_000), max_size=5))
def test_no_word_is_lost_and_no_passage_is_too_long(texts: list[str]) -> None:
    found = list(chunked([text(words) for words in texts]))
    said = "".join("".join(chunk.text.split()) for chunk in found)
    assert said == "".join("".join(words.split()) for words in texts)
    assert all(estimate(chunk.text) <= TOKENS for chunk in found)


def test_languages_are_told_apart() -> None:
    assert configuration("Der Vertrag wurde gestern von beiden Seiten unterschrieben.") == "german"
    assert configuration("The contract was signed by both sides yesterday.") == "english"
    assert configuration("Le contrat a été signé hier par les deux parties.") == "french"
    assert configuration("O contrato foi assinado ontem por ambas as partes.") == "portuguese"
    assert configuration("双方昨天签署了合同。") == "simple"
    assert configuration("12345 67") == "simple"
    assert configuration("") == "simple"


def test_unspaced_writing_becomes_pairs() -> None:
    assert comparable("看湖边的房子 at the lake").split() == [
        "看湖",
        "湖边",
        "边的",
        "的房",
        "房子",
        "at",
        "the",
        "lake",
    ]
    assert comparable("湖").strip() == "湖"
