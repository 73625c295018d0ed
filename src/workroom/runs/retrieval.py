"""Reads what files and notes say before every round of a run, and stores it with the message that the round comes after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from workroom.agent.context import visible
from workroom.agent.context_budget import recent
from workroom.agent.ports import Progress
from workroom.core.messages import MaterialPart, Message, ResultPart, Role, TextPart
from workroom.core.run_events import RunState, StatusChanged
from workroom.core.tokens import estimate
from workroom.documents.references import without_mentions
from workroom.knowledge.materials import DEGRADED
from workroom.models.ports import ModelInfo
from workroom.notes.question_notes import QuestionNotes
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.journal import DatabaseJournal
from workroom.runs.ports import Materials
from workroom.runs.types import Claim
from workroom.runs.workspace_overview import RunWorkspaceOverview
from workroom.studio.references import names_of_blocks

SHARE_FOR_MATERIAL: Final = 4  # of the window is for what is read for a question: a quarter, in all its rounds
LONGEST_ARGUMENT: Final = 300  # characters: what is longer is being written, not looked for
LEAST_WORDS: Final = (
    3  # names of files, ids and options say nothing of what is looked for; of Chinese as many characters
)
_WORDS: Final = re.compile(r"[\u3400-\u9fff]|(?<!\S)[^\W\d_]{2,}")


class RunRetrieval:
    def __init__(
        self,
        materials: Materials,
        notes: QuestionNotes,
        claim: Claim,
        journal: DatabaseJournal,
        model: ModelInfo,
        buffer: EventBuffer,
        overview: RunWorkspaceOverview | None = None,
    ) -> None:
        self._materials, self._notes, self._claim, self._journal = materials, notes, claim, journal
        self._model, self._buffer, self._overview = model, buffer, overview

    async def before_round(self, progress: Progress) -> None:
        """Once for each round: what the model sees of it stays the same in every session of the run."""
        place = progress.begins if not progress.rounds else _last_answer(progress)
        if place is None or self._is_read(message := progress.messages[place]):
            return
        parts = await (self._later(progress, message) if progress.rounds else self._first(progress, message))
        if parts:
            progress.messages[place] = await self._journal.materials_read(message, parts)
        if any(map(_is_degraded, parts)):
            self._buffer.emit(StatusChanged(state=RunState.RUNNING, text=DEGRADED))

    async def _first(self, progress: Progress, question: Message) -> list[MaterialPart]:
        history = progress.messages[: progress.begins]
        before = [message.text for message in history if message.role is Role.USER]
        # Without a language model the answer is what was found for this question, and nothing else. What was found for an earlier
        # answer to this very question is replaced.
        shown = set[str]() if self._model.embedded else _marks(self._before_it(progress, question))
        principal, instance_id, tokens = self._journal.principal, self._claim.instance_id, self._tokens(progress)
        notes = [] if self._model.embedded else await self._notes.of(principal, instance_id, question.text, tokens)
        tokens -= sum(estimate(part.text) for part in notes)
        about_files = await self._without_blocks(question)
        return [*notes, *await self._materials.of(principal, instance_id, about_files, tokens, before, shown)]

    async def _without_blocks(self, question: Message) -> Message:
        """In the conversation about a project, `@name` means a block before a file of that name."""
        outline = await self._overview.outline() if self._overview and "@" in question.text else None
        if outline is None:
            return question
        means_block = names_of_blocks(outline.tree)
        parts = [
            part.model_copy(update={"text": without_mentions(part.text, means_block)})
            if isinstance(part, TextPart)
            else part
            for part in question.parts
        ]
        return question.model_copy(update={"parts": parts})

    async def _later(self, progress: Progress, answer: Message) -> list[MaterialPart]:
        text, own = sought(answer), progress.own
        if self._model.embedded or not text or any(_is_degraded(part) for part in own[0].materials):
            return []
        shown = _marks([*self._before_it(progress, answer), *own])
        principal, instance_id = self._journal.principal, self._claim.instance_id
        return list(await self._materials.more(principal, instance_id, text, self._tokens(progress), shown))

    def _before_it(self, progress: Progress, message: Message) -> list[Message]:
        """What the model has before it word for word, besides this message: no summary stands for it, and it is not cut first."""
        seen = visible(progress, self._model.context_tokens)
        return recent([other for other in seen if other.id != message.id])

    def _tokens(self, progress: Progress) -> int:
        read = sum(estimate(part.text) for message in progress.own for part in message.materials if self._is_own(part))
        return max(0, self._model.context_tokens // SHARE_FOR_MATERIAL - read)

    def _is_read(self, message: Message) -> bool:
        return any(map(self._is_own, message.materials))

    def _is_own(self, part: MaterialPart) -> bool:
        return part.read_in == self._claim.key.run_id


def sought(answer: Message) -> str:
    """What an agent is after: its own words, and what it called tools with, as far as they say something."""
    arguments = [text for call in answer.calls for text in _texts(call.arguments)]
    return "\n".join(text for text in (answer.text.strip(), *arguments) if len(_WORDS.findall(text)) >= LEAST_WORDS)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) <= LONGEST_ARGUMENT:
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _last_answer(progress: Progress) -> int | None:
    """Where the answer is whose calls have their results now."""
    own = range(len(progress.messages) - 1, progress.begins, -1)
    return next((place for place in own if progress.messages[place].role is Role.ASSISTANT), None)


def _marks(messages: list[Message]) -> set[str]:
    """Of every passage in them, whether it was found before a round or by a tool."""
    found = {part.mark for message in messages for part in message.materials if part.mark}
    results = [part.result for message in messages for part in message.parts if isinstance(part, ResultPart)]
    return found | {source.mark for result in results for source in result.sources}


def _is_degraded(part: MaterialPart) -> bool:
    return part.kind == "note" and part.label == DEGRADED
