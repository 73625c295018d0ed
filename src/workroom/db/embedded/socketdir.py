"""The short, private home of the socket. A socket's path may have about 100 bytes, so it cannot be in the data folder.

The directory has a name that is the same at every start, and lies where everyone may write: it is used only when it is
a real directory, ours, and closed to all others. Whatever else is there is left alone and a fresh one is made.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import stat
import tempfile
from pathlib import Path

from workroom.core.errors import ConfigurationError
from workroom.db.embedded.options import PORT
from workroom.db.embedded.runas import RunAs

_PREFIX = "workroom-"
_LONGEST_PATH = 99
_SOCKET = f".s.PGSQL.{PORT}"


async def make_socket_directory(cluster: Path, run_as: RunAs) -> Path:
    bases = dict.fromkeys((Path(tempfile.gettempdir()), Path("/tmp")))  # noqa: S108 - what is below it is checked
    for base in bases:
        if await run_as.can_enter(base):
            with contextlib.suppress(OSError):
                directory = _usual(base, cluster, run_as) or _fresh(base, run_as)
                if len(os.fsencode(directory / _SOCKET)) <= _LONGEST_PATH:
                    return directory
                directory.rmdir()
    raise ConfigurationError(
        "PostgreSQL needs a temporary folder with a short path for its socket, and none is usable: "
        "set TMPDIR to one, such as /tmp."
    )


def remove_socket_directory(directory: Path) -> None:
    """Tidy up after the server, which removes its socket itself; anything unexpected in there stays."""
    if directory.name.startswith(_PREFIX):
        with contextlib.suppress(OSError):
            directory.rmdir()


def _usual(base: Path, cluster: Path, run_as: RunAs) -> Path | None:
    """The same name at every start, or None when someone else has it."""
    name = hashlib.sha256(os.fsencode(cluster)).hexdigest()[:12]
    directory = base / f"{_PREFIX}{run_as.uid}-{name}"
    with contextlib.suppress(FileExistsError):
        directory.mkdir(mode=0o700)
        run_as.give(directory)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != run_as.uid or stat.S_IMODE(found.st_mode) != 0o700:
        return None
    if _answers(directory / _SOCKET):
        return None  # a living server that is not ours: the same path in another container, perhaps
    for leftover in (_SOCKET, f"{_SOCKET}.lock"):  # of a killed server; the lock may name a stranger's number by now
        (directory / leftover).unlink(missing_ok=True)
    return directory


def _fresh(base: Path, run_as: RunAs) -> Path:
    directory = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
    run_as.give(directory)
    return directory


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
