"""What a turn of a scenario left behind: everything that its checks and the protocol look at. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.figures import NO_FIGURES, Figures
from evals.turns import Turn
from workroom.agents.shipped import shipped_id
from workroom.api.company_documents import DocumentState
from workroom.companies.document_kinds import KINDS, in_language
from workroom.core.pauses import Pause, PauseAnswer

CONFIRMATION = "confirmation"
SUGGESTIONS = "suggestions"


@dataclass(frozen=True)
class ShownWidget:
    """`type` is that of its action, such as `roadmap`; a confirmation box is a `confirmation` with its text and buttons."""

    type: str
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class AnsweredPause:
    """What the user was asked while a turn was under way, and what was answered at once."""

    pause: Pause
    answer: PauseAnswer


@dataclass(frozen=True)
class TurnEvidence:
    """`agents` are the slugs of those that answered, in order; `next_agent` is who answers the next message. `before` and `after`
    are the company's documents by kind. `pressed`: the button that the turn presses was there. `confirmations` are boxes that the
    user saw, `answered` what was answered at once. `error`: why the last run failed."""

    turn: Turn
    agents: Sequence[str] = ()
    next_agent: str = ""
    before: Mapping[str, DocumentState] = field(default_factory=dict)
    after: Mapping[str, DocumentState] = field(default_factory=dict)
    language: str = "de"
    pressed: bool = False
    confirmations: Sequence[ShownWidget] = ()
    answered: Sequence[AnsweredPause] = ()
    error: str = ""
    models: Sequence[str] = ()
    figures: Figures = NO_FIGURES

    @property
    def widgets(self) -> list[ShownWidget]:
        """In the order in which they were shown."""
        shown = [ShownWidget(action.type, action.payload) for call in self.turn.calls for action in call.actions]
        return [*shown, *self.confirmations]

    @property
    def suggestions(self) -> list[str]:
        return [text for widget in self.widgets if widget.type == SUGGESTIONS for text in widget.payload["suggestions"]]

    @property
    def handed_to(self) -> str | None:
        """The agent that the first one handed the message over to."""
        return self.agents[1] if len(self.agents) > 1 else None

    @property
    def saved(self) -> list[DocumentState]:
        """Documents that an agent of this turn has written in it."""
        writers = {shipped_id(slug) for slug in self.agents}
        return [
            document
            for kind, document in self.after.items()
            if document.agent_id in writers
            and (kind not in self.before or document.version > self.before[kind].version)
        ]


def headings_of(document: DocumentState, language: str) -> tuple[list[str], list[str]]:
    """Those of its headings that have text, and those still open."""
    titles = [in_language(heading.title, language) for heading in KINDS[document.kind].headings]
    return (
        [title for title in titles if title not in document.missing_headings],
        [title for title in titles if title in document.missing_headings],
    )
