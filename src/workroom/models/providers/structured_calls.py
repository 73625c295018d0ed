"""A forced call as an answer in JSON that its server keeps to a schema: what a small model cannot write, it cannot get wrong.

Some servers ignore a forced choice of tools, some models never learnt it. Of one tool the answer is the arguments; of several
it is `{"tool": …, "arguments": …}`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Role, TextPart
from workroom.models.ports import Forcing, ModelRequest, ToolSchema
from workroom.models.providers.arguments import read_arguments
from workroom.models.providers.tool_prompt import described_tool, taking_turns

ONE = "Call {tool} now: answer with its arguments as JSON, and with nothing else. Leave out what I have not said."
SEVERAL = (
    'Call one of your tools now: answer with {"tool": "its name", "arguments": {…}} as JSON, and with nothing else.'
)


def in_json(request: ModelRequest) -> ModelRequest:
    """The same request, to be answered in JSON. Its tools are described in words: servers do not take tools beside a schema."""
    tools = request.tools
    order = ONE.format(tool=tools[0].name) if len(tools) == 1 else SEVERAL
    told = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=order)])
    return replace(
        request,
        system="\n\n".join([*filter(None, [request.system]), "# Tools", *map(described_tool, tools)]),
        messages=list(taking_turns([*request.messages, told])),
        tools=(),
        forcing=Forcing.AUTO,
        answer_schema=schema_of_call(tools),
    )


def schema_of_call(tools: Sequence[ToolSchema]) -> Mapping[str, Any]:
    if len(tools) == 1:
        return tools[0].parameters
    return {"anyOf": [_schema_of_named_call(tool) for tool in tools]}


def _schema_of_named_call(tool: ToolSchema) -> dict[str, Any]:
    properties = {"tool": {"type": "string", "enum": [tool.name]}, "arguments": tool.parameters}
    return {"type": "object", "properties": properties, "required": ["tool", "arguments"]}


def read_call(text: str, tools: Sequence[ToolSchema]) -> CallPart | None:
    """The call in an answer; None when it is none, for not every server keeps what it promises."""
    answer, unreadable = read_arguments(text)
    if unreadable is not None or not text.strip():
        return None
    if len(tools) == 1:
        return CallPart(call_id=new_id(), tool=tools[0].name, arguments=answer)
    name, arguments = answer.get("tool"), answer.get("arguments")
    if not isinstance(arguments, dict) or not any(tool.name == name for tool in tools):
        return None
    return CallPart(call_id=new_id(), tool=str(name), arguments=arguments)
