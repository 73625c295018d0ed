"""What the model gets to see: the system prompt, and of the conversation as much as matters and fits.

By priority within the window: the question, the newest rounds as they were said, summaries of what is long ago, older
results. A result that is too long is shown by its first page, with a note how to read on: one oversized result must not
push everything else out, nor be paid for in every round.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from workroom.agent.fitting import fit
from workroom.agent.ports import AgentSpec, Progress
from workroom.agent.rounds import rounds_of
from workroom.agent.sections import prompt, sections
from workroom.agent.summaries import Summary, applying, covering, plan
from workroom.agent.tool import Tool
from workroom.core.messages import Message, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import estimate
from workroom.models.ports import Forcing, ModelInfo, ModelRequest

PAGE = 20_000  # characters
NOTE = 400  # a page that was asked for comes with its note


SUMMED_UP = "[Summary of the conversation so far]"
SHARE_FOR_ANSWER = 4  # at least a quarter of the window is left for the answer
ROOM = 0.95  # estimates err


def compose(
    progress: Progress,
    spec: AgentSpec,
    tools: Mapping[str, Tool],
    model: ModelInfo,
    *,
    forcing: Forcing,
    order: str = "",
    output_tokens: int | None = None,
) -> ModelRequest:
    """Stable first: sections and tools, then history, then what is only for this round (`order`)."""
    system = prompt(sections(spec, tools.values()), order)
    schemas = tuple(tool.schema for tool in tools.values()) if forcing is not Forcing.NONE else ()
    said = estimate(system) + sum(estimate(f"{s.name} {s.description} {s.parameters}") for s in schemas)
    answer = min(output_tokens or model.output_tokens, model.context_tokens // SHARE_FOR_ANSWER)
    room = int((model.context_tokens - answer) * ROOM) - said
    return ModelRequest(
        system=system,
        messages=tuple(fit([_shortened(message) for message in visible(progress)], room)),
        tools=schemas,
        forcing=forcing,
        temperature=spec.temperature,
        max_output_tokens=answer,
        language=spec.language,
    )


def visible(progress: Progress) -> list[Message]:
    """Summaries instead of what they cover; and always the question this run answers."""
    rounds, since = rounds_of(progress.messages)
    known = applying(progress.summaries, rounds)
    reach = max((span.last for span in plan(len(rounds) + 1)), default=0)
    used: list[Summary] = []
    for piece in covering(known, 1, reach):
        if not isinstance(piece, Summary):
            break  # what could not be summed up is shown as it was said
        used.append(piece)
    if not used:
        return list(progress.messages)
    rest = [message for round in rounds[used[-1].last :] for message in round.messages] + since
    question = progress.messages[progress.begins]
    told = TextPart(text="\n\n".join([SUMMED_UP, *(summary.text for summary in used)]))
    if question not in rest:
        return [question.model_copy(update={"parts": [told, *question.parts]}), *rest]
    if rest[0].role is Role.USER:  # many models insist on taking turns
        return [rest[0].model_copy(update={"parts": [told, *rest[0].parts]}), *rest[1:]]
    return [Message(id=question.id, role=Role.USER, parts=[told]), *rest]


def page_of(text: str, page: int, call_id: UUID) -> str:
    """One page of a long result, from 1, with where it is and how to go on."""
    pages = max(1, -(-len(text) // PAGE))
    part = text[(page - 1) * PAGE : page * PAGE]
    if pages == 1:
        return part
    more = f" Call readResult with callId {call_id} and page {page + 1} for more." if page < pages else ""
    return f"{part}\n[page {page} of {pages}, {len(text):,} characters in all.{more}]"


def _shortened(message: Message) -> Message:
    parts = [_first_page(part) if isinstance(part, ResultPart) else part for part in message.parts]
    return message if parts == message.parts else message.model_copy(update={"parts": parts})


def _first_page(part: ResultPart) -> ResultPart:
    text = part.result.text()
    if len(text) <= PAGE + NOTE:
        return part
    shown = ToolResult(status=part.result.status, message=page_of(text, 1, part.call_id))
    return part.model_copy(update={"result": shown})
