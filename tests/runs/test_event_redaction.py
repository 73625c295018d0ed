"""What other readers of a conversation see of material and events that were made for one person."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import call
from workroom.core.actions import OpenFile, UiAction
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart
from workroom.core.pauses import PauseState, Proposal, ProposedFile, Reviewed
from workroom.core.places import DocumentPlace, numbered_place, section_place, sheet_place, titled_place
from workroom.core.run_events import RUN_EVENT, ActionRequested, PauseChanged, RunState, StatusChanged
from workroom.core.sources import Source
from workroom.models.ports import ModelFailed
from workroom.runs.reader_redaction import redacted_event
from workroom.runs.step_events import events_for_pause
from workroom.runs.types import StoredEvent


def material(place: DocumentPlace, **opens: Any) -> MaterialPart:
    at = OpenFile(file_id=new_id(), **opens)
    source = Source(mark="aaaaa", place=sheet_place("Dismissals", "hr.xlsx"), opens=at)
    return MaterialPart(
        kind="text", place=place, text="Bob is dismissed.", read_for=new_id(), opens=at, sources=[source]
    )


@pytest.mark.parametrize(
    ("place", "opens", "seen"),
    [
        (titled_place("Dismissal of Bob", "hr.md"), {"section": "s1"}, "hr.md"),
        (section_place("s1.2", "Dismissal of Bob", "a/hr.docx"), {"section": "s1.2"}, "a/hr.docx"),
        (sheet_place("Dismissals of Bob", "hr.xlsx"), {"sheet": "Dismissals of Bob"}, "hr.xlsx"),
        (titled_place("Dismissal " * 60), {"section": "s1"}, "…"),
        (
            DocumentPlace(kind="page", numbers=(3, 4), title="Dismissals", path="hr.pdf"),
            {"page": 3},
            "pages 3-4 of hr.pdf",
        ),
        (
            numbered_place("page", [3], "“Plan” of 2024.pdf"),
            {"page": 3, "quote": "Dismissal"},
            "page 3 of “Plan” of 2024.pdf",
        ),
    ],
)
def test_titles_and_names_in_a_document_are_for_whom_it_was_read(
    place: DocumentPlace, opens: dict[str, Any], seen: str
) -> None:
    part = material(place, **opens)
    shown = part.seen_by(new_id())
    assert shown.label == seen
    assert "Dismissal" not in shown.model_dump_json()
    own = part.seen_by(part.read_for)
    assert (own.label, own.opens, own.sources, own.text) == (part.label, part.opens, part.sources, "")


def test_others_do_not_hear_which_chapter_a_tool_is_at_nor_which_sheet_is_opened() -> None:
    told = StatusChanged(state=RunState.RUNNING, text="Summing up 1 of 2: Dismissal of Bob, pages 1-9")
    event = redacted_event(StoredEvent(new_id(), 1, 1, told.model_dump_json()))
    assert RUN_EVENT.validate_json(event.json) == StatusChanged(state=RunState.RUNNING)
    order = ActionRequested(action=OpenFile(file_id=new_id(), sheet="Dismissals").action())
    opened = redacted_event(StoredEvent(new_id(), 1, 1, order.model_dump_json())).event
    assert isinstance(opened, ActionRequested)
    assert opened.action.payload.keys() == {"fileId"}
    widget = ActionRequested(action=UiAction(type="crawledSite", payload={"title": "Dismissals"}))
    drawn = redacted_event(StoredEvent(new_id(), 1, 1, widget.model_dump_json())).event
    assert isinstance(drawn, ActionRequested)
    assert drawn.action.payload == {}, "it stands in the result of its call, which is for the one who asked"
    over = StoredEvent(
        new_id(), 2, 1, StatusChanged(state=RunState.COMPLETED, text="The agent is gone.").model_dump_json()
    )
    assert redacted_event(over) == over


CANARY = "canary-4711"


@pytest.mark.requirement("H6")
def test_what_would_be_changed_in_a_file_is_for_the_one_it_was_read_for() -> None:
    file = ProposedFile(file_id=new_id(), version=3)
    pause = Proposal(text="Change it?", name="hr.md", before=f"a {CANARY}", after=CANARY, file=file)
    call_part = call("applyFileEdit")
    for event in (
        *events_for_pause(call_part, pause),
        PauseChanged(
            call_id=call_part.call_id,
            tool="applyFileEdit",
            state=PauseState.ANSWERED,
            pause=pause,
            answer=Reviewed(accepted=True, text=CANARY),
        ),
    ):
        assert CANARY in event.model_dump_json()
        seen = redacted_event(StoredEvent(new_id(), 1, 1, event.model_dump_json()))
        assert CANARY not in seen.json
        assert "hr.md" in seen.json
    own = pause.model_copy(update={"file": None})  # a note is for everybody in the workspace
    [told] = events_for_pause(call_part, own)
    assert CANARY in redacted_event(StoredEvent(new_id(), 1, 1, told.model_dump_json())).json


@pytest.mark.requirement("H6")
async def test_a_providers_words_about_a_failure_are_for_the_one_who_asked(world: World) -> None:
    """Providers quote the request they refuse."""
    bench = RunBench(world)
    accepted = await bench.ask("hello")
    details = {"provider": "acme", "model": "deep", "words": f"'{CANARY}' is not valid"}
    refusal = ModelFailed(
        f"Acme refused (400): '{CANARY}' is not valid", again=False, code="modelRefused", details=details
    )
    await bench.advance(accepted, refusal)
    await shared(world, accepted.conversation_id, "alice")
    run = f"/api/runs/{accepted.run_id}"
    for path in (
        f"/api/workspace/{bench.lab}/conversations/{accepted.conversation_id}",
        run,
        f"{run}/log",
        f"{run}/trace",
    ):
        own, theirs = [await world.call(person, "GET", path) for person in ("bob", "alice")]
        assert (own.status_code, theirs.status_code) == (200, 200)
        assert CANARY in own.text
        assert CANARY not in theirs.text
    assert (await world.call("alice", "GET", run)).json()["error"] == "Acme refused (400): …"
