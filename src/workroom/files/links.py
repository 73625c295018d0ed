"""Signed links that open one version of a file for a few minutes without a session: for players, viewers, other programs.

A link names the user it was made for, and their rights are checked again when it is used: a link is void once that user has
left or lost the right, or the file is deleted.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import ConfigurationError, NotFound
from workroom.files.errors import FileLinkInvalid
from workroom.files.service import Content, Files
from workroom.identity.signin import SignIn
from workroom.identity.types import Principal
from workroom.secrets import Secrets
from workroom.settings import Settings

LIFETIME = timedelta(minutes=10)
_SIGNATURE_BYTES = hashlib.sha256().digest_size
_CLAIM_BYTES = 16 + 16 + 16 + 4 + 8


@dataclass(frozen=True)
class FileLink:
    token: str
    expires_at: datetime


class FileLinks:
    def __init__(self, settings: Settings, files: Files, sign_in: SignIn) -> None:
        self._settings, self._files, self._sign_in = settings, files, sign_in
        self._keys: list[bytes] | None = None

    async def make(self, principal: Principal, file_id: UUID, version: int | None = None) -> FileLink:
        assert principal.user_id is not None
        content = await self._files.read(principal, file_id, version)
        expires = (now() + LIFETIME).replace(microsecond=0)
        claim = b"".join(
            (
                principal.mandate_id.bytes,
                principal.user_id.bytes,
                file_id.bytes,
                content.version.version.to_bytes(4),
                int(expires.timestamp()).to_bytes(8),
            )
        )
        signed = claim + _sign(self._signing_keys()[0], claim)
        return FileLink(base64.urlsafe_b64encode(signed).decode().rstrip("="), expires)

    async def read(self, token: str) -> Content:
        claim = self._claim(token)
        mandate_id, user_id, file_id = (UUID(bytes=claim[at : at + 16]) for at in (0, 16, 32))
        if datetime.fromtimestamp(int.from_bytes(claim[52:60]), UTC) < now():
            raise FileLinkInvalid
        principal = await self._sign_in.as_user(mandate_id, user_id)
        if principal is None:
            raise FileLinkInvalid
        try:
            return await self._files.read(principal, file_id, int.from_bytes(claim[48:52]))
        except NotFound:
            raise FileLinkInvalid from None

    def _claim(self, token: str) -> bytes:
        try:
            signed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        except (ValueError, binascii.Error):
            raise FileLinkInvalid from None
        claim, signature = signed[:_CLAIM_BYTES], signed[_CLAIM_BYTES:]
        known = len(signature) == _SIGNATURE_BYTES
        if not known or not any(hmac.compare_digest(signature, _sign(key, claim)) for key in self._signing_keys()):
            raise FileLinkInvalid
        return claim

    def _signing_keys(self) -> list[bytes]:
        """Derived from the installation's secret key; of several, the first signs and all verify (as in `vault.py`)."""
        if self._keys is None:
            configured = self._settings.secret_key
            secret = (
                configured.get_secret_value() if configured else Secrets.load_or_create(self._settings.data).secret_key
            )
            parts = [part.strip() for part in secret.split(",") if part.strip()]
            if not parts:
                raise ConfigurationError("WORKROOM_SECRET_KEY is empty: links to files cannot be signed.")
            self._keys = [_sign(part.encode(), b"workroom links to files") for part in parts]
        return self._keys


def _sign(key: bytes, claim: bytes) -> bytes:
    return hmac.digest(key, claim, "sha256")
