"""Finished answers are kept in few pieces: nothing said is lost, no number is given twice, and a reader in the middle goes on."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import call, say
from workroom.core.run_events import ChunkArrived
from workroom.runs import event_buffer
from workroom.runs.compaction import compact_finished
from workroom.runs.types import StoredEvent


def text(events: list[StoredEvent]) -> str:
    return "".join(e.event.text for e in events if isinstance(e.event, ChunkArrived))


def begins(event: StoredEvent) -> int:
    return (event.event.since if isinstance(event.event, ChunkArrived) else None) or event.seq


async def test_the_pieces_of_a_finished_run_become_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    words = " ".join(["word"] * 200)
    monkeypatch.setattr(
        event_buffer, "joined", lambda waiting: waiting
    )  # as if every word had come in a tick of its own
    await bench.advance(accepted, [*say("let me look"), call("currentTime")], say(words))
    before = await bench.events(accepted.run_id)
    assert await compact_finished(bench.db) == 0, "not yet: somebody may be reading"
    await bench.sql("update runs set ended_at = ended_at - interval '1 hour'")
    assert await compact_finished(bench.db) == 201
    after = await bench.events(accepted.run_id)
    assert text(after) == text(before)
    assert len([e for e in after if e.event.type == "chunk"]) == 2
    assert [e for e in after if e.event.type != "chunk"] == [e for e in before if e.event.type != "chunk"]
    assert all(begins(following) == event.seq + 1 for event, following in pairwise(after)), "no number is missing"
    assert await compact_finished(bench.db) == 0
    middle, _ = await bench.runs.events(bench.principal, accepted.run_id, before[100].seq)
    assert isinstance(middle[0].event, ChunkArrived)
    assert middle[0].event.offset == 0, "the whole piece, for whoever comes back in the middle of it"
