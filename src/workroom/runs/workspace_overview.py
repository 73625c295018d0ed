"""The overview of the run's workspace, for the person it acts for, with the rights they have at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.agent.ports import WorkspaceState
from workroom.agent.tool import WorkspaceContent
from workroom.db import Database
from workroom.runs import contents_store
from workroom.runs.journal import DatabaseJournal
from workroom.runs.ports import WorkspaceOverviews


@dataclass
class RunWorkspaceOverview:
    db: Database
    overviews: WorkspaceOverviews
    journal: DatabaseJournal  # knows who the person is by now
    instance_id: UUID
    _known: frozenset[WorkspaceContent] | None = None

    async def read(self) -> WorkspaceState:
        section = await self.overviews.section(self.journal.principal, self.instance_id)
        files: set[WorkspaceContent] = {"files"} if section else set()
        return WorkspaceState(section, await self._notes_and_todos() | files)

    async def _notes_and_todos(self) -> frozenset[WorkspaceContent]:
        """Read once, and again after a tool has written."""
        if self._known is None:
            principal = self.journal.principal
            async with self.db.unit_of_work(principal.actor) as uow:
                self._known = await contents_store.notes_and_todos(uow, principal.mandate_id, self.instance_id)
        return self._known

    def invalidate(self) -> None:
        self._known = None
        self.overviews.invalidate(self.journal.principal, self.instance_id)
