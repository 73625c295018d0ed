"""Mails that were not sent yet, and the mail server they go through."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.mail.types import Mail, MailKind, MailState
from workroom.settings import SmtpTls

router = APIRouter(prefix="/api/mails", tags=["mails"])


class MailView(Wire):
    """`failed`: it is tried again only on request. `error`: how the last try went, in the mail server's own words."""

    id: UUID
    user_id: UUID
    kind: MailKind
    recipient: str
    created_at: datetime
    expires_at: datetime
    state: MailState
    tries: int
    error_code: str | None
    error: str | None

    @classmethod
    def of(cls, mail: Mail) -> MailView:
        return cls(**vars(mail))


class MailQuery(ListQuery):
    """`userId`: to whom."""

    user_id: UUID | None = None


class MailServerView(Wire):
    """As the operator set it; empty where none is."""

    is_set: bool
    host: str
    port: int
    tls: SmtpTls
    sender: str


class TrialInput(Wire):
    recipient: str = Field(max_length=200)
    language: Language | None = None


@router.get("")
async def list_mails(
    query: Annotated[MailQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[MailView]:
    """Those on their way: what was sent is not kept."""
    return page_of(await services.outbox.list(principal, query.request(), query.user_id), MailView.of)


@router.get("/server")
async def get_mail_server(principal: CurrentPrincipal, services: AppServices) -> MailServerView:
    server = services.outbox.server_for(principal)
    return MailServerView(
        is_set=server.is_set, host=server.host, port=server.port, tls=server.tls, sender=server.sender
    )


@router.post("/test", status_code=204)
async def send_test_mail(body: TrialInput, principal: CurrentPrincipal, services: AppServices) -> None:
    """Answers when the mail server has taken it over; an error says what is wrong, in its own words as well."""
    await services.outbox.try_out(principal, body.recipient.strip(), body.language)


@router.post("/{mailId}/retry")
async def send_mail_again(mailId: UUID, principal: CurrentPrincipal, services: AppServices) -> MailView:
    return MailView.of(await services.outbox.send_again(principal, mailId))


@router.delete("/{mailId}", status_code=204)
async def dismiss_mail(mailId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """It is not sent."""
    await services.outbox.dismiss(principal, mailId)
