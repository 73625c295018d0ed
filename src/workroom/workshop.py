"""What a worker has beside the services: the model, the tools, and the crew that advances runs. Wired like `bootstrap`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any

from workroom import tools
from workroom.agent.default import ASSISTANT
from workroom.agent.registry import discover
from workroom.core.errors import ConfigurationError, OutgoingRefused
from workroom.core.money import FREE
from workroom.db import Database
from workroom.db.channels import STOPS
from workroom.db.listener import Listener
from workroom.identity.passwords import Passwords
from workroom.identity.signin import SignIn
from workroom.models.absent import AbsentModel
from workroom.models.ports import Model, ModelInfo
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel, preload
from workroom.net import GuardedClient
from workroom.net.limits import DEFAULT_LIMITS
from workroom.net.urls import Origin, parse_url
from workroom.notes.service import Notes
from workroom.runs.crew import Crew
from workroom.runs.runner import Runner
from workroom.runs.service import Runs
from workroom.runs.ticker import Ticker
from workroom.settings import Settings

SILENCE_SECONDS = 240.0  # a local model that is being loaded, or one that thinks, says nothing for long
ANSWER_SECONDS = 1800.0


@contextlib.asynccontextmanager
async def open_crew(settings: Settings, dsn: str, db: Database) -> AsyncIterator[Crew]:
    """The crew at work: its sweeper, its voice to the database, its ear for stops."""
    async with _model(settings) as model:
        ticker = Ticker(db)
        sign_in = SignIn(db, Passwords(), timedelta(days=settings.session_days))
        runner = Runner(db, sign_in, discover(tools), model, ticker, {Notes: Notes(db), Runs: Runs(db, ASSISTANT)})
        crew = Crew(db, runner)
        listener = Listener(dsn)
        listener.on(STOPS, runner.stop_heard)
        tasks = [_task(ticker.run(), "ticker"), _task(crew.sweep(), "sweeper"), _task(listener.run(), "stops")]
        try:
            yield crew
        finally:
            await crew.close()
            ticker.stop()
            listener.stop()
            await asyncio.gather(*tasks)


@contextlib.asynccontextmanager
async def _model(settings: Settings) -> AsyncIterator[Model]:
    if settings.model_url is None:
        yield AbsentModel()
        return
    limits = replace(DEFAULT_LIMITS, read_seconds=SILENCE_SECONDS, total_seconds=ANSWER_SECONDS)
    client = GuardedClient(allowed_private=frozenset({_origin(settings.model_url)}), limits=limits)
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    await asyncio.to_thread(preload)  # or the first answer would hold up everybody else's
    try:
        yield OpenAiCompatibleModel(
            ModelInfo("local", settings.model or "default", FREE), settings.model_url, key, client
        )
    finally:
        await client.aclose()


def _origin(url: str) -> Origin:
    """Naming an address in the settings is how an administrator allows it, also inside their own network."""
    try:
        return parse_url(url).origin
    except OutgoingRefused as error:
        raise ConfigurationError(f"WORKROOM_MODEL_URL is not usable: {error.message}") from None


def _task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)
