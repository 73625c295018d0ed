"""Rules for redirects: which are followed, and which headers are sent to another origin.

httpx2 builds the next request (method and body as browsers do it) and copies the extensions of the one before; the
transport leaves a `RedirectTrail` in them. So the rules hold for our own requests and for every library's alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import httpx2

from workroom.net.errors import RedirectRefused
from workroom.net.urls import Origin

# Headers that may be sent to another origin. An allow list, since keys have any name (`X-Api-Key`, `Api-Token`).
_SENT_TO_OTHER_ORIGINS = frozenset(
    {
        "accept",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "connection",
        "content-length",
        "host",
        "if-modified-since",
        "if-none-match",
        "range",
        "user-agent",
    }
)


@dataclass(frozen=True)
class RedirectTrail:
    """The last origin of a chain of redirects."""

    origin: Origin
    left_first_origin: bool = False
    """Stays true: after a redirect away and back, secrets are not sent either."""

    def next(self, origin: Origin, *, has_body: bool, allowed_private: frozenset[Origin]) -> RedirectTrail:
        """The trail after a redirect to `origin`. Raises RedirectRefused."""
        if origin == self.origin:
            return self
        if origin in allowed_private:
            raise RedirectRefused(f"{self.origin} redirects to {origin} in the internal network. That is not followed.")
        if self.origin.scheme == "https" and origin.scheme == "http":
            raise RedirectRefused(f"{self.origin} redirects to {origin} without encryption. That is not followed.")
        if has_body:
            raise RedirectRefused(
                f"{self.origin} redirects to {origin} and would have us send the content there. Use the new address."
            )
        return RedirectTrail(origin, left_first_origin=True)


def has_body(headers: httpx2.Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def drop_secrets(headers: httpx2.Headers) -> None:
    """Keep only headers any site may receive. httpx2 itself drops `Authorization` only."""
    for name in list(headers):
        if name.lower() not in _SENT_TO_OTHER_ORIGINS:
            del headers[name]
