"""What a conversation remembers: how much, whose it is, and forgetting."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.world import World, some_id
from workroom.agent.entities.types import Entity, EntityKey
from workroom.agent.summaries import Summary
from workroom.agent.testing import say
from workroom.conversations import memory_store, summary_store
from workroom.conversations.memory_store import MOST, MemoryOwner
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.pages import PageRequest


def company(name: str) -> Entity:
    return Entity(EntityKey.COMPANY, name, name.lower())


class Shelf:
    """A conversation of bob's that alice writes in too, with facts of several people."""

    def __init__(self, bench: RunBench, conversation_id: UUID, answer_id: UUID) -> None:
        self.bench, self.conversation_id, self.answer_id = bench, conversation_id, answer_id
        self.world, self.memories = bench.world, bench.world.services.memories
        self.minute = 0

    @classmethod
    async def of(cls, world: World) -> Shelf:
        bench = RunBench(world)
        accepted = await bench.ask("hello")
        await bench.advance(accepted, say("hi"))
        answer_id = await bench.sql("select message_id from messages where role = 'assistant'")
        await shared(world, accepted.conversation_id, "alice")
        return cls(bench, accepted.conversation_id, answer_id)

    async def note(self, *facts: Entity, who: str = "bob") -> None:
        """A result said so, each a minute after the one before."""
        self.minute += 1
        user_id = self.world[who].user.id
        whose = MemoryOwner(self.world.acme.id, self.conversation_id, self.bench.lab, user_id)
        run_id, message_id = await self.bench.sql("select run_id from runs"), self.answer_id
        async with self.bench.db.unit_of_work(self.world[who].principal.actor) as uow:
            call_id = new_id()
            await uow.execute(
                "insert into tool_calls (mandate_id, call_id, run_id, message_id, position, tool, state)"
                " values ($1, $2, $3, $4, 0, 'look', 'asked')",
                self.world.acme.id, call_id, run_id, message_id,
            )  # fmt: skip
            await memory_store.note(uow, whose, call_id, facts, now() + timedelta(minutes=self.minute))

    async def sum_up(self, first: int, last: int, text: str, *, private: bool = False, who: str = "bob") -> None:
        async with self.bench.db.unit_of_work(self.world[who].principal.actor) as uow:
            summary = Summary(first, last, self.answer_id, text, private)
            whose = (self.world.acme.id, self.conversation_id, self.world[who].user.id)
            await summary_store.add(uow, *whose, summary, now())

    async def seen(self, who: str = "bob") -> tuple[list[str], list[str]]:
        kept = await self.memories.of(self.world[who].principal, self.bench.lab, self.conversation_id)
        return [memory.value for memory in kept.entities], [summary.text for summary in kept.summaries]

    def path(self, *more: object) -> str:
        base = f"/api/workspace/{self.bench.lab}/conversations/{self.conversation_id}/memory"
        return "/".join([base, *map(str, more)])


@pytest.fixture
async def shelf(world: World) -> Shelf:
    return await Shelf.of(world)


@pytest.mark.requirement("H4")
async def test_one_thing_is_kept_once_with_how_often_and_since_when(shelf: Shelf) -> None:
    await shelf.note(company("Muster AG"), company("Muster AG"), company("Other AG"))
    await shelf.note(Entity(EntityKey.COMPANY, "MUSTER AG", "muster ag"))
    kept = (await shelf.memories.of(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id)).entities
    assert [(memory.value, memory.times) for memory in kept] == [("MUSTER AG", 2), ("Other AG", 1)]
    assert kept[0].updated_at > kept[0].created_at
    assert kept[0].call_id != kept[1].call_id


async def test_at_most_so_many_stay_those_seen_often_and_those_seen_lately(shelf: Shelf) -> None:
    often = [company(f"Often {n}") for n in range(MOST // 2)]
    for _ in range(2):
        await shelf.note(*often)
    once = [company(f"Once {n}") for n in range(MOST)]
    for place in range(0, MOST, 50):
        await shelf.note(*once[place : place + 50])
    values, _ = await shelf.seen()
    assert len(values) == MOST
    assert {fact.value for fact in often} <= set(values), "however long ago"
    assert {fact.value for fact in once[MOST // 2 :]} <= set(values), "the newest, although seen once"


async def test_the_limit_is_each_persons(shelf: Shelf) -> None:
    await shelf.note(*[company(f"Mine {n}") for n in range(MOST)])
    await shelf.note(*[company(f"Theirs {n}") for n in range(MOST)], who="alice")
    assert len((await shelf.seen())[0]) == len((await shelf.seen("alice"))[0]) == MOST


async def test_it_goes_with_its_conversation_and_with_its_person(shelf: Shelf) -> None:
    await shelf.note(company("Muster AG"))
    conversations = shelf.world.services.conversations
    await conversations.delete(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id)
    await conversations.purge(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id)
    assert await shelf.bench.sql("select count(*) from memories") == 0


@pytest.mark.requirement("D5")
async def test_one_forgets_ones_own_facts_one_or_all(shelf: Shelf) -> None:
    await shelf.note(company("One AG"), company("Two AG"), company("Three AG"))
    await shelf.note(company("Hers AG"), who="alice")
    seen = (await shelf.world.call("bob", "GET", shelf.path())).json()["entities"]
    one = next(entity["id"] for entity in seen if entity["value"] == "One AG")
    assert (await shelf.world.call("alice", "DELETE", shelf.path(one))).status_code == 404, "not hers"
    assert (await shelf.world.call("bob", "DELETE", shelf.path(one))).status_code == 204
    assert (await shelf.world.call("bob", "DELETE", shelf.path(one))).status_code == 404
    assert (await shelf.seen())[0] == ["Two AG", "Three AG"]
    gone = await shelf.world.call("bob", "DELETE", shelf.path())
    assert gone.json() == {"entities": 2, "summaries": 0}
    assert (await shelf.seen(), await shelf.seen("alice")) == (([], []), (["Hers AG"], []))


@pytest.mark.requirement("D5")
async def test_what_it_looks_like_over_http(shelf: Shelf) -> None:
    await shelf.note(company("Muster AG"))
    await shelf.sum_up(1, 2, "they said hello")
    body = (await shelf.world.call("bob", "GET", shelf.path())).json()
    (entity,) = body["entities"]
    assert set(entity) == {"id", "key", "value", "source", "times", "createdAt", "updatedAt", "callId"}
    assert (entity["key"], entity["value"], entity["source"], entity["times"]) == (
        "entity:company",
        "Muster AG",
        "tool",
        1,
    )
    (summary,) = body["summaries"]
    assert (summary["messageId"], summary["first"], summary["last"]) == (str(shelf.answer_id), 1, 2)
    assert (body["results"], body["enabled"], body["byModel"]) == ([], False, False)
    config = {"entityCacheEnabled": True, "entityCacheByModel": True}
    put = await shelf.world.call("alice", "PUT", f"/api/workspace/{shelf.bench.lab}/agentConfig", config)
    assert put.status_code == 200
    body = (await shelf.world.call("bob", "GET", shelf.path())).json()
    assert (body["enabled"], body["byModel"]) == (True, True)


async def test_who_may_not_open_the_conversation_finds_nothing(shelf: Shelf) -> None:
    await shelf.note(company("Muster AG"))
    (entity,) = (await shelf.world.call("bob", "GET", shelf.path())).json()["entities"]
    for who in ("rita", "olaf", "zoe"):
        for method, path in (
            ("GET", shelf.path()),
            ("DELETE", shelf.path()),
            ("DELETE", shelf.path(entity["id"])),
            ("DELETE", shelf.path("summaries", shelf.answer_id)),
        ):
            assert (await shelf.world.call(who, method, path)).status_code == 404, (who, method, path)
    assert (await shelf.seen())[0] == ["Muster AG"]


async def test_summaries_are_forgotten_with_those_made_of_them(shelf: Shelf) -> None:
    await shelf.sum_up(1, 2, "of two")
    async with shelf.bench.db.unit_of_work(shelf.bench.principal.actor) as uow:
        asked = await uow.fetchval("select message_id from messages where role = 'user'")
        for first, last, text in ((1, 10, "of the first ten"), (11, 13, "of three")):
            summary = Summary(first, last, asked, text)
            bob = shelf.world["bob"].user.id
            await summary_store.add(uow, shelf.world.acme.id, shelf.conversation_id, bob, summary, now())
    await shelf.memories.forget_summary(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id, shelf.answer_id)
    assert (await shelf.seen())[1] == ["of three"]
    with pytest.raises(NotFound):
        await shelf.memories.forget_summary(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id, some_id())


async def test_a_private_summary_is_shown_to_its_person_and_there_may_be_one_for_everybody_too(shelf: Shelf) -> None:
    await shelf.sum_up(1, 2, "with the canary", private=True)
    await shelf.sum_up(1, 2, "without")
    await shelf.sum_up(1, 2, "without, again")
    assert (await shelf.seen())[1] == ["with the canary", "without"]
    assert (await shelf.seen("alice"))[1] == ["without"]
    alice = shelf.world["alice"].principal
    assert await shelf.memories.forget_all(alice, shelf.bench.lab, shelf.conversation_id) == (0, 2)


async def test_who_may_only_read_a_conversation_forgets_their_facts_and_no_summaries(shelf: Shelf) -> None:
    world = shelf.world
    await shared(world, shelf.conversation_id, "rita", write=False)
    await shelf.sum_up(1, 2, "of two")
    await shelf.note(company("Hers AG"), who="rita")
    gone = await world.call("rita", "DELETE", shelf.path())
    assert (gone.status_code, gone.json()) == (200, {"entities": 1, "summaries": 0})
    refused = await world.call("rita", "DELETE", shelf.path("summaries", shelf.answer_id))
    assert refused.status_code == 403
    assert (await shelf.seen())[1] == ["of two"]


async def test_forgetting_is_written_down_without_what_it_was_and_open_pages_hear_of_it(shelf: Shelf) -> None:
    await shelf.note(company("Muster AG"))
    with shelf.world.services.changes.subscribe() as inbox:
        await shelf.memories.forget_all(shelf.bench.principal, shelf.bench.lab, shelf.conversation_id)
        async with asyncio.timeout(60):
            while not (heard := [c for c in await inbox.take(5) if c.kind is ChangeKind.MEMORY]):
                pass
    assert [(change.id, change.owner_id) for change in heard] == [
        (shelf.conversation_id, shelf.bench.principal.user_id)
    ]
    log = (await shelf.world.services.audit.list(shelf.world["alice"].principal, PageRequest())).items
    entry = next(entry for entry in log if entry.action == "memory.forgotten")
    assert entry.details == {"entities": 1, "summaries": 0}
    assert entry.object_id == shelf.conversation_id
