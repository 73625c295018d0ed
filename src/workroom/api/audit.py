"""The audit log: filtered, page by page or as one CSV file."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.changes import ChangeKind
from workroom.core.wire import Wire
from workroom.identity.audit_export import exported
from workroom.identity.types import AuditFilter

router = APIRouter(prefix="/api/audit", tags=["audit"])


class AuditFilters(Wire):
    """Who (`userId`, or no person at all: `system`), what (`kind` of object, `action` exactly) and when; `to` is not included."""

    user_id: UUID | None = None
    kind: ChangeKind | None = None
    action: str | None = Field(None, max_length=100, pattern=r"^[\w.]+$")
    since: AwareDatetime | None = Field(None, alias="from")
    until: AwareDatetime | None = Field(None, alias="to")
    system: bool = False

    def wanted(self) -> AuditFilter:
        return AuditFilter(self.user_id, self.kind, self.action, self.since, self.until, self.system)


class AuditListQuery(ListQuery, AuditFilters):
    pass


class AuditExportQuery(AuditListQuery):
    """`timeZone` is a name such as Europe/Zurich. All matches are exported: `limit` and `cursor` are ignored."""

    time_zone: str = Field("UTC", max_length=60)


@router.get("")
async def list_audit(
    query: Annotated[AuditListQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.AuditEntry]:
    return page_of(await services.audit.list(principal, query.request(), query.wanted()), views.AuditEntry.of)


@router.get("/csv", response_class=StreamingResponse, responses={200: {"content": {"text/csv": {}}}})
async def export_audit(
    query: Annotated[AuditExportQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> StreamingResponse:
    """The same entries as CSV, with exact times in the wanted time zone. Nothing in it is a formula for a spreadsheet."""
    lines = await exported(services.audit, principal, query.wanted(), query.request(), query.time_zone)
    named = {"Content-Disposition": 'attachment; filename="audit.csv"', "Cache-Control": "private, no-store"}
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=named)
