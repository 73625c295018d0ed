"""Evidence as turns leave it behind, for checks and protocols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evals.specialists.evidence import CONFIRMATION, ShownWidget, TurnEvidence
from evals.turns import ToolUse, Turn

from workroom.agents.shipped import shipped_id
from workroom.api.company_documents import DocumentState
from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.types import DocumentStatus
from workroom.core.actions import UiAction
from workroom.core.run_events import RunState

ROADMAP = {
    "title": "Briefing",
    "phases": [
        {"name": "Firma", "status": "done"},
        {"name": "Anlass", "status": "active"},
        {"name": "Rahmen", "status": "pending"},
    ],
}
CHECKLIST = {"title": "Unterlagen", "todos": [{"title": "Logo", "done": True}, {"title": "Texte", "done": False}]}
BOX = ShownWidget(CONFIRMATION, {"text": "Stimmt es?", "options": [{"label": "Ja"}, {"label": "Noch nicht"}]})


def shows(widget: str, payload: Mapping[str, Any], tool: str = "skill_roadmap") -> ToolUse:
    return ToolUse(tool, {"title": "Briefing"}, actions=[UiAction(type=widget, payload=dict(payload))])


def document(
    kind: str, version: int, *filled: str, final: bool = False, agent: str = "briefing_specialist"
) -> DocumentState:
    titles = [in_language(heading.title, "de") for heading in KINDS[kind].headings]
    return DocumentState(
        kind=kind,
        name=in_language(KINDS[kind].name, "de"),
        purpose="",
        builds_on=[],
        waits_for=[],
        stale_after=[],
        missing_headings=[title for title in titles if title not in filled],
        heading_count=len(titles),
        version=version,
        status=DocumentStatus.FINAL if final else DocumentStatus.DRAFT,
        written_by=None,
        written_by_name=None,
        agent_id=shipped_id(agent),
        agent_name="",
        run_id=None,
        written_at=None,
        restored_from=None,
    )


def left(
    *calls: ToolUse,
    agents: Sequence[str] = ("briefing_specialist",),
    state: RunState = RunState.COMPLETED,
    answer: str = "",
    **more: Any,
) -> TurnEvidence:
    turn = Turn(state, calls, answer=answer)
    return TurnEvidence(turn, agents=agents, next_agent=agents[-1], **more)
