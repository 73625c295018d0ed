"""The text protocol: tool calls found in text, piece by piece, strictly. Pure.

A call is a block that stands alone on its lines:

    ```tool
    {"tool": "saveNote", "arguments": {"title": "one"}}
    ```

with exactly these two keys. A block that begins like one and is not one is unreadable; everything else is text, also a
fence that is merely mentioned, inside a sentence or inside other code. Where the text is cut into pieces makes no difference.

Small models do not stop there: behind a block they write what they think its result would be, or write `Result of saveNote: …`
without any block. Neither is an answer to the user: reading stops, and nothing of it is shown.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from workroom.models.providers.arguments import UNREADABLE_LENGTH, clean, read_arguments
from workroom.models.providers.names import LONGEST_INVENTED

OPENING = "```tool"
CLOSING = "```"
# Between text before a block and text after it, in place of the block.
GAP = "\n\n"
UNNAMED = "unknown"

_FENCE = re.compile(r" {0,3}(?:(?P<ticks>`{3,})(?P<info>[^`]*)|(?P<waves>~{3,})(?P<rest>.*))", re.DOTALL)
_RESULT = re.compile(r"[\s>*#-]*(?:the )?(?:result|output) of [`*“\"]*(?P<tool>[\w.]+)", re.IGNORECASE)
_RESULT_BEGINS = ("result of", "output of", "the result of", "the output of")
_LONGEST_HELD = 120
_NAMED = re.compile(r'"tool"\s*:\s*"([^"\\]+)"')


@dataclass(frozen=True)
class ToolCallBlock:
    """`wrong` says what is wrong with it, to the model that wrote it; `written` is what it wrote between the fences."""

    tool: str
    arguments: dict[str, Any]
    written: str
    wrong: str | None = None


@dataclass
class BlockReader:
    """Feed it text as it comes. `found` is what there is so far, in order: text as it is shown, and blocks."""

    uncalled: frozenset[str] = frozenset()  # tools of which there can be no result yet
    found: list[str | ToolCallBlock] = field(default_factory=list)
    claimed: str = ""  # the tool whose result was made up
    stopped: bool = False  # nothing that follows counts
    _line: str = ""  # the present line, as far as it has come
    _said: int = 0  # how much of it is shown already; nothing, as long as it may become a fence of ours
    _block: list[str] | None = None  # the lines of the block we are in
    _other: str = ""  # the fence of other code we are in
    _space: str = ""  # white space that is shown only if text follows, so that none is left around blocks
    _after_block: bool = False
    _out: list[str] = field(default_factory=list)

    def feed(self, text: str) -> str:
        """What may be shown now, of this and of what had to wait."""
        for piece in re.split(r"(?<=\n)", text):
            if self.stopped:
                break
            self._line += piece
            if piece.endswith("\n"):
                self._end_of_line()
            elif self._block is None and not _may_open(self._line) and not self._may_claim(self._line):
                self._say(self._line[self._said :])
                self._said = len(self._line)
        return self._shown()

    def finish(self) -> str:
        """What is left to be shown when no more comes. A block that is still open is unreadable."""
        if self._line and not self.stopped:
            self._end_of_line()
        if self._block is not None:
            self._close("the block is not closed by a line ```")
        if not self._after_block and not self.stopped:
            self._keep(self._space)
        return self._shown()

    @property
    def blocks(self) -> list[ToolCallBlock]:
        return [item for item in self.found if isinstance(item, ToolCallBlock)]

    def _end_of_line(self) -> None:
        line, unsaid = self._line, self._line[self._said :]
        self._line, self._said = "", 0
        bare = line.rstrip(" \t\r\n")
        if self._block is not None:
            if bare == CLOSING:
                self._close()
            else:
                self._block.append(line)
        elif bare == OPENING and not self._other:
            self._block, self._space = [], ""
        elif not self._other and (claim := _RESULT.match(line)) and claim["tool"].rstrip(".") in self.uncalled:
            self.claimed, self.stopped = "" if self.blocks else claim["tool"].rstrip("."), True
        else:
            self._fence(bare)
            self._say(unsaid)

    def _may_claim(self, line: str) -> bool:
        """Whether this may become a line that tells a result."""
        begins = line.lstrip(" \t>*#-").casefold()
        if not self.uncalled or self._said or self._other or len(line) > _LONGEST_HELD:
            return False
        return any(known.startswith(begins) or begins.startswith(known) for known in _RESULT_BEGINS)

    def _fence(self, line: str) -> None:
        """Other code, in which nothing is a call, begins or ends."""
        fence = _FENCE.fullmatch(line)
        if fence is None:
            return
        mark, info = (fence["ticks"] or fence["waves"]), (fence["info"] or fence["rest"] or "")
        if not self._other:
            self._other = mark
        elif mark.startswith(self._other) and not info.strip():
            self._other = ""

    def _say(self, text: str) -> None:
        if self._after_block:
            text = text.lstrip()
            if not text:
                return
            if self.blocks[-1].wrong is None:
                self.stopped = True
                return
            self._space = GAP if any(isinstance(item, str) for item in self.found) else ""
            self._after_block = False
        said = text.rstrip()
        if said:
            self._keep(self._space + said)
            self._space = ""
        self._space += text[len(said) :]

    def _keep(self, text: str) -> None:
        if not text:
            return
        self._out.append(text)
        if self.found and isinstance(self.found[-1], str):
            self.found[-1] += text
        else:
            self.found.append(text)

    def _close(self, wrong: str | None = None) -> None:
        assert self._block is not None
        self.found.append(read_block("".join(self._block), wrong))
        self._block, self._after_block = None, True

    def _shown(self) -> str:
        shown = "".join(self._out)
        self._out.clear()
        return shown


def read_block(written: str, wrong: str | None = None) -> ToolCallBlock:
    """What stands between the fences."""
    kept = clean(written[:UNREADABLE_LENGTH])
    try:
        value = json.loads(written)
    except (ValueError, RecursionError) as error:
        value = None
        wrong = wrong or f"it is not JSON ({error})"
    if wrong is None and (not isinstance(value, dict) or set(value) != {"tool", "arguments"}):
        wrong = 'it is not an object with exactly the keys "tool" and "arguments"'
    if wrong is None and not (isinstance(value["tool"], str) and value["tool"].strip()):
        wrong = '"tool" is not the name of a tool'
    if wrong is None and not isinstance(value["arguments"], dict):
        wrong = '"arguments" is not an object'
    if wrong is None:
        arguments, unreadable = read_arguments(value["arguments"])
        if unreadable is None:
            return ToolCallBlock(_name(value["tool"]), arguments, kept)
        wrong = '"arguments" holds something that is not plain JSON'
    named = _NAMED.search(written)
    return ToolCallBlock(_name(named[1] if named else "") or UNNAMED, {}, kept, wrong)


def _name(written: str) -> str:
    return clean(written.strip())[:LONGEST_INVENTED]


def _may_open(line: str) -> bool:
    """Whether a line that begins like this may become the opening fence of a block."""
    return OPENING.startswith(line) or (line.startswith(OPENING) and not line[len(OPENING) :].strip(" \t\r"))
