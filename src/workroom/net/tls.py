"""TLS contexts: certificates are always verified, against the system's authorities or those of a given context."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2


@cache
def system_tls() -> ssl.SSLContext:
    """The shared context: reading the authorities takes time."""
    # Not from the environment: no variable may change which authorities are trusted.
    return httpx2.create_ssl_context(trust_env=False)


def require_verification(tls: ssl.SSLContext) -> ssl.SSLContext:
    """The same context; raises ValueError unless it verifies certificates and host names."""
    if tls.verify_mode is not ssl.CERT_REQUIRED or not tls.check_hostname:
        raise ValueError("a TLS context for outgoing requests must check certificates and names")
    return tls
