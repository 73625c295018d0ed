"""All chosen tasks, one after the other, on one server. Each outcome is printed as soon as it is known."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from evals.tools.outcome_log import OutcomeLog
from evals.tools.runner import Outcome, TaskRunner
from evals.tools.server import async_client, served
from evals.tools.tasks import Task
from workroom.models.offers import Offer
from workroom.models.ports import ModelFailed


@dataclass
class Evaluation:
    """`outcomes` are those there are so far: whoever interrupts keeps them."""

    offer: Offer
    limit_seconds: float
    log: OutcomeLog
    outcomes: list[Outcome] = field(default_factory=list)

    def evaluate(self, tasks: Sequence[Task]) -> None:
        print(f"{self.offer.ref}: {len(tasks)} tasks, each for at most {self.limit_seconds:g} s.", flush=True)
        with tempfile.TemporaryDirectory(prefix="wr-evals-") as folder, served(self.offer, Path(folder)) as session:
            asyncio.run(self._run(session, tasks))

    async def _run(self, session: httpx2.Client, tasks: Sequence[Task]) -> None:
        """One after the other: local models answer one question at a time, and seconds are to be comparable."""
        async with async_client(session) as client:
            runner = TaskRunner(client, self.offer.ref, self.limit_seconds)
            for number, task in enumerate(tasks, start=1):
                outcome = await runner.run(task)
                if outcome.unanswered and not self.outcomes:
                    raise ModelFailed(f"{self.offer.ref} does not answer: {outcome.problems[0]}", again=False)
                self.outcomes.append(outcome)
                self.log.add(outcome)
                verdict = "yes" if outcome.success else f"no: {'; '.join(outcome.problems)}"
                print(f"{number}/{len(tasks)} {task.id} ({outcome.seconds:.0f} s): {verdict}", flush=True)
