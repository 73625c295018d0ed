"""Values of what is in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from workroom.core.wire import Wire
from workroom.core.writing_agent import WritingAgent
from workroom.documents.types import ContentObject, Structure
from workroom.files.service import Content as StoredFile
from workroom.files.types import File


class Problem(Wire):
    """Why there is nothing to read; the codes are those of documents/errors.py."""

    code: str
    message: str


class Reading(Wire):
    """What a look into a file, or into the member at `inside` it, found. `lie`: its name claims another kind."""

    file_id: UUID
    version: int
    inside: str
    name: str
    media_type: str
    size: int
    is_container: bool
    is_text: bool
    lie: str | None = None
    structure: Structure | None = None
    problem: Problem | None = None


class MemberInfo(Wire):
    """Something in an archive or a mail. `opens`: it can be looked into in its turn, with a longer `inside`."""

    path: str
    size: int | None
    is_folder: bool
    modified: datetime | None
    media_type: str | None
    encrypted: bool
    index: int
    opens: bool


class ObjectSummary(Wire):
    sequence: int
    content_type: str
    location: str
    summary: str


class FileContentIndex(Wire):
    """All that is known of a file's content so far. `totalObjects` and `objectSummary` count what was read."""

    id: UUID
    user_id: UUID
    feature_instance_id: UUID
    mandate_id: UUID
    is_shared: bool
    file_name: str
    mime_type: str
    container_path: str
    total_objects: int
    total_size: int
    structure: Structure | None
    object_summary: list[ObjectSummary]
    extracted_at: datetime | None
    status: str  # pending, structured, extracted, failed


@dataclass(frozen=True)
class ContentKey:
    """Equal for equal bytes of one kind within a mandate."""

    mandate_id: UUID
    hash: str
    media_type: str


@dataclass(frozen=True)
class KnownContent:
    """A content that was looked into."""

    id: UUID
    key: ContentKey
    size: int
    structure: Structure | None
    problem: Problem | None
    looked_at: datetime


@dataclass(frozen=True)
class StoredDocument:
    """A document that may be read: a stored file, or the member at `path` of the container `within`; `kept` is the path by which
    the index knows it."""

    stored: StoredFile
    name: str
    key: ContentKey
    size: int
    lie: str | None = None
    within: StoredDocument | None = None
    path: str = ""
    kept: str = ""

    @property
    def file(self) -> File:
        return self.stored.file

    @property
    def inside(self) -> str:
        """From the file to here, through all containers."""
        if self.within is None:
            return ""
        return f"{self.within.inside}/{self.path}" if self.within.inside else self.path

    @property
    def depth(self) -> int:
        return 0 if self.within is None else self.within.depth + 1

    @property
    def container_path(self) -> str:
        return f"{self.file.name}/{self.inside}" if self.within else self.file.name


@dataclass(frozen=True)
class ObjectPage:
    """Objects in reading order. `more`: where to go on, as (part, sequence); `cut`: the file has more than is kept of it;
    `at`: where each of the objects stands, to go on from there."""

    objects: list[ContentObject]
    more: tuple[int, int] | None = None
    cut: bool = False
    at: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class KeptPart:
    objects: int
    characters: int
    cut: bool


class ProposalState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class OpenProposal(Wire):
    """A change to a text file that waits for a decision: made from `version`, in the name of a person, by an agent."""

    id: UUID
    file_id: UUID
    version: int
    proposed_by: UUID | None
    proposed_by_name: str | None = None
    agent_id: UUID | None = None
    agent_name: str = ""
    run_id: UUID | None = None
    proposed_at: datetime


class FileProposal(OpenProposal):
    """With both texts, whole, and what was decided. `became`: the version that has what was accepted."""

    before: str
    after: str
    state: ProposalState = ProposalState.OPEN
    decided_by: UUID | None = None
    decided_at: datetime | None = None
    became: int | None = None

    @property
    def agent(self) -> WritingAgent | None:
        return WritingAgent(self.agent_id, self.agent_name, self.run_id) if self.agent_id else None
