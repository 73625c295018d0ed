"""Does the server answer, does it know our password, and is it the one for our folder?"""

from __future__ import annotations

import asyncio
import enum
from pathlib import Path

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from workroom.core.errors import DatabaseUnavailable
from workroom.db.embedded.pidfile import Endpoint

SUPERUSER = "postgres"
_SECONDS = 5.0


class LoginAttempt(enum.Enum):
    OURS = "the superuser can log in, and the data directory is ours"
    NOT_YET = "it starts, recovers or is busy: ask again"
    ELSEWHERE = "nothing listens there, or a server of another folder"


async def ask(endpoint: Endpoint, password: str, cluster: Path) -> LoginAttempt:
    try:
        async with asyncio.timeout(_SECONDS):
            connection = await asyncpg.connect(
                host=endpoint.host,
                port=endpoint.port,
                user=SUPERUSER,
                password=password,
                database="postgres",
                ssl=False,  # this and the next said explicitly: else PG… of the user's environment decides
                target_session_attrs=SessionAttribute.any,
                statement_cache_size=0,
            )
            try:
                directory = await connection.fetchval("show data_directory")
            finally:
                connection.terminate()
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise DatabaseUnavailable(
            f"The embedded PostgreSQL in {cluster} does not accept the password in secrets.json: "
            "restore that file from the backup that belongs to this folder."
        ) from error
    except (FileNotFoundError, ConnectionRefusedError, PermissionError):
        return LoginAttempt.ELSEWHERE
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return LoginAttempt.NOT_YET
    return LoginAttempt.OURS if await asyncio.to_thread(_is_same, directory, cluster) else LoginAttempt.ELSEWHERE


def _is_same(directory: str, cluster: Path) -> bool:
    try:
        return cluster.samefile(directory)
    except OSError:
        return False
