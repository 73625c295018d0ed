"""A text that repeats itself is noticed while it is written; what people legitimately ask for is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workroom.core.tokens import estimate
from workroom.models.repetition import (
    FEWEST_TIMES,
    KEPT_TIMES,
    LONGEST_BLOCK,
    MOST_DATA_TOKENS,
    MOST_WORD_TOKENS,
    STEP,
    WINDOW,
    Repetition,
    RepetitionDetector,
)

ROOT = Path(__file__).parents[2]
LINE = "Die Rechnung der Firma Muster AG ist noch nicht bezahlt.\n"
BLOCKS = {
    "line": LINE,
    "lines": "First, look at the file.\nThen ask the person who wrote it.\nThen look at the file again.\n",
    "Chinese": "这份合同将于下个月底到期，请尽快与供应商联系并确认续约条件是否可以接受。",
    "paragraph": " ".join(f"word{number} and" for number in range(150)),
    "ruler inside": "-" * 200 + "\nThe same section again, and what it says about everything.\n",
    "arguments": '{"query": "open invoices of the customer", "limit": 20}, ',
    "one token": "!",
    "zeros": "0, ",
    "blank lines": "\n",
}


def found(text: str, piece: int = STEP) -> Repetition | None:
    detector = RepetitionDetector()
    pieces = (text[at : at + piece] for at in range(0, len(text), piece))
    return next((repetition for part in pieces if (repetition := detector.feed(part)) is not None), None)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@pytest.mark.parametrize("before", ["", "Here is what I found:\n\n", "A long answer comes first. " * 20])
def test_a_block_over_and_over_is_noticed(block: str, before: str) -> None:
    repetition = found(before + block * (2 * WINDOW // len(block)))
    assert repetition is not None
    assert repetition.period == len(block)
    assert len(before) - 2 <= repetition.start <= len(before), "one or two may be the same as at the end of the block"


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_it_is_noticed_soon_and_not_sooner(block: str) -> None:
    """As soon as the tokens are written that a block of its kind may take."""
    text = block * (4 * WINDOW // len(block))
    detector, written = RepetitionDetector(), 0
    while detector.feed(text[written : written + STEP]) is None:
        written += STEP
    tokens = estimate(text[: written + STEP])
    many_blocks = estimate(block * FEWEST_TIMES)
    assert min(MOST_WORD_TOKENS, many_blocks) <= tokens
    assert tokens <= max(MOST_DATA_TOKENS, many_blocks) + estimate(text[: 2 * STEP])
    if block == LINE:
        assert tokens <= MOST_WORD_TOKENS + STEP


def test_a_few_blocks_are_kept() -> None:
    before = "This is the beginning:"
    text = before + LINE * 1_000
    repetition = found(text)
    assert repetition is not None
    assert text[: repetition.kept] == before + LINE * KEPT_TIMES
    ruler = found("=" * 100_000)
    assert ruler == Repetition(0, 1)
    assert ruler.kept == 60


@pytest.mark.parametrize(
    "text",
    [
        "| 0 | 0 | 0 | 0 |\n" * 300,
        "<tr><td></td><td></td><td></td><td></td></tr>\n" * 150,
        "    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],\n" * 128,
        "| Muster AG | offen | 2026 |\n" * 80,
        "-" * 120 + "\n" + "=" * 5_000,
        "null, " * 400,
        "\n".join(f"{number}. Muster AG, Zürich, offen" for number in range(2_000)),
        "\n".join(f'{{"id": {number}, "name": "Muster AG", "state": "open"}},' for number in range(2_000)),
        "Oh, la la la, so geht der Refrain dieses Liedes.\n" * 20,
    ],
)
def test_what_may_have_been_asked_for_is_left_alone(text: str) -> None:
    assert found("Here it is:\n\n" + text + "\nThat is all.\n" + "Regards, and so on. " * 5) is None


def test_the_files_of_this_repository_do_not_repeat_themselves() -> None:
    """Prose, tables, code, JSON of many equal shapes and translations: all of it wanted."""
    files = [
        path
        for part in ("docs", "src", "tests", "web/src", "web/schemas")
        for path in (ROOT / part).rglob("*")
        if path.suffix in {".md", ".py", ".svelte", ".ts", ".json", ".css", ".sql"} and "_web" not in path.parts
    ]
    assert len(files) > 1_000
    repeating = [path.name for path in [*files, ROOT / "web/openapi.json"] if found(path.read_text(), 100_000)]
    assert repeating == []


@settings(max_examples=25, deadline=None)
@given(
    before=st.text(max_size=3_000),
    block=st.text(min_size=1, max_size=LONGEST_BLOCK),
    pieces=st.integers(20, 5_000),
)
def test_it_does_not_matter_where_the_text_is_cut(before: str, block: str, pieces: int) -> None:
    text = before + block * (2 * WINDOW // len(block))
    repetition = found(text, pieces)
    assert repetition == found(text, len(text))
    assert repetition is not None
    tail = text[repetition.start : repetition.start + FEWEST_TIMES * repetition.period]
    assert tail == tail[: repetition.period] * FEWEST_TIMES


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(), words=st.lists(st.text(min_size=1, max_size=12), min_size=5, max_size=50, unique=True))
def test_words_in_changing_order_are_no_repetition(seed: int, words: list[str]) -> None:
    chosen = random.Random(seed).choices(words, k=4_000)
    assert found(" ".join(chosen)) is None
