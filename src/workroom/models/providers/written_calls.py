"""Tool calls that a model wrote as text instead of making them: small models know the form and not the channel. Pure.

A call is the whole answer or its only code block, and nothing else:

    {"name": "writeNote", "arguments": {…}}      also with tool for name and parameters for arguments, or inside "function"
    <tool_call>{…}</tool_call>                   one or several
    {{"name": …, "arguments": {…}}}              as some templates show it; also with closing braces too many or too few
    writeNote(title="Milk")

Only of a tool that was offered. What stands in the request already is quoted, not called.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.core.messages import Message, ResultPart, Role, TextPart
from workroom.models.ports import ToolSchema
from workroom.models.providers.arguments import read_arguments

LONGEST = 50_000  # characters: a note may be long
MOST_CALLS = 16
MOST_MISSING = 2  # closing braces at the end
NAMES = ("name", "tool", "tool_name", "function")
ARGUMENTS = ("arguments", "parameters", "args", "input")
LANGUAGES = frozenset({"", "json", "tool", "tool_call", "tool_code", "python", "xml", "text"})

_BLOCK = re.compile(r"^ {0,3}```[ \t]*(\S*)[^\n`]*\n(.*?)^ {0,3}```[ \t]*$", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_NOT_CLOSING = re.compile(r"[^}\s]")
_SPACE = re.compile(r"\s+")
_OBJECT = json.JSONDecoder(strict=False)  # line breaks inside strings are what small models write
_CONSTANTS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class WrittenCall:
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class WrittenAnswer:
    """`text` is what is left of an answer without its calls."""

    text: str
    calls: Sequence[WrittenCall]


def read_written_calls(answer: str, offered: Sequence[ToolSchema], messages: Sequence[Message]) -> WrittenAnswer | None:
    """The calls in an answer, or None when it is an answer in words."""
    if not offered or len(answer) > LONGEST:
        return None
    text, code = _parted(answer)
    calls = calls_in(code, offered)
    if not calls or _is_quoted(code, messages) or _is_quoted(_balanced(code), messages):
        return None
    return WrittenAnswer(text, calls)


def _parted(answer: str) -> tuple[str, str]:
    """The text beside the only code block, and what stands in it; else no text, and the whole answer."""
    blocks = list(_BLOCK.finditer(answer))
    if len(blocks) == 1 and blocks[0][1].lower() in LANGUAGES:
        block = blocks[0]
        beside = f"{answer[: block.start()].rstrip()}\n\n{answer[block.end() :].lstrip()}"
        return beside.strip(), block[2]
    return "", answer


def calls_in(code: str, tools: Sequence[ToolSchema]) -> list[WrittenCall]:
    """All of it, or nothing: a call beside something that is none is an example."""
    offered = {tool.name: tool for tool in tools}
    written = _balanced(code)
    tagged = [match[1] for match in _TAGGED.finditer(written)]
    if tagged and _TAGGED.sub("", written).strip():
        return []
    pieces = tagged or [written]
    values = [value for piece in pieces for value in _values(piece.strip(), offered)]
    calls = [_call(value, offered) for value in values]
    known = [call for call in calls if call is not None]
    return known if len(known) == len(calls) and 0 < len(calls) <= MOST_CALLS else []


def _values(piece: str, offered: Mapping[str, ToolSchema]) -> list[Any]:
    value = _json(piece)
    if value is None and (function := _function(piece, offered)) is not None:
        return [function]
    return value if isinstance(value, list) else [value]


def _json(text: str) -> Any:
    try:
        return _OBJECT.decode(text)
    except (ValueError, RecursionError):
        return None


def _balanced(code: str) -> str:
    """The same with as many braces around each object as it needs."""
    written = code.strip()
    if _TAGGED.search(written):
        return _TAGGED.sub(lambda match: f"<tool_call>{_balanced_object(match[1].strip())}</tool_call>", written)
    return _balanced_object(written)


def _balanced_object(text: str) -> str:
    """Without a second opening brace, closing ones behind the end, and up to two missing there. Anything else stays as it is."""
    if not text.startswith("{") or _json(text) is not None:
        return text
    behind_brace = text[1:].lstrip()
    begun = behind_brace if behind_brace.startswith("{") else text
    for missing in range(MOST_MISSING + 1):
        completed = begun + "}" * missing
        try:
            _, end = _OBJECT.raw_decode(completed)
        except (ValueError, RecursionError):
            continue
        return text if _NOT_CLOSING.search(completed, end) else completed[:end]
    return text


def _call(value: Any, offered: Mapping[str, ToolSchema]) -> WrittenCall | None:
    if isinstance(value, WrittenCall):
        return value
    if not isinstance(value, dict):
        return None
    if isinstance(inner := value.get("function"), dict):
        value = inner
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    given = [key for key in ARGUMENTS if key in value]
    if name is None or name not in offered or len(given) != 1 or not isinstance(value[given[0]], dict | str):
        return None
    arguments, unreadable = read_arguments(value[given[0]])
    return WrittenCall(name, arguments) if unreadable is None else None


def _function(text: str, offered: Mapping[str, ToolSchema]) -> WrittenCall | None:
    """`name(key=value)`: values are literals, those without a name come in the order of the schema."""
    name, bracket, _ = text.partition("(")
    if not bracket or name not in offered:
        return None
    try:
        call = ast.parse(f"f{text[len(name) :]}", mode="eval").body  # the name may have a dot
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return None
        order = list(offered[name].parameters.get("properties", {}))
        placed = dict(zip(order, map(_literal, call.args), strict=False))
        named = {keyword.arg: _literal(keyword.value) for keyword in call.keywords}
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    if None in named or len(placed) < len(call.args) or placed.keys() & named.keys():
        return None
    arguments, unreadable = read_arguments({**placed, **{str(key): value for key, value in named.items()}})
    return WrittenCall(name, arguments) if unreadable is None else None


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    return ast.literal_eval(node)


def _is_quoted(code: str, messages: Sequence[Message]) -> bool:
    """Whether a document, a result or the user said it before. What the model wrote itself is no quotation."""
    wanted = _SPACE.sub("", code)
    return any(wanted in _SPACE.sub("", text) for message in messages for text in _texts(message))


def _texts(message: Message) -> Iterable[str]:
    for part in message.parts:
        if isinstance(part, TextPart) and message.role is not Role.ASSISTANT:
            yield part.text
        elif isinstance(part, ResultPart):
            yield part.result.text()
    for material in message.materials:
        yield material.text
