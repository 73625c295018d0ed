"""The folder that initdb makes: complete or not there at all, of our version, owned by the user that runs the server."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
from pathlib import Path

from workroom.core.errors import ConfigurationError, DatabaseUnavailable
from workroom.db.embedded.binaries import MAJOR, Binaries
from workroom.db.embedded.folder import user_name
from workroom.db.embedded.login import SUPERUSER
from workroom.db.embedded.options import environment
from workroom.db.embedded.process import WatchedProcess
from workroom.db.embedded.runas import RunAs
from workroom.db.embedded.serverlog import ServerLog

_log = logging.getLogger(__name__)
_UNFINISHED = f"{MAJOR}.new-"


def cluster_path(folder: Path) -> Path:
    return folder / str(MAJOR)


def check_version(folder: Path) -> bool:
    """Whether there is a cluster for our programs; ConfigurationError when there is one for others."""
    cluster = cluster_path(folder)
    if version := _version(cluster):
        if version != str(MAJOR):
            raise ConfigurationError(
                f"The database in {cluster} was made by PostgreSQL {version}, and this Workroom brings {MAJOR}: "
                "restore a backup into an empty data folder, or use the Workroom version that made it."
            )
        return True
    if cluster.is_dir() and any(cluster.iterdir()):
        raise ConfigurationError(
            f"{cluster} is not empty and not a PostgreSQL database: move it away, then start again."
        )
    older = [path.name for path in folder.glob("[0-9]*") if path.name.isdigit() and _version(path)]
    if older:
        raise ConfigurationError(
            f"The database in {folder} was made by PostgreSQL {max(older, key=int)}, and this Workroom brings {MAJOR}: "
            "make a backup with the Workroom version that made it, and restore that into an empty data folder."
        )
    return False


def remove_unfinished(folder: Path) -> None:
    """What an interrupted initdb left: it never had the final name, so nothing was ever in it."""
    for path in folder.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        if path.exists():
            _log.warning("%s is left from an interrupted start and cannot be removed", path)


async def initialise(
    folder: Path, *, password: str, run_as: RunAs, binaries: Binaries, log: ServerLog, durable: bool
) -> None:
    """Run initdb aside, then give the result its name. The password goes through a file that only initdb can read."""
    aside, password_file = await asyncio.to_thread(_make_aside, folder, password, run_as)
    command = [
        str(binaries.path("initdb")),
        f"--pgdata={aside}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions",
        *([] if durable else ["--no-sync"]),
    ]
    try:
        with log.open() as output:
            process = await WatchedProcess.spawn(lambda: run_as.popen(command, env=environment(), output=output))
        try:
            await process.gone.wait()
        finally:
            await process.kill()
        if process.returncode != 0:
            raise DatabaseUnavailable(
                f"PostgreSQL could not set up its database: {await asyncio.to_thread(log.complaint)} "
                f"(the log is {log.path})."
            )
        await asyncio.to_thread(_publish, aside, cluster_path(folder), durable)
    finally:
        password_file.unlink(missing_ok=True)
        await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)


def take_ownership(cluster: Path, run_as: RunAs) -> None:
    """Root may run the server in one way today and in another tomorrow: the files follow. No server may be running."""
    owner = cluster.stat().st_uid
    if owner == run_as.uid:
        return
    if os.geteuid() != 0 or owner not in (0, RunAs.nobody().uid):
        raise ConfigurationError(
            f"The database folder {cluster} belongs to {user_name(owner)}: run Workroom as that user, or choose "
            "another folder with WORKROOM_DATA."
        )
    # From the leaves to the top: when interrupted, the top still has the old owner and it all happens again.
    for _, folders, files, here in os.fwalk(cluster, topdown=False):
        for name in (*folders, *files):
            os.chown(name, run_as.uid, run_as.gid, dir_fd=here, follow_symlinks=False)
    os.chown(cluster, run_as.uid, run_as.gid)


def _version(cluster: Path) -> str | None:
    try:
        return (cluster / "PG_VERSION").read_text().strip() or None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise ConfigurationError(
            f"The database folder {cluster} belongs to another user: run Workroom as that user, or choose another "
            "folder with WORKROOM_DATA."
        ) from error


def _make_aside(folder: Path, password: str, run_as: RunAs) -> tuple[Path, Path]:
    aside = Path(tempfile.mkdtemp(prefix=f"{_UNFINISHED}{os.getpid()}-", dir=folder))
    password_file = aside.with_name(f"{aside.name}.password")
    descriptor = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(password)
    for path in (aside, password_file):
        run_as.give(path)
    return aside, password_file


def _publish(aside: Path, cluster: Path, durable: bool) -> None:
    aside.rename(cluster)
    if durable:
        descriptor = os.open(cluster.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
