"""Nothing blocks an event loop: many streaming answers at once, and every process stays awake.

A busy machine makes any process late now and then, a blocking call makes it late with every answer. How late is judged by the
drill, which has the machine to itself; the test that runs beside others sees that every word arrives and that somebody looks.
"""

from __future__ import annotations

import asyncio
import json

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.faults.two_houses import METRICS, SECONDS, TwoHouses
from workroom.core.loop_lag import LATE, STUCK
from workroom.models.testing import Reply

STREAMS = 20
ANSWER = "word " * 500
FEW = 0.1  # of all looks


@pytest.mark.parametrize("timed", [False, pytest.param(True, marks=pytest.mark.drill)], ids=["heard", "in time"])
async def test_many_streams_at_once_hold_nobody_up(houses: TwoHouses, *, timed: bool) -> None:
    houses.provider.behaviour = lambda _: Reply(ANSWER, chunk=10)
    before = [await lags(houses, place) for place in range(len(houses.clients))]
    written = [len(workroom.log) for workroom in houses.workrooms]
    asked = await asyncio.gather(*[houses.ask(f"question {number}", number) for number in range(STREAMS)])
    async with asyncio.timeout(SECONDS):
        heard = await asyncio.gather(*[listened(houses, number, run_id) for number, run_id in enumerate(asked)])
    assert [text.count("word") for text in heard] == [500] * STREAMS
    for place, earlier in enumerate(before):
        looks = {limit: count - earlier[limit] for limit, count in (await lags(houses, place)).items()}
        total = looks[float("inf")]
        assert total > 0
        if timed:
            assert total - looks[LATE] <= max(3, FEW * total), f"late: {looks}"
            assert total == looks[STUCK], f"stuck: {looks}"
    for workroom, start in zip(houses.workrooms, written, strict=True):
        held_up = [json.loads(line)["seconds"] for line in workroom.log[start:].splitlines() if "held up" in line]
        assert not timed or [late for late in held_up if late > STUCK] == []
        print(f"streams {STREAMS}, late in server and worker {held_up}")


async def listened(houses: TwoHouses, place: int, run_id: str) -> str:
    """The text that one stream carried."""
    client, text = houses.clients[place % len(houses.clients)], ""
    async with client.stream("GET", f"/api/runs/{run_id}/events") as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: ") and (event := json.loads(line[6:])).get("type") == "chunk":
                text += event["text"]
    return text


async def lags(houses: TwoHouses, place: int) -> dict[float, int]:
    """How many looks were at most so late, by limit."""
    answer = await houses.clients[place].get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    answer.raise_for_status()
    return {
        float(sample.labels["le"]): int(sample.value)
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if sample.name == "workroom_loop_lag_seconds_bucket"
    }
