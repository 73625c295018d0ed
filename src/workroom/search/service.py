"""Searches everything a person sees in a workspace. Each kind is searched by the service it belongs to, which decides what this
person may see. The kinds are searched side by side; one that fails or is slow is named as a gap, and the others are answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from workroom.agents.service import Agents
from workroom.conversations.service import Conversations
from workroom.core.errors import Forbidden
from workroom.core.pages import Order, PageRequest
from workroom.core.person_turns import PersonTurns
from workroom.db.listing import MOST_WORDS
from workroom.files.service import Files
from workroom.files.types import FileFilter
from workroom.identity.instances import Instances
from workroom.identity.types import Principal
from workroom.identity.users import Users
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Query
from workroom.notes.service import Notes
from workroom.search.excerpts import excerpt
from workroom.search.types import GapReason, SearchGap, SearchHit, SearchKind, SearchResult
from workroom.todos.service import Todos

log = logging.getLogger(__name__)

CONTENTS = frozenset({SearchKind.PASSAGE, SearchKind.MESSAGE})  # found by words only
SECONDS = 5.0  # for a kind; a person who types waits no longer
AT_ONCE = 4  # kinds for one person, however many requests: each takes a connection to the database


@dataclass(frozen=True)
class SearchRequest:
    """`language` is that of the names of shipped agents."""

    principal: Principal
    instance_id: UUID
    text: str
    limit: int
    language: str

    @property
    def words(self) -> list[str]:
        return self.text.split()[:MOST_WORDS]

    def page(self, sort: str, order: Order = "desc") -> PageRequest:
        return PageRequest(self.text, sort, order, self.limit)


@dataclass(frozen=True)
class KindHits:
    hits: Sequence[SearchHit]
    gap: GapReason | None = None


@dataclass(frozen=True)
class SearchedServices:
    instances: Instances
    files: Files
    knowledge: Knowledge
    conversations: Conversations
    agents: Agents
    users: Users
    notes: Notes
    todos: Todos


class WorkspaceSearch:
    def __init__(self, services: SearchedServices, seconds: float = SECONDS) -> None:
        self._services, self._seconds = services, seconds
        self._turns = PersonTurns(AT_ONCE)
        self._by_kind: Mapping[SearchKind, Callable[[SearchRequest], Awaitable[KindHits]]] = {
            SearchKind.FILE: self._files,
            SearchKind.CONVERSATION: self._conversations,
            SearchKind.AGENT: self._agents,
            SearchKind.PERSON: self._people,
            SearchKind.NOTE: self._notes,
            SearchKind.TODO: self._todos,
            SearchKind.PASSAGE: self._passages,
            SearchKind.MESSAGE: self._messages,
        }

    async def find(
        self,
        principal: Principal,
        instance_id: UUID,
        text: str,
        kinds: Sequence[SearchKind],
        limit: int,
        language: str,
    ) -> SearchResult:
        """At most `limit` hits of each kind; without words the first ones of each, in the order of its lists. Raises NotFound for
        a workspace that is not the principal's to see."""
        asker = replace(principal, inspects=frozenset())  # what an inspection opens is read, never searched
        await self._services.instances.get(asker, instance_id)
        request = SearchRequest(asker, instance_id, text.strip(), limit, language)
        wanted = [kind for kind in dict.fromkeys(kinds) if request.words or kind not in CONTENTS]
        answers = await asyncio.gather(*(self._answer(kind, request) for kind in wanted))
        return SearchResult(
            items=[hit for answer in answers for hit in answer.hits],
            gaps=[
                SearchGap(kind=kind, reason=answer.gap)
                for kind, answer in zip(wanted, answers, strict=True)
                if answer.gap is not None
            ],
        )

    async def _answer(self, kind: SearchKind, request: SearchRequest) -> KindHits:
        try:
            async with asyncio.timeout(self._seconds), self._turns.of(request.principal.user_id):
                return await self._by_kind[kind](request)
        except Forbidden:
            return KindHits([])  # nothing of this kind is theirs to see
        except TimeoutError:
            log.warning("a kind was not searched in time", extra={"kind": kind})
            return KindHits([], GapReason.SLOW)
        except Exception:
            log.exception("a kind could not be searched", extra={"kind": kind})
            return KindHits([], GapReason.FAILED)

    async def _files(self, request: SearchRequest) -> KindHits:
        page = await self._services.files.list(
            request.principal, request.instance_id, request.page("updatedAt"), FileFilter()
        )
        return KindHits(
            [
                SearchHit(
                    kind=SearchKind.FILE,
                    id=file.id,
                    title=file.name,
                    text=excerpt(" · ".join([file.description, *file.tags]), request.words),
                    changed_at=file.updated_at,
                )
                for file in page.items
            ]
        )

    async def _passages(self, request: SearchRequest) -> KindHits:
        """With words that were typed, or alike enough to be an answer: the best of what is merely alike says nothing here."""
        query = Query(request.text, request.instance_id, request.limit, request.limit)
        passages = [one for one in await self._services.knowledge.search(request.principal, query) if one.why.answers]
        return KindHits(
            [
                SearchHit(kind=SearchKind.PASSAGE, id=one.file_id, title=one.file_name, text=one.quote, passage=one)
                for one in passages[: request.limit]
            ]
        )

    async def _conversations(self, request: SearchRequest) -> KindHits:
        page = await self._services.conversations.list(
            request.principal, request.instance_id, request.page("updatedAt")
        )
        return KindHits(
            [
                SearchHit(kind=SearchKind.CONVERSATION, id=one.id, title=one.title, changed_at=one.updated_at)
                for one in page.items
            ]
        )

    async def _messages(self, request: SearchRequest) -> KindHits:
        found = await self._services.conversations.search_messages(
            request.principal, request.instance_id, request.words, request.limit
        )
        hits = [
            SearchHit(
                kind=SearchKind.MESSAGE,
                id=one.conversation_id,
                title=one.title,
                text=excerpt(one.text, request.words),
                changed_at=one.created_at,
                message_id=one.question_id,
            )
            for one in found.hits
        ]
        return KindHits(hits, None if found.is_complete else GapReason.OLDER)

    async def _agents(self, request: SearchRequest) -> KindHits:
        page = await self._services.agents.list(
            request.principal, request.instance_id, request.page("name", "asc"), language=request.language
        )
        return KindHits(
            [
                SearchHit(kind=SearchKind.AGENT, id=one.id, title=one.name, text=one.description, glyph=one.glyph)
                for one in page.items
            ]
        )

    async def _people(self, request: SearchRequest) -> KindHits:
        page = await self._services.users.list(request.principal, request.page("displayName", "asc"))
        return KindHits(
            [SearchHit(kind=SearchKind.PERSON, id=one.id, title=one.display_name, text=one.login) for one in page.items]
        )

    async def _notes(self, request: SearchRequest) -> KindHits:
        page = await self._services.notes.list(request.principal, request.instance_id, request.page("updatedAt"))
        return KindHits(
            [
                SearchHit(
                    kind=SearchKind.NOTE,
                    id=one.id,
                    title=one.title,
                    text=excerpt(one.text, request.words),
                    changed_at=one.updated_at,
                )
                for one in page.items
            ]
        )

    async def _todos(self, request: SearchRequest) -> KindHits:
        page = await self._services.todos.list(request.principal, request.instance_id, request.page("updatedAt"))
        return KindHits(
            [
                SearchHit(kind=SearchKind.TODO, id=one.id, title=one.title, changed_at=one.updated_at, done=one.done)
                for one in page.items
            ]
        )
