"""An evaluation whose worker is killed with -9 goes on in the next one, and asks nothing twice but what was under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.evaluations.behaviours import case_of, inert, is_reset
from tests.faults.process import Workroom, killed
from workroom.evaluations.cases import read
from workroom.models.testing import Nothing, ReceivedRequest, ScriptedAnswer, ScriptedProvider

PATH = "/api/switch-evaluations"
AGAIN_SECONDS = 120.0  # until nobody holds it any more, on a busy machine


@pytest.mark.drill
@pytest.mark.requirement("G5")
async def test_it_goes_on_after_its_worker_was_killed(tmp_path: Path) -> None:
    begun = asyncio.Event()

    def hanging_at_the_fourth(asked: ReceivedRequest) -> ScriptedAnswer:
        if len(provider.requests) == 4:
            begun.set()
            return Nothing()
        return inert(asked)

    async with ScriptedProvider(behaviour=hanging_at_the_fourth) as provider:
        with (
            Workroom(tmp_path / "data", MODEL_URL=provider.base_url, MODEL="scripted") as running,
            running.signed_in() as client,
        ):
            body = {"model": "local/scripted", "languages": ["en"], "repeats": 1}
            started = client.post(PATH, json=body).json()["evaluation"]["id"]
            await asyncio.wait_for(begun.wait(), AGAIN_SECONDS)
            killed(running.worker_pid)
            await asyncio.to_thread(
                running.wait_until, lambda: _look(client, started)["state"] == "done", "going on with it", AGAIN_SECONDS
            )
            found = _look(client, started)
    count = 2 * len(read("en"))
    assert found["answered"] == found["questions"] == count
    asked = Counter((case_of(one).id, is_reset(one)) for one in provider.requests)
    assert sorted(asked.values()) == [1] * (count - 1) + [2]


def _look(client: httpx2.Client, evaluation_id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{PATH}/{evaluation_id}").json()
    return found
