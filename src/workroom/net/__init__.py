"""Outgoing HTTP with SSRF protection: a client that reaches the public internet, and nothing of the network it runs in.

Use `GuardedClient`; a static test ensures that nothing else in the product opens outgoing HTTP. Whether a user may request
an address at all is decided elsewhere.
"""

from __future__ import annotations

from workroom.net.client import GuardedClient
from workroom.net.limits import ClientLimits, StreamLimits
from workroom.net.ports import Connector, Resolver
from workroom.net.responses import Response, StreamedResponse
from workroom.net.urls import CheckedUrl, Origin, check_url

__all__ = [
    "CheckedUrl",
    "ClientLimits",
    "Connector",
    "GuardedClient",
    "Origin",
    "Resolver",
    "Response",
    "StreamLimits",
    "StreamedResponse",
    "check_url",
]
