"""A run on a real database with a scripted model: give input, advance, look at what is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any
from uuid import UUID

from tests.world import World
from workroom.agent.ports import AgentSpec
from workroom.agent.registry import Registry, discover
from workroom.agent.summaries import SHARE
from workroom.agent.testing import ScriptedModel
from workroom.agent.tool import Tool
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.companies.conversations import CompanyConversations
from workroom.companies.documents import DnaDocuments
from workroom.companies.service import Companies
from workroom.contents.file_stems import DOCUMENT_TOOLS
from workroom.contents.materials import QuestionMaterials
from workroom.contents.service import DocumentReader
from workroom.core.money import Price
from workroom.core.pages import PageRequest
from workroom.custom_skills.service import CustomSkills
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.service import Files
from workroom.knowledge.digests.analyses import Analyses
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.service import Knowledge
from workroom.models.ports import Model, ModelInfo
from workroom.notes.service import Notes
from workroom.runs import store
from workroom.runs.conversation_titles import ConversationNaming
from workroom.runs.event_flusher import EventFlusher
from workroom.runs.ports import WorkspaceOverviews
from workroom.runs.runner import Runner
from workroom.runs.service import Accepted, Input, Runs
from workroom.runs.testing import FixedModels
from workroom.runs.types import RunKey, StoredEvent
from workroom.studio.services import Studio
from workroom.todos.service import Todos
from workroom.usage.limits import BudgetScope
from workroom.usage.service import Budgets
from workroom.websearch.service import WebSearches
from workroom.websites.service import Websites
from workroom.websites.testing import InMemoryWebsites

PRICED = ModelInfo("acme", "dear", Price(Decimal(100), Decimal(200), Decimal(10)), output_tokens=1000)


EVERYBODY = 1_000  # no limit per person


class BenchRunner(Runner):
    async def advance(self, key: RunKey) -> None:
        """Work on that run, if it is its turn."""
        for claim in await store.claim(self._services.db, 1, EVERYBODY, only=key.run_id):
            await self.work(claim)


class RunBench:
    def __init__(self, world: World, web_searches: WebSearches | None = None, **agent: Any) -> None:
        self.world = world
        self.db = world.services.db
        self.principal = world["bob"].principal
        self.lab = world.instances["lab"].id
        self.runs = Runs(self.db, AgentSpec("Be brief.", **agent))
        self.notes = Notes(self.db)
        self.web_searches = web_searches
        # A test that wants to see what runs are told of the workspace sets it.
        self.overviews: WorkspaceOverviews | None = None
        self.knowledge = world.services.knowledge  # files are not indexed here, so it finds nothing
        # And one about summaries, how soon they begin: 0 is from the fourth round on.
        self.summarise_above = SHARE
        self.naming: ConversationNaming | None = None

    async def ask(self, prompt: str = "hello", **more: Any) -> Accepted:
        return await self.runs.input(self.principal, self.lab, Input(prompt, **more))

    def key(self, accepted: Accepted) -> RunKey:
        return RunKey(self.world.acme.id, accepted.run_id)

    @asynccontextmanager
    async def worker(self, model: Model, *more_tools: Tool) -> AsyncIterator[BenchRunner]:
        flusher = EventFlusher(self.db)
        flushing = asyncio.create_task(flusher.run())
        services = self.world.services
        registry = Registry([*discover(*TOOL_PACKAGES), *more_tools])
        phrases = registry.phrases(DOCUMENT_TOOLS)
        pointed = QuestionMaterials(services.files, services.finder, services.reader, phrases)
        runner = BenchRunner(
            self.db,
            self.world.services.sign_in,
            registry,
            FixedModels(model),
            flusher,
            Budgets(self.db),
            {
                CustomSkills: self.world.services.custom_skills,
                Notes: self.notes,
                Todos: services.todos,
                Runs: self.runs,
                Files: services.files,
                Folders: services.folders,
                Finder: services.finder,
                DocumentReader: services.reader,
                Knowledge: self.knowledge,
                Digests: Digests(self.db, services.reader),
                Analyses: Analyses(self.db, services.reader),
                Websites: InMemoryWebsites(),
                Companies: services.companies,
                CompanyConversations: CompanyConversations(self.db),
                Studio: services.studio,
                DnaDocuments: DnaDocuments(self.db),
                **({WebSearches: self.web_searches} if self.web_searches else {}),
            },
            RetrievedMaterials(pointed, self.knowledge),
            self.overviews,
            summarise_above=self.summarise_above,
            naming=self.naming,
        )
        keeping = [asyncio.create_task(runner.held_runs.run()), asyncio.create_task(runner.rights.run())]
        try:
            yield runner
        finally:
            await runner.summaries.idle()
            runner.held_runs.stop()
            runner.rights.stop()
            flusher.stop()
            await asyncio.gather(flushing, *keeping)

    async def advance(self, accepted: Accepted, *script: Any, tools: tuple[Tool, ...] = ()) -> ScriptedModel:
        model = ScriptedModel(*script)
        async with self.worker(model, *tools) as runner:
            await runner.advance(self.key(accepted))
        return model

    async def events(self, run_id: UUID) -> list[StoredEvent]:
        events, _ = await self.runs.events(self.principal, run_id, 0)
        return events

    async def titles(self) -> list[str]:
        return [note.title for note in (await self.notes.list(self.principal, self.lab, PageRequest())).items]

    async def sql(self, statement: str, *args: Any) -> Any:
        async with self.db.unit_of_work(self.principal.actor) as uow:
            return await uow.fetchval(statement, *args, writes=not statement.startswith("select"))

    async def rows(self, statement: str, *args: Any) -> list[Any]:
        async with self.db.unit_of_work(self.principal.actor) as uow:
            return await uow.fetch(statement, *args)


class Waiting(ScriptedModel):
    """Answers when it is let."""

    def __init__(self, *script: Any, **more: Any) -> None:
        super().__init__(*script, **more)
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    async def stream(self, request: Any) -> Any:
        self.asked.set()
        await self.let.wait()
        async for said in super().stream(request):
            yield said


async def budget(bench: RunBench, **amounts: str) -> None:
    admin = bench.world["alice"].principal
    limits = {BudgetScope(scope): Decimal(amount) for scope, amount in amounts.items()}
    await bench.world.services.budgets.set_for_mandate(admin, limits)
