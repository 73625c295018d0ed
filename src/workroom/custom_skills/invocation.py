"""Calling a skill: `/name topic="Q3" rest of the text`, and the prompt that comes of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workroom.custom_skills.errors import SkillTooLong, SkillValueTooLong
from workroom.custom_skills.types import LONGEST_NAME, LONGEST_RENDERED, LONGEST_VALUE, SkillContent, SkillParameter

IN_MESSAGE = "[the text behind the call in the message]"  # the message follows, so a long text stands there once

_CALL = re.compile(rf"\s*/([^\s/=]{{1,{LONGEST_NAME}}})(?:\s+(.*))?", re.DOTALL)
# At the beginning of what is left, so that no text is searched: `topic=Q3`, `audience="the board"`, and other pairs of quotes.
_VALUE = r"(?:\"(?P<plain>[^\"]*)\"|[“„”](?P<curly>[^“„”]*)[“”]|«(?P<angled>[^«»]*)»|(?P<bare>[^\s\"“„”«»]\S*))"
_ASSIGNMENT = re.compile(rf"(?P<name>[^\W\d]\w{{0,39}})={_VALUE}(?:\s+|\Z)")
_PLACEHOLDER = re.compile(r"\{\{\s*([^\W\d]\w{0,39})\s*\}\}")
_END = re.compile(r"</(?=\s*skill)", re.IGNORECASE)


@dataclass(frozen=True)
class TypedSkill:
    """A call as it was typed."""

    name: str
    rest: str


def typed_skill(text: str) -> TypedSkill | None:
    """The call a message consists of, if it looks like one; whether there is such a skill is not asked here."""
    found = _CALL.fullmatch(text)
    return TypedSkill(found[1].lower(), (found[2] or "").strip()) if found else None


def typed_values(parameters: Collection[SkillParameter], rest: str) -> dict[str, str]:
    """The values of parameters in what stands behind the name: `topic=Q3 audience="the board"`. The text after them is the value
    of the first parameter that has neither a value nor a default, required ones first."""
    known = {parameter.name for parameter in parameters}
    values: dict[str, str] = {}
    while (given := _ASSIGNMENT.match(rest)) and given["name"] in known - values.keys():
        quoted = given["plain"] or given["curly"] or given["angled"] or given["bare"] or ""
        values[given["name"]] = quoted.strip()
        rest = rest[given.end() :]
    open_ones = [each for each in parameters if each.name not in values and not each.default]
    if (free := rest.strip()) and open_ones:
        values[min(open_ones, key=lambda each: not each.required).name] = (
            free if len(free) <= LONGEST_VALUE else IN_MESSAGE
        )
    return values


def rendered(content: SkillContent, values: Mapping[str, str]) -> str:
    """The skill as a model reads it. Values stand where the instructions want them; those they do not mention, and those that are
    missing, are listed below. When the instructions want them so often that the text would be too long, all are listed instead.
    Raises SkillValueTooLong, and SkillTooLong when the text is too long even so."""
    given = {each.name: values.get(each.name) or each.default for each in content.parameters}
    for name, value in given.items():
        if len(value) > LONGEST_VALUE:
            raise SkillValueTooLong(name, LONGEST_VALUE)
    text = _text(content, given, content.instructions, frozenset())
    added = sum(len(given.get(name, "")) for name in _PLACEHOLDER.findall(content.instructions))
    if added and len(text) + added <= LONGEST_RENDERED:
        text = _text(content, given, *_placed(content.instructions, given))
    if len(text) > LONGEST_RENDERED:
        raise SkillTooLong(content.name, LONGEST_RENDERED)
    return text


def _placed(instructions: str, given: Mapping[str, str]) -> tuple[str, set[str]]:
    """The instructions with values for placeholders, and the names of those."""
    placed: set[str] = set()

    def value_of(match: re.Match[str]) -> str:
        if not given.get(match[1]):
            return match[0]
        placed.add(match[1])
        return given[match[1]]

    return _PLACEHOLDER.sub(value_of, instructions), placed


def _text(content: SkillContent, given: Mapping[str, str], instructions: str, placed: Collection[str]) -> str:
    listed = [_told(each, given[each.name]) for each in content.parameters if each.name not in placed]
    sections = [
        instructions,
        "Parameters:\n" + "\n".join(listed) if listed else "",
        "\n\n".join(f"Example: {each.request}\n{each.answer}".strip() for each in content.examples),
        f"Tools for this: {', '.join(content.tools)}. Say so if you lack one that you need." if content.tools else "",
        "Files, read with useSkill and `file`: " + ", ".join(each.path for each in content.files)
        if content.files
        else "",
    ]
    body = _END.sub("< /", "\n\n".join(filter(None, sections)))
    return f'<skill name="{content.name}">\n{body}\n</skill>'


def _told(parameter: SkillParameter, value: str) -> str:
    about = f" ({parameter.description})" if parameter.description else ""
    missing = "not given: take it from the request, else ask for it first" if parameter.required else "not given"
    return f"- {parameter.name}{about}: {value or missing}"
