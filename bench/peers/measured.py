"""Runs a peer's agent so many times and prints the CPU seconds it took per round. Standard library only."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable

from bench.peers.script import ROUNDS, RUNS, WARM, diary_of


async def measure(run: Callable[[str], Awaitable[int]]) -> None:
    """`run(diary)` answers how many rounds it made."""
    for number in range(WARM):
        await run(diary_of(number))
    began = time.process_time()
    for number in range(WARM, WARM + RUNS):
        rounds = await run(diary_of(number))
        if rounds != ROUNDS:
            raise RuntimeError(f"{rounds} rounds instead of {ROUNDS}")
    print(json.dumps((time.process_time() - began) / (RUNS * ROUNDS)))
