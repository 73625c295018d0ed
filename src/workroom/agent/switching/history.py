"""How a new agent is shown what was said before it came, by the `contextualMemory` of the model that is asked. Pure.

    high    as it was: the model keeps its agents apart by itself
    medium  as one quoted transcript in front of what the user says, so that no old answer looks like its own
    low     as what is left of it: the summary, if there is one, and the beginning of the last exchanges

It stays so in every later round and answer: an agent's own words begin where it began.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.agent.rounds import rounds_of
from workroom.agent.summaries import SUMMED_UP
from workroom.core.messages import FilePart, Message, ResultPart, Role, TextPart
from workroom.models.catalogue.strategies import Degree

QUOTED = "[What was said before"
LONGEST_RESULT = 1_000  # characters of a tool's result in a transcript
LAST_EXCHANGES = 2
LONGEST_LINE = 400  # characters of what was said in them


def retold(
    seen: Sequence[Message], old: frozenset[UUID], question: UUID, names: Mapping[UUID, str], memory: Degree
) -> list[Message]:
    """`seen` is what the model would be shown; `old` are those messages in it that are before the new agent's time."""
    if memory is Degree.HIGH:
        return list(seen)
    before = [message for message in seen if message.id in old and message.id != question]
    rest = [message for message in seen if message.id not in old or message.id == question]
    if not before:
        return rest
    told = TextPart(text=_transcript(before, names, memory))
    if rest and rest[0].role is Role.USER:  # many models insist on taking turns
        return [rest[0].model_copy(update={"parts": [told, *rest[0].parts]}), *rest[1:]]
    return [Message(id=before[0].id, role=Role.USER, parts=[told]), *rest]


def _transcript(before: Sequence[Message], names: Mapping[UUID, str], memory: Degree) -> str:
    agents = list(dict.fromkeys(names[message.id] for message in before if message.id in names))
    between = f", between the user and {', '.join(agents)}" if agents else ""
    texts = [part for message in before for part in message.parts if isinstance(part, TextPart)]
    summaries = [part.text for part in texts if _is_summary(part)]
    spoken = before if memory is Degree.MEDIUM else _last(before)
    longest = LONGEST_RESULT if memory is Degree.MEDIUM else None
    lines = [line for message in spoken for line in _lines(message, names, longest)]
    if memory is Degree.LOW:
        lines = [_cut(line, LONGEST_LINE) for line in lines]
    return "\n\n".join([f"{QUOTED}{between}]", *summaries, *lines, "[End of what was said before]"])


def _last(before: Sequence[Message]) -> list[Message]:
    rounds, since = rounds_of(before)
    return [message for round in rounds[-LAST_EXCHANGES:] for message in round.messages] + since


def _lines(message: Message, names: Mapping[UUID, str], longest_result: int | None) -> list[str]:
    """Who said it and what. Results only where there is room for them; material was read for one question and is not told."""
    if message.role is Role.TOOL:
        results = [part for part in message.parts if isinstance(part, ResultPart)]
        return [f"({r.tool}: {_cut(r.result.text(), longest_result)})" for r in results] if longest_result else []
    said = [part.text for part in message.parts if isinstance(part, TextPart) and not _is_summary(part)]
    files = [part.prompt_text for part in message.parts if isinstance(part, FilePart)]
    text = "\n".join([*said, *files]).strip()
    who = "User" if message.role is Role.USER else names.get(message.id, "Agent")
    return [f"{who}: {text}"] if text else []


def _is_summary(part: TextPart) -> bool:
    return part.text.startswith(SUMMED_UP)


def _cut(text: str, longest: int | None) -> str:
    return text if longest is None or len(text) <= longest else f"{text[:longest]}…"
