"""The workspace of paths that name none: the header says it, else the token, else it is the person's oldest."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header

from workroom.api.frame.signed_in import Served, Who

HEADER = "X-Workroom-Instance"


async def instance_id(who: Who, served: Served, named: Annotated[UUID | None, Header(alias=HEADER)] = None) -> UUID:
    said = named or who.token_instance_id
    found = await (served.instances.default(who) if said is None else served.instances.get(who, said))
    return found.id


InstanceId = Annotated[UUID, Depends(instance_id)]
