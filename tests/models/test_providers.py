"""Setting up providers over HTTP: keys go in and never come out, private addresses are an explicit act, all of it is told."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import SecretStr

from tests.models.gateways import open_gateway
from tests.world import World
from workroom.api.model_views import FoundServer
from workroom.models import model_providers
from workroom.models.connection import Connection
from workroom.models.detection import ServerPort, detect
from workroom.models.model_providers import ModelProviders, ProviderInput
from workroom.models.remote_models import ProviderTestFailed, listed_models
from workroom.models.testing import ScriptedProvider
from workroom.models.types import ModelFacts, Provider, ProviderKind
from workroom.net import GuardedClient, Origin
from workroom.net.testing import ScriptedResponse, ScriptedSite
from workroom.secrets import Secrets
from workroom.vault import Vault

KEY = "sk-super-secret-key-7f3a"
PATH = "/api/model-providers"
ENDPOINT = {"kind": "endpoint", "name": "own", "baseUrl": "https://models.example.org/v1"}


async def add(world: World, body: dict[str, Any], expected: int = 201) -> dict[str, Any]:
    answer = await world.call("alice", "POST", PATH, body)
    assert answer.status_code == expected, answer.text
    found: dict[str, Any] = answer.json()
    return found


class TestKeys:
    async def test_go_in_and_never_come_out(self, world: World, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        made = await add(world, {"kind": "openai", "key": KEY})
        shown = [await world.call("alice", "GET", path) for path in (PATH, f"{PATH}/{made['id']}", "/api/audit")]
        changed = await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"label": "Ours", "key": KEY})
        for answer in [*shown, changed]:
            assert answer.status_code == 200
            assert KEY not in answer.text
        assert (made["hasKey"], made["keyHint"]) == (True, "7f3a")
        assert KEY not in caplog.text
        services = world.services.models
        assert KEY not in repr((await services.gateway.snapshot(world["alice"].principal)).configuration)

    async def test_are_sealed_in_the_database(self, world: World) -> None:
        await add(world, {"kind": "openai", "key": KEY})
        async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
            row = await uow.fetchrow("select p::text as all, key_sealed from model_providers p")
        assert row is not None
        assert KEY not in row["all"]
        assert KEY.encode() not in row["key_sealed"]

    async def test_of_a_refused_request_are_not_in_the_answer(self, world: World) -> None:
        answer = await world.call("alice", "POST", PATH, {"kind": "endpoint", "name": "X Y", "key": KEY})
        assert answer.status_code == 422
        assert KEY not in answer.text
        spaced = await world.call("alice", "POST", PATH, {"kind": "openai", "key": f"{KEY} {KEY}"})
        assert spaced.status_code == 422
        assert KEY not in spaced.text

    async def test_of_a_short_key_nothing_is_shown(self, world: World) -> None:
        assert (await add(world, {"kind": "openai", "key": "short"}))["keyHint"] == ""

    async def test_do_not_follow_to_another_address(self, world: World) -> None:
        """S19: or whoever may change the address could have the key sent to themselves."""
        made = await add(world, ENDPOINT | {"key": KEY})
        path = f"{PATH}/{made['id']}"
        same = (await world.call("alice", "PATCH", path, {"baseUrl": "https://models.example.org/v2"})).json()
        assert same["hasKey"]
        moved = (await world.call("alice", "PATCH", path, {"baseUrl": "https://evil.example.org/v1"})).json()
        assert not moved["hasKey"]
        assert moved["keyHint"] == ""

    async def test_are_taken_away_by_an_empty_one(self, world: World) -> None:
        made = await add(world, {"kind": "openai", "key": KEY})
        changed = await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"key": ""})
        assert not changed.json()["hasKey"]

    async def test_that_do_not_open_are_said_to_be_so_and_stop_nobody_else(self, world: World) -> None:
        await add(world, {"kind": "openai", "key": KEY})
        file = world.services.settings.data / "secrets.json"
        file.unlink()
        Secrets.load_or_create(world.services.settings.data)
        alice, services = world["alice"].principal, world.services
        async with open_gateway(services.settings, services.db) as gateway:
            await add(world, ENDPOINT | {"models": [{"name": "m"}]})
            snapshot = await gateway.snapshot(alice)
        assert [c.provider.readable for c in snapshot.configuration.connections] == [False, True]
        assert list(snapshot.offers) == ["own/m"]


class TestAddresses:
    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:11434/v1", "http://localhost:1234/v1", "http://gpu-box/v1", "http://10.0.0.7/v1"]
    )
    async def test_inside_the_own_network_need_an_explicit_yes(self, world: World, url: str) -> None:
        refused = await add(world, ENDPOINT | {"baseUrl": url}, 409)
        assert refused["code"] == "privateAddress"
        made = await add(world, ENDPOINT | {"baseUrl": url, "allowPrivate": True})
        assert made["private"]

    @pytest.mark.parametrize(
        "url",
        [
            "http://169.254.169.254/v1",
            "http://[fd00:ec2::254]/v1",
            "ftp://models.example.org",
            "https://user:pass@models.example.org/v1",
            "https://models.example.org/v1?key=x",
            "models.example.org",
        ],
    )
    async def test_that_are_never_opened_are_refused_even_then(self, world: World, url: str) -> None:
        refused = await add(world, ENDPOINT | {"baseUrl": url, "allowPrivate": True}, 422)
        assert refused["details"]["field"] == "baseUrl"
        assert "pass" not in refused["message"].split()

    async def test_belong_to_endpoints_only(self, world: World) -> None:
        await add(world, {"kind": "openai", "baseUrl": "https://models.example.org/v1"}, 422)
        await add(world, {"kind": "endpoint", "name": "own"}, 422)


class TestNames:
    @pytest.mark.parametrize("name", ["openai", "embedded", "none", "Own", "a/b", "-a", "", "x" * 41, "a.b", "a\x00"])
    async def test_that_mean_something_else_are_refused(self, world: World, name: str) -> None:
        await add(world, ENDPOINT | {"name": name}, 422)

    async def test_are_taken_once(self, world: World) -> None:
        await add(world, ENDPOINT)
        assert (await add(world, ENDPOINT, 409))["code"] == "nameTaken"
        other = await world.call("zoe", "POST", PATH, ENDPOINT)
        assert other.status_code == 201, "another mandate does not know of it"

    @pytest.mark.parametrize("model", ["", " x", "a b", "ä", "a\x00", "x" * 201])
    async def test_of_models_fit_rules(self, world: World, model: str) -> None:
        await add(world, ENDPOINT | {"models": [{"name": model}]}, 422)


class TestWho:
    async def test_members_see_providers_but_not_where_they_are(self, world: World) -> None:
        await add(world, ENDPOINT | {"key": KEY})
        (seen,) = (await world.call("bob", "GET", PATH)).json()["items"]
        assert (seen["name"], seen["hasKey"]) == ("own", True)
        assert (seen["baseUrl"], seen["keyHint"]) == (None, "")

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("POST", PATH, ENDPOINT),
            ("POST", f"{PATH}/detect", None),
            ("POST", f"{PATH}/test", {"name": "own"}),
            ("PUT", "/api/model-chains", {"operation": "AGENT", "models": None}),
            ("PUT", "/api/model-prices", {"model": "openai/gpt-5", "price": None}),
            ("PUT", "/api/model-prices/terms", {"chfPerUsd": 1, "rateDate": "2026-11-15", "assumedCHF": 1}),
        ],
    )
    async def test_members_change_nothing(
        self, world: World, method: str, path: str, body: dict[str, Any] | None
    ) -> None:
        assert (await world.call("bob", method, path, body)).status_code == 403

    async def test_history_tells_every_change(self, world: World) -> None:
        made = await add(world, ENDPOINT | {"models": [{"name": "m"}]})
        await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"enabled": True})
        await world.call("alice", "PUT", "/api/model-chains", {"operation": "AGENT", "models": ["own/m"]})
        await world.call("alice", "PUT", "/api/model-prices", {"model": "own/m", "price": None})
        terms = {"chfPerUsd": "0.9", "rateDate": "2026-12-01", "assumedCHF": "5"}
        await world.call("alice", "PUT", "/api/model-prices/terms", terms)
        await world.call("alice", "DELETE", f"{PATH}/{made['id']}")
        told = (await world.call("alice", "GET", "/api/audit?q=model.&order=desc")).json()["items"]
        assert [entry["action"].removeprefix("model.") for entry in reversed(told)] == [
            "providerAdded",
            "providerUpdated",
            "chainChanged",
            "priceChanged",
            "rateChanged",
            "providerRemoved",
        ]


class TestConnections:
    async def test_are_tested_by_asking_for_models(self, world: World, provider: ScriptedProvider) -> None:
        await add(world, ENDPOINT | {"baseUrl": provider.base_url, "allowPrivate": True})
        answer = await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})
        assert answer.json() == {"models": ["scripted"]}

    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (ScriptedResponse(401, b"{}"), "keyRefused"),
            (ScriptedResponse(200, b"[]"), "noModelList"),
            (ScriptedResponse(404), "noModelList"),
            (ScriptedResponse(200, b"<html>"), "noModelList"),
            (ScriptedResponse(403, b"{}"), "keyRefused"),
            (ScriptedResponse(429, b"{}"), "modelBusy"),
            (ScriptedResponse(503, b"{}"), "modelUnavailable"),
            (ScriptedResponse(200, b'{"data": []}'), "noModelsThere"),
        ],
    )
    async def test_say_what_is_wrong(self, world: World, answer: ScriptedResponse, code: str) -> None:
        site = await ScriptedSite.start()
        site.answers["*"] = answer
        try:
            url = f"http://127.0.0.1:{site.port}/v1"
            await add(world, ENDPOINT | {"baseUrl": url, "allowPrivate": True, "key": KEY})
            got = await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})
            assert got.json()["code"] == code
            assert site.received[0].headers["authorization"] == f"Bearer {KEY}"
            assert KEY not in got.text
        finally:
            await site.aclose()

    async def test_do_not_blame_an_address_that_was_not_entered(self) -> None:
        place = Origin.parse("http://127.0.0.1:9")
        connection = Connection(Provider("openai", ProviderKind.OPENAI, "OpenAI"), "http://127.0.0.1:9/v1")
        client = GuardedClient(allowed_private=frozenset({place}))
        try:
            with pytest.raises(ProviderTestFailed) as failed:
                await listed_models(connection, client)
        finally:
            await client.aclose()
        assert (failed.value.code, failed.value.details["provider"]) == ("providerUnreachable", "OpenAI")

    async def test_name_the_address_that_is_not_reached_and_the_model_that_is_not_there(
        self, world: World, provider: ScriptedProvider
    ) -> None:
        nobody = {"name": "nobody", "baseUrl": "http://127.0.0.1:9/v1", "allowPrivate": True, "test": True}
        assert (await add(world, ENDPOINT | nobody))["failure"]["code"] == "addressUnreachable"
        typo = {"baseUrl": provider.base_url, "allowPrivate": True, "models": [{"name": "scribbled"}], "test": True}
        failure = (await add(world, ENDPOINT | typo))["failure"]
        assert (failure["code"], failure["details"]["model"]) == ("noSuchModel", "scribbled")
        assert "scripted" in failure["message"], "it says what there is instead"


class Site:
    """A provider whose answer to the test can be changed."""

    def __init__(self, site: ScriptedSite) -> None:
        self.site = site
        self.body = {"baseUrl": f"http://127.0.0.1:{site.port}/v1", "allowPrivate": True, "test": True}

    def says(self, status: int, body: bytes = b'{"data": [{"id": "m"}]}') -> None:
        self.site.answers["*"] = ScriptedResponse(status, body)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    running = await ScriptedSite.start()
    made = Site(running)
    made.says(200)
    yield made
    await running.aclose()


async def offered(world: World) -> list[str]:
    """What people can choose, and what answers them by itself."""
    items = (await world.call("bob", "GET", "/api/models")).json()["items"]
    (chain, *_) = (await world.call("bob", "GET", "/api/model-chains")).json()["items"]
    listed = [item["model"] for item in items if not item["embedded"]]
    assert set(chain["models"]) <= set(listed)
    return listed


@pytest.mark.requirement("C1")
class TestWaiting:
    async def test_a_provider_that_fails_its_test_waits_and_is_used_once_it_stands_it(
        self, world: World, site: Site
    ) -> None:
        refusal = f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'.encode()
        site.says(401, refusal)
        made = await add(world, ENDPOINT | site.body | {"key": KEY, "models": [{"name": "m"}]})
        assert made["failure"]["code"] == "keyRefused"
        assert made["failure"]["details"]["words"].startswith("Incorrect API key provided: ")
        assert KEY not in str(made)
        assert await offered(world) == []
        again = await world.call("alice", "POST", f"{PATH}/test", {"name": "own", "id": made["id"]})
        assert again.json()["code"] == "keyRefused"
        (seen,) = (await world.call("bob", "GET", PATH)).json()["items"]
        assert (seen["failure"]["code"], seen["failure"]["message"]) == ("keyRefused", "")
        site.says(200)
        await world.call("alice", "POST", f"{PATH}/test", {"name": "own", "id": made["id"]})
        assert await offered(world) == ["own/m"]

    async def test_a_corrected_one_is_tested_again_and_takes_the_models_there_are(
        self, world: World, site: Site
    ) -> None:
        site.says(404)
        made = await add(world, ENDPOINT | site.body)
        assert (made["failure"]["code"], made["models"]) == ("noModelList", [])
        label = await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"label": "Cellar"})
        assert label.json()["failure"] is not None, "it waits until it is tested"
        site.says(200)
        changed = (await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"key": KEY, "test": True})).json()
        assert (changed["failure"], [model["name"] for model in changed["models"]]) == (None, ["m"])
        assert await offered(world) == ["own/m"]

    async def test_a_change_that_fails_leaves_what_works_as_it_is(self, world: World, site: Site) -> None:
        made = await add(world, ENDPOINT | site.body)
        path = f"{PATH}/{made['id']}"
        refused = await world.call("alice", "PATCH", path, {"baseUrl": "http://127.0.0.1:9/v1", "test": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "addressUnreachable")
        assert (await world.call("alice", "GET", path)).json() == made
        assert await offered(world) == ["own/m"]

    @pytest.mark.parametrize(("status", "waits"), [(503, False), (429, False), (401, True)])
    async def test_one_that_worked_waits_only_for_what_does_not_pass(
        self, world: World, site: Site, status: int, waits: bool
    ) -> None:
        await add(world, ENDPOINT | site.body)
        site.says(status)
        failed = await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})
        assert failed.status_code == 409
        assert await offered(world) == ([] if waits else ["own/m"])

    async def test_the_outcome_of_a_test_is_not_kept_with_what_another_administrator_entered_meanwhile(
        self, world: World, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = await add(world, ENDPOINT | site.body | {"key": "old"})
        path = f"{PATH}/{made['id']}"

        async def refused_late(*given: Any) -> list[str]:
            monkeypatch.setattr(model_providers, "listed_models", listed_models)
            site.says(200)
            assert (await world.call("alice", "PATCH", path, {"key": KEY, "test": True})).status_code == 200
            raise ProviderTestFailed("no", again=False, code="keyRefused")

        monkeypatch.setattr(model_providers, "listed_models", refused_late)
        assert (await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})).status_code == 409
        assert await offered(world) == ["own/m"], "the new key works"

    @pytest.mark.parametrize("other", [{"key": KEY, "test": True}, {"models": [{"name": "m"}], "test": True}])
    async def test_a_change_that_was_tested_before_another_one_is_refused(
        self, world: World, site: Site, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
    ) -> None:
        """One administrator tests an address while another gives it its key, or has it tested again and it works."""
        site.says(401)
        made = await add(world, ENDPOINT | site.body | {"models": [{"name": "m"}]})
        path = f"{PATH}/{made['id']}"

        async def refused_late(*given: Any) -> list[str]:
            monkeypatch.setattr(model_providers, "listed_models", listed_models)
            site.says(200)
            assert (await world.call("alice", "PATCH", path, other)).status_code == 200
            raise ProviderTestFailed("no", again=False, code="noModelList")

        monkeypatch.setattr(model_providers, "listed_models", refused_late)
        late = await world.call("alice", "PATCH", path, {"label": "Cellar", "test": True})
        assert (late.status_code, late.json()["code"]) == (409, "conflict")
        assert await offered(world) == ["own/m"]

    async def test_a_server_names_no_models_that_could_not_be_entered(self, world: World, site: Site) -> None:
        names = ["m", "x" * 100_000, "a\u202eb", "", "<img src=x>", "two words", "m", "models/n"]
        site.says(200, json.dumps({"data": [{"id": name} for name in names]}).encode())
        made = await add(world, ENDPOINT | site.body)
        assert [model["name"] for model in made["models"]] == ["m", "n"]
        assert await offered(world) == ["own/m", "own/n"]

    async def test_one_that_waits_does_not_take_the_place_of_the_environments(
        self, world: World, site: Site, provider: ScriptedProvider
    ) -> None:
        services, alice = world.services, world["alice"].principal
        settings = services.settings.model_copy(
            update={"openai_api_key": SecretStr(KEY), "openai_url": provider.base_url, "environment_keys": True}
        )
        async with open_gateway(settings, services.db) as gateway:
            works = ProviderInput(key="another", test=True)
            providers = ModelProviders(services.db, settings, Vault(settings), gateway)
            await provider.aclose()
            made = await providers.add(alice, ProviderKind.OPENAI, "", works)
            assert made.failure is not None
            connections = (await gateway.snapshot(alice)).configuration.connections
        assert [(one.provider.id, one.usable) for one in connections] == [(None, True), (made.id, False)]


@pytest.mark.requirement("C5")
class TestDetection:
    @pytest.fixture
    async def stranger(self) -> AsyncIterator[ScriptedSite]:
        """Something else that listens where a model server might."""
        site = await ScriptedSite.start()
        site.answers["*"] = ScriptedResponse(200, b"<html>not a model</html>")
        yield site
        await site.aclose()

    async def test_finds_what_is_there_and_nothing_else(
        self, provider: ScriptedProvider, stranger: ScriptedSite
    ) -> None:
        places = [
            ServerPort("ollama", "Ollama", provider.origin.port),
            ServerPort("vllm", "vLLM", stranger.port),
            ServerPort("nobody", "Nobody", 9),
        ]
        (found,) = await detect(places)
        assert (found.name, found.base_url) == ("ollama", provider.base_url)
        assert [model.name for model in found.models] == ["scripted"]
        assert stranger.received[0].target == "/v1/models"

    async def test_does_not_follow_a_server_that_sends_it_elsewhere(self, stranger: ScriptedSite) -> None:
        stranger.answers["*"] = ScriptedResponse.redirect("http://169.254.169.254/v1/models")
        assert await detect([ServerPort("x", "X", stranger.port)]) == []

    async def test_what_was_found_is_added_with_one_request(self, world: World, provider: ScriptedProvider) -> None:
        services, alice = world.services, world["alice"].principal
        places = [ServerPort("ollama", "Ollama", provider.origin.port)]
        gateway = services.models.gateway
        providers = ModelProviders(services.db, services.settings, Vault(services.settings), gateway, places)
        (found,) = await providers.detect(alice)
        body = {
            "kind": "endpoint",
            "name": found.name,
            "label": found.label,
            "baseUrl": found.base_url,
            "allowPrivate": True,
            "models": [{"name": model.name} for model in found.models],
        }
        await add(world, body)
        chains = (await world.call("alice", "GET", "/api/model-chains")).json()["items"]
        assert chains[0] == {"operation": "AGENT", "models": ["ollama/scripted"], "chosen": False}

    async def test_what_its_models_can_do_is_said_before_it_is_used(self, world: World) -> None:
        listing = {"data": [{"id": "nomic-embed-text"}, {"id": "llama3.2:3b"}]}
        show = {"model_info": {"llama.context_length": 131_072}, "capabilities": ["completion", "tools"]}
        async with ScriptedProvider(pages={"/v1/models": listing, "/api/show": show}) as server:
            (found,) = await detect([ServerPort("ollama", "Ollama", server.origin.port)])
            assert [model.name for model in found.models] == ["llama3.2:3b", "nomic-embed-text"], (
                "those that talk first"
            )
            assert found.models[0].facts == ModelFacts(4096, tools=True, images=False, structured=True)
            assert FoundServer.of(found).models[0].context_tokens == 4096
            models = [{"name": model.name} for model in found.models]
            place = {
                "kind": "endpoint",
                "name": "ollama",
                "baseUrl": found.base_url,
                "allowPrivate": True,
                "test": True,
            }
            await add(world, place | {"models": models})
        await add(world, ENDPOINT | {"models": [{"name": "llama3.2:3b"}]})
        listed = (await world.call("alice", "GET", "/api/models")).json()["items"]
        small = {model["model"]: model["small"] for model in listed}
        assert small["ollama/llama3.2:3b"]
        assert not small["own/llama3.2:3b"], "its address is not in the own network"


class TestWhatAServerSaysOfItself:
    """It holds where nobody entered something else, and follows the server with every test."""

    PROPS: dict[str, Any] = {"default_generation_settings": {"n_ctx": 4096}, "modalities": {"vision": True}}  # noqa: RUF012

    async def listed(self, world: World) -> dict[str, Any]:
        items = (await world.call("alice", "GET", "/api/models")).json()["items"]
        return next(item for item in items if item["model"] == "own/scripted")

    async def test_is_used_when_it_is_added_and_looked_at_again_with_every_test(self, world: World) -> None:
        async with ScriptedProvider(pages={"/props": self.PROPS}) as server:
            body = ENDPOINT | {"baseUrl": server.base_url, "allowPrivate": True, "test": True}
            (model,) = (await add(world, body))["models"]
            facts = {"contextTokens": 4096, "tools": None, "images": True, "structured": True}
            assert (model["facts"], model["structured"]) == (facts, True)
            assert (model["contextTokens"], model["outputTokens"], model["images"]) == (4096, 4096, True)
            listed = await self.listed(world)
            assert (listed["contextTokens"], listed["images"]) == (4096, True)
            server.pages["/props"] = {"default_generation_settings": {"n_ctx": 16384}}
            assert (await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})).status_code == 200
            listed = await self.listed(world)
            assert (listed["contextTokens"], listed["images"]) == (16384, True)

    async def test_does_not_replace_what_a_person_entered(self, world: World) -> None:
        async with ScriptedProvider(pages={"/props": self.PROPS}) as server:
            body = ENDPOINT | {"baseUrl": server.base_url, "allowPrivate": True, "test": True}
            made = await add(world, body)
            (model,) = made["models"]
            entered = model | {"contextTokens": 3000, "outputTokens": 1000, "facts": {**model["facts"], "tools": False}}
            changed = await world.call("alice", "PATCH", f"{PATH}/{made['id']}", {"models": [entered], "test": True})
            (kept,) = changed.json()["models"]
            assert kept == entered | {"facts": model["facts"]}, "what a page sends of the facts is ignored"
            await world.call("alice", "POST", f"{PATH}/test", {"name": "own"})
            assert (await world.call("alice", "GET", f"{PATH}/{made['id']}")).json()["models"] == [kept]
