"""The audit log."""

from __future__ import annotations

from fastapi import APIRouter

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of

router = APIRouter(prefix="/api/audit", tags=["audit"])


@router.get("")
async def list_audit(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[views.AuditEntry]:
    return page_of(await services.audit.list(principal, query.request()), views.AuditEntry.of)
