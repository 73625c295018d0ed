"""What every agent is told beside what it is: instructions of the platform, the organisation, the workspace and the person.
Read when a run is taken up, so that what was changed holds from the next answer on, whoever gives it."""

from __future__ import annotations

from workroom.agents.instructions import store
from workroom.agents.instructions.types import Scope
from workroom.db import UnitOfWork
from workroom.runs.types import Claim

TITLES = {
    Scope.PLATFORM: "Rules of this platform",
    Scope.MANDATE: "Rules of the organisation",
    Scope.INSTANCE: "Rules of this workspace",
    Scope.USER: "What the user wants you to keep in mind, as far as it does not contradict the rules above",
}


async def house_of(uow: UnitOfWork, claim: Claim, *, alone: bool = True) -> tuple[tuple[str, str], ...]:
    """Where others read along, what one person wants is left out: it is private to them."""
    said = await store.holding(uow, claim.key.mandate_id, claim.instance_id, claim.user_id)
    return tuple((TITLES[scope], text) for scope, text in said if alone or scope is not Scope.USER)
