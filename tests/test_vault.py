"""Sealed keys open only here, only for what they were sealed for, and with every secret that is still in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from workroom.core.errors import ConfigurationError
from workroom.secrets import Secrets
from workroom.settings import Settings
from workroom.vault import Sealed, Unopenable, Vault

OLD, NEW = "o" * 32, "n" * 32
KEY = "sk-very-secret-0123"


def vault(secret: str) -> Vault:
    return Vault(Settings(secret_key=secret))


def test_what_is_sealed_opens_again_and_shows_nothing() -> None:
    sealed = vault(OLD).seal(KEY, "acme/openai")
    assert vault(OLD).open(sealed, "acme/openai") == KEY
    assert KEY.encode() not in sealed.data
    assert "data" not in repr(sealed)
    assert vault(OLD).seal(KEY, "acme/openai").data != sealed.data


@pytest.mark.parametrize("elsewhere", ["zeta/openai", "acme/anthropic", ""])
def test_a_seal_moved_elsewhere_does_not_open(elsewhere: str) -> None:
    with pytest.raises(Unopenable, match="enter the key again"):
        vault(OLD).open(vault(OLD).seal(KEY, "acme/openai"), elsewhere)


def test_a_damaged_seal_does_not_open() -> None:
    sealed = vault(OLD).seal(KEY, "a")
    for damaged in (b"", sealed.data[:-1], sealed.data[:-1] + bytes([sealed.data[-1] ^ 1])):
        with pytest.raises(Unopenable):
            vault(OLD).open(Sealed(sealed.key_id, damaged), "a")


def test_a_new_secret_in_front_seals_and_the_old_one_still_opens() -> None:
    before = vault(OLD).seal(KEY, "a")
    both = vault(f"{NEW}, {OLD}")
    assert both.open(before, "a") == KEY
    after = both.seal(KEY, "a")
    assert after.key_id != before.key_id
    assert vault(NEW).open(after, "a") == KEY
    with pytest.raises(Unopenable):
        vault(NEW).open(before, "a")


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="WORKROOM_SECRET_KEY"):
        vault("short").seal(KEY, "a")


def test_without_a_setting_the_data_folder_has_the_secret(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    sealed = Vault(settings).seal(KEY, "a")
    assert Vault(settings).open(sealed, "a") == KEY
    assert Secrets.load(settings.data).secret_key


def test_a_process_that_only_opens_makes_no_secret_of_its_own(tmp_path: Path) -> None:
    """A worker with another data folder must say so, not invent a secret that opens nothing."""
    sealed = Vault(Settings(data=tmp_path / "serve")).seal(KEY, "a")
    with pytest.raises(ConfigurationError):
        Vault(Settings(data=tmp_path / "worker")).open(sealed, "a")
    assert not (tmp_path / "worker").exists()
