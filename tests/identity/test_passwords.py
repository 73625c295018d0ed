"""Comparing with nobody's password: as much work as with somebody's, so that an answer does not tell who exists."""

from __future__ import annotations

import subprocess
import sys

import argon2
import pytest
from argon2.exceptions import VerifyMismatchError

from workroom.identity import passwords
from workroom.identity.passwords import Passwords

PASSWORD = "correct horse battery"


async def test_nobodys_hash_costs_as_much_as_a_stored_one() -> None:
    stored = await Passwords().hash(PASSWORD)
    assert argon2.extract_parameters(passwords._NOBODYS) == argon2.extract_parameters(stored)
    # Compared to the end and found different; one that cannot be read would be refused at once.
    with pytest.raises(VerifyMismatchError):
        argon2.PasswordHasher().verify(passwords._NOBODYS, PASSWORD)


@pytest.mark.requirement("N3")
async def test_nobody_gets_in() -> None:
    assert await Passwords().verify(PASSWORD, None) is False


def test_nothing_is_hashed_by_those_who_only_import_it() -> None:
    """A worker and most commands never compare a password; hashing one takes 64 MB and a moment of every start."""
    code = (
        "import argon2.low_level as low\n"
        "def hashed(*_, **__): raise AssertionError('hashed')\n"
        "low.hash_secret = hashed\n"
        "import argon2._password_hasher as hasher\n"
        "hasher.hash_secret = hashed\n"
        "import workroom.identity.passwords\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
