"""Errors of outgoing requests, with messages for the person who waits for the result.

    OutgoingRefused       502  refused before anything was sent (defined in core, so that all layers can catch it)
    ├── UrlRefused             the text is not a URL that we open
    ├── AddressRefused         the host is, or resolves to, an address inside a network
    └── RedirectRefused        a redirect to where we do not follow
    OutgoingFailed        502  the request was sent, and failed
    ├── HostUnknown            no such name
    ├── Unreachable            no connection, or it broke
    ├── TimedOut               over a time limit
    ├── ServiceFailed          the service is unavailable or overloaded (429, 5xx); raised by the code that reads the status
    ├── TlsFailed              the certificate or the handshake is not good
    ├── InvalidResponse        the response is not HTTP, or contradicts its headers
    ├── ResponseTooLarge       over the byte limit, counted after decompression
    └── TooManyRedirects       over the limit of hops

Programs read `details["reason"]`. Messages name at most the origin of a URL: paths and query strings carry keys.
"""

from __future__ import annotations

from typing import Any, ClassVar

from workroom.core.errors import OutgoingRefused, WorkroomError

__all__ = [
    "AddressRefused",
    "HostUnknown",
    "InvalidResponse",
    "OutgoingFailed",
    "OutgoingRefused",
    "RedirectRefused",
    "ResponseTooLarge",
    "ServiceFailed",
    "TimedOut",
    "TlsFailed",
    "TooManyRedirects",
    "Unreachable",
    "UrlRefused",
]


class UrlRefused(OutgoingRefused):
    def __init__(self, message: str) -> None:
        super().__init__(message, reason="url")


class AddressRefused(OutgoingRefused):
    def __init__(self, message: str) -> None:
        super().__init__(message, reason="address")


class RedirectRefused(OutgoingRefused):
    def __init__(self, message: str) -> None:
        super().__init__(message, reason="redirect")


class OutgoingFailed(WorkroomError):
    code = "outgoingFailed"
    status = 502
    reason: ClassVar[str] = "failed"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message, reason=self.reason, **details)


class HostUnknown(OutgoingFailed):
    reason = "hostUnknown"


class Unreachable(OutgoingFailed):
    reason = "unreachable"
    again = True


class TimedOut(OutgoingFailed):
    reason = "timedOut"
    again = True


class ServiceFailed(OutgoingFailed):
    reason = "service"
    again = True


class TlsFailed(OutgoingFailed):
    reason = "tls"


class InvalidResponse(OutgoingFailed):
    reason = "broken"
    again = True


class ResponseTooLarge(OutgoingFailed):
    reason = "tooLarge"


class TooManyRedirects(OutgoingFailed):
    reason = "tooManyRedirects"
