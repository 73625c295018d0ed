"""Everything between an empty folder and a command line that starts the server. Nothing here outlives the call."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from workroom.core.errors import ConfigurationError, DatabaseUnavailable
from workroom.db.embedded import cluster as clusters
from workroom.db.embedded.binaries import MAJOR, Binaries
from workroom.db.embedded.options import environment, server_arguments
from workroom.db.embedded.pidfile import set_aside
from workroom.db.embedded.process import WatchedProcess
from workroom.db.embedded.runas import RunAs
from workroom.db.embedded.serverlog import ServerLog
from workroom.db.embedded.socketdir import make_socket_directory


@dataclass(frozen=True)
class Launch:
    """How to start the server, as often as needed."""

    command: list[str]
    run_as: RunAs
    socket_directory: Path

    async def begin(self, log: ServerLog) -> WatchedProcess:
        def popen() -> subprocess.Popen[bytes]:
            with log.open() as output:
                return self.run_as.popen(self.command, env=environment(), output=output)

        try:
            return await WatchedProcess.spawn(popen)
        except OSError as error:
            raise DatabaseUnavailable(f"PostgreSQL could not be started: {error}.") from error


async def prepare(
    folder: Path, *, password: str, durable: bool, run_as: RunAs | None, binaries: Binaries | None, log: ServerLog
) -> Launch:
    """No server of this folder may be running, and the caller owns the folder."""
    run_as = run_as or await RunAs.choose()
    binaries = await _within_reach(binaries or Binaries.bundled(), folder, run_as)
    cluster = clusters.cluster_path(folder)
    await asyncio.to_thread(clusters.remove_unfinished, folder)
    if not await asyncio.to_thread(clusters.check_version, folder):
        await clusters.initialise(folder, password=password, run_as=run_as, binaries=binaries, log=log, durable=durable)
    await asyncio.to_thread(clusters.take_ownership, cluster, run_as)
    await asyncio.to_thread(set_aside, cluster)
    directory = await make_socket_directory(cluster, run_as)
    command = [str(binaries.path("postgres")), *server_arguments(cluster, directory, durable=durable)]
    return Launch(command, run_as, directory)


def _let_through(path: Path) -> None:
    found = path.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) == 0o700:
        path.chmod(0o711)


async def _within_reach(binaries: Binaries, folder: Path, run_as: RunAs) -> Binaries:
    """Folder and programs must be reachable for the user that runs the server; the programs can be copied, the folder not."""
    if run_as.changes_user:
        # To pass through, not to look around; what is inside stays closed. The data folder above is ours as well.
        for path in (folder.parent, folder):
            await asyncio.to_thread(_let_through, path)
    if not await run_as.can_enter(folder):
        raise ConfigurationError(
            f"PostgreSQL does not run as root, and the account that runs it instead cannot enter {folder}: start "
            "Workroom as a normal user, or set WORKROOM_DATA=/var/lib/workroom."
        )
    if await run_as.can_use(binaries):
        return binaries
    copy = await asyncio.to_thread(binaries.copied_to, folder / f"bin-{MAJOR}")
    if not await run_as.can_use(copy):
        raise ConfigurationError(
            f"The PostgreSQL programs cannot be run, neither from {binaries.root} nor from {copy.root}: see whether "
            "that disk is mounted `noexec`, and choose another folder with WORKROOM_DATA."
        )
    return copy
