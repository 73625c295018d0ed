"""What an agent may be made of: names people can read, one text at least, tools that exist in kind, and nothing its maker
could not do themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from workroom.agent.planning.intents import Intent
from workroom.agent.planning.rules.machine import check_all
from workroom.agent.planning.rules.phrases import PhraseWrong
from workroom.agent.tool_sets import TOOL_SETS
from workroom.agents.glyphs import clean_glyph
from workroom.agents.types import LONGEST_INSTRUCTIONS, AgentContent, AgentInstructions
from workroom.core.errors import InvalidInput
from workroom.core.languages import LANGUAGES
from workroom.identity.names import clean_name, clean_text


def changed(content: AgentContent, changes: Mapping[str, Any]) -> AgentContent:
    """With these fields said differently; what is not named stays."""
    try:
        return AgentContent.model_validate({**dict(content), **changes})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise InvalidInput(f"{field}: {first['msg']}", field=field) from None


def cleaned(content: AgentContent) -> AgentContent:
    name = clean_name(content.name, "name")
    unknown = [found for found in content.tool_sets if found not in TOOL_SETS]
    if unknown:
        raise InvalidInput(f"There are these tool sets: {', '.join(sorted(TOOL_SETS))}.", field="toolSets")
    _check_intents(content.intents)
    return content.model_copy(
        update={
            "name": name,
            "description": clean_text(content.description, "description"),
            "glyph": clean_glyph(content.glyph, name),
            "instructions": _instructions(content.instructions),
            "tool_sets": _once(content.tool_sets),
            "tool_names": _once(content.tool_names),
            "trusted_tools": _once(content.trusted_tools),
            "hands_to": _once(content.hands_to),
        }
    )


def _check_intents(intents: Sequence[Intent]) -> None:
    names = [intent.name for intent in intents]
    if len(set(names)) < len(names):
        raise InvalidInput("Each intent has a name of its own.", field="intents")
    try:
        check_all(intents)
    except PhraseWrong as wrong:
        raise InvalidInput(f"The phrases cannot be used. {wrong}", field="intents") from None


def _instructions(given: AgentInstructions) -> AgentInstructions:
    texts = {one: text for one in LANGUAGES if (text := _text(getattr(given, one), one))}
    if not texts:
        raise InvalidInput("Say in one language at least what this agent does.", field="instructions")
    return AgentInstructions(**texts)


def _text(given: str | None, language: str) -> str:
    text = clean_text(given or "", f"instructions.{language}", LONGEST_INSTRUCTIONS)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidInput("This text contains characters that cannot be stored.", field=f"instructions.{language}")
    return text


def _once(items: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(items))
