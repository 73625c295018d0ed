"""Users: invite, look at, change, suspend, remove, and one-time links to get in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.languages import LANGUAGES
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit, rate_limit
from workroom.identity.access import Target, covers, require, require_session, scope
from workroom.identity.builtin import ADMIN
from workroom.identity.credentials import new_credential
from workroom.identity.inspections import SIGN_IN_LINK
from workroom.identity.names import clean_login, clean_name
from workroom.identity.password_strength import require_strong
from workroom.identity.passwords import Passwords
from workroom.identity.store import credentials, inspections, mandates, sessions
from workroom.identity.store import roles as roles_store
from workroom.identity.store import users as store
from workroom.identity.types import Action, Inspection, LinkPurpose, Principal, Role, Status, User

THEMES = ("light", "dark", "system")
LOOKS = frozenset({"language", "theme"})  # of the pages, for one person: not recorded
INVITATION = timedelta(days=7)


@dataclass(frozen=True)
class Link:
    """Shown once: the first to open it is that person."""

    secret: str
    expires_at: datetime


@dataclass(frozen=True)
class UserChange:
    """Only what is given changes."""

    display_name: str | None = None
    role_id: UUID | None = None
    status: Status | None = None
    language: str | None = None
    theme: str | None = None


class PasswordNotices(Protocol):
    """Tells people by mail that their password was changed."""

    async def password_changed(self, uow: UnitOfWork, mandate_id: UUID, user: User) -> None: ...


class Users:
    def __init__(self, db: Database, passwords: Passwords, notices: PasswordNotices | None = None) -> None:
        self._db, self._passwords, self._notices = db, passwords, notices

    async def list(self, principal: Principal, request: PageRequest) -> Page[User]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, scope(principal, Action.READ, "data.user"), request)

    async def get(self, principal: Principal, user_id: UUID) -> User:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self._checked(uow, principal, Action.READ, user_id)

    async def create(self, principal: Principal, login: str, display_name: str, role_id: UUID) -> User:
        require(principal, Action.CREATE, Target("data.user"))
        user = User(
            id=new_id(),
            login=clean_login(login),
            display_name=clean_name(display_name, "displayName"),
            role_id=role_id,
            status=Status.ACTIVE,
            language=None,
            theme="system",
            has_password=False,
            created_at=now(),
            last_seen_at=None,
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            await _grantable_role(uow, principal, role_id)
            if not await store.insert(uow, principal.mandate_id, user):
                raise Conflict("Somebody with this login is already here.", code="loginTaken", field="login")
            await audit.record(uow, principal, "created", ChangeKind.USER, user.id, owner_id=user.id, login=user.login)
        return user

    async def change(self, principal: Principal, user_id: UUID, change: UserChange) -> User:
        async with self._db.unit_of_work(principal.actor) as uow:
            if change.role_id is not None or change.status is not None:
                await store.lock_rights(uow, principal.mandate_id)
            user = await self._checked(uow, principal, Action.UPDATE, user_id, lock=True)
            changed = _apply(user, change)
            if changed == user:
                return user
            if changed.role_id != user.role_id or changed.status != user.status:
                await self._check_standing(uow, principal, user, changed)
            await store.update(uow, principal.mandate_id, changed)
            if changed.status is Status.SUSPENDED:
                await sessions.delete_of_user(uow, principal.mandate_id, user_id)
                await credentials.delete_links(uow, principal.mandate_id, user_id)
            told = [
                name for name in vars(change) if name not in LOOKS and getattr(changed, name) != getattr(user, name)
            ]
            if told:
                details = {**{name: str(getattr(changed, name)) for name in told}, "login": user.login}
                await audit.record(
                    uow, principal, "updated", ChangeKind.USER, user_id, owner_id=user_id, details=details
                )
            else:
                change_of_looks = Change(
                    mandate_id=principal.mandate_id, kind=ChangeKind.USER, id=user_id, owner_id=user_id
                )
                await uow.announce(change_of_looks)
        return changed

    async def delete(self, principal: Principal, user_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.lock_rights(uow, principal.mandate_id)
            user = await self._checked(uow, principal, Action.DELETE, user_id, lock=True)
            await self._check_standing(uow, principal, user, replace(user, status=Status.SUSPENDED))
            await store.delete(uow, principal.mandate_id, user_id)
            await audit.record(uow, principal, "deleted", ChangeKind.USER, user_id, owner_id=user_id, login=user.login)

    async def link(self, principal: Principal, user_id: UUID, lifetime: timedelta = INVITATION) -> Link:
        """A one-time sign-in link, for another person or for one's other device."""
        require_session(principal)
        credential, moment = new_credential(), now()
        async with self._db.unit_of_work(principal.actor) as uow:
            user = await self._checked(uow, principal, Action.UPDATE, user_id, lock=True)
            if user.status is not Status.ACTIVE:
                raise Conflict("This person is suspended. Reactivate them first.", code="suspended")
            if user_id != principal.user_id:
                await _require_above(uow, principal, user)  # a link lets its holder be that person: no way up
                if (
                    principal.user_id is not None and user.last_seen_at is not None
                ):  # no invitation: they have been here
                    told = Inspection(
                        new_id(),
                        principal.user_id,
                        principal.name,
                        user_id,
                        user.display_name,
                        SIGN_IN_LINK,
                        moment,
                        moment,
                    )
                    await inspections.insert(uow, principal.mandate_id, told)
            expires = moment + lifetime
            purpose = LinkPurpose.DEVICE if user_id == principal.user_id else LinkPurpose.INVITATION
            await credentials.insert_link(uow, principal.mandate_id, user_id, credential.hash, moment, expires, purpose)
            await audit.record(
                uow, principal, "linkCreated", ChangeKind.USER, user_id, owner_id=user_id, login=user.login
            )
        return Link(credential.secret, expires)

    async def set_password(self, principal: Principal, user_id: UUID, new: str, current: str | None = None) -> None:
        """One's own, with the current one or just after a one-time link was opened; or another person's, by the operator.
        All other sessions and links end."""
        require_session(principal)
        async with self._db.unit_of_work(principal.actor) as uow:
            user = await self._checked(uow, principal, Action.UPDATE, user_id)
            stored = await store.password_hash(uow, principal.mandate_id, user_id)
            mandate = await mandates.get(uow, principal.mandate_id)
        if principal.user_id is not None and principal.user_id != user_id:
            raise Forbidden("A password is changed by its owner. Send them a one-time link instead.")
        if principal.user_id is not None and stored is not None and (current or not await self.may_reset(principal)):
            await self._require_current(principal, user.login, current or "", stored)
        require_strong(new, (user.login, user.display_name, mandate.name if mandate else ""))
        hashed = await self._passwords.hash(new)
        async with self._db.unit_of_work(principal.actor) as uow:
            await self._checked(uow, principal, Action.UPDATE, user_id, lock=True)
            if await store.password_hash(uow, principal.mandate_id, user_id) != stored:
                raise Conflict("The password was changed at the same moment. Nothing was changed again.")
            await store.set_password_hash(uow, principal.mandate_id, user_id, hashed)
            ended = await sessions.delete_of_user(uow, principal.mandate_id, user_id, but=principal.session_id)
            await sessions.end_resetting(uow, principal.mandate_id, user_id)
            await credentials.delete_links(uow, principal.mandate_id, user_id)
            if self._notices is not None:
                await self._notices.password_changed(uow, principal.mandate_id, user)
            await audit.record(
                uow, principal, "passwordChanged", ChangeKind.USER, user_id, owner_id=user_id, sessionsEnded=len(ended)
            )

    async def may_reset(self, principal: Principal) -> bool:
        """Whether their session, opened by a link a moment ago, may set the password without the current one."""
        if principal.session_id is None:
            return False
        async with self._db.unit_of_work(principal.actor) as uow:
            return await sessions.may_reset(uow, principal.mandate_id, principal.session_id, now())

    async def _require_current(self, principal: Principal, login: str, password: str, stored: str) -> None:
        """Guessing here is slowed down like guessing at the door."""
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            attempt = await rate_limit.begin(uow, login, principal.client.address, now())
        if not await self._passwords.verify(password, stored):
            raise InvalidInput("The current password is not right.", code="wrongCredentials", field="currentPassword")
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            await rate_limit.forgive(uow, attempt)

    async def by_login(self, principal: Principal, login: str) -> User:
        async with self._db.unit_of_work(principal.actor) as uow:
            user = await store.by_login(uow, principal.mandate_id, clean_login(login))
        if user is None:
            raise NotFound(f"There is nobody with the login {login}.")
        return user

    async def _checked(
        self, uow: UnitOfWork, principal: Principal, action: Action, user_id: UUID, *, lock: bool = False
    ) -> User:
        user = await store.get(uow, principal.mandate_id, user_id, lock=lock)
        if user is None:
            raise NotFound("There is no such person here, or they are not yours to see.")
        shared = await store.instances_of(uow, principal.mandate_id, user_id)
        require(principal, action, Target("data.user", user_id, shared))
        return user

    async def _check_standing(self, uow: UnitOfWork, principal: Principal, before: User, after: User) -> None:
        """Changing role or status: grants no more than one holds, touches no one above, keeps one administrator."""
        if principal.user_id == before.id:
            require(principal, Action.UPDATE, Target("data.user"))  # one's own standing is not part of one's profile
        old = await _require_above(uow, principal, before)
        new = await _grantable_role(uow, principal, after.role_id)
        leaves = old.key == ADMIN and before.status is Status.ACTIVE
        stays = new.key == ADMIN and after.status is Status.ACTIVE
        if leaves and not stays and await store.count_active_with_role(uow, principal.mandate_id, ADMIN) <= 1:
            raise Conflict("This is the last administrator. Make somebody else one first.", code="lastAdmin")


async def _require_above(uow: UnitOfWork, principal: Principal, user: User) -> Role:
    """To change a person's standing, or to become them, one holds at least all they hold, in every workspace."""
    for instance_id, rules in (await store.membership_rules(uow, principal.mandate_id, user.id)).items():
        if not covers(principal, rules, instance_id):
            raise Forbidden(
                "This person may do more than you in a workspace; only somebody who has as much can do this."
            )
    return await _grantable_role(uow, principal, user.role_id)


async def _grantable_role(uow: UnitOfWork, principal: Principal, role_id: UUID) -> Role:
    role = await roles_store.get(uow, principal.mandate_id, role_id)
    if role is None:
        raise InvalidInput("There is no such role.", field="roleId")
    if not covers(principal, role.rules):
        raise Forbidden("This role may do more than yours; only somebody who has it can give or take it.")
    return role


def _apply(user: User, change: UserChange) -> User:
    return replace(
        user,
        display_name=user.display_name
        if change.display_name is None
        else clean_name(change.display_name, "displayName"),
        role_id=change.role_id or user.role_id,
        status=change.status or user.status,
        language=user.language if change.language is None else _one_of(change.language, LANGUAGES, "language"),
        theme=user.theme if change.theme is None else _one_of(change.theme, THEMES, "theme"),
    )


def _one_of(value: str, allowed: tuple[str, ...], field: str) -> str:
    if value not in allowed:
        raise InvalidInput(f"{field} is one of {', '.join(allowed)}.", field=field)
    return value
