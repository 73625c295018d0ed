"""The price list over HTTP: francs by a dated rate, changed by those who may, exact on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.world import World

PRICES = "/api/model-prices"
GPT_5 = "openai/gpt-5"


async def listed(world: World, ref: str) -> dict[str, Any]:
    items = (await world.call("bob", "GET", f"{PRICES}?q={ref}&limit=200")).json()["items"]
    found: dict[str, Any] = next(item for item in items if item["model"] == ref)
    return found


async def test_the_whole_catalogue_is_listed_also_without_a_key(world: World) -> None:
    page = (await world.call("bob", "GET", PRICES)).json()
    assert page["total"] >= 62
    assert len(page["items"]) == 50
    price = await listed(world, GPT_5)
    assert price["usd"] == {"input": "1.25", "cached": "0.125", "output": "10"}
    assert (price["price"]["output"], price["own"]) == ("8.00", False)


@pytest.mark.requirement("C4")
async def test_a_price_of_ones_own_holds_until_it_is_taken_back(world: World) -> None:
    own = {"input": "0.5", "cached": "0.1", "output": "2.25"}
    assert (await world.call("alice", "PUT", PRICES, {"model": GPT_5, "price": own})).status_code == 204
    price = await listed(world, GPT_5)
    assert price["own"]
    assert price["price"] == own | {"assumed": False, "above": None, "beyond": None}
    assert (await world.call("alice", "PUT", PRICES, {"model": GPT_5, "price": None})).status_code == 204
    assert not (await listed(world, GPT_5))["own"]


async def test_the_rate_and_the_assumption_are_the_mandates(world: World) -> None:
    terms = {"chfPerUsd": "0.9", "rateDate": "2026-12-01", "assumedCHF": "4"}
    assert (await world.call("bob", "GET", f"{PRICES}/terms")).json()["chfPerUsd"] == "0.80"
    assert (await world.call("alice", "PUT", f"{PRICES}/terms", terms)).status_code == 204
    assert (await world.call("bob", "GET", f"{PRICES}/terms")).json() == terms
    assert (await listed(world, GPT_5))["price"]["output"] == "9.0"
    assert (await world.call("zoe", "GET", f"{PRICES}/terms")).json()["chfPerUsd"] == "0.80"
    body = {
        "kind": "endpoint",
        "name": "far",
        "baseUrl": "https://models.example.org/v1",
        "models": [{"name": "m"}],
    }
    assert (await world.call("alice", "POST", "/api/model-providers", body)).status_code == 201
    unknown = (await listed(world, "far/m"))["price"]
    assert (unknown["input"], unknown["assumed"]) == ("4", True)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", {"model": GPT_5, "price": {"input": -1, "cached": 0, "output": 1}}),
        ("", {"model": GPT_5, "price": {"input": "NaN", "cached": 0, "output": 1}}),
        ("", {"model": GPT_5, "price": {"input": 1e9, "cached": 0, "output": 1}}),
        ("", {"model": "gpt-5", "price": None}),
        ("", {"model": "a/\x00", "price": None}),
        ("/terms", {"chfPerUsd": 0, "rateDate": "2026-12-01", "assumedCHF": 1}),
        ("/terms", {"chfPerUsd": 1, "rateDate": "2026-12-01", "assumedCHF": 0}),
        ("/terms", {"chfPerUsd": "Infinity", "rateDate": "2026-12-01", "assumedCHF": 1}),
        ("/terms", {"chfPerUsd": 1, "rateDate": "soon", "assumedCHF": 1}),
    ],
)
async def test_what_is_no_price_is_refused(world: World, path: str, body: dict[str, Any]) -> None:
    assert (await world.call("alice", "PUT", PRICES + path, body)).status_code == 422


@pytest.mark.parametrize(
    "models", [[], ["openai/gpt-5"], ["own/m", "own/m"], ["own/nothing"], [f"own/{n}" for n in range(21)]]
)
async def test_a_chain_names_models_that_are_there(world: World, models: list[str]) -> None:
    body = {"kind": "endpoint", "name": "own", "baseUrl": "https://models.example.org/v1", "models": [{"name": "m"}]}
    assert (await world.call("alice", "POST", "/api/model-providers", body)).status_code == 201
    answer = await world.call("alice", "PUT", "/api/model-chains", {"operation": "AGENT", "models": models})
    assert answer.status_code == 422, answer.text
