"""The overview of the run's workspace, for the person it acts for, with the rights they have at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.runs.journal import DatabaseJournal
from workroom.runs.ports import WorkspaceOverviews


@dataclass(frozen=True)
class RunWorkspaceOverview:
    overviews: WorkspaceOverviews
    journal: DatabaseJournal  # knows who the person is by now
    instance_id: UUID

    async def section(self) -> str:
        return await self.overviews.section(self.journal.principal, self.instance_id)

    def invalidate(self) -> None:
        self.overviews.invalidate(self.journal.principal, self.instance_id)
