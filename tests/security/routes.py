"""Every route the application has, with a request that would be valid: the raw material of the generated suites.

A route whose path or body needs something this file does not know how to make fails the suites, on purpose: whoever adds
a route teaches this file, and the new route is attacked like all the others from that moment on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from workroom.api.openapi import description

# Answer without anyone being signed in, each for its reason.
PUBLIC = {
    "/health": "liveness",
    "/ready": "readiness",
    "/metrics": "has its own token",
    "/api/status": "tells how to sign in",
    "/api/auth/link": "signs in",
    "/api/auth/login": "signs in",
    "/api/auth/help": "tells whom to ask",
    "/api/auth/forgotten": "sends a link to the owner of an address",
    "/api/files/linked": "opens by a signed link",
}
SAFE = {"get", "head"}
# Names of what belongs to nobody: the same for everybody who is signed in, in every mandate.
COMMON = {"egrid": "CH1234567891011", "layer": "ch.so.gws", "kind": "briefing"}
FORMATTED = {"uuid": "01920000-0000-7000-8000-000000000000", "date": "2026-11-15", "base64": "c2tpbGw="}


@dataclass(frozen=True)
class Route:
    """`numbers` are the parts of its path that count something, `query` is what it must be asked with."""

    method: str
    path: str
    body: dict[str, Any] | None
    numbers: frozenset[str] = frozenset()
    query: str = ""

    @property
    def parameters(self) -> list[str]:
        """Those that are ids."""
        found = re.findall(r"\{(\w+)\}", self.path)
        return [name for name in found if name not in self.numbers and name not in COMMON]

    def at(self, **ids: object) -> str:
        return self.path.format(**COMMON, **dict.fromkeys(self.numbers, 1), **ids) + self.query

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"


@cache
def all_routes() -> tuple[Route, ...]:
    """Found once: five suites ask."""
    api = description()
    found = []
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            schemas = api["components"]["schemas"]
            body = sample(content["schema"], schemas) if content else None
            asked = operation.get("parameters", [])
            numbers = {p["name"] for p in asked if p["in"] == "path" and p["schema"].get("type") == "integer"}
            needed = {p["name"]: sample(p["schema"], schemas, p["name"]) for p in asked if _is_needed(p)}
            found.append(Route(method, path, body, frozenset(numbers), f"?{urlencode(needed)}" if needed else ""))
    return tuple(found)


def _is_needed(parameter: dict[str, Any]) -> bool:
    return parameter["in"] == "query" and bool(parameter.get("required"))


def private_routes() -> list[Route]:
    return [route for route in all_routes() if route.path not in PUBLIC]


def mutations() -> Iterator[Route]:
    return (route for route in private_routes() if route.method not in SAFE)


def sample(schema: dict[str, Any], known: dict[str, Any], name: str = "") -> Any:
    """A small valid value for a schema: required fields, and optional ones that point at something."""
    if "$ref" in schema:
        return sample(known[schema["$ref"].rsplit("/", 1)[1]], known, name)
    if "anyOf" in schema:
        return sample(next(s for s in schema["anyOf"] if s.get("type") != "null"), known, name)
    if "oneOf" in schema:
        return sample(schema["oneOf"][0], known, name)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        wanted = [key for key in properties if key in schema.get("required", []) or "const" in properties[key]]
        return {key: sample(properties[key], known, key) for key in wanted}
    if kind == "array":
        return [sample(schema["items"], known, name)] * schema.get("minItems", 0)
    if kind == "string":
        return FORMATTED.get(schema.get("format", ""), f"sample-{name}")
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "boolean":
        return False
    raise AssertionError(f"no sample for {name}: {schema}")
