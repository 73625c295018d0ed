"""A run waiting for a person: what it asks, and what can be answered. Stored with the call it belongs to.

A confirmation comes before its call: nothing has happened yet. The other three come after it: the call is finished, and
the answer completes its result. No tool is ever entered twice.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from workroom.core.actions import UiAction
from workroom.core.wire import Wire

VERSION: Literal[1] = 1
LONGEST_ANSWER = 20_000
# What a run does where it proposes to change a file: it waits for the answer, or goes on while the proposal stays open.
FileEdits = Literal["ask", "continue"]


class Confirmation(Wire):
    """May this be done? `text` says what exactly, such as the title of what would be deleted; `name` is that title alone, for
    pages that ask in the language of their reader, `variant` which of the tool's questions it is; `subject` is what it was when
    it was asked about, where that can change before the answer. `untrusted`: the run has read content that others wrote, which
    may have put the idea into the model's head. `forRun`: a yes holds for every call of this tool until the run ends."""

    kind: Literal["confirmation"] = "confirmation"
    version: Literal[1] = VERSION
    text: str
    name: str = ""
    variant: str = ""
    subject: str = ""
    untrusted: bool = False
    for_run: bool = False


class Question(Wire):
    kind: Literal["question"] = "question"
    version: Literal[1] = VERSION
    text: str


class Option(Wire):
    """One of several answers. `actions` preview it in the interface; `data` is what the tool gets to know of it."""

    id: str
    label: str
    description: str = ""
    confidence: float | None = None
    actions: list[UiAction] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict)


class Choice(Wire):
    """`box`: yes or no rather than one of many, shown as two buttons."""

    kind: Literal["choice"] = "choice"
    version: Literal[1] = VERSION
    text: str
    options: list[Option] = Field(min_length=1)
    untrusted: bool = False  # what is offered is untrusted content, and so is what is chosen
    box: bool = False


class ProposedFile(Wire):
    """The file that a proposal would change, and the version it was made from."""

    file_id: UUID
    version: int


class Proposal(Wire):
    """A change to a text, to be accepted or rejected: `before` and `after` are whole, the interface shows the difference. That of
    a file is for the person whose rights it was read with alone."""

    kind: Literal["proposal"] = "proposal"
    version: Literal[1] = VERSION
    text: str
    name: str
    before: str
    after: str
    data: dict[str, Any] = Field(default_factory=dict)
    file: ProposedFile | None = None


Pause = Annotated[Confirmation | Question | Choice | Proposal, Field(discriminator="kind")]
PAUSE: TypeAdapter[Pause] = TypeAdapter(Pause)


class Confirmed(Wire):
    kind: Literal["confirmation"] = "confirmation"
    accepted: bool


class Replied(Wire):
    kind: Literal["question"] = "question"
    text: str = Field(min_length=1, max_length=LONGEST_ANSWER)


class Chosen(Wire):
    kind: Literal["choice"] = "choice"
    choice_id: str = Field(max_length=200)


class Reviewed(Wire):
    """`text` is what was accepted when that is only a part of the proposal."""

    kind: Literal["proposal"] = "proposal"
    accepted: bool
    text: str | None = Field(None, max_length=1_000_000)


PauseAnswer = Annotated[Confirmed | Replied | Chosen | Reviewed, Field(discriminator="kind")]
ANSWER: TypeAdapter[PauseAnswer] = TypeAdapter(PauseAnswer)


class PauseState(StrEnum):
    WAITING = "waiting"
    ANSWERED = "answered"
    DISMISSED = "dismissed"
