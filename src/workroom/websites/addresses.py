"""Which addresses belong to a website, and which of them may be pages. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from workroom.core.errors import OutgoingRefused
from workroom.net.hosts import host_text
from workroom.net.urls import CheckedUrl, Origin, parse_url

_WWW = "www."
_NO_PAGES = frozenset(
    {".avif", ".bmp", ".css", ".gif", ".ico", ".jpeg", ".jpg", ".js", ".json", ".mjs", ".mp3", ".mp4", ".ogg", ".png"}
    | {".rss", ".svg", ".tif", ".tiff", ".wav", ".webm", ".webp", ".woff", ".woff2", ".xml"}
)


@dataclass(frozen=True)
class Site:
    """A host, with and without `www.`."""

    origin: Origin

    @property
    def host(self) -> str:
        return host_text(self.origin.host)

    @property
    def name(self) -> str:
        return self.host.removeprefix(_WWW)

    def has(self, address: str) -> bool:
        try:
            return host_text(parse_url(address).origin.host).removeprefix(_WWW) == self.name
        except OutgoingRefused:
            return False

    def page(self, address: str) -> CheckedUrl | None:
        """The address, if it belongs to this site and may be that of a page. An encrypted site is not left for a plain one."""
        try:
            url = parse_url(address)
        except OutgoingRefused:
            return None
        if host_text(url.origin.host).removeprefix(_WWW) != self.name:
            return None
        if PurePosixPath(url.target.partition("?")[0]).suffix.lower() in _NO_PAGES:
            return None
        if (url.origin.scheme, url.origin.port) == ("http", 80) and (self.origin.scheme, self.origin.port) == (
            "https",
            443,
        ):
            return CheckedUrl(Origin("https", url.origin.host, 443), url.target)
        same_ports = url.origin.port == self.origin.port or {url.origin.port, self.origin.port} == {80, 443}
        return url if same_ports else None


def first_address(text: str) -> CheckedUrl:
    """What a person or a model gives: people leave out `https://`."""
    cleaned = text.strip()
    return parse_url(cleaned if "://" in cleaned else f"https://{cleaned}")


def folder_of(url: CheckedUrl) -> str:
    """`/en/` for `/en/about`: pages below it are what was asked for."""
    return url.target.partition("?")[0].rpartition("/")[0] + "/"
