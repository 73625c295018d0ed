"""Arguments that fit a tool's schema, for tests that call every tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.documents.making import package
from tests.world import some_id
from workroom.agent.tool import Tool
from workroom.models.ports import ToolSchema

ARCHIVE = package({"x": "inside"})
# Taken by id, but by name as well: the schema says text.
NAMED_TOO = frozenset({"fileId"})


def ids_of(schema: ToolSchema) -> list[str]:
    properties = schema.parameters.get("properties", {})
    return [name for name, about in properties.items() if about.get("format") == "uuid" or name in NAMED_TOO]


def sample(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Any:
    """A small value that fits; a new kind of parameter teaches this function."""
    if "$ref" in schema:
        return sample(whole["$defs"][schema["$ref"].rsplit("/", 1)[1]], whole)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "string":
            formats = {"uuid": str(some_id()), "date": "2030-01-31"}
            return formats.get(schema.get("format", ""), "x" * max(1, schema.get("minLength", 1)))
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            return [sample(schema["items"], whole)] * max(1, schema.get("minItems", 1))
        case "object":
            return {name: sample(schema["properties"][name], whole) for name in schema.get("required", ())}
    raise AssertionError(f"no sample for {schema}")


def file_for(tool: Tool) -> tuple[str, bytes]:
    """Name and content of a file that the tool can do something with."""
    return ("Mine.zip", ARCHIVE) if tool.name == "saveContainerItem" else ("Mine.md", b"x and y")


def arguments(tool: Tool) -> dict[str, Any]:
    if tool.name == "manage_skill":  # what it needs depends on its action
        data = {"name": f"made-{some_id()}", "description": "For tests.", "instructions": "Do it."}
        return {"action": "create", "skill_data": data}
    if tool.name == "manage_persona":
        return {"action": "create", "persona_data": {"name": "x"}}
    if tool.name == "generateDocument":  # its name says which kind of file
        return {"name": "made.md", "markdown": "x"}
    if tool.name == "applyFileEdit":
        return {"fileId": "x", "edits": [{"find": "x", "replace": "xy"}]}
    schema = tool.schema.parameters
    if tool.name == "convertDocument":
        return {
            "fileId": sample(schema["properties"]["fileId"], schema),
            "format": "md",
            "name": "made.md",
            "folder": "",
        }
    return {name: sample(schema["properties"][name], schema) for name in schema.get("required", ())}
