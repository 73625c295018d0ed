"""A tool's schema as models are told it: what they need to make a call, and nothing that only checks it.

It is paid for in every round. Limits and defaults are left out: a call that breaks one is told so (`tool.explain`). A parameter
that may be null is one that may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEFT_OUT = frozenset(
    [
        "title",
        "default",
        "additionalProperties",
        "$defs",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "uniqueItems",
    ]
)
NULL = {"type": "null"}


def compact(schema: Mapping[str, Any]) -> dict[str, Any]:
    return _compact(schema, schema.get("$defs", {}), 0)


def without_optional_dates(schema: Mapping[str, Any]) -> dict[str, Any]:
    """For a question that names no date: a small model invents one where a parameter asks for it."""
    required = schema.get("required", ())
    properties = {
        name: parameter
        for name, parameter in schema.get("properties", {}).items()
        if name in required or parameter.get("format") not in ("date", "date-time")
    }
    return {**schema, "properties": properties}


def _compact(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> dict[str, Any]:
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        # What refers to itself is described once.
        return (
            {"type": "object"}
            if depth > len(definitions)
            else _compact({**named, **_beside(schema)}, definitions, depth + 1)
        )
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind != NULL]
        if len(kinds) == 1:
            return _compact({**kinds[0], **_beside(schema)}, definitions, depth)
        return {**_kept(_beside(schema)), "anyOf": [_compact(kind, definitions, depth) for kind in kinds]}
    kept = _kept(schema)
    if "properties" in schema:
        kept["properties"] = {name: _compact(inner, definitions, depth) for name, inner in schema["properties"].items()}
    if isinstance(schema.get("items"), Mapping):
        kept["items"] = _compact(schema["items"], definitions, depth)
    return kept


def _beside(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in ("$ref", "anyOf")}


def _kept(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in schema.items() if key not in LEFT_OUT}
    if kept.get("format") == "uuid":  # ids are copied from results, never made up
        del kept["format"]
    return kept
