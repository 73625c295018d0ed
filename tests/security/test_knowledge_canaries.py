"""S5: nobody ever retrieves what they may not read, while everything changes under their hands.

Every file says a word and a thing that no other file says, and every version of it another word. Some people share, take
back, delete, restore, archive and rewrite files, by a seed; others ask for the same files meanwhile, in every way there is. A
ledger knows which states each file can have been in between the begin and the end of every question, and what a reader could
read in them is decided here, by six lines of its own, not by the code under test.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from uuid import UUID

import pytest

from tests.documents.containers.hostile import zipped
from tests.files.sending import pieces, store
from tests.knowledge.room import Library, library
from tests.tools.room import Room
from tests.world import World
from workroom.contents.materials import QuestionMaterials
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.files.types import File, FileChange, FileStatus, NewFile, OnConflict
from workroom.identity.sharing import Visibility
from workroom.identity.types import Principal
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.service import Knowledge
from workroom.knowledge.store import search_queries
from workroom.knowledge.types import Passage
from workroom.knowledge.workspace_overviews import CachedOverviews
from workroom.models.embeddings.static import StaticEmbedder
from workroom.tools.knowledge import search_files

SEED = 20_261_115
CHANGES_EACH, QUESTIONS_EACH = 45, 60
WORD = re.compile(r"(?:canary|named)x\d+x\d+")
MEMBERS = {"lab": {"alice", "bob", "rita"}, "attic": {"alice", "olaf"}, "den": {"zoe", "yann"}}
MANDATES = {"alice": "acme", "bob": "acme", "rita": "acme", "olaf": "acme", "zoe": "zeta", "yann": "zeta"}
READERS = [("alice", "lab"), ("bob", "lab"), ("rita", "lab"), ("olaf", "attic"), ("zoe", "den"), ("yann", "den")]
# What each file is about, and a question that shares no word with it.
TOPICS = [
    ("The automobile needs new tires before winter.", "vehicle wheels"),
    ("Boil the pasta until it is soft, then add tomato sauce.", "cooking spaghetti recipe"),
    ("The violin was tuned before the orchestra rehearsed the symphony.", "musical instruments concert"),
    ("Lava flowed from the crater after the eruption.", "volcano explosion"),
    ("The surgeon stitched the wound of the patient.", "hospital doctor operation"),
    ("Snow covered the ski slopes in the mountains.", "winter sports alps"),
    ("The court sentenced the thief to two years.", "judge prison crime"),
    ("Bees carry pollen from blossom to blossom.", "insects flowers honey"),
    ("The satellite left the atmosphere on a rocket.", "space launch orbit"),
    ("The bank raised the interest on mortgages.", "loan money finance"),
    ("The baker kneads dough for bread every morning.", "flour yeast oven"),
    ("The goalkeeper caught the ball in the last minute.", "football match player"),
]


def content_of(number: int, word: str, archive: bool) -> bytes:
    text = f"{word} stands here. {TOPICS[number][0]}".encode()
    return zipped({"inner/page.txt": text}) if archive else text


@dataclass(frozen=True)
class State:
    """What a file can have been from tick `begin` to tick `end`."""

    visibility: Visibility
    word: str
    deleted: bool = False
    archived: bool = False
    begin: int = 0
    end: int | None = None

    def could_be(self, begin: int, end: int) -> bool:
        return self.begin <= end and (self.end is None or self.end >= begin)


@dataclass
class Kept:
    """A file with its history; only one task changes it."""

    number: int
    owner: str
    slug: str
    archive: bool
    file: File
    versions: int = 1
    states: list[State] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"namedx{self.number}x0"

    @property
    def now(self) -> State:
        return self.states[-1]

    def may(self, reader: str, slug: str, state: State, *, searched: bool) -> bool:
        """The rule, once more and in other words. `searched`: where archived files are left out."""
        if MANDATES[reader] != MANDATES[self.owner] or state.deleted or (searched and state.archived):
            return False
        if state.visibility is Visibility.ALL:
            return True
        if slug != self.slug or reader not in MEMBERS[slug]:
            return False
        return reader == self.owner or state.visibility is Visibility.GROUP


@dataclass(frozen=True)
class Seen:
    """What somebody was shown, between two ticks."""

    how: str
    reader: str
    slug: str
    begin: int
    end: int
    words: frozenset[str]


@dataclass
class Aviary:
    shelf: Library
    files: list[Kept]
    ticks: Iterator[int] = field(default_factory=itertools.count)
    seen: list[Seen] = field(default_factory=list)
    grown: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def world(self) -> World:
        return self.shelf.world

    def place(self, slug: str) -> UUID:
        return self.world.instances[slug].id

    async def change(self, kept: Kept, work: Callable[[], Awaitable[object]], **after: Any) -> None:
        """From its begin on the new state is possible, and until its end the old one still is."""
        begin = next(self.ticks)
        await work()
        end = next(self.ticks)
        kept.states[-1] = replace(kept.now, end=end)
        kept.states.append(replace(kept.now, begin=begin, end=None, **after))

    async def one_change(self, random: Random, kept: Kept) -> None:
        files, boss = self.world.services.files, self.world["alice" if MANDATES[kept.owner] == "acme" else "zoe"]
        owner, file_id = self.world[kept.owner].principal, kept.file.id
        principal = (
            boss.principal if _of_all(kept) else owner
        )  # what is shared with everybody is for those with level ALL
        if kept.now.deleted:
            await self.change(kept, lambda: files.restore(principal, file_id), deleted=False)
            return
        what = random.choice(["share", "share", "share", "takeBack", "takeBack", "delete", "archive", "version"])
        if what in ("share", "takeBack"):
            wanted = Visibility.MY if what == "takeBack" else random.choice(list(Visibility))
            if wanted is Visibility.ALL:
                if kept.now.visibility is Visibility.MY:  # who promotes has to see it first
                    await self.change(
                        kept, lambda: files.share(owner, [file_id], Visibility.GROUP), visibility=Visibility.GROUP
                    )
                principal = boss.principal
            await self.change(kept, lambda: files.share(principal, [file_id], wanted), visibility=wanted)
        elif what == "delete":
            await self.change(kept, lambda: files.delete(principal, file_id), deleted=True)
        elif what == "archive":
            wished = FileChange(status=FileStatus.ACTIVE if kept.now.archived else FileStatus.ARCHIVED)
            await self.change(kept, lambda: files.change(principal, file_id, wished), archived=not kept.now.archived)
        else:
            await self.rewrite(kept, principal)

    async def rewrite(self, kept: Kept, principal: Principal) -> None:
        word = f"canaryx{kept.number}x{kept.versions}"
        kept.versions += 1
        new = NewFile(kept.file.name, on_conflict=OnConflict.VERSION)
        chunks = pieces(content_of(kept.number, word, kept.archive))
        await self.change(
            kept,
            lambda: self.world.services.files.store(principal, self.place(kept.slug), new, chunks),
            word=word,
            archived=False,  # what is rewritten is in use again
        )
        self.grown.set()

    async def ask(self, how: str, kept: Kept, reader: str, slug: str) -> None:
        slug = kept.slug if how == ELSEWHERE else slug
        begin = next(self.ticks)
        try:
            text = await WAYS[how](self, kept, reader, slug)
        except NotFound:
            text = ""
        self.seen.append(Seen(how, reader, slug, begin, next(self.ticks), frozenset(WORD.findall(text))))

    def leaks(self) -> list[str]:
        """Every word somebody was shown that they could not have read at any moment of that question."""
        by_word = {word: kept for kept in self.files for word in {kept.name, *(state.word for state in kept.states)}}
        found = []
        for seen, word in ((each, word) for each in self.seen for word in sorted(each.words)):
            kept = by_word[word]
            searched = not seen.how.startswith("names")
            if not any(
                state.could_be(seen.begin, seen.end)
                and word in (kept.name, state.word)
                and kept.may(seen.reader, seen.slug, state, searched=searched)
                for state in kept.states
            ):
                found.append(f"{seen.reader} in {seen.slug} saw {word} by {seen.how} at {seen.begin}-{seen.end}")
        return found


def _of_all(kept: Kept) -> bool:
    return kept.now.visibility is Visibility.ALL


async def by_word(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    return _said(await aviary.shelf.find(kept.now.word, reader, slug, meaning=False))


async def by_topic(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    return _said(await aviary.shelf.find(TOPICS[kept.number][1], reader, slug, most_instance=50, most_shared=50))


async def by_ids(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    """With the ids of everything there is, whoever's it is."""
    ids = tuple(other.file.id for other in aviary.files)
    return _said(await aviary.shelf.find(f"stands {TOPICS[kept.number][0]}", reader, slug, file_ids=ids))


async def by_tool(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    room = Room(aviary.world, reader, slug)
    return str((await room.call(search_files, query=kept.now.word, fileIds=[str(kept.file.id)])).model_dump_json())


async def by_question(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    """What a run would be given with it; the name is the asker's own word."""
    services = aviary.world.services
    pointed = QuestionMaterials(services.files, services.finder, services.reader)
    knowledge = Knowledge(services.db, services.files, aviary.shelf.embedders)
    said = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=f"What about {TOPICS[kept.number][0]}")])
    parts = await RetrievedMaterials(pointed, knowledge).of(
        aviary.world[reader].principal, aviary.place(slug), said, 50_000
    )
    return "\n".join(f"{part.label} {part.text}" for part in parts)


async def names_typed(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    found = await aviary.world.services.mentions.suggest(
        aviary.world[reader].principal, aviary.place(slug), f"namedx{kept.number}", 50
    )
    return "\n".join(item.name for item in found)


async def names_of_states(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    ids = {other.file.id: other.name for other in aviary.files}
    found = await aviary.world.services.knowledge.statuses(
        aviary.world[reader].principal, aviary.place(slug), list(ids)
    )
    return "\n".join(ids[status.file_id] for status in found)


async def names_in_the_prompt(aviary: Aviary, kept: Kept, reader: str, slug: str) -> str:
    return await CachedOverviews(aviary.world.services.db).section(aviary.world[reader].principal, aviary.place(slug))


ELSEWHERE = "words in the workspace of the file"  # whether the reader is in it or not
WAYS: dict[str, Callable[[Aviary, Kept, str, str], Awaitable[str]]] = {
    "words": by_word,
    "meaning": by_topic,
    "ids": by_ids,
    "searchFiles": by_tool,
    "materials": by_question,
    ELSEWHERE: by_word,
    "names typed": names_typed,
    "names of states": names_of_states,
    "the prompt": names_in_the_prompt,
}


def _said(passages: Sequence[Passage]) -> str:
    return "\n".join(f"{passage.text} {passage.file_name}" for passage in passages)


@pytest.fixture
async def aviary(world: World) -> AsyncIterator[Aviary]:
    """One file in each scope: mine, the workspace's, everybody's, in the trash, archived, of another workspace, of another
    mandate, in an archive, with old versions."""
    services, alice = world.services, world["alice"].principal
    world.instances["attic"] = await services.instances.create(alice, "Attic")
    await services.instances.put_member(alice, world.instances["attic"].id, world["olaf"].user.id, None)
    for name in ("alice", "olaf"):
        mandate_id = world[name].principal.mandate_id
        found = await services.sign_in.as_user(mandate_id, world[name].user.id)
        assert found is not None
        world[name].principal = found
    async with library(world, StaticEmbedder()) as shelf:
        made = Aviary(shelf, [])
        for number, (owner, slug, visibility, archive) in enumerate(SCOPES):
            word = f"canaryx{number}x0"
            new = NewFile(f"namedx{number}x0.{'zip' if archive else 'txt'}", visibility=visibility)
            file = await store(world, owner, content_of(number, word, archive), new, slug)
            made.files.append(Kept(number, owner, slug, archive, file, states=[State(visibility, word)]))
        await shelf.settle()
        trash, archived, old = (made.files[number] for number in (3, 4, 11))
        await services.files.delete(world["bob"].principal, trash.file.id)
        trash.states = [replace(trash.now, deleted=True)]
        await services.files.change(world["bob"].principal, archived.file.id, FileChange(status=FileStatus.ARCHIVED))
        archived.states = [replace(archived.now, archived=True)]
        await made.rewrite(old, world["bob"].principal)
        await shelf.settle()
        yield made


SCOPES: list[tuple[str, str, Visibility, bool]] = [
    ("bob", "lab", Visibility.MY, False),
    ("bob", "lab", Visibility.GROUP, False),
    ("alice", "lab", Visibility.ALL, False),
    ("bob", "lab", Visibility.GROUP, False),  # in the trash
    ("bob", "lab", Visibility.GROUP, False),  # archived
    ("olaf", "attic", Visibility.MY, False),
    ("olaf", "attic", Visibility.GROUP, False),
    ("yann", "den", Visibility.GROUP, False),
    ("zoe", "den", Visibility.ALL, False),
    ("bob", "lab", Visibility.GROUP, True),
    ("alice", "lab", Visibility.MY, False),
    ("bob", "lab", Visibility.GROUP, False),  # rewritten
]


async def everything_is_as_it_should_be(aviary: Aviary) -> None:
    """Nothing moves any more: each reader finds exactly what they may read, by its word and among all ids."""
    for reader, slug in READERS:
        for kept in aviary.files:
            found = set(WORD.findall(await by_word(aviary, kept, reader, slug)))
            allowed = kept.may(reader, slug, kept.now, searched=True)
            assert found == ({kept.now.word, kept.name} if allowed else set()), f"{reader} in {slug}: {kept.now}"
            for old in {state.word for state in kept.states} - {kept.now.word}:
                assert await aviary.shelf.find(old, reader, slug, meaning=False) == [], "an old version"
        listed = set(WORD.findall(await names_in_the_prompt(aviary, aviary.files[0], reader, slug)))
        assert listed == {k.name for k in aviary.files if k.may(reader, slug, k.now, searched=True)}


async def every_way_finds_something(aviary: Aviary) -> None:
    """A way that never finds anything proves nothing. Asked when all is quiet: in the rush it is a matter of luck."""
    aviary.seen.clear()
    for how, kept, (reader, slug) in itertools.product(WAYS, aviary.files, READERS):
        await aviary.ask(how, kept, reader, slug)
    assert aviary.leaks() == []
    assert {seen.how for seen in aviary.seen if seen.words} == set(WAYS)


@pytest.mark.requirement("H6")
async def test_each_scope_is_for_whom_it_is(aviary: Aviary) -> None:
    await everything_is_as_it_should_be(aviary)
    await every_way_finds_something(aviary)


@pytest.mark.requirement("H6")
async def test_nobody_retrieves_what_they_may_not_read_while_everything_changes(aviary: Aviary) -> None:
    groups = [aviary.files[start::4] for start in range(4)]
    changing = True

    async def change(number: int) -> None:
        random = Random(f"{SEED} changes {number}")
        for _ in range(CHANGES_EACH):
            await aviary.one_change(random, random.choice(groups[number]))

    async def ask(number: int) -> None:
        random, (reader, slug) = Random(f"{SEED} asks {number}"), READERS[number]
        for _ in range(QUESTIONS_EACH):
            await aviary.ask(random.choice(list(WAYS)), random.choice(aviary.files), reader, slug)

    async def index() -> None:
        while changing:
            await aviary.grown.wait()
            aviary.grown.clear()
            await aviary.shelf.settle()

    indexing = asyncio.create_task(index())
    async with asyncio.TaskGroup() as group:
        for number in range(len(groups)):
            group.create_task(change(number))
        for number in range(len(READERS)):
            group.create_task(ask(number))
    changing = False
    aviary.grown.set()
    await indexing
    await aviary.shelf.settle()
    assert aviary.leaks() == []
    assert any(seen.words for seen in aviary.seen), "nobody found anything"
    assert sum(len(kept.states) for kept in aviary.files) > len(groups) * CHANGES_EACH
    await everything_is_as_it_should_be(aviary)
    await every_way_finds_something(aviary)


@pytest.mark.requirement("H6")
async def test_a_file_taken_back_and_rewritten_while_it_is_searched_is_not_quoted(
    aviary: Aviary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between finding a passage and reading it out: what stands there by then was never for this reader."""
    kept, real = aviary.files[1], search_queries.read
    word = kept.now.word

    async def late(*args: Any) -> Any:
        monkeypatch.undo()
        await aviary.change(
            kept,
            lambda: aviary.world.services.files.share(aviary.world["bob"].principal, [kept.file.id], Visibility.MY),
            visibility=Visibility.MY,
        )
        await aviary.rewrite(kept, aviary.world["bob"].principal)
        await aviary.shelf.settle()
        return await real(*args)

    monkeypatch.setattr(search_queries, "read", late)
    assert await aviary.shelf.find(word, "rita", meaning=False) == []
    assert WORD.findall(_said(await aviary.shelf.find(kept.now.word, "bob")))[0] == kept.now.word
