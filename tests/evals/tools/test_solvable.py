"""Every task can be solved on the real server, by a scripted model that does what its checks ask for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest
from evals.model_choice import at
from evals.server import async_client, served
from evals.tools.runner import TaskRunner
from evals.tools.tasks import all_tasks

from tests.evals.tools.solver import Solver
from workroom.models.testing import ScriptedProvider


@pytest.mark.drill
async def test_every_task_can_be_solved(tmp_path: Path) -> None:
    async with ScriptedProvider(behaviour=Solver(all_tasks())) as provider:
        offer = at(provider.base_url, "scripted")

        async def problems(session: httpx2.Client) -> dict[str, tuple[str, ...]]:
            async with async_client(session) as client:
                outcomes = [await TaskRunner(client, offer.ref, 60).run(task) for task in all_tasks()]
                return {outcome.task.id: outcome.problems for outcome in outcomes if not outcome.success}

        def evaluated() -> dict[str, tuple[str, ...]]:
            with served(offer, tmp_path) as session:
                return asyncio.run(problems(session))

        assert await asyncio.to_thread(evaluated) == {}
