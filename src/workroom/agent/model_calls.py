"""One round's question to a model: the first of the chain that answers. Every try is an attempt of its own, paid for, and
voids what an earlier one had said."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import UUID

from workroom.agent.context_budget import size
from workroom.agent.ports import Attempts, Emit
from workroom.agent.waiting_notice import WaitingNotice
from workroom.core.messages import OpaquePart, Part, TextPart
from workroom.core.run_events import ChunkArrived, RunState, StatusChanged, ThoughtArrived
from workroom.core.tokens import Usage, estimate
from workroom.core.waiting import wait_for
from workroom.models.ports import (
    RETRY_PAUSES,
    Answer,
    Attempt,
    Compose,
    Model,
    ModelFailed,
    ModelRequest,
    ModelResponse,
    TextDelta,
    ThoughtDelta,
)
from workroom.usage.types import Purpose

PIECES: Mapping[type, type[ChunkArrived | ThoughtArrived]] = {TextDelta: ChunkArrived, ThoughtDelta: ThoughtArrived}
LONGEST_PAUSE = 60.0
LONGEST_WAIT = 600.0  # seconds for a try that came to nothing: it is not worth waiting as long again for the same model
# A refusal costs nothing. What broke off has been billed: the same model is asked once more, then one other, and no more.
MOST_BILLED_OF_MODEL = 2
MOST_BILLED = 3


@dataclass
class ModelCalls:
    models: Sequence[Model]
    journal: Attempts
    emit: Emit
    purpose: Purpose = Purpose.ROUND

    async def ask(self, compose: Compose, message_id: UUID) -> ModelResponse:
        """Providers stumble: each is tried again when that may help, then the next is asked."""
        failure = ModelFailed("No language model may be used here. Ask an administrator.", again=False)
        billed = 0
        for place, model in enumerate(self.models):
            if billed == MOST_BILLED:
                break
            if place:
                text = f"{failure.message} Asking {model.info.id} instead."
                details = {"model": model.info.id}
                self.emit(StatusChanged(state=RunState.RUNNING, text=text, activity="otherModel", details=details))
            try:
                most_billed = min(MOST_BILLED_OF_MODEL, MOST_BILLED - billed)
                return await self._patiently(model, compose(model.info), message_id, most_billed)
            except ModelFailed as failed:
                failure = failed
                billed += failed.billed
        raise failure

    async def _patiently(
        self, model: Model, request: ModelRequest, message_id: UUID, most_billed: int
    ) -> ModelResponse:
        billed = 0
        clock = asyncio.get_running_loop().time
        for pause in (*RETRY_PAUSES, None):
            began = clock()
            try:
                return await self._once(model, request, message_id)
            except ModelFailed as failure:
                billed += failure.billed
                failure.billed = billed
                hopeless = not failure.again or (failure.after or 0) > LONGEST_PAUSE or clock() - began > LONGEST_WAIT
                if pause is None or hopeless or billed == most_billed:
                    raise
                seconds = max(pause, failure.after or 0)
                text = f"{failure.message} Trying again in {seconds:g} s."
                details = {"provider": model.info.provider, "seconds": f"{seconds:g}", "code": failure.code}
                self.emit(StatusChanged(state=RunState.RUNNING, text=text, activity="retry", details=details))
                await wait_for(asyncio.Event(), seconds)
        raise AssertionError("the last try raises or returns")

    async def _once(self, model: Model, request: ModelRequest, message_id: UUID) -> ModelResponse:
        expected = size_of(request)
        output_tokens = min(request.max_output_tokens or model.info.output_tokens, model.info.output_tokens)
        attempt = await self.journal.attempt_began(model.info, expected, output_tokens, self.purpose, request.sections)
        collector = ResponseCollector(message_id, attempt, self.emit)
        written = attempt.written
        try:
            answer = await collector.collect(model, request)
        except ModelFailed as failure:
            # A refusal costs nothing; half an answer has been read and written for.
            was_billed = written.tokens > 0 or failure.used != Usage()
            most = replace(failure.used, output_tokens=max(failure.used.output_tokens, written.tokens))
            used = completed(most, expected, written.tokens) if was_billed else Usage()
            await self.journal.attempt_failed(model.info, used, assumed=was_billed)
            failure.billed = int(was_billed)
            raise
        used = completed(answer.usage, expected * answer.requests, written.tokens)
        assumed = used != answer.usage and not model.info.embedded
        if all(_is_nothing(part) for part in answer.parts):
            await self.journal.attempt_failed(model.info, used, assumed=assumed)
            nothing = ModelFailed("The model answered nothing.", again=True)
            nothing.billed = 1
            raise nothing
        return ModelResponse(answer, model.info, used, assumed)


@dataclass
class ResponseCollector:
    """Passes the text on as it comes; the whole answer is what counts."""

    message_id: UUID
    attempt: Attempt
    emit: Emit

    async def collect(self, model: Model, request: ModelRequest) -> Answer:
        limited = request.limited(self.attempt.max_output_tokens)
        lengths = {ChunkArrived: 0, ThoughtArrived: 0}
        notice = WaitingNotice(model.info, self.emit)
        with notice.waiting():
            async with aclosing(model.stream(limited)) as stream:  # whatever interrupts us also ends the call
                async for item in stream:
                    notice.began()
                    if isinstance(item, Answer):
                        return item
                    self.attempt.written.add(item.text)
                    kind = next((kind for delta, kind in PIECES.items() if isinstance(item, delta)), None)
                    if kind is None or not item.text:
                        continue
                    offset, number = lengths[kind], self.attempt.number
                    self.emit(kind(message_id=self.message_id, attempt=number, offset=offset, text=item.text))
                    lengths[kind] += len(item.text)
        raise ModelFailed("The model's answer broke off.", again=True)


def _is_nothing(part: Part) -> bool:
    """Thoughts and blanks are no answer."""
    return isinstance(part, OpaquePart) or (isinstance(part, TextPart) and not part.text.strip())


def completed(reported: Usage, expected: int, written: int) -> Usage:
    """What the provider reported, with our estimate of what it did not."""
    return replace(
        reported,
        input_tokens=reported.input_tokens or expected,
        output_tokens=reported.output_tokens or written,
    )


def size_of(request: ModelRequest) -> int:
    """About how many tokens the model will read."""
    return estimate(request.system) + sum(tool.tokens for tool in request.tools) + size(request.messages)
