"""Drill R1 with tools of the studio: server, worker and PostgreSQL are killed while agents write content.

Each run works in a project of its own: it adds a block, writes it, has it changed by a model, and proposes a text for a final
block, which a person accepts over HTTP. Holds when every block is there once, every text is a version once, in order, and
nothing is written that was not asked for.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.drill import House, Serve, check_ledger, see_through, set_up, struck, workspace
from tests.faults.process import free_port
from tests.faults.provider import scripted_provider
from tests.faults.sender import Sender, is_gapless

TOOLS = ["manage_architecture", "update_field", "modify_field", "update_field"]
YES = {"kind": "proposal", "accepted": True}


@pytest.mark.requirement("A12")
@pytest.mark.requirement("F3")
@pytest.mark.parametrize(
    ("runs", "early", "late"), [(3, 1, 1), pytest.param(40, 10, 10, marks=pytest.mark.drill)], ids=["few", "many"]
)
def test_nothing_is_lost_and_nothing_is_written_twice(
    data: Path, serve: Serve, runs: int, early: int, late: int
) -> None:
    dice = random.Random(runs)
    with contextlib.ExitStack() as stack:
        provider = stack.enter_context(scripted_provider())
        house = House(serve, data, {"PORT": free_port(), "MODEL_URL": provider, "MODEL": "test"}, dice)
        token = house.workroom.command("tokens", "create", "admin", "--name", "drill").fine().strip()
        sender = stack.enter_context(Sender(house.workroom.base_url, token))
        set_up(sender)
        at = f"/api/workspace/{workspace(sender)}"
        conversations = [open_project(sender, at, number) for number in range(runs)]
        asked = [
            begin(sender, at, conversation, number, house if strike else None)
            for number, (conversation, strike) in enumerate(zip(conversations, struck(dice, runs, early), strict=True))
        ]
        see_through(sender, asked, house, struck(dice, runs, late), YES)
        for run_id in asked:
            said = sender.log(run_id)
            assert is_gapless(said)
            assert [item["event"]["tool"] for item in said if item["event"]["type"] == "toolResult"] == TOOLS
        check_content(house, runs)
        check_ledger(house, runs)
        print(f"runs {runs}, kills {dict(Counter(house.kills))}")


def open_project(sender: Sender, at: str, number: int) -> str:
    """With a final text for the intent."""
    projects = f"{at}/studio/projects"
    project = sender.until_answered("POST", projects, json={"name": f"project {number}", "language": "en"})["id"]
    (intent,) = sender.until_answered("GET", f"{projects}/{project}/blocks")
    text = {"version": 0, "text": "Before", "status": "final"}
    sender.until_answered("PUT", f"{projects}/{project}/blocks/{intent['id']}/text", json=text)
    opened: str = sender.until_answered("POST", f"{projects}/{project}/conversation")["workflowId"]
    return opened


def begin(sender: Sender, at: str, conversation: str, number: int, house: House | None) -> str:
    """Give the input, and strike right after it is acknowledged, if a house is given."""
    prompt = [
        f'manage_architecture {{"action": "add_block", "block_name": "part {number}", "phase": "produce_inner"}}',
        f'update_field {{"field_name": "@part {number}", "content": "Text {number}"}}',
        f'modify_field {{"field_name": "part {number}", "modification_instruction": "Say it shorter."}}',
        f'update_field {{"field_name": "Intent analysis", "content": "After {number}"}}',
    ]
    body = {"prompt": "\n".join(prompt), "workflowId": conversation, "clientId": f"drill-{number}"}
    run_id: str = sender.until_answered("POST", f"{at}/input", json=body)["runId"]
    if house is not None:
        house.strike()
    return run_id


def check_content(house: House, runs: int) -> None:
    written = house.rows(
        "select b.name, count(*), min(v.version), max(v.version), count(distinct v.run_id), b.version,"
        " string_agg(v.text, '~' order by v.version) filter (where v.version = 1),"
        " (select w.status from content_block_versions w where w.block_id = b.block_id and w.version = b.version)"
        " from content_blocks b join content_block_versions v using (block_id)"
        " where b.phase = 'produce_inner' group by b.block_id, b.name, b.version"
    )
    assert sorted(written) == sorted(
        [f"part {number}", "2", "1", "2", "1", "2", f"Text {number}", "needsReview"] for number in range(runs)
    )
    blocks = house.rows("select count(*), 'all' from content_blocks")
    assert blocks == [[str(2 * runs), "all"]], "no block was added twice"
    accepted = house.rows(
        "select v.text, v.version, v.status from content_block_versions v join content_blocks b using (block_id)"
        " where b.phase = 'intent' and v.version > 1"
    )
    assert sorted(accepted) == sorted([f"After {number}", "2", "final"] for number in range(runs))
