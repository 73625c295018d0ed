"""Limits of outgoing requests: time, size, number of connections."""

from __future__ import annotations

from dataclasses import dataclass

import httpx2


@dataclass(frozen=True)
class ClientLimits:
    connect_seconds: float = 10.0
    """For the DNS lookup, the connection and the TLS handshake, each."""
    read_seconds: float = 60.0
    """The longest pause while sending or receiving."""
    total_seconds: float = 300.0
    """The whole of `request` or `stream`, redirects and body included. A library's client has its own clock,
    unless it was made for streams: then a body that takes longer ends."""
    max_bytes: int = 64 * 1024 * 1024
    """Of a body, after decompression."""
    max_connections: int = 1000
    idle_connections: int = 50
    idle_seconds: float = 30.0

    def timeout(self) -> httpx2.Timeout:
        return httpx2.Timeout(self.read_seconds, connect=self.connect_seconds)


@dataclass(frozen=True)
class StreamLimits:
    """Limits of a response that a library reads as a stream of events; libraries set none of their own."""

    max_bytes: int
    """Of the whole body, after decompression."""
    max_event_bytes: int
    """From one blank line to the next; also of the whole body of an error response, which libraries read at once."""


DEFAULT_LIMITS = ClientLimits()
