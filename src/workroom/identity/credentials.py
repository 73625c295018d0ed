"""Secrets given out once and kept only as hashes: session cookies, API tokens, one-time links."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

TOKEN_PREFIX = "wrk_"  # noqa: S105 -- lets scanners and people recognise a leaked token


@dataclass(frozen=True)
class Credential:
    secret: str = field(repr=False)

    @property
    def hash(self) -> bytes:
        return hashlib.sha256(self.secret.encode()).digest()

    @property
    def prefix(self) -> str:
        """Enough to recognise it in a list, useless to anyone else."""
        return self.secret[: len(TOKEN_PREFIX) + 6]


def new_credential(prefix: str = "") -> Credential:
    return Credential(prefix + secrets.token_urlsafe(32))
