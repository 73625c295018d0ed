"""Workspaces (feature instances) and their members."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, ListQuery, PageOf, page_of
from workroom.core.wire import Wire
from workroom.identity.types import InstanceStatus

router = APIRouter(prefix="/api/instances", tags=["instances"])


class InstanceQuery(ListQuery):
    status: InstanceStatus | None = None


class NewInstance(Wire):
    name: str = Field(max_length=200)
    slug: str | None = Field(None, max_length=60)


class InstanceInput(Wire):
    name: str | None = Field(None, max_length=200)
    slug: str | None = Field(None, max_length=60)
    status: InstanceStatus | None = None
    tool_set: str | None = Field(None, min_length=1, max_length=60)


class MemberInput(Wire):
    """A person's role in this workspace beside their own; null for none."""

    role_id: UUID | None = None


@router.get("")
async def list_instances(
    query: Annotated[InstanceQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.Instance]:
    return page_of(await services.instances.list(principal, query.request(), query.status), views.Instance.of)


@router.post("", status_code=201)
async def create_instance(body: NewInstance, principal: CurrentPrincipal, services: AppServices) -> views.Instance:
    return views.Instance.of(await services.instances.create(principal, body.name, body.slug))


@router.get("/{instanceId}")
async def get_instance(instanceId: UUID, principal: CurrentPrincipal, services: AppServices) -> views.Instance:
    return views.Instance.of(await services.instances.get(principal, instanceId))


@router.patch("/{instanceId}")
async def change_instance(
    instanceId: UUID, body: InstanceInput, principal: CurrentPrincipal, services: AppServices
) -> views.Instance:
    changed = await services.instances.change(principal, instanceId, body.name, body.slug, body.status, body.tool_set)
    return views.Instance.of(changed)


@router.delete("/{instanceId}", status_code=204)
async def delete_instance(instanceId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """Only an archived workspace can be deleted."""
    await services.instances.delete(principal, instanceId)


@router.get("/{instanceId}/members")
async def list_members(
    instanceId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.Member]:
    return page_of(await services.instances.members(principal, instanceId, query.request()), views.Member.of)


@router.put("/{instanceId}/members/{userId}")
async def put_member(
    instanceId: UUID, userId: UUID, body: MemberInput, principal: CurrentPrincipal, services: AppServices
) -> views.Member:
    return views.Member.of(await services.instances.put_member(principal, instanceId, userId, body.role_id))


@router.delete("/{instanceId}/members/{userId}", status_code=204)
async def remove_member(instanceId: UUID, userId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.instances.remove_member(principal, instanceId, userId)
