"""Secrets at rest, keys of model providers and links in mails: sealed with AES-GCM, opened only to be sent where they belong.

A seal is bound to what it is for (mandate, provider, address): moved to another row it does not open. Several secrets may
be in use, separated by commas: the first one seals, all of them open, so a secret is exchanged by putting the new one in
front. Where the secret comes from is for `secrets.py` and the settings.
"""

from __future__ import annotations

import secrets as random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workroom.core.errors import ConfigurationError
from workroom.secrets import Secrets
from workroom.settings import Settings

if TYPE_CHECKING:  # loaded when the first key is sealed or opened: no command should wait for it
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SHORTEST = 32
NONCE_BYTES = 12


@dataclass(frozen=True)
class Sealed:
    """`key_id` says which of our secrets opens it."""

    key_id: str
    data: bytes = field(repr=False)


class Unopenable(ConfigurationError):
    """The secret that sealed this is not ours (any more), or it was sealed for something else."""


class Vault:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, AESGCM] | None = None

    def seal(self, text: str, bound_to: str) -> Sealed:
        """Makes the installation's secret if there is none yet."""
        if self._known is None:
            self._known = _ciphers(_own(self._settings) or Secrets.load_or_create(self._settings.data).secret_key)
        key_id, cipher = next(iter(self._known.items()))
        nonce = random.token_bytes(NONCE_BYTES)
        return Sealed(key_id, nonce + cipher.encrypt(nonce, text.encode(), bound_to.encode()))

    def open(self, sealed: Sealed, bound_to: str) -> str:
        from cryptography.exceptions import InvalidTag

        if self._known is None:
            self._known = _ciphers(_own(self._settings) or Secrets.load(self._settings.data).secret_key)
        cipher = self._known.get(sealed.key_id)
        try:
            if cipher is None:
                raise InvalidTag
            nonce, text = sealed.data[:NONCE_BYTES], sealed.data[NONCE_BYTES:]
            return cipher.decrypt(nonce, text, bound_to.encode()).decode()
        except (InvalidTag, ValueError):  # a nonce cut short is no nonce
            raise Unopenable(
                "A stored key cannot be opened. Give every process the same WORKROOM_SECRET_KEY or data folder, or enter "
                "the key again."
            ) from None


def _own(settings: Settings) -> str:
    return settings.secret_key.get_secret_value() if settings.secret_key else ""


def _ciphers(secret: str) -> dict[str, AESGCM]:
    """Key id → cipher, the one that seals first."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    parts = [part.strip() for part in secret.split(",") if part.strip()]
    if not parts or any(len(part) < SHORTEST for part in parts):
        raise ConfigurationError(
            f"WORKROOM_SECRET_KEY needs at least {SHORTEST} characters. Make one: python -c 'import secrets; "
            "print(secrets.token_urlsafe(32))'"
        )
    return {_derived(part, b"id", 4).hex(): AESGCM(_derived(part, b"seal", 32)) for part in parts}


def _derived(secret: str, use: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt=None, info=b"workroom vault " + use).derive(secret.encode())
