"""One search over a workspace: every kind is found by those who may see it, and by nobody else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from tests.agents.making import made
from tests.conversations.readers import shared
from tests.files.sending import make
from tests.knowledge.room import library
from tests.world import World
from workroom.conversations import message_search_store, store
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Part, Role, TextPart
from workroom.core.pages import Page, PageRequest
from workroom.files.types import File, FileFilter
from workroom.identity.sharing import Visibility
from workroom.identity.types import Principal
from workroom.knowledge.types import Passage
from workroom.models.embeddings.static import StaticEmbedder
from workroom.runs.service import Input
from workroom.search.excerpts import LENGTH, excerpt
from workroom.search.service import AT_ONCE, WorkspaceSearch
from workroom.search.types import GapReason, SearchKind

WORD = "zugvogel"
OTHERS = ["alice", "rita"]


async def asked(world: World, person: str, text: str = WORD, slug: str = "lab", **query: Any) -> dict[str, Any]:
    params = {"q": text, **query}
    async with world.client(person) as client:
        answer = await client.get(f"/api/workspace/{world.instances[slug].id}/search", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert found["gaps"] == []
    return found


async def titles(world: World, person: str, kind: SearchKind, text: str = WORD, slug: str = "lab") -> list[str]:
    return [hit["title"] for hit in (await asked(world, person, text, slug, kinds=kind))["items"]]


async def said(world: World, person: str, prompt: str, slug: str = "lab") -> UUID:
    accepted = await world.services.runs.input(world[person].principal, world.instances[slug].id, Input(prompt))
    return accepted.conversation_id


async def add(world: World, conversation_id: UUID, *parts: Part) -> None:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        message = Message(id=new_id(), role=Role.ASSISTANT, parts=list(parts))
        await store.add_message(
            uow, world.acme.id, conversation_id, message, parent_id=None, run_id=None, client_id=None, now=now()
        )


async def test_files_by_name(world: World) -> None:
    private = await make(world, "bob", "Zugvogel.txt")
    await make(world, "bob", "other.txt")
    assert await titles(world, "bob", SearchKind.FILE) == ["Zugvogel.txt"]
    for person in OTHERS:
        assert await titles(world, person, SearchKind.FILE) == []
    await world.services.files.share(world["bob"].principal, [private.id], Visibility.GROUP)
    assert await titles(world, "rita", SearchKind.FILE) == ["Zugvogel.txt"]
    assert await titles(world, "zoe", SearchKind.FILE, slug="den") == []
    await world.services.files.delete(world["bob"].principal, private.id)
    assert await titles(world, "bob", SearchKind.FILE) == [], "what is in the trash is not found"


async def test_files_by_what_they_say(world: World) -> None:
    async with library(world, StaticEmbedder()) as shelf:
        file = await shelf.put("birds.txt", f"In autumn the {WORD} leaves for the south.")
        found = (await asked(world, "bob", kinds="passage"))["items"]
        assert [(hit["id"], hit["title"]) for hit in found] == [(str(file.id), "birds.txt")]
        assert WORD in found[0]["text"]
        assert found[0]["passage"]["ref"], "the place in the file"
        for person in OTHERS:
            assert await titles(world, person, SearchKind.PASSAGE) == []
        assert await titles(world, "zoe", SearchKind.PASSAGE, slug="den") == []
        near = "road trip"  # alike enough for the page that lists everything, and no answer
        await shelf.put("cars.txt", "The automobile needs new wheels before the snow comes.")
        assert await shelf.names(near)
        assert await titles(world, "bob", SearchKind.PASSAGE, near) == []


async def test_conversations_by_title_and_by_text(world: World) -> None:
    thread = await said(world, "bob", "When do birds leave?")
    await add(world, thread, TextPart(text=f'As they say: "the {WORD}"[[abcde]] leaves\nin autumn.'))
    await said(world, "bob", f"{WORD} in the title")
    await said(world, "yann", f"{WORD} of another mandate", slug="den")
    assert await titles(world, "bob", SearchKind.CONVERSATION) == [f"{WORD} in the title"]
    by_text = [hit for hit in (await asked(world, "bob", kinds="message"))["items"] if hit["id"] == str(thread)]
    assert [(hit["title"], hit["text"]) for hit in by_text] == [
        ("When do birds leave?", f'As they say: "the {WORD}" leaves\nin autumn.')
    ]
    assert by_text[0]["messageId"]
    for text in ('"the', 'ZUGVOGEL"', "AUTUMN they"):
        assert "When do birds leave?" in await titles(world, "bob", SearchKind.MESSAGE, text), text
    for text in (f"{WORD} winter", "type", "100%", "_"):
        assert await titles(world, "bob", SearchKind.MESSAGE, text) == [], text
    for kind in (SearchKind.CONVERSATION, SearchKind.MESSAGE):
        for person in OTHERS:
            assert await titles(world, person, kind) == []
        assert await titles(world, "zoe", kind, slug="den") == [], "the same words, of a colleague"
    await shared(world, thread, "rita", write=False)
    assert await titles(world, "rita", SearchKind.MESSAGE) == ["When do birds leave?"]


async def test_a_conversation_in_the_trash_is_not_found_and_one_in_the_archive_by_its_text(world: World) -> None:
    conversations, bob, lab = world.services.conversations, world["bob"].principal, world.instances["lab"].id
    deleted, archived = await said(world, "bob", f"{WORD} one"), await said(world, "bob", f"{WORD} two")
    await conversations.delete(bob, lab, deleted)
    await conversations.archive(bob, lab, archived, archived=True)
    assert await titles(world, "bob", SearchKind.MESSAGE) == [f"{WORD} two"]
    assert await titles(world, "bob", SearchKind.CONVERSATION) == []
    await conversations.restore(bob, lab, deleted)
    assert await titles(world, "bob", SearchKind.CONVERSATION) == [f"{WORD} one"]


async def test_what_tools_were_called_with_is_no_text_of_a_conversation(world: World) -> None:
    thread = await said(world, "bob", "hello")
    await add(world, thread, CallPart(call_id=new_id(), tool="listNotes", arguments={"query": WORD}))
    assert await titles(world, "bob", SearchKind.MESSAGE) == []


async def test_of_many_messages_the_newest_are_searched_and_that_is_said(world: World) -> None:
    thread = await said(world, "bob", WORD)
    await add(world, thread, TextPart(text="and something newer"))
    bob, lab = world["bob"], world.instances["lab"].id
    async with world.services.db.unit_of_work(bob.principal.actor) as uow:
        for most, words, complete, count in ((3, [WORD], True, 1), (1, [WORD], False, 0), (1, ["newer"], False, 1)):
            found = await message_search_store.search(uow, world.acme.id, lab, bob.user.id, True, words, 5, most)
            assert (found.is_complete, len(found.hits)) == (complete, count)


async def test_agents(world: World) -> None:
    await made(world, "bob", name=f"{WORD} agent")
    assert await titles(world, "bob", SearchKind.AGENT) == [f"{WORD} agent"]
    for person in OTHERS:
        assert await titles(world, person, SearchKind.AGENT) == []
    assert await titles(world, "zoe", SearchKind.AGENT, slug="den") == []
    german = await asked(world, "bob", "Karte", kinds="agent", language="de")
    assert [hit["glyph"] for hit in german["items"]], "shipped agents by their names in one's language"


async def test_people(world: World) -> None:
    assert await titles(world, "rita", SearchKind.PERSON, "bob@") == ["Bob"]
    assert await titles(world, "zoe", SearchKind.PERSON, "bob", slug="den") == [], "of another mandate"
    assert await titles(world, "rita", SearchKind.PERSON, "olaf") == [], "of no workspace of hers"


@pytest.mark.parametrize("kind", [SearchKind.NOTE, SearchKind.TODO])
async def test_notes_and_todos(world: World, kind: SearchKind) -> None:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    if kind is SearchKind.NOTE:
        await world.services.notes.write(bob, lab, "Birds", f"first line\nthe {WORD} leaves")
        expected = [("Birds", f"first line\nthe {WORD} leaves")]
    else:
        await world.services.todos.add(bob, lab, [f"watch the {WORD}"])
        expected = [(f"watch the {WORD}", "")]
    for person in ("bob", "rita"):
        found = (await asked(world, person, kinds=kind))["items"]
        assert [(hit["title"], hit["text"]) for hit in found] == expected
    assert await titles(world, "zoe", kind, slug="den") == []


async def test_a_workspace_that_is_not_ones_own_is_not_searched(world: World) -> None:
    for person, slug in (("olaf", "lab"), ("zoe", "lab"), ("bob", "den")):
        answer = await world.call(person, "GET", f"/api/workspace/{world.instances[slug].id}/search?q=a")
        assert answer.status_code == 404


async def test_what_an_inspection_opens_is_not_searched(world: World) -> None:
    await make(world, "bob", "Zugvogel.txt")
    thread = await said(world, "bob", WORD)
    alice, lab = (
        replace(world["alice"].principal, inspects=frozenset({world["bob"].user.id})),
        world.instances["lab"].id,
    )
    assert [one.id for one in (await world.services.conversations.list(alice, lab, PageRequest())).items] == [thread]
    found = await world.services.search.find(alice, lab, WORD, list(SearchKind), 5, "en")
    assert found.items == []


class BrokenFiles:
    async def list(self, *_: object) -> list[File]:
        raise RuntimeError("the disk is on fire")


class SlowNotes:
    async def list(self, *_: object) -> None:
        await asyncio.Event().wait()


async def test_a_kind_that_fails_or_is_slow_takes_nothing_from_the_others(world: World, caplog: Any) -> None:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    await world.services.todos.add(bob, lab, [WORD])
    services = replace(world.services.search._services, files=BrokenFiles(), notes=SlowNotes())  # type: ignore[arg-type]
    kinds = [SearchKind.FILE, SearchKind.NOTE, SearchKind.TODO]
    found = await WorkspaceSearch(services, seconds=0.5).find(bob, lab, WORD, kinds, 5, "en")
    assert [hit.title for hit in found.items] == [WORD]
    assert {gap.kind: gap.reason for gap in found.gaps} == {
        SearchKind.FILE: GapReason.FAILED,
        SearchKind.NOTE: GapReason.SLOW,
    }
    assert "could not be searched" in caplog.text


class StuckNotes:
    """Never answers Bob."""

    def __init__(self, bob: Principal) -> None:
        self.bob, self.searching, self.full = bob, 0, asyncio.Event()

    async def list(self, principal: Principal, *_: object) -> Page[Any]:
        if principal.user_id != self.bob.user_id:
            return Page([], None, 0)
        self.searching += 1
        if self.searching == AT_ONCE:
            self.full.set()
        return await asyncio.Event().wait()  # type: ignore[return-value]


async def test_one_persons_many_searches_leave_the_database_to_others(world: World) -> None:
    bob, rita, lab = world["bob"].principal, world["rita"].principal, world.instances["lab"].id
    notes = StuckNotes(bob)
    search = WorkspaceSearch(replace(world.services.search._services, notes=notes), seconds=60)  # type: ignore[arg-type]
    many = [asyncio.create_task(search.find(bob, lab, WORD, [SearchKind.NOTE], 5, "en")) for _ in range(20)]
    await notes.full.wait()
    assert (await search.find(rita, lab, WORD, list(SearchKind), 5, "en")).gaps == []
    assert notes.searching == AT_ONCE
    for one in many:
        one.cancel()
    await asyncio.wait(many)


class AlikeKnowledge:
    """One passage that answers by its meaning, one that is merely alike."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    async def search(self, *_: object) -> list[Passage]:
        why = self._passage.why.model_copy(update={"words": [], "answer": 0.22})
        by_name = {"answer.txt": 0.23, "alike.txt": 0.21}
        return [
            self._passage.model_copy(update={"file_name": name, "why": why.model_copy(update={"semantic": cosine})})
            for name, cosine in by_name.items()
        ]


async def test_passages_that_are_merely_alike_are_not_among_the_hits(world: World) -> None:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    async with library(world, StaticEmbedder()) as shelf:
        await shelf.put("birds.txt", f"In autumn the {WORD} leaves for the south.")
        passage = (await shelf.find(WORD))[0]
    services = replace(world.services.search._services, knowledge=AlikeKnowledge(passage))  # type: ignore[arg-type]
    found = await WorkspaceSearch(services).find(bob, lab, "duck", [SearchKind.PASSAGE], 5, "en")
    assert [hit.title for hit in found.items] == ["answer.txt"]


async def test_each_kind_has_its_own_limit_and_without_words_the_newest_are_listed(world: World) -> None:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    await world.services.todos.add(bob, lab, [f"{WORD} {number}" for number in range(4)])
    await world.services.notes.write(bob, lab, WORD, "")
    found = (await asked(world, "bob", limit=2))["items"]
    assert [hit["kind"] for hit in found] == ["note", "todo", "todo"]
    assert (await asked(world, "bob", "  "))["items"] == []
    newest = await asked(world, "bob", "  ", kinds=["todo", "note", "message", "passage"], limit=2)
    assert [(hit["kind"], hit["title"]) for hit in newest["items"]] == [
        ("todo", f"{WORD} 3"),
        ("todo", f"{WORD} 2"),
        ("note", WORD),
    ]
    assert (await world.services.files.list(bob, lab, PageRequest(WORD), FileFilter())).items == []


def test_an_excerpt_shows_where_the_words_stand() -> None:
    assert excerpt(" a\n\nb  Zugvogel\n", ["zugvogel"]) == "a\n\nb  Zugvogel"
    assert excerpt("nothing here", ["zugvogel"]) == ""
    assert excerpt(" nothing here", []) == "nothing here"
    long = "word " * 100 + "Zugvogel " + "more " * 100
    shown = excerpt(long, ["absent", "zugvogel"])
    assert (shown[:6], shown[-2:]) == ("… word", " …")
    assert "Zugvogel" in shown
    assert len(shown) <= LENGTH + 4
