"""Workspaces (feature instances) and their members."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api import views
from workroom.api.frame.paging import Listed, ListQuery, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
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
    """The role somebody has in this workspace beside their own; null for none."""

    role_id: UUID | None = None


@router.get("")
async def list_instances(query: Annotated[InstanceQuery, Query()], who: Who, served: Served) -> PageOf[views.Instance]:
    return page_of(await served.instances.list(who, query.request(), query.status), views.Instance.of)


@router.post("", status_code=201)
async def create_instance(body: NewInstance, who: Who, served: Served) -> views.Instance:
    return views.Instance.of(await served.instances.create(who, body.name, body.slug))


@router.get("/{instanceId}")
async def get_instance(instanceId: UUID, who: Who, served: Served) -> views.Instance:
    return views.Instance.of(await served.instances.get(who, instanceId))


@router.patch("/{instanceId}")
async def change_instance(instanceId: UUID, body: InstanceInput, who: Who, served: Served) -> views.Instance:
    changed = await served.instances.change(who, instanceId, body.name, body.slug, body.status, body.tool_set)
    return views.Instance.of(changed)


@router.delete("/{instanceId}", status_code=204)
async def delete_instance(instanceId: UUID, who: Who, served: Served) -> None:
    """Only an archived workspace can be deleted."""
    await served.instances.delete(who, instanceId)


@router.get("/{instanceId}/members")
async def list_members(instanceId: UUID, query: Listed, who: Who, served: Served) -> PageOf[views.Member]:
    return page_of(await served.instances.members(who, instanceId, query.request()), views.Member.of)


@router.put("/{instanceId}/members/{userId}")
async def put_member(instanceId: UUID, userId: UUID, body: MemberInput, who: Who, served: Served) -> views.Member:
    return views.Member.of(await served.instances.put_member(who, instanceId, userId, body.role_id))


@router.delete("/{instanceId}/members/{userId}", status_code=204)
async def remove_member(instanceId: UUID, userId: UUID, who: Who, served: Served) -> None:
    await served.instances.remove_member(who, instanceId, userId)
