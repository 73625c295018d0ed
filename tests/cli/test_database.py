"""`workroom db` on a running workspace: status, migrate, backup, restore and its undoing, index, psql."""

from __future__ import annotations

import hashlib
import re
import shlex
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.faults.command import run
from tests.faults.process import Workroom, one_time_link
from workroom.core.ids import new_id
from workroom.db import DatabaseAddress, migrator
from workroom.db.connection import connect
from workroom.db.embedded import binary
from workroom.db.programs import connection_environment
from workroom.knowledge.store import layers
from workroom.settings import Settings


def logins(workspace: Workroom) -> set[str]:
    return {line.split()[0] for line in workspace.command("users", "list").fine().splitlines()[1:]}


def test_status_tells_what_an_administrator_asks_first(workspace: Workroom) -> None:
    told = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in workspace.command("db", "status").fine().splitlines())
    assert told["where"] == "embedded"
    assert told["PostgreSQL"].startswith("18.")
    assert tuple(map(int, told["pgvector"].split(".")[:2])) >= (0, 8)
    newest = migrator.shipped()[-1]
    assert told["schema"] == f"up to date ({newest.number:04} {newest.name})"
    assert int(told["connections"]) >= 2
    assert int(told["workers"]) >= 0


def test_migrate_has_nothing_to_do(workspace: Workroom) -> None:
    assert workspace.command("db", "migrate").fine() == "The schema is up to date.\n"


def test_restore_brings_back_a_backup_and_can_be_undone(workspace: Workroom, tmp_path: Path) -> None:
    workspace.command("users", "add", "early@example.org").fine()
    file = tmp_path / "sub folder" / "one.zip"
    said = workspace.command("db", "backup", file).fine()
    assert str(file) in said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    workspace.command("users", "remove", "early@example.org", "--yes").fine()
    workspace.command("users", "add", "late@example.org").fine()
    later = logins(workspace)

    assert workspace.command("db", "restore", file, given="n\n").code == 1
    assert logins(workspace) == later, "a no is a no"

    said = workspace.command("db", "restore", file, "--yes").fine()
    assert "early@example.org" in logins(workspace)
    assert "late@example.org" not in logins(workspace)
    assert workspace.is_ready(), "while the workspace runs"
    with workspace.signed_in() as client:
        assert client.get("/api/users").status_code == 200

    undo = shlex.split(said.partition("To undo: ")[2])
    assert undo[0] == "workroom", "a line to paste into a shell"
    workspace.command(*undo[1:], "--yes").fine()
    assert logins(workspace) == later


def test_files_are_copied_beside_a_backup_and_brought_back(workspace: Workroom, tmp_path: Path) -> None:
    content, file = b"content of a file", tmp_path / "with files.zip"
    name = hashlib.sha256(content).hexdigest()
    blob = workspace.data / "blobs" / str(new_id()) / name[:2] / name
    blob.parent.mkdir(parents=True)
    blob.write_bytes(content)
    assert "--files" in workspace.command("db", "backup", tmp_path / "without.zip").fine()
    assert not (tmp_path / "without.zip.files").exists()
    assert str(tmp_path / "with files.zip.files") in workspace.command("db", "backup", file, "--files").fine()
    blob.unlink()
    assert "Copied 1 contents (17 bytes)" in workspace.command("db", "restore", file, "--yes").fine()
    assert blob.read_bytes() == content


def test_files_on_s3_are_backed_up_there(tmp_path: Path) -> None:
    command = run("db", "backup", tmp_path / "one.zip", "--files", DATA=tmp_path / "data", BLOBS="s3://bucket")
    command.refused(3, "s3://bucket", "without --files")


def test_a_restore_signs_everybody_out_and_uses_up_links(workspace: Workroom, tmp_path: Path) -> None:
    link = one_time_link(workspace.command("users", "link").fine()).partition("#")[2]
    with workspace.signed_in() as client:
        workspace.command("db", "backup", tmp_path / "b.zip").fine()
        workspace.command("db", "restore", tmp_path / "b.zip", "--yes").fine()
        assert client.get("/api/session").status_code == 401
        assert client.post("/api/auth/link", json={"token": link}).status_code == 401


def test_a_restore_sends_no_mail_of_long_ago(workspace: Workroom, tmp_path: Path) -> None:
    workspace.command("users", "add", "told@example.org").fine()
    mails = {"SMTP_HOST": "127.0.0.1", "SMTP_FROM": "workroom@example.org"}
    for password in ("correct horse battery", "seven green umbrellas"):
        given = f"{password}\n{password}\n"
        run("users", "password", "told@example.org", given=given, DATA=workspace.data, **mails).fine()
    with workspace.signed_in() as client:
        assert [mail["kind"] for mail in client.get("/api/mails").json()["items"]] == ["passwordChanged"]
    workspace.command("db", "backup", tmp_path / "b.zip").fine()
    workspace.command("db", "restore", tmp_path / "b.zip", "--yes").fine()
    with workspace.signed_in() as client:
        assert client.get("/api/mails").json()["items"] == []


def test_a_hostile_backup_runs_no_program_on_this_machine(workspace: Workroom, tmp_path: Path) -> None:
    """A restore acts as the owner of the tables, never as a superuser."""
    script, trace = tmp_path / "hostile.sql", tmp_path / "executed"
    script.write_text(f"reset role; copy (select 1) to program 'touch {trace}';")
    # The same program that `restore` runs, with what a hostile file would make it run.
    address = DatabaseAddress.joined(Settings(data=workspace.data))
    assert address.migration is not None
    done = subprocess.run(
        [str(binary("psql")), "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--file={script}"],
        env=connection_environment(address.migration),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "permission denied" in done.stderr
    assert not trace.exists()


@pytest.mark.parametrize(
    "manifest", ["{}", '{"format": 1}', '{"format": 1, "schema": "x", "version": "1"}', "[]", " " * 70_000]
)
def test_odd_backups_are_refused_in_one_sentence(workspace: Workroom, tmp_path: Path, manifest: str) -> None:
    odd = tmp_path / "odd.zip"
    with zipfile.ZipFile(odd, "w") as whole:
        whole.writestr("manifest.json", manifest)
        whole.writestr("database.dump", "x")
    workspace.command("db", "restore", odd, "--yes").refused(2, str(odd), "not a backup")


def test_a_restore_that_fails_leaves_no_file_behind(workspace: Workroom, tmp_path: Path) -> None:
    backups, before = workspace.data / "backups", logins(workspace)
    workspace.command("db", "backup", tmp_path / "whole.zip").fine()
    kept = sorted(backups.glob("*"))
    short = tmp_path / "short.zip"
    with zipfile.ZipFile(tmp_path / "whole.zip") as whole, zipfile.ZipFile(short, "w") as half:
        half.writestr("manifest.json", whole.read("manifest.json"))
        half.writestr("database.dump", whole.read("database.dump")[:-20_000])
    workspace.command("db", "restore", short, "--yes").refused(5, "pg_restore failed, nothing was changed")
    assert sorted(backups.glob("*")) == kept, "what was there is still there, and needs no copy"
    assert logins(workspace) == before


def test_a_restore_wants_room_before_it_begins(workspace: Workroom, tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with zipfile.ZipFile(large, "w") as whole:
        whole.writestr("manifest.json", '{"format": 1, "schema": 1, "version": "1", "databaseBytes": 1000000000000000}')
        whole.writestr("database.dump", "x")
    workspace.command("db", "restore", large, "--yes").refused(2, "1,500,000,000,000,000 bytes", "make room")


def test_without_a_name_the_backup_lies_in_the_data_folder(workspace: Workroom) -> None:
    said = workspace.command("db", "backup").fine()
    assert str(workspace.data / "backups") in said
    assert list((workspace.data / "backups").glob("workroom-backup-*.zip"))


def test_a_file_that_is_no_backup_changes_nothing(workspace: Workroom, tmp_path: Path) -> None:
    wrong = tmp_path / "holiday.zip"
    wrong.write_bytes(b"PK\x05\x06 no")
    before = logins(workspace)
    workspace.command("db", "restore", wrong, "--yes").refused(2, str(wrong), "Nothing was changed")
    workspace.command("db", "restore", tmp_path / "none.zip", "--yes").refused(2, "There is no file")
    assert logins(workspace) == before


def test_a_backup_that_cannot_be_written_says_so(workspace: Workroom, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path, tmp_path / "file" / "deeper.zip"):
        workspace.command("db", "backup", target).refused(3, str(target), "cannot be written", "another file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.requirement("H7")
def test_an_index_is_built_for_what_many_share_and_dropped_with_it(workspace: Workroom) -> None:
    assert "no vectors yet" in workspace.command("db", "index").fine()
    # How large a layer is, its files say: without any vectors the test is quick.
    made = f"""
        insert into files (mandate_id, file_id, instance_id, owner_id, name, version, hash, size, media_type, visibility,
            created_at, updated_at)
        select i.mandate_id, gen_random_uuid(), i.instance_id, u.user_id, n || '.txt', 1, 'none', 1, 'text/plain',
            case n when 3 then 'MY' else 'ALL' end, now(), now()
        from generate_series(1, 3) n, (select * from instances limit 1) i
            join lateral (select user_id from users where mandate_id = i.mandate_id limit 1) u on true;
        insert into knowledge_files (mandate_id, file_id, instance_id, owner_id, version, hash, media_type, state, chunks,
            embedder, dimensions, updated_at)
        select mandate_id, file_id, instance_id, owner_id, 1, hash, media_type, 'indexed', {layers.LARGE + 1},
            case name when '1.txt' then 'o''brien/large' when '2.txt' then 'other/large' else 'other/private' end, 256, now()
        from files where hash = 'none';
        update knowledge_files set chunks = 5 where embedder = 'other/large';"""
    workspace.command("db", "psql", given=made).fine()
    try:
        said = workspace.command("db", "index").fine()
        assert "Indexing o'brien/large of" in said
        assert "(100,001 shared passages)" in said
        assert said.count("Indexing") == 1
        rows = {line.split()[1]: line for line in said.splitlines() if "/" in line and "Indexing" not in line}
        assert "vectors_256_hnsw_" in rows["o'brien/large"]
        assert rows["other/large"].endswith("exact scan")
        assert rows["other/private"].endswith("exact scan")
        assert "Indexing" not in workspace.command("db", "index").fine(), "once is enough"
    finally:
        workspace.command("db", "psql", given="delete from files where hash = 'none'").fine()
    assert "Dropping vectors_256_hnsw_" in workspace.command("db", "index").fine()


async def test_psql_sees_the_workspace_as_the_superuser(workspace: Workroom) -> None:
    said = workspace.command(
        "db", "psql", given="\\pset format unaligned\nselect current_user, count(*) from users;\n"
    ).fine()
    address = DatabaseAddress.joined(Settings(data=workspace.data))
    connection = await connect(address.administration or "")
    people = await connection.fetchval("select count(*) from workroom.users")
    await connection.close()
    assert f"postgres|{people}" in said
