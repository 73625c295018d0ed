"""A gateway of its own for a test, closed at its end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from workroom.db import Database
from workroom.models.gateway import Gateway
from workroom.settings import Settings
from workroom.vault import Vault


@asynccontextmanager
async def open_gateway(settings: Settings, db: Database) -> AsyncIterator[Gateway]:
    gateway = Gateway(db, settings, Vault(settings))
    try:
        yield gateway
    finally:
        await gateway.aclose()
