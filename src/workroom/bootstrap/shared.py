"""The services that server and worker have in common, opened and closed together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

from workroom.agent.registry import Registry, with_plugins
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.companies.conversations import CompanyConversations
from workroom.companies.documents import DnaDocuments
from workroom.companies.service import Companies
from workroom.contents.content_cache import ContentCache
from workroom.contents.runtime import open_content_cache
from workroom.contents.service import DocumentReader
from workroom.custom_skills.service import CustomSkills
from workroom.db import Database
from workroom.files.blob_stores import open_store
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.ports import BlobStore
from workroom.files.quotas import Quotas
from workroom.files.service import Files
from workroom.geo.service import Geo
from workroom.identity.passwords import Passwords
from workroom.identity.signin import SignIn
from workroom.knowledge.recognition import RecognitionBacklog
from workroom.knowledge.service import Knowledge
from workroom.mail.outbox import Outbox
from workroom.mail.smtp_server import SmtpServer
from workroom.models.service import Models, make_models
from workroom.net import GuardedClient
from workroom.notes.service import Notes
from workroom.runs.maps import Maps
from workroom.runs.service import Runs
from workroom.settings import Settings
from workroom.studio.services import Studio
from workroom.todos.service import Todos
from workroom.usage.service import Budgets
from workroom.vault import Vault
from workroom.websearch.service import WebSearches
from workroom.websites.service import Websites


@dataclass(frozen=True)
class SharedServices:
    """`reading` parses files in processes of its own; `reader` decides who may read what of them."""

    settings: Settings
    db: Database
    passwords: Passwords
    sign_in: SignIn
    budgets: Budgets
    models: Models
    tools: Registry
    blobs: BlobStore
    quotas: Quotas
    files: Files
    folders: Folders
    finder: Finder
    reading: ContentCache
    reader: DocumentReader
    knowledge: Knowledge
    companies: Companies
    dna_documents: DnaDocuments
    company_conversations: CompanyConversations
    custom_skills: CustomSkills
    studio: Studio
    notes: Notes
    todos: Todos
    maps: Maps
    runs: Runs
    geo: Geo
    outbox: Outbox
    websites: Websites
    web_searches: WebSearches


@contextlib.asynccontextmanager
async def open_shared_services(
    settings: Settings, dsn: str, db: Database, *, background_parsers: int = 0
) -> AsyncIterator[SharedServices]:
    """Closes everything but the database, which belongs to the caller."""
    models, quotas, passwords = make_models(settings, db), Quotas.of(settings), Passwords()
    tools = with_plugins(*TOOL_PACKAGES)
    async with (
        contextlib.aclosing(models.gateway),
        contextlib.aclosing(Geo.of(settings)) as geo,
        open_store(settings, dsn) as blobs,
        open_content_cache(settings, db, files := Files(db, blobs, quotas), more=background_parsers) as reading,
        contextlib.aclosing(WebSearches(db, settings, Vault(settings))) as web_searches,
        contextlib.aclosing(Websites(GuardedClient(), reading.parsers, settings.scratch)) as websites,
    ):
        yield SharedServices(
            settings=settings,
            db=db,
            passwords=passwords,
            sign_in=SignIn(db, passwords, timedelta(days=settings.session_days)),
            budgets=Budgets(db),
            models=models,
            tools=tools,
            blobs=blobs,
            quotas=quotas,
            files=files,
            folders=Folders(db),
            finder=Finder(db),
            reading=reading,
            reader=DocumentReader(db, files, reading, RecognitionBacklog(db).heard),
            knowledge=Knowledge(db, files, models.embedders, models.rerankers),
            companies=Companies(db),
            dna_documents=DnaDocuments(db),
            company_conversations=CompanyConversations(db),
            custom_skills=CustomSkills(db, [tool.name for tool in tools]),
            studio=Studio.of(db),
            notes=Notes(db),
            todos=Todos(db),
            maps=Maps(db),
            runs=Runs(db),
            geo=geo,
            outbox=Outbox(db, SmtpServer(settings), Vault(settings), settings.language),
            websites=websites,
            web_searches=web_searches,
        )
