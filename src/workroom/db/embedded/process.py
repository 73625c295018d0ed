"""Wait for a process and signal it, whether it is our child or was left behind by a process that was killed.

On Linux both go through a pidfd, which means one process for ever: no number is ever mistaken for another process that
got the same one later. Elsewhere the process is looked at twice a second and verified again before every signal.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Callable

_LOOK_AGAIN = 0.5  # seconds, where the kernel cannot tell us


class WatchedProcess:
    """A process of ours until `gone` is set. Belongs to the event loop it was made in."""

    def __init__(
        self, pid: int, *, child: subprocess.Popen[bytes] | None, handle: int | None, is_alive: Callable[[], bool]
    ) -> None:
        self.pid = pid
        self.gone = asyncio.Event()
        self._child = child
        self._handle = handle
        self._is_alive = is_alive
        self._looking: asyncio.Task[None] | None = None
        self._then: Callable[[], None] | None = None
        if handle is not None:
            asyncio.get_running_loop().add_reader(handle, self._ended)
        else:
            self._looking = asyncio.create_task(self._look(), name=f"watch process {pid}")

    @classmethod
    async def spawn(cls, popen: Callable[[], subprocess.Popen[bytes]]) -> WatchedProcess:
        """Start a child off the event loop. If we are cancelled meanwhile, the child does not survive unseen."""
        starting = asyncio.ensure_future(asyncio.to_thread(popen))
        try:
            child = await asyncio.shield(starting)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                await cls._of_child(await starting).kill()
            raise
        return cls._of_child(child)

    @classmethod
    def _of_child(cls, child: subprocess.Popen[bytes]) -> WatchedProcess:
        return cls(child.pid, child=child, handle=_open_handle(child.pid), is_alive=lambda: child.poll() is None)

    @classmethod
    def adopt(cls, pid: int, is_ours: Callable[[], bool]) -> WatchedProcess | None:
        """A process that is not our child, if it is what we think. The handle comes first, then the question."""
        handle = _open_handle(pid)
        if not is_ours():
            if handle is not None:
                os.close(handle)
            return None
        return cls(pid, child=None, handle=handle, is_alive=is_ours)

    @property
    def adopted(self) -> bool:
        return self._child is None

    @property
    def returncode(self) -> int | None:
        return self._child.returncode if self._child else None

    async def gone_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self.gone.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def when_gone(self, then: Callable[[], None]) -> None:
        """Call this once, in the event loop, at the moment the process ends; now, if it has ended already."""
        self._then = then
        if self.gone.is_set():
            then()

    def signal(self, number: signal.Signals) -> None:
        """Signal this process and no other; one that is gone is not an error."""
        if self.gone.is_set():
            return
        with contextlib.suppress(ProcessLookupError):
            if self._child:
                self._child.send_signal(number)  # not yet waited for, so its number cannot be anyone else's
            elif self._handle is not None:
                signal.pidfd_send_signal(self._handle, number)
            elif self._is_alive():
                os.kill(self.pid, number)

    async def kill(self) -> None:
        """The end at once, for a child with everything in its session (initdb starts helpers)."""
        if self._child and not self.gone.is_set() and self._child.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self.signal(signal.SIGKILL)
        await self.gone.wait()

    async def _look(self) -> None:
        while self._is_alive():  # noqa: ASYNC110 - no code in this process could set an event
            await asyncio.sleep(_LOOK_AGAIN)
        self._ended()

    def _ended(self) -> None:
        if self._handle is not None:
            asyncio.get_running_loop().remove_reader(self._handle)
            os.close(self._handle)
            self._handle = None
        if self._child:
            self._child.wait()  # it has ended: this only fetches the status, so that no zombie stays
        self.gone.set()
        if self._then:
            self._then()


def _open_handle(pid: int) -> int | None:
    """A pidfd, or None where there is no such thing (other systems, old kernels, some sandboxes) or no such process."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
