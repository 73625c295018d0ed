"""Logs: nothing secret, in either form, wherever it stands."""

from __future__ import annotations

import json
import logging

import pytest

from workroom.identity.credentials import TOKEN_PREFIX, new_credential
from workroom.logs import JsonFormatter, TextFormatter

TOKEN = new_credential(TOKEN_PREFIX).secret
SECRETS = {
    "api token": f"request with {TOKEN}",
    "bearer": "Authorization: Bearer abc.def-ghi",
    "database url": "cannot reach postgresql://workroom_app:geheim@db:5432/x",
    "one-time link": "open http://127.0.0.1:8420/enter#Xk3-_9abcdefgh",
    "cookie": "cookie: workroom_8420=s3cr3t; other=1",
    "secure cookie": "cookie: __Host-workroom=s3cr3t",
}
HIDDEN = (TOKEN, "abc.def-ghi", "geheim", "Xk3-_9abcdefgh", "s3cr3t")


def record(message: str, **fields: object) -> logging.LogRecord:
    return logging.makeLogRecord({"name": "workroom.test", "levelname": "INFO", "msg": message, **fields})


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_secrets_in_a_message_are_hidden(formatter: logging.Formatter, text: str) -> None:
    line = formatter.format(record(text))
    assert "[hidden]" in line
    assert not any(secret in line for secret in HIDDEN)


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
@pytest.mark.parametrize("name", ["password", "newPassword", "api_key", "token", "Authorization", "set_cookie", "dsn"])
def test_secrets_in_a_field_are_hidden(formatter: logging.Formatter, name: str) -> None:
    assert "geheim" not in formatter.format(record("x", **{name: "geheim"}))


@pytest.mark.parametrize("piece", ["a", "https://", "x://x:", "bearer ", "wrk_"])
def test_a_hostile_line_is_looked_through_in_linear_time(piece: str) -> None:
    """By the square of its length, it would take longer than any test may; whatever logs it does nothing else meanwhile."""
    line = TextFormatter().format(record(f"{SECRETS['database url']} {piece * (400_000 // len(piece))}"))
    assert "geheim" not in line


def test_a_traceback_is_hidden_too() -> None:
    try:
        raise ValueError(f"bad {TOKEN}")
    except ValueError as error:
        made = record("failed", exc_info=(type(error), error, error.__traceback__))
    for formatter in (JsonFormatter(), TextFormatter()):
        line = formatter.format(made)
        assert "ValueError" in line
        assert TOKEN not in line


def test_json_is_one_line_with_its_fields() -> None:
    line = JsonFormatter().format(record("two\nlines", status=200, path="/ü"))
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["message"], entry["status"], entry["path"], entry["level"]) == ("two\nlines", 200, "/ü", "info")
