"""The audit log."""

from __future__ import annotations

from fastapi import APIRouter

from workroom.api import views
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who

router = APIRouter(prefix="/api/audit", tags=["audit"])


@router.get("")
async def list_audit(query: Listed, who: Who, served: Served) -> PageOf[views.AuditEntry]:
    return page_of(await served.audit.list(who, query.request()), views.AuditEntry.of)
