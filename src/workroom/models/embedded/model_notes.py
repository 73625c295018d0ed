"""Notes for models in a text: which tool reads on, where a picture is. For people they are removed or replaced."""

from __future__ import annotations

import re

from workroom.models.embedded.language import Language
from workroom.models.embedded.places import SOURCE_LINE

MORE = "…"
# The tools that such notes name; a note that names another needs it here.
NAMED_IN_NOTES = (
    "analyzeContent", "browseContainer", "extractContainerItem", "extractContent", "listFiles", "readContentObjects",
    "readConversation", "readFile", "readResult", "readSection", "saveContainerItem", "searchFiles", "summarizeContent",
)  # fmt: skip
_TOOLS = "|".join(NAMED_IN_NOTES)
_NOTE = re.compile(
    rf"\[.*\b(?:{_TOOLS}|mode ocr|cursor)\b.*\]|\[(?:image|videostream|audiostream|other)\b.*\blocation .*\]"
)
_EMPTY = re.compile(r"\b(?:nothing|no \w+ was found|is an image)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\b(?:cut here|more|next|goes on|the rest)\b")


def without_notes(text: str, language: Language) -> str:
    """The text for people: where nothing could be read it says so in their language, and where there is more there are dots."""
    lines = (_told(line, language) for line in text.split("\n"))
    return "\n".join(line for line in lines if line is not None)


def _told(line: str, language: Language) -> str | None:
    note = line.strip()
    if SOURCE_LINE.fullmatch(note) or not _NOTE.fullmatch(note):
        return line
    if _EMPTY.search(note):
        return language.say("wordless")
    return MORE if _GOES_ON.search(note) else None
