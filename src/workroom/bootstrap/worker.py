"""The services of a worker: the run scheduler, file scans, indexing and evaluations, and what they share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any

from workroom.bootstrap.shared import SharedServices, open_shared_services
from workroom.bootstrap.tool_services import tool_services
from workroom.bootstrap.tools import KNOWN_NAMES, SHOWS
from workroom.contents import looking
from workroom.contents.looking import LookJob
from workroom.contents.materials import QuestionMaterials
from workroom.core.taking import Taker, Takers
from workroom.db import Database
from workroom.db.channels import CHANGES, STOPS
from workroom.db.listener import Listener
from workroom.evaluations.jobs import AT_ONCE, EvaluationJob
from workroom.evaluations.types import Task as Evaluating
from workroom.files.ports import BlobStore
from workroom.knowledge import indexer
from workroom.knowledge.content_index import ContentIndexes
from workroom.knowledge.indexer import IndexJob
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.outdated import Outdated
from workroom.knowledge.recognising import BY_ITSELF, Recognising
from workroom.knowledge.renewing import Renewing
from workroom.models.embeddings import static
from workroom.models.environment import from_environment
from workroom.models.making import preload
from workroom.runs.crew import Crew
from workroom.runs.places import Places
from workroom.runs.runner import Runner
from workroom.runs.ticker import Ticker
from workroom.settings import Settings

# Parser processes for background work, beside those for requests: first tries, one for slow files of either kind, one for pages.
BACKGROUND = looking.AT_ONCE + 1 + indexer.AT_ONCE + 1 + 1


@dataclass(frozen=True)
class WorkerServices:
    crew: Crew
    looker: Takers
    indexer: Takers
    evaluator: Taker[Evaluating]
    outdated: Outdated
    blobs: BlobStore


@contextlib.asynccontextmanager
async def open_worker_services(settings: Settings, dsn: str, db: Database) -> AsyncIterator[WorkerServices]:
    """Everything a worker does, running until the end of the context and then stopped in order."""
    await _preload(settings)
    async with open_shared_services(settings, dsn, db, background_parsers=BACKGROUND) as shared:
        ticker, contents = Ticker(db), ContentIndexes(db)
        runner = _runner(shared, ticker, contents)
        crew, places = Crew(db, runner, settings.answers_per_person), Places(db)
        looker, indexers, evaluator = _looker(shared), _indexers(shared), _evaluator(shared)
        listener = _listener(dsn, runner, contents)
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
        outdated = Outdated(db, shared.models.embedders, shared.sign_in)
        try:
            yield WorkerServices(crew, looker, indexers, evaluator, outdated, shared.blobs)
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


async def _preload(settings: Settings) -> None:
    """Load large libraries before the first run, which would otherwise hold up all others."""
    await asyncio.to_thread(preload, from_environment(settings))
    await asyncio.to_thread(static.preload)


def _runner(shared: SharedServices, ticker: Ticker, contents: ContentIndexes) -> Runner:
    materials = RetrievedMaterials(QuestionMaterials(shared.files, shared.finder, shared.reader), shared.knowledge)
    return Runner(
        shared.db,
        shared.sign_in,
        shared.tools,
        shared.models.gateway,
        ticker,
        shared.budgets,
        tool_services(shared),
        materials,
        contents,
        SHOWS,
        KNOWN_NAMES,
    )


def _looker(shared: SharedServices) -> Takers:
    db, files, reading = shared.db, shared.files, shared.reading
    return Takers(
        Taker(LookJob(db, files, reading, seconds=looking.FIRST_SECONDS), looking.AT_ONCE),
        Taker(LookJob(db, files, reading, slow=True)),
    )


def _indexers(shared: SharedServices) -> Takers:
    db, files, reading = shared.db, shared.files, shared.reading
    embedders, sign_in = shared.models.embedders, shared.sign_in
    by_itself = BY_ITSELF if shared.settings.recognise == "auto" else 0
    indexing = Indexing(db, files, reading, embedders, sign_in, by_itself)
    renewing = Renewing(db, embedders, sign_in, indexing.counts)
    jobs = db, indexing, renewing, Recognising(db, files, reading)
    return Takers(
        Taker(IndexJob(*jobs, indexer.FILES, indexer.FIRST_SECONDS), indexer.AT_ONCE),
        Taker(IndexJob(*jobs, indexer.SLOW_FILES)),
        Taker(IndexJob(*jobs, indexer.PAGES)),
    )


def _evaluator(shared: SharedServices) -> Taker[Evaluating]:
    return Taker(EvaluationJob(shared.db, shared.models.gateway, shared.sign_in, shared.budgets), AT_ONCE)


def _listener(dsn: str, runner: Runner, contents: ContentIndexes) -> Listener:
    listener = Listener(dsn)
    listener.on(STOPS, runner.leases.stop_heard)
    listener.on(CHANGES, contents.heard)
    listener.on_connect(contents.missed)
    return listener


def _task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)
