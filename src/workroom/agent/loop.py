"""Ask, act, again. Starting, going on after a crash and going on after a pause are this one function.

It looks at what is stored, does the next thing, stores it, and so on until the model has nothing left to ask for or a
limit is reached. It knows neither a database nor HTTP; limits and interruptions are in plain sight.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from uuid import UUID

from workroom.agent.calls import carry_out
from workroom.agent.context import for_model
from workroom.agent.ports import AgentSpec, Emit, Journal, NewId, OpenCall, Progress
from workroom.agent.tool import Tool
from workroom.core.messages import CallPart, Message, OpaquePart, ResultPart, Role, TextPart
from workroom.core.run_events import ChunkArrived, RoundStarted, RunState, StatusChanged
from workroom.core.waiting import wait_for
from workroom.models.ports import Answer, Forcing, Model, ModelFailed, ModelRequest, TextDelta

PAUSES = (1.0, 2.0, 4.0)  # seconds before the second, third and fourth try
LONGEST_PAUSE = 60.0
SUM_UP = (
    "You have reached the limit of {limit} rounds for this answer. Do not ask for tools any more: sum up in a few "
    "sentences what is done, what was found, and what is left to do."
)


async def advance(
    progress: Progress,
    spec: AgentSpec,
    model: Model,
    tools: Mapping[str, Tool],
    journal: Journal,
    emit: Emit,
    new_id: NewId,
) -> RunState:
    """Go on from wherever the run stands until it ends; answers how."""
    while True:
        if progress.open_calls:
            await _act(progress, tools, journal, emit)
            continue
        last = progress.messages[-1]
        if last.role is Role.ASSISTANT:
            return RunState.COMPLETED if progress.rounds <= spec.max_rounds else RunState.MAX_ROUNDS
        await _ask(progress, spec, model, tools, journal, emit, new_id)


async def _ask(
    progress: Progress,
    spec: AgentSpec,
    model: Model,
    tools: Mapping[str, Tool],
    journal: Journal,
    emit: Emit,
    new_id: NewId,
) -> None:
    """One round: one model call. Past the limit it is the last one, without tools, to sum up: never a silent end."""
    over = progress.rounds >= spec.max_rounds
    if not over:
        emit(RoundStarted(round=progress.rounds + 1, max_rounds=spec.max_rounds))
    request = ModelRequest(
        system=spec.instructions + ("\n\n" + SUM_UP.format(limit=spec.max_rounds) if over else ""),
        messages=for_model(progress.messages),
        tools=() if over else tuple(tool.schema for tool in tools.values()),
        forcing=Forcing.NONE if over else spec.forcing if progress.rounds == 0 else Forcing.AUTO,
        temperature=spec.temperature,
    )
    message_id = new_id()
    answer = await _patiently(model, request, message_id, journal, emit)
    parts = [part for part in answer.parts if not (over and isinstance(part, CallPart))]
    if all(isinstance(part, OpaquePart) for part in parts):
        raise ModelFailed("The model answered nothing.", again=False)
    message = Message(id=message_id, role=Role.ASSISTANT, parts=parts)
    progress.messages.append(message)
    progress.rounds += 1
    progress.usage += answer.usage
    progress.open_calls = [OpenCall(part) for part in message.calls]
    await journal.answered(message, answer.usage)


async def _patiently(model: Model, request: ModelRequest, message_id: UUID, journal: Journal, emit: Emit) -> Answer:
    """Providers stumble. Each try is an attempt of its own: what an earlier one had said is void."""
    for pause in (*PAUSES, None):
        attempt = await journal.attempt_began()
        try:
            return await _listen(model, request, message_id, attempt, emit)
        except ModelFailed as failure:
            if pause is None or not failure.again or (failure.after or 0) > LONGEST_PAUSE:
                raise
            seconds = max(pause, failure.after or 0)
            emit(StatusChanged(state=RunState.RUNNING, text=f"{failure.message} Trying again in {seconds:g} s."))
            await wait_for(asyncio.Event(), seconds)
    raise AssertionError("the last try raises or returns")


async def _listen(model: Model, request: ModelRequest, message_id: UUID, attempt: int, emit: Emit) -> Answer:
    """Pass the text on as it comes; the whole answer is what counts."""
    offset = 0
    async with aclosing(model.stream(request)) as saying:  # whatever interrupts us also ends the call
        async for said in saying:
            if isinstance(said, Answer):
                return said
            if isinstance(said, TextDelta) and said.text:
                emit(ChunkArrived(message_id=message_id, attempt=attempt, offset=offset, text=said.text))
                offset += len(said.text)
    raise ModelFailed("The model's answer broke off.", again=True)


async def _act(progress: Progress, tools: Mapping[str, Tool], journal: Journal, emit: Emit) -> None:
    """Carry out what the last answer asked for, and put the results where the next call will read them."""
    results = await carry_out(progress.open_calls, tools, journal, emit)
    message = progress.messages[-1]
    if message.role is Role.TOOL:  # some calls had finished before a crash
        earlier = message.parts
        progress.messages.pop()
        message = progress.messages[-1]
    else:
        earlier = []
    made = [
        ResultPart(call_id=c.part.call_id, tool=c.part.tool, result=results[c.part.call_id])
        for c in progress.open_calls
    ]
    progress.messages.append(results_message(message, [*earlier, *made]))
    progress.open_calls = []


def results_message(asked: Message, parts: Sequence[object]) -> Message:
    """The results of an answer's calls, in the order in which they were asked for."""
    by_id = {part.call_id: part for part in parts if isinstance(part, ResultPart)}
    ordered = [by_id[call.call_id] for call in asked.calls if call.call_id in by_id]
    return Message(id=asked.id, role=Role.TOOL, parts=list(ordered))


def user_message(message_id: UUID, text: str) -> Message:
    return Message(id=message_id, role=Role.USER, parts=[TextPart(text=text)])
