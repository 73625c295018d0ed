"""What the model gets to see: the system prompt, and of the conversation as much as matters and fits.

By priority within the window, what matters most first; when it does not fit, the last in this list is shortened first:

1. the prompt: sections, tools, and the question
2. passages of the workspace's files that were read for the question, and what it points at
3. facts known of the conversation (`entities/prompt_section.py`); they never take more than a small share of the window
4. passages of files shared with everybody
5. summaries of what is long ago
6. results of the last rounds, and before them whole rounds and results of long ago

A result that is too long is shown by its first page, with a note how to read on: one oversized result must not push
everything else out, nor be paid for in every round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from workroom.agent.compact_schema import without_optional_dates
from workroom.agent.context_budget import cut, size, spare
from workroom.agent.entities.prompt_section import known as facts_section
from workroom.agent.entities.types import Entity
from workroom.agent.ports import AgentSpec, Progress, WorkspaceState
from workroom.agent.prompt_sections import prompt, sections
from workroom.agent.rounds import rounds_of
from workroom.agent.section_tokens import section_tokens
from workroom.agent.summaries import READ_CONVERSATION, SUMMED_UP, Summary, applying, covering, plan, words_hint
from workroom.agent.switching.history import retold
from workroom.agent.switching.reset import AgentIdentity, reset
from workroom.agent.tool import Tool
from workroom.agent.tool_offer import offered, reads_files
from workroom.core.messages import Message, Part, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import estimate
from workroom.models.catalogue.strategies import Handling, SwitchStrategy
from workroom.models.ports import Forcing, ModelInfo, ModelRequest

PAGE = 20_000  # characters
READ_RESULT = "readResult"
UNKNOWN_WORKSPACE = WorkspaceState()
NOTE = 400  # a page that was asked for comes with its note


SHARE_FOR_ANSWER = 4  # at least a quarter of the window is left for the answer
ROOM = 0.95  # estimates err


def compose(
    progress: Progress,
    spec: AgentSpec,
    tools: Mapping[str, Tool],
    model: ModelInfo,
    *,
    forcing: Forcing,
    only: str | None = None,
    workspace: WorkspaceState = UNKNOWN_WORKSPACE,
    known: Sequence[Entity] = (),
    order: str = "",
    output_tokens: int | None = None,
) -> ModelRequest:
    """What changes least comes first, so that caches of providers and servers know the beginning: instructions and tools, what
    is in the workspace, the conversation. What is known of it (`known`) changes often and stands with the question. `only`:
    the one tool that may be called, and `order` are for this round alone."""
    if model.embedded:  # it takes nothing for its own words, and reads what was typed as it is
        progress, known = replace(progress, past=None), ()
    strategy = model.strategy
    reset_text = _reset(progress, spec, strategy)
    answer = min(output_tokens or model.output_tokens, model.context_tokens // SHARE_FOR_ANSWER)
    window = int((model.context_tokens - answer) * ROOM)
    if not model.embedded:
        tools = offered(tools, workspace.contents, progress.messages)
    tools = _without_idle(tools, progress, window, model.context_tokens)
    stable = sections(spec, tools, reset_text, cites=_reads_files(tools, progress.messages))
    facts = facts_section(known, progress.messages[progress.begins].text, model.context_tokens)
    told = [
        tool.schema if model.embedded else tool.prompt_schema for name, tool in tools.items() if only in (None, name)
    ]
    if only and not any(char.isdigit() for char in progress.messages[progress.begins].text):
        told = [replace(schema, parameters=without_optional_dates(schema.parameters)) for schema in told]
    schemas = tuple(told) if forcing is not Forcing.NONE else ()
    system = prompt(stable, workspace.section, order)
    room = window - sum(schema.tokens for schema in schemas) - estimate(system)
    prefix = reset_text if Handling.LEGACY in strategy.handling else ""
    shown = _prepend_to_last_question(_with_past_rewritten(progress, strategy, model.context_tokens), prefix)
    messages = spare([_shortened(message) for message in shown], room - estimate(facts))
    if size(messages) + estimate(facts) > room:
        facts = ""
    messages = cut(_prepend_to_last_question(messages, facts), room)
    return ModelRequest(
        system=system,
        messages=tuple(messages),
        tools=schemas,
        forcing=forcing,
        temperature=spec.temperature,
        max_output_tokens=answer,
        language=spec.language,
        team=spec.team if model.embedded else "",
        sections=section_tokens(prompt(stable, order), workspace.section, facts, schemas, messages),
    )


def _without_idle(
    tools: Mapping[str, Tool], progress: Progress, window: int, context_tokens: int
) -> Mapping[str, Tool]:
    """Without what reads on where something is left out, if nothing is."""
    idle = set()
    if not is_shortened(progress, window, context_tokens):
        idle.add(READ_CONVERSATION)
        if not any(_is_long(part) for message in progress.messages for part in message.parts):
            idle.add(READ_RESULT)
    return {name: tool for name, tool in tools.items() if name not in idle}


def _reads_files(tools: Mapping[str, Tool], messages: Sequence[Message]) -> bool:
    return any(tool.needs == "files" for tool in tools.values()) or reads_files(messages)


def _reset(progress: Progress, spec: AgentSpec, strategy: SwitchStrategy) -> str:
    """For the first answer in words after a switch."""
    past = progress.past
    if past is None or past.ended is None:
        return ""
    if any(message.role is Role.ASSISTANT and message.text.strip() for message in progress.messages[past.until :]):
        return ""
    return reset(past.ended, AgentIdentity(spec.name, spec.instructions), strategy, spec.language)


def _with_past_rewritten(progress: Progress, strategy: SwitchStrategy, context_tokens: int) -> list[Message]:
    past, seen = progress.past, visible(progress, context_tokens)
    if past is None:
        return seen
    old = frozenset(message.id for message in progress.messages[: past.until])
    return retold(seen, old, progress.messages[progress.begins].id, past.names, strategy.memory)


def _prepend_to_last_question(messages: list[Message], text: str) -> list[Message]:
    """Where it is read last and changes nothing before it; and by models that ignore system prompts."""
    place = next((at for at in reversed(range(len(messages))) if messages[at].role is Role.USER), None)
    if not text or place is None:
        return messages
    question = messages[place]
    prepended = question.model_copy(update={"parts": [TextPart(text=f"{text}\n\n"), *question.parts]})
    return [*messages[:place], prepended, *messages[place + 1 :]]


def has_outgrown(progress: Progress, context_tokens: int) -> bool:
    """Whether the conversation fills more than its share of the window, so that summaries begin."""
    return size([_shortened(message) for message in progress.messages]) > progress.summarise_above * context_tokens


def is_shortened(progress: Progress, room: int, context_tokens: int) -> bool:
    """Whether the model does not see all that was said: summaries stand for some of it, or it does not fit."""
    shown = visible(progress, context_tokens)
    return shown != progress.messages or size([_shortened(message) for message in shown]) > room


def visible(progress: Progress, context_tokens: int) -> list[Message]:
    """Summaries instead of what they cover, where the conversation has outgrown its share of the window; and always the question
    this run answers."""
    if not has_outgrown(progress, context_tokens):
        return list(progress.messages)
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
    summary_part = TextPart(text="\n\n".join([SUMMED_UP, *(summary.text for summary in used), words_hint()]))
    if question not in rest:
        return [question.model_copy(update={"parts": [summary_part, *question.parts]}), *rest]
    if rest[0].role is Role.USER:  # many models insist on taking turns
        return [rest[0].model_copy(update={"parts": [summary_part, *rest[0].parts]}), *rest[1:]]
    return [Message(id=question.id, role=Role.USER, parts=[summary_part]), *rest]


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


def _is_long(part: Part) -> bool:
    return isinstance(part, ResultPart) and len(part.result.text()) > PAGE + NOTE


def _first_page(part: ResultPart) -> ResultPart:
    if not _is_long(part):
        return part
    text = part.result.text()
    shown = ToolResult(status=part.result.status, message=page_of(text, 1, part.call_id))
    return part.model_copy(update={"result": shown})
