"""Who may look, and has looked, into what people keep private."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire
from workroom.identity import types
from workroom.identity.inspections import LONGEST_REASON

router = APIRouter(prefix="/api", tags=["inspections"])


class Inspection(Wire):
    """`inspector…` reads what `subject…` keeps private, until `endsAt`. Both of them see this, and they alone."""

    id: UUID
    inspector_id: UUID | None
    inspector_name: str
    subject_id: UUID
    subject_name: str
    reason: str
    began_at: datetime
    ends_at: datetime

    @classmethod
    def of(cls, inspection: types.Inspection) -> Inspection:
        return cls(**vars(inspection))


class PrivateReader(Wire):
    user_id: UUID
    display_name: str
    role_name: str


class PrivateReaders(Wire):
    """Persons whose role lets them begin an inspection."""

    items: list[PrivateReader]


class InspectionInput(Wire):
    """The person concerned reads `reason`."""

    reason: str = Field(min_length=1, max_length=LONGEST_REASON)


@router.get("/privateReaders")
async def list_private_readers(principal: CurrentPrincipal, services: AppServices) -> PrivateReaders:
    found = await services.inspections.readers(principal)
    return PrivateReaders(items=[PrivateReader(**vars(reader)) for reader in found])


@router.get("/inspections")
async def list_inspections(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[Inspection]:
    """Those you made, and those that concern you; newest first."""
    return page_of(await services.inspections.list(principal, query.request()), Inspection.of)


@router.post("/users/{userId}/inspections", status_code=201)
async def begin_inspection(
    userId: UUID, body: InspectionInput, principal: CurrentPrincipal, services: AppServices
) -> Inspection:
    """For an hour, this person's private files and conversations can be read in your lists. Each use is recorded, and they are
    told at once. Needs a role with `data.private`."""
    return Inspection.of(await services.inspections.begin(principal, userId, body.reason))


@router.delete("/inspections/{inspectionId}", status_code=204)
async def end_inspection(inspectionId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.inspections.end(principal, inspectionId)
