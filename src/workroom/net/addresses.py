"""Classifies IP addresses by whether the product may connect to them. Pure: no names, no lookups, no sockets.

An own table, because `ipaddress.is_global` depends on the Python version and does not look inside the IPv6 forms that
carry an IPv4 address. Source: the IANA special-purpose registries; for IPv6 the rule is the other way round, only
2000::/3 is handed out as global unicast at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

IPAddress = IPv4Address | IPv6Address


class AddressScope(Enum):
    """Who can be reached at an address."""

    GLOBAL = "global"
    PRIVATE = "private"
    """Inside someone's network or machine: only for an origin that an administrator allowed."""
    NEVER = "never"
    """Metadata services and addresses that name no single host: not even for an allowed origin."""


@dataclass(frozen=True)
class AddressClass:
    scope: AddressScope
    kind: str
    """What the address is, as part of a sentence: "a loopback address"."""


_GLOBAL = AddressClass(AddressScope.GLOBAL, "a global address")

_METADATA: frozenset[IPAddress] = frozenset(
    {
        IPv4Address("168.63.129.16"),  # Azure's wire server: a public number, answered by the machine's own host
        IPv4Address("100.100.100.200"),  # Alibaba
        IPv4Address("192.0.0.192"),  # Oracle
        IPv6Address("fd00:ec2::254"),  # AWS
        IPv6Address("fd20:ce::254"),  # Google
    }
)

_V4_TABLE: tuple[tuple[IPv4Network, AddressClass], ...] = tuple(
    (IPv4Network(network), AddressClass(scope, kind))
    for network, scope, kind in (
        ("0.0.0.0/8", AddressScope.NEVER, "an address of “this network”"),
        ("10.0.0.0/8", AddressScope.PRIVATE, "a private address"),
        ("100.64.0.0/10", AddressScope.PRIVATE, "a carrier's shared address"),
        ("127.0.0.0/8", AddressScope.PRIVATE, "a loopback address"),
        ("169.254.0.0/16", AddressScope.NEVER, "a link-local address"),
        ("172.16.0.0/12", AddressScope.PRIVATE, "a private address"),
        ("192.0.0.0/24", AddressScope.NEVER, "a protocol address"),
        ("192.0.2.0/24", AddressScope.NEVER, "a documentation address"),
        ("192.88.99.0/24", AddressScope.NEVER, "an address of the former 6to4 relays"),
        ("192.168.0.0/16", AddressScope.PRIVATE, "a private address"),
        ("198.18.0.0/15", AddressScope.NEVER, "a benchmarking address"),
        ("198.51.100.0/24", AddressScope.NEVER, "a documentation address"),
        ("203.0.113.0/24", AddressScope.NEVER, "a documentation address"),
        ("224.0.0.0/4", AddressScope.NEVER, "a multicast address"),
        ("240.0.0.0/4", AddressScope.NEVER, "a reserved address"),
    )
)

_V6_TABLE: tuple[tuple[IPv6Network, AddressClass], ...] = tuple(
    (IPv6Network(network), AddressClass(scope, kind))
    for network, scope, kind in (
        ("::1/128", AddressScope.PRIVATE, "a loopback address"),
        ("::/128", AddressScope.NEVER, "the unspecified address"),
        ("fc00::/7", AddressScope.PRIVATE, "a private address"),
        ("fe80::/10", AddressScope.NEVER, "a link-local address"),
        ("fec0::/10", AddressScope.NEVER, "a site-local address"),
        ("ff00::/8", AddressScope.NEVER, "a multicast address"),
        # NAT64 for local use puts the IPv4 address where its operator likes: not to be decoded from outside.
        ("64:ff9b:1::/48", AddressScope.NEVER, "a local NAT64 address"),
        ("2001:db8::/32", AddressScope.NEVER, "a documentation address"),
        ("3fff::/20", AddressScope.NEVER, "a documentation address"),
    )
)

_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_PROTOCOLS = IPv6Network("2001::/23")
_UNICAST = IPv6Network("2000::/3")
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
_LOW_32 = 0xFFFF_FFFF


def classify(address: IPAddress) -> AddressClass:
    """The scope of `address`. An IPv6 address that embeds an IPv4 address is classified by that one, too."""
    if address in _METADATA:
        return AddressClass(AddressScope.NEVER, "the address of a cloud's metadata service")
    if isinstance(address, IPv4Address):
        return next((verdict for network, verdict in _V4_TABLE if address in network), _GLOBAL)
    if address.scope_id is not None:
        return AddressClass(AddressScope.NEVER, "an address of one interface")
    for network, verdict in _V6_TABLE:
        if address in network:
            return verdict
    embedded = _embedded_ipv4(address)
    embedded_class = next(
        (verdict for verdict in map(classify, embedded) if verdict.scope is not AddressScope.GLOBAL), None
    )
    if embedded_class is not None:
        # An allowed private host is configured by its plain address; an IPv6 form of it is an attempt to get around the check.
        return AddressClass(AddressScope.NEVER, f"an IPv6 form of {embedded_class.kind}")
    if address in _MAPPED or address in _NAT64 or address in _TEREDO:
        return _GLOBAL
    if address in _PROTOCOLS:
        return AddressClass(AddressScope.NEVER, "a protocol address")
    if address not in _UNICAST:
        return AddressClass(AddressScope.NEVER, "not an address of the public internet")
    return _GLOBAL


def is_global(address: IPAddress) -> bool:
    return classify(address).scope is AddressScope.GLOBAL


def _embedded_ipv4(address: IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses that packets to this IPv6 address may end up at."""
    number = int(address)
    low = IPv4Address(number & _LOW_32)
    if address in _MAPPED or address in _NAT64 or number >> 32 == 0:
        return [low]
    if address in _SIX_TO_FOUR:
        return [IPv4Address((number >> 80) & _LOW_32)]
    if address in _TEREDO:
        server, client = (number >> 64) & _LOW_32, (number & _LOW_32) ^ _LOW_32
        return [IPv4Address(server), IPv4Address(client)]
    if (number >> 32) & _LOW_32 in _ISATAP:
        return [low]
    return []
