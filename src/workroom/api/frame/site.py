"""The addresses this server answers to, and what follows from them: cookie name, links, which hosts and origins count.

A page on another site, or on another port of this machine, must not be able to use the browser's cookie; a foreign name
that resolves to us (DNS rebinding) must not be answered at all.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from workroom.settings import LOOPBACK_NAMES, Settings


@dataclass(frozen=True)
class Site:
    base_url: str
    cookie_name: str
    secure: bool
    names: frozenset[str]
    any_address: bool  # bound beyond loopback: addresses, unlike names, cannot be rebound
    public_origin: str | None

    @classmethod
    def of(cls, settings: Settings, port: int) -> Site:
        shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
        base = settings.public_url or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
        secure = base.startswith("https://")
        names = {*LOOPBACK_NAMES, settings.host.lower()}
        if settings.public_url:
            names.add(urlsplit(settings.public_url).hostname or "")
        if not settings.is_loopback:
            names.add(socket.gethostname().lower())
        return cls(
            base_url=base,
            # Cookies ignore ports: two servers on one machine must not overwrite each other's.
            cookie_name="__Host-workroom" if secure else f"workroom_{port}",
            secure=secure,
            names=frozenset(names),
            any_address=not settings.is_loopback,
            public_origin=_origin(settings.public_url) if settings.public_url else None,
        )

    def accepts_host(self, header: str) -> bool:
        if any(char in header for char in "@/?#\\ "):
            return False
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        return name.rstrip(".") in self.names or (self.any_address and _is_address(name))

    def accepts_origin(self, origin: str, host: str) -> bool:
        """The page that asks must be ours: the address it was loaded from is the one it asks at."""
        if self.public_origin is not None and origin == self.public_origin:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc != "" and parts.netloc == host

    def link(self, secret: str) -> str:
        """After the #: browsers do not send that part, so it reaches neither logs nor proxies."""
        return f"{self.base_url}/enter#{secret}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
