"""Reading a website from end to end: the real client and the real parsers, on an internet of loopback servers."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from workroom.core.errors import OutgoingRefused
from workroom.documents.workers.parsers import Parsers
from workroom.net.errors import HostUnknown
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite
from workroom.websites.errors import PageNotRead
from workroom.websites.service import Websites
from workroom.websites.types import CrawlLimits, ReadSite

HTML = {"Content-Type": "text/html"}
LIMITS = CrawlLimits(longest_delay=0)


def html(text: str, **headers: str) -> ScriptedResponse:
    return ScriptedResponse(body=text.encode(), headers={**HTML, **headers})


class Net:
    def __init__(self, internet: ScriptedInternet, parsers: Parsers, scratch: Path) -> None:
        self.internet, self._parsers, self._scratch = internet, parsers, scratch
        self.reports: list[tuple[int, str]] = []
        self.pauses: list[float] = []

    async def site(self, host: str = "example.org", address: str = "93.184.216.34") -> ScriptedSite:
        return await self.internet.site(host, address)

    async def read(
        self, address: str = "http://example.org/", pages: int = 8, limits: CrawlLimits = LIMITS
    ) -> ReadSite:
        websites = Websites(self.internet.client(), self._parsers, self._scratch, limits, self._pause)
        return await websites.read(address, pages, lambda number, url: self.reports.append((number, url)))

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture(scope="module")
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1) as opened:
        yield opened


@pytest.fixture
async def net(parsers: Parsers, tmp_path: Path) -> AsyncIterator[Net]:
    internet = ScriptedInternet()
    yield Net(internet, parsers, tmp_path / "scratch")
    await internet.aclose()
    assert not list((tmp_path / "scratch").glob("*")), "what was fetched is gone"


async def test_pages_are_found_by_their_links_nearest_first(net: Net) -> None:
    site = await net.site()
    site.answers["/"] = html(
        "<title>Bakery</title><p>Bread.</p><a href='/a'>A</a><a href='/b'>B</a><a href='/x.png'>P</a>"
    )
    site.answers["/a"] = html(
        "<p>About.</p><a href='/deep'>D</a><a href='https://elsewhere.org/'>E</a><a href='/'>Home</a>"
    )
    site.answers["/b"] = html("<p>Bread and rolls.</p>")
    site.answers["/deep"] = html("<p>Deep.</p>")
    read = await net.read()
    assert [page.url.removeprefix("http://example.org") for page in read.pages] == ["/", "/a", "/b", "/deep"]
    assert (read.title, read.host, read.limit, read.skipped) == ("Bakery", "example.org", None, ())
    assert "elsewhere.org" not in net.internet.resolver.asked
    assert net.reports[1] == (2, "http://example.org/a")
    assert {received.headers["user-agent"].partition("/")[0] for received in site.received} == {"workroom"}
    fewer = await net.read(pages=2)
    assert (len(fewer.pages), fewer.limit) == (2, "pages")


async def test_sitemaps_come_first_also_an_index_of_compressed_ones(net: Net) -> None:
    site = await net.site()
    base = "http://example.org"
    site.answers["/robots.txt"] = ScriptedResponse(body=f"Sitemap: {base}/index.xml".encode())
    index = f"<sitemapindex><sitemap><loc>{base}/one.xml.gz</loc></sitemap></sitemapindex>"
    one = f"<urlset><url><loc>{base}/listed</loc></url><url><loc>{base}/en/below</loc></url></urlset>"
    site.answers["/index.xml"] = ScriptedResponse(body=index.encode())
    site.answers["/one.xml.gz"] = ScriptedResponse(body=gzip.compress(one.encode()))
    site.answers["/en/"] = html("<p>Start.</p><a href='/linked'>L</a>")
    for path in ("/listed", "/en/below", "/linked"):
        site.answers[path] = html(f"<p>{path}</p>")
    read = await net.read(f"{base}/en/")
    assert [page.url.removeprefix(base) for page in read.pages] == ["/en/", "/en/below", "/listed", "/linked"]


async def test_robots_txt_is_honoured(net: Net) -> None:
    site = await net.site()
    site.answers["/robots.txt"] = ScriptedResponse(body=b"User-agent: *\nDisallow: /closed")
    site.answers["/"] = html("<p>Start.</p><a href='/closed/1'>C</a>")
    site.answers["/closed/1"] = html("<p>Secret.</p>")
    read = await net.read()
    assert [skipped.url for skipped in read.skipped] == ["http://example.org/closed/1"]
    assert "robots.txt" in read.skipped[0].reason
    with pytest.raises(PageNotRead, match=r"robots\.txt .* does not let"):
        await net.read("http://example.org/closed/1")
    assert "/closed/1" not in [received.target for received in site.received]


@pytest.mark.parametrize("status", [500, 503])
async def test_without_its_robots_txt_a_site_is_left_alone(net: Net, status: int) -> None:
    site = await net.site()
    site.answers |= {"/robots.txt": ScriptedResponse(status), "/": html("<p>Start.</p>")}
    with pytest.raises(PageNotRead, match="cannot be read"):
        await net.read()
    assert [received.target for received in site.received] == ["/robots.txt"]


@pytest.mark.parametrize("status", [403, 404, 410])
async def test_a_site_that_has_none_may_be_read(net: Net, status: int) -> None:
    site = await net.site()
    site.answers |= {"/robots.txt": ScriptedResponse(status), "/": html("<p>Start.</p>")}
    assert (await net.read()).pages[0].text == "Start."


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://10.0.0.7/",
        "http://inside.org/",
    ],
)
async def test_a_redirect_into_a_network_is_refused(net: Net, target: str) -> None:
    """S1, S2: also one by a name; nothing is opened there, not even for its robots.txt."""
    site = await net.site()
    net.internet.resolver.answer("inside.org", ["10.0.0.7"])
    site.answers |= {"/": ScriptedResponse.redirect(target), "/ok": html("<p>Fine.</p><a href='/'>back</a>")}
    with pytest.raises(OutgoingRefused):
        await net.read()
    read = await net.read("http://example.org/ok")
    assert len(read.pages) == len(read.skipped) == 1
    assert set(net.internet.connector.opened) == {"93.184.216.34"}


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8420/", "169.254.169.254", "http://localhost/", "file:///etc/passwd"]
)
async def test_an_address_inside_a_network_is_refused(net: Net, address: str) -> None:
    with pytest.raises((OutgoingRefused, HostUnknown)):
        await net.read(address)
    assert not net.internet.connector.opened


async def test_a_page_that_two_addresses_lead_to_is_skipped_once(net: Net) -> None:
    site = await net.site()
    site.answers |= {
        "/": html("<p>Start.</p><a href='/a'>A</a><a href='/b'>B</a>"),
        "/a": ScriptedResponse.redirect("/login"),
        "/b": ScriptedResponse.redirect("/login"),
        "/login": ScriptedResponse(401),
    }
    assert [page.url for page in (await net.read()).skipped] == ["http://example.org/login"]


async def test_sitemaps_of_other_sites_are_not_fetched(net: Net) -> None:
    other, site = await net.site("other.org", "93.184.216.35"), await net.site()
    robots = b"Sitemap: http://other.org/sitemap.xml"
    site.answers |= {"/robots.txt": ScriptedResponse(body=robots), "/": html("<p>Start.</p>")}
    await net.read()
    assert other.received == []


async def test_a_redirect_loop_ends_and_says_so(net: Net) -> None:
    site = await net.site()
    site.answers["*"] = ScriptedResponse.redirect("/again")
    with pytest.raises(PageNotRead, match="redirects more than 5 times"):
        await net.read()


async def test_the_first_page_decides_which_site_it_is(net: Net) -> None:
    old, new = await net.site("old.org", "93.184.216.35"), await net.site("www.example.org")
    net.internet.resolver.answer("example.org", ["93.184.216.34"])
    old.answers["/"] = ScriptedResponse.redirect("http://www.example.org/")
    new.answers |= {
        "/": html("<p>Start.</p><a href='http://example.org/b'>B</a><a href='/away'>A</a>"),
        "/b": html("<p>B.</p>"),
    }
    new.answers["/away"] = ScriptedResponse.redirect("http://old.org/x")
    read = await net.read("http://old.org/")
    assert (read.host, [page.url for page in read.pages]) == (
        "example.org",
        ["http://www.example.org/", "http://example.org/b"],
    )
    assert "another website" in read.skipped[0].reason


async def endless() -> AsyncIterator[bytes]:
    yield b"<title>Long</title><p>Beginning"
    for _ in range(1 << 30):
        yield b" and so on" * 100


async def test_a_page_of_a_gigabyte_is_cut_off_while_it_comes(net: Net) -> None:
    """S15."""
    site = await net.site()
    site.answers["/"] = ScriptedResponse(body=endless(), headers={**HTML, "Content-Length": str(1 << 30)})
    read = await net.read(limits=replace(LIMITS, page_bytes=100_000))
    assert read.pages[0].cut
    assert 90_000 < len(read.pages[0].text) <= 100_000


async def test_the_sum_of_all_bytes_and_the_time_have_an_end(net: Net) -> None:
    site = await net.site()
    site.answers["/"] = html("<p>Start.</p>" + "".join(f"<a href='/{n}'>{n}</a>" for n in range(5)))
    for n in range(5):
        site.answers[f"/{n}"] = html(f"<p>{'word ' * 400}</p>")
    assert (await net.read(limits=replace(LIMITS, all_bytes=4_000))).limit == "bytes"
    late = await net.read(limits=replace(LIMITS, all_seconds=0))
    assert (len(late.pages), late.limit) == (1, "time")


async def test_what_is_no_page_is_said_by_its_kind(net: Net) -> None:
    site = await net.site()
    site.answers["/"] = html(
        "<p>Start.</p><a href='/r'>R</a><a href='/gone'>G</a><a href='/in'>I</a><a href='/app'>A</a>"
    )
    site.answers["/r"] = ScriptedResponse(body=b"%PDF-1.7", headers={"Content-Type": "application/pdf"})
    site.answers["/in"] = ScriptedResponse(401)
    site.answers["/app"] = html("<div id=app></div><script src=x.js></script>")
    reasons = {one.url[-3:]: one.reason for one in (await net.read()).skipped}
    assert "application/pdf" in reasons["g/r"]
    assert "no such page" in reasons["one"]
    assert "sign in" in reasons["/in"]
    assert "JavaScript" in reasons["app"]


async def test_a_site_that_needs_javascript_is_said_so(net: Net) -> None:
    site = await net.site()
    site.answers["/"] = html("<title>App</title><div id=root></div><script src='/app.js'></script>")
    with pytest.raises(PageNotRead, match="JavaScript"):
        await net.read()


async def test_a_site_is_given_the_pause_it_asks_for(net: Net) -> None:
    site = await net.site()
    site.answers["/robots.txt"] = ScriptedResponse(body=b"User-agent: *\nCrawl-delay: 600")
    site.answers |= {"/": html("<p>Start.</p><a href='/b'>B</a>"), "/b": html("<p>B.</p>")}
    assert len((await net.read(limits=CrawlLimits())).pages) == 2
    assert net.pauses == [5.0]
