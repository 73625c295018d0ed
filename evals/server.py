"""A real Workroom process whose only model is the one under test: nothing else can answer in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from tests.faults.process import Workroom

from workroom.models.offers import Offer
from workroom.models.types import Operation, ProviderKind

OPERATIONS = (Operation.AGENT, Operation.DATA_ANALYSE)


@contextmanager
def served(offer: Offer, folder: Path, **settings: Any) -> Iterator[httpx2.Client]:
    """A client with the session of the first administrator. `settings` are those of the server, without their prefix."""
    # Titles would be paid for as well, and are not what is evaluated; search is as people have it.
    chosen = {"EMBEDDING": None, "TITLES_BY_MODEL": "false", "LOG_LEVEL": "warning", **settings}
    with Workroom(folder / "data", **chosen) as workroom, workroom.signed_in() as client:
        _add_model(client, offer)
        yield client


def async_client(session: httpx2.Client) -> httpx2.AsyncClient:
    """With the same session. It is made inside the event loop that uses it."""
    return httpx2.AsyncClient(base_url=session.base_url, cookies=session.cookies, trust_env=False, timeout=60)


def _add_model(client: httpx2.Client, offer: Offer) -> None:
    connection = offer.connection
    body: dict[str, Any] = {"kind": connection.provider.kind, "key": connection.key or None}
    if connection.provider.kind is ProviderKind.ENDPOINT:
        models = [{"name": model.name} for model in connection.provider.models]
        body |= {"name": connection.provider.name, "baseUrl": connection.url, "allowPrivate": True, "models": models}
    # Tested as people do it, so that it is known what its models can do. One that fails is used all the same: that it does not
    # answer is an outcome too.
    made = client.post("/api/model-providers", json={**body, "test": True}).raise_for_status().json()
    if made["failure"]:
        client.delete(f"/api/model-providers/{made['id']}").raise_for_status()
        client.post("/api/model-providers", json=body).raise_for_status()
    for operation in OPERATIONS:
        chain = {"operation": operation, "models": [offer.ref]}
        client.put("/api/model-chains", json=chain).raise_for_status()
