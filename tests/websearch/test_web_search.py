"""Web search from the settings to the ledger: who may set it up, what agents get, what is asked and what it costs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.websearch.searxng_double import SearxngDouble, searxng
from tests.world import World
from workroom.agent.testing import call, say
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.money import ZERO
from workroom.core.pages import PageRequest
from workroom.core.run_events import RunState
from workroom.net.testing_site import ScriptedResponse
from workroom.settings import Settings
from workroom.tools.web import NOTHING, web_search
from workroom.usage.limits import BudgetScope
from workroom.vault import Vault
from workroom.websearch import store
from workroom.websearch.administration import SearchAdministration, SearchInput
from workroom.websearch.connections import of_environment
from workroom.websearch.errors import NoWebSearch, PrivateSearchForbidden, SearchFailed
from workroom.websearch.jobs import remove_old_results
from workroom.websearch.service import KEPT, WebSearches
from workroom.websearch.types import SearchProvider

PRICE = Decimal("0.0064")


class Desk:
    """Web search in Acme, on a database of its own."""

    def __init__(self, world: World, double: SearxngDouble, **settings: Any) -> None:
        self.world, self.double, self.db = world, double, world.services.db
        self.settings = world.services.settings.model_copy(update={"private_addresses": True, **settings})
        vault = Vault(self.settings)
        self.searches = WebSearches(self.db, self.settings, vault)
        self.administration = SearchAdministration(self.db, self.settings, vault, self.searches)
        self._others: list[Desk] = []

    def but(self, **settings: Any) -> Desk:
        """The same, in a process with other settings."""
        self._others.append(Desk(self.world, self.double, **settings))
        return self._others[-1]

    async def aclose(self) -> None:
        for desk in (self, *self._others):
            await desk.searches.aclose()

    async def set_up(self, price: Decimal = Decimal(0), who: str = "alice", **more: Any) -> None:
        entered = {"base_url": self.double.url, "allow_private": True, "price_chf": price, **more}
        await self.administration.put(self.world[who].principal, SearchInput(SearchProvider.SEARXNG, **entered))

    async def ledger(self) -> list[tuple[str, str, Decimal, str]]:
        async with self.db.unit_of_work(self.world["alice"].principal.actor) as uow:
            rows = await uow.fetch("select purpose, provider, cost_chf, outcome from billing order by at, billing_id")
        return [tuple(row.values()) for row in rows]


JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def desk(world: World) -> AsyncIterator[Desk]:
    async with searxng() as double:
        desk = Desk(world, double)
        yield desk
        await desk.aclose()


@pytest.fixture
def bench(desk: Desk) -> RunBench:
    return RunBench(desk.world, web_searches=desk.searches, tool_names=frozenset({"webSearch"}))


@pytest.mark.requirement("B9")
async def test_results_can_be_cited_and_are_marked_untrusted(desk: Desk) -> None:
    await desk.set_up()
    room = Room(desk.world, web_searches=desk.searches)
    result = await room.call(web_search, query="opening hours")
    mark = result.sources[0].mark
    assert result.message.startswith(f"[Library (Bern)] [[{mark}]]\nhttps://library.example/hours\n\nOpen from nine.")
    assert "[[abcde]]" not in result.message, "a mark of theirs would pass for one of ours"
    assert [source.address for source in result.sources] == ["https://library.example/hours", "https://bakery.example/"]
    assert result.items[1]["date"] == "2026-11-02"
    assert len((await room.call(web_search, query="opening hours", maxResults=1)).sources) == 1
    assert web_search.untrusted


async def test_a_site_may_be_given_as_an_address_and_nothing_found_is_said(desk: Desk) -> None:
    await desk.set_up()
    desk.double.answer([])
    room = Room(desk.world, web_searches=desk.searches)
    assert (await room.call(web_search, query="x", site="https://www.Library.example/x")).message == NOTHING
    assert "site%3Alibrary.example&" in desk.double.site.received[-1].target
    with pytest.raises(InvalidInput):
        await room.call(web_search, query="x", site="library.example OR evil")


async def test_the_same_question_is_not_paid_twice_in_a_quarter_of_an_hour(desk: Desk) -> None:
    await desk.set_up(PRICE)
    room = Room(desk.world, web_searches=desk.searches)
    for words in ("Opening  hours", "opening hours"):
        assert (await room.call(web_search, query=words)).items
    await Room(desk.world, "alice", web_searches=desk.searches, journal=room.journal).call(web_search, query="other")
    assert (desk.double.questions, [paid.price for paid in room.journal.paid_requests]) == (2, [PRICE, PRICE])
    async with desk.db.unit_of_work(room.principal.actor) as uow:
        await uow.execute("update web_searches set found_at = $1", now() - KEPT - timedelta(seconds=1))
    await room.call(web_search, query="opening hours")
    assert desk.double.questions == 3
    async with desk.db.unit_of_work(room.principal.actor) as uow:
        assert "opening" not in str(await uow.fetch("select question from web_searches"))


async def test_that_nothing_was_found_is_remembered_only_if_it_was_paid(desk: Desk) -> None:
    room = Room(desk.world, web_searches=desk.searches)
    desk.double.answer([])
    for price in (Decimal(0), Decimal(0), PRICE, PRICE):
        await desk.set_up(price)
        assert (await room.call(web_search, query="hours")).message == NOTHING
    assert desk.double.questions == 3


async def test_old_results_are_removed_and_other_organisations_have_their_own(desk: Desk) -> None:
    """S4: nothing that one organisation has found is another's."""
    await desk.set_up()
    await desk.set_up(who="zoe")
    await Room(desk.world, web_searches=desk.searches).call(web_search, query="hours")
    await Room(desk.world, "zoe", "den", web_searches=desk.searches).call(web_search, query="hours")
    assert desk.double.questions == 2
    async with desk.db.unit_of_work(desk.world["zoe"].principal.actor) as uow:
        assert await uow.fetchval("select count(*) from web_searches") == 1
        await uow.execute("update web_searches set found_at = $1", now() - KEPT - timedelta(seconds=1))
    await remove_old_results(desk.db)
    counts = []
    for name in ("zoe", "bob"):
        async with desk.db.unit_of_work(desk.world[name].principal.actor) as uow:
            counts.append(await uow.fetchval("select count(*) from web_searches"))
    assert counts == [0, 1]


@pytest.mark.requirement("B9")
async def test_without_a_service_agents_do_not_have_the_tool(desk: Desk, bench: RunBench) -> None:
    accepted = await bench.ask("What is new?")
    model = await bench.advance(accepted, [call("webSearch", query="news")], say("I cannot."))
    assert "webSearch" not in {tool.name for tool in model.requests[0].tools}
    message = await bench.sql("select result->>'message' from tool_calls where run_id = $1", accepted.run_id)
    assert message.startswith("There is no tool 'webSearch'.")
    await desk.set_up()
    model = await bench.advance(await bench.ask("And now?"), say("Now I could."))
    assert "webSearch" in {tool.name for tool in model.requests[0].tools}
    with pytest.raises(NoWebSearch):
        await Room(desk.world, "zoe", "den", web_searches=desk.searches).call(web_search, query="x")


@pytest.mark.requirement("C4", "M2")
async def test_a_search_is_billed_to_its_run(desk: Desk, bench: RunBench) -> None:
    await desk.set_up(PRICE)
    accepted = await bench.ask("What is new?")
    await bench.advance(accepted, [call("webSearch", query="news")], say("Bread."))
    assert ("search", "searxng", PRICE, "answered") in await desk.ledger()
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.state, run.cost_chf) == (RunState.COMPLETED, sum(line[2] for line in await desk.ledger()))
    assert await bench.sql("select count(*) from reservations") == 0


@pytest.mark.requirement("M2")
async def test_no_search_is_sent_that_the_budget_does_not_pay(desk: Desk, bench: RunBench) -> None:
    await desk.set_up(Decimal(5))
    await bench.world.services.budgets.set_for_mandate(desk.world["alice"].principal, {BudgetScope.RUN: Decimal(4)})
    accepted = await bench.ask("What is new?")
    await bench.advance(accepted, [call("webSearch", query="news")], say("I cannot pay that."))
    assert desk.double.questions == 0
    status = await bench.sql("select result->'data'->>'code' from tool_calls where run_id = $1", accepted.run_id)
    assert status == BudgetExceeded.code


@pytest.mark.requirement("A6")
@pytest.mark.parametrize(("status", "tries"), [(503, 3), (429, 3), (401, 1)])
async def test_failures_are_tried_three_times_or_told_at_once_and_cost_nothing(
    desk: Desk, bench: RunBench, status: int, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workroom.agent.call_executor.TOOL_RETRY_PAUSES", (0.0, 0.0))
    await desk.set_up(PRICE)
    desk.double.site.answers["/search"] = ScriptedResponse(status)
    accepted = await bench.ask("What is new?")
    await bench.advance(accepted, [call("webSearch", query="news")], say("It does not work."))
    assert desk.double.questions == tries
    assert [line for line in await desk.ledger() if line[0] == "search"] == [
        ("search", "searxng", ZERO, "failed")
    ] * tries
    assert "SearXNG" in await bench.sql("select result->>'message' from tool_calls where run_id = $1", accepted.run_id)


@pytest.mark.requirement("C4")
async def test_what_may_have_been_done_is_billed_as_assumed(desk: Desk, bench: RunBench) -> None:
    await desk.set_up(PRICE)
    desk.double.site.answers["/search"] = ScriptedResponse(body=b"{", headers=JSON)
    accepted = await bench.ask("What is new?")
    await bench.advance(accepted, [call("webSearch", query="news")], say("It does not work."))
    assert [line for line in await desk.ledger() if line[0] == "search"] == [("search", "searxng", PRICE, "failed")]


async def test_characters_that_no_text_has_do_not_make_a_search_fail(desk: Desk) -> None:
    await desk.set_up(PRICE)
    answer = {"results": [{"url": "https://a.example/", "title": "A\x00B\ud800", "content": "C&#0;\udfffD"}]}
    body = json.dumps(answer).encode()
    desk.double.site.answers["/search"] = ScriptedResponse(body=body, headers=JSON)
    room = Room(desk.world, web_searches=desk.searches)
    found = await room.call(web_search, query="news")
    [item] = found.items
    assert (item["title"], item["excerpt"]) == ("AB", "C\ufffdD")
    desk.double.site.answers["/search"] = ScriptedResponse(503)
    assert (await room.call(web_search, query="news")).items == found.items, "it was kept"


@pytest.mark.requirement("N2")
async def test_only_who_may_change_models_sets_it_up(desk: Desk) -> None:
    for name in ("bob", "rita"):
        with pytest.raises((Forbidden, NotFound)):
            await desk.set_up(who=name)
        with pytest.raises((Forbidden, NotFound)):
            await desk.administration.test(desk.world[name].principal)
        with pytest.raises((Forbidden, NotFound)):
            await desk.administration.remove(desk.world[name].principal)
    assert await desk.administration.get(desk.world["alice"].principal) is None


async def test_an_address_inside_the_network_needs_a_yes_and_the_operators_permission(desk: Desk) -> None:
    """S1, S3."""
    with pytest.raises(Conflict) as caught:
        await desk.set_up(allow_private=False)
    assert (caught.value.code, caught.value.details["field"]) == ("privateAddress", "baseUrl")
    for url in ("http://169.254.169.254/", "file:///etc/passwd", "http://x/?y", "http://a:b@c.example/"):
        with pytest.raises(InvalidInput):
            await desk.set_up(base_url=url)
    await desk.set_up()
    strict = desk.but(private_addresses=False)
    with pytest.raises(PrivateSearchForbidden):
        await strict.set_up()
    assert not await strict.searches.is_set_up(desk.world["bob"].principal), "what was allowed before is not any more"
    with pytest.raises(PrivateSearchForbidden):
        await strict.administration.test(desk.world["alice"].principal)


async def test_the_test_asks_once_and_says_what_came(desk: Desk) -> None:
    alice = desk.world["alice"].principal
    await desk.set_up(PRICE)
    tested = await desk.administration.test(alice)
    assert ([result.title for result in tested.results], desk.double.questions) == (["Library [Bern]", "Bakery"], 1)
    assert await desk.ledger() == [("search", "searxng", PRICE, "answered")]
    desk.double.site.answers["/search"] = ScriptedResponse(500)
    with pytest.raises(SearchFailed):
        await desk.administration.test(alice)
    assert desk.double.questions == 2


async def test_a_key_is_sealed_kept_and_never_shown(desk: Desk) -> None:
    alice = desk.world["alice"].principal
    secret = "tvly-0123456789abcdef"
    tavily = SearchInput(SearchProvider.TAVILY, None, False, PRICE)
    with pytest.raises(InvalidInput):
        await desk.administration.put(alice, tavily)
    shown = await desk.administration.put(alice, SearchInput(**{**vars(tavily), "key": secret}))
    assert (shown.has_key, shown.key_hint) == (True, "cdef")
    assert (await desk.administration.put(alice, tavily)).has_key, "another price needs no key"
    async with desk.db.unit_of_work(alice.actor) as uow:
        stored = await store.settings(uow, alice.mandate_id)
    assert stored is not None
    assert secret.encode() not in (stored[1].data if stored[1] else b"")
    connection = await desk.searches.connection(alice)
    assert connection is not None
    assert (connection.key, secret in repr(connection)) == (secret, False)
    other = desk.but(secret_key=Settings(secret_key="x" * 40).secret_key)
    unreadable = await other.administration.get(alice)
    assert unreadable is not None
    assert not unreadable.readable
    await desk.set_up()
    with pytest.raises(InvalidInput):
        await desk.administration.put(alice, tavily)


async def test_the_environment_is_asked_until_something_is_set_up(desk: Desk) -> None:
    alice = desk.world["alice"].principal
    operated = desk.but(search_url=desk.double.url, private_addresses=False)
    found = await operated.administration.get(alice)
    assert found is not None
    assert (found.environment, found.provider, found.price_chf) == (True, SearchProvider.SEARXNG, ZERO)
    assert (await operated.administration.test(alice)).results, (
        "what the operator names may be in the operator's network"
    )
    assert await operated.searches.is_set_up(desk.world["zoe"].principal)
    await desk.set_up(PRICE)
    stored = await operated.searches.connection(alice)
    assert stored is not None
    assert stored.settings.price_chf == PRICE
    await desk.administration.remove(alice)
    await desk.administration.remove(alice)
    again = await operated.administration.get(alice)
    assert again is not None
    assert again.environment


def test_keys_of_the_environment() -> None:
    assert of_environment(Settings()) is None
    paid = of_environment(Settings(tavily_key="tvly-0123456789abcdef"))
    assert paid is not None
    assert (paid.settings.provider, paid.settings.price_chf, paid.settings.key_hint) == ("tavily", PRICE, "cdef")
    both = of_environment(Settings(tavily_key="tvly-x", search_url="http://10.0.0.7:8888", search_price="0.01"))
    assert both is not None
    assert (both.settings.provider, both.settings.price_chf, len(both.allowed_private)) == (
        "searxng",
        Decimal("0.01"),
        1,
    )


async def test_changes_are_in_the_audit_log(desk: Desk) -> None:
    alice = desk.world["alice"].principal
    await desk.set_up()
    await desk.administration.remove(alice)
    page = await desk.world.services.audit.list(alice, PageRequest(order="desc", limit=10))
    kinds = [
        (entry.action, entry.details.get("name")) for entry in page.items if entry.object_kind == ChangeKind.WEB_SEARCH
    ]
    assert sorted(kinds) == [("webSearch.removed", "searxng"), ("webSearch.updated", "searxng")]


async def test_over_http_the_tool_list_says_what_is_not_set_up(desk: Desk) -> None:
    world, services = desk.world, desk.world.services
    world.services = replace(
        services, search_administration=desk.administration, tool_requirements={WebSearches: desk.searches}
    )

    async def set_up() -> dict[str, bool]:
        return {tool["name"]: tool["setUp"] for tool in (await world.call("bob", "GET", "/api/tools")).json()}

    assert ((await set_up())["webSearch"], (await set_up())["readFile"]) == (False, True)
    assert (await world.call("alice", "GET", "/api/web-search")).json()["service"] is None
    body = {"provider": "searxng", "baseUrl": desk.double.url, "allowPrivate": True, "priceCHF": "0.001"}
    put = (await world.call("alice", "PUT", "/api/web-search", body)).json()
    assert (put["service"]["baseUrl"], put["service"]["priceCHF"]) == (desk.double.url, "0.001")
    tested = (await world.call("alice", "POST", "/api/web-search/test")).json()
    assert (tested["count"], tested["results"][1]["date"]) == (2, "2026-11-02")
    assert (await set_up())["webSearch"]
    seen = (await world.call("bob", "GET", "/api/web-search")).json()["service"]
    assert (seen["provider"], seen["baseUrl"]) == ("searxng", None), "where it stands is for administrators"
    assert (await world.call("bob", "PUT", "/api/web-search", body)).status_code == 403
    assert (await world.call("alice", "DELETE", "/api/web-search")).status_code == 204
