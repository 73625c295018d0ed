"""Whose server is running? Reads `postmaster.pid` and asks the machine whether it is true.

The file survives a kill, and process numbers are used again: what it says is believed only when the process with that
number is a PostgreSQL working in exactly this folder.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from workroom.core.errors import ConfigurationError, DatabaseUnavailable

FILE_NAME = "postmaster.pid"


@dataclass(frozen=True)
class Endpoint:
    """Where the server listens: a socket directory and the number in the socket's name."""

    host: str
    port: int


@dataclass(frozen=True)
class PidFile:
    pid: int
    endpoint: Endpoint | None
    status: str  # starting, ready, standby, stopping; empty while the server writes the file

    @classmethod
    def read(cls, cluster: Path) -> PidFile | None:
        """None when there is no file, or nothing in it that could be a process."""
        try:
            lines = (cluster / FILE_NAME).read_text(errors="replace").splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError as error:
            raise ConfigurationError(
                f"The database folder {cluster} belongs to another user: run this command as the user that runs "
                "`workroom serve`."
            ) from error
        # pid, data directory, start time, port, socket directory, TCP address, shared memory, status
        lines += [""] * (8 - len(lines))
        try:
            pid = abs(int(lines[0]))
        except ValueError:
            return None
        endpoint = Endpoint(lines[4], int(lines[3])) if lines[4] and lines[3].isdigit() else None
        return cls(pid, endpoint, lines[7].strip()) if pid else None

    def is_true(self, cluster: Path) -> bool:
        return is_server_of(cluster, self.pid)


def is_server_of(cluster: Path, pid: int) -> bool:
    """Whether this process is alive and a PostgreSQL server of this very folder."""
    try:
        process = psutil.Process(pid)
        if process.name() != "postgres" or process.status() == psutil.STATUS_ZOMBIE:
            return False
        try:
            return os.path.samefile(process.cwd(), cluster)
        except psutil.AccessDenied:
            # Root without CAP_SYS_PTRACE (a container) may not see where another user's process works.
            command = process.cmdline()
            return "-D" in command and os.path.samefile(command[command.index("-D") + 1], cluster)
    except (psutil.Error, OSError, IndexError):
        return False


def set_aside(cluster: Path) -> None:
    """Make a file that names a living stranger, or nothing, harmless. Only for the owner of the folder lock.

    PostgreSQL would refuse to start, taking the stranger for its server. The file is not removed but rewritten to name
    us: PostgreSQL ignores a file that names its own parent, yet still checks the shared memory noted in it, and so
    notices server processes that outlived their postmaster.
    """
    path = cluster / FILE_NAME
    found = PidFile.read(cluster)
    with contextlib.suppress(FileNotFoundError):
        if found is None:
            _refuse_if_working_in(cluster)
            path.unlink()
        elif psutil.pid_exists(found.pid) and found.pid != os.getpid():
            _, _, rest = path.read_text(errors="surrogateescape").partition("\n")
            with path.open("r+", errors="surrogateescape") as file:  # in place: it keeps its owner
                file.write(f"{os.getpid()}\n{rest}")
                file.truncate()


def _refuse_if_working_in(cluster: Path) -> None:
    """Without a readable file there is no note of the shared memory, so look for the processes themselves."""
    for process in psutil.process_iter():
        if is_server_of(cluster, process.pid):
            raise DatabaseUnavailable(
                f"A PostgreSQL (process {process.pid}) works in {cluster} but its {FILE_NAME} is damaged: "
                "stop that process, then start Workroom again."
            )
