"""Language models in a real browser: the first start without one, providers, order, prices, and who answers next."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

import workroom.tools
from tests.browser.agent_pages import choose
from tests.browser.conftest import every_look, screenshot, search, violations
from tests.browser.pages import settled
from tests.browser.stage import said, say
from tests.faults.process import Workroom
from workroom.agent.registry import discover
from workroom.models.testing import ScriptedProvider, Status, writer

KEY = "sk-for-tests-0123456789"
PARTS = ["", "?show=chains", "?show=models", "?show=prices"]


@pytest.fixture(scope="module")
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=writer) as running:
        yield running


@pytest.fixture(scope="module")
async def running(provider: ScriptedProvider, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workroom]:
    with Workroom(
        tmp_path_factory.mktemp("models") / "data", OPENAI_URL=provider.base_url, EMBEDDING="multilingual"
    ) as workroom:
        yield workroom


@pytest.fixture
def server(running: Workroom) -> Workroom:
    """A server without any model."""
    with running.signed_in() as client:
        for stored in client.get("/api/model-providers").json()["items"]:
            client.delete(f"/api/model-providers/{stored['id']}").raise_for_status()
        for chain in client.get("/api/model-chains").json()["items"]:
            client.put("/api/model-chains", json={"operation": chain["operation"], "models": None}).raise_for_status()
    return running


@pytest.fixture
def openai(server: Workroom) -> None:
    """The server has OpenAI, which is the scripted provider."""
    with server.signed_in() as client:
        client.post("/api/model-providers", json={"kind": "openai", "key": KEY}).raise_for_status()


@pytest.mark.requirement("C5")
@every_look
async def test_without_a_model_the_start_page_says_so_and_what_it_shows_works(
    visitors: Any, size: str, theme: str
) -> None:
    page = await (await visitors(size, theme)).enter()
    await settled(page)
    await expect(page.get_by_role("heading", name="No language model is set up yet")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"no-model-{size}-{theme}")
    await expect(page.get_by_role("button", name="Show my notes", exact=True)).to_be_visible()
    await page.get_by_role("button", name="/calculate 12 * 1.081", exact=True).click()
    await page.wait_for_url("**/c/*")
    await expect(said(page, "12.972")).to_be_visible()


@pytest.mark.requirement("C5", "D6")
@pytest.mark.parametrize(
    ("locale", "example"), [("de-CH", "Notiere:"), ("fr-CH", "Note que"), ("pt-BR", "Anote:"), ("zh-CN", "记下")]
)
async def test_the_example_in_words_is_understood_in_every_language(visitors: Any, locale: str, example: str) -> None:
    """It is a wish that resembles a command, so what follows is a question, never an act."""
    page = await (await visitors("desktop", "light", locale)).enter()
    await page.get_by_role("main").get_by_role("button", name=example).click()
    await page.wait_for_url("**/c/*")
    label = discover(workroom.tools).chosen(names={"writeNote"})["writeNote"].texts[locale[:2]].label
    wanted = re.compile(rf"{re.escape(label[0].upper() + label[1:])}\s?[:：]")
    await expect(page.get_by_role("main").get_by_text(wanted).first).to_be_visible()


async def test_what_can_be_clicked_stays_in_place_when_models_are_fetched_again(
    visitors: Any, server: Workroom
) -> None:
    """A button that is made anew between pressing and letting go is not clicked."""
    page = await (await visitors()).enter()
    example = await page.get_by_role("button", name="Show my notes", exact=True).element_handle()
    async with page.expect_response("**/api/model-chains") as fetched:
        with server.signed_in() as administrator:
            chain = {"operation": "DATA_ANALYSE", "models": None}
            administrator.put("/api/model-chains", json=chain).raise_for_status()
    await (await fetched.value).finished()
    await page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert await example.evaluate("button => button.isConnected")


@pytest.mark.requirement("C1", "P2")
async def test_a_server_that_was_found_is_used_by_one_click(
    visitors: Any, server: Workroom, provider: ScriptedProvider
) -> None:
    """It says what its models can do before; if the one that answers is small, the agent for it is offered."""
    visitor = await visitors()
    page = await visitor.enter("/settings/profile")
    model = {"name": "scripted", "contextTokens": 4096, "outputTokens": 4096, "tools": False, "images": False}
    facts = {"contextTokens": 4096, "tools": False, "images": False}
    found = {"name": "ollama", "label": "Ollama", "baseUrl": provider.base_url, "models": [model | {"facts": facts}]}
    await page.route("**/api/model-providers/detect", lambda route: route.fulfill(json={"items": [found]}))
    await page.goto(visitor.server.base_url + "/i/workspace")
    await expect(page.get_by_text("reads up to 4,096 tokens · calls tools by text · sees no pictures")).to_be_visible()
    await page.get_by_role("button", name="Use Ollama on this machine").click()
    await expect(page.get_by_role("heading", name="No language model is set up yet")).not_to_be_attached()
    await expect(page.get_by_role("button", name="Choose the model")).to_contain_text("scripted")
    offer = page.get_by_text("This model is small: the agent “Assistant for small models” does better with it.")
    await expect(offer).not_to_be_attached()
    with server.signed_in() as client:
        (stored,) = client.get("/api/model-providers").json()["items"]
        client.patch(f"/api/model-providers/{stored['id']}", json={"models": [model]}).raise_for_status()
    await expect(offer).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "small-model")
    await page.get_by_role("button", name="Use this agent").click()
    await expect(offer).not_to_be_attached()
    await expect(page.get_by_role("button", name="Choose who answers")).to_contain_text("Assistant for small models")
    await say(page, "good morning")
    await expect(said(page, "You said: good morning")).to_be_visible()


@pytest.mark.requirement("C1")
async def test_a_provider_is_added_by_its_key_tested_and_asked(visitors: Any, provider: ScriptedProvider) -> None:
    visitor = await visitors()
    page = await visitor.enter("/settings/models")
    await settled(page)
    await expect(page.get_by_text("No language model is set up.")).to_be_visible()
    await page.get_by_role("button", name="Add provider").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Connect").click()
    await expect(dialog.get_by_text("Please fill this in.")).to_be_visible()
    assert await violations(page) == []
    await dialog.get_by_label("Key", exact=True).fill(KEY)
    await dialog.get_by_role("button", name="Connect").click()
    await expect(page.get_by_text("OpenAI is connected: 1 model.")).to_be_visible()
    await expect(page.get_by_text("Answers come from GPT-6.1 Sol (OpenAI).")).to_be_visible()
    card = page.get_by_role("region", name="OpenAI")
    await expect(card).to_contain_text("Key ends in 6789")
    assert KEY not in await page.content()
    await card.get_by_role("button", name="Test connection").click()
    await expect(card.get_by_text("It answers and has 1 model.")).to_be_visible()
    await screenshot(page, "provider-tested")
    await page.goto(visitor.server.base_url + "/i/workspace")
    await say(page, "good morning")
    await expect(said(page, "You said: good morning")).to_be_visible()
    assert provider.requests[-1].model == "gpt-6.1-sol"
    assert provider.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    await page.goto(visitor.server.base_url + "/settings/models")
    await card.get_by_role("switch", name="Use OpenAI").click()
    await expect(page.get_by_text("No language model is set up.")).to_be_visible()
    await card.get_by_role("button", name="Actions for OpenAI").click()
    await page.get_by_role("menuitem", name="Remove provider").click()
    await dialog.get_by_role("button", name="Remove provider").click()
    await expect(page.get_by_text("OpenAI was removed.")).to_be_visible()
    await expect(page.get_by_text("No providers yet")).to_be_visible()


@pytest.mark.requirement("C1")
async def test_an_own_server_needs_a_yes_to_its_address_and_a_wrong_one_is_corrected(
    visitors: Any, provider: ScriptedProvider
) -> None:
    visitor = await visitors()
    page = await visitor.enter("/settings/models")
    await settled(page)
    await page.get_by_role("button", name="Add provider").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("radio", name="Own server").check()
    await dialog.get_by_label("Display name").fill("Rechner im Keller")
    address = dialog.get_by_label("Address", exact=True)
    await address.fill(provider.root_url)
    connect = dialog.get_by_role("button", name="Connect")
    await connect.click()
    await expect(dialog.get_by_text("This address is inside your own network.")).to_be_visible()
    await dialog.get_by_role("checkbox", name="Yes, send requests").check()
    await connect.click()
    await expect(dialog.get_by_text("No list of models comes from this address")).to_be_visible()
    await expect(address).to_be_focused()
    assert await violations(page) == []
    await screenshot(page, "own-server")
    await address.fill(provider.base_url)
    await connect.click()
    await expect(page.get_by_text("Rechner im Keller is connected: 1 model.")).to_be_visible()
    await expect(page.get_by_text("Answers come from scripted (Rechner im Keller).")).to_be_visible()
    with visitor.server.signed_in() as client:
        [stored] = client.get("/api/model-providers").json()["items"]
    assert (stored["name"], [model["name"] for model in stored["models"]]) == ("rechner-im-keller", ["scripted"])
    visitor.expect("status of 409")


@pytest.mark.requirement("C1", "P2")
@every_look
async def test_a_provider_that_fails_its_test_waits_with_the_reason_until_it_stands_it(
    visitors: Any, provider: ScriptedProvider, size: str, theme: str
) -> None:
    visitor = await visitors(size, theme)
    page = await visitor.enter("/settings/models")
    await settled(page)
    await page.get_by_role("button", name="Add provider").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("radio", name="Own server").check()
    await dialog.get_by_label("Display name").fill("Cellar")
    await dialog.get_by_label("Address", exact=True).fill("http://127.0.0.1:9/v1")
    connect = dialog.get_by_role("button", name="Connect")
    await connect.click()
    await dialog.get_by_role("checkbox", name="Yes, send requests").check()
    await connect.click()
    await expect(dialog.get_by_text("No server answers at this address.")).to_be_visible()
    await expect(dialog.get_by_text("stored, but waits")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"provider-refused-{size}-{theme}")
    await dialog.get_by_role("button", name="Close").last.click()
    card = page.get_by_role("region", name="Cellar")
    await expect(card.get_by_text("Waits", exact=True)).to_be_visible()
    await expect(card.get_by_text("No server answers at this address.")).to_be_visible()
    await card.get_by_text("What exactly happened").click()
    assert await violations(page) == []
    await screenshot(page, f"provider-waits-{size}-{theme}")
    await expect(page.get_by_text("No language model is set up.")).to_be_visible()
    with visitor.server.signed_in() as client:  # the server has moved to where it is
        (stored,) = client.get("/api/model-providers").json()["items"]
        path, body = f"/api/model-providers/{stored['id']}", {"baseUrl": provider.base_url}
        client.patch(path, json=body).raise_for_status()
    await card.get_by_role("button", name="Try again").click()
    await expect(card.get_by_text("It answers and has 1 model.")).to_be_visible()
    await expect(card.get_by_text("Waits", exact=True)).to_have_count(0)
    visitor.expect("status of 409")


@pytest.mark.requirement("C1", "P2")
@every_look
@pytest.mark.usefixtures("openai")
async def test_a_refused_key_is_said_with_what_to_do_and_the_providers_words_below(
    visitors: Any, provider: ScriptedProvider, size: str, theme: str
) -> None:
    page = await (await visitors(size, theme)).enter()
    refused = Status(401, f"Incorrect API key provided: {KEY}. You can find your key in your account.")
    provider.script += [refused, refused]  # one for each model of the chain
    await say(page, "good morning")
    await expect(page.get_by_text("OpenAI refuses the stored key. Choose another model meanwhile")).to_be_visible()
    words = page.get_by_text("Incorrect API key provided: [hidden]")
    await expect(words).to_be_hidden()
    await page.get_by_text("What the provider says").click()
    await expect(words).to_be_visible()
    assert KEY not in await page.content()
    assert await violations(page) == []
    await screenshot(page, f"key-refused-{size}-{theme}")
    await page.reload()
    await expect(page.get_by_text("What the provider says")).to_be_visible()
    await expect(page.get_by_role("link", name="Model settings")).to_be_visible()


@pytest.mark.requirement("N1", "P2")
async def test_whoever_may_not_set_up_models_is_told_whom_to_ask(visitors: Any, server: Workroom) -> None:
    with server.signed_in() as client:
        member = next(role for role in client.get("/api/roles").json()["items"] if role["key"] == "member")
        login = f"eve-{uuid.uuid4().hex[:6]}@example.org"
        body = {"displayName": "Eve", "login": login, "roleId": member["id"]}
        invited = client.post("/api/users", json=body).json()
        instance = client.get("/api/instances").json()["items"][0]["id"]
        joins = client.put(f"/api/instances/{instance}/members/{invited['user']['id']}", json={"roleId": None})
        joins.raise_for_status()
    page = await (await visitors()).open("/" + invited["link"]["url"].split("/", 3)[3])
    await page.wait_for_url("**/i/workspace")
    section = page.get_by_role("region", name="No language model is set up yet")
    # Before the sentence that ends with what to click.
    await expect(section.get_by_text("An administrator can add one. Answers in its own words")).to_be_visible()
    await expect(section.get_by_role("link", name="Set up a model")).to_have_count(0)
    await page.goto(server.base_url + "/settings/models")
    await expect(page.get_by_text("No providers yet")).to_be_visible()
    await expect(page.get_by_role("button", name="Add provider")).to_have_count(0)


@pytest.mark.requirement("P2")
@pytest.mark.usefixtures("openai")
async def test_another_model_is_chosen_for_a_conversation_and_for_one_more_try(
    visitors: Any, provider: ScriptedProvider
) -> None:
    page = await (await visitors()).enter()
    await settled(page)
    picker = page.get_by_role("button", name="Choose the model")
    await expect(picker).to_contain_text("GPT-6.1 Sol")
    await page.keyboard.press("Control+.")
    await expect(page.get_by_role("menuitemradio", name="As set up: GPT-6.1 Sol")).to_be_focused()
    assert await violations(page) == []
    await screenshot(page, "model-picker")
    await page.get_by_role("menuitemradio", name="GPT-6.1 Terra").click()
    await expect(picker).to_contain_text("GPT-6.1 Terra")
    await say(page, "good morning")
    await expect(said(page, "You said: good morning")).to_be_visible()
    assert provider.requests[-1].model == "gpt-6.1-terra"
    await page.reload()
    await expect(picker).to_contain_text("GPT-6.1 Terra")
    await page.get_by_role("button", name="Try again with another model").click()
    await page.get_by_role("menuitem", name="GPT-6.1 Sol").click()
    await expect(page.get_by_text("Version 2 of 2")).to_be_attached()
    assert provider.requests[-1].model == "gpt-6.1-sol"
    await page.get_by_role("link", name="New conversation").click()
    await expect(picker).to_contain_text("GPT-6.1 Sol")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("model: gpt-6.1 terra")
    await page.keyboard.press("Enter")
    await expect(picker).to_contain_text("GPT-6.1 Terra")


@pytest.mark.requirement("C3", "P2")
@pytest.mark.usefixtures("openai")
async def test_the_order_of_models_is_changed_by_keyboard_and_given_back(visitors: Any, server: Workroom) -> None:
    page = await (await visitors()).enter("/settings/models?show=chains")
    # The built-in model works, though no provider's is asked.
    await expect(page.get_by_text("Multilingual (on this machine) works out what passages mean.")).to_be_visible()
    answers = page.get_by_role("list", name="Answers")
    await expect(answers.get_by_role("listitem").first).to_contain_text("GPT-6.1 Sol")
    down = answers.get_by_role("button", name="Move GPT-6.1 Sol down")
    await down.focus()
    await page.keyboard.press("Enter")
    await expect(answers.get_by_role("listitem").first).to_contain_text("GPT-6.1 Terra")
    await expect(answers.get_by_role("button", name="Move GPT-6.1 Sol up")).to_be_focused()
    await expect(page.get_by_text("GPT-6.1 Sol is now 2 of 2.")).to_be_attached()
    await page.get_by_label("Add a model: Answers").select_option("openai/gpt-6-luna")
    await expect(answers.get_by_role("listitem")).to_have_count(3)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Answers come from GPT-6.1 Terra (OpenAI).")).to_be_visible()
    assert order_of(server) == ["openai/gpt-6.1-terra", "openai/gpt-6.1-sol", "openai/gpt-6-luna"]
    await answers.get_by_role("listitem").nth(2).drag_to(answers.get_by_role("listitem").nth(0))
    await answers.get_by_role("button", name="Remove GPT-6.1 Sol").click()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Answers come from GPT-6 Luna (OpenAI).")).to_be_visible()
    assert order_of(server) == ["openai/gpt-6-luna", "openai/gpt-6.1-terra"]
    await page.get_by_role("button", name="Follow what is set up").click()
    await expect(page.get_by_text("Answers come from GPT-6.1 Sol (OpenAI).")).to_be_visible()


def order_of(server: Workroom) -> list[str]:
    with server.signed_in() as client:
        chains = client.get("/api/model-chains").json()["items"]
    return next(chain["models"] for chain in chains if chain["operation"] == "AGENT")


@pytest.mark.requirement("C4", "P2")
@pytest.mark.usefixtures("openai")
async def test_a_price_and_the_rate_are_set_and_given_back(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/models?show=prices")
    await page.get_by_label("CHF for one dollar").fill("a lot")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Enter an amount, such as 0.80.")).to_be_visible()
    await page.get_by_label("CHF for one dollar").fill("0,85")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await expect(page.get_by_label("CHF for one dollar")).to_have_value("0.85")
    await search(page, "Search models", "gpt-6.1-sol")
    row = page.get_by_role("row", name="openai/gpt-6.1-sol")
    await row.get_by_role("button", name="Set the price of GPT-6.1 Sol").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("What goes in")).to_be_visible()
    assert await violations(page) == []
    await dialog.get_by_label("What goes in").fill("1.5")
    await dialog.get_by_label("What comes out").fill("7")
    await dialog.get_by_role("button", name="Save").click()
    await expect(row).to_contain_text("CHF 1.50 / CHF 7.00")
    await expect(row).to_contain_text("Set here")
    await row.get_by_role("button", name="Set the price of GPT-6.1 Sol").click()
    await dialog.get_by_role("button", name="Back to the known price").click()
    await expect(row).not_to_contain_text("Set here")
    await page.get_by_label("CHF for one dollar").fill("0.80")
    await page.get_by_role("button", name="Save").click()


@pytest.mark.requirement("A16")
async def test_a_workspace_says_which_tools_and_how_much_its_agents_have(visitors: Any, server: Workroom) -> None:
    page = await (await visitors()).enter("/settings/instances")
    await page.get_by_role("button", name="Actions for Workspace").click()
    await page.get_by_role("menuitem", name="Workspace settings").click()
    dialog = page.get_by_role("dialog")
    rounds = dialog.get_by_label("Most model calls per answer")
    await expect(rounds).to_have_value("25")
    assert await violations(page) == []
    await screenshot(page, "workspace-settings")
    await rounds.fill("0")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("Enter a whole number from 1 to 100.")).to_be_visible()
    await rounds.fill("12")
    await dialog.get_by_label("Most CHF per conversation").fill("2.5")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    with server.signed_in() as client:
        instance = client.get("/api/instances").json()["items"][0]["id"]
        config = client.get(f"/api/workspace/{instance}/agentConfig").json()
    assert config["maxRounds"] == 12
    assert float(config["maxCostCHF"]) == 2.5


@pytest.mark.requirement("P4")
@every_look
@pytest.mark.usefixtures("openai")
async def test_every_part_of_the_page_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    visitor = await visitors(size, theme)
    page: Page = await visitor.enter()
    for part in PARTS:
        await page.goto(f"{visitor.server.base_url}/settings/models{part}")
        await settled(page)
        assert await violations(page) == [], part
        wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{part} is {wider} px too wide"
        await screenshot(page, f"settings-models{part.replace('?show=', '-')}-{size}-{theme}")


@pytest.mark.requirement("C5")
async def test_without_a_model_the_start_page_speaks_of_who_is_chosen(visitors: Any) -> None:
    page = await (await visitors()).enter()
    section = page.get_by_role("region", name="No language model is set up yet")
    await expect(section).to_contain_text("notes, todos and sums")
    await choose(page, "Map")
    await expect(section).to_contain_text("The agent “Map” understands sentences like these already.")
    await expect(section).not_to_contain_text("notes")
    await expect(section.get_by_role("listitem").first).to_contain_text("Langendorfstrasse")
