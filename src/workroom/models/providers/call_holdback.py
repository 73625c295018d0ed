"""Holds back the part of a streamed answer that may be a call written as text, so that none is shown and then taken away. Pure.

An answer in words is shown as it comes; a code block as soon as it is clear that it is no call (`written_calls.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from workroom.models.ports import ToolSchema
from workroom.models.providers.written_calls import LANGUAGES, calls_in

LOOKED_AT = 300  # characters: longer than any name of a tool
_LINES = re.compile(r"(?<=\n)")
_MAY_BECOME_FENCE = re.compile(r" {0,3}(?:`{1,2}|```[^`\n]*)")
_FENCE = re.compile(r" {0,3}```([^`\n]*)\n")


class _State(Enum):
    BEGINNING = auto()  # the whole answer may be a call
    WORDS = auto()
    BLOCK = auto()
    BEHIND_CALL = auto()  # as long as no other block comes, the first one is a call
    DECIDED = auto()  # it is an answer in words


class CallHoldback:
    def __init__(self, offered: Sequence[ToolSchema]) -> None:
        self._offered = offered
        self._begins = ("{", "[", "<tool_call>", *(f"{tool.name}(" for tool in offered))
        self._state = _State.BEGINNING
        self._held = ""
        self._line = ""  # the present line, as far as it has come; part of it may be shown
        self._block = ""

    def feed(self, text: str) -> str:
        """What can be shown now, of this and of what was held back."""
        if self._state is _State.BEGINNING:
            self._held += text
            if self._may_begin(self._held):
                return ""
            self._state, text = _State.WORDS, self.finish()
        return "".join(self._take(piece) for piece in _LINES.split(text))

    def finish(self) -> str:
        """What was held back, for an answer that is no call."""
        held, self._held = self._held, ""
        return held

    def _take(self, piece: str) -> str:
        """A line, or a piece of one."""
        self._held += piece
        line = self._line + piece
        ended = piece.endswith("\n")
        self._line = "" if ended else line
        match self._state:
            case _State.WORDS:
                self._in_words(line, ended=ended)
            case _State.BLOCK:
                self._in_block(line, ended=ended)
            case _State.BEHIND_CALL if _FENCE.fullmatch(line):
                self._state = _State.DECIDED
        is_shown = self._state is _State.DECIDED or (
            self._state is _State.WORDS and (ended or not _MAY_BECOME_FENCE.fullmatch(line))
        )
        return self.finish() if is_shown else ""

    def _in_words(self, line: str, *, ended: bool) -> None:
        if ended and (fence := _FENCE.fullmatch(line)):
            self._state = _State.BLOCK if fence[1].strip().lower() in LANGUAGES else _State.DECIDED

    def _in_block(self, line: str, *, ended: bool) -> None:
        if ended and line.strip() == "```":
            self._state = _State.BEHIND_CALL if calls_in(self._block, self._offered) else _State.DECIDED
        elif not self._may_begin(self._block[:LOOKED_AT] + line[:LOOKED_AT]):
            self._state = _State.DECIDED
        elif ended:
            self._block += line

    def _may_begin(self, text: str) -> bool:
        begun = text[:LOOKED_AT].lstrip()
        return any(begun.startswith(begin) or begin.startswith(begun) for begin in self._begins)
