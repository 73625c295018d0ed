"""Sessions: where a person is signed in, and signing out there."""

from __future__ import annotations

from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import Page, PageRequest
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.store import sessions as store
from workroom.identity.types import Action, Principal, Session


class Sessions:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, request: PageRequest) -> Page[Session]:
        """One's own."""
        require(principal, Action.READ, Target("data.session", principal.user_id))
        if principal.user_id is None:
            raise InvalidInput("The operator has no sessions.")
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.of_user(uow, principal.mandate_id, principal.user_id, request)

    async def end(self, principal: Principal, session_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            session = await store.locked(uow, principal.mandate_id, session_id)
            if session is None:
                raise NotFound("There is no such session, or it is not yours to see.")
            require(principal, Action.DELETE, Target("data.session", session.user_id))
            await store.delete(uow, principal.mandate_id, session_id)
            await audit.record(uow, principal, "ended", ChangeKind.SESSION, session_id, owner_id=session.user_id)

    async def sign_out(self, principal: Principal) -> None:
        if principal.session_id is not None:
            await self.end(principal, principal.session_id)
