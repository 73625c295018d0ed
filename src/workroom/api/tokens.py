"""API tokens."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire

router = APIRouter(prefix="/api/tokens", tags=["tokens"])


class NewToken(Wire):
    """`instanceId`: the workspace its requests mean when they name none."""

    name: str = Field(max_length=200)
    instance_id: UUID | None = None
    expires_in_days: int | None = Field(None, ge=1, le=3_650)


class MadeToken(Wire):
    """`secret` is shown this once."""

    token: views.Token
    secret: str


@router.get("")
async def list_tokens(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[views.Token]:
    return page_of(await services.tokens.list(principal, query.request()), views.Token.of)


@router.post("", status_code=201)
async def create_token(body: NewToken, principal: CurrentPrincipal, services: AppServices) -> MadeToken:
    made = await services.tokens.create(
        principal, body.name, instance_id=body.instance_id, expires_in_days=body.expires_in_days
    )
    return MadeToken(token=views.Token.of(made.token), secret=made.secret)


@router.delete("/{tokenId}", status_code=204)
async def revoke_token(tokenId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.tokens.revoke(principal, tokenId)
