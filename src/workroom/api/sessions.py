"""Where one is signed in."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire
from workroom.identity.types import Session

router = APIRouter(prefix="/api/sessions", tags=["sessions"])


class OpenSession(Wire):
    """`current` marks the one this request came through."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    user_agent: str
    address: str
    current: bool


@router.get("")
async def list_sessions(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[OpenSession]:
    def show(session: Session) -> OpenSession:
        return OpenSession(
            id=session.id,
            created_at=session.created_at,
            last_used_at=session.last_used_at,
            expires_at=session.expires_at,
            user_agent=session.user_agent,
            address=session.address,
            current=session.id == principal.session_id,
        )

    return page_of(await services.sessions.list(principal, query.request()), show)


@router.delete("/{sessionId}", status_code=204)
async def end_session(sessionId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.sessions.end(principal, sessionId)
