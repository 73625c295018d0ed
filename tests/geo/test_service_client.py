"""The client of a map service: recent answers are reused, at most two requests run at once, and the queue is bounded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.geo.conftest import SEARCH
from workroom.core.errors import ConfigurationError
from workroom.geo.concurrency_limit import AT_ONCE, MOST_WAITING
from workroom.geo.errors import GeoServiceFailed
from workroom.geo.service_client import (
    MOST_BYTES,
    MOST_REMEMBERED,
    MOST_REMEMBERED_BYTES,
    REMEMBERED_SECONDS,
    ServiceClient,
)
from workroom.net import GuardedClient, Response
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_same_question_is_asked_once_until_it_is_old(
    internet: ScriptedInternet, search_site: ScriptedSite
) -> None:
    clock = Clock()
    client = ServiceClient(internet.client(), clock=clock)
    search_site.answers["*"] = ScriptedResponse(body=b"{}")
    for _ in range(3):
        assert (await client.get(f"{SEARCH}/a", "x")).body == b"{}"
    assert len(search_site.received) == 1
    await client.get(f"{SEARCH}/b", "x")
    await client.get(f"{SEARCH}/a", "another form")
    assert len(search_site.received) == 3
    clock.now = REMEMBERED_SECONDS + 1
    await client.get(f"{SEARCH}/a", "x")
    assert len(search_site.received) == 4


async def test_failures_and_large_answers_are_not_remembered(
    internet: ScriptedInternet, search_site: ScriptedSite
) -> None:
    client = ServiceClient(internet.client())
    search_site.answers["/bad"] = ScriptedResponse(404)
    search_site.answers["/worse"] = ScriptedResponse(500)
    search_site.answers["/large"] = ScriptedResponse(body=b"x" * (MOST_REMEMBERED_BYTES + 1))
    for _ in range(2):
        assert (await client.get(f"{SEARCH}/bad", "x")).status == 404
        with pytest.raises(GeoServiceFailed):
            await client.get(f"{SEARCH}/worse", "x")
        await client.get(f"{SEARCH}/large", "x")
    assert len(search_site.received) == 6


async def test_only_so_much_is_remembered(internet: ScriptedInternet, search_site: ScriptedSite) -> None:
    client = ServiceClient(internet.client())
    search_site.answers["*"] = ScriptedResponse(body=b"{}")
    for number in range(MOST_REMEMBERED + 1):
        await client.get(f"{SEARCH}/{number}", "x")
    await client.get(f"{SEARCH}/{MOST_REMEMBERED}", "x")
    assert len(search_site.received) == MOST_REMEMBERED + 1, "the newest is there"
    await client.get(f"{SEARCH}/0", "x")
    assert len(search_site.received) == MOST_REMEMBERED + 2, "the oldest is not"


class BlockingHttp(GuardedClient):
    """Counts requests in flight and answers none before `gate` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = self.most = 0
        self.arrived: asyncio.Queue[str] = asyncio.Queue()
        self.gate = asyncio.Event()

    async def request(self, method: str, url: str, **options: Any) -> Response:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.arrived.put_nowait(url)
        await self.gate.wait()
        self.inside -= 1
        return Response(200, url, {}, b"{}")


async def test_two_at_a_time_for_each_host() -> None:
    http = BlockingHttp()
    client = ServiceClient(http)
    asking = [asyncio.create_task(client.get(f"{SEARCH}/{number}", "x")) for number in range(5)]
    elsewhere = asyncio.create_task(client.get("http://other.example.org/", "x"))
    for _ in range(AT_ONCE + 1):
        await http.arrived.get()
    assert http.most == AT_ONCE + 1, "the other host does not wait for this one"
    http.gate.set()
    await asyncio.gather(*asking, elsewhere)
    await client.aclose()


async def test_only_so_many_wait_and_the_others_are_told_to_come_back() -> None:
    http = BlockingHttp()
    client = ServiceClient(http)
    asking = [asyncio.create_task(client.get(f"{SEARCH}/{number}", "x")) for number in range(AT_ONCE + MOST_WAITING)]
    for _ in range(AT_ONCE):
        await http.arrived.get()
    late = asyncio.create_task(client.get(f"{SEARCH}/one-too-many", "x"))
    elsewhere = asyncio.create_task(client.get("http://other.example.org/", "x"))
    assert await http.arrived.get() == "http://other.example.org/", "another service has a queue of its own"
    assert late.done(), "it does not wait"
    with pytest.raises(GeoServiceFailed, match=r"search\.example\.org is busy") as caught:
        await late
    assert caught.value.again
    given_up = asking.pop()
    given_up.cancel()
    await asyncio.wait([given_up])
    asking += [elsewhere, asyncio.create_task(client.get(f"{SEARCH}/in-its-place", "x"))]
    http.gate.set()
    await asyncio.gather(*asking)
    assert (await client.get(f"{SEARCH}/later", "x")).ok, "whoever has left does not count any more"
    await client.aclose()


async def test_an_answer_may_be_as_large_as_whoever_asks_expects(
    internet: ScriptedInternet, search_site: ScriptedSite
) -> None:
    client = ServiceClient(internet.client())
    search_site.answers["*"] = ScriptedResponse(body=b"x" * (MOST_BYTES + 1))
    with pytest.raises(GeoServiceFailed, match="does not answer"):
        await client.get(f"{SEARCH}/a", "x")
    assert (await client.get(f"{SEARCH}/a", "x", most_bytes=MOST_BYTES + 1)).ok


async def test_the_same_question_at_the_same_time_waits_for_its_answer() -> None:
    http = BlockingHttp()
    client = ServiceClient(http)
    asking = [asyncio.create_task(client.get(f"{SEARCH}/same", "x")) for _ in range(6)]
    await http.arrived.get()
    http.gate.set()
    await asyncio.gather(*asking)
    assert http.arrived.qsize() < AT_ONCE, "the others find what was answered"
    await client.aclose()


async def test_an_address_that_is_none_is_said_at_the_start() -> None:
    with pytest.raises(ConfigurationError, match="WORKROOM_OEREB_URL"):
        ServiceClient.open("WORKROOM_OEREB_URL", ["http://user:secret@example.org"])


async def test_a_service_of_ones_own_network_is_allowed_by_naming_it() -> None:
    site = await ScriptedSite.start()
    site.answers["*"] = ScriptedResponse(body=b"{}")
    address = f"http://127.0.0.1:{site.port}"
    named = ServiceClient.open("WORKROOM_GEO_SEARCH_URL", [f"{address}/search"])
    assert (await named.get(f"{address}/search", "x")).ok
    other = ServiceClient.open("WORKROOM_GEO_SEARCH_URL", ["https://api3.geo.admin.ch"])
    with pytest.raises(GeoServiceFailed, match="cannot be asked"):
        await other.get(f"{address}/search", "x")
    for client in (named, other):
        await client.aclose()
    await site.aclose()
