"""The workspace of paths that name none: the header says it, else the token, else it is the person's oldest."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header

from workroom.api.frame.authentication import AppServices, CurrentPrincipal

HEADER = "X-Workroom-Instance"


async def instance_id(
    principal: CurrentPrincipal, services: AppServices, named: Annotated[UUID | None, Header(alias=HEADER)] = None
) -> UUID:
    said = named or principal.token_instance_id
    found = await (services.instances.default(principal) if said is None else services.instances.get(principal, said))
    return found.id


InstanceId = Annotated[UUID, Depends(instance_id)]
