"""Asking a provider which models it has: that is how a connection is tested, and how local servers are recognised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.models.connection import Connection
from workroom.models.environment import ANY_MODEL
from workroom.models.ports import ModelFailed
from workroom.models.provider_input import MODEL
from workroom.models.provider_words import provider_words
from workroom.models.types import Provider, ProviderKind
from workroom.net import GuardedClient
from workroom.net.errors import HostUnknown, InvalidResponse, OutgoingFailed, TimedOut, TlsFailed, Unreachable
from workroom.net.responses import Response

MAX_BYTES = 2_000_000
SECONDS = 15.0
ANTHROPIC_VERSION = "2023-06-01"
REFUSED = (401, 403)
BUSY = 429


class ProviderTestFailed(ModelFailed):
    """A provider did not stand its test. The code says why: the key, the address, the protocol, or a model's name."""

    status = 409


async def listed_models(
    connection: Connection, client: GuardedClient, *, seconds: float = SECONDS
) -> Mapping[str, Mapping[str, Any]]:
    """What the provider's list has of each model, by name, in the order given. Raises ProviderTestFailed."""
    answer = await _get(connection, client, _list_path(connection), seconds)
    words = _quoted(answer, connection)
    label = connection.provider.label
    if answer.status in REFUSED:
        raise ProviderTestFailed(
            f"{label} refuses this key. Enter another one.", again=False, code="keyRefused", details=words
        )
    if answer.status == BUSY:
        raise ProviderTestFailed(
            f"{label} takes no more requests at the moment. Try again later.",
            again=True,
            code="modelBusy",
            details={"provider": label} | words,
        )
    if answer.status >= 500:
        raise ProviderTestFailed(
            f"{label} has a problem of its own ({answer.status}). Try again later.",
            again=True,
            code="modelUnavailable",
            details={"provider": label} | words,
        )
    models = _models(_json(answer)) if answer.ok else None
    if models is None:
        raise ProviderTestFailed(
            f"{label} answers with status {answer.status}, but not with a list of models. Look whether "
            "the address is complete: most end in /v1.",
            again=False,
            code="noModelList",
            details=words,
        )
    return models


async def require_named_models(connection: Connection, client: GuardedClient, listed: list[str]) -> None:
    """ProviderTestFailed when a model that was named is neither in the list nor known to the provider by another name."""
    for model in connection.provider.models:
        if model.name == ANY_MODEL or model.name in listed or f"{model.name}:latest" in listed:
            continue
        path = _list_path(connection).partition("?")[0]
        if not (await _get(connection, client, f"{path}/{quote(model.name)}", SECONDS)).ok:
            raise ProviderTestFailed(
                f"{connection.provider.label} has no model {model.name}. It has: {', '.join(listed[:20]) or 'none'}.",
                again=False,
                code="noSuchModel",
                details={"model": model.name},
            )


async def _get(connection: Connection, client: GuardedClient, path: str, seconds: float) -> Response:
    url, headers = connection.url.rstrip("/") + path, key_headers(connection)
    try:
        return await client.request("GET", url, headers=headers, timeout=seconds, max_bytes=MAX_BYTES)
    except (OutgoingFailed, OutgoingRefused) as error:
        raise _not_reached(error, connection.provider) from None


def _not_reached(error: WorkroomError, provider: Provider) -> WorkroomError:
    """An address is to blame only where one was entered: those of the known providers are ours."""
    label = provider.label
    unreached = "addressUnreachable" if provider.kind is ProviderKind.ENDPOINT else "providerUnreachable"
    match error:
        case TimedOut():
            return ProviderTestFailed(error.message, again=True, code="modelTimedOut", details={"provider": label})
        case Unreachable():
            return ProviderTestFailed(
                error.message, again=True, code=unreached, details={"provider": label, "cause": error.message}
            )
        case HostUnknown() | TlsFailed():
            return ProviderTestFailed(
                error.message, again=False, code=unreached, details={"provider": label, "cause": error.message}
            )
        case InvalidResponse():
            return ProviderTestFailed(error.message, again=False, code="noModelList", details={"cause": error.message})
        case _:
            return error


def _list_path(connection: Connection) -> str:
    match connection.provider.kind:
        case ProviderKind.ANTHROPIC:
            return "/v1/models?limit=1000"
        case ProviderKind.GOOGLE:
            return "/v1beta/models?pageSize=1000"
        case ProviderKind.OPENAI | ProviderKind.ENDPOINT:
            return "/models"


def key_headers(connection: Connection) -> dict[str, str]:
    match connection.provider.kind:
        case ProviderKind.ANTHROPIC:
            return {"x-api-key": connection.key, "anthropic-version": ANTHROPIC_VERSION}
        case ProviderKind.GOOGLE:
            return {"x-goog-api-key": connection.key}
        case ProviderKind.OPENAI | ProviderKind.ENDPOINT:
            return {"Authorization": f"Bearer {connection.key}"} if connection.key else {}


def _json(answer: Response) -> Any:
    try:
        return answer.json()
    except InvalidResponse:
        return None


def _quoted(answer: Response, connection: Connection) -> dict[str, str]:
    words = "" if answer.ok else provider_words(_json(answer), connection.key)
    return {"words": words} if words else {}


def _models(body: Any) -> Mapping[str, Mapping[str, Any]] | None:
    """`data[].id` (OpenAI, Anthropic) or `models[].name` (Google), each once. What is no name of a model, too long or of odd
    characters, is left out: it could neither be chosen nor shown."""
    if not isinstance(body, dict):
        return None
    for items, name in (("data", "id"), ("models", "name")):
        found = body.get(items)
        if isinstance(found, list):
            named = [item for item in found if isinstance(item, dict) and isinstance(item.get(name), str)]
            models = {item[name].removeprefix("models/"): item for item in named}
            return {name: item for name, item in models.items() if MODEL.fullmatch(name)}
    return None
