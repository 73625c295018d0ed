"""Summaries of several models, and by several processes: each model speaks for itself, and nothing is paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.knowledge.digests.room import CHEAP, SMALL, Question, Summariser, book, plainly, room_with, summed_up
from tests.lapsing import DEAD
from tests.tools.room import Room
from tests.world import World
from workroom.contents.parts import PartSelection
from workroom.contents.types import StoredDocument
from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
from workroom.core.ids import new_id
from workroom.core.places import DocumentPlace
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.knowledge.digests import claims, store
from workroom.knowledge.digests.analyses import AnalysedElement
from workroom.knowledge.digests.claims import STOOD_IN, WAITING
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.digests.types import Digest, DigestKey, DigestPart, DigestRequest, StoredDigest, Stretch, hashed
from workroom.models.ports import Answer, ModelFailed, ModelInfo, ModelRequest, TextDelta
from workroom.tools.digests import analyze_content, summarize_content


def as_(name: str) -> Summariser:
    return Summariser(ModelInfo("acme", name, CHEAP.price), lambda _: f"Said by {name}.")


async def rows(world: World, what: str) -> int:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        return int(await uow.fetchval(f"select count(*) from {what}"))


@pytest.mark.requirement("I7")
async def test_what_one_model_said_is_not_served_for_another_and_both_are_kept(world: World) -> None:
    await make(world, "bob", "book.pdf", book(3))
    cheap, dear = as_("cheap"), as_("dear")
    assert "Said by cheap." in (await summed_up(world, cheap, "book.pdf")).message
    assert "Said by dear." in (await summed_up(world, dear, "book.pdf")).message
    assert "Said by cheap." in (await summed_up(world, cheap, "book.pdf")).message
    assert "Said by dear." in (await summed_up(world, dear, "book.pdf")).message
    assert (len(cheap.asked), len(dear.asked)) == (1, 1)


async def test_an_answer_about_an_element_is_the_models_own_too(world: World) -> None:
    await make(world, "bob", "small.md", b"Some text.")

    async def asked(model: Summariser) -> str:
        result = await room_with(world, model).call(analyze_content, fileId="small.md", question="What?")
        assert isinstance(result, ToolResult)
        return result.message

    cheap, dear = as_("cheap"), as_("dear")
    assert "Said by cheap." in await asked(cheap)
    assert "Said by dear." in await asked(dear)
    assert "Said by cheap." in await asked(cheap)
    assert (len(cheap.asked), len(dear.asked)) == (1, 1)


async def test_without_a_model_what_any_has_said_is_better_than_nothing(world: World) -> None:
    await make(world, "bob", "book.pdf", book(3))
    await summed_up(world, as_("cheap"), "book.pdf")
    await summed_up(world, as_("dear"), "book.pdf")
    result = await Room(world).call(summarize_content, fileId="book.pdf")
    assert isinstance(result, ToolResult)
    assert "Said by dear." in result.message


@pytest.mark.requirement("A8")
async def test_who_steps_in_counts_for_a_while_and_then_the_model_that_is_meant_is_asked(world: World) -> None:
    await make(world, "bob", "book.pdf", book(120, 12))
    away = Summariser(SMALL, lambda _: ModelFailed("Away.", again=False))
    helper = Summariser(ModelInfo("acme", "helper", CHEAP.price, context_tokens=4_000))
    room = room_with(world, away)
    room.journal.models_by_operation = {
        key: [*models, helper] for key, models in room.journal.models_by_operation.items()
    }
    await room.call(summarize_content, fileId="book.pdf")
    paid = len(helper.asked)
    back = Summariser(SMALL)
    await summed_up(world, back, "book.pdf")
    assert not back.asked, "just now another has answered for it"
    await summed_up(world, helper, "book.pdf")
    assert len(helper.asked) == paid, "what it said is its own as well"
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.execute("update digests set created_at = created_at - $1::interval", STOOD_IN)
    await summed_up(world, back, "book.pdf")
    assert len(back.asked) == paid


class Gated(Summariser):
    """Answers when the gate is open; `begun` once it was asked."""

    def __init__(self, info: ModelInfo = SMALL) -> None:
        super().__init__(info)
        self.begun, self.gate = asyncio.Event(), asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        self.begun.set()
        await self.gate.wait()
        async for said in super().stream(request):
            yield said


class Waiting(list[str]):
    """What somebody is told; `found` when they are told that another is at it."""

    def __init__(self) -> None:
        super().__init__()
        self.found = asyncio.Event()

    def append(self, text: str) -> None:
        super().append(text)
        if text == WAITING:
            self.found.set()


async def summing(world: World, model: Summariser, told: list[str] | None = None) -> asyncio.Task[Digest]:
    """By a service of its own, as another process has one."""
    room = room_with(world, model)
    room.journal.progress_reports = told if told is not None else []
    service = Digests(world.services.db, world.services.reader)
    return asyncio.create_task(
        service.summary(room, room.principal, await the_book(world), PartSelection(), DigestRequest())
    )


async def the_book(world: World) -> StoredDocument:
    principal = world["bob"].principal
    [file] = await world.services.finder.suggested(principal, world.instances["lab"].id, "book", None, 1)
    return await world.services.reader.place(principal, file.id)


async def piece_of(world: World) -> DigestKey:
    return DigestKey((await the_book(world)).key, "part:x", hashed("x"), "acme/cheap")


@pytest.mark.requirement("A5")
@pytest.mark.parametrize("pages", [3, 120])
async def test_two_processes_pay_for_every_part_once(world: World, pages: int) -> None:
    await make(world, "bob", "book.pdf", book(pages, 3))
    model, told = Gated(), Waiting()
    first = await summing(world, model)
    await model.begun.wait()
    second = await summing(world, model, told)
    async with asyncio.timeout(60):
        await told.found.wait()
    model.gate.set()
    one, other = await first, await second
    assert one.model_dump_json() == other.model_dump_json()
    assert len(model.parts) == len(one.parts)
    assert len(model.asked) - len(model.parts) == (1 if pages == 120 else 0), "nor for the whole"
    assert await rows(world, "digest_claims") == 0


async def test_who_waited_for_what_failed_elsewhere_asks_themselves(world: World) -> None:
    await make(world, "bob", "book.pdf", book(3))
    model, told = Gated(), Waiting()
    model.says = lambda question: ModelFailed("No.", again=False) if len(model.asked) == 1 else plainly(question)
    first = await summing(world, model)
    await model.begun.wait()
    second = await summing(world, model, told)
    async with asyncio.timeout(60):
        await told.found.wait()
    model.gate.set()
    with pytest.raises(ModelFailed):
        await first
    assert (await second).text.startswith("Summary of")


async def test_who_is_interrupted_lets_go(world: World) -> None:
    await make(world, "bob", "book.pdf", book(3))
    model = Gated()
    first = await summing(world, model)
    await model.begun.wait()
    assert await rows(world, "digest_claims") == 1
    first.cancel()
    await asyncio.wait([first])
    assert await rows(world, "digest_claims") == 0


async def test_what_a_dead_process_held_lapses_and_a_living_one_keeps_it(world: World) -> None:
    await make(world, "bob", "book.pdf", book(3))
    await summed_up(world, as_("cheap"), "book.pdf")
    principal, worker_id = world["bob"].principal, await world.services.db.worker_id()
    piece, first, second, third = await piece_of(world), new_id(), new_id(), new_id()

    async def claimed(holder: UUID, claim_id: UUID) -> bool:
        async with world.services.db.unit_of_work(principal.actor) as uow:
            return await store.claim(uow, piece, holder, claim_id)

    assert await claimed(DEAD, first)
    assert await claimed(worker_id, second)
    assert not await claimed(worker_id, third), "nor another one of the same process"
    assert not await claimed(DEAD, third)
    async with world.services.db.unit_of_work(principal.actor) as uow:
        await store.release(uow, piece, first)
    assert await rows(world, "digest_claims") == 1, "it is not theirs any more"


async def test_what_is_gone_is_nobodys(world: World) -> None:
    """Who reads it notices; nobody waits for a claim that cannot be made."""
    await make(world, "bob", "book.pdf", book(3))
    piece = await piece_of(world)
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.execute("delete from contents where mandate_id = $1", piece.key.mandate_id)
        assert await store.claim(uow, piece, DEAD, new_id())
        await store.keep(uow, piece, StoredDigest("{}", "acme/cheap"), now())
    assert await rows(world, "digests") == 0
    assert await rows(world, "digest_claims") == 0


async def test_a_claim_whose_process_died_is_not_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await make(world, "bob", "book.pdf", book(3))
    take = store.claim

    async def by_another(uow: UnitOfWork, piece: DigestKey, worker_id: UUID, claim_id: UUID) -> bool:
        return await take(uow, piece, DEAD, claim_id)

    async def dies(*_: object) -> None: ...

    with monkeypatch.context() as patched:
        patched.setattr(store, "claim", by_another)
        patched.setattr(store, "release", dies)
        with pytest.raises(ModelFailed):
            await summed_up(world, Summariser(CHEAP, lambda _: ModelFailed("killed", again=False)), "book.pdf")
    async with asyncio.timeout(60):
        assert (await summed_up(world, Summariser(), "book.pdf")).message


async def test_a_release_that_collides_loses_no_answer_and_is_repeated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be held as long as the process lives."""
    monkeypatch.setattr(claims, "RELEASE_AGAIN", 0.01)
    await make(world, "bob", "book.pdf", book(3))
    release, refused = store.release, 0

    async def collides(uow: UnitOfWork, piece: DigestKey, claim_id: UUID) -> None:
        nonlocal refused
        refused += 1
        if refused <= 3:
            raise Conflict("Another transaction changed this at the same moment.")
        await release(uow, piece, claim_id)

    monkeypatch.setattr(store, "release", collides)
    assert (await summed_up(world, Summariser(), "book.pdf")).message
    async with asyncio.timeout(60):
        while await rows(world, "digest_claims"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert refused > 3


def test_keys_of_what_is_kept_stay_as_they_were_stored() -> None:
    """Else everything that was summed up before is made, and paid for, again."""
    pages = "Wish(pages=(1, 2), slides=(), sheets=(), sections=())"
    one = Stretch(PartSelection(pages=(1, 2)))
    other = Stretch(PartSelection(sheets=("Q'4",)), (2, 7), 5)
    quoted = 'Stretch(wish=Wish(pages=(), slides=(), sheets=("Q\'4",), sections=()), after=(2, 7), objects=5)'
    first = f"Stretch(wish={pages}, after=(0, 0), objects=None)"
    assert DigestPart(DocumentPlace(), (one,)).key == f"part:{hashed(f'({first},)')}"
    assert DigestPart(DocumentPlace(), (one, other)).key == f"part:{hashed(f'({first}, {quoted})')}"
    element = AnalysedElement(PartSelection(pages=(1, 2)), None, "page:1/image:1")
    assert element.key == hashed(f"Element(wish={pages}, page=None, location='page:1/image:1')")


async def test_two_who_want_the_same_summary_at_once_pay_for_one(world: World) -> None:
    """As models do, that ask for several things in one round."""
    file = await make(world, "bob", "book.pdf", book())
    model = Summariser(SMALL)
    services, room = world.services, room_with(world, model)
    place = await services.reader.place(room.principal, file.id)
    service = Digests(services.db, services.reader)
    made = await asyncio.gather(
        *(service.summary(room, room.principal, place, PartSelection(), DigestRequest("risks")) for _ in range(3))
    )
    assert len({digest.model_dump_json() for digest in made}) == 1
    assert len(model.parts) == len(made[0].parts)
    assert len(model.asked) == len(model.parts) + 1
    assert not service._under_way, "nothing is left of it"


async def test_who_waited_for_a_summary_that_failed_makes_it(world: World) -> None:
    file = await make(world, "bob", "small.md", b"Some text.")
    failed = asyncio.Event()

    def once(question: Question) -> str | Exception:
        if failed.is_set():
            return plainly(question)
        failed.set()
        return NotFound("gone")

    services, room = world.services, room_with(world, Summariser(says=once))
    place = await services.reader.place(room.principal, file.id)
    service = Digests(services.db, services.reader)
    asking = (service.summary(room, room.principal, place, PartSelection(), DigestRequest()) for _ in range(2))
    first, second = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(first, NotFound)
    assert not isinstance(second, BaseException)
    assert second.text
