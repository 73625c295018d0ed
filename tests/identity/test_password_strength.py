"""Which passwords are guessed first, and which are not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workroom.core.errors import InvalidInput
from workroom.identity.common_passwords import common_passwords
from workroom.identity.password_strength import folded, require_strong

NAMES = ("alice.meier@acme-bau.ch", "Alice Müller", "Acme Bau AG")


def refusal(password: str) -> str:
    try:
        require_strong(password, NAMES)
    except InvalidInput as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    "password",
    [
        "password123",
        "Passw0rd2024!",
        "P@$$w0rd!!!",
        "4dm1n1strator",
        "password123456789",
        "Passwort-2026",
        "Frühling2026",
        "motdepasse1",
        "senha12345",
        "woaini1314520",
        "iloveyou!!!!",
        "Januar 2027",
    ],
)
def test_a_common_word_stays_one_in_disguise(password: str) -> None:
    assert refusal(password) == "commonPassword"


@pytest.mark.parametrize(
    "password",
    [
        "1234567890",
        "qwertzuiop",
        "azertyuiop",
        "0987654321",
        "abc123abc123",
        "1q2w3e4r5t",
        "zxcvbnm,./",
        "hunter2hunter2",
    ],
)
def test_rows_of_keys_and_repetitions_are_refused(password: str) -> None:
    assert refusal(password) == "patternPassword"


@pytest.mark.parametrize(
    "password",
    [
        "alice.meier",
        "AliceMeier1984",
        "Mueller-2026!",
        "acmebauag1",
        "al1c3m313r!!",
        "Workroom2026",
        "alice.meier@acme-bau.ch",
    ],
)
def test_names_of_the_person_and_the_organisation_are_refused(password: str) -> None:
    assert refusal(password) == "personalPassword"


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "ich mag grüne Birnen",
        "8361940275",
        "tr0ub4dor&3xyz",
        "Alice mag grüne Birnen",
        "elephant839201746512",
        "番茄炒蛋配米饭两碗半",
    ],
)
def test_what_is_hard_to_guess_is_accepted(password: str) -> None:
    assert refusal(password) == ""


def test_every_password_of_the_list_is_refused() -> None:
    long_enough = [word for word in common_passwords() if len(word) >= 10]
    assert len(long_enough) > 1_000
    assert [word for word in long_enough if refusal(word) == ""] == []
    assert all(word == folded(word) for word in common_passwords())


def test_the_list_is_read_with_the_first_password() -> None:
    counted = "print(c.common_passwords.cache_info().misses)"
    code = f"import workroom.identity.users, workroom.identity.common_passwords as c\n{counted}"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout.strip() == b"0"
