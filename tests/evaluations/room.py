"""A workspace with one scripted model, and who carries out evaluations: one at a time and at once, without a worker beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.conftest import PORT
from tests.evaluations.behaviours import case_of, is_reset
from tests.lapsing import time_passes
from tests.world import World, make_world
from workroom.bootstrap.server import open_services
from workroom.core.money import Price
from workroom.db import DatabaseAddress
from workroom.evaluations.jobs import EvaluationWork
from workroom.evaluations.types import EvaluationTask
from workroom.models.testing import ScriptedProvider
from workroom.models.testing.provider import Behaviour
from workroom.settings import Settings
from workroom.usage.service import Budgets

MODEL = "local/scripted"
PATH = "/api/switch-evaluations"
# A centime per token. A `Reply` has read 10 and written 5.
DEAR = Price(Decimal(10_000), Decimal(10_000), Decimal(10_000))
REPLY_CHF = Decimal("0.15")


@dataclass
class Room:
    world: World
    provider: ScriptedProvider
    job: EvaluationWork

    async def start(self, who: str = "alice", **more: Any) -> str:
        answer = await self.world.call(who, "POST", PATH, {"model": MODEL, "repeats": 1, **more})
        assert answer.status_code == 201, answer.text
        started: str = answer.json()["evaluation"]["id"]
        return started

    async def get(self, evaluation_id: str, who: str = "alice") -> dict[str, Any]:
        answer = await self.world.call(who, "GET", f"{PATH}/{evaluation_id}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def answers(self, evaluation_id: str, query: str = "") -> dict[str, Any]:
        answer = await self.world.call("alice", "GET", f"{PATH}/{evaluation_id}/answers?limit=200{query}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def take(self) -> EvaluationTask:
        task = await self.job.claim()
        assert task is not None
        return task

    async def carry_out(self) -> None:
        """Until nothing is left to do."""
        while (task := await self.job.claim()) is not None:
            await self.job.work(task)

    async def let_time_pass(self, evaluation_id: str) -> None:
        """As if the worker had died an hour ago."""
        await time_passes(self.world, "switch_evaluations", hours=1)

    async def put_price(self, price: Price = DEAR) -> None:
        await self.world.services.models.prices.put(self.world["alice"].principal, MODEL, price)

    async def ledger(self) -> list[dict[str, Any]]:
        answer = await self.world.call("alice", "GET", "/api/costs?limit=200")
        found: list[dict[str, Any]] = answer.json()["items"]
        return found

    def asked(self) -> Counter[tuple[str, bool]]:
        """How often the model was asked each question."""
        return Counter((case_of(asked).id, is_reset(asked)) for asked in self.provider.requests)


def shares(evaluation: dict[str, Any]) -> dict[tuple[str, bool], tuple[int, int]]:
    return {(rate["language"], rate["withReset"]): (rate["kept"], rate["answered"]) for rate in evaluation["rates"]}


@asynccontextmanager
async def room(
    address: DatabaseAddress, data: Path, behaviour: Behaviour, *, openai: bool = False
) -> AsyncIterator[Room]:
    """`openai`: the provider also passes for OpenAI, whose models the catalogue describes."""
    async with ScriptedProvider(behaviour=behaviour) as provider:
        settings = Settings(
            data=data,
            login="password",
            port=PORT,
            model_url=provider.base_url,
            model="scripted",
            environment_keys=openai,
            openai_api_key="k" * 40 if openai else None,
            openai_url=provider.base_url if openai else None,
        )
        async with open_services(settings, address, PORT) as services:
            world = await make_world(services)
            job = EvaluationWork(services.db, services.models.gateway, services.sign_in, Budgets(services.db))
            yield Room(world, provider, job)
