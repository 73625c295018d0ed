"""`workroom doctor`: looks at everything a user may have wrong, and says how to mend it."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from workroom import __version__
from workroom.cli.command_runner import load, run
from workroom.core.errors import AlreadyRunning, ConfigurationError, WorkroomError
from workroom.db import DatabaseAddress
from workroom.db.checks import require_usable
from workroom.db.embedded import FolderLock, binary
from workroom.files import blob_stores
from workroom.models.catalogue import shipped
from workroom.models.detection import detect
from workroom.models.embeddings import local
from workroom.models.environment import from_environment
from workroom.settings import Settings

LEAST_SPACE = 1_000_000_000

# A check answers what it found, or raises what is wrong and how to mend it.
Check = Callable[[Settings], Awaitable[str]]


def doctor(data: Annotated[Path | None, typer.Option(help="Data folder [WORKROOM_DATA].")] = None) -> None:
    """Check this machine, the settings and the database; say what is wrong and how to fix it."""
    settings = load(data=data)
    worst = run(_examine(settings))
    if worst:
        raise typer.Exit(worst)


async def _examine(settings: Settings) -> int:
    worst = 0
    for name, check in CHECKS.items():
        try:
            print(f"  ok    {name:14} {await check(settings)}")
        except WorkroomError as problem:
            worst = worst or problem.exit_code
            print(f"  WRONG {name:14} {problem.message}")
    print("\nEverything is fine." if not worst else "\nMend what is marked WRONG, then run `workroom doctor` again.")
    return worst


async def _program(_: Settings) -> str:
    return f"Workroom {__version__}, Python {sys.version.split()[0]}"


async def _pages(_: Settings) -> str:
    if not (resources.files("workroom") / "_web" / "index.html").is_file():
        raise ConfigurationError("The web pages are not built. Run `make web`, or install the released package.")
    return "built"


async def _folder(settings: Settings) -> str:
    folder = settings.data
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{existing} is not a folder you may write to. Set WORKROOM_DATA to one that is.")
    if folder.exists() and hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        raise ConfigurationError(f"{folder} belongs to another user. Run Workroom as that user, or set WORKROOM_DATA.")
    secrets = folder / "secrets.json"
    if secrets.exists() and secrets.stat().st_mode & 0o077:
        raise ConfigurationError(f"Others can read {secrets}. Run: chmod 600 '{secrets}'")
    return str(folder) + ("" if folder.exists() else " (will be made)")


async def _space(settings: Settings) -> str:
    existing = next(parent for parent in (settings.data, *settings.data.parents) if parent.exists())
    free = shutil.disk_usage(existing).free
    if free < LEAST_SPACE:
        raise ConfigurationError(
            f"Only {free / 1e9:.1f} GB are free on the disk of {existing}; make room for at least 1 GB."
        )
    return f"{free / 1e9:.0f} GB free"


async def _binding(settings: Settings) -> str:
    settings.require_safe_binding()
    return f"{settings.host}:{settings.port}, login {settings.login}"


async def _port(settings: Settings) -> str:
    owner = FolderLock.owner(settings.data)
    if owner is not None:
        return f"workspace is running at {owner.address or 'an address it has not told yet'} (process {owner.pid})"
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise AlreadyRunning(
                f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}. Choose another with WORKROOM_PORT."
            ) from None
    return f"{settings.port} is free"


async def _postgres(settings: Settings) -> str:
    if not settings.embedded:
        return "not used: WORKROOM_DATABASE_URL is set"
    program = binary("postgres")
    if not os.access(program, os.X_OK):
        raise ConfigurationError(f"{program} cannot be run. Reinstall Workroom: pip install --force-reinstall workroom")
    return "ships with Workroom"


async def _database(settings: Settings) -> str:
    if settings.embedded and FolderLock.owner(settings.data) is None:
        return "not running (start it with `workroom serve`)"
    address = DatabaseAddress.joined(settings)
    await require_usable(address)
    return f"{address.label}: reachable, up to date, right login"


async def _catalogue(_: Settings) -> str:
    if wrong := shipped().disagreements():
        raise ConfigurationError(
            f"The files of models in this program disagree: {'; '.join(map(str, wrong))}. Install the released package again."
        )
    return f"{sum(map(len, shipped().entries.values()))} models, prices and strategies agree"


async def _models(settings: Settings) -> str:
    given = [f"{found.provider.label} (environment)" for found in from_environment(settings)]
    found = [f"{server.label} at {server.base_url} ({len(server.models)} models)" for server in await detect()]
    return "; ".join([*given, *found]) or "no key in the environment, no model server on this machine"


CHECKS: dict[str, Check] = {
    "program": _program,
    "web pages": _pages,
    "data folder": _folder,
    "disk space": _space,
    "listening": _binding,
    "port": _port,
    "PostgreSQL": _postgres,
    "database": _database,
    "files": blob_stores.examine,
    "catalogue": _catalogue,
    "models": _models,
    "embeddings": local.examine_usual,
    "MiniLM": local.examine_minilm,
}
