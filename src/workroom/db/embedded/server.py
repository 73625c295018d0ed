"""The supervisor of the embedded PostgreSQL: one server process, a direct child or adopted from a killed predecessor.

It decides when the server starts and stops. What the parts do is in the files beside it. Its process holds the
`FolderLock` of the data folder; everyone else only asks `find_running`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

from workroom.core.errors import ConfigurationError, DatabaseUnavailable
from workroom.db.embedded import cluster as clusters
from workroom.db.embedded.binaries import Binaries, binary
from workroom.db.embedded.folder import owned_folder
from workroom.db.embedded.login import LoginAttempt, ask
from workroom.db.embedded.pidfile import Endpoint, PidFile, is_server_of
from workroom.db.embedded.prepare import prepare
from workroom.db.embedded.process import WatchedProcess
from workroom.db.embedded.runas import RunAs
from workroom.db.embedded.serverlog import ServerLog
from workroom.db.embedded.socketdir import remove_socket_directory

_log = logging.getLogger(__name__)

_LOOK_AGAIN = 0.02
_TRY_AGAIN = 0.25
_TELL_EVERY = 5.0
_SHARED_MEMORY_WITHIN = 15.0
if sys.platform != "win32":
    _FAREWELL = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))  # fast, immediate, by force
_READY_BUT_SILENT = 30.0
_STILL_IN_USE = "pre-existing shared memory block"


class EmbeddedPostgres:
    """`folder` is `<data>/postgres`; the cluster is in a folder below it, named by its major version."""

    def __init__(
        self,
        folder: Path,
        *,
        superuser_password: str,
        durable: bool = True,
        run_as: RunAs | None = None,
        binaries: Binaries | None = None,
    ) -> None:
        if sys.platform == "win32":
            raise ConfigurationError(
                "The embedded PostgreSQL does not run on Windows yet: set WORKROOM_DATABASE_URL to another server."
            )
        self._folder = folder
        self._password = superuser_password
        self._durable = durable
        self._run_as = run_as
        self._binaries = binaries
        self._log = ServerLog(folder / "log" / "postgres.log")
        self._process: WatchedProcess | None = None
        self._endpoint: Endpoint | None = None
        self._busy = asyncio.Lock()
        self._stopping = asyncio.Event()
        self._lost = asyncio.Event()
        self._socket_directory: Path | None = None

    async def start(self) -> Endpoint:
        """Returns when the superuser can log in: to a new server, or to one that a killed Workroom left running."""
        async with self._busy:
            if self._endpoint and self._process and not self._process.gone.is_set():
                return self._endpoint
            self._stopping.clear()
            self._lost.clear()
            try:
                self._folder = await asyncio.to_thread(owned_folder, self._folder)
                self._log.path = self._folder / "log" / "postgres.log"
                endpoint = await self._adopt() or await self._launch()
            except BaseException:
                await self._end()
                raise
            self._endpoint = endpoint
            if self._process:
                self._process.when_gone(self._note_end)
            return endpoint

    async def stop(self) -> None:
        """End the server, also an adopted or half-started one; nothing to end is fine."""
        self._stopping.set()
        if self._process:
            self._process.signal(signal.SIGINT)  # before waiting for `start`, which may be waiting for this process
        async with self._busy:
            await self._end()

    @property
    def _cluster(self) -> Path:
        return clusters.cluster_path(self._folder)

    @property
    def endpoint(self) -> Endpoint:
        if self._endpoint is None:
            raise DatabaseUnavailable("The embedded PostgreSQL is not running: start Workroom first.")
        return self._endpoint

    async def wait_lost(self) -> None:
        """Returns when the server is gone although `stop` was not called; whether to `start` again is for the caller."""
        await self._lost.wait()

    @staticmethod
    def find_running(folder: Path) -> Endpoint | None:
        """For processes that join: where the server of this folder listens, if it really runs. Changes nothing."""
        cluster = clusters.cluster_path(folder)
        found = PidFile.read(cluster)
        if found is None or found.status == "stopping" or not found.is_true(cluster):
            return None
        return found.endpoint

    def command(self, program: str, *args: str) -> list[str]:
        """A command line for one of the client programs, such as `psql` or `pg_dump`."""
        path = self._binaries.path(program) if self._binaries else binary(program)
        return [str(path), *args]

    async def _adopt(self) -> Endpoint | None:
        """Take over the server that a killed Workroom left behind; None when there is none that can be used."""
        cluster = self._cluster
        if not await asyncio.to_thread(clusters.check_version, self._folder):
            return None
        found = await asyncio.to_thread(PidFile.read, cluster)
        if found is None:
            return None
        process = WatchedProcess.adopt(found.pid, lambda: is_server_of(cluster, found.pid))
        if process is None:
            return None
        _log.info("adopting the PostgreSQL that is already running (process %d)", process.pid)
        self._process = process
        endpoint = await self._until_ready(process)
        if endpoint is None:
            # It was shutting down, or its socket is lost. It is ours and unusable: end it, start another.
            await self._end()
        else:
            self._socket_directory = Path(endpoint.host)
        return endpoint

    async def _launch(self) -> Endpoint:
        launch = await prepare(
            self._folder,
            password=self._password,
            durable=self._durable,
            run_as=self._run_as,
            binaries=self._binaries,
            log=self._log,
        )
        self._socket_directory = launch.socket_directory
        give_up = asyncio.get_running_loop().time() + _SHARED_MEMORY_WITHIN
        while True:
            self._process = process = await launch.begin(self._log)
            endpoint = await self._until_ready(process)
            if endpoint:
                return endpoint
            complaint = await asyncio.to_thread(self._log.complaint)
            if not process.gone.is_set():
                complaint = f"it runs but cannot be reached in {launch.socket_directory}"
            # After a kill -9 its helpers need a moment to notice; until then they hold the shared memory.
            if _STILL_IN_USE not in complaint or asyncio.get_running_loop().time() > give_up:
                raise DatabaseUnavailable(
                    f"The embedded PostgreSQL did not start: {complaint} (its log is {self._log.path})."
                )
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), _TRY_AGAIN)

    async def _until_ready(self, process: WatchedProcess) -> Endpoint | None:
        """Waits as long as the process lives, since recovery takes its time; None when it ended or is out of reach."""
        clock = asyncio.get_running_loop().time
        began = told = clock()
        ready: float | None = None
        while not await process.gone_within(_LOOK_AGAIN):
            if self._stopping.is_set():
                break
            found = await asyncio.to_thread(PidFile.read, self._cluster)
            if found and found.pid == process.pid and found.status == "ready" and found.endpoint:
                answer = await ask(found.endpoint, self._password, self._cluster)
                if answer is LoginAttempt.OURS:
                    return found.endpoint
                ready = ready or clock()
                if answer is LoginAttempt.ELSEWHERE or clock() - ready > _READY_BUT_SILENT:
                    _log.warning("PostgreSQL (process %d) runs but does not answer at %s", process.pid, found.endpoint)
                    break
            if clock() - told > _TELL_EVERY:
                told = clock()
                _log.info("waiting for PostgreSQL to finish starting, %.0f s so far", told - began)
        if self._stopping.is_set():
            raise DatabaseUnavailable("The embedded PostgreSQL was stopped while it was starting.")
        return None

    def _note_end(self) -> None:
        if not self._stopping.is_set():
            _log.error("PostgreSQL is gone without having been asked to stop; its log is %s", self._log.path)
            self._lost.set()

    async def _end(self) -> None:
        """Fast shutdown, then less and less polite. Can be repeated when it was interrupted."""
        if process := self._process:
            for number, seconds in _FAREWELL:
                process.signal(number)
                if await process.gone_within(seconds):
                    break
                _log.warning("PostgreSQL (process %d) did not end %.0f s after %s", process.pid, seconds, number.name)
            await process.gone.wait()
        self._process = self._endpoint = None
        if self._socket_directory:
            await asyncio.to_thread(remove_socket_directory, self._socket_directory)
