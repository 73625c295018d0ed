"""The contents of the run's workspace, for the person it acts for, with the rights they have at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.runs.journal import DatabaseJournal
from workroom.runs.ports import Contents


@dataclass(frozen=True)
class RunContents:
    contents: Contents
    journal: DatabaseJournal  # knows who the person is by now
    instance_id: UUID

    async def told(self) -> str:
        return await self.contents.told(self.journal.principal, self.instance_id)

    def changed(self) -> None:
        self.contents.changed(self.journal.principal, self.instance_id)
