"""Asking and being answered: whole or in pieces, within limits, and with errors that a person can read."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import zlib
from collections.abc import AsyncIterator

import httpx2
import pytest

from workroom.net import ClientLimits, GuardedClient, Origin
from workroom.net.errors import (
    AddressRefused,
    HostUnknown,
    InvalidResponse,
    OutgoingFailed,
    ResponseTooLarge,
    TimedOut,
    TlsFailed,
    Unreachable,
)
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite

ADDRESS = "93.184.216.34"
URL = "http://example.org/"
MIB = 1024 * 1024


@pytest.fixture
async def site(internet: ScriptedInternet) -> ScriptedSite:
    return await internet.site("example.org", ADDRESS)


async def test_a_whole_answer(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/data"] = ScriptedResponse(201, '{"a": "ü"}'.encode(), {"Content-Type": "application/json"})
    answer = await internet.client().request("POST", URL + "data?q=1", headers={"X-Key": "k"}, json={"b": 2})
    assert (answer.status, answer.ok, answer.url) == (201, True, URL + "data?q=1")
    assert (answer.json(), answer.text) == ({"a": "ü"}, '{"a": "ü"}')
    assert answer.headers["content-type"] == "application/json"
    (received,) = site.received
    assert (received.method, received.target) == ("POST", "/data?q=1")
    assert json.loads(received.body) == {"b": 2}
    assert received.headers["x-key"] == "k"
    assert received.headers["host"] == "example.org"


async def test_any_status_is_an_answer(internet: ScriptedInternet, site: ScriptedSite) -> None:
    answer = await internet.client().request("GET", URL + "nothing")
    assert (answer.status, answer.ok) == (404, False)


async def test_what_is_not_json_is_said_to_be_so(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=b"<html>")
    answer = await internet.client().request("GET", URL)
    with pytest.raises(InvalidResponse):
        answer.json()


async def test_connections_are_used_again(internet: ScriptedInternet, site: ScriptedSite) -> None:
    client = internet.client()
    for _ in range(3):
        await client.request("GET", URL)
    assert (site.connections, len(site.received), internet.resolver.asked) == (1, 3, ["example.org"])


async def test_pieces_arrive_before_the_end(internet: ScriptedInternet, site: ScriptedSite) -> None:
    more = asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b"first"
        await more.wait()
        yield b"second"

    site.answers["/"] = ScriptedResponse(body=body())
    received = []
    async with internet.client().stream("GET", URL) as answer:
        async for piece in answer:
            received.append(piece)
            more.set()
    assert received == [b"first", b"second"]


async def test_a_stream_may_be_left_early(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=endless())
    client = internet.client()
    async with client.stream("GET", URL) as answer:
        async for _ in answer:
            break
    site.answers["/"] = ScriptedResponse(body=b"again")
    assert (await client.request("GET", URL)).body == b"again"


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b"x" * 65536


async def drip() -> AsyncIterator[bytes]:
    while True:
        yield b"x"
        await asyncio.sleep(0.005)  # the pace of the server, nothing waits for it


def bomb(size: int) -> bytes:
    return gzip.compress(bytes(size))


def nested(size: int) -> bytes:
    return gzip.compress(bomb(size))


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedResponse(body=bytes(MIB + 1)),
        ScriptedResponse(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"),
        ScriptedResponse(
            raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"80000\r\n%b\r\n" % bytes(0x80000) * 3
        ),
        ScriptedResponse(body=bomb(64 * MIB), headers={"Content-Encoding": "gzip"}),
        ScriptedResponse(body=zlib.compress(bytes(64 * MIB)), headers={"Content-Encoding": "deflate"}),
        ScriptedResponse(body=nested(64 * MIB), headers={"Content-Encoding": "gzip, gzip"}),
    ],
    ids=["body", "announced", "chunked", "gzip", "deflate", "twice"],
)
async def test_a_body_over_the_limit_is_cut(
    internet: ScriptedInternet, site: ScriptedSite, answer: ScriptedResponse
) -> None:
    site.answers["*"] = answer
    client = internet.client()
    with pytest.raises(ResponseTooLarge) as caught:
        await client.request("GET", URL, max_bytes=MIB)
    assert caught.value.details == {"reason": "tooLarge", "limit": MIB}
    library = internet.client(limits=ClientLimits(max_bytes=MIB)).http_client()
    with pytest.raises(ResponseTooLarge):
        await library.get(URL)


async def test_an_endless_body_is_cut(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=endless())
    with pytest.raises(ResponseTooLarge):
        await internet.client().request("GET", URL, max_bytes=MIB)


async def test_a_bomb_gives_no_more_than_the_limit(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=bomb(64 * MIB), headers={"Content-Encoding": "gzip"})
    seen = 0

    async def collect() -> None:
        nonlocal seen
        async with internet.client().stream("GET", URL, max_bytes=5 * MIB) as answer:
            async for piece in answer:
                seen += len(piece)

    with pytest.raises(ResponseTooLarge):
        await collect()
    assert 0 < seen <= 5 * MIB


async def test_a_body_at_the_limit_is_whole(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=bomb(MIB), headers={"Content-Encoding": "gzip"})
    answer = await internet.client().request("GET", URL, max_bytes=MIB)
    assert answer.body == bytes(MIB)
    assert "content-encoding" not in answer.headers


async def test_head_may_announce_more_than_it_sends(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=bytes(2 * MIB))
    answer = await internet.client().request("HEAD", URL, max_bytes=MIB)
    assert (answer.body, answer.headers["content-length"]) == (b"", str(2 * MIB))


async def test_a_slow_drip_ends_at_the_deadline(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=drip())
    with pytest.raises(TimedOut, match=r"http://example\.org took too long"):
        await internet.client().request("GET", URL, timeout=0.1)


async def test_the_deadline_of_the_limits_holds_by_default(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(body=drip())
    with pytest.raises(TimedOut):
        await internet.client(limits=ClientLimits(total_seconds=0.1)).request("GET", URL)


async def test_silence_ends_at_the_read_limit(internet: ScriptedInternet, site: ScriptedSite) -> None:
    async def silent() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.Event().wait()

    site.answers["/"] = ScriptedResponse(body=silent())
    with pytest.raises(TimedOut):
        await internet.client(limits=ClientLimits(read_seconds=0.05)).request("GET", URL)
    library = internet.client(limits=ClientLimits(read_seconds=0.05)).http_client()
    site.answers["/"] = ScriptedResponse(body=silent())
    with pytest.raises(httpx2.ReadTimeout):
        await library.get(URL)


FAILURES = [
    (b"SSH-2.0-OpenSSH_9.2\r\n", InvalidResponse),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", InvalidResponse),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope", InvalidResponse),
    (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n", InvalidResponse),
    (b"HTTP/1.1 302 Found\r\nLocation: http://[bad]/\r\n\r\n", InvalidResponse),
]


@pytest.mark.parametrize(("raw", "error"), FAILURES, ids=["ssh", "short", "gzip", "header", "location"])
async def test_a_broken_answer(
    internet: ScriptedInternet, site: ScriptedSite, raw: bytes, error: type[OutgoingFailed]
) -> None:
    site.answers["*"] = ScriptedResponse(raw=raw)
    with pytest.raises(error) as caught:
        await internet.client().request("GET", URL + "hunter2?key=hunter2", headers={"X-Key": "hunter2"})
    assert (caught.value.code, caught.value.status) == ("outgoingFailed", 502)
    assert "http://example.org" in caught.value.message
    assert "hunter2" not in f"{caught.value.message} {caught.value.details}"


async def test_nobody_there_and_no_such_name(internet: ScriptedInternet) -> None:
    client = internet.client()
    internet.resolver.answer("closed.example", [ADDRESS])
    with pytest.raises(Unreachable, match=r"http://closed.example does not accept"):
        await client.request("GET", "http://closed.example/?key=hunter2")
    with pytest.raises(HostUnknown, match=r"http://nowhere.example was not found"):
        await client.request("GET", "http://nowhere.example/")
    with pytest.raises(httpx2.ConnectError):
        await client.http_client().get("http://nowhere.example/")


async def test_a_site_that_does_not_speak_tls(internet: ScriptedInternet) -> None:
    site = await internet.site("example.org", ADDRESS, port=443)
    site.greeting = b"SSH-2.0-OpenSSH_9.2\r\n"
    with pytest.raises(TlsFailed, match="does not speak TLS"):
        await internet.client().request("GET", "https://example.org/")


async def test_a_header_cannot_smuggle_another_and_is_not_repeated(
    internet: ScriptedInternet, site: ScriptedSite
) -> None:
    with pytest.raises(OutgoingFailed) as caught:
        await internet.client().request("GET", URL, headers={"Authorization": "hunter2\r\nX-Evil: 1"})
    assert "hunter2" not in caught.value.message
    assert caught.value.__cause__ is None
    assert site.received == []


@pytest.mark.parametrize("method", ["CONNECT", "TRACE"])
async def test_methods_for_proxies_are_not_used(internet: ScriptedInternet, site: ScriptedSite, method: str) -> None:
    with pytest.raises(Exception, match="is not used"):
        await internet.client().request(method, URL)
    assert site.received == []


async def test_the_host_header_is_the_checked_host(internet: ScriptedInternet, site: ScriptedSite) -> None:
    await internet.client().request("GET", URL, headers={"Host": "internal.example"})
    await internet.client().http_client().get(URL, headers={"Host": "internal.example"})
    assert [request.headers["host"] for request in site.received] == ["example.org", "example.org"]


async def test_extensions_of_a_library_change_neither_name_nor_target(
    internet: ScriptedInternet, site: ScriptedSite
) -> None:
    await internet.client().http_client().get(URL, extensions={"target": b"/other", "sni_hostname": "other.example"})
    assert site.received[0].target == "/"


async def test_cookies_are_not_kept(internet: ScriptedInternet, site: ScriptedSite) -> None:
    site.answers["/"] = ScriptedResponse(headers={"Set-Cookie": "session=hunter2; Path=/"})
    client = internet.client()
    library = client.http_client()
    for _ in range(2):
        await client.request("GET", URL)
        await library.get(URL)
    assert all("cookie" not in request.headers for request in site.received)


async def test_a_library_may_close_its_client(internet: ScriptedInternet, site: ScriptedSite) -> None:
    client = internet.client()
    async with client.http_client() as library:
        await library.get(URL)
    await client.request("GET", URL)
    assert site.connections == 1


async def test_proxies_and_certificates_of_the_environment_are_ignored(
    internet: ScriptedInternet, site: ScriptedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    client = internet.client()
    assert (await client.request("GET", URL)).status == 404
    assert (await client.http_client().get(URL)).status_code == 404
    assert internet.connector.opened == [ADDRESS]


async def test_nothing_secret_is_logged(
    internet: ScriptedInternet, site: ScriptedSite, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    site.answers["/"] = ScriptedResponse(headers={"Set-Cookie": "session=hunter2"})
    await internet.client().request("GET", URL + "?key=hunter2", headers={"X-Key": "hunter2"})
    await internet.client().http_client().get(URL + "?key=hunter2", headers={"X-Key": "hunter2"})
    assert len(site.received) == 2
    assert "hunter2" not in caplog.text


async def test_only_the_allowed_origin_is_reached_through_either_door(internet: ScriptedInternet) -> None:
    site = await internet.site("ollama.internal", "10.0.0.7", port=11434)
    client = internet.client(allowed_private=frozenset({Origin.parse("http://ollama.internal:11434")}))
    assert (await client.request("GET", "http://ollama.internal:11434/api")).status == 404
    assert (await client.http_client().get("http://ollama.internal:11434/api")).status_code == 404
    internet.connector.route("10.0.0.7", 443, to=site.port)
    internet.connector.route("10.0.0.7", 80, to=site.port)
    for other in (
        "http://ollama.internal/",
        "https://ollama.internal/",
        "https://ollama.internal:11434/",
        "http://10.0.0.7:11434/",
    ):
        with pytest.raises(AddressRefused):
            await client.request("GET", other)
        with pytest.raises(AddressRefused):
            await client.http_client().get(other)
    assert len(site.received) == 2


async def test_a_real_client_does_not_reach_this_machine() -> None:
    """Nothing injected: the system's resolver and connector, and a server that really listens."""
    site = await ScriptedSite.start()
    client = GuardedClient()
    for host in ("127.0.0.1", "localhost"):
        with pytest.raises(AddressRefused):
            await client.request("GET", f"http://{host}:{site.port}/")
    assert site.connections == 0
    await client.aclose()
    allowed = GuardedClient(allowed_private=frozenset({Origin.parse(f"http://127.0.0.1:{site.port}")}))
    assert (await allowed.request("GET", f"http://127.0.0.1:{site.port}/")).status == 404
    await allowed.aclose()
    await site.aclose()
