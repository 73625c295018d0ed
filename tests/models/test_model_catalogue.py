"""The catalogue over HTTP: listed, checked, compared, brought up to date, put back; by those who may, for their mandate only."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any, get_args

import asyncpg
import pytest

from tests.models.catalogue_files import NEW, Files, shipped_files
from tests.models.gateways import open_gateway
from tests.world import World
from workroom.api.catalogue_views import CataloguedProvider
from workroom.models import model_catalogue, revision_store
from workroom.models.catalogue import Catalogue, shipped
from workroom.models.model_providers import ProviderInput
from workroom.models.types import Operation, ProviderKind

PATH = "/api/model-catalogue"
GPT_5 = "gpt-5"


@pytest.fixture
def files() -> Files:
    return shipped_files()


async def preview(world: World, body: dict[str, Any]) -> dict[str, Any]:
    answer = await world.call("alice", "POST", f"{PATH}/preview", body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def apply(world: World, body: dict[str, Any], revision: int = 0) -> int:
    answer = await world.call("alice", "POST", PATH, body | {"revision": revision})
    assert answer.status_code == 201, answer.text
    made: int = answer.json()["revision"]
    return made


async def undo(world: World, revision: int) -> Any:
    return await world.call("alice", "POST", f"{PATH}/revisions/{revision}/undo")


async def entry(world: World, model: str, who: str = "bob") -> dict[str, Any]:
    items = (await world.call(who, "GET", f"{PATH}?q={model}&limit=200")).json()["items"]
    found: dict[str, Any] = next(item for item in items if item["model"] == model)
    return found


async def whole(world: World, who: str = "bob") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = (await world.call(who, "GET", f"{PATH}?limit=200{cursor}")).json()
        found += page["items"]
        if page["nextCursor"] is None:
            return found
        cursor = f"&cursor={page['nextCursor']}"


def one(files: Files, model: str = GPT_5, **change: Any) -> dict[str, Any]:
    """A body that changes one model."""
    described = files.described(model)
    described["entry"] |= change
    return {"models": [{"provider": "openai", "model": model, "after": described}]}


def test_the_wire_knows_the_shipped_providers() -> None:
    assert sorted(get_args(CataloguedProvider)) == sorted(shipped().entries)


class TestLooking:
    async def test_everything_is_listed_as_it_was_shipped(self, world: World, files: Files) -> None:
        listed = await whole(world)
        assert len(listed) == sum(map(len, shipped().entries.values()))
        assert {item["state"] for item in listed} == {"shipped"}
        gpt = await entry(world, GPT_5)
        assert gpt["described"]["strategy"] == files.strategy(GPT_5)
        assert gpt["price"]["input"] == "1.25"

    @pytest.mark.parametrize("sort", ["model", "label", "context", "price", "state"])
    async def test_it_is_sorted(self, world: World, sort: str) -> None:
        def value(item: dict[str, Any]) -> Any:
            entry = item["described"]["entry"]
            return {
                "model": f"{item['provider']}/{item['model']}",
                "label": entry["label"].casefold(),
                "context": entry["contextTokens"],
                "price": Decimal(item["price"]["input"]),
                "state": item["state"],
            }[sort]

        page = (await world.call("bob", "GET", f"{PATH}?sort={sort}&limit=200")).json()["items"]
        values = [value(item) for item in page]
        assert values == sorted(values)

    @pytest.mark.requirement("C2")
    async def test_the_check_says_that_prices_and_strategies_agree(self, world: World) -> None:
        check = (await world.call("bob", "GET", f"{PATH}/check")).json()
        assert (check["revision"], check["disagreements"]) == (0, [])
        counts = {provider: len(models) for provider, models in shipped().entries.items()}
        assert {one["provider"]: one["models"] for one in check["providers"]} == counts

    @pytest.mark.requirement("C2")
    async def test_the_check_names_what_disagrees(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """A release with a mistake in it: the page says so, and what mends it is an edit of the entry."""
        told = {provider: dict(models) for provider, models in shipped().strategies.items()}
        del told["openai"][GPT_5]
        wrong = Catalogue(shipped().entries, told)
        for module in (model_catalogue, revision_store):
            monkeypatch.setattr(module, "shipped", lambda: wrong)
        check = (await world.call("bob", "GET", f"{PATH}/check")).json()
        assert check["disagreements"] == [{"provider": "openai", "model": GPT_5, "lacks": "strategy"}]
        assert (await entry(world, GPT_5))["described"]["strategy"] is None
        await apply(world, one(shipped_files()))
        assert (await world.call("bob", "GET", f"{PATH}/check")).json()["disagreements"] == []


class TestChanging:
    @pytest.mark.requirement("C2")
    async def test_a_pair_of_files_is_compared_applied_and_undone(self, world: World, files: Files) -> None:
        before = await whole(world)
        files.add()
        files.entry(GPT_5)["prices"][0]["input"] = "3"
        files.strategy("o3")["assertiveness"] = "low"
        files.remove("gpt-4o")
        found = await preview(world, files.body())
        assert (found["revision"], found["problems"]) == (0, [])
        kinds = {c["model"]: (c["before"] is not None, c["after"] is not None) for c in found["changes"]}
        assert kinds == {NEW: (False, True), GPT_5: (True, True), "o3": (True, True), "gpt-4o": (True, False)}
        assert await whole(world) == before, "to look is not to change"
        assert await apply(world, files.body()) == 1
        states = {item["model"]: item["state"] for item in await whole(world) if item["state"] != "shipped"}
        assert states == {NEW: "added", GPT_5: "changed", "o3": "changed", "gpt-4o": "removed"}
        assert (await world.call("bob", "GET", f"{PATH}/check")).json()["disagreements"] == []
        assert (await preview(world, files.body()))["changes"] == [], "it is as the files say"
        assert (await undo(world, 1)).json() == {"revision": 2}
        assert await whole(world) == before

    @pytest.mark.requirement("C2")
    async def test_nothing_is_changed_while_there_is_a_problem(self, world: World, files: Files) -> None:
        files.add()
        files.told.pop()
        files.entry(GPT_5)["prices"][0]["input"] = "-3"
        found = await preview(world, files.body())
        assert found["changes"] == []
        assert {(p["model"], p["field"], p["code"]) for p in found["problems"]} == {
            (NEW, "", "noStrategy"),
            (GPT_5, "prices[0].input", "amount"),
        }
        answer = await world.call("alice", "POST", PATH, files.body() | {"revision": 0})
        assert (answer.status_code, answer.json()["code"]) == (422, "catalogueProblems")
        assert {item["state"] for item in await whole(world)} == {"shipped"}

    async def test_one_model_is_changed_taken_out_and_put_back_as_it_was_shipped(
        self, world: World, files: Files
    ) -> None:
        before = await whole(world)
        assert await apply(world, one(files, label="The fifth")) == 1
        assert (await entry(world, GPT_5))["described"]["entry"]["label"] == "The fifth"
        gone = {"models": [{"provider": "openai", "model": GPT_5, "after": None}]}
        assert await apply(world, gone, 1) == 2
        assert (await entry(world, GPT_5))["state"] == "removed"
        assert await apply(world, {"models": [{"provider": "openai", "model": GPT_5, "reset": True}]}, 2) == 3
        assert await whole(world) == before

    async def test_the_same_again_makes_no_revision(self, world: World, files: Files) -> None:
        assert await apply(world, one(files)) == 0
        assert await apply(world, {}) == 0
        assert (await world.call("bob", "GET", f"{PATH}/revisions")).json()["total"] == 0

    async def test_a_model_named_twice_is_a_problem(self, world: World, files: Files) -> None:
        body = one(files, label="a")
        body["models"] *= 2
        assert [p["code"] for p in (await preview(world, body))["problems"]] == ["twice"]

    async def test_no_provider_gets_more_models_than_there_may_be(
        self, world: World, files: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workroom.models.model_catalogue.MOST_MODELS", len(files.models))
        files.add()
        body = {"models": [{"provider": "openai", "model": NEW, "after": files.described(NEW)}]}
        assert [p["code"] for p in (await preview(world, body))["problems"]] == ["tooMany"]

    @pytest.mark.requirement("C2")
    async def test_whoever_was_slower_is_told(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="first"))
        answer = await world.call("alice", "POST", PATH, one(shipped_files(), label="second") | {"revision": 0})
        assert (answer.status_code, answer.json()["code"]) == (409, "catalogueChanged")
        assert (await entry(world, GPT_5))["described"]["entry"]["label"] == "first"

    async def test_of_two_at_once_one_wins(self, world: World) -> None:
        bodies = [one(shipped_files(), label=label) | {"revision": 0} for label in ("first", "second")]
        answers = await asyncio.gather(*(world.call("alice", "POST", PATH, body) for body in bodies))
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        assert (await world.call("bob", "GET", f"{PATH}/revisions")).json()["total"] == 1

    @pytest.mark.parametrize(
        "body",
        [
            {
                "models": [{"provider": "openai", "model": "m"}],
                "files": {"provider": "openai", "prices": "", "strategies": ""},
            },
            {"models": [{"provider": "endpoint", "model": "m"}]},
            {"files": {"provider": "local", "prices": "{}", "strategies": "{}"}},
            {"files": {"provider": "openai", "prices": "x" * 1_000_001, "strategies": "{}"}},
            {"models": [{"provider": "openai", "model": "m", "after": []}]},
            {
                "models": [
                    {"provider": "openai", "model": GPT_5, "after": shipped_files().described(GPT_5), "reset": True}
                ]
            },
            {"models": [{"provider": "openai", "model": GPT_5, "after": {}, "reset": True}]},
        ],
    )
    async def test_what_is_no_update_is_refused(self, world: World, body: dict[str, Any]) -> None:
        assert (await world.call("alice", "POST", f"{PATH}/preview", body)).status_code == 422
        assert (await world.call("alice", "POST", PATH, body | {"revision": 0})).status_code == 422


class TestUndoing:
    @pytest.mark.requirement("C2")
    async def test_is_refused_where_somebody_changed_the_same_since(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="first"))
        await apply(world, one(shipped_files(), "o3", label="other"), 1)
        await apply(world, one(shipped_files(), label="second"), 2)
        answer = await undo(world, 1)
        assert (answer.status_code, answer.json()["code"]) == (409, "catalogueLater")
        assert answer.json()["details"]["models"] == ["openai/gpt-5"]
        assert (await undo(world, 2)).status_code == 201, "nobody has changed that one"
        assert (await undo(world, 3)).status_code == 201
        assert (await entry(world, GPT_5))["described"]["entry"]["label"] == "first"

    async def test_can_be_undone_itself_and_only_once(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="first"))
        assert (await undo(world, 1)).status_code == 201
        assert (await undo(world, 1)).status_code == 409
        assert (await undo(world, 2)).status_code == 201
        assert (await entry(world, GPT_5))["described"]["entry"]["label"] == "first"

    async def test_is_refused_where_it_makes_more_models_than_there_may_be(
        self, world: World, files: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workroom.models.model_catalogue.MOST_MODELS", len(files.models))
        files.add()
        new = {"models": [{"provider": "openai", "model": NEW, "after": files.described(NEW)}]}
        await apply(world, {"models": [{"provider": "openai", "model": GPT_5}]})
        await apply(world, new, 1)
        before = await whole(world)
        answer = await undo(world, 1)
        assert (answer.status_code, answer.json()["code"]) == (409, "catalogueProblems")
        assert answer.json()["details"]["providers"] == ["openai"]
        assert f"more than {len(shipped_files().models)} models of openai" in answer.json()["message"]
        assert await whole(world) == before
        assert (await world.call("bob", "GET", f"{PATH}/revisions")).json()["total"] == 2
        assert (await undo(world, 2)).status_code == 201, "that makes room"
        assert (await undo(world, 1)).status_code == 201

    async def test_makes_less_of_what_is_too_much(
        self, world: World, files: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        files.add_many(3)
        await apply(world, files.body())
        monkeypatch.setattr("workroom.models.model_catalogue.MOST_MODELS", len(shipped_files().models))
        assert await apply(world, {"models": [{"provider": "openai", "model": f"{NEW}-0"}]}, 1) == 2
        answer = await undo(world, 2)
        assert (answer.status_code, answer.json()["code"]) == (409, "catalogueProblems")
        assert await apply(world, {"models": [{"provider": "openai", "model": f"{NEW}-1"}]}, 2) == 3

    @pytest.mark.parametrize("revision", [1, 2**31 - 2])
    async def test_of_what_was_never_made_is_refused(self, world: World, revision: int) -> None:
        assert (await undo(world, revision)).status_code == 404
        assert (await world.call("bob", "GET", f"{PATH}/revisions/{revision}")).status_code == 404


class TestHistory:
    async def test_tells_who_did_what_when(self, world: World, files: Files) -> None:
        files.add()
        files.remove("gpt-4o")
        await apply(world, files.body())
        await undo(world, 1)
        await apply(world, one(shipped_files(), label="x"), 2)
        page = (await world.call("bob", "GET", f"{PATH}/revisions?sort=revision&order=desc")).json()
        told = [(r["revision"], r["origin"], r["undone"], r["undoneBy"]) for r in page["items"]]
        assert told == [(3, "edit", None, None), (2, "undo", 1, None), (1, "file", None, 2)]
        assert [(r["added"], r["changed"], r["removed"]) for r in page["items"]] == [(0, 1, 0), (1, 0, 1), (1, 0, 1)]
        assert {r["madeByName"] for r in page["items"]} == {"Alice"}
        (changed,) = (await world.call("bob", "GET", f"{PATH}/revisions/3")).json()["items"]
        assert (changed["before"]["entry"]["label"], changed["after"]["entry"]["label"]) == ("GPT-5", "x")

    async def test_is_in_the_audit_log(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="x"))
        await undo(world, 1)
        told = (await world.call("alice", "GET", "/api/audit?q=model.catalogue&order=desc")).json()["items"]
        assert [entry["action"] for entry in reversed(told)] == ["model.catalogueChanged", "model.catalogueUndone"]
        assert told[0]["details"] == {"revision": 2, "count": 1, "models": ["openai/gpt-5"]}

    async def test_cannot_be_rewritten(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="x"))
        for statement in ("update model_catalogue_revisions set revision = 9", "delete from model_catalogue_revisions"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
                    await uow.execute(statement)


class TestRights:
    async def test_who_may_only_read_changes_nothing(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="x"))
        for path, body in (
            (f"{PATH}/preview", one(files)),
            (PATH, one(files) | {"revision": 1}),
            (f"{PATH}/revisions/1/undo", None),
        ):
            assert (await world.call("bob", "POST", path, body)).status_code == 403
        assert (await world.call("bob", "GET", f"{PATH}/revisions/1")).status_code == 200

    @pytest.mark.parametrize("path", ["", "/check", "/revisions", "/revisions/1"])
    async def test_who_may_not_read_of_models_sees_nothing(self, world: World, path: str) -> None:
        assert (await world.call("rita", "GET", PATH + path)).status_code == 404

    @pytest.mark.requirement("C2")
    async def test_one_mandate_changes_nothing_of_another(self, world: World, files: Files) -> None:
        await apply(world, one(files, label="Acme's"))
        assert (await entry(world, GPT_5, "zoe"))["state"] == "shipped"
        assert (await world.call("zoe", "GET", f"{PATH}/revisions")).json()["total"] == 0
        assert (await world.call("zoe", "POST", f"{PATH}/revisions/1/undo")).status_code == 404
        assert (await world.call("zoe", "GET", f"{PATH}/check")).json()["revision"] == 0


class TestOffers:
    @pytest.fixture
    async def openai(self, world: World) -> None:
        given = ProviderInput(key="sk-0123456789abcdef")
        await world.services.models.providers.add(world["alice"].principal, ProviderKind.OPENAI, "", given)

    @pytest.mark.requirement("C2", "G4")
    @pytest.mark.usefixtures("openai")
    async def test_follow_in_every_process_at_its_next_call(self, world: World, files: Files) -> None:
        alice = world["alice"].principal
        async with open_gateway(world.services.settings, world.services.db) as elsewhere:
            first = (await elsewhere.chain(alice, Operation.AGENT, "openai/gpt-5"))[0].info
            assert (first.price.input, first.strategy) == (Decimal("1.00"), shipped().strategy("openai", GPT_5))
            files.entry(GPT_5)["prices"][0]["input"] = "3"
            files.entry(GPT_5)["images"] = False
            files.strategy(GPT_5)["assertiveness"] = "low"
            files.add()
            files.remove("gpt-4o")
            await apply(world, files.body())
            then = (await elsewhere.chain(alice, Operation.AGENT, "openai/gpt-5"))[0].info
            assert (then.price.input, then.images, then.strategy.assertiveness) == (Decimal("2.40"), False, "low")
            offered = (await elsewhere.snapshot(alice)).offers
            assert offered[f"openai/{NEW}"].info.price.output == Decimal("56.00")
            assert "openai/gpt-4o" not in offered
            await undo(world, 1)
            assert (await elsewhere.chain(alice, Operation.AGENT, "openai/gpt-5"))[0].info == first
            assert f"openai/{NEW}" not in (await elsewhere.snapshot(alice)).offers

    @pytest.mark.usefixtures("openai")
    async def test_a_price_of_ones_own_counts_before_the_catalogue(self, world: World, files: Files) -> None:
        own = {"input": "0.5", "cached": "0.1", "output": "2.25"}
        body = {"model": "openai/gpt-5", "price": own}
        assert (await world.call("alice", "PUT", "/api/model-prices", body)).status_code == 204
        files.entry(GPT_5)["prices"][0]["input"] = "3"
        await apply(world, files.body())
        items = (await world.call("bob", "GET", "/api/model-prices?q=openai/gpt-5&limit=200")).json()["items"]
        price = next(item for item in items if item["model"] == "openai/gpt-5")
        assert (price["price"]["input"], price["usd"]["input"]) == ("0.5", "3")
