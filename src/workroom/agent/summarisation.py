"""Makes the summaries that the next question will need, with the cheap model. Where that fails it goes on without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import NewId, Progress, SummaryJournal
from workroom.agent.rounds import rounds_of
from workroom.agent.summaries import RoundSpan, Summary, applying, is_private, missing, request
from workroom.core.errors import BudgetExceeded
from workroom.core.messages import TextPart
from workroom.core.run_events import RunEvent
from workroom.models.ports import Model, ModelFailed
from workroom.usage.types import Purpose


@dataclass
class Summarisation:
    models: Sequence[Model]
    journal: SummaryJournal
    new_id: NewId
    _given_up: set[RoundSpan] = field(default_factory=set)

    async def remember(self, progress: Progress) -> None:
        """What the next round should find summed up."""
        rounds, _ = rounds_of(progress.messages)
        asking = ModelCalls(
            [m for m in self.models if not m.info.embedded][:2], self.journal, _quietly, Purpose.SUMMARY
        )
        for span in missing(applying(progress.summaries, rounds), len(rounds) + 1):
            if span in self._given_up or not asking.models:
                continue
            known = applying(progress.summaries, rounds)
            try:
                heard = await asking.ask(lambda model, s=span, k=known: request(s, k, rounds, model), self.new_id())  # type: ignore[misc]
            except (ModelFailed, BudgetExceeded):
                self._given_up.add(span)
                return
            text = "".join(part.text for part in heard.answer.parts if isinstance(part, TextPart)).strip()
            if not text:
                await self.journal.attempt_failed(heard.model, heard.used, assumed=heard.assumed)
                self._given_up.add(span)
                return
            private = is_private(span, known, rounds)
            summary = Summary(span.first, span.last, rounds[span.last - 1].answer_id, text, private)
            await self.journal.summarised(summary, heard.model, heard.used, assumed=heard.assumed)
            progress.summaries.append(summary)


def _quietly(_: RunEvent) -> None:
    """Drops the event: no reader follows a summary."""
