"""Providers that work without anything being set up: those whose key or address is in the environment of the process.

They serve everybody of this installation; a stored provider of the same name stands in the place of one of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import SecretStr

from workroom.models.connection import LABELS, Connection, hint, hosted, is_inside, named_origin
from workroom.models.types import OwnModel, Provider, ProviderKind
from workroom.settings import Settings

OWN_SERVER = "local"  # the name of the server whose address is in the settings
ANY_MODEL = "default"  # asked for where the settings name no model: servers with one model answer to any name


def from_environment(settings: Settings) -> Sequence[Connection]:
    """The most deliberate choice first."""
    found = [] if settings.model_url is None else [_own_server(settings, settings.model_url)]
    if settings.environment_keys:
        keys = {
            ProviderKind.OPENAI: settings.openai_api_key,
            ProviderKind.ANTHROPIC: settings.anthropic_api_key,
            ProviderKind.GOOGLE: settings.google_api_key,
        }
        found += [_of_key(kind, key, settings) for kind, key in keys.items() if key is not None]
    return found


def require_usable(settings: Settings) -> None:
    """Say at the start that an address is wrong, not to the first person who asks something."""
    for kind in LABELS:
        hosted(Provider(kind.value, kind, LABELS[kind]), "", settings)
    from_environment(settings)


def _own_server(settings: Settings, url: str) -> Connection:
    allowed = named_origin("WORKROOM_MODEL_URL", url)
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    provider = Provider(
        OWN_SERVER,
        ProviderKind.ENDPOINT,
        OWN_SERVER,  # not the address: everybody sees the label
        url,
        models=(OwnModel(settings.model or ANY_MODEL),),
        private=is_inside(url),
        key_hint=hint(key),
        has_key=bool(key),
    )
    return Connection(provider, url, key, allowed)


def _of_key(kind: ProviderKind, key: SecretStr, settings: Settings) -> Connection:
    text = key.get_secret_value().strip()
    return hosted(Provider(kind.value, kind, LABELS[kind], key_hint=hint(text), has_key=True), text, settings)
