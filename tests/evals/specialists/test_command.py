"""The command on a real server: with a model that follows the script, one that never calls tools, and one that refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from evals.model_choice import at
from evals.server import served
from evals.specialists.__main__ import main
from evals.specialists.scenarios import all_scenarios, selected
from evals.specialists.script import replies

from evals import evaluation
from workroom.models.offers import Offer
from workroom.models.testing import Reply, ScriptedProvider, Status

CHOSEN = ("orchestrator-en-1", "goals-de-1")


@pytest.fixture(scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[ScriptedProvider, httpx2.Client]]:
    """One server for all tests, as the command starts it."""
    async with ScriptedProvider() as provider, _in_thread(at(provider.base_url, "m"), tmp_path_factory) as session:
        yield provider, session


@asynccontextmanager
async def _in_thread(offer: Offer, folders: pytest.TempPathFactory) -> AsyncIterator[httpx2.Client]:
    """The server asks the provider while it starts: this loop must not wait for it."""
    server = served(offer, folders.mktemp("command"), EMBEDDING="static")
    session = await asyncio.to_thread(server.__enter__)
    try:
        yield session
    finally:
        await asyncio.to_thread(server.__exit__, None, None, None)


@pytest.fixture
def provider(started: tuple[ScriptedProvider, httpx2.Client], monkeypatch: pytest.MonkeyPatch) -> ScriptedProvider:
    provider, session = started
    provider.script, provider.behaviour = [], None

    @contextmanager
    def running(offer: Offer, folder: Path, **settings: Any) -> Iterator[httpx2.Client]:
        yield session

    monkeypatch.setattr(evaluation, "served", running)
    return provider


async def run(provider: ScriptedProvider, folder: Path, *only: str) -> str | int | None:
    """How the command ended."""
    arguments = ["--url", provider.base_url, "--model", "m", "--protocols", str(folder)]
    arguments += [word for selector in only for word in ("--only", selector)]
    try:
        await asyncio.to_thread(main, arguments, {})
    except SystemExit as ended:
        return ended.code
    return None


@pytest.mark.requirement("F8")
async def test_outcomes_a_report_and_protocols(
    provider: ScriptedProvider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios = selected(all_scenarios(), CHOSEN)
    provider.script = [reply for scenario in scenarios for reply in replies(scenario)]
    assert await run(provider, tmp_path / "protocols", *CHOSEN) is None
    out = capsys.readouterr().out
    assert "1/2 orchestrator-en-1 (" in out
    assert "| goals-de-1 | yes |" in out
    assert "| all | 2 | 2 | 100% |" in out
    assert f"The protocols are in {tmp_path / 'protocols'}." in out
    text = (tmp_path / "protocols" / "goals-de-1.md").read_text("utf-8")
    assert text.startswith("# goals-de-1: as expected\n")
    assert "by `POST /api/agentic-chat`" in text
    assert "**Saved:** Ziele, version 3, final" in text
    assert "- Next to answer: Botschaften (`messages_specialist`)" in text


async def test_a_model_that_never_calls_tools_gets_a_report(
    provider: ScriptedProvider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.behaviour = lambda _: Reply("Gerne, erzählt mir mehr.")
    assert await run(provider, tmp_path, *CHOSEN) is None
    out = capsys.readouterr().out
    assert "| all | 2 | 0 | 0% |" in out
    assert "turn 1: no tool was called; turn 1: no call of skill_dna_lookup" in out
    text = (tmp_path / "goals-de-1.md").read_text("utf-8")
    assert "**The client writes, because there is no such button (yes)**" in text
    assert "- goals was not saved" in text


async def test_a_model_that_refuses_gets_a_report_and_a_sentence(
    provider: ScriptedProvider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.behaviour = lambda _: Status(403, "not for you")
    ended = await run(provider, tmp_path)
    assert isinstance(ended, str)
    assert ended.startswith("evals.specialists: local/m does not answer: turn 1: ")
    out = capsys.readouterr().out
    assert f"1 of {len(all_scenarios())} scenarios" in out
    assert "| orchestrator-de-1 | no |" in out
    assert "- Run: error" in (tmp_path / "orchestrator-de-1.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["--only", "klingon"], "klingon"), (["--key-from", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE")],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(SystemExit, match=f"^evals.specialists: .*{sentence}"):
        main(["--url", "http://127.0.0.1:9/v1", "--model", "m", *arguments], {})
