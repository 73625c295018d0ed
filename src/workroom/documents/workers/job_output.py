"""Output of a child for one job, within limits of time and size."""

from __future__ import annotations

import asyncio

from workroom.documents.workers.crash_errors import crash_error, too_much, too_slow
from workroom.documents.workers.frames import BadFrame, Frame
from workroom.documents.workers.process import Child, ChildDied


class JobOutput:
    def __init__(self, child: Child, *, seconds: float, most_bytes: int) -> None:
        self._child, self._seconds, self._bytes = child, seconds, most_bytes

    async def page(self) -> list[Frame]:
        """The next frames. Only our waiting counts as time of the job, not that of a slow consumer."""
        since = asyncio.get_running_loop().time()
        try:
            page = await self._child.page(self._seconds)
        except TimeoutError:
            raise too_slow() from None
        except BadFrame:
            raise too_much() from None
        except ChildDied as died:
            raise crash_error(died.code, died.stderr_tail) from None
        self._seconds -= asyncio.get_running_loop().time() - since
        self._bytes -= sum(len(payload) for _, payload in page)
        if self._bytes < 0:
            raise too_much()
        return page
