"""Translates failures: httpcore2 errors into httpx2 errors for libraries, httpx2 errors into OutgoingFailed for people."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore2
import httpx2

from workroom.net.backend import NameNotFound
from workroom.net.errors import (
    HostUnknown,
    InvalidResponse,
    OutgoingFailed,
    TimedOut,
    TlsFailed,
    Unreachable,
    UrlRefused,
)

# The most specific first.
_HTTPX2_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (httpcore2.ConnectTimeout, httpx2.ConnectTimeout),
    (httpcore2.ReadTimeout, httpx2.ReadTimeout),
    (httpcore2.WriteTimeout, httpx2.WriteTimeout),
    (httpcore2.PoolTimeout, httpx2.PoolTimeout),
    (httpcore2.TimeoutException, httpx2.TimeoutException),
    (httpcore2.ConnectError, httpx2.ConnectError),
    (httpcore2.ReadError, httpx2.ReadError),
    (httpcore2.WriteError, httpx2.WriteError),
    (httpcore2.NetworkError, httpx2.NetworkError),
    (httpcore2.LocalProtocolError, httpx2.LocalProtocolError),
    (httpcore2.RemoteProtocolError, httpx2.RemoteProtocolError),
    (httpcore2.ProtocolError, httpx2.ProtocolError),
)


@contextmanager
def as_httpx2_errors() -> Iterator[None]:
    """Raise failures of the connection pool as the httpx2 errors of the same name."""
    try:
        yield
    except Exception as error:
        for raised, translated in _HTTPX2_ERRORS:
            if isinstance(error, raised):
                raise translated(str(error)) from error
        raise


@contextmanager
def as_outgoing_errors(origin: str) -> Iterator[None]:
    """Raise failures of an httpx2 client as OutgoingFailed with a message about `origin`."""
    try:
        yield
    except httpx2.InvalidURL:
        raise UrlRefused("The address is not one that can be opened.") from None
    except httpx2.LocalProtocolError:
        # Its text quotes the invalid header, which may be a key.
        raise OutgoingFailed(f"The request to {origin} could not be sent: one of its headers is not valid.") from None
    except httpx2.RequestError as error:
        raise _outgoing_error(error, origin) from error


def timed_out(origin: str) -> TimedOut:
    return TimedOut(f"{origin} took too long to answer. Try again later.")


def _outgoing_error(error: httpx2.RequestError, origin: str) -> OutgoingFailed:
    causes = list(_causes(error))
    if any(isinstance(cause, NameNotFound) for cause in causes):
        return HostUnknown(f"The host of {origin} was not found. Check the spelling of the address.")
    certificate = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if certificate is not None:
        return TlsFailed(f"The certificate of {origin} is not valid: {certificate.verify_message.rstrip('.')}.")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return TlsFailed(f"No encrypted connection to {origin} came about: it does not speak TLS as it should.")
    if isinstance(error, httpx2.TimeoutException):
        return timed_out(origin)
    if isinstance(error, httpx2.ConnectError):
        return Unreachable(f"{origin} does not accept connections. Check the address, or try again later.")
    if isinstance(error, httpx2.NetworkError):
        return Unreachable(f"The connection to {origin} broke. Try again later.")
    return InvalidResponse(f"{origin} gave an answer that cannot be read as HTTP.")


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        # The pool cuts the chain of causes, but httpcore2 keeps the original error as its argument.
        original = cause.args[0] if cause.args and isinstance(cause.args[0], BaseException) else None
        cause = cause.__cause__ or original
