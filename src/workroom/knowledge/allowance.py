"""How much of what lies in archives is read for the index: so many files and so long for one file of the workspace, through
all archives in it. One archive of archives must not keep everybody else's files waiting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from workroom.core.clock import now


@dataclass
class Allowance:
    members: int
    until: datetime
    notes: list[str]
    spent: bool = False
    text_bytes: int = 0  # of all that was read, counted as it goes

    def take(self) -> bool:
        """One more member, if there is anything left; what is left out is said once."""
        if self.spent:
            return False
        if self.members <= 0:
            self._end("Only the first files in it can be searched, because there are so many.")
        elif now() >= self.until:
            self._end("Only the first files in it can be searched, because reading it takes too long.")
        self.members -= 1
        return not self.spent

    def _end(self, why: str) -> None:
        self.spent = True
        self.notes.insert(0, why)
