"""People of the mandate."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
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
    """Shown once. Whoever opens it first is signed in as that person."""

    url: str
    expires_at: datetime


class Invited(Wire):
    user: views.User
    link: LinkView


@router.get("")
async def list_users(query: Listed, who: Who, served: Served) -> PageOf[views.User]:
    return page_of(await served.users.list(who, query.request()), views.User.of)


@router.post("", status_code=201)
async def invite_user(body: NewUser, who: Who, served: Served) -> Invited:
    require_session(who)  # before anything is made: the answer carries a way in
    user = await served.users.create(who, body.login, body.display_name, body.role_id)
    return Invited(user=views.User.of(user), link=await _link(who, user.id, served))


@router.get("/{userId}")
async def get_user(userId: UUID, who: Who, served: Served) -> views.User:
    return views.User.of(await served.users.get(who, userId))


@router.patch("/{userId}")
async def change_user(userId: UUID, body: UserInput, who: Who, served: Served) -> views.User:
    change = UserChange(display_name=body.display_name, role_id=body.role_id, status=body.status)
    return views.User.of(await served.users.change(who, userId, change))


@router.delete("/{userId}", status_code=204)
async def delete_user(userId: UUID, who: Who, served: Served) -> None:
    await served.users.delete(who, userId)


@router.post("/{userId}/link", status_code=201)
async def make_link(userId: UUID, who: Who, served: Served) -> LinkView:
    """A new one-time link for somebody."""
    return await _link(who, userId, served)


async def _link(who: Principal, user_id: UUID, served: Services) -> LinkView:
    link = await served.users.link(who, user_id)
    return LinkView(url=served.site.link(link.secret), expires_at=link.expires_at)
