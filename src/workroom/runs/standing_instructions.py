"""Standing instructions for every agent, beside its own: of the platform, the organisation, the workspace and the person. Read
when a session of a run begins, so that a change holds from the next answer on, whichever agent gives it."""

from __future__ import annotations

from workroom.agents.instructions import store
from workroom.agents.instructions.types import InstructionLevel
from workroom.db import UnitOfWork
from workroom.runs.types import Claim

TITLES = {
    InstructionLevel.PLATFORM: "Rules of this platform",
    InstructionLevel.MANDATE: "Rules of the organisation",
    InstructionLevel.INSTANCE: "Rules of this workspace",
    InstructionLevel.USER: "What the user wants you to keep in mind, as far as it does not contradict the rules above",
}


async def standing_instructions(
    uow: UnitOfWork, claim: Claim, *, with_personal: bool = True
) -> tuple[tuple[str, str], ...]:
    """Title and text of each. `with_personal`: also those of the person, which others who read the conversation must not see."""
    stored = await store.holding(uow, claim.key.mandate_id, claim.instance_id, claim.user_id)
    return tuple((TITLES[scope], text) for scope, text in stored if with_personal or scope is not InstructionLevel.USER)
