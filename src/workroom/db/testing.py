"""Databases for tests: one real PostgreSQL per test session, templates, and a copy of a template per test in milliseconds."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from workroom.db import DatabaseAddress, migrator
from workroom.db.connection import connect
from workroom.db.embedded import EmbeddedPostgres, Endpoint
from workroom.db.provision import provision
from workroom.db.roles import OWNER
from workroom.secrets import Secrets

TEMPLATE = "workroom_template"


class TestPostgres:
    """An embedded server without durability, for one test session."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self.secrets = Secrets()
        self._server = EmbeddedPostgres(folder, superuser_password=self.secrets.superuser_password, durable=False)
        self._numbers = itertools.count(1)

    @property
    def endpoint(self) -> Endpoint:
        return self._server.endpoint

    async def start(self) -> None:
        await self._server.start()
        template = await provision(self.endpoint, self.secrets, TEMPLATE)
        assert template.migration is not None
        await migrator.migrate(template.migration)

    async def stop(self) -> None:
        await self._server.stop()

    async def fresh(self, template: DatabaseAddress | None = None) -> DatabaseAddress:
        """Creates a database: with the newest schema and nothing in it, or as a copy of `template`, to which no connection
        may be open."""
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        source = _name(template) if template else TEMPLATE
        # Copied as files: logging every page, the usual way, takes three times as long for a template of this size.
        await self._administer(f"create database {name} template {source} strategy file_copy owner {OWNER}")
        return DatabaseAddress.embedded(self.endpoint, self.secrets, name)

    async def empty(self) -> DatabaseAddress:
        """A database with roles and extension, but without any migration."""
        return await provision(self.endpoint, self.secrets, f"empty_{os.getpid()}_{next(self._numbers)}")

    async def drop(self, address: DatabaseAddress) -> None:
        await self._administer(f"drop database if exists {_name(address)} with (force)")

    async def _administer(self, statement: str) -> None:
        system = DatabaseAddress.embedded(self.endpoint, self.secrets, "postgres")
        assert system.administration is not None
        connection = await connect(system.administration)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


def _name(address: DatabaseAddress) -> str:
    return address.application.rsplit("/", 1)[1].split("?")[0]
