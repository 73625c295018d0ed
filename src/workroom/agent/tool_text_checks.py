"""Checks the texts of a tool. Our contract test uses it for every tool we ship; a plugin's tests can use it for theirs:

assert text_problems(roll_dice, ["en", "de"]) == []
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from workroom.agent.tool import Tool
from workroom.core.languages import LANGUAGES
from workroom.core.tool_texts import ToolTexts

# What pages fill in besides the arguments of a call: the file that `fileId` means, and tags with a sign.
FILLED_IN_BY_PAGES = frozenset({"file", "tags"})
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def text_problems(tool: Tool, languages: Iterable[str] = LANGUAGES) -> list[str]:
    """What is missing or inconsistent in the texts of a tool that should have them in these languages; empty if nothing is."""
    expected = set(languages)
    missing = [f"{tool.name} has no texts in {language}" for language in sorted(expected - tool.texts.keys())]
    unknown = [f"{tool.name} has texts in an unknown language: {code}" for code in tool.texts.keys() - set(LANGUAGES)]
    return [*missing, *unknown, *_inconsistencies(tool), *_misplaced(tool)]


def _inconsistencies(tool: Tool) -> Iterator[str]:
    """A text that exists in one language exists in all, with the same placeholders."""
    shapes = {language: _shape(texts) for language, texts in tool.texts.items()}
    for language, shape in shapes.items():
        first, reference = next(iter(shapes.items()))
        for key in sorted(shape.keys() | reference.keys()):
            if shape.get(key) != reference.get(key):
                yield f"{tool.name}: {key} in {language} has other placeholders than in {first}, or one of them is missing"


def _misplaced(tool: Tool) -> Iterator[str]:
    """Placeholders that are never filled in, and questions that are never asked."""
    known = tool.arguments.model_fields.keys() | FILLED_IN_BY_PAGES
    for language, texts in tool.texts.items():
        if unknown := set(_PLACEHOLDER.findall(texts.activity)) - known:
            yield f"{tool.name}: activity in {language} names no parameter: {', '.join(sorted(unknown))}"
        questions = [*filter(None, [texts.confirmation]), *texts.confirmations.values()]
        if any(_PLACEHOLDER.findall(question) != ["name"] for question in questions):
            yield f"{tool.name}: confirmation in {language} has to say {{name}} once, and no other placeholder"
        if questions and not (tool.confirm or tool.confirm_untrusted or tool.pauses):
            yield f"{tool.name}: confirmation in {language} is never asked"


def _shape(texts: ToolTexts) -> dict[str, list[str]]:
    """The texts there are, each with its placeholders."""
    named = {"label": texts.label, "confirmation": texts.confirmation, "activity": texts.activity}
    named |= {f"activities.{variant}": text for variant, text in texts.activities.items()}
    named |= {f"confirmations.{variant}": text for variant, text in texts.confirmations.items()}
    shape = {key: sorted(_PLACEHOLDER.findall(text)) for key, text in named.items() if text.strip()}
    return shape | ({"phrases": []} if texts.phrases else {})
