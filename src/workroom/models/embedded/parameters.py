"""The parameters of a tool, read from its JSON Schema as far as a user who types needs them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.models.embedded.language import LANGUAGES, Language
from workroom.models.ports import ToolSchema

LIST_ENDS = re.compile(r"[,;\n、，；]+")


class Unfitting(Exception):
    """What was typed is no value of this parameter; says what would be."""

    def __init__(self, parameter: str, kind: str, **values: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter
        self.kind = kind
        self.values_ = values

    def said(self, language: Language) -> str:
        return language.say("unfitting", parameter=self.parameter, kind=language.say(self.kind, **self.values_))


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str  # of JSON Schema: string, integer, number, boolean, array, object; anything else is taken as it comes
    required: bool
    format: str = ""
    choices: tuple[str, ...] = ()

    def value(self, text: str) -> Any:
        """Parses what the user typed as this parameter takes it."""
        typed = text.strip()
        if self.choices:
            chosen = next((choice for choice in self.choices if choice.lower() == typed.lower()), None)
            if chosen is None:
                raise Unfitting(self.name, "oneOf", choices=", ".join(f"`{choice}`" for choice in self.choices))
            return chosen
        match self.kind:
            case "integer" | "number":
                return self._number(typed)
            case "boolean":
                return self._truth(typed.lower())
            case "array":
                return self._list(typed)
            case "object":
                if not isinstance(found := _json(typed), dict):
                    raise Unfitting(self.name, "object")
                return found
            case "string":
                return typed
        return typed if (found := _json(typed)) is None else found

    def _number(self, typed: str) -> int | float:
        try:
            return int(typed) if self.kind == "integer" else float(typed)
        except (ValueError, OverflowError):
            raise Unfitting(self.name, self.kind) from None

    def _truth(self, typed: str) -> bool:
        """In any language: a command says too little to tell which one is spoken."""
        if any(typed in language.true for language in LANGUAGES.values()):
            return True
        if any(typed in language.false for language in LANGUAGES.values()):
            return False
        raise Unfitting(self.name, "boolean")

    def _list(self, typed: str) -> list[Any]:
        if isinstance(found := _json(typed), list):
            return found
        if not (items := [item.strip() for item in LIST_ENDS.split(typed) if item.strip()]):
            raise Unfitting(self.name, "array")
        return items


def parameters_of(tool: ToolSchema) -> list[Parameter]:
    """Schemas also come from plugins and from other servers; what is not as it should be is passed over."""
    properties = _mapping(tool.parameters.get("properties"))
    required = _list(tool.parameters.get("required"))
    definitions = _mapping(tool.parameters.get("$defs"))
    return [_parameter(str(name), about, name in required, definitions) for name, about in properties.items()]


def _parameter(name: str, about: Any, required: bool, definitions: Mapping[str, Any]) -> Parameter:
    meant = _meant(about, definitions, 0)
    choices = tuple(str(choice) for choice in _list(meant.get("enum")))
    return Parameter(name, str(meant.get("type", "")), required, str(meant.get("format", "")), choices)


def _meant(about: Any, definitions: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
    """Behind references, and behind "this or nothing"."""
    schema = _mapping(about)
    if depth > 5:
        return {}
    if isinstance(reference := schema.get("$ref"), str):
        return _meant(definitions.get(reference.rsplit("/", 1)[-1]), definitions, depth + 1)
    for variant in _list(schema.get("anyOf")):
        if _mapping(variant).get("type") != "null":
            return _meant(variant, definitions, depth + 1)
    return schema


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
