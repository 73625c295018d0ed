"""Whose certificates we believe: those the system trusts, or those of a context that was given; always checked."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2


@cache
def system_tls() -> ssl.SSLContext:
    """One for all clients, since reading the authorities takes its time."""
    # Not from the environment: no variable may change whom we believe.
    return httpx2.create_ssl_context(trust_env=False)


def verifying(tls: ssl.SSLContext) -> ssl.SSLContext:
    """The same context, if it checks certificates and names."""
    if tls.verify_mode is not ssl.CERT_REQUIRED or not tls.check_hostname:
        raise ValueError("a TLS context for outgoing requests must check certificates and names")
    return tls
