"""Getting in: one-time link, password, session cookie, API token. The only code that turns a credential into a principal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, Unauthenticated
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.identity import rate_limit
from workroom.identity.access import decide
from workroom.identity.credentials import TOKEN_PREFIX, Credential, new_credential
from workroom.identity.instances import instance_target
from workroom.identity.names import clean_login
from workroom.identity.passwords import Passwords
from workroom.identity.store import audit as audit_store
from workroom.identity.store import credentials as store
from workroom.identity.store import sessions as sessions_store
from workroom.identity.store import users as users_store
from workroom.identity.types import Action, AuditEntry, Client, LinkPurpose, Presence, Principal, Session

RESET_WITHIN = timedelta(hours=1)  # after a link was opened: to choose a new password without the current one


@dataclass(frozen=True)
class SignedIn:
    """A principal and the cookie that will be recognised as them."""

    principal: Principal
    cookie: str = field(repr=False)


class SignIn:
    def __init__(self, db: Database, passwords: Passwords, session_lifetime: timedelta) -> None:
        self._db = db
        self._passwords = passwords
        self._lifetime = session_lifetime

    async def by_cookie(self, cookie: str, client: Client) -> Principal | None:
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return await store.by_session(uow, Credential(cookie).hash, now(), self._lifetime, client)

    async def by_token(self, secret: str, client: Client) -> Principal | None:
        if not secret.startswith(TOKEN_PREFIX):
            return None
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return await store.by_token(uow, Credential(secret).hash, now(), client)

    async def as_user(self, mandate_id: UUID, user_id: UUID) -> Principal | None:
        """For work that goes on after its request: the person as they are now, or None if they may not be here any more."""
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return await store.by_user(uow, mandate_id, user_id, Client())

    async def in_workspaces(self, presences: Iterable[Presence]) -> dict[Presence, Principal]:
        """Those of them who may (still) be there, as they are now; all in one statement."""
        return {
            presence: principal
            for presence, created_by, principal in await store.by_presence(self._db, list(presences))
            if decide(principal, Action.READ, instance_target(presence.instance_id, created_by))
        }

    async def with_link(self, secret: str, client: Client) -> SignedIn:
        """Consumes the link and opens a session, both or neither."""
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            consumed = await store.consume_link(uow, Credential(secret).hash, now(), client)
            signed_in = await self._open(uow, consumed[0], "link", consumed[1]) if consumed else None
        if signed_in is None:  # raised outside, so that an expired link stays consumed
            raise Unauthenticated(
                "This link has been used or has expired. Ask for a new one, or run `workroom users link`.",
                code="linkInvalid",
            )
        return signed_in

    async def with_password(self, login: str, password: str, mandate_id: UUID | None, client: Client) -> SignedIn:
        login = _login_or_nobody(login)
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            attempt = await rate_limit.begin(uow, login, client.address, now())
            all_candidates = await store.candidates(uow, login)
        candidates = [c for c in all_candidates if mandate_id is None or c.mandate_id == mandate_id]
        # Someone unknown costs one comparison as well, so that timing does not tell who exists.
        checked = [(c, await self._passwords.verify(password, c.password_hash)) for c in candidates]
        if not checked:
            await self._passwords.verify(password, None)
        right = [c for c, matches in checked if matches and c.active]
        if not right:
            raise Unauthenticated("Login or password is not right.", code="wrongCredentials")
        if len(right) > 1:
            async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
                await rate_limit.forgive(uow, attempt)
            choices = [{"id": str(c.mandate_id), "name": c.mandate_name} for c in right]
            raise Conflict(
                "This login belongs to several organisations: choose one.", code="mandateChoice", mandates=choices
            )
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            await rate_limit.forgive(uow, attempt)
            principal = await store.by_user(uow, right[0].mandate_id, right[0].user_id, client)
            if principal is None or not await store.still_has(uow, right[0]):  # changed while we were comparing
                raise Unauthenticated("Login or password is not right.", code="wrongCredentials")
            if right[0].password_hash and Passwords.needs_rehash(right[0].password_hash):
                hashed = await self._passwords.hash(password)
                await users_store.set_password_hash(uow, right[0].mandate_id, right[0].user_id, hashed)
            return await self._open(uow, principal, "password")

    async def _open(self, uow: UnitOfWork, principal: Principal, how: str, link: LinkPurpose | None = None) -> SignedIn:
        assert principal.user_id is not None
        credential, moment = new_credential(), now()
        client = principal.client
        if not await store.touch_user(uow, principal.mandate_id, principal.user_id, moment):
            raise Unauthenticated("Sign in again.")
        session = Session(
            new_id(),
            principal.user_id,
            client.user_agent[:300],
            client.address,
            moment,
            moment,
            moment + self._lifetime,
        )
        resets_until = moment + RESET_WITHIN if link in (LinkPurpose.INVITATION, LinkPurpose.RESET) else None
        await sessions_store.insert(uow, principal.mandate_id, session, credential.hash, resets_until)
        entry = AuditEntry(
            new_id(),
            moment,
            principal.user_id,
            principal.name,
            "session.opened",
            ChangeKind.SESSION,
            session.id,
            {"how": how},
            client.address,
        )
        await audit_store.insert(uow, principal.mandate_id, entry)
        await uow.announce(
            Change(mandate_id=principal.mandate_id, kind=ChangeKind.SESSION, id=session.id, owner_id=principal.user_id)
        )
        return SignedIn(replace(principal, session_id=session.id), credential.secret)


def _login_or_nobody(text: str) -> str:
    """A login that could not exist is treated like one that does not."""
    try:
        return clean_login(text)
    except InvalidInput:
        return ""  # shorter than any login may be
