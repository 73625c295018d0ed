"""What the mail server does, told as what it means; and no wait is endless."""

from __future__ import annotations

import ssl
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr

from tests.mail.mail_server import PASSWORD, USER, MailServer, own_certificate, serving
from workroom.core.errors import ConfigurationError
from workroom.mail.message import trial_message
from workroom.mail.smtp_server import SmtpServer
from workroom.mail.types import MailFailed
from workroom.settings import Settings

SENDER = "Workroom <workroom@example.org>"
TO = "bob@example.org"


def message() -> EmailMessage:
    return trial_message(UUID(int=7), TO, "en", "Acme", SENDER)


def server_at(
    smtp: MailServer, *, seconds: float = 20, trusted: ssl.SSLContext | None = None, **more: Any
) -> SmtpServer:
    values: dict[str, Any] = {"smtp_tls": "none", **more}
    settings = Settings(smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_from=SENDER, **values)
    return SmtpServer(settings, step_seconds=seconds, trusted=trusted)


async def failure_of(server: SmtpServer) -> MailFailed:
    with pytest.raises(MailFailed) as caught:
        await server.send(message(), TO)
    return caught.value


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "certificate.pem"
    path.write_bytes(own_certificate())
    return path


async def test_a_mail_arrives(smtp: MailServer) -> None:
    await server_at(smtp).send(message(), TO)
    assert smtp.recipients == [[TO]]
    assert smtp.received[0]["Subject"] == "Test mail from the Workroom of Acme"


async def test_a_mail_goes_through_a_secured_connection_and_a_sign_in(certificate: Path) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    secret: dict[str, Any] = {"smtp_user": USER, "smtp_password": SecretStr(PASSWORD), "smtp_tls": "starttls"}
    async with serving(certificate, needs_sign_in=True) as smtp:
        await server_at(smtp, trusted=context, **secret).send(message(), TO)
        assert len(smtp.received) == 1


async def test_a_certificate_nobody_vouches_for_is_refused(certificate: Path) -> None:
    async with serving(certificate) as smtp:
        failed = await failure_of(server_at(smtp, smtp_tls="starttls"))
    assert failed.code == "mailTls"
    assert "certificate" in failed.words.lower()
    assert smtp.received == []


@pytest.mark.parametrize("tls", ["starttls", "tls"])
async def test_a_server_without_tls_gets_no_mail(smtp: MailServer, tls: str) -> None:
    failed = await failure_of(server_at(smtp, smtp_tls=tls, seconds=5))
    assert failed.code == "mailTls"
    assert failed.again
    assert smtp.received == []


async def test_a_wrong_password_is_told_and_never_repeated() -> None:
    async with serving(needs_sign_in=True) as smtp:
        failed = await failure_of(server_at(smtp, smtp_user=USER, smtp_password=SecretStr("wrong-secret")))
    assert failed.code == "mailSignInRefused"
    assert failed.words.startswith("535")
    assert "wrong-secret" not in f"{failed.message} {failed.details}"


async def test_a_host_that_is_not_there_is_told(smtp: MailServer) -> None:
    async with serving() as gone:
        pass
    assert (await failure_of(server_at(gone))).code == "mailUnreachable"


@pytest.mark.parametrize(
    ("step", "answer", "code", "again"),
    [
        ("sender", "550 5.7.1 not you", "mailSenderRefused", False),
        ("recipient", "550 5.1.1 nobody of that name", "mailRecipientRefused", False),
        ("data", "554 5.7.1 looks like spam", "mailRefused", False),
        ("sender", "451 4.3.0 later", "mailDelayed", True),
        ("recipient", "450 4.2.0 greylisted", "mailDelayed", True),
        ("data", "452 4.3.1 full", "mailDelayed", True),
    ],
)
async def test_a_refusal_is_told_in_the_servers_words(
    smtp: MailServer, step: str, answer: str, code: str, again: bool
) -> None:
    smtp.refusals[step].append(answer)
    failed = await failure_of(server_at(smtp))
    assert (failed.code, failed.words, failed.again) == (code, answer, again)


async def test_a_connection_that_breaks_off_within_a_mail_is_tried_again(smtp: MailServer) -> None:
    smtp.drops_data = True
    failed = await failure_of(server_at(smtp))
    assert (failed.code, failed.again) == ("mailBrokeOff", True)


async def test_a_server_that_never_says_a_word_is_not_waited_for(smtp: MailServer) -> None:
    smtp.is_silent = True
    failed = await failure_of(server_at(smtp, seconds=0.05))
    assert (failed.code, failed.again) == ("mailTimedOut", True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"SMTP_HOST": "mail.example.org"},
        {"SMTP_HOST": "mail.example.org", "SMTP_FROM": "no address"},
        {"SMTP_HOST": "mail.example.org", "SMTP_FROM": "Büro <büro@example.org>"},
        {"SMTP_HOST": "mail.example.org", "SMTP_FROM": "a@example.org\nBcc: b@example.org"},
        {"SMTP_FROM": "a@example.org", "SMTP_USER": "a"},
        {"SMTP_TLS": "perhaps"},
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str]
) -> None:
    for name, value in wrong.items():
        monkeypatch.setenv(f"WORKROOM_{name}", value)
    with pytest.raises(ConfigurationError, match="WORKROOM_SMTP_"):
        Settings.load()
