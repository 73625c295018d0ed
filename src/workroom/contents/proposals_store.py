"""All SQL of changes to files that are proposed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from workroom.contents.types import FileProposal, OpenProposal, ProposalState
from workroom.core.writing_agent import WritingAgent
from workroom.db import UnitOfWork

KNOWN = """p.proposal_id as id, p.file_id, p.version, p.proposed_by, u.display_name as proposed_by_name, p.agent_id,
p.agent_name, p.run_id, p.proposed_at"""
WHOLE = f"{KNOWN}, p.before, p.after, p.state, p.decided_by, p.decided_at, p.became"
OF_FILE = """from file_proposals p left join users u on u.mandate_id = p.mandate_id and u.user_id = p.proposed_by
where p.mandate_id = $1 and p.file_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, proposal: FileProposal, agent: WritingAgent | None) -> None:
    await uow.execute(
        "insert into file_proposals (mandate_id, proposal_id, file_id, version, before, after, proposed_by, agent_id, agent_name,"
        " run_id, proposed_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        mandate_id,
        proposal.id,
        proposal.file_id,
        proposal.version,
        proposal.before,
        proposal.after,
        proposal.proposed_by,
        agent.id if agent else None,
        agent.name if agent else "",
        agent.run_id if agent else None,
        proposal.proposed_at,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, proposal_id: UUID) -> FileProposal | None:
    row = await uow.fetchrow(f"select {WHOLE} {OF_FILE} and p.proposal_id = $3", mandate_id, file_id, proposal_id)
    return None if row is None else FileProposal(**dict(row))


async def open_ones(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, most: int) -> Sequence[OpenProposal]:
    """Oldest first, without their texts, which may be long."""
    rows = await uow.fetch(
        f"select {KNOWN} {OF_FILE} and p.state = 'open' order by p.proposed_at, p.proposal_id limit $3",
        mandate_id,
        file_id,
        most,
    )
    return [OpenProposal(**dict(row)) for row in rows]


async def decide(
    uow: UnitOfWork,
    mandate_id: UUID,
    proposal_id: UUID,
    state: ProposalState,
    decided_by: UUID | None,
    moment: datetime,
) -> bool:
    """Once: False if it has been decided already."""
    done = await uow.execute(
        "update file_proposals set state = $3, decided_by = $4, decided_at = $5"
        " where mandate_id = $1 and proposal_id = $2 and state = 'open'",
        mandate_id,
        proposal_id,
        state,
        decided_by,
        moment,
    )
    return done == 1


async def set_became(uow: UnitOfWork, mandate_id: UUID, proposal_id: UUID, version: int) -> None:
    await uow.execute(
        "update file_proposals set became = $3 where mandate_id = $1 and proposal_id = $2",
        mandate_id,
        proposal_id,
        version,
    )
