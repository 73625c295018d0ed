"""What a worker has beside the services: the model, the tools, and the scheduler of runs. Wired like `bootstrap`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from workroom import tools
from workroom.agent.registry import with_plugins
from workroom.contents import looking
from workroom.contents.looking import LookJob
from workroom.contents.materials import QuestionMaterials
from workroom.contents.opening import open_reader
from workroom.contents.service import Reader
from workroom.core.taking import Taker, Takers
from workroom.db import Database
from workroom.db.channels import CHANGES, STOPS
from workroom.db.listener import Listener
from workroom.evaluations.jobs import AT_ONCE, EvaluationJob
from workroom.evaluations.types import Task as Evaluating
from workroom.files.blob_stores import open_store
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.ports import BlobStore
from workroom.files.quotas import Quotas
from workroom.files.service import Files
from workroom.geo.service import Geo
from workroom.identity.passwords import Passwords
from workroom.identity.signin import SignIn
from workroom.knowledge import indexer
from workroom.knowledge.content_index import ContentIndexes
from workroom.knowledge.digests.analyses import Analyses
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.indexer import IndexJob
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.outdated import Outdated
from workroom.knowledge.recognising import BY_ITSELF, CatchingUp, Recognising
from workroom.knowledge.renewing import Renewing
from workroom.knowledge.service import Knowledge
from workroom.models.embeddings import static
from workroom.models.embeddings.embedders import Embedders
from workroom.models.environment import from_environment
from workroom.models.gateway import open_gateway
from workroom.models.making import preload
from workroom.models.reranking.rerankers import Rerankers
from workroom.notes.service import Notes
from workroom.runs.crew import Crew
from workroom.runs.maps import Maps
from workroom.runs.places import Places
from workroom.runs.runner import Runner
from workroom.runs.service import Runs
from workroom.runs.ticker import Ticker
from workroom.settings import Settings
from workroom.todos.service import Todos
from workroom.tools.showing import SHOWS
from workroom.usage.service import Budgets

# Places in the background, beside what people wait for: first tries, one for slow files of either kind, one for pages.
BACKGROUND = looking.AT_ONCE + 1 + indexer.AT_ONCE + 1 + 1


@dataclass(frozen=True)
class Workshop:
    crew: Crew
    looker: Takers
    indexer: Takers
    evaluator: Taker[Evaluating]
    outdated: Outdated
    blobs: BlobStore


@contextlib.asynccontextmanager
async def open_workshop(settings: Settings, dsn: str, db: Database) -> AsyncIterator[Workshop]:
    """All at work: the scheduler of runs, what tells of them and listens for stops, and who looks into files."""
    # Or the first answer would hold up everybody else's.
    await asyncio.to_thread(preload, from_environment(settings))
    await asyncio.to_thread(static.preload)
    async with (
        open_gateway(settings, db) as gateway,
        contextlib.aclosing(Geo.of(settings)) as geo,
        open_store(settings, dsn) as blobs,
        open_reader(settings, db, files := Files(db, blobs, Quotas.of(settings)), more=BACKGROUND) as reading,
    ):
        ticker = Ticker(db)
        sign_in = SignIn(db, Passwords(), timedelta(days=settings.session_days))
        finder, reader = Finder(db), Reader(db, files, reading, CatchingUp(db).heard)
        embedders = Embedders(db, gateway, Budgets(db))
        knowledge = Knowledge(db, files, embedders, Rerankers(db, gateway, Budgets(db)))
        services = {
            Notes: Notes(db),
            Maps: Maps(db),
            Todos: Todos(db),
            Files: files,
            Folders: Folders(db),
            Finder: finder,
            Geo: geo,
            Reader: reader,
            Knowledge: knowledge,
            Digests: Digests(db, reader),
            Analyses: Analyses(db, reader),
            Runs: Runs(db),
        }
        materials = RetrievedMaterials(QuestionMaterials(files, finder, reader), knowledge)
        contents = ContentIndexes(db)
        runner = Runner(
            db, sign_in, with_plugins(tools), gateway, ticker, Budgets(db), services, materials, contents, SHOWS
        )
        crew, places = Crew(db, runner, settings.answers_per_person), Places(db)
        looker = Takers(
            Taker(LookJob(db, files, reading, seconds=looking.FIRST_SECONDS), looking.AT_ONCE),
            Taker(LookJob(db, files, reading, slow=True)),
        )
        by_itself = BY_ITSELF if settings.recognise == "auto" else 0
        indexing = Indexing(db, files, reading, embedders, sign_in, by_itself)
        renewing = Renewing(db, embedders, sign_in, indexing.counts)
        jobs = db, indexing, renewing, Recognising(db, files, reading)
        indexers = Takers(
            Taker(IndexJob(*jobs, indexer.FILES, indexer.FIRST_SECONDS), indexer.AT_ONCE),
            Taker(IndexJob(*jobs, indexer.SLOW_FILES)),
            Taker(IndexJob(*jobs, indexer.PAGES)),
        )
        evaluator = Taker(EvaluationJob(db, gateway, sign_in, Budgets(db)), AT_ONCE)
        listener = Listener(dsn)
        listener.on(STOPS, runner.leases.stop_heard)
        listener.on(CHANGES, contents.heard)
        listener.on_connect(contents.missed)
        scheduling = _task(crew.run(), "scheduler")
        tasks = [
            _task(ticker.run(), "ticker"),
            _task(runner.leases.run(), "leases"),
            _task(runner.rights.run(), "rights"),
            _task(places.run(), "places"),
            _task(looker.run(), "looker"),
            _task(indexers.run(), "indexer"),
            _task(evaluator.run(), "evaluator"),
            _task(listener.run(), "stops"),
        ]
        try:
            yield Workshop(crew, looker, indexers, evaluator, Outdated(db, embedders, sign_in), blobs)
        finally:
            await asyncio.gather(looker.close(), indexers.close(), evaluator.close())
            crew.stop()
            await scheduling
            places.stop()
            runner.leases.stop()
            runner.rights.stop()
            ticker.stop()
            listener.stop()
            await asyncio.gather(*tasks)


def _task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)
