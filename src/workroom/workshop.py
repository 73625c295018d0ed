"""What a worker has beside the services: the model, the tools, and the crew that advances runs. Wired like `bootstrap`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from datetime import timedelta
from typing import Any

from workroom import tools
from workroom.agent.default import ASSISTANT
from workroom.agent.registry import with_plugins
from workroom.db import Database
from workroom.db.channels import STOPS
from workroom.db.listener import Listener
from workroom.files.disk import DiskBlobStore
from workroom.files.quotas import Quotas
from workroom.files.service import Files
from workroom.identity.passwords import Passwords
from workroom.identity.signin import SignIn
from workroom.models.environment import from_environment
from workroom.models.gateway import open_gateway
from workroom.models.making import preload
from workroom.notes.service import Notes
from workroom.runs.crew import Crew
from workroom.runs.runner import Runner
from workroom.runs.service import Runs
from workroom.runs.ticker import Ticker
from workroom.settings import Settings
from workroom.todos.service import Todos
from workroom.usage.service import Budgets


@contextlib.asynccontextmanager
async def open_crew(settings: Settings, dsn: str, db: Database) -> AsyncIterator[Crew]:
    """The crew at work: its sweeper, its voice to the database, its ear for stops."""
    # Or the first answer would hold up everybody else's.
    await asyncio.to_thread(preload, from_environment(settings))
    async with open_gateway(settings, db) as gateway:
        ticker = Ticker(db)
        sign_in = SignIn(db, Passwords(), timedelta(days=settings.session_days))
        files = Files(db, DiskBlobStore(settings.blobs), Quotas.of(settings))
        services = {Notes: Notes(db), Todos: Todos(db), Files: files, Runs: Runs(db, ASSISTANT)}
        runner = Runner(db, sign_in, with_plugins(tools), gateway, ticker, Budgets(db), services)
        crew = Crew(db, runner)
        listener = Listener(dsn)
        listener.on(STOPS, runner.leases.stop_heard)
        tasks = [
            _task(ticker.run(), "ticker"),
            _task(runner.leases.run(), "leases"),
            _task(crew.sweep(), "sweeper"),
            _task(listener.run(), "stops"),
        ]
        try:
            yield crew
        finally:
            await crew.close()
            runner.leases.stop()
            ticker.stop()
            listener.stop()
            await asyncio.gather(*tasks)


def _task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)
