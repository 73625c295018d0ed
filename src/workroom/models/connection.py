"""A provider one can call: its address, its key, and which address inside the own network its client may open."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from workroom.core.errors import ConfigurationError, OutgoingRefused
from workroom.models.types import Provider, ProviderKind
from workroom.net.addresses import AddressScope, classify
from workroom.net.urls import Origin, parse_url
from workroom.settings import Settings

PUBLIC = {
    ProviderKind.OPENAI: "https://api.openai.com/v1",
    ProviderKind.ANTHROPIC: "https://api.anthropic.com",
    ProviderKind.GOOGLE: "https://generativelanguage.googleapis.com",
}
LABELS = {ProviderKind.OPENAI: "OpenAI", ProviderKind.ANTHROPIC: "Anthropic", ProviderKind.GOOGLE: "Google"}
HINT = 4
_INSIDE = (".local", ".localhost", ".internal", ".lan", ".home.arpa")


@dataclass(frozen=True)
class Connection:
    provider: Provider
    url: str
    key: str = field(default="", repr=False)
    allowed_private: frozenset[Origin] = frozenset()
    forbidden: bool = False  # in the operator's network, which is not this administrator's to open

    @property
    def usable(self) -> bool:
        return self.provider.usable

    @property
    def own_server(self) -> bool:
        """Whether it stands in the own network: then it costs nothing."""
        return self.provider.kind is ProviderKind.ENDPOINT and is_inside(self.url)


def hosted(provider: Provider, key: str, settings: Settings) -> Connection:
    """One of the three we know by name, where it is or where the settings say it is."""
    instead = {
        ProviderKind.OPENAI: settings.openai_url,
        ProviderKind.ANTHROPIC: settings.anthropic_url,
        ProviderKind.GOOGLE: settings.google_url,
    }[provider.kind]
    if instead is None:
        return Connection(provider, PUBLIC[provider.kind], key)
    return Connection(provider, instead, key, named_origin(f"WORKROOM_{provider.kind.upper()}_URL", instead))


def endpoint(provider: Provider, key: str, *, private_allowed: bool) -> Connection:
    """A stored address. Inside the own network only where an administrator said so and may, and then exactly this origin."""
    assert provider.base_url is not None
    if not provider.private:
        return Connection(provider, provider.base_url, key)
    if not private_allowed:
        return Connection(provider, provider.base_url, key, forbidden=True)
    return Connection(provider, provider.base_url, key, frozenset({parse_url(provider.base_url).origin}))


def named_origin(setting: str, url: str) -> frozenset[Origin]:
    """Naming an address in the settings is how an operator allows it, also inside their own network."""
    try:
        return frozenset({parse_url(url).origin})
    except OutgoingRefused as error:
        raise ConfigurationError(f"{setting} is not usable: {error.message}") from None


def bound_to(mandate_id: UUID, provider: Provider) -> str:
    """What a key is sealed for. With another address it does not open: it cannot be pointed at another server."""
    where = str(parse_url(provider.base_url).origin) if provider.base_url else ""
    return f"{mandate_id}/{provider.id}/{where}"


def is_inside(url: str) -> bool:
    """Written as an address, or as a name, that only exists inside a network."""
    host = parse_url(url).origin.host
    if isinstance(host, str):
        return "." not in host or host.endswith(_INSIDE)
    return classify(host).scope is not AddressScope.GLOBAL


def hint(key: str) -> str:
    """Enough to tell two keys apart, and nothing of a short one."""
    return key[-HINT:] if len(key) >= 4 * HINT else ""
