"""What changes when a site sends us on: where we still go, and what we still say there.

httpx2 builds the next request (method and body as browsers do it) and copies the extensions of the one before; the
transport leaves a `Trail` in them. So the rules hold for our own requests and for every library's alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import httpx2

from workroom.net.errors import RedirectRefused
from workroom.net.urls import Origin

# A list of what may travel to another origin, not of what may not: keys hide under any name (`X-Api-Key`, `Api-Token`).
_TRAVELS = frozenset(
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
class Trail:
    """Where a chain of redirects has got to."""

    origin: Origin
    left_home: bool = False
    """Once true it stays true: who sends us away and back again does not get the secrets either."""

    def next(self, origin: Origin, *, has_body: bool, allowed_private: frozenset[Origin]) -> Trail:
        """One hop further, or a refusal."""
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
        return Trail(origin, left_home=True)


def has_body(headers: httpx2.Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def drop_secrets(headers: httpx2.Headers) -> None:
    """Keep only what any site may know. httpx2 itself drops no more than `Authorization`."""
    for name in list(headers):
        if name.lower() not in _TRAVELS:
            del headers[name]
