"""API tokens."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
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
async def list_tokens(query: Listed, who: Who, served: Served) -> PageOf[views.Token]:
    return page_of(await served.tokens.list(who, query.request()), views.Token.of)


@router.post("", status_code=201)
async def create_token(body: NewToken, who: Who, served: Served) -> MadeToken:
    made = await served.tokens.create(
        who, body.name, instance_id=body.instance_id, expires_in_days=body.expires_in_days
    )
    return MadeToken(token=views.Token.of(made.token), secret=made.secret)


@router.delete("/{tokenId}", status_code=204)
async def revoke_token(tokenId: UUID, who: Who, served: Served) -> None:
    await served.tokens.revoke(who, tokenId)
