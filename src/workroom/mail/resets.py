"""A forgotten password. The answer is the same, and as quick, whether or not there is such a person: the rest happens later."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

from workroom.core.actors import SystemActor, UserActor
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, WorkroomError
from workroom.core.mail_addresses import is_address
from workroom.db import Database
from workroom.identity import audit, rate_limit
from workroom.identity.credentials import new_credential
from workroom.identity.names import clean_login
from workroom.identity.store import credentials, users
from workroom.identity.store.credentials import Candidate
from workroom.identity.types import Client, LinkPurpose, Principal
from workroom.mail.outbox import Outbox

log = logging.getLogger(__name__)

LIFETIME = timedelta(hours=1)
ASKED_AT = "sign-in page"  # in the audit log: who asked is not known


class PasswordResets:
    """`link`: the address that a one-time secret is opened at."""

    def __init__(self, db: Database, outbox: Outbox, link: Callable[[str], str]) -> None:
        self._db, self._outbox, self._link = db, outbox, link
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def is_by_mail(self) -> bool:
        return self._outbox.server.is_set

    async def ask(self, address: str, language: str | None, client: Client) -> None:
        """Counts the request, and leaves the rest to a task: the time of the answer tells nothing."""
        if not self.is_by_mail:
            raise Conflict(
                "No mail can be sent from here. Ask an administrator for a sign-in link.", code="noMailServer"
            )
        try:
            login = clean_login(address)
        except InvalidInput:
            login = ""
        if not is_address(login):
            raise InvalidInput("Give the e-mail address you sign in with.", field="login")
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            await rate_limit.begin(uow, login, client.address, now(), rate_limit.RESET)
        task = asyncio.create_task(self._send(login, language, client), name="password reset")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def settle(self) -> None:
        """Until all that was asked for so far is in the outbox."""
        if self._sending:
            await asyncio.wait(self._sending)

    async def _send(self, login: str, language: str | None, client: Client) -> None:
        try:
            async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
                found = await credentials.candidates(uow, login)
            for candidate in found:
                if candidate.active:
                    await self._send_to(candidate, language, client)
        except WorkroomError as error:
            log.warning("a password reset was not sent", extra={"reason": error.message})
        except Exception:
            log.exception("a password reset was not sent")

    async def _send_to(self, candidate: Candidate, language: str | None, client: Client) -> None:
        """The link replaces earlier ones of its kind, not an invitation: a stranger must not be able to void that."""
        mandate_id, user_id, credential, moment = candidate.mandate_id, candidate.user_id, new_credential(), now()
        async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
            user = await users.get(uow, mandate_id, user_id, lock=True)
            if user is None:
                return
            await credentials.delete_links(uow, mandate_id, user_id, LinkPurpose.RESET)
            expires = moment + LIFETIME
            await credentials.insert_link(uow, mandate_id, user_id, credential.hash, moment, expires, LinkPurpose.RESET)
            await self._outbox.reset(uow, mandate_id, user, self._link(credential.secret), expires, language)
            unknown = Principal(mandate_id, None, ASKED_AT, (), client=client)
            await audit.record(
                uow, unknown, "resetRequested", ChangeKind.USER, user_id, owner_id=user_id, login=user.login
            )
