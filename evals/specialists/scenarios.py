"""A scenario as a value, read from `data/`: a company with what is known of it, and a conversation with a specialist about it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from evals.selection import selected as selected_by
from evals.set_up_files import FileSetUp
from evals.specialists.checks import Check
from workroom.agents.shipped import files as shipped_files
from workroom.companies.types import DocumentStatus
from workroom.core.languages import LANGUAGES, Language
from workroom.core.wire import Wire

FOLDER = Path(__file__).parent / "data"
SPECIALISTS = (
    "orchestrator",
    "briefing",
    "swot",
    "audience",
    "positioning",
    "goals",
    "messages",
    "project_wizard",
)
"""The files, in the order in which the specialists work."""


class Endpoint(StrEnum):
    """How the conversation is led: in the workspace, as by a person, or by `POST /api/agentic-chat`, as by other software."""

    WORKSPACE = "workspace"
    AGENTIC_CHAT = "agenticChat"


class CompanySetUp(Wire):
    """Its language is that of the scenario."""

    name: str
    website: str = ""


class DocumentSetUp(Wire):
    """A document of the company's DNA that exists before the conversation: a `text`, or a `file` in `data/`."""

    kind: str
    text: str = ""
    file: str | None = None
    status: DocumentStatus = DocumentStatus.FINAL

    @model_validator(mode="after")
    def _has_text(self) -> DocumentSetUp:
        if (self.file is None) == (not self.text):
            raise ValueError("text or file")
        return self

    @property
    def content(self) -> str:
        return self.text if self.file is None else content_of(self.file)


class ScriptedCall(Wire):
    """`text_file` is a file in `data/` that the argument `text` is read from."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    text_file: str | None = None

    @property
    def all_arguments(self) -> dict[str, Any]:
        return self.arguments if self.text_file is None else {**self.arguments, "text": content_of(self.text_file)}


class ScriptedReply(Wire):
    """One reply of the scripted provider: calls, or words."""

    text: str = ""
    calls: list[ScriptedCall] = Field(default_factory=list)

    @model_validator(mode="after")
    def _says_something(self) -> ScriptedReply:
        if not self.text and not self.calls:
            raise ValueError("text or calls")
        return self


class ScenarioTurn(Wire):
    """What the user writes, or with `presses` a button: the suggestion with these words, or yes or no to a confirmation. Where
    the agent has not shown that button, the words are written. `required` holds for every model, `scripted` only for the replies
    in `script`, which are those to all requests of this turn."""

    writes: str = Field(min_length=1)
    presses: Literal["suggestion", "yes", "no"] | None = None
    required: list[Check] = Field(default_factory=list)
    scripted: list[Check] = Field(default_factory=list)
    script: list[ScriptedReply] = Field(min_length=1)

    @property
    def answers_confirmation(self) -> bool:
        return self.presses in ("yes", "no")


class Scenario(Wire):
    """`specialist` is the name of its file. `about` says in a sentence what it shows. `model_calls` is how many calls of the
    model all turns may take together."""

    id: str = Field(pattern=r"^[a-z_]+-[a-z]{2}-[1-9]$")
    specialist: str
    language: Language
    about: str
    model_calls: int = Field(ge=1)
    endpoint: Endpoint = Endpoint.WORKSPACE
    company: CompanySetUp
    documents: list[DocumentSetUp] = Field(default_factory=list)
    files: list[FileSetUp] = Field(default_factory=list)
    turns: list[ScenarioTurn] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_together(self) -> Scenario:
        if self.id[:-2] != f"{self.specialist}-{self.language}":
            raise ValueError(f"the id begins with {self.specialist}-{self.language}")
        if self.endpoint is Endpoint.AGENTIC_CHAT and any(file.attached for file in self.files):
            raise ValueError("agentic-chat takes no files")
        return self

    @property
    def slug(self) -> str:
        """Of the agent."""
        return slug_of(self.specialist)


def content_of(file: str) -> str:
    return (FOLDER / file).read_text("utf-8")


def slug_of(specialist: str) -> str:
    return specialist if specialist in shipped_files() else f"{specialist}_specialist"


@cache
def all_scenarios() -> Sequence[Scenario]:
    """In the order in which the specialists work, and of their files."""
    return [scenario for name in SPECIALISTS for scenario in read(FOLDER / f"{name}.toml")]


def read(path: Path) -> Sequence[Scenario]:
    written = tomllib.loads(path.read_text("utf-8"))
    return [Scenario.model_validate({"specialist": path.stem, **scenario}) for scenario in written["scenario"]]


def selected(scenarios: Sequence[Scenario], selectors: Sequence[str], limit: int | None = None) -> Sequence[Scenario]:
    """Selectors are specialists, languages or ids."""
    sorts = (lambda one: one.specialist, lambda one: one.language, lambda one: one.id)
    return selected_by(scenarios, selectors, sorts, "scenario", [*SPECIALISTS, *LANGUAGES], limit)


def over_both_endpoints(scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
    """A run goes through both doors: if none of the scenarios is for agentic-chat, the last one without attached files is led
    there."""
    if any(scenario.endpoint is Endpoint.AGENTIC_CHAT for scenario in scenarios):
        return scenarios
    able = [scenario for scenario in scenarios if not any(file.attached for file in scenario.files)]
    moved = {scenario.id: scenario.model_copy(update={"endpoint": Endpoint.AGENTIC_CHAT}) for scenario in able[-1:]}
    return [moved.get(scenario.id, scenario) for scenario in scenarios]
