"""API tokens: a person's key for other software. Shown once, kept as a hash, revoked at any time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.access import Target, decide, require, require_session, scope
from workroom.identity.credentials import TOKEN_PREFIX, new_credential
from workroom.identity.names import clean_name
from workroom.identity.store import instances as instances_store
from workroom.identity.store import tokens as store
from workroom.identity.types import Action, ApiToken, Principal


@dataclass(frozen=True)
class NewToken:
    token: ApiToken
    secret: str = field(repr=False)


class Tokens:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, request: PageRequest) -> Page[ApiToken]:
        require(principal, Action.READ, Target("data.token", principal.user_id))
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, scope(principal, Action.READ, "data.token"), request)

    async def create(
        self,
        principal: Principal,
        name: str,
        *,
        user_id: UUID | None = None,
        instance_id: UUID | None = None,
        expires_in_days: int | None = None,
    ) -> NewToken:
        """For oneself; the operator names the user."""
        require_session(principal)
        owner = principal.user_id or user_id
        require(principal, Action.CREATE, Target("data.token", owner))
        if owner is None:
            raise InvalidInput("Say whose token this is.", field="userId")
        made = now()
        expires = made + timedelta(days=expires_in_days) if expires_in_days else None
        credential = new_credential(TOKEN_PREFIX)
        async with self._db.unit_of_work(principal.actor) as uow:
            if instance_id is not None:
                instance = await instances_store.get(uow, principal.mandate_id, instance_id)
                if instance is None or not decide(
                    principal, Action.READ, Target("data.instance", instance.created_by, frozenset({instance_id}))
                ):
                    raise InvalidInput("There is no such workspace.", field="instanceId")
            token = ApiToken(
                new_id(),
                clean_name(name, "name"),
                credential.prefix,
                owner,
                principal.name,
                instance_id,
                made,
                expires,
                None,
            )
            await store.insert(uow, principal.mandate_id, token, credential.hash)
            await audit.record(uow, principal, "created", ChangeKind.TOKEN, token.id, owner_id=owner, name=token.name)
        return NewToken(token, credential.secret)

    async def revoke(self, principal: Principal, token_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            token = await store.locked(uow, principal.mandate_id, token_id)
            if token is None:
                raise NotFound("There is no such token, or it is not yours to see.")
            require(principal, Action.DELETE, Target("data.token", token.user_id))
            await store.delete(uow, principal.mandate_id, token_id)
            await audit.record(
                uow, principal, "revoked", ChangeKind.TOKEN, token_id, owner_id=token.user_id, name=token.name
            )
