"""Parses untrusted text into a canonical URL, or refuses it. Pure: no lookups.

`parse_url` parses, `check_url` also checks a literal IP address. A name is checked when it is resolved, by `backend`. The
canonical text of a URL parses to itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

from workroom.net.addresses import AddressScope, IPAddress, classify
from workroom.net.errors import AddressRefused, UrlRefused
from workroom.net.hosts import canonical_host, host_text

MAX_URL_LENGTH = 8192
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SHAPE = re.compile(r"(?P<scheme>[^:/?#]+)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#.*)?")
_AUTHORITY = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]*))?")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNSEEN = ("C", "Z")  # Unicode's control, format, unassigned and surrogate characters, and all kinds of space


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port: the unit that a token belongs to and that an administrator may allow."""

    scheme: str
    host: str | IPAddress
    port: int

    @classmethod
    def parse(cls, text: str) -> Origin:
        """Parse an administrator's setting, for example `http://localhost:11434`."""
        url = parse_url(text)
        if url.target != "/":
            raise UrlRefused("Give only scheme, host and port of an allowed address, without a path.")
        return url.origin

    @property
    def netloc(self) -> str:
        host = host_text(self.host)
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


@dataclass(frozen=True)
class CheckedUrl:
    """A URL in canonical form. Messages show the origin only, never `str()` of it."""

    origin: Origin
    target: str
    """Path and query, percent-encoded, without the fragment, which is never sent."""

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"


def check_url(text: str, *, allowed_private: frozenset[Origin] = frozenset()) -> CheckedUrl:
    """Parse, and refuse an address literal that is not global, unless exactly this origin is allowed."""
    url = parse_url(text)
    if not isinstance(url.origin.host, str):
        check_address(url.origin.host, host=str(url.origin.host), private=url.origin in allowed_private)
    return url


def check_address(address: IPAddress, *, host: str, private: bool = False) -> None:
    """Refuse the `address` of `host` unless it is global, or private where that is allowed."""
    address_class = classify(address)
    if address_class.scope is AddressScope.GLOBAL or (private and address_class.scope is AddressScope.PRIVATE):
        return
    # The address behind a name is not shown: that would map the internal network.
    sentence = f"{host} is {address_class.kind}." if host == str(address) else f"{host} leads to {address_class.kind}."
    raise AddressRefused(
        f"{sentence} Only the public internet is opened; an administrator can allow a service of the internal network by its "
        "exact address."
        if address_class.scope is AddressScope.PRIVATE
        else f"{sentence} That is never opened."
    )


def parse_url(text: str) -> CheckedUrl:
    """Parse a URL strictly. Error messages do not repeat the text: it may contain a password."""
    if len(text) > MAX_URL_LENGTH:
        raise UrlRefused(f"The address is longer than {MAX_URL_LENGTH} characters.")
    if any(char == "\\" or unicodedata.category(char).startswith(_UNSEEN) for char in text):
        raise UrlRefused("The address contains a backslash, a space or an invisible character. Remove it.")
    shape = _SHAPE.fullmatch(text)
    scheme = shape["scheme"].lower() if shape else ""
    if shape is None or scheme not in _DEFAULT_PORTS:
        raise UrlRefused("Only addresses that begin with http:// or https:// are opened.")
    if "@" in shape["authority"]:
        raise UrlRefused("The address contains a user name or password before an @. Remove it.")
    authority = _AUTHORITY.fullmatch(shape["authority"])
    if authority is None:
        raise UrlRefused("The host of the address is not a valid name, or its port is not a number.")
    origin = Origin(scheme, canonical_host(authority["host"]), _port(authority["port"], scheme))
    query = "" if shape["query"] is None else "?" + _encoded(shape["query"])
    url = CheckedUrl(origin, (_encoded(shape["path"]) or "/") + query)
    if len(str(url)) > MAX_URL_LENGTH:
        raise UrlRefused(f"The address is longer than {MAX_URL_LENGTH} characters.")
    return url


def _port(text: str | None, scheme: str) -> int:
    if not text:
        return _DEFAULT_PORTS[scheme]
    if len(text) > 5 or not 1 <= int(text) <= 65535:
        raise UrlRefused("The port of the address must be between 1 and 65535.")
    return int(text)


def _encoded(text: str) -> str:
    # Existing escapes stay: decoding them would change the request.
    return quote(_BARE_PERCENT.sub("%25", text), safe="%/?:@!$&'()*+,;=-._~")
