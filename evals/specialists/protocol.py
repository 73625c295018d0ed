"""The protocol of a scenario as Markdown, for people who know the work and not the code: what was written, called, shown and
saved, who answers next, what it cost, and which expectations were missed. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.figures import Figures
from evals.specialists.evidence import AnsweredPause, ShownWidget, TurnEvidence, headings_of
from evals.specialists.runner import PlayedTurn, ScenarioOutcome
from evals.specialists.scenarios import Endpoint, Scenario, ScenarioTurn
from evals.turns import ToolUse
from workroom.agents.shipped import shipped, shipped_id
from workroom.api.company_documents import DocumentState
from workroom.companies.document_kinds import KINDS, in_language
from workroom.core.pauses import Choice, Chosen, Confirmed, Replied, Reviewed

LONGEST_ARGUMENT = 160
MARKS: Mapping[str, str] = {"done": "✓", "active": "▶", "pending": "·"}
ENDPOINTS: Mapping[Endpoint, str] = {
    Endpoint.WORKSPACE: "in the workspace",
    Endpoint.AGENTIC_CHAT: "by `POST /api/agentic-chat`",
}


def protocol(outcome: ScenarioOutcome, model: str) -> str:
    scenario = outcome.scenario
    sections = [
        f"# {scenario.id}: {'as expected' if outcome.success else 'not as expected'}",
        *_head(scenario, model, outcome.figures),
    ]
    for number, played in enumerate(outcome.turns, start=1):
        sections += [f"## Turn {number}", *_turn(played, scenario)]
    if missing := scenario.turns[len(outcome.turns) :]:
        sections.append(f"**Not reached:** {len(missing)} more {'turns' if len(missing) > 1 else 'turn'}.")
    if outcome.failures:
        sections.append(_bullets("Missed by the scenario as a whole", outcome.failures))
    if outcome.documents:
        sections.append("## Documents at the end")
        for document in outcome.documents:
            sections += [f"### {_document(document, scenario.language)}", _quoted(document.text)]
    return "\n\n".join(sections) + "\n"


def _head(scenario: Scenario, model: str, figures: Figures) -> Iterator[str]:
    yield scenario.about
    before = [f"{_kind(one.kind, scenario.language)} ({one.status})" for one in scenario.documents]
    website = f", {scenario.company.website}" if scenario.company.website else ""
    yield "\n".join(
        [
            f"- Specialist: {_agent(scenario.slug, scenario.language)}, {ENDPOINTS[scenario.endpoint]}",
            f"- Company: {scenario.company.name}{website}",
            f"- Known before: {', '.join(before) or 'nothing'}",
            f"- Files: {', '.join(file.name for file in scenario.files) or 'none'}",
            f"- Model: {model}",
            f"- In all: {_figures(figures)}",
        ]
    )


def _turn(played: PlayedTurn, scenario: Scenario) -> Iterator[str]:
    evidence = played.evidence
    yield f"**{_action(played.turn, evidence)}**"
    if not (evidence.pressed and played.turn.answers_confirmation):
        yield _quoted(played.turn.writes)
    if evidence.turn.calls:
        yield _bullets("Called", [_call(call) for call in evidence.turn.calls])
    if evidence.answered:
        yield _bullets("Asked on the way", [_answered(pause) for pause in evidence.answered])
    for widget in evidence.widgets:
        yield from _widget(widget)
    if evidence.saved:
        yield "\n\n".join(_saved(document, scenario.language) for document in evidence.saved)
    if evidence.turn.answer:
        names = ", then ".join(_agent_name(slug, scenario.language) for slug in evidence.agents)
        yield f"**Answer** ({names})\n\n{_quoted(evidence.turn.answer)}"
    answered_by = f" Answered by {', '.join(evidence.models)}." if evidence.models else ""
    yield "\n".join(
        [
            f"- Run: {evidence.turn.state}",
            f"- Next to answer: {_agent(evidence.next_agent, scenario.language)}",
            f"- {_figures(evidence.figures)}.{answered_by}",
        ]
    )
    yield _bullets("Missed", played.problems) if played.problems else "All expectations of this turn were met."


def _action(turn: ScenarioTurn, evidence: TurnEvidence) -> str:
    if turn.presses is None:
        return "The client writes"
    button = "the suggestion" if turn.presses == "suggestion" else f"“{turn.presses}” in the confirmation"
    if evidence.pressed:
        return f"The client presses {button}"
    return f"The client writes, because there is no such button ({turn.presses})"


def _call(call: ToolUse) -> str:
    arguments = ", ".join(f"{name}: {_argument(value)}" for name, value in call.arguments.items())
    failure = "" if call.ok else f" — **failed:** {_line(call.message) or 'not carried out'}"
    return f"`{call.tool}` {arguments}".rstrip() + failure


def _argument(value: Any) -> str:
    return _line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _answered(pause: AnsweredPause) -> str:
    match pause.answer:
        case Confirmed(accepted=accepted) | Reviewed(accepted=accepted):
            answer = "yes" if accepted else "no"
        case Replied(text=text):
            answer = text
        case Chosen(choice_id=choice_id):
            options = pause.pause.options if isinstance(pause.pause, Choice) else []
            answer = next((option.label for option in options if option.id == choice_id), choice_id)
    return f"{_line(pause.pause.text)} → {answer}"


def _widget(widget: ShownWidget) -> Iterator[str]:
    payload = widget.payload
    match widget.type:
        case "roadmap":
            phases = [f"{MARKS.get(phase['status'], '·')} {phase['name']}" for phase in payload["phases"]]
            yield _bullets(f"Roadmap “{payload['title']}”", phases)
        case "checklist":
            todos = [f"[{'x' if todo['done'] else ' '}] {todo['title']}" for todo in payload["todos"]]
            yield _bullets(f"Checklist “{payload['title']}”", todos)
        case "suggestions":
            yield _bullets("Suggestions", payload["suggestions"])
        case "confirmation":
            buttons = " · ".join(f"[{option['label']}]" for option in payload["options"])
            yield f"**Confirmation**\n\n{_quoted(payload['text'])}\n>\n> {buttons}"
        case "companyDna":
            states = ", ".join(f"{document['name']} ({document['status']})" for document in payload["documents"])
            yield f"**DNA shown:** {states}"
        case "crawledSite":
            yield _bullets(f"Website read: {payload['url']}", [page["title"] for page in payload["pages"]])


def _saved(document: DocumentState, language: str) -> str:
    filled, still_open = headings_of(document, language)
    return "\n".join(
        [
            f"**Saved:** {_document(document, language)}",
            "",
            f"- With text: {', '.join(filled) or 'none'}",
            f"- Still open: {', '.join(still_open) or 'none'}",
        ]
    )


def _document(document: DocumentState, language: str) -> str:
    return f"{_kind(document.kind, language)}, version {document.version}, {document.status}"


def _figures(figures: Figures) -> str:
    tokens = f"{figures.input_tokens} tokens in, {figures.output_tokens} out"
    return f"{figures.model_calls} calls of the model, {tokens}, CHF {figures.cost:.4f}, {figures.seconds:.1f} s"


def _agent(slug: str, language: str) -> str:
    return f"{_agent_name(slug, language)} (`{slug}`)"


def _agent_name(slug: str, language: str) -> str:
    agent = shipped(language).get(shipped_id(slug))
    return agent.name if agent else "an agent that is not shipped"


def _kind(kind: str, language: str) -> str:
    return in_language(KINDS[kind].name, language)


def _bullets(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"**{title}**", "", *(f"- {item}" for item in items)])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())


def _line(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= LONGEST_ARGUMENT else f"{whole[:LONGEST_ARGUMENT].rstrip()} …"
