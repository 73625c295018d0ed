"""The only place that wires settings → adapters → services."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

from workroom import tools
from workroom.agent.registry import with_plugins
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
from workroom.contents.mentions import Mentions
from workroom.contents.opening import open_reader
from workroom.contents.service import Reader
from workroom.conversations.memory import Memories
from workroom.conversations.service import Conversations
from workroom.conversations.sharing import ConversationSharing
from workroom.db import Database, DatabaseAddress, migrator
from workroom.db.checks import require_usable
from workroom.db.listener import Listener
from workroom.evaluations.service import Evaluations
from workroom.files.blob_stores import open_store
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.links import FileLinks
from workroom.files.quotas import Quotas
from workroom.files.service import Files
from workroom.files.uploads import Uploads
from workroom.geo.service import Geo
from workroom.identity.audit import Audit
from workroom.identity.inspections import Inspections
from workroom.identity.instances import Instances
from workroom.identity.mandates import Mandates
from workroom.identity.passwords import Passwords
from workroom.identity.roles import Roles
from workroom.identity.sessions import Sessions
from workroom.identity.signin import SignIn
from workroom.identity.tokens import Tokens
from workroom.identity.users import Users
from workroom.knowledge.recognising import CatchingUp
from workroom.knowledge.service import Knowledge
from workroom.models.service import make_models
from workroom.notes.service import Notes
from workroom.runs.chatting import Chats
from workroom.runs.configs import AgentConfigs
from workroom.runs.feed import Feed
from workroom.runs.maps import Maps
from workroom.runs.service import Runs
from workroom.runs.switching import Switching
from workroom.runs.tail import Tail
from workroom.runs.trace import Traces
from workroom.settings import Settings
from workroom.todos.service import Todos
from workroom.usage.costs import Costs
from workroom.usage.service import Budgets


async def prepare_database(address: DatabaseAddress) -> None:
    """Bring the schema up to date if we may, then insist that the database can be used."""
    if address.migration is not None:
        await migrator.migrate(address.migration)
    await require_usable(address)


@dataclass(frozen=True)
class _Live:
    """What hears at once of what other processes do."""

    changes: ChangeHub
    tail: Tail
    feed: Feed


@contextlib.asynccontextmanager
async def _open_live(address: DatabaseAddress, db: Database) -> AsyncIterator[_Live]:
    listener = Listener(address.application)
    live = _Live(ChangeHub(listener), Tail(listener), Feed(db, listener))
    running = [
        asyncio.create_task(work(), name=name) for name, work in (("feed", live.feed.run), ("listener", listener.run))
    ]
    try:
        yield live
    finally:
        live.changes.close()
        live.tail.close()
        live.feed.stop()
        listener.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*running), timeout=5)


@contextlib.asynccontextmanager
async def open_services(settings: Settings, address: DatabaseAddress, port: int) -> AsyncIterator[Services]:
    """Everything a process needs, opened together and closed together."""
    db = await Database.connect(address.application)
    models = make_models(settings, db)
    geo = Geo.of(settings)
    passwords = Passwords()
    sign_in = SignIn(db, passwords, timedelta(days=settings.session_days))
    quotas = Quotas.of(settings)
    registry = with_plugins(tools)
    readiness = Readiness()
    readiness.add("database", db.is_reachable)
    try:
        async with (
            _open_live(address, db) as live,
            open_store(settings, address.application) as blobs,
            open_reader(settings, db, files := Files(db, blobs, quotas)) as reading,
        ):
            finder, reader = Finder(db), Reader(db, files, reading, CatchingUp(db).heard)
            runs, conversations = Runs(db), Conversations(db)
            yield Services(
                settings=settings,
                site=Site.of(settings, port),
                db=db,
                changes=live.changes,
                streams=StreamLimit(settings.streams_per_person),
                metrics=Metrics(),
                readiness=readiness,
                sign_in=sign_in,
                mandates=Mandates(db),
                users=Users(db, passwords),
                roles=Roles(db),
                instances=Instances(db, TOOL_SETS.keys()),
                tokens=Tokens(db),
                sessions=Sessions(db),
                audit=Audit(db),
                inspections=Inspections(db),
                conversation_sharing=ConversationSharing(db),
                budgets=Budgets(db),
                costs=Costs(db),
                models=models,
                evaluations=Evaluations(db, models.gateway),
                agents=Agents(db, [tool.name for tool in registry]),
                instructions=Instructions(db),
                conversations=conversations,
                memories=Memories(db),
                maps=Maps(db),
                notes=Notes(db),
                todos=Todos(db),
                files=files,
                folders=Folders(db),
                uploads=Uploads(db, blobs, quotas),
                finder=finder,
                reader=reader,
                knowledge=Knowledge(db, files, models.embedders, models.rerankers),
                mentions=Mentions(finder, reader),
                file_links=FileLinks(settings, files, sign_in),
                geo=geo,
                tools=registry,
                runs=runs,
                chats=Chats(db, runs, conversations, NAVIGATOR_ID),
                switching=Switching(db),
                agent_configs=AgentConfigs(db),
                traces=Traces(db),
                tail=live.tail,
                feed=live.feed,
            )
    finally:
        await geo.aclose()
        await models.gateway.aclose()
        await db.close()
