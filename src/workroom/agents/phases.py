"""Composes the instructions of a shipped agent that works in phases: its role, how its team works, when it uses each of its
skills, and what it asks in every phase. Pure: data in, plain text out, so that such an agent is copied like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from workroom.core.languages import Language
from workroom.core.wire import Wire

Texts = Mapping[Language, str]


class Phase(Wire):
    """A part of the work: what is asked in it, and what must be known and confirmed before the next begins (`exit`)."""

    names: Texts
    questions: Mapping[Language, list[str]]
    exit: Texts


class PhasedAgent(Wire):
    """What a shipped agent of a team is composed of. `document` is the kind of document it writes; an agent that only leads
    others has none. `handsTo` begins with the agent that goes on when the document is final."""

    instructions: Texts
    phases: list[Phase] = Field(min_length=3, max_length=6)
    tool_names: list[str]
    hands_to: list[str]
    document: str | None = None


class Titles(Wire):
    method: Texts
    phases: Texts
    exit: Texts


class TeamTexts(Wire):
    """What all agents of a team are told: how they work, when each skill is used, and to whom they hand over."""

    method: Texts
    skills: Mapping[str, Texts]
    handover: Texts
    titles: Titles


def composed(agent: PhasedAgent, team: TeamTexts, language: Language) -> str:
    method = "\n".join([team.method[language], *_skills(agent, team, language)])
    phases = "\n".join(_phases(agent.phases, team.titles.exit[language], language))
    return "\n\n".join(
        [
            agent.instructions[language],
            f"## {team.titles.method[language]}\n{method}",
            f"## {team.titles.phases[language]}\n{phases}",
        ]
    )


def _skills(agent: PhasedAgent, team: TeamTexts, language: Language) -> Iterator[str]:
    """A line for each skill the agent has, and one about its end, if its document has one."""
    document = agent.document or ""
    for name in agent.tool_names:
        yield f"- `{name}`: {team.skills[name][language].format(document=document)}"
    if document:
        yield "- " + team.handover[language].format(next=agent.hands_to[0])


def _phases(phases: Sequence[Phase], exit_title: str, language: Language) -> Iterator[str]:
    for number, phase in enumerate(phases, start=1):
        yield f"{number}. **{phase.names[language]}** {' '.join(phase.questions[language])}"
        yield f"   {exit_title}: {phase.exit[language]}"
