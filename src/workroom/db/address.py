"""Where the database is, and as whom the different parts connect."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from workroom.core.errors import ConfigurationError, DatabaseUnavailable
from workroom.db.embedded import EmbeddedPostgres, Endpoint
from workroom.secrets import Secrets
from workroom.settings import Settings

APPLICATION_LOGIN = "workroom_app"
MIGRATION_LOGIN = "workroom_migrate"
DATABASE = "workroom"


@dataclass(frozen=True)
class DatabaseAddress:
    """Connection strings; never shown, because they carry passwords. `label` is what people may see."""

    application: str = field(repr=False)
    migration: str | None = field(repr=False)
    administration: str | None = field(repr=False)  # a superuser, embedded only: roles, backup, psql
    label: str

    @classmethod
    def remote(cls, settings: Settings) -> DatabaseAddress:
        assert settings.database_url is not None
        label = _label("WORKROOM_DATABASE_URL", settings.database_url)
        if settings.migration_database_url is not None:
            _label("WORKROOM_MIGRATION_DATABASE_URL", settings.migration_database_url)
        return cls(settings.database_url, settings.migration_database_url, None, label)

    @classmethod
    def embedded(cls, endpoint: Endpoint, secrets: Secrets, database: str = DATABASE) -> DatabaseAddress:
        def url(login: str, password: str) -> str:
            # Everything is said, so that PG… variables of the user's environment cannot change it.
            where = (
                f"host={quote(endpoint.host, safe='')}&port={endpoint.port}&sslmode=disable&target_session_attrs=any"
            )
            return f"postgresql://{login}:{quote(password, safe='')}@/{database}?{where}"

        return cls(
            application=url(APPLICATION_LOGIN, secrets.application_password),
            migration=url(MIGRATION_LOGIN, secrets.migration_password),
            administration=url("postgres", secrets.superuser_password),
            label="embedded",
        )

    @classmethod
    def joined(cls, settings: Settings) -> DatabaseAddress:
        """For every process but `serve`: the configured server, or the embedded one that `serve` keeps running."""
        if not settings.embedded:
            return cls.remote(settings)
        endpoint = EmbeddedPostgres.find_running(postgres_folder(settings))
        if endpoint is None:
            raise DatabaseUnavailable(
                f"The workspace in {settings.data} is not running. Start it with `workroom serve`, then try again."
            )
        return cls.embedded(endpoint, Secrets.load(settings.data))


def postgres_folder(settings: Settings) -> Path:
    return settings.data / "postgres"


def _label(setting: str, url: str) -> str:
    """Where an address leads, without login and password; a sentence when it is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("postgres", "postgresql"):
            raise ValueError(parts.scheme)
        return f"{parts.hostname or 'local socket'}:{parts.port or 5432}{parts.path}"
    except ValueError:
        raise ConfigurationError(f"{setting} must look like postgresql://user:password@host:5432/workroom.") from None
