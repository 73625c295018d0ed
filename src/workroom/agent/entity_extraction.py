"""Has the cheap model read the results of a round for facts, once. Whatever goes wrong with that, the rules' facts stay."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from workroom.agent.entities.model_extraction import believed, request
from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import Journal, NewId, Progress
from workroom.core.errors import BudgetExceeded
from workroom.core.messages import ResultPart, TextPart
from workroom.core.results import ResultStatus
from workroom.core.run_events import RunEvent
from workroom.models.ports import Model, ModelFailed
from workroom.usage.types import Purpose


@dataclass
class EntityExtraction:
    models: Sequence[Model]
    journal: Journal
    new_id: NewId

    async def note(self, progress: Progress) -> None:
        """What the last round brought, unless it has been read already."""
        results = [
            part for part in progress.messages[-1].parts if isinstance(part, ResultPart) and _is_new(part, progress)
        ]
        asking = ModelCalls(
            [m for m in self.models if not m.info.embedded][:2], self.journal, _quietly, Purpose.ENTITIES
        )
        if not results or not asking.models:
            return
        progress.read_for_facts |= {part.call_id for part in results}  # not tried again and again
        message_id = self.new_id()
        try:
            heard = await asking.ask(lambda model: request(results, model, message_id), message_id)
        except (ModelFailed, BudgetExceeded):
            return
        text = "".join(part.text for part in heard.answer.parts if isinstance(part, TextPart))
        found = await asyncio.to_thread(believed, text, results)
        if found is None:
            await self.journal.attempt_failed(heard.model, heard.used, assumed=heard.assumed)
        else:
            await self.journal.noted(found, heard.model, heard.used, assumed=heard.assumed)


def _is_new(part: ResultPart, progress: Progress) -> bool:
    return part.result.status is not ResultStatus.ERROR and part.call_id not in progress.read_for_facts


def _quietly(_: RunEvent) -> None:
    """Drops the event: no reader follows an extraction."""
