"""Sitemaps: what is found in them, in whatever state they are."""

from __future__ import annotations

import gzip

import pytest

from workroom.websites.sitemaps import MAX_BYTES, parse_sitemap

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = f"""<?xml version="1.0"?><urlset {NS}>
<url><loc> https://example.org/a </loc></url>
<url><loc>https://example.org/b</loc><priority>0.9</priority></url>
<url><priority>1.0</priority></url></urlset>""".encode()


@pytest.mark.parametrize("data", [PAGES, gzip.compress(PAGES), PAGES[:-9], PAGES.replace(NS.encode(), b"")])
def test_pages_are_listed_the_important_ones_first(data: bytes) -> None:
    assert parse_sitemap(data).pages == ("https://example.org/b", "https://example.org/a")


def test_an_index_names_other_sitemaps() -> None:
    index = f"<sitemapindex {NS}><sitemap><loc>https://example.org/1.xml.gz</loc></sitemap></sitemapindex>"
    assert parse_sitemap(index.encode()).sitemaps == ("https://example.org/1.xml.gz",)


@pytest.mark.parametrize("data", [b"", b"no xml", b"<html><p>404", b"\x1f\x8bbroken", b"<urlset><url/></urlset>"])
def test_what_is_no_sitemap_lists_nothing(data: bytes) -> None:
    assert not parse_sitemap(data).pages


def test_entities_are_not_read_and_bombs_are_cut_off() -> None:
    """S11, S12."""
    outside = b'<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>&x;</loc></url></urlset>'
    assert not parse_sitemap(outside).pages
    bomb = gzip.compress(PAGES[:-9] + b" " * (4 * MAX_BYTES))
    assert len(parse_sitemap(bomb).pages) == 2
