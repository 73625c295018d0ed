"""Read by all they hold for; changed by who may change the organisation, the workspace, or by the person themselves. Those of
the platform are changed by its operator, at the command line."""

from __future__ import annotations

from uuid import UUID

from workroom.agents.errors import InstructionsChanged
from workroom.agents.instructions import store
from workroom.agents.instructions.store import Subject
from workroom.agents.instructions.types import LONGEST, Instruction, InstructionLevel, InstructionVersion
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, InvalidInput
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_text
from workroom.identity.types import Action, Principal


class Instructions:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def all(self, principal: Principal, instance_id: UUID | None = None) -> list[Instruction]:
        """Every level there is for this person, with whether they may change it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            found = [await store.platform(uow), await self._shown(uow, principal, Subject(principal.mandate_id))]
            if instance_id is not None:
                found.append(await self._shown(uow, principal, Subject(principal.mandate_id, instance_id=instance_id)))
            if principal.user_id is not None:
                found.append(
                    await self._shown(uow, principal, Subject(principal.mandate_id, user_id=principal.user_id))
                )
            return found

    async def put(self, principal: Principal, subject: Subject, text: str, version: int) -> Instruction:
        """`version` is the one that was read: when another change was faster, nothing is overwritten."""
        cleaned = clean(text)
        async with self._db.unit_of_work(principal.actor) as uow:
            await _require(uow, principal, Action.UPDATE, subject)
            known = await store.newest(uow, subject)
            if known.version != version:
                raise InstructionsChanged(known.version)
            if known.text != cleaned:
                await store.add(uow, subject, version + 1, cleaned, principal.user_id, principal.name, now())
                await _record(uow, principal, subject, version + 1)
            return await self._shown(uow, principal, subject)

    async def versions(
        self, principal: Principal, subject: Subject | None, request: PageRequest
    ) -> Page[InstructionVersion]:
        """Without a subject those of the platform, which everybody reads."""
        async with self._db.unit_of_work(principal.actor) as uow:
            if subject is not None:
                await _require(uow, principal, Action.READ, subject)
            return await store.versions(uow, subject, request)

    async def _shown(self, uow: UnitOfWork, principal: Principal, subject: Subject) -> Instruction:
        await _require(uow, principal, Action.READ, subject)
        found = await store.newest(uow, subject)
        return found.model_copy(update={"may_change": await _may_change(uow, principal, subject)})


def clean(text: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidInput("This text contains characters that cannot be stored.", field="text")
    return clean_text(text, "text", LONGEST)


async def _require(uow: UnitOfWork, principal: Principal, action: Action, subject: Subject) -> None:
    match subject.scope:
        case InstructionLevel.INSTANCE:
            assert subject.instance_id is not None
            await require_instance(uow, principal, subject.instance_id, action)
        case InstructionLevel.USER:
            if subject.user_id != principal.user_id:
                raise Forbidden("Only you yourself say what agents keep in mind for you.")
        case _:
            if action is not Action.READ:  # who works in the organisation is told what it tells its agents
                require(principal, action, Target("data.mandate"))


async def _may_change(uow: UnitOfWork, principal: Principal, subject: Subject) -> bool:
    if subject.scope is InstructionLevel.INSTANCE:
        assert subject.instance_id is not None
        instance = await require_instance(uow, principal, subject.instance_id)
        here = frozenset({subject.instance_id})
        return decide(principal, Action.UPDATE, Target("data.instance", instance.created_by, here))
    return subject.scope is InstructionLevel.USER or decide(principal, Action.UPDATE, Target("data.mandate"))


async def _record(uow: UnitOfWork, principal: Principal, subject: Subject, version: int) -> None:
    kinds = {
        InstructionLevel.MANDATE: ChangeKind.MANDATE,
        InstructionLevel.INSTANCE: ChangeKind.INSTANCE,
        InstructionLevel.USER: ChangeKind.USER,
    }
    await audit.record(
        uow,
        principal,
        "instructed",
        kinds[subject.scope],
        subject.instance_id or subject.user_id or subject.mandate_id,
        owner_id=subject.user_id,
        instance_id=subject.instance_id,
        version=version,
    )
