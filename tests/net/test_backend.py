"""The guard at the socket: one lookup, all answers checked, a connection to one of exactly those."""

from __future__ import annotations

import asyncio
import socket

import httpcore2
import pytest

from workroom.net.addresses import IPAddress
from workroom.net.backend import GuardedBackend, NameNotFound
from workroom.net.errors import AddressRefused
from workroom.net.system import SystemResolver
from workroom.net.testing import InMemoryResolver, ScriptedInternet
from workroom.net.urls import Origin

GOOD, OTHER = "93.184.216.34", "93.184.216.35"


class SilentResolver:
    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        await asyncio.Event().wait()
        raise AssertionError


class FailingResolver:
    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def guarded(internet: ScriptedInternet, private_for: str | None = None) -> GuardedBackend:
    only = None if private_for is None else Origin.parse(private_for)
    return GuardedBackend(internet.resolver, internet.connector, private_for=only)


async def test_one_lookup_and_the_checked_address(internet: ScriptedInternet) -> None:
    await internet.site("example.org", GOOD)
    stream = await guarded(internet).connect_tcp("example.org", 80)
    await stream.aclose()
    assert internet.resolver.asked == ["example.org"]
    assert internet.connector.opened == [GOOD]


@pytest.mark.parametrize("bad", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"])
async def test_one_bad_address_spoils_the_whole_answer(internet: ScriptedInternet, bad: str) -> None:
    await internet.site("example.org", GOOD)
    for answer in ([GOOD, bad], [bad, GOOD]):
        internet.resolver.answer("example.org", answer)
        with pytest.raises(AddressRefused) as caught:
            await guarded(internet).connect_tcp("example.org", 80)
        assert "example.org leads to" in caught.value.message
        assert bad not in caught.value.message
    assert internet.connector.opened == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "169.254.169.254", "0.0.0.0"])
async def test_an_address_needs_no_lookup_to_be_refused(internet: ScriptedInternet, host: str) -> None:
    with pytest.raises(AddressRefused):
        await guarded(internet).connect_tcp(host, 80)
    assert (internet.resolver.asked, internet.connector.opened) == ([], [])


async def test_the_next_address_is_tried_without_asking_again(internet: ScriptedInternet) -> None:
    await internet.site("example.org", GOOD)
    internet.resolver.answer("example.org", [OTHER, GOOD], ["127.0.0.1"])
    stream = await guarded(internet).connect_tcp("example.org", 80)
    await stream.aclose()
    assert internet.connector.opened == [OTHER, GOOD]
    assert internet.resolver.asked == ["example.org"]


async def test_when_no_address_answers_the_last_failure_is_told(internet: ScriptedInternet) -> None:
    internet.resolver.answer("example.org", [GOOD, OTHER])
    with pytest.raises(httpcore2.ConnectError, match="nobody there"):
        await guarded(internet).connect_tcp("example.org", 80)
    assert internet.connector.opened == [GOOD, OTHER]


async def test_an_unknown_name(internet: ScriptedInternet) -> None:
    with pytest.raises(NameNotFound):
        await guarded(internet).connect_tcp("nowhere.example", 80)
    with pytest.raises(NameNotFound):
        await GuardedBackend(FailingResolver(), internet.connector).connect_tcp("nowhere.example", 80)


async def test_the_lookup_counts_as_connecting(internet: ScriptedInternet) -> None:
    with pytest.raises(httpcore2.ConnectTimeout):
        await GuardedBackend(SilentResolver(), internet.connector).connect_tcp("example.org", 80, timeout=0.01)


class SilentConnector:
    """The first address never answers, the others do not exist."""

    def __init__(self) -> None:
        self.shares: list[float | None] = []

    async def connect(self, address: IPAddress, port: int, timeout: float | None) -> httpcore2.AsyncNetworkStream:
        self.shares.append(timeout)
        raise httpcore2.ConnectTimeout


async def test_each_address_gets_its_share_of_the_time() -> None:
    resolver, connector = InMemoryResolver(), SilentConnector()
    resolver.answer("example.org", [GOOD, OTHER])
    with pytest.raises(httpcore2.ConnectTimeout):
        await GuardedBackend(resolver, connector).connect_tcp("example.org", 80, timeout=100)
    first, second = connector.shares
    assert first is not None
    assert second is not None
    assert first <= 50 < second <= 100


async def test_sockets_of_this_machine_are_not_opened(internet: ScriptedInternet) -> None:
    with pytest.raises(AddressRefused):
        await guarded(internet).connect_unix_socket("/run/docker.sock")


async def test_an_allowed_origin_may_be_in_the_own_network(internet: ScriptedInternet) -> None:
    await internet.site("searx.internal", "10.0.0.7", port=8080)
    stream = await guarded(internet, "http://searx.internal:8080").connect_tcp("searx.internal", 8080)
    await stream.aclose()
    assert internet.connector.opened == ["10.0.0.7"]


@pytest.mark.parametrize(("host", "port"), [("searx.internal", 8081), ("db.internal", 8080), ("10.0.0.7", 8080)])
async def test_an_allowed_origin_opens_nothing_else(internet: ScriptedInternet, host: str, port: int) -> None:
    internet.resolver.answer(host, ["10.0.0.7"])
    with pytest.raises(AddressRefused):
        await guarded(internet, "http://searx.internal:8080").connect_tcp(host, port)
    assert internet.connector.opened == []


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254", "0.0.0.0", "::ffff:127.0.0.1"])
async def test_an_allowed_name_must_not_lead_to_metadata(internet: ScriptedInternet, address: str) -> None:
    internet.resolver.answer("searx.internal", [address])
    with pytest.raises(AddressRefused):
        await guarded(internet, "http://searx.internal:8080").connect_tcp("searx.internal", 8080)
    assert internet.connector.opened == []


async def test_the_systems_own_resolver_answers_with_addresses() -> None:
    resolver = SystemResolver()
    assert all(address.is_loopback for address in await resolver.resolve("127.0.0.1", 80))
    assert [str(address) for address in await resolver.resolve("127.1", 80)] == ["127.0.0.1"]
    resolver.close()
