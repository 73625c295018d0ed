"""Drill R2: streams are cut anywhere, in the middle of an event too, and go on at another server of the same database.

Holds when what was read, connection after connection, is gapless and exactly what is stored: for a run's own stream by
`Last-Event-ID`, for the browser's one stream by asking for the log wherever a number is missing.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from tests.faults.sender import Said, is_gapless
from tests.faults.two_houses import SECONDS, TwoHouses
from workroom.models.testing import Drip, Reply

ANSWER = " ".join(f"word{number}" for number in range(150))
LAST = {"complete", "stopped", "error"}
LONGEST_READ = 4_000  # bytes for each run, before the connection is cut


@dataclass(frozen=True)
class Arrived:
    """One whole event of a stream; what is cut off in its middle never arrives."""

    id: str
    name: str
    data: Any


async def arriving(answer: httpx2.Response, most: int) -> AsyncIterator[Arrived]:
    """Events until so many bytes have come, or the server ends the stream."""
    buffer, read = b"", 0
    async for piece in answer.aiter_raw():
        piece = piece[: most - read]
        read += len(piece)
        buffer += piece
        *whole, buffer = buffer.split(b"\n\n")
        for block in whole:
            if (event := parsed(block.decode())) is not None:
                yield event
        if read >= most:
            return


def parsed(block: str) -> Arrived | None:
    fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
    return Arrived(fields.get("id", ""), fields["event"], json.loads(fields["data"])) if "event" in fields else None


@dataclass
class Reader:
    """A client whose connections do not last. `began` is set when it has heard something of every run."""

    houses: TwoHouses
    dice: random.Random
    began: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0

    async def follow_run(self, run_id: str) -> list[Arrived]:
        said: list[Arrived] = []
        while not said or said[-1].name not in LAST:
            headers = {"Last-Event-ID": said[-1].id} if said else {}
            async with self._cut(f"/api/runs/{run_id}/events", headers, LONGEST_READ) as arrived:
                async for event in arrived:
                    assert event.name != "reset", "the server knows where we were"
                    said.append(event)
                    if event.name == "chunk":
                        self.began.set()
        return said

    async def follow_all(self, runs: list[str]) -> tuple[dict[str, list[Said]], int]:
        """What each run said, and how much of that the stream itself told; the rest is from the log."""
        said: dict[str, list[Said]] = {run_id: [] for run_id in runs}
        live = 0
        while not are_over(said):
            async with self._cut("/api/events", {}, LONGEST_READ * len(runs)) as arrived:
                async for event in arrived:
                    if event.name == "hello":
                        for run_id in runs:
                            await self._catch_up(run_id, said[run_id])
                    elif event.name == "run" and event.data["runId"] in said:
                        live += await self._heard(event.data, said[event.data["runId"]])
                    if all(said.values()):
                        self.began.set()
                    if are_over(said):
                        break
        return said, live

    async def _heard(self, item: Said, said: list[Said]) -> bool:
        """Whether it was the next one."""
        last: int = said[-1]["seq"] if said else 0
        is_next: bool = item["seq"] == last + 1
        if is_next:
            said.append(item)
        elif item["seq"] > last:
            await self._catch_up(item["runId"], said)
        return is_next

    async def _catch_up(self, run_id: str, said: list[Said]) -> None:
        said += await self.houses.log(run_id, said[-1]["seq"] if said else 0)

    def _cut(self, path: str, headers: dict[str, str], longest: int) -> Connection:
        self.connections += 1
        client = self.dice.choice(self.houses.clients)
        return Connection(client, path, headers, self.dice.randint(1, longest))


@dataclass
class Connection:
    """One connection to one of the servers, that ends after so many bytes."""

    client: httpx2.AsyncClient
    path: str
    headers: dict[str, str]
    most: int

    async def __aenter__(self) -> AsyncIterator[Arrived]:
        self._open = self.client.stream("GET", self.path, headers=self.headers)
        answer = await self._open.__aenter__()
        assert answer.status_code == 200
        return arriving(answer, self.most)

    async def __aexit__(self, *error: Any) -> None:
        await self._open.__aexit__(*error)


@pytest.mark.requirement("A14", "O3")
@pytest.mark.parametrize("runs", [3, pytest.param(40, marks=pytest.mark.drill)])
async def test_what_was_read_in_pieces_is_what_is_stored(houses: TwoHouses, runs: int) -> None:
    dice, gate = random.Random(runs), asyncio.Event()
    houses.provider.behaviour = lambda _: Drip(Reply(ANSWER), gate, after=60)
    asked = [await houses.ask(f"question {number}", number) for number in range(runs)]
    readers = [Reader(houses, dice) for _ in asked]
    everything = Reader(houses, dice)
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        one_by_one = [group.create_task(reader.follow_run(run)) for reader, run in zip(readers, asked, strict=True)]
        at_once = group.create_task(everything.follow_all(asked))
        for reader in (*readers, everything):
            await reader.began.wait()
        gate.set()  # the rest comes while everybody is listening
    together, live = at_once.result()
    for run_id, task in zip(asked, one_by_one, strict=True):
        stored = await houses.log(run_id)
        assert is_gapless(stored)
        assert [(arrived.id, arrived.name, arrived.data) for arrived in task.result()] == [
            told(item) for item in stored
        ]
        assert together[run_id] == stored
    cuts = [reader.connections - 1 for reader in readers]
    assert min(cuts) > 0, "every stream was cut"
    assert everything.connections > 1
    assert live > 0, "not all of it was fetched from the log"
    print(f"runs {runs}, cuts {sum(cuts)} and {everything.connections - 1}, told live by the one stream {live}")


def are_over(said: dict[str, list[Said]]) -> bool:
    return all(items and items[-1]["event"]["type"] in LAST for items in said.values())


def told(item: Said) -> tuple[str, str, Any]:
    """What a run's own stream says of a line of its log."""
    return f"{item['runId']}:{item['attempt']}.{item['seq']}", item["event"]["type"], item["event"]
