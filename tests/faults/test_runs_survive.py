"""Drill R1: server, worker and PostgreSQL are killed at random moments of many runs that write, reach outside and ask.

Each run writes a note, sends something outside, does something that a person confirms over HTTP (half of them delete a
note, the others send once more) and writes another note.
Holds when no acknowledged input, answer, event or note is lost, everything of ours happens exactly once, nothing outside
happens twice, every run ends honestly after one answer, and every franc in the ledger belongs to a run that shows it.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.counter import Outside, counting
from tests.faults.drill import House, Serve, check_ledger, see_through, set_up, struck, workspace
from tests.faults.process import free_port
from tests.faults.provider import scripted_provider
from tests.faults.sender import Said, Sender, is_gapless

PLUGIN = Path(__file__).with_name("plugin")
YES = {"kind": "confirmation", "accepted": True}


@pytest.mark.requirement("A12")
@pytest.mark.requirement("A15")
@pytest.mark.requirement("L1")
@pytest.mark.parametrize(
    ("runs", "early", "late"), [(6, 0, 1), pytest.param(200, 20, 20, marks=pytest.mark.drill)], ids=["few", "many"]
)
def test_nothing_is_lost_and_nothing_happens_twice(data: Path, serve: Serve, runs: int, early: int, late: int) -> None:
    """So many strikes while inputs are given, and so many while answers are."""
    dice = random.Random(runs)
    with contextlib.ExitStack() as stack:
        outside = stack.enter_context(counting())
        provider = stack.enter_context(scripted_provider())
        settings = {"PORT": free_port(), "MODEL_URL": provider, "MODEL": "test", "plugins": [PLUGIN]}
        house = House(serve, data, settings, dice)
        token = house.workroom.command("tokens", "create", "admin", "--name", "drill").fine().strip()
        sender = stack.enter_context(Sender(house.workroom.base_url, token))
        doomed = prepare(sender, runs)
        asked = [
            begin(sender, number, outside, doomed[number], house if strike else None)
            for number, strike in enumerate(struck(dice, runs, early))
        ]
        assert len(set(asked)) == runs, "an input that was acknowledged is one run"
        states = see_through(sender, asked, house, struck(dice, runs, late), YES)
        logs = {run_id: sender.log(run_id) for run_id in asked}
        unknown = check_logs(logs, outside)
        check_notes(house, doomed)
        check_ledger(house, runs)
        print(f"runs {runs}, kills {dict(house.kills)}, states {dict(Counter(states.values()))}, unknown {unknown}")


def prepare(sender: Sender, runs: int) -> list[str | None]:
    """A note to be deleted for every other run."""
    set_up(sender)
    notes = f"/api/workspace/{workspace(sender)}/notes"
    return [
        None if number % 2 else sender.until_answered("POST", notes, json={"title": f"doomed {number}"})["id"]
        for number in range(runs)
    ]


def begin(sender: Sender, number: int, outside: Outside, doomed: str | None, house: House | None) -> str:
    """Give the input, and strike right after it is acknowledged, if a house is given."""
    prompt = [
        f'writeNote {{"title": "note {number}a", "text": "x"}}',
        f'sendOutside {{"url": "{outside.url}"}}',
        f'deleteNote {{"noteId": "{doomed}"}}' if doomed else f'sendConfirmed {{"url": "{outside.url}"}}',
        f'writeNote {{"title": "note {number}b", "text": "x"}}',
    ]
    body = {"prompt": "\n".join(prompt), "clientId": f"drill-{number}"}
    run_id: str = sender.until_answered("POST", f"/api/workspace/{workspace(sender)}/input", json=body)["runId"]
    if house is not None:
        house.strike()
    return run_id


def check_logs(logs: dict[str, list[Said]], outside: Outside) -> int:
    """Answers of how many calls outside nobody knows what became."""
    unknown = 0
    for said in logs.values():
        assert is_gapless(said)
        events = [item["event"] for item in said]
        assert [event["type"] for event in events][-2:] == ["agentSummary", "complete"]
        results = [event for event in events if event["type"] == "toolResult"]
        tools = [result["tool"] for result in results]
        assert tools in [["writeNote", "sendOutside", third, "writeNote"] for third in ("deleteNote", "sendConfirmed")]
        for sent in (result for result in results if result["tool"].startswith("send")):
            if sent["result"]["data"].get("outcome") == "unknown":
                unknown += 1
            else:
                assert outside.calls[sent["callId"]] == 1, "what the model believes to be sent has been sent"
    assert set(outside.calls.values()) <= {1}, "no call reaches outside twice"
    return unknown


def check_notes(house: House, doomed: list[str | None]) -> None:
    notes = house.rows("select title, deleted_at is not null from notes")
    written = [(f"note {number}{part}", "f") for number in range(len(doomed)) for part in "ab"]
    deleted = [(f"doomed {number}", "t") for number, note in enumerate(doomed) if note]
    assert sorted((title, gone) for title, gone in notes) == sorted(written + deleted)
