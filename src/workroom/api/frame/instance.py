"""The workspace of requests whose path names none: that of the header, else of the token, else the user's oldest."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header

from workroom.api.frame.authentication import AppServices, CurrentPrincipal

HEADER = "X-Workroom-Instance"


async def instance_id(
    principal: CurrentPrincipal, services: AppServices, header_id: Annotated[UUID | None, Header(alias=HEADER)] = None
) -> UUID:
    workspace_id = header_id or principal.token_instance_id
    instance = await (
        services.instances.default(principal)
        if workspace_id is None
        else services.instances.get(principal, workspace_id)
    )
    return instance.id


InstanceId = Annotated[UUID, Depends(instance_id)]
