"""Secrets this installation made for itself: generated at first start, in one file of mode 600, never logged."""

from __future__ import annotations

import json
import os
import secrets as random
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from workroom.core.errors import ConfigurationError


def _fresh() -> str:
    return random.token_urlsafe(32)


@dataclass(frozen=True)
class Secrets:
    """Passwords of the embedded database's roles, and what seals the keys people entrust to us."""

    superuser_password: str = field(default_factory=_fresh, repr=False)
    migration_password: str = field(default_factory=_fresh, repr=False)
    application_password: str = field(default_factory=_fresh, repr=False)
    secret_key: str = field(default_factory=_fresh, repr=False)

    @classmethod
    def load_or_create(cls, folder: Path) -> Secrets:
        """Read the file, or make it. One of an older release gets what it lacks; nothing in it is ever replaced."""
        if (folder / "secrets.json").exists():
            found = cls.load(folder)
            if found.secret_key:
                return found
            return replace(found, secret_key=_fresh())._write(folder)
        folder.mkdir(parents=True, exist_ok=True)
        return cls()._write(folder)

    def _write(self, folder: Path) -> Secrets:
        """Aside first, then linked into place: a crash leaves all of it or nothing."""
        aside = folder / f".secrets-{random.token_hex(4)}"
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as out:
            json.dump(asdict(self), out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(aside, folder / "secrets.json")
        return self

    @classmethod
    def load(cls, folder: Path) -> Secrets:
        """Read the file; `secret_key` is empty in one that an older release wrote."""
        path = folder / "secrets.json"
        try:
            _require_private(path)
            stored = json.loads(path.read_text())
            stored.setdefault("secret_key", "")
            return cls(**{item.name: stored[item.name] for item in fields(cls)})
        except FileNotFoundError:
            raise ConfigurationError(f"{folder} holds no workspace yet: start one with `workroom serve`.") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ConfigurationError(
                f"{path} cannot be read. Restore it from your backup of the data folder: without it the database inside "
                "cannot be opened."
            ) from None


def _require_private(path: Path) -> None:
    """A file that others could write is not a secret of ours."""
    found = path.lstat()
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
        raise ConfigurationError(
            f"{path} must belong to you and be readable by nobody else. If it is yours: chmod 600 '{path}'. If it belongs "
            "to the account that runs Workroom, use that account."
        )
