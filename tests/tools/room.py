"""Tools on a real database without a run around them: a context that acts for somebody of the world."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from tests.world import World
from workroom.agent.registry import discover
from workroom.agent.testing import InMemoryContext, InMemoryJournal
from workroom.agent.tool import Tool
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.companies.conversations import CompanyConversations
from workroom.companies.documents import DnaDocuments
from workroom.companies.service import Companies
from workroom.contents.service import DocumentReader
from workroom.conversations import service as conversations
from workroom.core.ids import new_id
from workroom.core.pauses import FileEdits
from workroom.core.results import ToolResult, result_of
from workroom.custom_skills.service import CustomSkills
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.service import Files
from workroom.geo.service import Geo
from workroom.identity.types import Principal
from workroom.knowledge.digests.analyses import Analyses
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.service import Knowledge
from workroom.models.ports import Compose, ModelInfo, ModelResponse
from workroom.models.types import Operation
from workroom.notes.service import Notes
from workroom.runs.maps import Maps
from workroom.runs.service import Runs
from workroom.studio.services import Studio
from workroom.todos.service import Todos
from workroom.usage.types import PaidRequest, Purpose
from workroom.websearch.service import WebSearches
from workroom.websites.service import Websites
from workroom.websites.testing import InMemoryWebsites

T = TypeVar("T")


@dataclass
class Room:
    """`as_` is the same workspace for somebody else; `slug` is where they are, whether they may or not."""

    world: World
    name: str = "bob"
    slug: str = "lab"
    call_id: UUID = field(default_factory=new_id)
    conversation_id: UUID | None = None  # a run has one; nothing here needs it to exist
    message_id: UUID | None = None
    language: str = "de"
    follows_untrusted: bool = False
    file_edits: FileEdits = "ask"
    committed: ToolResult | None = None
    websites: Websites = field(default_factory=InMemoryWebsites)
    web_searches: WebSearches | None = None
    journal: InMemoryJournal = field(default_factory=InMemoryJournal)  # who may be asked, and what it cost

    async def begin_conversation(self) -> None:
        async with self.world.services.db.unit_of_work(self.principal.actor) as uow:
            begun = await conversations.create(uow, self.principal, self.instance_id, "Hello")
        self.conversation_id = begun.id

    def as_(self, name: str, slug: str | None = None) -> Room:
        return Room(self.world, name, slug or self.slug)

    @property
    def principal(self) -> Principal:
        return self.world[self.name].principal

    @property
    def instance_id(self) -> UUID:
        return self.world.instances[self.slug].id

    @property
    def tools(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in discover(*TOOL_PACKAGES)}

    def use(self, service: type[T]) -> T:
        services = self.world.services
        known: dict[type, object] = {
            Notes: services.notes,
            Companies: services.companies,
            DnaDocuments: services.dna_documents,
            CompanyConversations: services.company_conversations,
            CustomSkills: services.custom_skills,
            Studio: services.studio,
            Todos: services.todos,
            Runs: services.runs,
            Files: services.files,
            Folders: services.folders,
            Finder: services.finder,
            Geo: services.geo,
            Maps: services.maps,
            DocumentReader: services.reader,
            Knowledge: services.knowledge,
            Digests: Digests(services.db, services.reader),
            Analyses: Analyses(services.db, services.reader),
            Websites: self.websites,
            WebSearches: self.web_searches,
        }
        found = known[service]
        assert isinstance(found, service)
        return found

    async def models(self, operation: Operation) -> Sequence[ModelInfo]:
        return await InMemoryContext(self.call_id, self.journal).models(operation)

    async def ask_model(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        return await InMemoryContext(self.call_id, self.journal).ask_model(operation, compose, purpose)

    async def pay(self, request: PaidRequest, send: Callable[[], Awaitable[T]]) -> T:
        return await InMemoryContext(self.call_id, self.journal).pay(request, send)

    def report_progress(self, text: str) -> None:
        self.journal.progress_reports.append(text)

    async def commit(self, effect: Callable[[Any], Awaitable[T]]) -> T:
        async with self.world.services.db.unit_of_work(self.principal.actor) as uow:
            value = await effect(uow)
        self.committed = result_of(value)
        return value

    async def call(self, tool: Tool, **arguments: Any) -> Any:
        """As the loop does it: arguments are checked first, a confirmation is asked and given."""
        checked = tool.read_arguments(arguments)
        if tool.confirm is not None:
            await tool.confirm(self, **checked)
        return await tool.run(self, **checked)
