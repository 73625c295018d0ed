"""Writes docs/reference from the code. `make docs` runs it; a test fails when a page is not what it would write."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import typer.main
from pydantic import AliasChoices
from pydantic.fields import FieldInfo

from workroom.agent.registry import discover
from workroom.agent.tool_sets import TOOL_SETS
from workroom.api.frame.errors import CODES_BY_STATUS
from workroom.api.openapi import description
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.cli import app as command_line
from workroom.core import changes
from workroom.core import paths as _paths  # noqa: F401 -- so that its errors are known
from workroom.core.errors import WorkroomError
from workroom.identity.builtin import BUILTIN_ROLES
from workroom.identity.objects import CATALOGUE
from workroom.net import errors as _net_errors  # noqa: F401 -- so that its errors are known
from workroom.settings import Settings

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by `make docs` from the code. Do not edit. -->\n\n"


def pages() -> dict[str, str]:
    return {
        "settings.md": NOTE + settings(),
        "commands.md": NOTE + commands(),
        "http.md": NOTE + http(),
        "events.md": NOTE + events(),
        "errors.md": NOTE + errors(),
        "permissions.md": NOTE + permissions(),
        "tools.md": NOTE + tools(),
    }


def settings() -> str:
    lines = [
        "# Settings",
        "",
        "Environment variables, read once at start.",
        "",
        "| variable | default | meaning |",
        "|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        default = "" if field.default_factory or field.default is None else f"`{field.default}`"
        lines.append(f"| {_variables(name, field)} | {default} | {field.description} |")
    lines += ["| `WORKROOM_TEST_DATA` | `../shared` | Only for tests: where the test documents are. |"]
    lines += ["| `WORKROOM_TEST_S3` | | Only for tests: an S3 server to run the tests of blob stores against. |"]
    lines += ["| `WORKROOM_CHROMIUM` | | Only for tests: the browser to drive. |"]
    return "\n".join(lines) + "\n"


def _variables(name: str, field: FieldInfo) -> str:
    """Most have our prefix; keys of providers are read by the names everybody uses."""
    alias = field.validation_alias
    names = [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else [alias] if alias else []
    return ", ".join(f"`{found}`" for found in names or [f"WORKROOM_{name.upper()}"])


def commands() -> str:
    lines = ["# Commands", ""]
    root = typer.main.get_command(command_line)

    def describe_command(path: str, command: object) -> None:
        help_text = (getattr(command, "help", None) or "").strip()
        children = getattr(command, "commands", {})
        if children:
            for name, child in children.items():
                describe_command(f"{path} {name}", child)
            return
        lines.extend([f"## `{path}`", "", help_text, ""])
        for parameter in getattr(command, "params", []):
            if getattr(parameter, "hidden", False) or parameter.name == "help":
                continue
            label = ", ".join(parameter.opts) if parameter.opts[0].startswith("-") else parameter.name.upper()
            lines.append(f"- `{label}`: {getattr(parameter, 'help', '') or ''}")
        lines.append("")

    describe_command("workroom", root)
    exits = "0 ok · 1 unexpected · 2 usage · 3 configuration · 4 already running or locked · 5 database"
    return "\n".join([*lines, "## Exit codes", "", exits]) + "\n"


def http() -> str:
    api = description()
    head = "The machine-readable form is served at `/api/openapi.json`. Lists take `q`, `sort`, `order`, `limit`, `cursor`."
    lines = ["# HTTP", "", head, "", "| method | path | what it does |", "|---|---|---|"]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            text = operation.get("description") or operation["summary"] + "."
            first_paragraph = " ".join(text.strip().split("\n\n")[0].split())
            lines.append(f"| {method.upper()} | `{path}` | {first_paragraph} |")
    return "\n".join(lines) + "\n"


def events() -> str:
    lines = [
        "# Events",
        "",
        "`GET /api/events`, server-sent events.",
        "",
        "| event | payload | meaning |",
        "|---|---|---|",
    ]
    for name, model in (("hello", changes.Hello), ("changed", changes.Changed), ("signedOut", changes.SignedOut)):
        fields = ", ".join(f"`{field.alias}`" for field in model.model_fields.values()) or "none"
        lines.append(f"| `{name}` | {fields} | {inspect.getdoc(model)} |")
    kinds = ", ".join(f"`{kind}`" for kind in changes.ChangeKind)
    return "\n".join([*lines, "", f"Kinds of change: {kinds}."]) + "\n"


def error_codes() -> set[str]:
    """Every code an answer can carry: the families', and those given where an error is raised. Read from the source:
    what happens to be imported makes no difference."""
    source = Path(inspect.getfile(WorkroomError)).parents[1]
    found = set(CODES_BY_STATUS.values())
    for path in source.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'^    code(?:: str)? = "(\w+)"', text, re.MULTILINE))
        for part in [*text.split('code="')[1:], *text.split('errors.body("')[1:]]:
            found.add(part.split('"')[0])
    return found


def errors() -> str:
    shape = (
        "Every error is `{code, message, traceId, details?}`. The web app has a text for each code in five languages."
    )
    codes = "\n".join(f"- `{code}`" for code in sorted(error_codes()))
    return f"# Errors\n\n{shape}\n\n{codes}\n"


def permissions() -> str:
    lines = ["# Permissions", "", "What the rules of a role may speak of, and what the built-in roles say.", ""]
    names = [role.key for role in BUILTIN_ROLES]
    lines += [f"| object | action | levels | {' | '.join(names)} |", "|---" * (3 + len(names)) + "|"]
    for kind in CATALOGUE:
        for action in kind.actions:
            held = [
                next((r.level.name for r in role.rules if (r.object_key, r.action) == (kind.key, action)), "")
                for role in BUILTIN_ROLES
            ]
            levels = " ".join(level.name for level in kind.levels)
            lines.append(f"| `{kind.key}` | {action} | {levels} | {' | '.join(held)} |")
    return "\n".join(lines) + "\n"


EFFECTS = {
    "read": "changes nothing",
    "ours": "writes in this workspace",
    "outside": "reaches other systems",
}


def tools() -> str:
    registry = discover(*TOOL_PACKAGES)
    head = (
        "What agents can do. A workspace chooses one of the sets; tools that do not exist yet join theirs when they do."
        " `GET /api/tools` and `GET /api/tool-sets` tell the same of an installation, plugins included."
    )
    lines = ["# Tools", "", head, "", "| set | what for | tools so far |", "|---|---|---|"]
    for tool_set in TOOL_SETS.values():
        chosen, core = registry.chosen({tool_set.name}), registry.chosen(tool_set.includes)
        names = [f"those of `{name}`" for name in sorted(tool_set.includes)]
        names += [f"`{name}`" for name in chosen if name not in core]
        lines.append(f"| `{tool_set.name}` | {tool_set.description} | {', '.join(names)} |")
    for tool in registry:
        asks = " Asks the user first." if tool.confirm else " May ask the user." if tool.pauses else ""
        lines += ["", f"## `{tool.name}`", "", tool.description, "", f"Effect: {EFFECTS[tool.effect]}.{asks}", ""]
        parameters = tool.schema.parameters
        for name, about in parameters.get("properties", {}).items():
            needed = "" if name in parameters.get("required", ()) else ", optional"
            lines.append(f"- `{name}`: {_kind(about)}{needed}")
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _kind(about: dict[str, Any]) -> str:
    """A parameter's type in a word or two."""
    kinds = [kind for kind in about.get("anyOf", [about]) if kind.get("type") != "null"]
    kind = kinds[0]
    if kind.get("type") == "array":
        return f"list of {_kind(kind['items'])}"
    return str(kind.get("format") or kind.get("type", "anything"))


def main() -> None:
    REFERENCE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
