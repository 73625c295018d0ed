"""A database of a gigabyte, backed up and restored while the workspace runs: the programs' memory stays bounded."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.faults.command import PROGRAM, environment
from tests.faults.process import Workroom

MEGABYTE = 1024**2
BOUND = 300 * MEGABYTE
ROWS = 1_000_000  # of a kilobyte each


@pytest.mark.drill
def test_the_memory_of_a_restore_does_not_grow_with_the_database(running: Workroom, tmp_path: Path) -> None:
    fill = f"""
        insert into notes select i.mandate_id, gen_random_uuid(), i.instance_id, u.user_id, 'n',
            repeat(md5(n::text), 32), now(), now()
        from generate_series(1, {ROWS // 8}) n, (select * from instances limit 1) i
            join lateral (select user_id from users where mandate_id = i.mandate_id limit 1) u on true;"""
    for _ in range(8):
        filled = running.command("db", "psql", given=fill)
        assert f"INSERT 0 {ROWS // 8}" in filled.fine(), filled.err
    file, temporary = tmp_path / "large.zip", tmp_path / "tmp"
    temporary.mkdir()
    used = {
        args[0]: peak_bytes(running, temporary, "db", *args)
        for args in (("backup", str(file)), ("restore", str(file), "--yes"))
    }
    print({name: f"{peak / MEGABYTE:.0f} MB" for name, peak in used.items()}, f"{file.stat().st_size:,} bytes")
    assert max(used.values()) < BOUND
    assert list(temporary.iterdir()) == []
    said = running.command("db", "psql", given="\\pset format unaligned\nselect 'rows', count(*) from notes;").fine()
    assert f"rows|{ROWS}" in said
    running.wait_ready()
    with running.signed_in() as client:
        assert client.get("/api/session").status_code == 200


def peak_bytes(running: Workroom, temporary: Path, *args: str) -> int:
    """The most memory that the command or any program it started had at a time."""
    settings = environment({"DATA": running.data, "PORT": running.port}) | {"TMPDIR": str(temporary)}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([*PROGRAM, *args], env=settings, stdout=said, stderr=said, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        assert process.returncode == 0, said.read().decode()
    return usage.ru_maxrss * 1024
