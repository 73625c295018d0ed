"""What a turn can require. A check answers with what is wrong, or with nothing. Each looks at data: what was called, shown and
saved, and who goes on; never at wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from evals.checks import CallPattern
from evals.specialists.evidence import TurnEvidence, headings_of
from workroom.companies.types import DocumentStatus
from workroom.core.run_events import RunState
from workroom.core.wire import Wire

ITEMS: Mapping[str, str] = {
    "roadmap": "phases",
    "checklist": "todos",
    "suggestions": "suggestions",
    "companyDna": "documents",
    "crawledSite": "pages",
}
"""What of a widget is counted."""


class CallCheck(CallPattern):
    """There was such a call, and it did not fail; with `fails`, it did. `called = false`: there was none, whatever came of it."""

    check: Literal["call"]
    called: bool = True
    fails: bool = False

    def problem(self, evidence: TurnEvidence) -> str | None:
        calls = [call for call in evidence.turn.calls if self.matches(call)]
        if self.called:
            fitting = any(call.ok != self.fails for call in calls)
            return None if fitting else f"no {'failed ' if self.fails else ''}call of {self.described()}"
        return f"a call of {self.described()}" if calls else None


class WidgetCheck(Wire):
    """A widget of this type was shown; the newest counts. `count`: exactly so many phases, todos or suggestions; `least`: not
    fewer. `active` is the number of the active phase, from 1; `done` is how many phases or todos are done."""

    check: Literal["widget"]
    widget: Literal[
        "roadmap", "checklist", "suggestions", "companyDna", "companyDocument", "crawledSite", "confirmation"
    ]
    count: int | None = Field(None, ge=1)
    least: int | None = Field(None, ge=1)
    active: int | None = Field(None, ge=1)
    done: int | None = Field(None, ge=0)

    def problem(self, evidence: TurnEvidence) -> str | None:
        shown = [widget.payload for widget in evidence.widgets if widget.type == self.widget]
        if not shown:
            return f"no {self.widget} was shown"
        items = shown[-1].get(ITEMS.get(self.widget, ""), [])
        counted = {"done": _done(items), "active": _active(items)}
        if self.count not in (None, len(items)) or len(items) < (self.least or 0):
            return f"the {self.widget} has {len(items)} entries"
        wrong = [name for name, value in counted.items() if getattr(self, name) not in (None, value)]
        return f"the {self.widget} has {wrong[0]} {counted[wrong[0]]}, not {getattr(self, wrong[0])}" if wrong else None


class DocumentCheck(Wire):
    """The specialist has saved the document in this turn, with this status; `filled` are headings that have text, `open` such as
    have none, in the language of the company. `saved = false`: no document of this kind was saved."""

    check: Literal["document"]
    kind: str
    saved: bool = True
    status: DocumentStatus | None = None
    filled: list[str] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)

    def problem(self, evidence: TurnEvidence) -> str | None:
        document = next((document for document in evidence.saved if document.kind == self.kind), None)
        if not self.saved:
            return f"{self.kind} was saved" if document else None
        if document is None:
            return f"{self.kind} was not saved"
        if self.status not in (None, document.status):
            return f"{self.kind} is {document.status}, not {self.status}"
        filled, still_open = headings_of(document, evidence.language)
        wrong = [f"{title} has no text" for title in self.filled if title not in filled]
        wrong += [f"{title} has text" for title in self.open if title not in still_open]
        return f"{self.kind}: {', '.join(wrong)}" if wrong else None


class HandOverCheck(Wire):
    """The message was handed over to one of these agents, by slug; without any, it was not handed over."""

    check: Literal["handOver"]
    to: list[str]

    def problem(self, evidence: TurnEvidence) -> str | None:
        if evidence.handed_to in self.to or (evidence.handed_to is None and not self.to):
            return None
        return f"handed over to {evidence.handed_to or 'no agent'}, not to {' or '.join(self.to) or 'no agent'}"


class StateCheck(Wire):
    """How the last run of the turn is left: `paused` waits for the user."""

    check: Literal["state"]
    state: RunState

    def problem(self, evidence: TurnEvidence) -> str | None:
        state = evidence.turn.state
        return None if state is self.state else f"the run is {state}, not {self.state}"


Check = Annotated[
    CallCheck | WidgetCheck | DocumentCheck | HandOverCheck | StateCheck,
    Field(discriminator="check"),
]


def _done(items: Sequence[Any]) -> int:
    return sum(item.get("done") is True or item.get("status") == "done" for item in items if isinstance(item, Mapping))


def _active(items: Sequence[Any]) -> int | None:
    """The number of the first active one."""
    states = [item.get("status") if isinstance(item, Mapping) else None for item in items]
    return states.index("active") + 1 if "active" in states else None
