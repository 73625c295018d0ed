"""A mail server on loopback that keeps what it gets, and misbehaves when it is told to."""

from __future__ import annotations

import asyncio
import email
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from functools import cache
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

HOST = "127.0.0.1"
USER, PASSWORD = "workroom", "mail-secret"


class MailServer:
    """`refusals`: answers to the next recipients, one each, before they are accepted; by step: 'sender', 'recipient', 'data'."""

    def __init__(self) -> None:
        self.port = 0
        self.received: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.refusals: dict[str, list[str]] = {"sender": [], "recipient": [], "data": []}
        self.drops_data = False
        self.is_silent = False
        self._arrived = asyncio.Condition()

    async def mail_to(self, address: str, subject: str) -> EmailMessage:
        """Waits until it is there."""
        async with self._arrived:
            while True:
                for message in self.received:
                    if message["To"] == address and subject in message["Subject"]:
                        return message
                await self._arrived.wait()

    def _refused(self, step: str) -> str | None:
        return self.refusals[step].pop(0) if self.refusals[step] else None

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if refusal := self._refused("sender"):
            return refusal
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if refusal := self._refused("recipient"):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if refusal := self._refused("data"):
            return refusal
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)
        self.recipients.append(envelope.rcpt_tos)
        async with self._arrived:
            self._arrived.notify_all()
        return "250 taken"


def link_in(message: EmailMessage) -> str:
    """The secret of the one-time link in it."""
    part = message.get_body(("plain",))
    assert part is not None
    found = re.search(r"/enter#(\S+)", part.get_content())
    assert found is not None
    return found[1]


class _Protocol(SMTP):
    """aiosmtpd's, which can also break off in the middle of a mail or never say a word."""

    def __init__(self, behaviour: MailServer, **options: Any) -> None:
        super().__init__(behaviour, **options)
        self._behaviour = behaviour

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        if not self._behaviour.drops_data:
            await super().smtp_DATA(arg)
            return
        await self.push("354 go on")
        assert self.transport is not None
        self.transport.close()

    def end(self) -> list[asyncio.Task[None]]:
        """What is still open is closed; answers what has to be waited for."""
        for transport in (self.transport, self._original_transport):
            if isinstance(transport, asyncio.Transport):
                transport.abort()
        task = self._handler_coroutine
        if task is None:
            return []
        task.cancel()
        return [task]

    async def _handle_client(self) -> None:
        if not self._behaviour.is_silent:
            await super()._handle_client()
            return
        await asyncio.Event().wait()


@asynccontextmanager
async def serving(certificate: Path | None = None, *, needs_sign_in: bool = False) -> AsyncIterator[MailServer]:
    """`certificate`: it offers STARTTLS with it."""
    behaviour = MailServer()
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)

    opened: list[_Protocol] = []

    def protocol() -> _Protocol:
        made = _Protocol(
            behaviour,
            hostname="mail.test",
            tls_context=context,
            authenticator=_authenticate,
            auth_required=needs_sign_in and context is not None,
            auth_require_tls=context is not None,
            loop=asyncio.get_running_loop(),
        )
        opened.append(made)
        return made

    server = await asyncio.get_running_loop().create_server(protocol, HOST, 0)
    behaviour.port = server.sockets[0].getsockname()[1]
    try:
        yield behaviour
    finally:
        server.close()
        if ending := [task for each in opened for task in each.end()]:
            await asyncio.wait(ending)


def _authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    right = isinstance(data, LoginPassword) and data == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


@cache
def own_certificate() -> bytes:
    """For loopback, signed by nobody else: certificate and key as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.test")])
    begins = datetime.now(UTC) - timedelta(days=1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address(HOST))]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made.public_bytes(Encoding.PEM) + secret
