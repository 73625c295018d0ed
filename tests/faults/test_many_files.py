"""Drill R4: somebody stores everything at once and reads it, while another person follows an answer.

Holds when every word of the answer arrives, in order; the event loops stay awake; memory is bounded; every file ends up
looked into, also when the worker is killed in the middle; and how far it is can be seen all the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import httpx2
import psutil
import pytest
from bench.following import Heard, follow
from bench.people import Person
from bench.streams import provider
from prometheus_client.parser import text_string_to_metric_families

from bench import cpu, people
from tests.documents.corpus import ROOT
from tests.faults.process import Workroom
from tests.faults.storing import Progress, storing
from workroom.core.loop_lag import LATE, STUCK
from workroom.core.waiting import wait_for

Serve = Callable[..., Workroom]
METRICS = "a token that reads numbers"
RATE = 20  # words a second
FEW = 0.1  # of all looks at a loop: a busy machine makes any process late now and then
LONG = "unstructured/pdf/DA-619p.pdf"
LARGEST = 200 * 1024 * 1024
MOST_MEMORY = 2_000_000_000  # serve, worker, four readers of documents and PostgreSQL together


@dataclass(frozen=True)
class Load:
    words: int  # of one answer
    seconds: float  # before we give up
    files: Callable[[Path], list[Path]]
    timed: bool  # whether a loop that was late fails: only where nothing else runs beside it
    done: int = 0  # files before the worker is killed


def some_files(folder: Path) -> list[Path]:
    """Twenty: first one large enough to be sent in several pieces, which is still worked on while small ones are done."""
    return [
        written(folder / "long.txt", ("a line of a long text\n" for _ in range(500_000))),
        written(folder / "table.csv", ("1,2,3,4\n" for _ in range(50_000))),
        *texts(folder, 18),
    ]


def very_many_files(folder: Path) -> list[Path]:
    """200 real documents, one of them of 619 pages, one file of 200 MB, and 1,000 small ones."""
    if not ROOT.is_dir():
        pytest.skip("No real documents here: set WORKROOM_TEST_DATA to the folder that holds `corpus`.")
    real = sorted(path for path in ROOT.rglob("*") if path.is_file())
    chosen = [ROOT / LONG, *[path for path in real if path != ROOT / LONG][:: max(1, len(real) // 199)][:199]]
    line = "what was written into the log, again and again\n"
    return [
        written(folder / "large.log", (line for _ in range(LARGEST // len(line) + 1))),
        *chosen,
        *texts(folder, 1000),
    ]


def texts(folder: Path, many: int) -> list[Path]:
    return [written(folder / f"{number}.txt", [f"Text {number}.\n\n" * 50]) for number in range(many)]


def written(path: Path, lines: Iterator[str] | Sequence[str]) -> Path:
    with path.open("w") as file:
        file.writelines(lines)
    return path


@dataclass
class House:
    """A workspace with a slow model, somebody who reads, and a look at all of its processes."""

    workroom: Workroom
    reader: Person
    peak: int = 0
    heard: list[Heard] = field(default_factory=list)

    async def answer(self, words: int) -> Heard:
        """One answer, as it was heard."""
        headers = {"Authorization": f"Bearer {self.reader.token}"}
        async with httpx2.AsyncClient(base_url=self.workroom.base_url, headers=headers, trust_env=False) as client:
            path = f"/api/workspace/{self.reader.instance}/input"
            asked = await client.post(path, json={"prompt": f"tokens={words} rate={RATE}"}, timeout=60)
            run_id = asked.raise_for_status().json()["runId"]
        follower = await follow(self.workroom.port, f"/api/runs/{run_id}/events", self.reader)
        await follower.finished.wait()
        follower.transport.close()
        self.heard.append(follower.heard)
        return follower.heard

    async def answers_until(self, over: asyncio.Event, words: int) -> list[Heard]:
        heard = [await self.answer(words)]
        while not over.is_set():
            heard.append(await self.answer(words))
        return heard

    async def watch_memory(self, over: asyncio.Event) -> None:
        while not await wait_for(over, 0.5):
            await asyncio.to_thread(self._look_at_memory)

    def _look_at_memory(self) -> None:
        processes = {process.pid: process for process in self.workroom.processes}
        for parent in tuple(processes.values()):
            with contextlib.suppress(psutil.NoSuchProcess):
                processes |= {child.pid: child for child in cpu.with_children(parent)}
        self.peak = max(self.peak, cpu.memory(list(processes.values())))

    def kill_worker(self) -> None:
        pid = self.workroom.worker_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def rows(self, sql: str) -> list[list[str]]:
        given = f"\\pset format unaligned\n\\pset tuples_only on\n{sql};\n"
        said = self.workroom.command("db", "psql", given=given).fine()
        return [line.split("|") for line in said.splitlines() if "|" in line]

    async def lags(self) -> dict[float, int]:
        """Of the server: how many looks were at most so late, by limit."""
        async with httpx2.AsyncClient(base_url=self.workroom.base_url, trust_env=False) as client:
            answer = await client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})
        return {
            float(sample.labels["le"]): int(sample.value)
            for family in text_string_to_metric_families(answer.raise_for_status().text)
            for sample in family.samples
            if sample.name == "workroom_loop_lag_seconds_bucket"
        }

    def held_up(self, since: int) -> list[float]:
        """By server and worker together, in seconds, where it was worth a line in the log."""
        lines = self.workroom.log[since:].splitlines()
        return [json.loads(line)["seconds"] for line in lines if "held up" in line and line.startswith("{")]


@pytest.fixture
async def crowd(data: Path, serve: Serve) -> AsyncIterator[tuple[House, Person]]:
    """The house, and whoever stores files in it."""
    with provider() as model:
        settings = {"MODEL_URL": model, "MODEL": "bench", "METRICS_TOKEN": METRICS, "LOG_LEVEL": "debug"}
        workroom = await asyncio.to_thread(serve, data, **settings)
        reader, other = await asyncio.to_thread(people.make, data, 2)
        yield House(workroom, reader), other
        await asyncio.to_thread(workroom.stop)


@pytest.mark.parametrize(
    "load",
    [
        pytest.param(Load(60, 240, some_files, timed=False), id="few"),
        pytest.param(Load(200, 1800, very_many_files, timed=True, done=300), id="many", marks=pytest.mark.drill),
    ],
)
async def test_an_answer_keeps_its_pace_while_everything_is_stored(
    crowd: tuple[House, Person], tmp_path: Path, load: Load
) -> None:
    house, person = crowd
    paths = await asyncio.to_thread(load.files, tmp_path)
    alone = await house.answer(load.words)
    before, written_so_far = await house.lags(), len(house.workroom.log)
    async with asyncio.timeout(load.seconds), storing(house.workroom.base_url, person) as busy:
        progress, over = Progress(busy), asyncio.Event()
        async with asyncio.TaskGroup() as group:
            answers = group.create_task(house.answers_until(over, load.words))
            stored = group.create_task(busy.all(paths))
            group.create_task(house.watch_memory(over))
            killed = await see_through(house, progress, stored, load.done)
            over.set()
        assert await busy.count(status="active") == len(paths)
    lags = {limit: count - before[limit] for limit, count in (await house.lags()).items()}
    late = house.held_up(written_so_far)
    print(
        f"\nfiles {len(paths)}, objects {busy.objects:,}, refused {dict(busy.refused)}, killed with {killed} left,"
        f" events {progress.events}, memory at most {house.peak / 1e6:.0f} MB"
    )
    print(told(alone, answers.result()))
    print(
        f"loop of the server: {lags[float('inf')]} looks, {lags[float('inf')] - lags[LATE]} late; late anywhere: {late}"
    )
    assert killed > 0, "the worker was killed while there was something to do"
    check_answers([alone, *answers.result()], load.words)
    check_progress(progress, len(paths))
    check_stored(house, busy.ids, len(paths))
    assert house.peak < MOST_MEMORY
    if load.timed:
        assert lags[float("inf")] - lags[LATE] <= max(3, FEW * lags[float("inf")]), f"late: {lags}"
        assert [seconds for seconds in late if seconds > STUCK] == []


async def see_through(house: House, progress: Progress, stored: asyncio.Task[None], done: int) -> int:
    """Until nothing is left to scan. The worker is killed when some are left and as many are done; answers how many were left."""
    killed = 0
    async for left in progress:
        if not killed and left and max(len(progress.storing.ids) - left, 0) >= done:
            killed = left
            house.kill_worker()
        if stored.done() and not left:
            return killed
    raise AssertionError("the stream of events never ends by itself")


def check_answers(heard: Sequence[Heard], words: int) -> None:
    """An answer that the killed worker was at is begun again; what counts is its last attempt."""
    assert sum(len(one.attempts) > 1 for one in heard) <= 1
    for one in heard:
        assert one.over == "completed"
        assert one.is_gapless
        assert one.attempts[max(one.attempts)] == words, "every word arrived, once"
        stamps = [int(stamp, 16) for stamp in "".join(one.texts).split()]
        assert all(first <= second for first, second in pairwise(stamps)), "in order"


def check_progress(progress: Progress, many: int) -> None:
    """Seen from outside it went on, not from all to nothing."""
    highest = progress.left.index(max(progress.left))
    assert progress.left[-1] == 0
    assert {left for left in progress.left[highest:] if 0 < left < many}, progress.left


def check_stored(house: House, ids: Sequence[str], many: int) -> None:
    assert len({UUID(id_) for id_ in ids}) == many
    rows = house.rows("select count(*), count(distinct name), count(distinct hash), sum(scanned) from workroom.files")
    files, names, hashes, looked = map(int, rows[0])
    assert (files, names, looked) == (many, many, many), "each is there once, and was looked into"
    blobs = [path for path in (house.workroom.data / "blobs").rglob("*") if path.is_file()]
    assert len(blobs) == hashes, "equal content once, and no draft is left"
    kinds = "select distinct hash, media_type from workroom.files"
    seen = house.rows(
        f"select count(*), count(c.hash) from ({kinds}) f left join workroom.contents c using (hash, media_type)"
    )
    assert seen[0][0] == seen[0][1], "what is in each is known, once"


def told(alone: Heard, under_load: Sequence[Heard]) -> str:
    """How old words were when they were heard, in milliseconds."""
    before, during = sorted(alone.ages), sorted(age for heard in under_load for age in heard.ages)
    late = sum(age > before[-1] for age in during)
    spread = [
        f"{name} p50 {ages[len(ages) // 2] * 1e3:.0f} p99 {ages[len(ages) * 99 // 100] * 1e3:.0f} most {ages[-1] * 1e3:.0f} ms"
        for name, ages in (("alone", before), ("beside the files", during))
    ]
    return f"age of words: {'; '.join(spread)}; of {len(during)} words {late} came later than any did alone"
