"""`workroom db`: the database, for its administrator."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from workroom.cli.command_runner import load, run
from workroom.cli.tables import print_table
from workroom.core.actors import SystemActor
from workroom.core.errors import ConfigurationError
from workroom.db import Database, DatabaseAddress, backup, migrator, vector_index
from workroom.db.address import postgres_folder
from workroom.db.embedded import binary
from workroom.db.programs import connection_environment
from workroom.db.restore import replace_content, require_room
from workroom.db.roles import database_sql, roles_sql
from workroom.db.server_status import server_status
from workroom.files.blob_backup import BackupResult, copy_contents
from workroom.knowledge.store import layers
from workroom.settings import Settings

app = typer.Typer(help="Set up, inspect, back up and restore the database.", no_args_is_help=True)

Url = Annotated[
    str | None,
    typer.Option(
        envvar="WORKROOM_ADMIN_DATABASE_URL",
        help="Connect as this role instead, for example one with BYPASSRLS. Better in the environment: ps shows options.",
    ),
]


@app.command()
def init(
    printed: Annotated[bool, typer.Option("--print", help="Print the SQL for a database administrator.")] = False,
    database: Annotated[str, typer.Option(help="Name of the database.")] = "workroom",
) -> None:
    """Print what a database administrator must run, once, on a PostgreSQL of your own."""
    if not printed:
        raise typer.BadParameter("the embedded database sets itself up; for your own PostgreSQL use --print")
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", database):
        raise typer.BadParameter("a database name has small letters, digits and underscores")
    print("-- For a superuser: psql -d postgres -f this-file. Put two passwords of your own below.")
    print(roles_sql("CHANGE-ME-APPLICATION", "CHANGE-ME-MIGRATION"))
    print(f"create database {database} owner workroom_owner;\n\\connect {database}")
    print(database_sql(database))
    print("-- Then set, for `workroom serve` and `workroom worker`:")
    print(f"--   WORKROOM_DATABASE_URL=postgresql://workroom_app:…@HOST:5432/{database}")
    print(f"--   WORKROOM_MIGRATION_DATABASE_URL=postgresql://workroom_migrate:…@HOST:5432/{database}")


@app.command()
def status() -> None:
    """Version, size, schema, connections, workers that are alive."""

    async def work() -> None:
        address = DatabaseAddress.joined(load())
        waiting = await migrator.pending(address.application)
        server = await server_status(address.application, migrated=not waiting)
        rows: list[tuple[str, str | int | None]] = [
            ("where", address.label),
            ("PostgreSQL", server.version),
            ("pgvector", server.pgvector),
        ]
        rows += [("size", server.size), ("connections", server.connections), ("workers", server.workers)]
        newest = migrator.shipped()[-1]
        schema = f"{len(waiting)} migration(s) pending" if waiting else f"up to date ({newest.number:04} {newest.name})"
        print_table(("FACT", "VALUE"), [*rows, ("schema", schema)])

    run(work())


@app.command()
def migrate() -> None:
    """Bring the schema up to date. `serve` does it by itself when it may."""

    async def work() -> None:
        address = DatabaseAddress.joined(load())
        if address.migration is None:
            raise ConfigurationError("Set WORKROOM_MIGRATION_DATABASE_URL to the migration role's address.")
        applied = await migrator.migrate(address.migration)
        print(f"{len(applied)} migration(s) applied." if applied else "The schema is up to date.")

    run(work())


@app.command("backup")
def make_backup(
    target: Annotated[Path | None, typer.Argument(help="File to write; in the data folder by default.")] = None,
    files: Annotated[bool, typer.Option("--files", help="Copy the content of files into a folder beside it.")] = False,
    url: Url = None,
) -> None:
    """Write everything the database knows into one file, while the workspace runs."""

    async def work() -> None:
        settings = load()
        if files and settings.blobs_url:
            raise ConfigurationError(
                f"The content of files is in {settings.blobs_url}: back it up there, without --files."
            )
        file = target or _backup_file(settings, "backup")
        await _write_backup(_powerful(settings, url), file)
        print(f"Wrote {file} ({file.stat().st_size:,} bytes).")
        if files:
            # After the database: what is too much does no harm, what is missing would.
            copied = await _copy(settings.blobs, _files_beside(file))
            print(f"Copied {copied} into {_files_beside(file)}.")
        else:
            where = settings.blobs_url or f"{settings.blobs}: use --files"
            print(f"The content of files is not in it. It is in {where}.")

    run(work())


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file made by `workroom db backup`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    url: Url = None,
) -> None:
    """Replace everything by a backup. What is there now is backed up first, so this can be undone."""

    async def work() -> None:
        settings = load()
        powerful = _powerful(settings, url)
        manifest = backup.read_manifest(source)
        if settings.embedded:
            require_room(postgres_folder(settings), manifest["databaseBytes"])
        if not yes:
            typer.confirm(f"Replace everything by the backup of {manifest['madeAt']}?", abort=True)
        if (folder := _files_beside(source)).is_dir() and not settings.blobs_url:
            print(f"Copied {await _copy(folder, settings.blobs)} from {folder}.")
        elif folder.is_dir():
            print(f"Copy {folder} into {settings.blobs_url} yourself: the names are the same.")
        address = DatabaseAddress.joined(settings)
        before = _backup_file(settings, "before-restore")
        await _write_backup(powerful, before)
        with contextlib.ExitStack() as unchanged:
            unchanged.callback(before.unlink)
            await replace_content(url or address.migration or powerful, source, committing=unchanged.pop_all)
        if address.migration is not None:
            await migrator.migrate(address.migration)
        print(f"Restored. To undo: workroom db restore {shlex.quote(str(before))}")

    run(work())


@app.command()
def psql(url: Url = None) -> None:
    """Open psql on the workspace's database (embedded: as its superuser, so you see every mandate's rows)."""
    settings = load()
    address = DatabaseAddress.joined(settings)
    chosen = url or address.administration or address.migration or address.application
    environment = connection_environment(chosen) | {"PGOPTIONS": "-c search_path=workroom,public"}
    program = str(binary("psql"))
    os.execve(program, [program], environment)  # noqa: S606 -- becomes psql, so that signals and the terminal are its own


@app.command()
def index() -> None:
    """Build HNSW indexes for what organisations share, above 100,000 passages; less is scanned exactly."""

    async def work() -> None:
        address = DatabaseAddress.joined(load())
        db = await Database.connect(address.application, max_size=1)
        try:
            async with db.unit_of_work(SystemActor.SWEEP) as uow:
                found = await layers.survey(uow)
        finally:
            await db.close()
        wanted = [layer for layer in found if layer.chunks > layers.LARGE]
        usable = await vector_index.usable(address.application)
        missing = [layer for layer in wanted if layer.index.name not in usable]
        useless = await vector_index.built(address.application) - {layer.index.name for layer in wanted}
        if (missing or useless) and address.migration is None:
            raise ConfigurationError("Set WORKROOM_MIGRATION_DATABASE_URL: building an index needs the owner.")
        for layer in missing:
            print(f"Indexing {layer.embedder} of {layer.mandate_id} ({layer.chunks:,} shared passages) …")
            await vector_index.build(address.migration or "", layer.index)
        for name in sorted(useless):
            print(f"Dropping {name}: what it was built for is small enough, or gone.")
            await vector_index.drop(address.migration or "", name)
        if not found:
            print("There are no vectors yet, so there is nothing to index.")
            return
        rows = [(x.mandate_id, x.embedder, x.chunks, x.index.name if x in wanted else "exact scan") for x in found]
        print_table(("ORGANISATION", "MODEL", "SHARED PASSAGES", "INDEX"), rows)

    run(work())


def _powerful(settings: Settings, url: str | None) -> str:
    chosen = url or DatabaseAddress.joined(settings).administration
    if chosen is None:
        raise ConfigurationError(
            "Row-level security hides other tenants' rows from the application's roles. "
            "Give --url with a role that has BYPASSRLS, or use your database's own backup."
        )
    return chosen


async def _write_backup(url: str, file: Path) -> None:
    try:
        await backup.backup(url, file)
    except OSError as error:
        raise ConfigurationError(
            f"The backup {file} cannot be written ({error.strerror or error}). Nothing was changed; choose another file."
        ) from None


async def _copy(source: Path, target: Path) -> BackupResult:
    try:
        return await asyncio.to_thread(copy_contents, source, target)
    except OSError as error:
        raise ConfigurationError(
            f"The content of files cannot be copied into {target} ({error.strerror or error}). Make room or choose another"
            " place, then repeat it: what is there already is not copied again."
        ) from None


def _files_beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.files")


def _backup_file(settings: Settings, kind: str) -> Path:
    """A name of its own: undoing a restore within the same second must not overwrite the very file it restores."""
    stem = f"workroom-{kind}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    names = itertools.chain([f"{stem}.zip"], (f"{stem}-{number}.zip" for number in itertools.count(2)))
    return next(file for name in names if not (file := settings.data / "backups" / name).exists())
