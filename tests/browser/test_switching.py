"""Three agents on three providers in one conversation, chosen in a real browser: each model is told in its own form, once,
that it is somebody else now."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.agent_pages import answer_by, choose, lines
from tests.browser.stage import begin, say
from tests.faults.process import Workroom
from workroom.models.testing import ReceivedRequest, ScriptedProvider, echo

MODELS = {"Ada": "openai/gpt-4o", "Bea": "anthropic/claude-sonnet-5-5", "Cem": "google/gemini-2.5-pro"}
FORMS = {"Ada": "[P1]", "Bea": "<system_reset>", "Cem": "• The role of"}


@pytest.fixture(scope="module")
async def providers() -> AsyncIterator[dict[str, ScriptedProvider]]:
    async with AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(ScriptedProvider(behaviour=echo)) for name in MODELS}


@pytest.fixture(scope="module")
async def server(
    providers: dict[str, ScriptedProvider], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Workroom]:
    addresses = {
        "OPENAI_URL": providers["Ada"].base_url,
        "ANTHROPIC_URL": providers["Bea"].root_url,
        "GOOGLE_URL": providers["Cem"].root_url,
    }
    with Workroom(tmp_path_factory.mktemp("switching") / "data", **addresses) as running:
        with running.signed_in() as client:
            (workspace,) = client.get("/api/instances").raise_for_status().json()["items"]
            for kind in ("openai", "anthropic", "google"):
                key = {"kind": kind, "key": "sk-for-tests-0123456789"}
                client.post("/api/model-providers", json=key).raise_for_status()
            for name, model in MODELS.items():
                agent = {"name": name, "model": model, "instructions": {"en": f"You are {name}, as ever."}}
                client.post(f"/api/instances/{workspace['id']}/agents", json=agent).raise_for_status()
        yield running


def asked(providers: dict[str, ScriptedProvider], name: str) -> list[ReceivedRequest]:
    """For answers: summaries are made by whoever is cheapest."""
    model = MODELS[name].partition("/")[2]
    return [one for one in providers[name].requests if one.model == model and name in json.dumps(one.body)]


@pytest.mark.requirement("G1")
@pytest.mark.requirement("G3")
async def test_each_model_hears_of_the_switch_in_its_form_and_once(
    visitors: Any, providers: dict[str, ScriptedProvider]
) -> None:
    _, page = await begin(visitors, "hello")
    await expect(page.locator(".answer:not([aria-busy])")).to_have_count(1)
    for name in MODELS:
        await choose(page, name)
        for text in ("first", "second"):
            before = len(asked(providers, name))
            await say(page, f"{text} to {name}")
            await expect(answer_by(page, name)).to_have_count(before + 1)
    await expect(lines(page)).to_have_count(3)
    for name, form in FORMS.items():
        first, second = (json.dumps(one.body, ensure_ascii=False) for one in asked(providers, name))
        assert form in first, name
        assert form not in second, name
        for other in set(FORMS) - {name}:
            assert FORMS[other] not in first, f"{name} is told in the form of {other}"
        assert f"You are {name}, as ever." in first
        assert f"You are {name}, as ever." in second
