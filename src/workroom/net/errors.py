"""What can go wrong on the way out, written for the person who waits for the answer.

    OutgoingRefused       502  the guard does not let it through (defined in core, so that everyone can catch it)
    ├── UrlRefused             the text is not an address that we open
    ├── AddressRefused         the host is, or resolves to, an address inside a network
    └── RedirectRefused        another site sent us on to where we do not go
    OutgoingFailed        502  it was let through, and did not work
    ├── HostUnknown            no such name
    ├── Unreachable            nobody answers there, or the line broke
    ├── TimedOut               over a time limit
    ├── ServiceFailed          it answers that it cannot at the moment (429, 5xx); raised by whoever reads the status
    ├── TlsFailed              the certificate or the handshake is not good
    ├── AnswerBroken           what came back is not HTTP, or not what its headers say
    ├── AnswerTooLarge         over the byte limit, counted after decompression
    └── TooManyRedirects       over the limit of hops

Programs read `details["reason"]`. Messages name at most the origin of a URL: paths and query strings carry keys.
"""

from __future__ import annotations

from typing import Any, ClassVar

from workroom.core.errors import OutgoingRefused, WorkroomError

__all__ = [
    "AddressRefused",
    "AnswerBroken",
    "AnswerTooLarge",
    "HostUnknown",
    "OutgoingFailed",
    "OutgoingRefused",
    "RedirectRefused",
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


class AnswerBroken(OutgoingFailed):
    reason = "broken"
    again = True


class AnswerTooLarge(OutgoingFailed):
    reason = "tooLarge"


class TooManyRedirects(OutgoingFailed):
    reason = "tooManyRedirects"
