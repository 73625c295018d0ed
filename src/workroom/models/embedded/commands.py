"""Commands: how a user calls a tool by hand.

/writeNote title=Milk text="two litres"      names and values; a value ends where the next name begins
/writeNote {"title": "Milk", "text": "…"}    JSON
/listNotes milk                              free text: the first parameter that wants one
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from workroom.models.embedded.language import Language
from workroom.models.embedded.parameters import Parameter, Unfitting, parameters_of
from workroom.models.ports import ToolSchema

COMMAND = re.compile(r"\s*/([A-Za-z][\w.\-]*)(?:\s+(.*))?", re.DOTALL)
NAMED = re.compile(r"([A-Za-z]\w*)=(?!=)")
HELP = {"help", "hilfe", "aide", "ajuda"}
JSON = json.JSONDecoder()


@dataclass(frozen=True)
class TypedCommand:
    """A command as it was written."""

    name: str
    rest: str


@dataclass
class CommandArguments:
    """What a command gives to its tool; `problem` says why it cannot be called so."""

    arguments: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


def typed_command(text: str) -> TypedCommand | None:
    found = COMMAND.fullmatch(text)
    return TypedCommand(found[1], (found[2] or "").strip()) if found else None


def is_command(text: str, names: Iterable[str]) -> bool:
    """Whether the user calls one of these tools by hand, or asks which there are."""
    typed = typed_command(text.strip())
    return typed is not None and typed.name.lower() in HELP | {name.lower() for name in names}


def find(name: str, tools: Sequence[ToolSchema]) -> ToolSchema | None:
    """Capital letters do not matter to people."""
    return next((tool for tool in tools if tool.name.lower() == name.lower()), None)


def nearest(name: str, tools: Sequence[ToolSchema]) -> list[str]:
    by_lower = {tool.name.lower(): tool.name for tool in tools}
    return [by_lower[found] for found in get_close_matches(name.lower()[:100], by_lower, n=3, cutoff=0.5)]


def read(tool: ToolSchema, rest: str, language: Language) -> CommandArguments:
    """The arguments, or what is wrong with them in words."""
    parameters = {parameter.name: parameter for parameter in parameters_of(tool)}
    try:
        values = _json_arguments(rest) if rest.startswith("{") else _arguments(rest, parameters)
    except Unfitting as unfitting:
        return CommandArguments(problem=f"{unfitting.said(language)}\n\n{usage(tool)}")
    except ValueError:
        return CommandArguments(problem=f"{language.say('badJson', name=tool.name)}\n\n{usage(tool)}")
    if unknown := [name for name in values if name not in parameters]:
        known = _listed(parameters) or language.say("nothing")
        return CommandArguments(
            problem=language.say("surplus", name=tool.name, parameters=_listed(unknown), known=known)
        )
    if missing := [p.name for p in parameters.values() if p.required and p.name not in values]:
        lacking = language.say("missing", name=tool.name, parameters=_listed(missing))
        return CommandArguments(problem=f"{lacking}\n\n{usage(tool)}")
    return CommandArguments(values)


def written(name: str, arguments: Mapping[str, Any]) -> str:
    """The command that gives exactly these arguments."""
    pairs = (f" {key}={json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
    return f"/{name}{''.join(pairs)}"


def usage(tool: ToolSchema) -> str:
    pairs = (f"{p.name}=…" if p.required else f"[{p.name}=…]" for p in parameters_of(tool))
    return f"`{' '.join([f'/{tool.name}', *pairs])}`"


def _arguments(rest: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Names and values, and what stands free among them."""
    named = re.compile(rf"(?:^|(?<=\s))({'|'.join(map(re.escape, parameters))})\s*=\s*") if parameters else None
    values: dict[str, Any] = {}
    free, at = [], 0
    while named is not None and (found := named.search(rest, at)):
        free.append(rest[at : found.start()])
        following = named.search(rest, found.end())
        value, at = _value(rest, found.end(), following.start() if following else len(rest))
        parameter = parameters[found[1]]
        values[parameter.name] = parameter.value(value) if isinstance(value, str) else value[0]
    free.append(rest[at:])
    if text := " ".join(part.strip() for part in free if part.strip()):
        free_parameter = None if (unknown := NAMED.match(text)) else _parameter_for(parameters, values)
        name = unknown[1] if unknown else free_parameter.name if free_parameter else text.split()[0]
        values[name] = free_parameter.value(text) if free_parameter else text
    return values


def _value(rest: str, start: int, end: int) -> tuple[str | tuple[Any], int]:
    """What stands after `name=`, and where it ends. In quotes or brackets it is JSON, and may contain anything."""
    if rest[start : start + 1] in ('"', "[", "{"):
        try:
            value, after = JSON.raw_decode(rest, start)
        except (ValueError, RecursionError):
            return rest[start:end].strip().strip('"'), end
        return (value if isinstance(value, str) else (value,)), after
    return rest[start:end].strip(), end


def _parameter_for(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> Parameter | None:
    """Who takes free text: required ones first, and among them those that want text."""
    open_ = [parameter for parameter in parameters.values() if parameter.name not in values]
    wants = {"string": 0, "array": 1}
    ranked = sorted(open_, key=lambda p: (not p.required, wants.get(p.kind, 2)))
    return ranked[0] if ranked else None


def _json_arguments(rest: str) -> dict[str, Any]:
    try:
        found = json.loads(rest)
    except RecursionError:
        raise ValueError from None
    if not isinstance(found, dict):
        raise ValueError
    return found


def _listed(names: Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(f"`{name[:60]}`" for name in names)
