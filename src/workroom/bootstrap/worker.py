"""The services of a worker: the run scheduler, file scans, indexing, evaluations, digests and mails, and what they share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any

from workroom.bootstrap.shared import SharedServices, open_shared_services
from workroom.bootstrap.tool_services import tool_services
from workroom.bootstrap.tools import KNOWN_NAMES, PRESENTERS
from workroom.contents import scanning
from workroom.contents.file_stems import DOCUMENT_TOOLS
from workroom.contents.materials import QuestionMaterials
from workroom.contents.scanning import ScanWork
from workroom.db import Database
from workroom.db.admission import Admission
from workroom.db.channels import CHANGES, STOPS
from workroom.db.listener import Listener
from workroom.db.wakeups import Wakeups
from workroom.db.work_scheduler import WorkScheduler, WorkSchedulers
from workroom.evaluations.jobs import AT_ONCE, EVALUATION_JOB, EvaluationWork
from workroom.evaluations.types import EvaluationTask as Evaluating
from workroom.files.ports import BlobStore
from workroom.files.scans import SCAN_JOB, SCANNED_JOB
from workroom.knowledge import indexer
from workroom.knowledge.indexer import IndexWork
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.outdated_vectors import OutdatedVectors
from workroom.knowledge.recognition import BY_ITSELF, Recognition
from workroom.knowledge.reembedding import Reembedding
from workroom.knowledge.workspace_overviews import CachedOverviews
from workroom.mail import jobs as mail_jobs
from workroom.mail.jobs import MailWork
from workroom.mail.outbox import MAIL_JOB
from workroom.mail.types import MailTask
from workroom.models.embeddings import static
from workroom.models.environment import from_environment
from workroom.models.model_factory import preload
from workroom.models.store import MODELS_JOB
from workroom.runs.conversation_titles import ConversationNaming
from workroom.runs.event_flusher import EventFlusher
from workroom.runs.jobs import RUN_JOB
from workroom.runs.places import Places
from workroom.runs.runner import Runner
from workroom.runs.scheduling import run_scheduler
from workroom.runs.types import Claim
from workroom.settings import Settings
from workroom.studio import digest_jobs
from workroom.studio.digest_jobs import DigestWork
from workroom.studio.types import DigestTask
from workroom.vault import Vault

# Parser processes for background work, beside those for requests: first tries, one for slow files of either kind, one for pages.
BACKGROUND = scanning.AT_ONCE + 1 + indexer.AT_ONCE + 1 + 1


@dataclass(frozen=True)
class WorkerServices:
    answerer: WorkScheduler[Claim]
    scanner: WorkSchedulers
    indexer: WorkSchedulers
    evaluator: WorkScheduler[Evaluating]
    digester: WorkScheduler[DigestTask]
    mailer: WorkScheduler[MailTask]
    outdated: OutdatedVectors
    blobs: BlobStore


@contextlib.asynccontextmanager
async def open_worker_services(settings: Settings, dsn: str, db: Database) -> AsyncIterator[WorkerServices]:
    """Everything a worker does, running until the end of the context and then stopped in order."""
    await _preload(settings)
    async with open_shared_services(settings, dsn, db, background_parsers=BACKGROUND) as shared:
        flusher, overviews, places = EventFlusher(db), CachedOverviews(db), Places(db)
        runner = _runner(shared, flusher, overviews)
        admission = Admission(lambda: db.pool_wait)
        services = WorkerServices(
            run_scheduler(db, runner, settings.answers_per_person, admission=admission),
            _scanner(shared),
            _indexers(shared),
            _evaluator(shared),
            _digester(shared),
            WorkScheduler(MailWork(db, shared.outbox.server, Vault(settings)), mail_jobs.AT_ONCE),
            OutdatedVectors(db, shared.models.embedders, shared.sign_in),
            shared.blobs,
        )
        listener = _listener(dsn, runner, overviews, services)
        measuring, answering = _task(admission.run(), "admission"), _task(services.answerer.run(), "answerer")
        tasks = [
            _task(flusher.run(), "flusher"),
            _task(runner.held_runs.run(), "held runs"),
            _task(runner.rights.run(), "rights"),
            _task(places.run(), "places"),
            _task(services.scanner.run(), "scanner"),
            _task(services.indexer.run(), "indexer"),
            _task(services.evaluator.run(), "evaluator"),
            _task(services.digester.run(), "digester"),
            _task(services.mailer.run(), "mailer"),
            _task(services.outdated.run(), "outdated"),
            _task(listener.run(), "listener"),
        ]
        try:
            yield services
        finally:
            measuring.cancel()
            background = services.scanner, services.indexer, services.evaluator, services.digester, services.mailer
            await asyncio.gather(*(scheduler.close() for scheduler in (*background, services.answerer)))
            await answering
            await runner.summaries.aclose()
            for part in (places, runner.held_runs, runner.rights, flusher, services.outdated, listener):
                part.stop()
            await asyncio.gather(*tasks)


async def _preload(settings: Settings) -> None:
    """Load large libraries before the first run, which would otherwise hold up all others."""
    await asyncio.to_thread(preload, from_environment(settings))
    await asyncio.to_thread(static.preload)


def _runner(shared: SharedServices, flusher: EventFlusher, overviews: CachedOverviews) -> Runner:
    phrases = shared.tools.phrases(DOCUMENT_TOOLS)
    questions = QuestionMaterials(shared.files, shared.finder, shared.reader, phrases)
    materials = RetrievedMaterials(questions, shared.knowledge)
    return Runner(
        shared.db,
        shared.sign_in,
        shared.tools,
        shared.models.gateway,
        flusher,
        shared.budgets,
        tool_services(shared),
        materials,
        overviews,
        PRESENTERS,
        KNOWN_NAMES,
        shared.settings.summarise_above,
        _naming(shared) if shared.settings.titles_by_model else None,
    )


def _naming(shared: SharedServices) -> ConversationNaming:
    return ConversationNaming(shared.db, shared.models.gateway, shared.budgets)


def _scanner(shared: SharedServices) -> WorkSchedulers:
    db, files, reading = shared.db, shared.files, shared.reading
    return WorkSchedulers(
        WorkScheduler(ScanWork(db, files, reading, seconds=scanning.FIRST_SECONDS), scanning.AT_ONCE),
        WorkScheduler(ScanWork(db, files, reading, slow=True)),
    )


def _indexers(shared: SharedServices) -> WorkSchedulers:
    db, files, reading = shared.db, shared.files, shared.reading
    embedders, sign_in = shared.models.embedders, shared.sign_in
    by_itself = BY_ITSELF if shared.settings.recognise == "auto" else 0
    indexing = Indexing(db, files, reading, embedders, sign_in, by_itself)
    renewing = Reembedding(db, embedders, sign_in, indexing.counts)
    jobs = db, indexing, renewing, Recognition(db, files, reading)
    return WorkSchedulers(
        WorkScheduler(IndexWork(*jobs, indexer.FILES, indexer.FIRST_SECONDS), indexer.AT_ONCE),
        WorkScheduler(IndexWork(*jobs, indexer.SLOW_FILES)),
        WorkScheduler(IndexWork(*jobs, indexer.PAGES)),
    )


def _evaluator(shared: SharedServices) -> WorkScheduler[Evaluating]:
    return WorkScheduler(EvaluationWork(shared.db, shared.models.gateway, shared.sign_in, shared.budgets), AT_ONCE)


def _digester(shared: SharedServices) -> WorkScheduler[DigestTask]:
    is_on = shared.settings.digests_by_model
    work = DigestWork(shared.db, shared.models.gateway, shared.sign_in, shared.budgets, is_on=is_on)
    return WorkScheduler(work, digest_jobs.AT_ONCE)


def _listener(dsn: str, runner: Runner, overviews: CachedOverviews, services: WorkerServices) -> Listener:
    listener = Listener(dsn)
    listener.on(STOPS, runner.held_runs.stop_heard)
    listener.on(CHANGES, overviews.on_change)
    listener.on_connect(overviews.on_missed)
    listener.on(CHANGES, runner.outlines.on_change)
    listener.on_connect(runner.outlines.on_missed)
    wakeups = Wakeups(listener)
    wakeups.on(RUN_JOB, services.answerer.wake)
    wakeups.on(SCAN_JOB, services.scanner.wake)
    wakeups.on(SCANNED_JOB, services.indexer.wake)
    wakeups.on(EVALUATION_JOB, services.evaluator.wake)
    wakeups.on(MAIL_JOB, services.mailer.wake)
    wakeups.on(MODELS_JOB, services.outdated.wake)
    return listener


def _task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)
