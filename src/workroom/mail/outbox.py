"""The outbox: mails are written down with what they are about and sent later, so that none is lost while the mail server is away.

A one-time link in a mail lets its holder in: it lies in the database sealed, and only until it was sent.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.languages import DEFAULT_LANGUAGE
from workroom.core.mail_addresses import is_address
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit, rate_limit
from workroom.identity.access import Target, decide, require, require_session
from workroom.identity.store import mandates, users
from workroom.identity.types import Action, Principal, User
from workroom.mail import store
from workroom.mail.message import trial_message
from workroom.mail.smtp_server import SmtpServer
from workroom.mail.types import Mail, MailKind, NewMail
from workroom.vault import Vault

MAIL_JOB = "send mail"
GONE = "There is no such mail; it may have been sent meanwhile."
NEWS = timedelta(days=3)  # how long it is worth telling that a password was changed


class Outbox:
    def __init__(self, db: Database, server: SmtpServer, vault: Vault, language: str | None = None) -> None:
        """`language`: of mails to people who have not chosen one."""
        self._db, self.server, self._vault = db, server, vault
        self._language = language or DEFAULT_LANGUAGE

    async def invite(self, principal: Principal, user: User, url: str, expires_at: datetime) -> Mail | None:
        """In the inviting administrator's language until the person has chosen one. None: no mail can be sent to them."""
        require(principal, Action.CREATE, Target("data.user"))
        if not self.server.is_set or not is_address(user.login):
            return None
        async with self._db.unit_of_work(principal.actor) as uow:
            host = await users.get(uow, principal.mandate_id, principal.user_id) if principal.user_id else None
            language = user.language or (host.language if host else None) or self._language
            sender = host.display_name if host else ""
            mail = NewMail(user.id, MailKind.INVITATION, user.login, language, now(), expires_at, sender)
            return await self._put(uow, principal.mandate_id, mail, url)

    async def password_changed(self, uow: UnitOfWork, mandate_id: UUID, user: User) -> None:
        """A warning, in the transaction that changes the password; not for the first one they set. Links in other mails to them
        are void from now on."""
        await store.delete_links(uow, mandate_id, user.id)
        if user.has_password and self.server.is_set and is_address(user.login):
            language = user.language or self._language
            mail = NewMail(user.id, MailKind.PASSWORD_CHANGED, user.login, language, now(), now() + NEWS)
            await self._put(uow, mandate_id, mail)

    async def reset(
        self, uow: UnitOfWork, mandate_id: UUID, user: User, url: str, expires_at: datetime, language: str | None
    ) -> None:
        await store.delete_links(uow, mandate_id, user.id, MailKind.RESET)
        chosen = user.language or language or self._language
        await self._put(uow, mandate_id, NewMail(user.id, MailKind.RESET, user.login, chosen, now(), expires_at), url)

    async def list(self, principal: Principal, request: PageRequest, user_id: UUID | None = None) -> Page[Mail]:
        """What was not sent yet."""
        require(principal, Action.CREATE, Target("data.user"))
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, user_id, request)

    async def send_again(self, principal: Principal, mail_id: UUID) -> Mail:
        _require_sight(principal)
        async with self._db.unit_of_work(principal.actor) as uow:
            mail = await store.queue_again(uow, principal.mandate_id, mail_id)
            if mail is None:
                raise NotFound(GONE)
            await uow.wake(MAIL_JOB)
            await announce(uow, principal.mandate_id, mail.user_id)
        return mail

    async def dismiss(self, principal: Principal, mail_id: UUID) -> None:
        _require_sight(principal)
        async with self._db.unit_of_work(principal.actor) as uow:
            mail = await store.delete(uow, principal.mandate_id, mail_id)
            if mail is None:
                raise NotFound(GONE)
            await announce(uow, principal.mandate_id, mail.user_id)

    def server_for(self, principal: Principal) -> SmtpServer:
        """The mail server, for a person who may try it out."""
        require(principal, Action.UPDATE, Target("data.mandate"))
        return self.server

    async def try_out(self, principal: Principal, recipient: str, language: str | None) -> None:
        """Sends a test mail at once; MailFailed says what is wrong."""
        server = self.server_for(principal)
        require_session(principal)
        if not server.is_set:
            raise Conflict("No mail server is set. The operator sets one with WORKROOM_SMTP_HOST.", code="noMailServer")
        if not is_address(recipient):
            raise InvalidInput("This is no e-mail address.", field="recipient")
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            await rate_limit.begin(uow, str(principal.mandate_id), "", now(), rate_limit.TEST_MAIL)
        async with self._db.unit_of_work(principal.actor) as uow:
            mandate = await mandates.get(uow, principal.mandate_id)
            assert mandate is not None
            await audit.record(
                uow, principal, "mailTested", ChangeKind.MANDATE, principal.mandate_id, recipient=recipient
            )
        message = trial_message(new_id(), recipient, language or self._language, mandate.name, server.sender)
        await server.send(message, recipient)

    async def _put(self, uow: UnitOfWork, mandate_id: UUID, mail: NewMail, url: str | None = None) -> Mail:
        mail_id = new_id()
        link = self._vault.seal(url, bound_to(mandate_id, mail_id)) if url else None
        stored = await store.insert(uow, mandate_id, mail_id, mail, link)
        await uow.wake(MAIL_JOB)
        await announce(uow, mandate_id, mail.user_id)
        return stored


def _require_sight(principal: Principal) -> None:
    """A mail is as good as not there for those who do not invite."""
    if not decide(principal, Action.CREATE, Target("data.user")):
        raise NotFound(GONE)


def bound_to(mandate_id: UUID, mail_id: UUID) -> str:
    """What the seal of a link is for."""
    return f"mail {mandate_id} {mail_id}"


async def announce(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> None:
    """Pages that show people show what is on its way to them."""
    await uow.announce(Change(mandate_id=mandate_id, kind=ChangeKind.USER, id=user_id, owner_id=user_id))
