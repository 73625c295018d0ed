"""The conversation as a pure value: messages made of parts. This is what is stored; libraries of providers change weekly.

Stored JSON carries a version; adding an optional field is fine, changing one is a new version.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from workroom.core.actions import OpenFile
from workroom.core.places import HasPlace
from workroom.core.plans import Plan, StepOutcome
from workroom.core.results import FROM_OUTSIDE, ToolResult
from workroom.core.sources import Source, unmarked
from workroom.core.wire import Wire

VERSION: Literal[1] = 1
_END_OF_MATERIAL = re.compile(r"</(?=\s*material)", re.IGNORECASE)


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class TextPart(Wire):
    type: Literal["text"] = "text"
    text: str


class ImagePart(Wire):
    """`data` is base64."""

    type: Literal["image"] = "image"
    media_type: str
    data: str


class CallPart(Wire):
    """The model asks for a tool. `call_id` is ours; providers see it and give it back."""

    type: Literal["toolCall"] = "toolCall"
    call_id: UUID
    tool: str
    arguments: dict[str, Any]
    # What the model wrote, when it could not be read as arguments; the call then fails and the model is told why.
    unreadable: str | None = None
    # The model wrote the call as text, and it was read out of its answer.
    as_text: bool = False
    # Its arguments are words of what was read for the one who asked: for them, and for the models that answer them.
    private: bool = False


class ResultPart(Wire):
    type: Literal["toolResult"] = "toolResult"
    call_id: UUID
    tool: str
    result: ToolResult


class OpaquePart(Wire):
    """Something only its provider understands (reasoning, signatures): given back to that model only, else dropped."""

    type: Literal["opaque"] = "opaque"
    provider: str
    model: str
    data: dict[str, Any]

    @property
    def thought(self) -> str:
        """What the model thought, if that is what this is and it can be read."""
        part = self.data.get("part")
        if not isinstance(part, dict) or part.get("part_kind") != "thinking":
            return ""
        return str(part.get("content") or "")


class ThoughtPart(Wire):
    """What the model thought, for people to unfold. Never stored: made of an opaque part when the message is shown."""

    type: Literal["thought"] = "thought"
    text: str


class FilePart(Wire):
    """A file attached to a question; `version` is the one there was then."""

    type: Literal["file"] = "file"
    file_id: UUID
    name: str
    version: int | None = None

    @property
    def prompt_text(self) -> str:
        """As a model reads it."""
        return f"[Attached: {self.name}, fileId {self.file_id}]"


class SkillPart(Wire):
    """A skill that a question calls by its name. `text` is what models read: that version, with the values given. `tools`: those
    of the agent that are used for it; none: all. `read_for` is who called it: no other person's model reads it, nor one that
    answers before readers who have joined since. `untrusted`: another person wrote of it."""

    type: Literal["skill"] = "skill"
    skill_id: UUID
    name: str
    version: int
    tools: list[str] = Field(default_factory=list)
    text: str = ""
    read_for: UUID | None = None
    untrusted: bool = False

    def for_reader(self, reader: UUID | None) -> SkillPart:
        return self if self.read_for in (None, reader) else self.public

    @property
    def prompt_text(self) -> str:
        """As a model reads it."""
        if not self.text:
            return f"[The user calls the skill /{self.name}.]"
        return f"[The user calls the skill /{self.name}. Do what it says for this message.]\n{self.text}"

    @property
    def public(self) -> SkillPart:
        """As people see it in the conversation: that it was called."""
        return self.model_copy(update={"text": "", "read_for": None})


class MaterialPart(HasPlace):
    """What a question points at, read before the first round with the rights of the person who asked: `read_for`. The `text`
    is for the model that answers that person and for no other reader; people see the `place`."""

    type: Literal["material"] = "material"
    kind: Literal["text", "outline", "listing", "note"]
    text: str = ""
    read_for: UUID
    opens: OpenFile | None = None
    untrusted: bool = True
    found: bool = False  # by searching, not because the question names it
    shared: bool = False  # in a file that is shared with everybody
    mark: str | None = None  # what an answer cites it by, if it is one place
    sources: list[Source] = Field(default_factory=list)  # places in it, whose marks stand in the text
    read_in: UUID | None = (
        None  # the run it was read in: another answer to the same question reads with the rights of its day
    )

    @property
    def prompt_text(self) -> str:
        """As a model reads it: where it begins and ends, whatever is written in it."""
        about = {"mark": self.mark or "", "of": unmarked(self.label)}
        if self.opens is not None:
            about |= {"fileId": str(self.opens.file_id), "inside": self.opens.inside or ""}
        head = "".join(f' {name}="{_attribute(value)}"' for name, value in about.items() if value)
        said = f"<material{head}>\n{_END_OF_MATERIAL.sub('< /', self.text)}\n</material>"
        return f"{FROM_OUTSIDE}\n{said}" if self.untrusted else said

    def seen_by(self, user_id: UUID | None) -> MaterialPart:
        """As a reader of the conversation may see it: that it was read, not what it says. Words of the document (quotes, names
        of sheets, titles of sections) are only for the person it was read for."""
        if user_id == self.read_for:
            return self.model_copy(update={"text": ""})
        opens = self.opens and self.opens.model_copy(update={"quote": None, "sheet": None})
        return self.model_copy(update={"text": "", "opens": opens, "sources": [], "place": self.place.public})


class PlanPart(Wire):
    """What the agent is going to do for a request. Models do not read it: they see the calls it came to."""

    type: Literal["plan"] = "plan"
    plan: Plan


class StepPart(Wire):
    """A step of the plan is done; this is what became of it."""

    type: Literal["step"] = "step"
    step: StepOutcome


def _attribute(text: str) -> str:
    """One line, and nothing that would end it."""
    return " ".join(text.replace('"', "'").replace(">", "").split())


Part = Annotated[
    TextPart
    | ImagePart
    | CallPart
    | ResultPart
    | OpaquePart
    | ThoughtPart
    | FilePart
    | SkillPart
    | MaterialPart
    | PlanPart
    | StepPart,
    Field(discriminator="type"),
]
PARTS: TypeAdapter[list[Part]] = TypeAdapter(list[Part])


class Message(Wire):
    id: UUID
    role: Role
    parts: list[Part]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def readable(self) -> str:
        """Everything in it that a model reads as text."""
        return "\n".join(_readable(part) for part in self.parts)

    @property
    def calls(self) -> list[CallPart]:
        return [part for part in self.parts if isinstance(part, CallPart)]

    @property
    def files(self) -> list[FilePart]:
        return [part for part in self.parts if isinstance(part, FilePart)]

    @property
    def skill(self) -> SkillPart | None:
        return next((part for part in self.parts if isinstance(part, SkillPart)), None)

    @property
    def materials(self) -> list[MaterialPart]:
        return [part for part in self.parts if isinstance(part, MaterialPart)]

    @property
    def plan(self) -> Plan | None:
        return next((part.plan for part in self.parts if isinstance(part, PlanPart)), None)

    @property
    def steps(self) -> list[StepOutcome]:
        return [part.step for part in self.parts if isinstance(part, StepPart)]

    def for_reader(self, reader: UUID | None) -> Message:
        """Without the text of a skill that another person called."""
        if self.skill is None:
            return self
        parts = [part.for_reader(reader) if isinstance(part, SkillPart) else part for part in self.parts]
        return self.model_copy(update={"parts": parts})

    def as_last_read(self, kind: Callable[[MaterialPart], bool] = lambda _: True) -> Message:
        """With such material as was read for its last answer alone: a question answered again was read for again."""
        fitting = [part for part in self.materials if kind(part)]
        last = fitting[-1].read_in if fitting else None
        kept = [p for p in self.parts if not isinstance(p, MaterialPart) or (p.read_in == last and kind(p))]
        return self if len(kept) == len(self.parts) else self.model_copy(update={"parts": kept})


def _readable(part: Part) -> str:
    match part:
        case TextPart(text=text):
            return text
        case CallPart():
            return part.unreadable or f"{part.tool} {part.arguments}"
        case ResultPart(result=result):
            return result.text()
        case FilePart() | SkillPart() | MaterialPart():
            return part.prompt_text
        case _:
            return ""


class StoredParts(Wire):
    """The parts of a message as a row keeps them."""

    version: Literal[1] = VERSION
    parts: list[Part]
