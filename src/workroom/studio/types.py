"""Values of the studio."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.core.languages import Language
from workroom.core.money import CHF
from workroom.core.wire import Wire

LONGEST_NAME = 120
LONGEST_DESCRIPTION = 2_000
LONGEST_PROFILE = 20_000
LARGEST_TEXT = 300_000  # bytes of a block
MOST_PHASES = 20
MOST_BLOCKS = 1_000  # of a project
DEEPEST = 5  # groups in groups
MOST_DEPENDENCIES = 30
MOST_PERSONAS = 50
LONGEST_LINE = 500
LONGEST_REASON = 2_000  # of a judgement
MOST_SUGGESTIONS = 8


class PhaseStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"


class ProjectPhase(Wire):
    """A phase as a project has it. `name`: what it is called here; empty: as everywhere. `hidden`: this project does without
    it."""

    code: str = Field(max_length=60)
    name: str = Field("", max_length=LONGEST_NAME)
    hidden: bool = False


class CreatorProfile(Wire):
    """Who speaks in the content: voice, background, what they stand for. Projects of the workspace share it."""

    id: UUID
    name: str
    text: str
    version: int
    owner_id: UUID | None
    changed_by: UUID | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class Project(Wire):
    """`version` says which version this is: a change names the one it was made from. `language` is that of its content."""

    id: UUID
    name: str
    description: str
    described_by: UUID | None = Field(None, exclude=True)  # None: no member has written the description
    language: Language
    profile_id: UUID | None
    phases: list[ProjectPhase]
    current_phase: str
    phase_status: dict[str, PhaseStatus]
    version: int
    owner_id: UUID | None
    changed_by: UUID | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


@dataclass(frozen=True)
class ProjectChange:
    """What is None stays as it is. `without_profile`: from now on it has none."""

    name: str | None = None
    description: str | None = None
    language: Language | None = None
    profile_id: UUID | None = None
    without_profile: bool = False
    phases: list[ProjectPhase] | None = None


class BlockKind(StrEnum):
    GROUP = "group"
    BLOCK = "block"


class BlockStatus(StrEnum):
    EMPTY = "empty"
    DRAFT = "draft"
    NEEDS_REVIEW = "needsReview"
    FINAL = "final"


class BlockVersion(Wire):
    """One version of a text, without it. `writtenBy` is the person who wrote it, or for whom an agent did in a run.
    `fromOutside`: it contains what was read on the web or in files. `costCHF`: what the models that wrote it were paid."""

    version: int
    status: BlockStatus
    from_outside: bool
    written_by: UUID | None
    written_by_name: str | None
    agent_id: UUID | None
    agent_name: str
    run_id: UUID | None
    written_at: datetime | None
    restored_from: int | None
    cost_chf: CHF


class BlockVersionText(BlockVersion):
    text: str


class Block(BlockVersion):
    """A group, or a block with a text, in its newest version; version 0 was never written. `digest` sums the text up. `editedBy`
    has the text open with changes that are not saved. `totalCHF`: all its versions together."""

    id: UUID
    project_id: UUID
    parent_id: UUID | None
    kind: BlockKind
    phase: str
    name: str
    position: int
    depends_on: list[UUID]
    digest: str
    digest_by_model: bool
    edited_by: UUID | None
    edited_by_name: str | None
    total_chf: CHF
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @property
    def is_group(self) -> bool:
        return self.kind is BlockKind.GROUP


class BlockText(Block):
    text: str


@dataclass(frozen=True)
class BlockInput:
    """`version` is the one the text was made from. Without a text the block is empty, whatever `status` says."""

    version: int
    text: str
    status: BlockStatus = BlockStatus.DRAFT
    from_outside: bool = False
    cost_chf: Decimal = Decimal(0)


@dataclass(frozen=True)
class NewBlock:
    """`before`: the sibling it stands before; None: at the end."""

    name: str
    kind: BlockKind = BlockKind.BLOCK
    phase: str | None = None  # None: that of its parent, else the current one
    parent_id: UUID | None = None
    depends_on: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class DigestTask:
    """A text that this worker has leased to have it summed up. `owner_id`: who wrote it; `tries` counts this one; `epoch` is the
    fencing number of the lease."""

    mandate_id: UUID
    block_id: UUID
    project_id: UUID
    instance_id: UUID
    owner_id: UUID
    version: int
    epoch: int
    tries: int


Line = Annotated[str, Field(max_length=LONGEST_LINE)]


class PersonaContent(Wire):
    """A person of the audience, as research or the user describes them. `basis` says where that is from."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    summary: str = Field("", max_length=1_000)
    situation: str = Field("", max_length=2_000)
    goals: list[Line] = Field(default_factory=list, max_length=12)
    pains: list[Line] = Field(default_factory=list, max_length=12)
    habits: list[Line] = Field(default_factory=list, max_length=12)
    basis: str = Field("", max_length=1_000)


class AudiencePersona(PersonaContent):
    """`agentName`: it was written by an agent for `changedBy`."""

    id: UUID
    project_id: UUID
    version: int
    changed_by: UUID | None
    agent_name: str
    from_outside: bool = Field(False, exclude=True)  # it contains what was read on the web or in files
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @property
    def content(self) -> PersonaContent:
        return PersonaContent(**{name: getattr(self, name) for name in PersonaContent.model_fields})


class EvaluationTarget(Wire):
    """A block as it was judged."""

    block_id: UUID
    name: str
    version: int


class DimensionResult(Wire):
    """What was judged of the content in one respect: `score` of 10, why, and what would be better."""

    dimension: str = Field(min_length=1, max_length=80)
    score: float = Field(ge=0, le=10)
    reason: str = Field(min_length=1, max_length=LONGEST_REASON)
    suggestions: list[Line] = Field(default_factory=list, max_length=MOST_SUGGESTIONS)


class ContentEvaluation(Wire):
    """A judgement of a model on some blocks."""

    id: UUID
    project_id: UUID
    targets: list[EvaluationTarget]
    results: list[DimensionResult]
    made_by: UUID | None
    made_by_name: str | None
    agent_name: str
    run_id: UUID | None
    made_at: datetime
    cost_chf: CHF

    @property
    def overall(self) -> float:
        return sum(result.score for result in self.results) / len(self.results)
