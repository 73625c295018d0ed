"""SKILL.md: a skill as YAML between two lines of hyphens, and its instructions in Markdown below. Pure.

`name`, `description` and `allowed-tools` are those of the open format. What it does not know (parameters, examples, `automatic`)
stands in its `metadata`, whose values are texts: as JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any

from workroom.custom_skills.errors import SkillUnread
from workroom.custom_skills.types import LONGEST_INSTRUCTIONS, SkillContent, SkillFile

LARGEST_HEAD = 750_000  # characters; what a skill holds beside its instructions, each character escaped
LONGEST_SKILL_MD = LARGEST_HEAD + LONGEST_INSTRUCTIONS + 100
OURS = ("parameters", "examples", "automatic")
_PARTS = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?<=\n)---[ \t]*(?:\r?\n|\Z)(.*)", re.DOTALL)
_BETWEEN_TOOLS = re.compile(r"[\s,]+")


def parsed(text: str, files: list[SkillFile]) -> dict[str, Any]:
    """The fields of a skill, unchecked. Raises SkillUnread where there is nothing to be made of it."""
    found = _PARTS.fullmatch(text)
    if found is None:
        raise SkillUnread("SKILL.md begins with a line of three hyphens, name and description, and another such line.")
    head = _head(found[1])
    metadata = head.get("metadata")
    ours = metadata if isinstance(metadata, dict) else {}
    return {
        "name": _scalar(head.get("name")),
        "description": _scalar(head.get("description")),
        "instructions": found[2].strip(),
        "tools": _tools(head.get("allowed-tools")),
        "files": files,
        **{key: _value(key, ours[key]) for key in OURS if key in ours},
    }


def written(content: SkillContent) -> str:
    """As `parsed` reads it."""
    import yaml

    from workroom.custom_skills.head_yaml import HeadDumper

    head: dict[str, Any] = {"name": content.name, "description": content.description}
    if content.tools:
        head["allowed-tools"] = " ".join(content.tools)
    values = content.model_dump(mode="json", include=set(OURS), exclude_defaults=True)
    if values:
        head["metadata"] = {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()}
    front = yaml.dump(head, Dumper=HeadDumper, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{front}---\n\n{content.instructions}\n"


def _head(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_HEAD:
        raise SkillUnread(f"The head of SKILL.md has at most {LARGEST_HEAD:,} characters.")
    import yaml

    from workroom.custom_skills.head_yaml import HeadLoader

    try:
        head = yaml.load(text, HeadLoader)  # noqa: S506  # it makes texts, lists and mappings only
    except (yaml.YAMLError, ValueError, OverflowError):  # the last two: of characters that are none
        raise SkillUnread("The head of SKILL.md cannot be read: it is plain YAML, without aliases and tags.") from None
    if not isinstance(head, dict):
        raise SkillUnread("The head of SKILL.md names its fields: name and description at least.")
    return head


def _scalar(given: Any) -> str:
    """Lists and mappings are no texts."""
    return given if isinstance(given, str) else ""


def _tools(given: Any) -> list[str]:
    """A text with spaces or commas between them, or a list; what stands in brackets behind a tool is not ours to read."""
    names = given if isinstance(given, list) else _BETWEEN_TOOLS.split(_scalar(given))
    return [name for each in names if (name := _scalar(each).partition("(")[0].strip())]


def _value(key: str, given: Any) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        raise SkillUnread(f"metadata.{key} of SKILL.md cannot be read: it is no valid JSON.") from None
