"""Profiles of creators: who speaks in the content. Projects of the workspace share them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.wire import Wire
from workroom.studio.types import LONGEST_PROFILE, CreatorProfile

router = APIRouter(prefix="/api/workspace/{instanceId}/studio/profiles", tags=["studio"])


class ProfileQuery(ListQuery):
    """`sort` is `name`, `createdAt` or `updatedAt`."""

    deleted: bool = False


class NewCreatorProfile(Wire):
    name: str = Field(max_length=200)
    text: str = Field("", max_length=LONGEST_PROFILE)


class CreatorProfileInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, max_length=200)
    text: str | None = Field(None, max_length=LONGEST_PROFILE)


@router.get("")
async def list_creator_profiles(
    instanceId: UUID, query: Annotated[ProfileQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[CreatorProfile]:
    found = await services.studio.profiles.list(principal, instanceId, query.request(), deleted=query.deleted)
    return page_of(found, lambda profile: profile)


@router.post("", status_code=201)
async def create_creator_profile(
    instanceId: UUID, body: NewCreatorProfile, principal: CurrentPrincipal, services: AppServices
) -> CreatorProfile:
    return await services.studio.profiles.create(principal, instanceId, body.name, body.text)


@router.get("/{profileId}")
async def get_creator_profile(
    instanceId: UUID, profileId: UUID, principal: CurrentPrincipal, services: AppServices
) -> CreatorProfile:
    return await services.studio.profiles.get(principal, instanceId, profileId)


@router.patch("/{profileId}")
async def change_creator_profile(
    instanceId: UUID, profileId: UUID, body: CreatorProfileInput, principal: CurrentPrincipal, services: AppServices
) -> CreatorProfile:
    return await services.studio.profiles.change(principal, instanceId, profileId, body.version, body.name, body.text)


@router.delete("/{profileId}", status_code=204)
async def delete_creator_profile(
    instanceId: UUID, profileId: UUID, principal: CurrentPrincipal, services: AppServices
) -> None:
    """It can be restored for thirty days; projects that use it do without meanwhile."""
    await services.studio.profiles.delete(principal, instanceId, profileId)


@router.post("/{profileId}/restore")
async def restore_creator_profile(
    instanceId: UUID, profileId: UUID, principal: CurrentPrincipal, services: AppServices
) -> CreatorProfile:
    return await services.studio.profiles.restore(principal, instanceId, profileId)
