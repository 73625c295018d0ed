"""Into the model's window, whatever happens: what matters least is shortened first.

In this order: results of tools and material of questions long ago, whole rounds long ago, results of the last rounds, the
summary, passages of files shared with everybody, and at the very last whatever is longest, also the words of the user. A
call never stays without its result: rounds are left out whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workroom.agent.rounds import rounds_of
from workroom.agent.summaries import READ_CONVERSATION, SUMMED_UP
from workroom.agent.switching.history import QUOTED
from workroom.core.messages import MaterialPart, Message, Part, ResultPart, SkillPart, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import estimate

PER_MESSAGE = 8
PER_IMAGE = 1_600
RECENT = 2  # rounds whose results are kept as long as possible
SHORT = 400  # characters left of a result that is shortened
LEFT_OUT = f"[Earlier messages are left out here, because they do not fit any more: {READ_CONVERSATION} shows them.]"


def size(messages: Sequence[Message]) -> int:
    """About how many tokens a model reads in them."""
    return sum(map(size_of, messages))


def size_of(message: Message) -> int:
    pictures = sum(part.type == "image" for part in message.parts)
    return PER_MESSAGE + PER_IMAGE * pictures + estimate(message.readable)


def spare(messages: Sequence[Message], tokens: int) -> list[Message]:
    """Everything but the last resort, as far as it takes; it may still be too much. The first message stays: it carries the
    summary and the question, or the beginning of the conversation."""
    kept = list(messages)
    kept = _shorten_results(kept, tokens, until=_start_of_recent(kept), materials=True)
    kept = _leave_out_rounds(kept, tokens)
    kept = _shorten_results(kept, tokens, until=len(kept))
    kept = _shorten(kept, tokens, _is_summary)
    return _shorten(kept, tokens, _is_shared)


def _is_summary(part: Part) -> bool:
    return isinstance(part, TextPart) and part.text.startswith((SUMMED_UP, QUOTED))


def _is_shared(part: Part) -> bool:
    return isinstance(part, MaterialPart) and part.shared


def _shorten(messages: list[Message], tokens: int, may_shorten: Callable[[Part], bool]) -> list[Message]:
    """Such parts lose their middle, from the last to the first: what was found first fits best."""
    for place in reversed(range(len(messages))):
        parts = list(messages[place].parts)
        for at in reversed(range(len(parts))):
            over = size(messages) - tokens
            if over <= 0:
                return messages
            text = _text(parts[at])
            if may_shorten(parts[at]) and len(text) > 2 * SHORT:
                parts[at] = _with_text(parts[at], _middle_out(text, max(SHORT, len(text) - 5 * over)))
                messages[place] = messages[place].model_copy(update={"parts": list(parts)})
    return messages


def recent(messages: Sequence[Message]) -> list[Message]:
    """What is shortened last: a model has it before it as it was said."""
    return list(messages[_start_of_recent(messages) :])


def _start_of_recent(messages: Sequence[Message]) -> int:
    rounds, since = rounds_of(messages)
    return len(messages) - len(since) - sum(len(round.messages) for round in rounds[-RECENT:])


def _shorten_results(messages: list[Message], tokens: int, until: int, *, materials: bool = False) -> list[Message]:
    over = size(messages) - tokens
    for place in range(until):
        if over <= 0:
            break
        parts = [_shortened(part, materials) for part in messages[place].parts]
        shorter = messages[place].model_copy(update={"parts": parts})
        over -= size_of(messages[place]) - size_of(shorter)
        messages[place] = shorter
    return messages


def _leave_out_rounds(messages: list[Message], tokens: int) -> list[Message]:
    """From the oldest, but never the first message, and never the last round: it is what the model answers to."""
    if size(messages) <= tokens:
        return messages
    first, *others = messages
    rounds, since = rounds_of(others)
    noted = first.model_copy(update={"parts": [*first.parts, TextPart(text=LEFT_OUT)]})
    spent = size([noted, *since])
    kept: list[Message] = []
    for place, round in enumerate(reversed(rounds)):
        round_tokens = size(round.messages)
        if place and spent + round_tokens > tokens:
            break
        kept[:0] = round.messages
        spent += round_tokens
    dropped = len(kept) + len(since) < len(others)
    return [noted if dropped else first, *kept, *since]


def cut(messages: Sequence[Message], tokens: int) -> list[Message]:
    """The last resort: the longest texts lose their middle, as much as it takes, the shorter ones only if that is not enough."""
    messages = list(messages)
    for floor in (2 * SHORT, SHORT // 2, SHORT // 8):
        while (over := size(messages) - tokens) > 0:
            place, longest = _longest(messages)
            if longest is None or len(_text(longest)) <= floor:
                break
            cut = _with_text(longest, _middle_out(_text(longest), max(floor, len(_text(longest)) - 5 * over)))
            parts = [cut if part is longest else part for part in messages[place].parts]
            messages[place] = messages[place].model_copy(update={"parts": parts})
    return messages


def _longest(messages: Sequence[Message]) -> tuple[int, Part | None]:
    found: tuple[int, Part | None] = (0, None)
    most = 0
    for place, message in enumerate(messages):
        for part in message.parts:
            if len(_text(part)) > most:
                most, found = len(_text(part)), (place, part)
    return found


def _middle_out(text: str, keep: int) -> str:
    note = f"\n[… {len(text) - keep:,} characters are left out here: it does not fit …]\n" if keep > SHORT else "…"
    half = max(1, (keep - len(note)) // 2)
    return text[:half] + note + text[-half:]


def _text(part: Part) -> str:
    if isinstance(part, TextPart | MaterialPart | SkillPart):
        return part.text
    return part.result.text() if isinstance(part, ResultPart) else ""


def _with_text(part: Part, text: str) -> Part:
    if isinstance(part, ResultPart):
        return part.model_copy(update={"result": ToolResult(status=part.result.status, message=text)})
    return part.model_copy(update={"text": text})


def _shortened(part: Part, materials: bool) -> Part:
    if isinstance(part, MaterialPart) and materials and len(part.text) > 2 * SHORT:
        return _with_text(part, f"{part.text[:SHORT]}\n[shortened; tools for files read it again]")
    if isinstance(part, SkillPart) and materials and len(part.text) > 2 * SHORT:
        return _with_text(part, f"{part.text[:SHORT]}\n[shortened; it was for that message]")
    if not isinstance(part, ResultPart) or len(text := part.result.text()) <= 2 * SHORT:
        return part
    note = f"{text[:SHORT]}\n[shortened from {len(text):,} characters; readResult with callId {part.call_id} shows all of it]"
    return _with_text(part, note)
