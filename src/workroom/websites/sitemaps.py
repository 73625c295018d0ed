"""Sitemaps: which pages a site says it has. Plain or compressed XML, or an index of other sitemaps. Pure."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import SAFELY, local_name

MAX_BYTES = 5_000_000  # unpacked
MOST_PAGES = 5_000
MOST_SITEMAPS = 5
USUAL_PRIORITY = 0.5
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Sitemap:
    """`pages` are addresses, the most important first; `sitemaps` are others to look into."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(data: bytes) -> Sitemap:
    """What can be read of it: one that is damaged or cut off has what comes before that."""
    from lxml import etree

    try:
        root = etree.fromstring(_unpacked(data), etree.XMLParser(**SAFELY, recover=True))
    except (etree.XMLSyntaxError, zlib.error, ValueError):
        return Sitemap()
    if root is None:
        return Sitemap()
    if local_name(root) == "sitemapindex":
        return Sitemap(sitemaps=tuple(_addresses(root, MOST_SITEMAPS)))
    pages = _addresses(root, MOST_PAGES)
    return Sitemap(tuple(sorted(pages, key=lambda address: -pages[address])))  # stable: else in their order


def _unpacked(data: bytes) -> bytes:
    return zlib.decompressobj(31).decompress(data, MAX_BYTES) if data.startswith(_GZIP) else data[:MAX_BYTES]


def _addresses(root: Any, most: int) -> dict[str, float]:
    """With their priority."""
    found: dict[str, float] = {}
    for entry in root:
        facts = {local_name(fact): (fact.text or "").strip() for fact in entry}
        if address := facts.get("loc"):
            found[address] = _priority(facts.get("priority", ""))
        if len(found) == most:
            break
    return found


def _priority(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return USUAL_PRIORITY
