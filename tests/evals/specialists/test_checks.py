"""Every kind of check passes on what it asks for and fails on what comes close."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from evals.specialists.checks import Check
from evals.specialists.evidence import TurnEvidence
from evals.turns import ToolUse
from pydantic import TypeAdapter

from tests.evals.specialists.evidence_samples import BOX, CHECKLIST, ROADMAP, document, left, shows
from workroom.core.run_events import RunState

CHECK: TypeAdapter[Check] = TypeAdapter(Check)
SAVE = ToolUse("skill_sidebar", {"document": "briefing", "final": True})
CRAWL = ToolUse("skill_url_crawler", {"url": "http://192.168.10.20/"}, ok=False)
FIRST, SECOND = "Unternehmen und Geschichte", "Rahmenbedingungen"
BEFORE = {"briefing": document("briefing", 1)}
SAVED = left(SAVE, before=BEFORE, after={"briefing": document("briefing", 2, FIRST)})
FINAL = left(SAVE, after={"briefing": document("briefing", 1, FIRST, final=True)})
OF_OTHERS = left(SAVE, before=BEFORE, after={"briefing": document("briefing", 2, FIRST, agent="swot_specialist")})
HANDED = left(SAVE, agents=["briefing_specialist", "swot_specialist"])

PASSING: list[tuple[dict[str, Any], TurnEvidence]] = [
    ({"check": "call", "tools": ["skill_sidebar"], "arguments": {"document": "briefing", "final": True}}, left(SAVE)),
    (
        {"check": "call", "tools": ["skill_url_crawler"], "arguments": {"url": "192.168.10.20"}, "fails": True},
        left(CRAWL),
    ),
    ({"check": "call", "tools": ["skill_sidebar"], "arguments": {"final": False}, "called": False}, left(SAVE)),
    ({"check": "widget", "widget": "roadmap", "count": 3, "active": 2, "done": 1}, left(shows("roadmap", ROADMAP))),
    ({"check": "widget", "widget": "checklist", "least": 1, "done": 1}, left(shows("checklist", CHECKLIST))),
    ({"check": "widget", "widget": "confirmation"}, left(confirmations=[BOX])),
    ({"check": "document", "kind": "briefing", "filled": [FIRST], "open": [SECOND]}, SAVED),
    ({"check": "document", "kind": "briefing", "status": "final"}, FINAL),
    ({"check": "document", "kind": "swot", "saved": False}, SAVED),
    ({"check": "handOver", "to": ["orchestrator", "swot_specialist"]}, HANDED),
    ({"check": "handOver", "to": []}, SAVED),
    ({"check": "state", "state": "paused"}, left(state=RunState.PAUSED)),
]

FAILING: list[tuple[dict[str, Any], TurnEvidence]] = [
    ({"check": "call", "tools": ["skill_sidebar"], "arguments": {"final": False}}, left(SAVE)),
    ({"check": "call", "tools": ["skill_url_crawler"]}, left(CRAWL)),
    ({"check": "call", "tools": ["skill_sidebar"], "fails": True}, left(SAVE)),
    ({"check": "call", "tools": ["skill_url_crawler"], "called": False}, left(CRAWL)),
    ({"check": "widget", "widget": "roadmap"}, left(shows("checklist", CHECKLIST))),
    ({"check": "widget", "widget": "roadmap", "count": 4}, left(shows("roadmap", ROADMAP))),
    ({"check": "widget", "widget": "roadmap", "least": 4}, left(shows("roadmap", ROADMAP))),
    ({"check": "widget", "widget": "roadmap", "active": 1}, left(shows("roadmap", ROADMAP))),
    ({"check": "widget", "widget": "checklist", "done": 0}, left(shows("checklist", CHECKLIST))),
    ({"check": "widget", "widget": "confirmation"}, left(SAVE)),
    ({"check": "document", "kind": "briefing"}, left(SAVE, before=BEFORE, after=BEFORE)),
    ({"check": "document", "kind": "briefing"}, OF_OTHERS),
    ({"check": "document", "kind": "briefing", "status": "final"}, SAVED),
    ({"check": "document", "kind": "briefing", "filled": [SECOND]}, SAVED),
    ({"check": "document", "kind": "briefing", "open": [FIRST]}, SAVED),
    ({"check": "document", "kind": "briefing", "saved": False}, SAVED),
    ({"check": "handOver", "to": ["audience_specialist"]}, HANDED),
    ({"check": "handOver", "to": ["swot_specialist"]}, SAVED),
    ({"check": "handOver", "to": []}, HANDED),
    ({"check": "state", "state": "paused"}, SAVED),
]


def named(case: Any) -> str:
    return str(case["check"]) if isinstance(case, dict) else ""


@pytest.mark.parametrize(("check", "evidence"), PASSING, ids=named)
def test_passes(check: dict[str, Any], evidence: TurnEvidence) -> None:
    assert CHECK.validate_python(check).problem(evidence) is None


@pytest.mark.parametrize(("check", "evidence"), FAILING, ids=named)
def test_fails_with_a_reason(check: dict[str, Any], evidence: TurnEvidence) -> None:
    assert CHECK.validate_python(check).problem(evidence)


def test_every_kind_of_check_has_both_cases() -> None:
    kinds = {get_args(kind.model_fields["check"].annotation)[0] for kind in get_args(get_args(Check)[0])}
    assert {case["check"] for case, _ in PASSING} == kinds
    assert {case["check"] for case, _ in FAILING} == kinds


def test_the_newest_widget_counts() -> None:
    early = shows("roadmap", {"title": "", "phases": []})
    check = CHECK.validate_python({"check": "widget", "widget": "roadmap", "count": 3})
    assert check.problem(left(early, shows("roadmap", ROADMAP))) is None
    assert check.problem(left(shows("roadmap", ROADMAP), early))
