"""The table of addresses, row by row: first and last of each block, and the neighbours that are not in it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.net.addresses import AddressScope, classify, is_global

GLOBAL = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "203.0.114.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001::1",
    "::ffff:93.184.216.34",
    "64:ff9b::93.184.216.34",
    "2002:5db8:d822::1",
    "2001:0:5db8:d822:0:0:a247:27dd",  # Teredo: server and client are both 93.184.216.34
]

PRIVATE = [
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "127.0.0.0",
    "127.0.0.1",
    "127.255.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.168.0.0",
    "192.168.255.255",
    "::1",
    "fc00::",
    "fdff:ffff::1",
]

NEVER = [
    "0.0.0.0",
    "0.255.255.255",
    "169.254.0.0",
    "169.254.169.254",
    "169.254.255.255",
    "192.0.0.0",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.0.255",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "100.100.100.200",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::",
    "::2",
    "::127.0.0.1",
    "::93.184.216.34",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::5db8:d822",
    "64:ff9b:1:a9fe:a9:fe00::",
    "100::1",
    "2001::1",
    "2001:0:5db8:d822:0:0:80ff:fffe",  # Teredo client 127.0.0.1
    "2001:0:7f00:1:0:0:a247:27dd",  # Teredo server 127.0.0.1
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:1ff::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101::1",
    "2606:2800:220:1:0:5efe:10.0.0.1",
    "2606:2800:220:1:200:5efe:127.0.0.1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fe80::1",
    "febf::1",
    "fe80::1%eth0",
    "2606:2800:220:1::1%eth0",
    "fec0::1",
    "feff::1",
    "ff02::1",
    "ffff::1",
]


@pytest.mark.parametrize("text", GLOBAL)
def test_the_public_internet(text: str) -> None:
    assert classify(ip_address(text)).scope is AddressScope.GLOBAL


@pytest.mark.parametrize("text", PRIVATE)
def test_the_own_network(text: str) -> None:
    assert classify(ip_address(text)).scope is AddressScope.PRIVATE


@pytest.mark.parametrize("text", NEVER)
def test_what_is_never_opened(text: str) -> None:
    verdict = classify(ip_address(text))
    assert verdict.scope is AddressScope.NEVER
    assert verdict.kind


@given(st.ip_addresses(v=4))
def test_every_ipv6_dress_of_an_ipv4_address_is_judged_by_what_it_hides(address: IPv4Address) -> None:
    number = int(address)
    dresses = [
        0xFFFF << 32 | number,
        0x64FF9B << 96 | number,
        0x2002 << 112 | number << 80 | 1,
        0x2001_0000 << 96 | number << 64 | 0xA247_27DD,
        0x2001_0000 << 96 | 0x5DB8_D822 << 64 | number ^ 0xFFFF_FFFF,
    ]
    for dress in dresses:
        assert is_global(IPv6Address(dress)) is is_global(address)


@given(st.ip_addresses())
def test_nothing_is_global_here_that_python_knows_to_be_special(address: IPv4Address | IPv6Address) -> None:
    if is_global(address) and getattr(address, "ipv4_mapped", None) is None:
        assert not address.is_private
        assert not address.is_multicast
        assert not address.is_unspecified
        assert not address.is_loopback
        assert not address.is_link_local
