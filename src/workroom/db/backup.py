"""Backup: one file that holds everything the database knows, written while the workspace runs.

The file is a ZIP: `manifest.json` says which version made it, `database.dump` is pg_dump's custom format of our schema.
It grows under a hidden name beside its target and gets its name when it is whole. What a killed backup left there, the next
one removes.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from workroom import __version__
from workroom.core.errors import InvalidInput
from workroom.db import migrator
from workroom.db.connection import connect
from workroom.db.programs import running

MANIFEST, DUMP = "manifest.json", "database.dump"
FORMAT = 1
LARGEST_MANIFEST = 65_536
_PARTIAL = ".workroom-backup-{}.part"


async def backup(url: str, target: Path) -> None:
    manifest = {
        "format": FORMAT,
        "version": __version__,
        "schema": max(migration.number for migration in migrator.shipped()),
        "madeAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "databaseBytes": await _database_bytes(url),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with _partial_file(target) as file:
        async with running("pg_dump", "--format=custom", "--schema=workroom", "--no-owner", url=url) as dump:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as whole:
                whole.writestr(MANIFEST, json.dumps(manifest, indent=1))
                with whole.open(DUMP, "w", force_zip64=True) as packed:
                    async for part in dump.parts():
                        packed.write(part)
            await dump.finish()


def read_manifest(source: Path) -> dict[str, Any]:
    """Read the whole file once, and refuse one that is damaged, not ours, or newer than this version."""
    try:
        with zipfile.ZipFile(source) as whole:
            if whole.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                raise ValueError("the manifest is too large")
            manifest: dict[str, Any] = json.loads(whole.read(MANIFEST))
            if manifest["format"] != FORMAT or not isinstance(manifest["schema"], int):
                raise ValueError("not our format")
            manifest.setdefault("databaseBytes", whole.getinfo(DUMP).file_size)
            if not isinstance(manifest["databaseBytes"], int):
                raise ValueError("not a size")
            if whole.testzip() is not None:
                raise ValueError("damaged inside")
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {source}.") from None
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError):
        raise InvalidInput(f"{source} is not a backup of Workroom, or it is damaged. Nothing was changed.") from None
    known = max(migration.number for migration in migrator.shipped())
    if manifest["schema"] > known:
        raise InvalidInput(f"{source} was made by a newer version ({manifest['version']}). Upgrade Workroom first.")
    return manifest


@contextlib.contextmanager
def _partial_file(target: Path) -> Iterator[IO[bytes]]:
    """A file that becomes `target` when the block ends well, and nothing otherwise. Locked, so that others see it is in use."""
    for leftover in target.parent.glob(_PARTIAL.format("*")):
        _remove_unless_locked(leftover)
    partial = target.with_name(_PARTIAL.format(uuid4().hex))
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _remove_unless_locked(path: Path) -> None:
    with contextlib.suppress(OSError), path.open("r+b") as file:  # in use, gone, or of another account
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()


async def _database_bytes(url: str) -> int:
    connection = await connect(url)
    try:
        size: int = await connection.fetchval(
            "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c"
            " join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'workroom' and c.relkind in ('r', 'm')"
        )
        return size
    finally:
        await connection.close(timeout=5)
