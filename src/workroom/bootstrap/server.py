"""The services of the HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from workroom.agent.tool_sets import TOOL_SETS
from workroom.agents.instructions.service import Instructions
from workroom.agents.service import Agents
from workroom.agents.shipped import NAVIGATOR_ID
from workroom.api.change_hub import ChangeHub
from workroom.api.frame.metrics import Metrics
from workroom.api.frame.site import Site
from workroom.api.frame.stream_limit import StreamLimit
from workroom.api.readiness import Readiness
from workroom.api.services import Services
from workroom.bootstrap.shared import SharedServices, open_shared_services
from workroom.companies.exports import CompanyExports
from workroom.contents.mentions import Mentions
from workroom.contents.proposals import FileProposals
from workroom.contents.text_files import TextFiles
from workroom.conversations.memory import Memories
from workroom.conversations.service import Conversations
from workroom.conversations.sharing import ConversationSharing
from workroom.core.changes import ChangeKind
from workroom.core.waiting import wait_for
from workroom.db import Database, DatabaseAddress, migrator
from workroom.db.checks import require_usable
from workroom.db.listener import Listener
from workroom.evaluations.service import Evaluations
from workroom.files.audit_names import file_names, folder_names
from workroom.files.links import FileLinks
from workroom.files.uploads import Uploads
from workroom.identity.audit import Audit
from workroom.identity.inspections import Inspections
from workroom.identity.instances import Instances
from workroom.identity.mandates import Mandates
from workroom.identity.roles import Roles
from workroom.identity.sessions import Sessions
from workroom.identity.tokens import Tokens
from workroom.identity.users import Users
from workroom.mail.resets import PasswordResets
from workroom.runs.answers import RunAnswers
from workroom.runs.chat_sessions import ChatSessions
from workroom.runs.configs import AgentConfigs
from workroom.runs.exports import Exports
from workroom.runs.feed import Feed
from workroom.runs.switching import Switching
from workroom.runs.tail import Tail
from workroom.runs.trace import Traces
from workroom.runs.transcripts import Transcripts
from workroom.search.service import SearchedServices, WorkspaceSearch
from workroom.settings import Settings
from workroom.specialists.service import SpecialistChats
from workroom.usage.costs import Costs
from workroom.vault import Vault
from workroom.websearch.administration import SearchAdministration
from workroom.websearch.service import WebSearches

LISTENING_SECONDS = 5.0  # after that it goes on trying beside the work


async def prepare_database(address: DatabaseAddress) -> None:
    """Migrate the schema if there is a login that may, then check that the database can be used."""
    if address.migration is not None:
        await migrator.migrate(address.migration)
    await require_usable(address)


@contextlib.asynccontextmanager
async def open_services(settings: Settings, address: DatabaseAddress, port: int) -> AsyncIterator[Services]:
    """Everything the routers use, opened together and closed together."""
    db = await Database.connect(address.application)
    try:
        async with (
            open_shared_services(settings, address.application, db) as shared,
            _open_live_updates(address, db) as live,
        ):
            services = _services(shared, live, Site.of(settings, port))
            yield services
            await services.resets.settle()
    finally:
        await db.close()


@dataclass(frozen=True)
class _LiveUpdates:
    """What is notified at once of changes that other processes make."""

    changes: ChangeHub
    tail: Tail
    feed: Feed


@contextlib.asynccontextmanager
async def _open_live_updates(address: DatabaseAddress, db: Database) -> AsyncIterator[_LiveUpdates]:
    listener = Listener(address.application)
    live = _LiveUpdates(ChangeHub(listener), Tail(listener), Feed(db, listener))
    running = [
        asyncio.create_task(work(), name=name) for name, work in (("feed", live.feed.run), ("listener", listener.run))
    ]
    try:
        await wait_for(listener.connected, LISTENING_SECONDS)  # from here on no change is missed
        yield live
    finally:
        live.changes.close()
        live.tail.close()
        live.feed.stop()
        listener.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*running), timeout=5)


def _services(shared: SharedServices, live: _LiveUpdates, site: Site) -> Services:
    settings, db = shared.settings, shared.db
    searched = SearchedServices(
        instances=Instances(db, TOOL_SETS.keys()),
        files=shared.files,
        knowledge=shared.knowledge,
        conversations=Conversations(db),
        agents=Agents(db, [tool.name for tool in shared.tools]),
        users=Users(db, shared.passwords, shared.outbox),
        notes=shared.notes,
        todos=shared.todos,
    )
    return Services(
        settings=settings,
        site=site,
        db=db,
        changes=live.changes,
        streams=StreamLimit(settings.streams_per_person),
        metrics=Metrics(),
        readiness=_readiness(db),
        sign_in=shared.sign_in,
        mandates=Mandates(db),
        users=searched.users,
        roles=Roles(db),
        instances=searched.instances,
        tokens=Tokens(db),
        sessions=Sessions(db),
        audit=Audit(db, {ChangeKind.FILE: file_names, ChangeKind.FOLDER: folder_names}),
        inspections=Inspections(db),
        conversation_sharing=ConversationSharing(db),
        exports=Exports(Transcripts(db), shared.tools),
        budgets=shared.budgets,
        costs=Costs(db),
        models=shared.models,
        evaluations=Evaluations(db, shared.models.gateway),
        agents=searched.agents,
        instructions=Instructions(db),
        conversations=searched.conversations,
        memories=Memories(db),
        maps=shared.maps,
        companies=shared.companies,
        dna_documents=shared.dna_documents,
        company_conversations=shared.company_conversations,
        company_exports=CompanyExports(shared.dna_documents),
        custom_skills=shared.custom_skills,
        studio=shared.studio,
        notes=shared.notes,
        todos=shared.todos,
        files=shared.files,
        folders=shared.folders,
        uploads=Uploads(db, shared.blobs, shared.quotas),
        finder=shared.finder,
        reader=shared.reader,
        text_files=TextFiles(db, shared.files, shared.reader),
        knowledge=shared.knowledge,
        mentions=Mentions(shared.finder, shared.reader),
        search=WorkspaceSearch(searched),
        file_links=FileLinks(settings, shared.files, shared.sign_in),
        file_proposals=FileProposals(db, shared.files),
        geo=shared.geo,
        tools=shared.tools,
        tool_requirements={WebSearches: shared.web_searches},
        search_administration=SearchAdministration(db, settings, Vault(settings), shared.web_searches),
        runs=shared.runs,
        answers=RunAnswers(db, shared.runs, searched.conversations),
        chats=ChatSessions(db, shared.runs, searched.conversations, NAVIGATOR_ID, shared.tools.phrases()),
        specialists=SpecialistChats(db, shared.runs),
        switching=Switching(db),
        agent_configs=AgentConfigs(db),
        traces=Traces(db),
        tail=live.tail,
        feed=live.feed,
        outbox=shared.outbox,
        resets=PasswordResets(db, shared.outbox, site.link),
    )


def _readiness(db: Database) -> Readiness:
    readiness = Readiness()
    readiness.add("database", db.is_reachable)
    return readiness
