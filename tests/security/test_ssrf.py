"""No way into the network we run in: by the form of an address, by redirect, by a changing name (S1, S2).

Each form goes through every door of the client. The real parser, guard, pool and TLS are in place; only names and
lines are scripted, and in the last tests not even those.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import httpx2
import pytest

from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.documents.web_page import WebPage
from workroom.net import GuardedClient
from workroom.net.errors import HostUnknown
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite
from workroom.websites.addresses import first_address
from workroom.websites.crawl import Crawl
from workroom.websites.fetcher import Fetched, Fetcher
from workroom.websites.types import CrawlLimits

PUBLIC = "93.184.216.34"

# Ways to write 127.0.0.1, 169.254.169.254 and their relatives, and ways to hide them in a URL.
HOSTS = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.1.",
    "2130706433",
    "0x7f000001",
    "0X7F000001",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "0x7f.1",
    "0x7f.0x0.0x0.0x1",
    "00000177.0.0.01",
    "127.255.255.254",
    "0",
    "0.0.0.0",
    "0x0",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "localhost",
    "LOCALHOST.",
    "lоopback.example",  # a Cyrillic letter in it: some other name, and here one of loopback
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fec0::1]",
    "[fd00::1]",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.16689662",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[fd00:ec2::254]",
    "metadata.google.internal",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
]

URLS = [
    *(f"http://{host}/" for host in HOSTS),
    "https://127.0.0.1/",
    "http://127.0.0.1:6379/",
    "http://public.example@127.0.0.1/",
    "http://public.example:80@127.0.0.1/",
    "http://public.example#@127.0.0.1/",
    "http://127.0.0.1#@public.example/",
    "http://127.0.0.1?@public.example/",
    "http://127.0.0.1\\@public.example/",
    "http://public.example\\@127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http:/127.0.0.1/",
    "http:127.0.0.1/",
    "//127.0.0.1/",
    "http:///127.0.0.1/",
    "http://127.0.0.1\t/",
    "http://127.0.\t0.1/",
    "http://\n127.0.0.1/",
    "\thttp://127.0.0.1/",
    "http://127.0.0.1\r\nHost: public.example/",
    "http://127.0.0.1%00.public.example/",
    "http://127%2e0%2e0%2e1/",
    "http://%6c%6f%63%61%6c%68%6f%73%74/",
    "http://[::1%25eth0]/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "dict://127.0.0.1:11211/stat",
    "ftp://127.0.0.1/",
    "unix:///run/docker.sock",
    "http+unix://%2Frun%2Fdocker.sock/info",
    "ws://127.0.0.1/",
]
HARMLESS = {"http://public.example#@127.0.0.1/"}  # everything after # stays here: this is the public site


async def by_request(client: GuardedClient, url: str) -> None:
    await client.request("GET", url)


async def by_request_following(client: GuardedClient, url: str) -> None:
    await client.request("GET", url, follow_redirects=True)


async def by_stream(client: GuardedClient, url: str) -> None:
    async with client.stream("POST", url, content=b"x") as answer:
        await answer.read()


async def by_library(client: GuardedClient, url: str) -> None:
    async with client.http_client() as library:
        await library.get(url, follow_redirects=True)


async def by_library_with_base(client: GuardedClient, url: str) -> None:
    async with client.http_client() as library:
        library.base_url = httpx2.URL(url)
        await library.post("v1/models", json={})


async def by_crawler(client: GuardedClient, url: str) -> None:
    """The first page, before anything of it is read; only an answer without content is no failure."""

    async def parse(fetched: Fetched) -> WebPage:
        return WebPage(title="", text="Read.", links=[])

    crawl = Crawl(Fetcher(client, 5), CrawlLimits(), parse, lambda number, address: None, asyncio.sleep)
    await crawl.run(first_address(url), 1)


Door = Callable[[GuardedClient, str], Awaitable[None]]
OURS: list[Door] = [by_request, by_request_following, by_stream]
LIBRARYS: list[Door] = [by_library, by_library_with_base]
# What httpx2 itself cannot read does not reach our guard: just as well refused.
REFUSALS = (OutgoingRefused, httpx2.InvalidURL, httpx2.UnsupportedProtocol)


@pytest.fixture
async def internet() -> AsyncIterator[ScriptedInternet]:
    internet = ScriptedInternet()
    await internet.site("public.example", PUBLIC)
    for name in ("localhost", "xn--lopback-9ig.example"):
        internet.resolver.answer(name, ["127.0.0.1"])
    internet.resolver.answer("metadata.google.internal", ["169.254.169.254"])
    yield internet
    await internet.aclose()


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("url", sorted(set(URLS) - HARMLESS))
@pytest.mark.parametrize("door", OURS)
async def test_no_form_of_an_address_gets_through(internet: ScriptedInternet, door: Door, url: str) -> None:
    with pytest.raises(OutgoingRefused):
        await door(internet.client(), url)
    assert internet.connector.opened == []


@pytest.mark.parametrize("url", sorted(set(URLS) - HARMLESS))
@pytest.mark.parametrize("door", LIBRARYS)
async def test_nor_through_a_librarys_client(internet: ScriptedInternet, door: Door, url: str) -> None:
    with pytest.raises(REFUSALS):
        await door(internet.client(), url)
    assert internet.connector.opened == []


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("url", sorted(set(URLS) - HARMLESS))
async def test_nor_through_the_crawler(internet: ScriptedInternet, url: str) -> None:
    """It completes what people leave out, so some of these become names; there is no such host."""
    with pytest.raises((OutgoingRefused, HostUnknown)):
        await by_crawler(internet.client(), url)
    assert internet.connector.opened == []


@pytest.mark.parametrize(
    "url", ["http://public.example/", "http://PUBLIC.example.:80/", "http://1572395042/", *HARMLESS]
)
@pytest.mark.parametrize("door", OURS + LIBRARYS)
async def test_the_public_internet_is_open(internet: ScriptedInternet, door: Door, url: str) -> None:
    await door(internet.client(), url)
    assert internet.connector.opened == [PUBLIC]


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("location", sorted(set(URLS) - HARMLESS))
@pytest.mark.parametrize("door", [by_request_following, by_library, by_crawler])
async def test_no_form_gets_through_by_redirect(internet: ScriptedInternet, door: Door, location: str) -> None:
    """What cannot be read as an address at all may be a path on the same site, but never another host."""
    site = await internet.site("first.example", "93.184.216.35")
    site.answers["/"] = ScriptedResponse(raw=b"HTTP/1.1 302 Found\r\nLocation: %b\r\n\r\n" % location.encode())
    site.answers["*"] = ScriptedResponse(204)
    with suppress(WorkroomError, httpx2.HTTPError, httpx2.InvalidURL):
        await door(internet.client(), "http://first.example/")
    assert set(internet.connector.opened) == {"93.184.216.35"}


@pytest.mark.parametrize("inside", ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1"])
@pytest.mark.parametrize("door", OURS + LIBRARYS)
async def test_a_name_that_changes_between_check_and_connect(
    internet: ScriptedInternet, door: Door, inside: str
) -> None:
    """There is one lookup per connection, and the connection goes to what it said."""
    await internet.site("rebind.example", PUBLIC)
    internet.resolver.answer("rebind.example", [PUBLIC], [inside])
    await door(internet.client(), "http://rebind.example/")
    assert internet.resolver.asked == ["rebind.example"]
    assert internet.connector.opened == [PUBLIC]


async def test_a_name_that_has_changed_is_refused_on_the_next_connection(internet: ScriptedInternet) -> None:
    site = await internet.site("rebind.example", PUBLIC)
    site.answers["/"] = ScriptedResponse(headers={"Connection": "close"})
    internet.resolver.answer("rebind.example", [PUBLIC], ["127.0.0.1"])
    client = internet.client()
    await client.request("GET", "http://rebind.example/")
    with pytest.raises(OutgoingRefused):
        await client.request("GET", "http://rebind.example/")
    assert internet.connector.opened == [PUBLIC]


async def test_a_redirect_to_the_same_name_does_not_help_rebinding(internet: ScriptedInternet) -> None:
    site = await internet.site("rebind.example", PUBLIC)
    site.answers["/"] = ScriptedResponse.redirect("http://rebind.example:8080/")
    internet.resolver.answer("rebind.example", [PUBLIC], ["169.254.169.254"])
    with pytest.raises(OutgoingRefused):
        await internet.client().request("GET", "http://rebind.example/", follow_redirects=True)
    assert internet.connector.opened == [PUBLIC]


@pytest.fixture
async def canary() -> AsyncIterator[ScriptedSite]:
    """A server that really listens on this machine."""
    site = await ScriptedSite.start()
    yield site
    await site.aclose()


@pytest.mark.parametrize("host", [host for host in HOSTS if not host.endswith(("example", "internal"))])
async def test_a_real_client_leaves_a_real_server_alone(canary: ScriptedSite, host: str) -> None:
    client = GuardedClient()
    for door in (by_request, by_library):
        with pytest.raises(REFUSALS):
            await door(client, f"http://{host}:{canary.port}/")
    await client.aclose()
    assert canary.connections == 0


async def test_the_canary_would_have_sung(canary: ScriptedSite) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", canary.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    writer.close()
    assert canary.connections == 1
