"""What people read about a tool. The texts of a tool stand in the sidecar of its module, see `core/sidecars.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from workroom.core.wire import Wire

LONGEST = 500  # characters of a text


class ToolTexts(Wire):
    """The texts of a tool in one language. All but `label` may be left out.

    `{name}` in `confirmation` is the name that the tool's confirmation prompt gives; `confirmations` are variants by what a
    call does, such as `delete`, for a tool that does several things. Placeholders in `activity` and
    `activities` are the call's arguments, and `{file}` for a tool that takes a `fileId`; `activities` are variants by what
    a call is about, such as `page`, for the tools that the page knows variants of.
    """

    label: str = Field(min_length=1, max_length=LONGEST)  # what it does: "lists notes"
    confirmation: str = Field("", max_length=LONGEST)  # the question before the call: "Delete the note “{name}”?"
    confirmations: Mapping[str, str] = Field(default_factory=dict)
    activity: str = Field("", max_length=LONGEST)  # the line of a call in a conversation: "Read {file}"
    activities: Mapping[str, str] = Field(default_factory=dict)
    # How people begin a request for it, as beginnings of words: "show note" is in "please show me my notes".
    phrases: tuple[str, ...] = ()


LocalizedToolTexts = Mapping[str, ToolTexts]
"""The texts of one tool by language."""


def phrases_by_language(texts: Iterable[LocalizedToolTexts]) -> dict[str, list[str]]:
    """The phrases of several tools together."""
    phrases: dict[str, list[str]] = {}
    for localized in texts:
        for language, tool_texts in localized.items():
            phrases.setdefault(language, []).extend(tool_texts.phrases)
    return phrases
