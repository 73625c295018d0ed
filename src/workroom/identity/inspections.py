"""Looking into what another person keeps private: for a person who left, or an audit. It needs a right that no built-in role has,
names a person and a reason, ends by itself, is recorded at each use, and the person concerned sees all of it.

It opens files and conversations to be read. Searches and answers never use what is open this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require, require_session
from workroom.identity.names import clean_text
from workroom.identity.objects import PRIVATE
from workroom.identity.store import inspections as store
from workroom.identity.store import users as users_store
from workroom.identity.types import Action, Inspection, Principal, PrivateReader

LASTS = timedelta(hours=1)
SIGN_IN_LINK = (
    "signInLink"  # as a reason: another person made a way into the account, which is shown like an inspection
)
LONGEST_REASON = 500


class Inspections:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, principal: Principal, subject_id: UUID, reason: str) -> Inspection:
        require(principal, Action.READ, Target(PRIVATE))
        require_session(principal)
        assert principal.user_id is not None
        cleaned = clean_text(reason, "reason", LONGEST_REASON)
        if not cleaned.strip():
            raise InvalidInput("Say why: the person concerned will read it.", field="reason")
        async with self._db.unit_of_work(principal.actor) as uow:
            subject = await users_store.get(uow, principal.mandate_id, subject_id)
            shared = await users_store.instances_of(uow, principal.mandate_id, subject_id)
            if subject is None or not decide(principal, Action.READ, Target("data.user", subject_id, shared)):
                raise NotFound("There is no such person here, or they are not yours to see.")
            if subject_id == principal.user_id:
                raise InvalidInput("What is private to you is open to you anyway.", field="userId")
            moment = now()
            made = Inspection(
                new_id(),
                principal.user_id,
                principal.name,
                subject_id,
                subject.display_name,
                cleaned,
                moment,
                moment + LASTS,
            )
            await store.insert(uow, principal.mandate_id, made)
            await _record(uow, principal, "began", made, reason=cleaned, login=subject.login)
            return made

    async def end(self, principal: Principal, inspection_id: UUID) -> None:
        """Before its time; who began it may."""
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await store.get(uow, principal.mandate_id, inspection_id)
            if found is None or found.inspector_id != principal.user_id:
                raise NotFound("There is no such inspection, or it is not yours to end.")
            if await store.end(uow, principal.mandate_id, inspection_id, now()):
                await _record(uow, principal, "ended", found)

    async def list(self, principal: Principal, request: PageRequest) -> Page[Inspection]:
        """Those one has made, and those that concern oneself; the newest first."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, principal.user_id, request)

    async def readers(self, principal: Principal) -> Sequence[PrivateReader]:
        """Who could look into what is private. Everybody may know: it concerns them."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.readers(uow, principal.mandate_id)


async def record_list(
    uow: UnitOfWork, principal: Principal, kind: ChangeKind, instance_id: UUID, subject_ids: Sequence[UUID]
) -> None:
    """A list that shows private things of these persons is a use like any other."""
    for subject_id in subject_ids:
        await audit.record(uow, principal, "inspected", kind, instance_id, owner_id=subject_id, subject=str(subject_id))


async def _record(uow: UnitOfWork, principal: Principal, action: str, inspection: Inspection, **details: str) -> None:
    await audit.record(
        uow, principal, action, ChangeKind.INSPECTION, inspection.id, owner_id=inspection.subject_id, details=details
    )
