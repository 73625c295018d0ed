"""The mail server of the operator: one connection per mail, every step bounded in time, every refusal told as what it is.

The address is a setting, never a user's word, so it is trusted like the other addresses an operator sets.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from email.message import EmailMessage
from email.utils import parseaddr
from typing import TYPE_CHECKING

from workroom.mail.types import MailFailed
from workroom.settings import Settings, SmtpTls

if TYPE_CHECKING:  # loaded with the first mail
    from aiosmtplib import SMTP

STEP_SECONDS, ALL_SECONDS = 20.0, 60.0
USUAL_PORTS = {"starttls": 587, "tls": 465, "none": 25}
LONGEST_WORDS = 500


class SmtpServer:
    """`step_seconds`: how long one answer may take; `trusted`: an authority for its certificate beside the machine's own."""

    def __init__(
        self, settings: Settings, *, step_seconds: float = STEP_SECONDS, trusted: ssl.SSLContext | None = None
    ) -> None:
        self._settings, self._step_seconds, self._trusted = settings, step_seconds, trusted

    @property
    def is_set(self) -> bool:
        return self._settings.smtp_host is not None

    @property
    def host(self) -> str:
        return self._settings.smtp_host or ""

    @property
    def port(self) -> int:
        return self._settings.smtp_port or USUAL_PORTS[self.tls]

    @property
    def tls(self) -> SmtpTls:
        return self._settings.smtp_tls

    @property
    def sender(self) -> str:
        return self._settings.smtp_from or ""

    async def send(self, message: EmailMessage, recipient: str) -> None:
        """Returns when the mail server has taken it over."""
        client = self._client()
        try:
            async with asyncio.timeout(ALL_SECONDS):
                await client.connect()
                await client.send_message(message, sender=parseaddr(self.sender)[1], recipients=[recipient])
                with contextlib.suppress(Exception):  # it has the mail: how it says goodbye does not matter
                    await client.quit()
        except Exception as error:
            raise self._failure(error) from error
        finally:
            client.close()

    def _client(self) -> SMTP:
        from aiosmtplib import SMTP

        settings = self._settings
        return SMTP(
            hostname=self.host,
            port=self.port,
            username=settings.smtp_user,
            password=settings.smtp_password.get_secret_value() if settings.smtp_password else None,
            # Not this machine's own name, which is no business of others.
            local_hostname=parseaddr(self.sender)[1].rpartition("@")[2],
            timeout=self._step_seconds,
            use_tls=self.tls == "tls",
            start_tls=self.tls == "starttls",
            tls_context=self._trusted,
        )

    def _failure(self, error: Exception) -> MailFailed:
        import aiosmtplib as smtp

        at, words = f"{self.host}:{self.port}", _words(error)
        if isinstance(error, smtp.SMTPRecipientsRefused):
            error = error.recipients[0]
            words = _words(error)
        if (tls := _tls_error(error)) is not None or "STARTTLS" in words:
            return MailFailed(
                f"There is no secure connection to the mail server {at}. Check WORKROOM_SMTP_TLS and its certificate.",
                code="mailTls",
                words=str(tls or words)[:LONGEST_WORDS],
            )
        if isinstance(error, smtp.SMTPAuthenticationError):
            return MailFailed(
                f"The mail server {at} refuses the sign-in. Check WORKROOM_SMTP_USER and WORKROOM_SMTP_PASSWORD.",
                code="mailSignInRefused",
                words=words,
            )
        if isinstance(error, smtp.SMTPResponseException):
            return self._refusal(error, words)
        if isinstance(error, TimeoutError):
            return MailFailed(f"The mail server {at} did not answer in time.", code="mailTimedOut", words=words)
        if isinstance(error, smtp.SMTPServerDisconnected):
            return MailFailed(f"The mail server {at} ended the connection.", code="mailBrokeOff", words=words)
        if isinstance(error, OSError):
            return MailFailed(
                f"The mail server {at} cannot be reached. Check WORKROOM_SMTP_HOST and WORKROOM_SMTP_PORT.",
                code="mailUnreachable",
                words=words,
            )
        return MailFailed(f"The mail could not be given to {at}.", code="mailRefused", words=words)

    def _refusal(self, error: Exception, words: str) -> MailFailed:
        import aiosmtplib as smtp

        assert isinstance(error, smtp.SMTPResponseException)
        if 400 <= error.code < 500:
            return MailFailed("The mail server asks to try again later.", code="mailDelayed", words=words)
        if isinstance(error, smtp.SMTPSenderRefused):
            return MailFailed(
                "The mail server does not accept the sender. Check WORKROOM_SMTP_FROM.",
                code="mailSenderRefused",
                words=words,
                again=False,
            )
        if isinstance(error, smtp.SMTPRecipientRefused):
            return MailFailed(
                "The mail server does not accept the recipient's address.",
                code="mailRecipientRefused",
                words=words,
                again=False,
            )
        return MailFailed("The mail server refuses this mail.", code="mailRefused", words=words, again=False)


def _words(error: Exception) -> str:
    """Of the server, with its number; one line, of a length that fits a page."""
    code, text = getattr(error, "code", ""), str(getattr(error, "message", error))
    printable = "".join(char if char.isprintable() else " " for char in f"{code} {text}")
    return " ".join(printable.split())[:LONGEST_WORDS]


def _tls_error(error: BaseException | None) -> ssl.SSLError | None:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None
