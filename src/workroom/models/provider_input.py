"""What people enter about a provider, checked: names, addresses, keys, descriptions of models. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.errors import Conflict, InvalidInput, OutgoingRefused
from workroom.models.connection import is_inside
from workroom.models.ports import PrivateForbidden
from workroom.models.types import OwnModel, ProviderKind
from workroom.net.urls import check_url, parse_url

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")  # fits the key of a rule: `model.<provider>/<model>`
KEY = re.compile(r"[\x21-\x7e]{0,4000}")  # what a header takes
RESERVED = frozenset({"embedded", "none", *(kind.value for kind in ProviderKind)})
MOST_MODELS = 500
MOST_TOKENS = 100_000_000


def checked_name(kind: ProviderKind, name: str) -> str:
    """The three providers we know have their names; others must not take them."""
    if kind is not ProviderKind.ENDPOINT:
        if name not in ("", kind.value):
            raise InvalidInput(f"The name of this provider is {kind.value}.", field="name")
        return kind.value
    if not NAME.fullmatch(name):
        raise InvalidInput("A name has 1 to 40 characters: a-z, 0-9 and hyphens between them.", field="name")
    if name in RESERVED:
        raise InvalidInput(f"The name {name} has a meaning of its own. Choose another one.", field="name")
    return name


def checked_url(kind: ProviderKind, url: str | None, *, private: bool, private_allowed: bool) -> str | None:
    """An address inside the own network only where that is allowed and said explicitly; a metadata service not even then."""
    if kind is not ProviderKind.ENDPOINT:
        if url is not None:
            raise InvalidInput("Only a server of your own has an address to enter.", field="baseUrl")
        return None
    if url is None:
        raise InvalidInput("Enter the address of the server, such as http://127.0.0.1:11434/v1.", field="baseUrl")
    try:
        parsed = parse_url(url)
        if not private_allowed and (private or is_inside(url)):
            raise PrivateForbidden
        if not private and is_inside(url):
            raise Conflict(
                "This address is inside your own network. Confirm that requests may be sent there.",
                code="privateAddress",
                field="baseUrl",
            )
        check_url(url, allowed_private=frozenset({parsed.origin}))
    except OutgoingRefused as error:
        raise InvalidInput(error.message, field="baseUrl") from None
    if "?" in parsed.target:
        raise InvalidInput("Enter the address without anything after a question mark.", field="baseUrl")
    return str(parsed).rstrip("/")


def checked_key(key: str) -> str:
    cleaned = key.strip()
    if not KEY.fullmatch(cleaned):
        raise InvalidInput("A key has letters, digits and signs without spaces. Copy it again.", field="key")
    return cleaned


def checked_models(models: Sequence[OwnModel]) -> Sequence[OwnModel]:
    if len(models) > MOST_MODELS:
        raise InvalidInput(f"A provider has at most {MOST_MODELS} models of its own here.", field="models")
    if len({model.name for model in models}) != len(models):
        raise InvalidInput("Each model may be named once.", field="models")
    for model in models:
        if not MODEL.fullmatch(model.name):
            raise InvalidInput("The name of a model has letters, digits and . _ : / @ + - in it.", field="models")
        if not (1 <= model.output_tokens <= model.context_tokens <= MOST_TOKENS):
            raise InvalidInput("A model reads at least one token, and writes no more than it reads.", field="models")
    return tuple(models)
