"""Canonical form of the host of a URL: the one that is checked, resolved, connected to and sent as `Host`.

Parses addresses as the C library does (`inet_aton`: 2130706433, 0177.0.0.1, 0x7f.1, 127.1), since some resolvers do.
Whether the address may be reached is decided by `addresses`.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

import idna

from workroom.net.addresses import IPAddress
from workroom.net.errors import UrlRefused

MAX_HOST_LENGTH = 253
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_HEX_OR_OCTAL = re.compile(r"0x(?P<hex>[0-9a-f]*)|0(?P<octal>[0-7]*)|(?P<decimal>[1-9][0-9]*)")


def canonical_host(text: str) -> str | IPAddress:
    """A lower-case ASCII name without trailing dot, or the IP address that `text` means. IPv6 is in brackets."""
    if not text:
        raise UrlRefused("The address names no host.")
    if text.startswith("["):
        return _bracketed(text)
    if "%" in text:
        raise UrlRefused("The host of an address may not be percent-encoded. Write it out.")
    name = _ascii_name(text)
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    if len(name) > MAX_HOST_LENGTH or not all(map(_LABEL.fullmatch, labels)):
        raise UrlRefused("The host of the address is not a valid name.")
    return name


def host_text(host: str | IPAddress) -> str:
    """The host as it stands in a URL and in a `Host` header."""
    return f"[{host.compressed}]" if isinstance(host, IPv6Address) else str(host)


def _bracketed(text: str) -> IPv6Address:
    if "%" in text:
        raise UrlRefused("An IPv6 address with a zone cannot be reached from here.")
    try:
        if not text.endswith("]"):
            raise AddressValueError
        return IPv6Address(text[1:-1])
    except AddressValueError:
        raise UrlRefused("What stands in brackets is not an IPv6 address.") from None


def _ascii_name(text: str) -> str:
    # Before anything else: mapping a very long name costs quadratic time.
    if len(text) > MAX_HOST_LENGTH + 1:
        raise UrlRefused("The host of the address is too long.")
    if text.isascii():
        return text.lower().removesuffix(".")
    try:
        # Maps full-width digits and the ideographic full stop first, so that the mapped form is checked.
        return idna.encode(text, uts46=True).decode("ascii").lower().removesuffix(".")
    except (idna.IDNAError, UnicodeError):
        raise UrlRefused("The host of the address is not a valid international name.") from None


def _ipv4(labels: list[str]) -> IPv4Address:
    """`inet_aton`: one to four numbers, each decimal, octal or hexadecimal; the last one fills the remaining bytes."""
    numbers = [_number(label) for label in labels]
    *heads, last = numbers
    if len(numbers) > 4 or any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        raise UrlRefused("The host of the address ends in a number, but is not an IPv4 address.")
    value = last
    for position, head in enumerate(heads):
        value += head << (8 * (3 - position))
    return IPv4Address(value)


def _number(label: str) -> int:
    match = _HEX_OR_OCTAL.fullmatch(label)
    if match is None or len(label) > 64:
        raise UrlRefused("The host of the address ends in a number, but is not an IPv4 address.")
    if match["hex"] is not None:
        return int(match["hex"] or "0", 16)
    if match["octal"] is not None:
        return int(match["octal"] or "0", 8)
    return int(match["decimal"])
