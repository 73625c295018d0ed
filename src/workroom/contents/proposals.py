"""Changes to files that agents proposed without waiting: who may read the file sees them, who may change it decides, once."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.contents import proposals_store as store
from workroom.contents.file_edits import TRIES, AcceptedEdit, OvertakenEdit, accept
from workroom.contents.types import FileProposal, OpenProposal, ProposalState
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.files import edits, scans
from workroom.files.errors import FileChanged
from workroom.files.service import Files
from workroom.identity.types import Action, Principal

MOST_OPEN = 20  # of a file at once
DECIDED = "This change has been decided about already."


async def keep(uow: UnitOfWork, principal: Principal, proposal: FileProposal, agent: WritingAgent | None) -> None:
    """Keep what an agent proposes, within the caller's transaction."""
    file = await edits.get_file(uow, principal, Action.UPDATE, proposal.file_id, lock=True)
    if len(await store.open_ones(uow, principal.mandate_id, file.id, MOST_OPEN)) == MOST_OPEN:
        raise Conflict(
            f"“{file.name}” has {MOST_OPEN} proposed changes already. The user has to decide about some first."
        )
    await store.insert(uow, principal.mandate_id, proposal, agent)
    await scans.announce(uow, principal.mandate_id, file)


class FileProposals:
    def __init__(self, db: Database, files: Files) -> None:
        self._db, self._files = db, files

    async def open_ones(self, principal: Principal, file_id: UUID) -> Sequence[OpenProposal]:
        """Those that wait for a decision, oldest first."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await edits.get_file(uow, principal, Action.READ, file_id)
            return await store.open_ones(uow, principal.mandate_id, file_id, MOST_OPEN)

    async def get(
        self, principal: Principal, file_id: UUID, proposal_id: UUID, action: Action = Action.READ
    ) -> FileProposal:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await _get(uow, principal, file_id, proposal_id, action)

    async def decide(
        self, principal: Principal, file_id: UUID, proposal_id: UUID, *, accepted: bool, text: str | None = None
    ) -> FileProposal:
        """`text` is what is accepted when that is only a part. Raises FileChanged with the lines that were changed meanwhile,
        too: the proposal stays open."""
        proposal = await self.get(principal, file_id, proposal_id, Action.UPDATE)
        if proposal.state is not ProposalState.OPEN:
            raise Conflict(DECIDED)
        if not accepted:
            return await self._decide(principal, proposal, ProposalState.REJECTED, None)
        wanted = proposal.after if text is None else text
        if wanted == proposal.before:
            raise InvalidInput("Nothing of it is accepted. Reject it, or accept a part.", field="text")
        for tries in range(TRIES, 0, -1):
            edit = await accept(self._files, principal, file_id, proposal.before, wanted)
            if isinstance(edit, OvertakenEdit):
                newest = edit.content
                raise FileChanged(newest.file.name, newest.version.version, edit.lines)
            try:
                return await self._decide(principal, proposal, ProposalState.ACCEPTED, edit)
            except FileChanged:
                if tries == 1:
                    raise
        raise AssertionError("the last try stores, or raises")

    async def _decide(
        self, principal: Principal, proposal: FileProposal, state: ProposalState, edit: AcceptedEdit | None
    ) -> FileProposal:
        async with self._db.unit_of_work(principal.actor) as uow:
            file = await edits.get_file(uow, principal, Action.UPDATE, proposal.file_id, lock=True)
            if not await store.decide(uow, principal.mandate_id, proposal.id, state, principal.user_id, now()):
                raise Conflict(DECIDED)
            if edit is not None:
                file, _ = await edit.store(uow, self._files, principal, proposal.agent)
                await store.set_became(uow, principal.mandate_id, proposal.id, file.version)
            await scans.announce(uow, principal.mandate_id, file)
            return await _get(uow, principal, proposal.file_id, proposal.id, Action.READ)


async def _get(uow: UnitOfWork, principal: Principal, file_id: UUID, proposal_id: UUID, action: Action) -> FileProposal:
    await edits.get_file(uow, principal, action, file_id)
    proposal = await store.get(uow, principal.mandate_id, file_id, proposal_id)
    if proposal is None:
        raise NotFound("There is no such proposal for this file.")
    return proposal
