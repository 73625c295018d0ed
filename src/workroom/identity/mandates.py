"""Mandates: the tenants. Made by the operator at the command line, or once at the first start."""

from __future__ import annotations

from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.builtin import ADMIN_RULES, BUILTIN_ROLES
from workroom.identity.names import clean_name, clean_text
from workroom.identity.store import mandates as store
from workroom.identity.store import roles as roles_store
from workroom.identity.types import Action, Mandate, Principal, Role

LONGEST_CONTACT = 300


def operator(mandate_id: UUID) -> Principal:
    """The operator at the server's command line may do everything in a mandate; history says it was them."""
    return Principal(mandate_id, None, "operator", ADMIN_RULES)


class Mandates:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def all(self) -> list[Mandate]:
        """For the operator and for start-up, never for a person."""
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return await store.all_of_them(uow)

    async def choose(self, name: str | None) -> Mandate:
        """The mandate an operator means: by name, or the only one there is."""
        known = await self.all()
        if name is None:
            if len(known) == 1:
                return known[0]
            listed = ", ".join(mandate.name for mandate in known) or "none yet"
            raise InvalidInput(f"Say which mandate with --mandate. There are: {listed}.")
        meant = [m for m in known if name.casefold() in (m.name.casefold(), str(m.id))]
        if not meant:
            raise NotFound(f"There is no mandate called {name}.")
        if len(meant) > 1:
            ids = ", ".join(str(mandate.id) for mandate in meant)
            raise InvalidInput(f"Several mandates are called {name}. Say which one by its id: {ids}.")
        return meant[0]

    async def create(self, name: str) -> Mandate:
        """A new tenant with its built-in roles; it has no people yet."""
        mandate = Mandate(new_id(), clean_name(name, "name"), now())
        if any(other.name.casefold() == mandate.name.casefold() for other in await self.all()):
            raise Conflict(f"There is a mandate called {mandate.name} already. Choose another name.")
        principal = operator(mandate.id)
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.insert(uow, mandate)
            for role in BUILTIN_ROLES:
                stored = Role(new_id(), role.key, role.name, role.description, True, role.rules)
                await roles_store.insert(uow, mandate.id, stored, now())
            await audit.record(uow, principal, "created", ChangeKind.MANDATE, mandate.id, name=mandate.name)
        return mandate

    async def refresh_builtin_roles(self) -> None:
        """After an upgrade the built-in roles may say more than the stored ones; they are not editable, so they follow."""
        for mandate in await self.all():
            async with self._db.unit_of_work(operator(mandate.id).actor) as uow:
                for role in BUILTIN_ROLES:
                    stored = await roles_store.by_key(uow, mandate.id, role.key, lock=True)
                    if stored is None:
                        fresh = Role(new_id(), role.key, role.name, role.description, True, role.rules)
                        await roles_store.insert(uow, mandate.id, fresh, now())
                    elif set(stored.rules) != set(role.rules):
                        fresh = Role(stored.id, role.key, role.name, role.description, True, role.rules)
                        await roles_store.update(uow, mandate.id, fresh)

    async def get(self, principal: Principal) -> Mandate:
        async with self._db.unit_of_work(principal.actor) as uow:
            mandate = await store.get(uow, principal.mandate_id)
        if mandate is None:
            raise NotFound("This mandate is gone.")
        return mandate

    async def public_contact(self) -> str:
        """Whom to ask, for people who are not signed in: what an administrator wrote for them."""
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return await store.contact_of_only_mandate(uow)

    async def change(self, principal: Principal, name: str | None = None, contact: str | None = None) -> Mandate:
        """Only what is given changes."""
        require(principal, Action.UPDATE, Target("data.mandate"))
        changed: dict[str, str] = {}
        if name is not None:
            changed["name"] = clean_name(name, "name")
        if contact is not None:
            changed["contact"] = " ".join(clean_text(contact, "contact", LONGEST_CONTACT).split())
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.update(uow, principal.mandate_id, changed.get("name"), changed.get("contact"))
            if changed:
                await audit.record(uow, principal, "updated", ChangeKind.MANDATE, principal.mandate_id, details=changed)
        return await self.get(principal)
