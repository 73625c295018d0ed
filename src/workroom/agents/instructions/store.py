"""All SQL of instructions. The newest version counts; an empty one takes them away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.agents.instructions.types import Instruction, InstructionLevel, InstructionVersion
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page

VERSIONS = "select version as id, version, text, made_by_name, made_at from instructions"
PLATFORM = "select version as id, version, text, null::text as made_by_name, made_at from platform_instructions"
SUBJECT = " where mandate_id = $1 and instance_id is not distinct from $2 and user_id is not distinct from $3"


@dataclass(frozen=True)
class Subject:
    """Whose they are: neither a workspace nor a person means the organisation."""

    mandate_id: UUID
    instance_id: UUID | None = None
    user_id: UUID | None = None

    @property
    def scope(self) -> InstructionLevel:
        if self.instance_id is not None:
            return InstructionLevel.INSTANCE
        return InstructionLevel.MANDATE if self.user_id is None else InstructionLevel.USER

    @property
    def args(self) -> list[UUID | None]:
        return [self.mandate_id, self.instance_id, self.user_id]


async def newest(uow: UnitOfWork, subject: Subject) -> Instruction:
    row = await uow.fetchrow(f"{VERSIONS}{SUBJECT} order by version desc limit 1", *subject.args)
    return _instruction(subject.scope, row)


async def platform(uow: UnitOfWork) -> Instruction:
    return _instruction(InstructionLevel.PLATFORM, await uow.fetchrow(f"{PLATFORM} order by version desc limit 1"))


async def holding(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_id: UUID | None
) -> list[tuple[InstructionLevel, str]]:
    """All that hold for an answer in this workspace to this person, in the order in which they count."""
    rows = await uow.fetch(
        "select * from ("
        " (select 'platform' as scope, text from platform_instructions order by version desc limit 1)"
        " union all (select 'mandate', text from instructions where mandate_id = $1 and instance_id is null"
        "  and user_id is null order by version desc limit 1)"
        " union all (select 'instance', text from instructions where mandate_id = $1 and instance_id = $2"
        "  order by version desc limit 1)"
        " union all (select 'user', text from instructions where mandate_id = $1 and user_id = $3"
        "  order by version desc limit 1)) as said where text <> ''",
        mandate_id,
        instance_id,
        user_id,
    )
    found = {InstructionLevel(row["scope"]): row["text"] for row in rows}
    return [(scope, found[scope]) for scope in InstructionLevel if scope in found]


async def add(
    uow: UnitOfWork, subject: Subject, version: int, text: str, made_by: UUID | None, name: str, moment: datetime
) -> None:
    await uow.execute(
        "insert into instructions (mandate_id, instance_id, user_id, version, text, made_by, made_by_name, made_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8)",
        *subject.args,
        version,
        text,
        made_by,
        name,
        moment,
    )


async def add_platform(uow: UnitOfWork, version: int, text: str, moment: datetime) -> None:
    """As the owner of the schema: the application cannot."""
    await uow.execute(
        "insert into platform_instructions (version, text, made_at) values ($1, $2, $3)", version, text, moment
    )


async def versions(uow: UnitOfWork, subject: Subject | None, request: PageRequest) -> Page[InstructionVersion]:
    """Of the platform without a subject."""
    source = PLATFORM if subject is None else VERSIONS + SUBJECT
    listing = Listing(
        source,
        [] if subject is None else subject.args,
        sorts={"version": "lpad(version::text, 10, '0')"},
        default_sort="version",
        search=["text"],
    )
    return (await page(uow, listing, request)).map(_version)


def _instruction(scope: InstructionLevel, row: Any) -> Instruction:
    if row is None:
        return Instruction(scope=scope)
    return Instruction(
        scope=scope,
        text=row["text"],
        version=row["version"],
        updated_at=row["made_at"],
        updated_by_name=row["made_by_name"],
    )


def _version(row: Any) -> InstructionVersion:
    return InstructionVersion(**{name: row[name] for name in InstructionVersion.model_fields})
