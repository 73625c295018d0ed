"""All chosen tasks or scenarios, one after the other, on one server. Each outcome is printed as soon as it is known."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import httpx2

from evals.outcomes import Outcome
from evals.server import async_client, served
from workroom.models.offers import Offer
from workroom.models.ports import ModelFailed

Item = TypeVar("Item")
Result = TypeVar("Result", bound=Outcome)
Run = Callable[[Item], Awaitable[Result]]


@dataclass
class Evaluation(Generic[Item, Result]):
    """`outcomes` are those there are so far: whoever interrupts keeps them. `runs` makes of a client what carries out an item,
    `keep` gets every outcome at once."""

    offer: Offer
    noun: str
    limit_seconds: float
    runs: Callable[[httpx2.AsyncClient], Run[Item, Result]]
    keep: Callable[[Result], None]
    outcomes: list[Result] = field(default_factory=list)

    def evaluate(self, items: Sequence[Item]) -> None:
        print(f"{self.offer.ref}: {len(items)} {self.noun}, each for at most {self.limit_seconds:g} s.", flush=True)
        with tempfile.TemporaryDirectory(prefix="wr-evals-") as folder, served(self.offer, Path(folder)) as session:
            asyncio.run(self._run(session, items))

    async def _run(self, session: httpx2.Client, items: Sequence[Item]) -> None:
        """One after the other: local models answer one question at a time, and seconds are to be comparable."""
        async with async_client(session) as client:
            run = self.runs(client)
            for number, item in enumerate(items, start=1):
                outcome = await run(item)
                first = not self.outcomes
                self.outcomes.append(outcome)
                self.keep(outcome)
                verdict = "yes" if outcome.success else f"no: {'; '.join(outcome.problems)}"
                seconds = outcome.figures.seconds
                print(f"{number}/{len(items)} {outcome.id} ({seconds:.0f} s): {verdict}", flush=True)
                if first and outcome.unanswered:
                    raise ModelFailed(f"{self.offer.ref} does not answer: {outcome.problems[0]}", again=False)
