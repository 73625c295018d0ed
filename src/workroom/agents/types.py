"""Values of agents: what one is made of, and as what it is known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from workroom.agent.config import Chatting, Cost, Rounds
from workroom.agent.planning.intents import Intent
from workroom.agent.ports import MOST_ROUNDS, AgentSpec, Strategy
from workroom.core.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from workroom.core.pauses import FileEdits
from workroom.core.wire import Wire
from workroom.identity.sharing import Visibility
from workroom.models.ports import Forcing

LONGEST_INSTRUCTIONS = 20_000
FORMAT: Literal["workroom-agent"] = "workroom-agent"
FORMAT_VERSION: Literal[1] = 1

Text = Annotated[str, Field(max_length=LONGEST_INSTRUCTIONS)]
ToolName = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z][\w.]*$")]
SetName = Annotated[str, Field(min_length=1, max_length=60)]
ModelName = Annotated[str, Field(min_length=3, max_length=200, pattern=r"^[\w.-]+/[\w.:/@+-]+$")]


class Team(StrEnum):
    """Shipped agents that need a language model, and work together where there are several; pages show them as a group."""

    SPECIALISTS = "specialists"
    STUDIO = "studio"


class AgentInstructions(Wire):
    """What makes it this agent, in as many languages as it was written in; one at least."""

    de: Text | None = None
    en: Text | None = None
    fr: Text | None = None
    pt: Text | None = None
    zh: Text | None = None

    def in_language(self, language: str, *others: str | None) -> str:
        """In this language, else the first there is of the others."""
        wanted = (language, *others, DEFAULT_LANGUAGE, *LANGUAGES)
        return next((text for one in wanted if one in LANGUAGES and (text := getattr(self, one))), "")


class AgentText(Wire):
    """What an agent is made of, wherever it goes."""

    name: str = Field(max_length=120)
    description: str = Field("", max_length=1_000)
    glyph: str = Field("", max_length=20)
    instructions: AgentInstructions
    strategy: Strategy = Strategy.REACT
    intents: list[Intent] = Field(default_factory=list, max_length=40)
    tool_sets: list[SetName] = Field(default_factory=list, max_length=100)
    tool_names: list[ToolName] = Field(default_factory=list, max_length=200)
    trusted_tools: list[ToolName] = Field(default_factory=list, max_length=200)
    file_edits: FileEdits = "ask"
    forcing: Forcing = Forcing.AUTO
    temperature: float = Field(0.7, ge=0, le=2)
    model: ModelName | None = None
    operation: Chatting | None = None
    max_rounds: Rounds | None = None
    max_cost_chf: Cost | None = None
    language: Language | None = None


class AgentContent(AgentText):
    """Everything a version of an agent holds. No `toolSets` and no `toolNames`: the tools of the workspace; `model`,
    `operation`, `maxRounds`, `maxCostCHF` and `language` are the workspace's or the user's where nothing is said. `strategy`
    is `react` (round by round) or `plan` (one plan, then its steps, of the `intents` named). `fileEdits`: where it proposes to
    change a file, it waits for the answer (`ask`), or goes on (`continue`) while the proposal stays open."""

    hands_to: list[UUID] = Field(default_factory=list, max_length=20)


class AgentDefinition(AgentContent):
    """An agent as it is known: shipped (`builtin`), or made by a person. `team`: the shipped team it is part of, if any; a
    copy is part of none."""

    id: UUID
    slug: str
    version: int
    builtin: bool = False
    team: Team | None = None
    visibility: Visibility = Visibility.MY
    owner_id: UUID | None = None
    instance_id: UUID | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def content(self) -> AgentContent:
        return AgentContent(**{name: getattr(self, name) for name in AgentContent.model_fields})


class AgentVersion(Wire):
    version: int
    name: str
    made_by: UUID | None
    made_by_name: str | None
    made_at: datetime
    restored_from: int | None
    content: AgentContent


class PortableAgent(AgentText):
    """Read leniently: what is not known here is reported, and does not keep the rest out."""

    hands_to: list[Annotated[str, Field(max_length=60)]] = Field(default_factory=list, max_length=100)


class AgentFile(Wire):
    """An agent as it travels between installations. `handsTo` are the slugs of others: their ids mean nothing elsewhere."""

    format: Literal["workroom-agent"] = FORMAT
    format_version: Literal[1] = FORMAT_VERSION
    agent: PortableAgent


class ImportWarning(Wire):
    """Something of an imported agent that is not, or not yet, as it was where it came from."""

    field: str
    value: str
    message: str


class ImportedAgent(Wire):
    """`replaced`: it is a new version of an agent that was here; its history has the one before."""

    agent: AgentDefinition
    warnings: list[ImportWarning]
    replaced: bool = False


def spec(definition: AgentDefinition, language: str) -> AgentSpec:
    """What the loop works with. `language` is the user's; an agent may have one of its own. What the workspace allows, and
    whom it may hand over to, is added when a run starts."""
    spoken = definition.language or language
    return AgentSpec(
        instructions=definition.instructions.in_language(spoken, language),
        id=definition.id,
        name=definition.name,
        version=definition.version,
        team=definition.team or "",
        tool_sets=frozenset(definition.tool_sets),
        tool_names=frozenset(definition.tool_names),
        trusted_tools=frozenset(definition.trusted_tools),
        file_edits=definition.file_edits,
        strategy=definition.strategy,
        intents=tuple(definition.intents),
        forcing=definition.forcing,
        temperature=definition.temperature,
        prefers=definition.model,
        max_rounds=definition.max_rounds or MOST_ROUNDS,
        max_cost_chf=None if definition.max_cost_chf is None else Decimal(definition.max_cost_chf),
        language=spoken,
    )


def stored(content: AgentContent) -> str:
    """As a row keeps it; adding an optional field is fine."""
    return content.model_dump_json()


def read(json: str | Mapping[str, Any]) -> AgentContent:
    return AgentContent.model_validate_json(json) if isinstance(json, str) else AgentContent.model_validate(json)
