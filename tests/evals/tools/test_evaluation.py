"""Tasks on a real server with a provider that says what it is told: pauses are answered, a task that hangs ends, and what there
is so far is printed whatever happens."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from evals.figures import Figures
from evals.model_choice import at
from evals.server import async_client, served
from evals.tools.runner import TaskOutcome, TaskRunner
from evals.tools.tasks import Task, all_tasks, selected

from evals import command as shared_command
from evals import evaluation
from evals.tools import __main__ as command
from workroom.core.ids import new_id
from workroom.models.offers import Offer
from workroom.models.testing import Call, Nothing, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

DELETED = {"pt-notes-1": "Mudança", "de-refusals-1": "Passwörter"}
HANGS = "en-todos-1"
MODEL_ARGUMENTS = ("--url", "http://127.0.0.1:9/v1", "--model", "m")


def task(name: str) -> Task:
    return selected(all_tasks(), [name])[0]


def deletes_a_note(request: ReceivedRequest) -> ScriptedAnswer:
    """Lists the notes, deletes the one that is asked for, and is done; asked anything else, it never answers."""
    title = next((DELETED[name] for name in DELETED if request.question == task(name).messages[0]), None)
    if title is None:
        return Nothing()
    if not request.results:
        return Reply(calls=[Call("listNotes")])
    if len(request.results) == 1:
        items = re.findall(r'"id":"([\w-]+)","title":"([^"]*)"', request.results[0])
        return Reply(calls=[Call("deleteNote", {"noteId": note_id}) for note_id, name in items if title in name])
    return Reply("Done.")


async def outcomes(session: httpx2.Client, offer: Offer) -> list[TaskOutcome]:
    async with async_client(session) as client:
        patient, hasty = TaskRunner(client, offer.ref, 60), TaskRunner(client, offer.ref, 1)
        return [*[await patient.run(task(name)) for name in DELETED], await hasty.run(task(HANGS))]


async def test_tasks_on_a_server(tmp_path: Path) -> None:
    async with ScriptedProvider(behaviour=deletes_a_note) as provider:
        offer = at(provider.base_url, "scripted")

        def evaluated() -> list[TaskOutcome]:
            with served(offer, tmp_path, EMBEDDING="static") as session:
                return asyncio.run(outcomes(session, offer))

        deleted, refused, hung = await asyncio.to_thread(evaluated)
    assert deleted.problems == ()
    figures = deleted.figures
    assert (figures.rounds, figures.model_calls, figures.input_tokens, figures.output_tokens) == (3, 3, 30, 15)
    assert [note.title for note in deleted.evidence.after.notes] == ["Horta"]
    assert [(call.tool, call.ok) for call in deleted.evidence.calls] == [("listNotes", True), ("deleteNote", True)]
    assert refused.problems == ()
    assert len(refused.evidence.after.notes) == 2
    assert hung.problems[0] == "not done after 1 s"
    assert 1 <= hung.figures.seconds < 30


async def test_a_server_that_refuses_fails_the_task_and_not_the_evaluation() -> None:
    def refuses(request: httpx2.Request) -> httpx2.Response:
        is_creation = request.url.path == "/api/instances"
        return httpx2.Response(201, json={"id": str(new_id())}) if is_creation else httpx2.Response(500)

    transport = httpx2.MockTransport(refuses)
    async with httpx2.AsyncClient(base_url="http://workroom", transport=transport) as client:
        outcome = await TaskRunner(client, "local/m", 1).run(task("de-notes-1"))
    assert not outcome.success
    assert "500" in outcome.problems[0]


class FakeRunner:
    """Two outcomes, then somebody presses Ctrl-C."""

    def __init__(self, client: httpx2.AsyncClient, model: str, limit_seconds: float) -> None:
        self._left = [("one problem",), ()]

    async def run(self, asked: Task) -> TaskOutcome:
        if not self._left:
            raise KeyboardInterrupt
        return TaskOutcome(asked, self._left.pop(), Figures(1, 1, 10, 5, 0.5, Decimal("0.002")))


@contextmanager
def no_server(offer: Offer, folder: Path, **settings: Any) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url="http://127.0.0.1:9") as client:
        yield client


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "served", no_server)
    monkeypatch.setattr(command, "TaskRunner", FakeRunner)


def run(*arguments: str) -> int | str | None:
    try:
        command.main([*MODEL_ARGUMENTS, *arguments])
    except SystemExit as ended:
        return ended.code
    return None


@pytest.mark.usefixtures("offline")
def test_ctrl_c_prints_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--only", "en") == 130
    out = capsys.readouterr().out
    assert "2/19 en-todos-1 (0 s): no: one problem" in out
    assert "| all | 2 | 1 | 50% |" in out


@pytest.mark.usefixtures("offline")
def test_a_report_is_kept_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shared_command, "REPORTS", tmp_path / "evals")
    assert run("--only", "en", "--limit", "1") is None
    assert not (tmp_path / "evals").exists()
    log = tmp_path / "log.jsonl"
    assert run("--only", "en", "--limit", "2", "--keep", "--log", str(log)) is None
    assert "| en-notes-1 | yes |" in (tmp_path / "evals" / "m.md").read_text("utf-8")
    assert len(log.read_text("utf-8").splitlines()) == 2
    assert str(tmp_path / "evals" / "m.md") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["--only", "klingon"], "klingon"), (["--key-from", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE")],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: Sequence[str], sentence: str) -> None:
    ended = run(*arguments)
    assert isinstance(ended, str)
    assert ended.startswith("evals.tools: ")
    assert sentence in ended
