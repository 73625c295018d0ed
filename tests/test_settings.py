"""Settings: one clear sentence for what is wrong, and no server others can reach without a login."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from workroom.core.errors import ConfigurationError
from workroom.secrets import Secrets
from workroom.settings import Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "abc"), ("PORT", "70000"), ("LOGIN", "none"), ("PUBLIC_URL", "work.example.org"), ("SESSION_DAYS", "0")],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"WORKROOM_{name}", value)
    with pytest.raises(ConfigurationError, match=f"WORKROOM_{name}"):
        Settings.load()


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKROOM_PORT", "9000")
    assert Settings.load(port=9001, host=None).port == 9001
    assert Settings.load().port == 9000


@pytest.mark.requirement("N3")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.10", "example.org"])
def test_beyond_loopback_a_login_is_required(host: str) -> None:
    with pytest.raises(ConfigurationError, match="WORKROOM_LOGIN=password"):
        Settings(host=host).require_safe_binding()
    Settings(host=host, login="password").require_safe_binding()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.53"])
def test_on_loopback_it_is_not(host: str) -> None:
    settings = Settings(host=host)
    assert (settings.is_loopback, settings.login) == (True, "local")
    settings.require_safe_binding()


def test_secrets_are_made_once_for_the_owner_only(tmp_path: Path) -> None:
    made = Secrets.load_or_create(tmp_path)
    file = tmp_path / "secrets.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Secrets.load_or_create(tmp_path) == made
    assert all(len(value) >= 40 for value in json.loads(file.read_text()).values())
    assert made.application_password not in repr(made)
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]
    assert Secrets.load_or_create(_folder(tmp_path, "other")) != made


@pytest.mark.parametrize("content", ["", "{", "[]", '{"superuser_password": "x"}'])
def test_damaged_secrets_are_not_replaced_in_silence(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)
    (tmp_path / "secrets.json").chmod(0o600)
    with pytest.raises(ConfigurationError, match="backup"):
        Secrets.load_or_create(tmp_path)
    assert (tmp_path / "secrets.json").read_text() == content


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o606])
def test_secrets_others_can_read_or_write_are_not_used(tmp_path: Path, mode: int) -> None:
    Secrets.load_or_create(tmp_path)
    (tmp_path / "secrets.json").chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        Secrets.load_or_create(tmp_path)


def test_a_folder_without_secrets_is_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no workspace yet"):
        Secrets.load(tmp_path)


def _folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


def test_secrets_of_an_older_release_get_what_they_lack_and_keep_the_rest(tmp_path: Path) -> None:
    made = Secrets.load_or_create(tmp_path)
    file = tmp_path / "secrets.json"
    old = json.loads(file.read_text())
    del old["secret_key"]
    file.write_text(json.dumps(old))
    assert Secrets.load(tmp_path).secret_key == ""
    grown = Secrets.load_or_create(tmp_path)
    assert grown.superuser_password == made.superuser_password
    assert len(grown.secret_key) >= 40
    assert Secrets.load_or_create(tmp_path) == grown
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]


def test_keys_of_providers_are_read_by_the_names_everybody_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    monkeypatch.setenv("GOOGLE_API_KEY", "g-two")
    settings = Settings.load()
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-one"
    assert settings.google_api_key is not None
    assert settings.anthropic_api_key is None
    assert "sk-one" not in repr(settings)
    monkeypatch.setenv("GEMINI_API_KEY", "g-one")
    google = Settings.load().google_api_key
    assert google is not None
    assert google.get_secret_value() == "g-one"
