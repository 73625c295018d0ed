"""What is in a mail: the same in text and HTML, in five languages, safe whatever people call themselves."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import workroom.mail
from workroom.core.languages import LANGUAGES
from workroom.core.mail_addresses import is_address
from workroom.mail.message import mail_message
from workroom.mail.types import MailContent, MailKind

SENDER = "Workroom <workroom@example.org>"
URL = "https://work.example.org/enter#secret"
CONTENT = MailContent(
    id=UUID(int=1),
    kind=MailKind.INVITATION,
    recipient="bob@example.org",
    language="en",
    name="Bob",
    login="bob@example.org",
    organisation="Acme",
    contact="",
    sender_name="Alice",
    created_at=datetime(2026, 11, 17, 9, 30, tzinfo=UTC),
    expires_at=datetime(2026, 11, 24, 9, 30, tzinfo=UTC),
    link=None,
)


def written(content: MailContent, url: str = URL) -> EmailMessage:
    """As it arrives."""
    arrived = message_from_bytes(mail_message(content, url, SENDER).as_bytes(), policy=policy.default)
    assert isinstance(arrived, EmailMessage)
    return arrived


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", MailKind)
def test_every_mail_is_written_in_every_language(language: str, kind: MailKind) -> None:
    url = "" if kind is MailKind.PASSWORD_CHANGED else URL
    message = written(replace(CONTENT, kind=kind, language=language, contact="Alice, 031 000 00 00"), url)
    assert "Acme" in message["Subject"]
    assert message["Content-Language"] == language
    for text in (body(message, "plain"), body(message, "html")):
        assert "Alice, 031 000 00 00" in text
        assert "{" not in text
        assert (URL in text) == bool(url)


def test_the_languages_say_the_same_things() -> None:
    texts = json.loads((Path(workroom.mail.__file__).parent / "texts.json").read_text())

    def shape(value: object) -> object:
        if isinstance(value, dict):
            return {key: shape(inner) for key, inner in value.items() if key != "date"}
        lines = value if isinstance(value, list) else [value]
        return [sorted(re.findall(r"\{\w+\}", str(line))) for line in lines]

    assert set(texts) == set(LANGUAGES)
    assert all(shape(texts[language]) == shape(texts["en"]) for language in LANGUAGES)


@pytest.mark.parametrize("field", ["name", "organisation", "sender_name", "contact"])
def test_a_name_with_line_breaks_adds_no_header_and_no_line(field: str) -> None:
    evil = "Acme\r\nBcc: eve@example.org\r\n\r\nhello\u2028world"
    values: dict[str, Any] = {field: evil}
    message = written(replace(CONTENT, **values))
    assert message["Bcc"] is None
    assert message["To"] == "bob@example.org"
    assert "\nBcc:" not in body(message, "plain")
    assert [name for name in message.keys() if name.lower() == "subject"] == ["Subject"]  # noqa: SIM118


def test_names_are_text_in_html_and_nothing_is_loaded_from_elsewhere() -> None:
    html = body(written(replace(CONTENT, name="<img src=x onerror=alert(1)>", organisation="{login} & Söhne")), "html")
    assert "<img" not in html
    assert "{login} &amp; Söhne" in html
    assert re.findall(r'(?:src|href)="([^"]*)"', html) == [URL]


def test_a_mail_that_is_sent_twice_is_the_same_one() -> None:
    assert written(CONTENT)["Message-ID"] == written(CONTENT)["Message-ID"] == f"<{CONTENT.id}@example.org>"


@pytest.mark.parametrize(
    ("login", "sendable"),
    [
        ("bob@example.org", True),
        ("bob.o'neil+work@mail.example.org", True),
        ("bob", False),
        ("bob@localhost", False),
        ("bob@example.org,eve@example.org", False),
        ("bob@example.org>eve@example.org", False),
        ("bob@exa mple.org", False),
        ("bob@example.org\nbcc:eve@example.org", False),
        ("(eve)bob@example.org", False),
        ("büro@example.org", False),
    ],
)
def test_only_what_is_one_address_gets_mail(login: str, sendable: bool) -> None:
    assert is_address(login) is sendable
