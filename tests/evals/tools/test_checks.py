"""Every kind of check passes on what it asks for and fails on what comes close."""

from __future__ import annotations

from datetime import date
from typing import Any, get_args
from uuid import UUID

import pytest
from evals.tools.checks import Check
from evals.tools.evidence import Contents, Evidence, FileState, NoteState, TodoState
from evals.turns import ToolUse, Turn
from pydantic import TypeAdapter, ValidationError

from workroom.core.plans import Plan, PlannedCall, PlannedStep

CHECK: TypeAdapter[Check] = TypeAdapter(Check)
INVOICE, LETTER = UUID(int=1), UUID(int=2)
NOTE = NoteState("Boiler service", "The code is 4471.")
TODO = TodoState("Order wood glue", date(2031, 5, 2), done=True)
FILES = [FileState(INVOICE, "invoice.md", "Total 12", "Finance/2031", ("paid",)), FileState(LETTER, "letter.md")]
THERE = Contents([NOTE], [TODO], FILES)


def after(*, notes: Any = (), todos: Any = (), files: Any = ()) -> Evidence:
    return Evidence(after=Contents(notes, todos, files))


def did(*calls: ToolUse, **more: Any) -> Evidence:
    return Evidence(THERE, THERE, [Turn(calls=calls, **more)])


def plan(fallback: bool = False) -> Plan:
    call = PlannedCall(tool="geolocation.geocode", arguments={"query": "Zermatt"})
    return Plan(request_id="r", steps=[PlannedStep(intent="goto_address", tool_calls=[call])], fallback=fallback)


def calculated(result: str, ok: bool = True) -> ToolUse:
    return ToolUse("calculate", {"expression": "…"}, ok, {"result": result})


READ = ToolUse("readFile", {"fileId": str(INVOICE), "page": 2})
ADDED = ToolUse("addTodos", {"titles": ["Order wood glue", "Sweep"], "due": "2031-05-02"})

PASSING: list[tuple[dict[str, Any], Evidence]] = [
    ({"check": "note", "title": "boiler", "text": ["code", "4471"]}, after(notes=[NOTE])),
    ({"check": "note", "title": "boiler", "count": 1}, after(notes=[NOTE, NoteState("Else")])),
    ({"check": "note", "title": "boiler", "exists": False}, after(notes=[NoteState("Else")])),
    ({"check": "todo", "title": "wood glue", "due": "2031-05-02", "done": True}, after(todos=[TODO])),
    ({"check": "file", "name": "Invoice.md", "folder": "finance/2031", "tags": ["Paid"]}, after(files=FILES)),
    ({"check": "unchanged"}, Evidence(THERE, Contents([NOTE], [TODO], FILES[::-1]))),
    ({"check": "call", "tools": ["readFile"], "arguments": {"page": 2}, "file": "invoice.md"}, did(READ)),
    ({"check": "call", "tools": ["addTodos"], "arguments": {"titles": "GLUE"}, "turn": 1}, did(ADDED)),
    ({"check": "call", "tools": ["deleteNote"], "called": False}, did(READ)),
    ({"check": "calculation", "result": "7.94535"}, did(calculated("1"), calculated("7.94535"))),
    ({"check": "calculation", "result": "2582.90"}, did(calculated("2582.8962048"))),
    ({"check": "citation", "file": "invoice.md"}, did(cited=frozenset({INVOICE}))),
    ({"check": "citation", "file": "letter.md", "cited": False}, did(cited=frozenset({INVOICE}))),
    ({"check": "plan", "tool": "geolocation.geocode", "arguments": {"query": "zermatt"}}, did(plans=[plan()])),
    ({"check": "pause", "kinds": ["proposal", "confirmation"]}, did(pauses=["confirmation"])),
    ({"check": "answer", "number": "1284.50"}, did(answer="Das sind 1’284.50 Franken.")),
    ({"check": "answer", "name": "qk-8830"}, did(answer="It is **QK-8830**.")),
]

FAILING: list[tuple[dict[str, Any], Evidence]] = [
    ({"check": "note", "title": "boiler", "text": ["code", "4472"]}, after(notes=[NOTE])),
    ({"check": "note", "title": "boiler", "count": 1}, after(notes=[NOTE, NOTE])),
    ({"check": "note", "title": "boiler", "exists": False}, after(notes=[NOTE])),
    ({"check": "todo", "title": "wood glue", "due": "2031-05-03"}, after(todos=[TODO])),
    ({"check": "todo", "title": "wood glue", "done": False}, after(todos=[TODO])),
    ({"check": "file", "name": "invoice.md", "folder": ""}, after(files=FILES)),
    ({"check": "file", "name": "invoice.md", "tags": ["paid", "late"]}, after(files=FILES)),
    ({"check": "unchanged"}, Evidence(THERE, Contents([NOTE], [], FILES))),
    ({"check": "call", "tools": ["readFile"], "arguments": {"page": 3}}, did(READ)),
    ({"check": "call", "tools": ["readFile"], "file": "letter.md"}, did(READ)),
    ({"check": "call", "tools": ["readFile"], "turn": 2}, did(READ)),
    ({"check": "call", "tools": ["deleteNote"]}, did(ToolUse("deleteNote", {}, ok=False))),
    ({"check": "call", "tools": ["readFile"], "called": False}, did(READ)),
    ({"check": "calculation", "result": "7.94535"}, did(calculated("7.94"))),
    ({"check": "calculation", "result": "7"}, did(calculated("7", ok=False))),
    ({"check": "citation", "file": "invoice.md"}, did()),
    ({"check": "citation", "file": "invoice.md", "cited": False}, did(cited=frozenset({INVOICE}))),
    ({"check": "plan", "tool": "layers.search"}, did(plans=[plan()])),
    ({"check": "plan", "tool": "geolocation.geocode"}, did(plans=[plan(fallback=True)])),
    ({"check": "pause", "kinds": ["confirmation"]}, did(pauses=["question"])),
    ({"check": "answer", "number": "1284.50"}, did(answer="1284.05, or 1 and 284.50")),
    ({"check": "answer", "name": "QK-8830"}, did(answer="QK-883")),
]


def named(case: Any) -> str:
    return str(case["check"]) if isinstance(case, dict) else ""


@pytest.mark.parametrize(("check", "evidence"), PASSING, ids=named)
def test_passes(check: dict[str, Any], evidence: Evidence) -> None:
    assert CHECK.validate_python(check).problem(evidence) is None


@pytest.mark.parametrize(("check", "evidence"), FAILING, ids=named)
def test_fails_with_a_reason(check: dict[str, Any], evidence: Evidence) -> None:
    assert CHECK.validate_python(check).problem(evidence)


def test_every_kind_of_check_has_both_cases() -> None:
    kinds = {get_args(kind.model_fields["check"].annotation)[0] for kind in get_args(get_args(Check)[0])}
    assert {case["check"] for case, _ in PASSING} == kinds
    assert {case["check"] for case, _ in FAILING} == kinds


def test_a_check_without_anything_to_look_for_is_refused() -> None:
    with pytest.raises(ValidationError, match="a number or a name"):
        CHECK.validate_python({"check": "answer"})
