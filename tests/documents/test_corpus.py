"""Every real document goes the whole way, upload, look, extraction, and ends as docs/reference/corpus.md says."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from docs import corpus
from docs.corpus import INSIDE, REASONS, Outcome, Way

from tests.world import World

SMALL = 500_000  # bytes: the sample is for every day
ROW = re.compile(r"\| `(\w+)` \| (\d+) \| (\d*) \| \d* \| (\d*) \|")


@pytest.mark.requirement("I6")
@pytest.mark.drill
async def test_the_page_is_what_a_run_finds(test_data: Path) -> None:
    """With other documents there is another page: then they only have to come through."""
    found = corpus.documents()
    outcomes = await corpus.run(found)
    written, documents = corpus.PAGE.read_text(), corpus.fingerprint(found)
    assert {outcome.code for outcome in outcomes} <= {"", *REASONS}
    if f"documents {documents}" not in written:
        pytest.skip("These are other documents than those of the page; all of them came through.")
    assert corpus.page(outcomes, documents) == written, "run `python -m docs.corpus`"


@pytest.mark.requirement("I6")
async def test_one_of_each_kind_ends_as_the_page_says(test_data: Path, world: World) -> None:
    kinds: defaultdict[str, list[Path]] = defaultdict(list)
    for path in corpus.documents():
        if path.stat().st_size <= SMALL:
            kinds[path.suffix.lower().lstrip(".")].append(path)
    way = Way(world.services, world["bob"].principal, world.instances["lab"].id)
    said = {row[1]: (bool(row[3]), bool(row[4])) for row in ROW.finditer(corpus.PAGE.read_text())}
    assert len(said) > 30, "the page has a row for every ending"
    for ending, paths in kinds.items():
        own, *inside = await way.go(min(paths, key=lambda path: (path.stat().st_size, path.name)))
        assert {outcome.ending for outcome in inside} <= {INSIDE}
        may_be_read, may_be_refused = said.get(ending, (True, True))
        assert may_be_refused if own.code else may_be_read, own


def test_a_page_counts_by_ending_and_gives_the_reasons() -> None:
    outcomes = [
        Outcome("pdf"),
        Outcome("pdf", bare=True),
        Outcome("pdf", "documentEncrypted", "It is locked."),
        Outcome("zip", "containerLimit", "It is a bomb."),
        Outcome(INSIDE),
    ]
    written = corpus.page(outcomes, "these")
    assert "| `pdf` | 3 | 2 | 1 | 1 | 1 |  |  |  |  |" in written
    assert "| `zip` | 1 |  |  | 1 |  |  |  |  | 1 |" in written
    assert "| all, without those | 4 | 2 | 1 | 2 | 1 |  |  |  | 1 |" in written
    assert "- 1 × It is a bomb." in written
    with pytest.raises(AssertionError, match="no words for"):
        corpus.page([Outcome("pdf", "unexpected", "?")], "these")
