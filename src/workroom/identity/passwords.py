"""Passwords: argon2id, off the event loop, few at a time because each needs 64 MB."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from workroom.core.errors import TooManyRequests

_hasher = PasswordHasher()


def _nobodys_hash() -> str:
    """In the form of a stored one, with chance in place of a result: comparing costs the same and never matches.

    Put together, not computed: every process and every command imports this, most of them without a password to compare.
    """
    cost = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    lengths = (_hasher.salt_len, _hasher.hash_len)
    salt, result = (b64encode(secrets.token_bytes(length)).decode().rstrip("=") for length in lengths)
    return f"$argon2id$v=19${cost}${salt}${result}"


_NOBODYS = _nobodys_hash()


class Passwords:
    def __init__(self, *, at_once: int = 2, waiting: int = 64) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._room = waiting

    async def hash(self, password: str) -> str:
        """What may be stored. Whether it may be chosen is for `password_strength`."""
        async with self._slot():
            return await asyncio.to_thread(_hasher.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Takes the same time whether or not there is a password to compare with."""
        async with self._slot():
            matches = await asyncio.to_thread(_matches, password, stored or _NOBODYS)
        return matches and stored is not None

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        """A queue that is too long is refused at its end: waiting minutes for a sign-in helps no one."""
        if self._room <= 0:
            raise TooManyRequests(
                "Very many people are signing in at the moment. Try again in a moment.", retry_after=5
            )
        self._room -= 1
        try:
            async with self._slots:
                yield
        finally:
            self._room += 1

    @staticmethod
    def needs_rehash(stored: str) -> bool:
        return _hasher.check_needs_rehash(stored)


def _matches(password: str, stored: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False
