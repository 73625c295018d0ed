"""How a command runs: settings, logs, an event loop, and, for most, the services of a running workspace."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from workroom import logs
from workroom.api.services import Services
from workroom.bootstrap.server import open_services
from workroom.core import generator_finalizer
from workroom.db import DatabaseAddress
from workroom.db.checks import require_usable
from workroom.db.embedded import FolderLock
from workroom.settings import Settings

T = TypeVar("T")


def load(**overrides: Any) -> Settings:
    settings = Settings.load(**overrides)
    logs.configure(settings.log_format, settings.log_level)
    return settings


def run(work: Coroutine[Any, Any, T]) -> T:
    if sys.platform != "win32":
        import uvloop

        return uvloop.run(_prepared(work))
    return asyncio.run(_prepared(work))


async def _prepared(work: Coroutine[Any, Any, T]) -> T:
    generator_finalizer.install()
    return await work


@contextlib.asynccontextmanager
async def joined(settings: Settings) -> AsyncIterator[Services]:
    """The services of the workspace that is running, or of the configured database. Links carry its real address."""
    address = DatabaseAddress.joined(settings)
    await require_usable(address)
    async with open_services(with_address(settings), address, settings.port) as services:
        yield services


def with_address(settings: Settings) -> Settings:
    owner = FolderLock.owner(settings.data)
    if settings.public_url is None and owner is not None and owner.address:
        return settings.model_copy(update={"public_url": owner.address})
    return settings
