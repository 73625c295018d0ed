"""Reads a run's events for a waiting client: a stream may last longer than a role."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID

from fastapi import Request

from workroom.api.frame.authentication import find_principal
from workroom.api.services import Services
from workroom.core.errors import Unauthenticated
from workroom.core.run_events import RunState
from workroom.identity.types import Principal
from workroom.runs.types import StoredEvent

RIGHTS_SECONDS = 2.0


@dataclass
class RunReader:
    request: Request
    principal: Principal
    services: Services
    run_id: UUID
    _checked_at: float = field(default_factory=time.monotonic)

    async def read(self, after: int) -> tuple[list[StoredEvent], RunState]:
        """With the rights the client has now. Raises Unauthenticated, Forbidden, NotFound once they have none."""
        if time.monotonic() - self._checked_at >= RIGHTS_SECONDS:
            if (principal := await find_principal(self.request)) is None:
                raise Unauthenticated("This sign-in has ended.")
            self.principal, self._checked_at = principal, time.monotonic()
        return await self.services.runs.events(self.principal, self.run_id, after)
