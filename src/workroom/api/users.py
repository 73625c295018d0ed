"""People of the mandate."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.mails import MailView
from workroom.api.services import Services
from workroom.core.wire import Wire
from workroom.identity.access import require_session
from workroom.identity.types import Principal, Status
from workroom.identity.users import UserChange

router = APIRouter(prefix="/api/users", tags=["users"])


class NewUser(Wire):
    login: str = Field(max_length=200)
    display_name: str = Field(max_length=200)
    role_id: UUID


class UserInput(Wire):
    display_name: str | None = Field(None, max_length=200)
    role_id: UUID | None = None
    status: Status | None = None


class LinkView(Wire):
    """Shown once. The first to open it is signed in as that person."""

    url: str
    expires_at: datetime


class Invited(Wire):
    """`mail` is on its way to them; null where no mail server is set, or their login is no address."""

    user: views.User
    link: LinkView
    mail: MailView | None


@router.get("")
async def list_users(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[views.User]:
    return page_of(await services.users.list(principal, query.request()), views.User.of)


@router.post("", status_code=201)
async def invite_user(body: NewUser, principal: CurrentPrincipal, services: AppServices) -> Invited:
    require_session(principal)  # before anything is made: the answer carries a way in
    user = await services.users.create(principal, body.login, body.display_name, body.role_id)
    link = await _link(principal, user.id, services)
    mail = await services.outbox.invite(principal, user, link.url, link.expires_at)
    return Invited(user=views.User.of(user), link=link, mail=MailView.of(mail) if mail else None)


@router.get("/{userId}")
async def get_user(userId: UUID, principal: CurrentPrincipal, services: AppServices) -> views.User:
    return views.User.of(await services.users.get(principal, userId))


@router.patch("/{userId}")
async def change_user(userId: UUID, body: UserInput, principal: CurrentPrincipal, services: AppServices) -> views.User:
    change = UserChange(display_name=body.display_name, role_id=body.role_id, status=body.status)
    return views.User.of(await services.users.change(principal, userId, change))


@router.delete("/{userId}", status_code=204)
async def delete_user(userId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.users.delete(principal, userId)


@router.post("/{userId}/link", status_code=201)
async def make_link(userId: UUID, principal: CurrentPrincipal, services: AppServices) -> LinkView:
    """A new one-time link for a person."""
    return await _link(principal, userId, services)


async def _link(principal: Principal, user_id: UUID, services: Services) -> LinkView:
    link = await services.users.link(principal, user_id)
    return LinkView(url=services.site.link(link.secret), expires_at=link.expires_at)
