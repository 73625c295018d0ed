"""Calls are joined with their results, and a mark in an answer leads to the file it is of, also one that was read earlier."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from evals.thread_evidence import turn_of

from workroom.api.conversations import MessageView
from workroom.core.actions import OpenFile
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, MaterialPart, Part, Role, TextPart
from workroom.core.places import DocumentPlace
from workroom.core.results import ToolResult
from workroom.core.run_events import RunState
from workroom.core.sources import Source

FIRST, SECOND = UUID(int=1), UUID(int=2)
TERMS, RULES = UUID(int=3), UUID(int=4)


def message(role: Role, run_id: UUID | None, parts: Sequence[Part]) -> MessageView:
    return MessageView(
        id=new_id(),
        role=role,
        parts=list(parts),
        parent_id=None,
        run_id=run_id,
        created_at=now(),
        author_id=None,
        author_name=None,
    )


def source(file_id: UUID, mark: str) -> Source:
    return Source(mark=mark, opens=OpenFile(file_id=file_id), place=DocumentPlace(path="x.md"))


def test_a_turn_is_what_its_runs_did() -> None:
    good, bad = new_id(), new_id()
    material = MaterialPart(
        kind="text",
        read_for=new_id(),
        opens=OpenFile(file_id=RULES),
        mark="aaaaa",
        place=DocumentPlace(path="x.md"),
    )
    messages = [
        message(Role.USER, None, [TextPart(text="[[bbbbb]]?"), material]),
        message(Role.ASSISTANT, FIRST, [CallPart(call_id=good, tool="searchFiles", arguments={"query": "x"})]),
        message(Role.ASSISTANT, SECOND, [CallPart(call_id=bad, tool="deleteNote", arguments={})]),
        message(Role.ASSISTANT, SECOND, [TextPart(text="45 days [[bbbbb]] [[zzzzz]].")]),
    ]
    results = {good: ToolResult(message="…", sources=[source(TERMS, "bbbbb")]), bad: ToolResult.error("no")}
    first = turn_of(messages, results, [FIRST], RunState.COMPLETED)
    second = turn_of(messages, results, [SECOND], RunState.COMPLETED, ["confirmation"])
    assert [(call.tool, call.ok) for call in first.calls] == [("searchFiles", True)]
    assert (first.answer, first.cited) == ("", frozenset())
    assert [(call.tool, call.ok) for call in second.calls] == [("deleteNote", False)]
    assert second.cited == {TERMS}
    assert list(second.pauses) == ["confirmation"]
