"""A protocol says per turn what was written, called, shown and saved, what was missed, and how the documents read at the end."""

from __future__ import annotations

from decimal import Decimal

from evals.figures import Figures
from evals.specialists.evidence import AnsweredPause
from evals.specialists.protocol import protocol
from evals.specialists.runner import PlayedTurn, ScenarioOutcome
from evals.specialists.scenarios import Scenario, all_scenarios, selected
from evals.turns import ToolUse

from tests.evals.specialists.evidence_samples import BOX, CHECKLIST, ROADMAP, document, left, shows
from workroom.api.company_documents import DocumentView
from workroom.core.pauses import Confirmation, Confirmed
from workroom.core.run_events import RunState


def scenario() -> Scenario:
    return selected(all_scenarios(), ["briefing-de-1"])[0]


def played() -> list[PlayedTurn]:
    first, second, _, last = scenario().turns
    asked = AnsweredPause(Confirmation(text="Read it?"), Confirmed(accepted=True))
    showing = left(
        ToolUse("skill_url_crawler", {"url": "http://x"}, ok=False, message="It is private."),
        shows("roadmap", ROADMAP),
        shows("checklist", CHECKLIST, "skill_todos"),
        shows("suggestions", {"suggestions": ["Ja", "Nein"]}, "skill_suggestions"),
        answer="Was hat sich verändert?",
        answered=[asked],
        models=["local/m"],
        figures=Figures(2, 3, 1200, 80, 4.25, Decimal("0.0123")),
    )
    waiting = left(ToolUse("skill_confirm", {"text": "x" * 400}), confirmations=[BOX], state=RunState.PAUSED)
    saving = left(
        ToolUse("skill_sidebar", {"final": True}),
        agents=["briefing_specialist", "swot_specialist"],
        after={"briefing": document("briefing", 2, "Unternehmen und Geschichte", final=True)},
        pressed=True,
    )
    return [
        PlayedTurn(first, showing),
        PlayedTurn(second, waiting, ("no roadmap was shown",)),
        PlayedTurn(last, saving),
    ]


def text() -> str:
    written = document("briefing", 2, "Unternehmen und Geschichte", final=True)
    view = DocumentView(**written.model_dump(), text="## Unternehmen und Geschichte\n\nSeit 2011.", headings=[])
    return protocol(ScenarioOutcome(scenario(), played(), ("30 calls of the model, not 24 at most",), [view]), "qwen3")


def test_the_head_says_who_is_asked_about_what() -> None:
    head = text().partition("## Turn 1")[0]
    assert head.startswith("# briefing-de-1: not as expected\n")
    assert "- Specialist: Briefing (`briefing_specialist`), in the workspace" in head
    assert "- Company: Velowerk Aare GmbH\n- Known before: nothing\n- Files: firmenportraet.md\n- Model: qwen3" in head
    assert "- In all: 3 calls of the model, 1200 tokens in, 80 out, CHF 0.0123, 4.2 s" in head


def test_a_turn_says_what_was_called_shown_and_answered() -> None:
    turn = text().partition("## Turn 1")[2].partition("## Turn 2")[0]
    assert "**The client writes**\n\n> Guten Tag." in turn
    assert "- `skill_url_crawler` url: http://x — **failed:** It is private." in turn
    assert "- Read it? → yes" in turn
    assert "**Roadmap “Briefing”**\n\n- ✓ Firma\n- ▶ Anlass\n- · Rahmen" in turn
    assert "- [x] Logo\n- [ ] Texte" in turn
    assert "**Suggestions**\n\n- Ja\n- Nein" in turn
    assert "**Answer** (Briefing)\n\n> Was hat sich verändert?" in turn
    assert "Answered by local/m." in turn
    assert turn.rstrip().endswith("All expectations of this turn were met.")


def test_what_was_missed_stands_in_its_turn() -> None:
    turn = text().partition("## Turn 2")[2].partition("## Turn 3")[0]
    assert "**The client writes, because there is no such button (suggestion)**" in turn
    assert "**Confirmation**\n\n> Stimmt es?\n>\n> [Ja] · [Noch nicht]" in turn
    assert "x" * 400 not in turn, "long arguments are cut"
    assert "- Run: paused" in turn
    assert turn.rstrip().endswith("**Missed**\n\n- no roadmap was shown")


def test_what_was_saved_and_who_goes_on() -> None:
    turn = text().partition("## Turn 3")[2]
    assert "**The client presses “yes” in the confirmation**\n\n**Called**" in turn
    assert (
        "**Saved:** Briefing, version 2, final\n\n- With text: Unternehmen und Geschichte\n- Still open: Angebot"
        in turn
    )
    assert "- Next to answer: SWOT-Analyse (`swot_specialist`)" in turn
    assert "**Not reached:** 1 more turn." in turn
    assert "- 30 calls of the model, not 24 at most" in turn
    assert turn.endswith("### Briefing, version 2, final\n\n> ## Unternehmen und Geschichte\n>\n> Seit 2011.\n")
