"""Roles: sets of rules. Built-in ones are copied, not changed; no one can write a role that may do more than they may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, covers, require
from workroom.identity.names import clean_name, clean_text
from workroom.identity.objects import check_rule
from workroom.identity.store import roles as store
from workroom.identity.store import users as users_store
from workroom.identity.types import Action, Principal, Role, Rule

TARGET = Target("data.role")
MOST_RULES = 500


class Roles:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, request: PageRequest) -> Page[Role]:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, request)

    async def get(self, principal: Principal, role_id: UUID) -> Role:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self._checked(uow, principal, Action.READ, role_id)

    async def own(self, principal: Principal, role_id: UUID) -> Role:
        """A person's own role, readable by themselves without a rule."""
        async with self._db.unit_of_work(principal.actor) as uow:
            role = await store.get(uow, principal.mandate_id, role_id)
        assert role is not None
        return role

    async def by_key(self, principal: Principal, key: str) -> Role:
        async with self._db.unit_of_work(principal.actor) as uow:
            role = await store.by_key(uow, principal.mandate_id, key)
        if role is None:
            raise NotFound(f"There is no role called {key}.")
        return role

    async def create(self, principal: Principal, name: str, description: str, rules: Sequence[Rule]) -> Role:
        require(principal, Action.CREATE, TARGET)
        role_id = new_id()
        role = Role(
            role_id,
            key=f"custom-{role_id}",
            name=clean_name(name, "name"),
            description=clean_text(description, "description"),
            builtin=False,
            rules=_checked_rules(principal, rules),
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            await _require_free_name(uow, principal, role)
            await store.insert(uow, principal.mandate_id, role, now())
            await audit.record(uow, principal, "created", ChangeKind.ROLE, role.id, name=role.name)
        return role

    async def change(
        self,
        principal: Principal,
        role_id: UUID,
        name: str | None = None,
        description: str | None = None,
        rules: Sequence[Rule] | None = None,
    ) -> Role:
        async with self._db.unit_of_work(principal.actor) as uow:
            require(principal, Action.UPDATE, TARGET)
            if rules is not None:
                await users_store.lock_rights(uow, principal.mandate_id)
            role = await self._editable(uow, principal, Action.UPDATE, role_id)
            changed = replace(
                role,
                name=role.name if name is None else clean_name(name, "name"),
                description=role.description if description is None else clean_text(description, "description"),
                rules=role.rules if rules is None else _checked_rules(principal, rules),
            )
            await _require_free_name(uow, principal, changed)
            await store.update(uow, principal.mandate_id, changed)
            await audit.record(uow, principal, "updated", ChangeKind.ROLE, role_id, name=changed.name)
        return changed

    async def delete(self, principal: Principal, role_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            role = await self._editable(uow, principal, Action.DELETE, role_id)
            if role.user_count:
                raise Conflict(
                    f"{role.user_count} people have this role. Give them another one first.",
                    code="roleInUse",
                    count=role.user_count,
                )
            await store.delete(uow, principal.mandate_id, role_id)
            await audit.record(uow, principal, "deleted", ChangeKind.ROLE, role_id, name=role.name)

    async def _editable(self, uow: UnitOfWork, principal: Principal, action: Action, role_id: UUID) -> Role:
        role = await self._checked(uow, principal, action, role_id, lock=True)
        if role.builtin:
            raise Conflict("Built-in roles stay as they are. Make a copy and change that.", code="roleBuiltin")
        if not covers(principal, role.rules):
            raise Forbidden("This role may do more than yours; only somebody who has as much can change it.")
        return role

    async def _checked(
        self, uow: UnitOfWork, principal: Principal, action: Action, role_id: UUID, *, lock: bool = False
    ) -> Role:
        require(principal, action, TARGET)
        role = await store.get(uow, principal.mandate_id, role_id, lock=lock)
        if role is None:
            raise NotFound("There is no such role.")
        return role


async def _require_free_name(uow: UnitOfWork, principal: Principal, role: Role) -> None:
    """Two roles of one name could not be told apart where they are given."""
    if await store.name_owner(uow, principal.mandate_id, role.name) not in (None, role.id):
        raise Conflict("There is a role with this name already. Choose another name.", code="nameTaken", field="name")


def _checked_rules(principal: Principal, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    if len(rules) > MOST_RULES:
        raise InvalidInput(f"A role has at most {MOST_RULES} rules.", field="rules")
    for rule in rules:
        check_rule(rule)
    if len({(rule.object_key, rule.action) for rule in rules}) != len(rules):
        raise InvalidInput("Each object and action may appear once among the rules.", field="rules")
    if not covers(principal, rules):
        raise Forbidden("A role cannot be given more than you may do yourself.")
    return tuple(rules)
