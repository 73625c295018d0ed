"""Against going in circles: the same call with the same arguments, over and over, finds nothing new.

A call that has been asked twice before gets a hint instead of another result; asking once more ends the run. What was
asked before something else was written does not count: after a write, looking again is sensible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workroom.agent.tool import Tool
from workroom.core.messages import CallPart, Message

HINT_AT = 3
HINT = (
    "You have asked for exactly this {times} times. The answer will not change. Use what you have: try something else, or "
    "answer the user. Asking for it again ends this answer."
)


def times_asked(messages: Sequence[Message], call: CallPart, tools: Mapping[str, Tool]) -> int:
    """How often this has been asked, this time included, since something else was last written."""
    times = 0
    for asked in (part for message in messages for part in message.calls):
        same = (asked.tool, asked.arguments) == (call.tool, call.arguments)
        if same:
            times += 1
        elif (tool := tools.get(asked.tool)) is not None and tool.effect != "read":
            times = 0
        if asked.call_id == call.call_id:
            break
    return times


def is_circling(messages: Sequence[Message], tools: Mapping[str, Tool]) -> bool:
    """Whether the newest answer repeats a call in spite of the hint."""
    asked = next((message.calls for message in reversed(messages) if message.calls), [])
    return any(times_asked(messages, call, tools) > HINT_AT for call in asked)
