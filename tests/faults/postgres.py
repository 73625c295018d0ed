"""Somebody else's PostgreSQL: one that Workroom did not start and does not own, of any version, on a Unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.quick_disk import quick_place
from workroom.db.embedded.binaries import Binaries
from workroom.db.embedded.options import environment
from workroom.db.embedded.runas import RunAs

BUNDLED = Binaries.bundled().root
NEWEST = BUNDLED  # with pgvector
SIXTEEN = BUNDLED.with_name("pginstall")  # with pgvector
DEBIAN = Path("/usr/lib/postgresql/15")  # without
_SECONDS = 30.0


@dataclass(frozen=True)
class ForeignPostgres:
    programs: Path
    sockets: Path

    def url(self, login: str, password: str, database: str) -> str:
        return f"postgresql://{login}:{quote(password)}@/{database}?host={quote(str(self.sockets), safe='')}"

    def psql(self, sql: str, database: str = "postgres") -> str:
        """As a database administrator does it: psql, as the superuser, stopping at the first error."""
        done = subprocess.run(
            [self.programs / "bin" / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", database],
            env={**environment(), "PGHOST": str(self.sockets)},
            input=sql,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextlib.contextmanager
def foreign_postgres(programs: Path) -> Iterator[ForeignPostgres]:
    """Runs inside the block. Skips the test where this version is not installed, or cannot be run by us."""
    if not (programs / "bin" / "postgres").exists():
        pytest.skip(f"{programs.name} is not installed: there is no PostgreSQL in {programs}")
    run_as = asyncio.run(RunAs.choose())
    folder = Path(tempfile.mkdtemp(prefix="wr-pg-", dir=quick_place()))
    folder.chmod(0o711)
    data, sockets = folder / "data", folder / "s"
    for path in (data, sockets):
        path.mkdir(mode=0o700)
        run_as.give(path)
    log = folder / "log"
    try:
        with log.open("wb") as output:
            options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync", "--locale=C"]
            made = run_as.popen(
                [str(programs / "bin" / "initdb"), "-D", str(data), *options], env=environment(), output=output
            )
            if made.wait() != 0:
                pytest.skip(f"PostgreSQL of {programs} cannot be run here: {log.read_text()}")
            # Passwords for all but the superuser, whom only psql uses: so wrong ones can be tried.
            _write(data / "pg_hba.conf", "local all postgres trust\nlocal all all scram-sha-256\n")
            settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB"]
            command = [str(programs / "bin" / "postgres"), "-D", str(data), "-k", str(sockets), *settings]
            server = run_as.popen(command, env=environment(), output=output)
        try:
            _wait_ready(server, data, log)
            yield ForeignPostgres(programs, sockets)
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(5)
            server.kill()
            server.wait()
    finally:
        shutil.rmtree(folder)


def _wait_ready(server: subprocess.Popen[bytes], data: Path, log: Path) -> None:
    give_up = time.monotonic() + _SECONDS
    while not _says_ready(data / "postmaster.pid"):
        assert time.monotonic() < give_up, log.read_text()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(0.05)
            raise AssertionError(log.read_text())


def _says_ready(pid_file: Path) -> bool:
    return pid_file.exists() and pid_file.read_text().rstrip().endswith("ready")


def _write(path: Path, text: str) -> None:
    with path.open("r+") as file:  # in place: it keeps its owner
        file.write(text)
        file.truncate()
