"""Backup and restore: one file that holds everything the database knows.

The file is a ZIP: `manifest.json` says which version made it, `database.dump` is pg_dump's custom format of our schema.
A restore happens in one transaction: it replaces everything or nothing, while the server runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from workroom import __version__
from workroom.core.errors import DatabaseUnavailable, InvalidInput
from workroom.db import migrator
from workroom.db.embedded import binary

MANIFEST, DUMP = "manifest.json", "database.dump"
FORMAT = 1
LARGEST_MANIFEST = 65_536


async def backup(url: str, target: Path) -> dict[str, Any]:
    """Write a new file; it appears under its name only when it is whole."""
    manifest = {
        "format": FORMAT,
        "version": __version__,
        "schema": max(migration.number for migration in migrator.shipped()),
        "madeAt": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        dump, whole = Path(folder) / DUMP, Path(folder) / "whole.zip"
        await _run(url, "pg_dump", "--format=custom", "--schema=workroom", "--no-owner", f"--file={dump}")
        await asyncio.to_thread(_pack, whole, manifest, dump)
        os.chmod(whole, 0o600)
        os.replace(whole, target)
    return manifest


async def restore(url: str, source: Path) -> dict[str, Any]:
    """Replace the database's content by the file's; undone as a whole if anything fails."""
    manifest = await asyncio.to_thread(read_manifest, source)
    with tempfile.TemporaryDirectory(prefix="workroom-restore-") as folder:
        dump, script = Path(folder) / DUMP, Path(folder) / "restore.sql"
        await asyncio.to_thread(_unpack, source, dump)
        await _run(url, "pg_restore", "--no-owner", f"--file={script}", str(dump), connected=False)
        # Not as a superuser: a file made by somebody else could otherwise run programs on this machine.
        before = "set role workroom_owner;\ndrop schema workroom cascade;\n"
        # Who was signed in then is not signed in now, and a used link stays used.
        after = "\ntruncate workroom.sessions, workroom.login_links;\n"
        content = await asyncio.to_thread(script.read_text, "utf-8")
        await asyncio.to_thread(script.write_text, before + content + after, "utf-8")
        await _run(
            url, "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction", f"--file={script}"
        )
    return manifest


def read_manifest(source: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(source) as whole:
            if whole.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                raise ValueError("the manifest is too large")
            manifest: dict[str, Any] = json.loads(whole.read(MANIFEST))
            if manifest["format"] != FORMAT or not isinstance(manifest["schema"], int):
                raise ValueError("not our format")
            unpacked = whole.getinfo(DUMP).file_size
            if whole.testzip() is not None:
                raise ValueError("damaged inside")
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {source}.") from None
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError):
        raise InvalidInput(f"{source} is not a backup of Workroom, or it is damaged. Nothing was changed.") from None
    if unpacked > shutil.disk_usage(tempfile.gettempdir()).free:
        raise InvalidInput(
            f"{source} unpacks to {unpacked:,} bytes, and {tempfile.gettempdir()} has less room than that."
        )
    known = max(migration.number for migration in migrator.shipped())
    if manifest["schema"] > known:
        raise InvalidInput(f"{source} was made by a newer version ({manifest['version']}). Upgrade Workroom first.")
    return manifest


def connection_environment(url: str) -> dict[str, str]:
    """A connection string as PG… variables: a password on a command line is visible to every user of the machine."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    wanted = {
        "PGHOST": query.get("host") or parts.hostname,
        "PGPORT": query.get("port") or (str(parts.port) if parts.port else None),
        "PGUSER": unquote(parts.username) if parts.username else None,
        "PGPASSWORD": unquote(parts.password) if parts.password else None,
        "PGDATABASE": parts.path.lstrip("/") or None,
        "PGSSLMODE": query.get("sslmode"),
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return inherited | {name: value for name, value in wanted.items() if value}


async def _run(url: str, program: str, *args: str, connected: bool = True) -> None:
    process = await asyncio.create_subprocess_exec(
        str(binary(program)),
        *args,
        env=connection_environment(url) if connected else None,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    if process.returncode:
        lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
        reason = next((line for line in lines if "rror" in line), lines[-1] if lines else "no reason given")
        hint = ""
        if "row-level security" in reason:
            hint = " Use --url with a role that has BYPASSRLS: the application's roles only see one tenant at a time."
        raise DatabaseUnavailable(f"{program} failed, nothing was changed: {reason}.{hint}")


def _pack(target: Path, manifest: dict[str, Any], dump: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as whole:
        whole.writestr(MANIFEST, json.dumps(manifest, indent=1))
        whole.write(dump, DUMP)


def _unpack(source: Path, dump: Path) -> None:
    with zipfile.ZipFile(source) as whole, whole.open(DUMP) as packed, dump.open("wb") as out:
        while part := packed.read(1 << 20):
            out.write(part)
