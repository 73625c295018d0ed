"""Values of companies and of the documents about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from workroom.core.languages import Language
from workroom.core.wire import Wire


class Company(Wire):
    """`version` says which version this is: a change names the one it was made from. `language` is that of its documents."""

    id: UUID
    name: str
    website: str
    language: Language
    description: str
    version: int
    owner_id: UUID | None
    changed_by: UUID | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


@dataclass(frozen=True)
class CompanyChange:
    """What is None stays as it is."""

    name: str | None = None
    website: str | None = None
    language: Language | None = None
    description: str | None = None


class DocumentStatus(StrEnum):
    EMPTY = "empty"
    DRAFT = "draft"
    FINAL = "final"


class DnaVersion(Wire):
    """One version of a document without its text. `writtenBy` is the person who wrote it, or for whom an agent did in a run."""

    version: int
    status: DocumentStatus
    written_by: UUID | None
    written_by_name: str | None
    agent_id: UUID | None
    agent_name: str
    run_id: UUID | None
    written_at: datetime | None
    restored_from: int | None


class DnaDocument(DnaVersion):
    """A document in its newest version, or in an earlier one. Version 0: it was never written. `finalisedAt`: when it was
    final last, whatever has become of it since."""

    kind: str
    text: str
    finalised_at: datetime | None


def unwritten(kind: str) -> DnaDocument:
    return DnaDocument(
        kind=kind,
        version=0,
        status=DocumentStatus.EMPTY,
        text="",
        written_by=None,
        written_by_name=None,
        agent_id=None,
        agent_name="",
        run_id=None,
        written_at=None,
        restored_from=None,
        finalised_at=None,
    )


@dataclass(frozen=True)
class DocumentInput:
    """`version` is the one the text was made from. Without a text the document is empty, whatever `status` says."""

    version: int
    text: str
    status: DocumentStatus = DocumentStatus.DRAFT
