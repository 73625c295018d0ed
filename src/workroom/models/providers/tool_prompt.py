"""The text protocol: tools, calls and results described in text, for models that know nothing of function calling. Pure.

Results are JSON on one line: whatever a tool answered cannot look like a fence of ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, MaterialPart, Message, ResultPart, Role, TextPart
from workroom.models.ports import Forcing, ModelRequest, ToolSchema
from workroom.models.providers.instructions import NO_RESULT
from workroom.models.providers.tool_call_blocks import CLOSING, OPENING, ToolCallBlock

RULES = """# Tools
You can use the tools below. To use one, write a block like this, each fence alone on its line, with exactly these two keys:

```tool
{"tool": "the tool's name", "arguments": {}}
```

The arguments are a JSON object that fits the tool's schema. Write one block for each use, then stop: the results come in the
next message. Never write results yourself. Without a block, what you write is the answer to the user.

Two examples, with tools of somebody else:

User: Roll two dice.
You:
```tool
{"tool": "rollDice", "arguments": {"count": 2}}
```
User: Result of rollDice: "3 and 5"
You: You rolled 3 and 5.

User: Merke dir, dass Anna im Mai kommt.
You:
```tool
{"tool": "keepLine", "arguments": {"line": "Anna kommt im Mai."}}
```
User: Result of keepLine: "kept"
You: Notiert."""

ORDERS = {
    Forcing.AUTO: "",
    Forcing.ANY: "Use a tool now: answer with a tool block and nothing else.",
    Forcing.NONE: "Answer in text now, without a tool block.",
}
AGAIN = (
    "Your tool block could not be read: {wrong}. Write all your tool blocks again, correctly and without any other text: "
    'a line ```tool, a line {{"tool": "…", "arguments": {{…}}}}, a line ```.'
)


CLAIMED = (
    "You wrote a result of {tool}, but you have not used it: the result is made up. Use the tool now: answer with the tool block "
    "and nothing else. If no tool is needed, answer the user without one."
)


def in_words(request: ModelRequest) -> ModelRequest:
    """The same request without anything but text in it. Stable parts come first, so that they can be cached."""
    system = "\n\n".join(filter(None, [request.system, described(request.tools)]))
    messages = list(taking_turns(spelled_out(request.messages)))
    if request.tools and (order := ORDERS[request.forcing]):
        messages = list(taking_turns([*messages, _said(Role.USER, order)]))
    return replace(request, system=system, messages=messages, tools=(), forcing=Forcing.AUTO)


def corrected(request: ModelRequest, answer: str, blocks: Sequence[ToolCallBlock]) -> ModelRequest:
    """A request in words, asked again after an answer that could not be read."""
    wrong = "; ".join(dict.fromkeys(block.wrong for block in blocks if block.wrong))
    again = [_said(Role.ASSISTANT, answer), _said(Role.USER, AGAIN.format(wrong=wrong))]
    return replace(request, messages=[*request.messages, *again])


def uncalled(request: ModelRequest) -> frozenset[str]:
    """The tools that have no result in the conversation."""
    called = {part.tool for message in request.messages for part in message.parts if isinstance(part, ResultPart)}
    return frozenset(tool.name for tool in request.tools) - called


def asked_for(request: ModelRequest, answer: str, tool: str) -> ModelRequest:
    """A request in words, asked again after an answer that made a result up."""
    again = [_said(Role.ASSISTANT, answer or "…"), _said(Role.USER, CLAIMED.format(tool=tool))]
    return replace(request, messages=[*request.messages, *again])


def described(tools: Sequence[ToolSchema]) -> str:
    if not tools:
        return ""
    return "\n\n".join([RULES, *map(described_tool, tools)])


def described_tool(tool: ToolSchema) -> str:
    schema = json.dumps(tool.parameters, ensure_ascii=False)
    return f"## {tool.name}\n{tool.description}\nSchema of the arguments: {schema}"


def spelled_out(messages: Sequence[Message]) -> Iterator[Message]:
    results = {part.call_id: part for message in messages for part in message.parts if isinstance(part, ResultPart)}
    for message in messages:
        match message.role:
            case Role.USER:
                yield message
            case Role.ASSISTANT if message.calls:
                others = [part for part in message.parts if not isinstance(part, TextPart | CallPart | MaterialPart)]
                said = "\n".join(filter(None, [message.text, *map(block, message.calls)]))
                yield message.model_copy(update={"parts": [*others, TextPart(text=said)]})
                told = [_result(call, results.get(call.call_id)) for call in message.calls]
                yield _said(Role.USER, *told, *(part.prompt_text for part in message.materials))
            case Role.ASSISTANT:
                yield message
            case Role.TOOL:
                pass  # given with the calls


def taking_turns(messages: Sequence[Message] | Iterator[Message]) -> Iterator[Message]:
    """What a user says after results, or twice in a row, becomes one message: many models insist on taking turns."""
    last: Message | None = None
    for message in messages:
        if last is not None and last.role is message.role is Role.USER:
            last = last.model_copy(update={"parts": [*last.parts, *message.parts]})
            continue
        if last is not None:
            yield last
        last = message
    if last is not None:
        yield last


def block(call: CallPart) -> str:
    """A call as the model would have written it, or as it did."""
    written = call.unreadable
    if written is None:
        written = json.dumps({"tool": call.tool, "arguments": call.arguments}, ensure_ascii=False)
    return f"{OPENING}\n{written}\n{CLOSING}"


def _result(call: CallPart, result: ResultPart | None) -> str:
    text = NO_RESULT if result is None else result.result.text()
    return f"Result of {call.tool}: {json.dumps(text, ensure_ascii=False)}"


def _said(role: Role, *lines: str) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text="\n".join(lines))])
