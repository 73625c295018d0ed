"""One scenario from set-up to outcome: a workspace and a company of its own, turn by turn, within a time limit. A scenario that
fails, for whatever reason, is an outcome, too; only a server that is gone ends the evaluation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import httpx2

from evals.checks import problems
from evals.figures import Figures
from evals.specialists.conversation import SpecialistConversation
from evals.specialists.evidence import TurnEvidence
from evals.specialists.scenarios import Scenario, ScenarioTurn
from evals.specialists.workspace import ClientWorkspace
from workroom.api.company_documents import DocumentView
from workroom.core.run_events import RunState


@dataclass(frozen=True)
class PlayedTurn:
    """A turn with what followed it, and which of its expectations were missed."""

    turn: ScenarioTurn
    evidence: TurnEvidence
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScenarioOutcome:
    """`failures` are about the scenario as a whole. `documents` are those that have a text at its end. `unanswered`: no call of
    the model succeeded."""

    scenario: Scenario
    turns: Sequence[PlayedTurn] = ()
    failures: tuple[str, ...] = ()
    documents: Sequence[DocumentView] = ()
    unanswered: bool = False

    @property
    def id(self) -> str:
        return self.scenario.id

    @property
    def language(self) -> str:
        return self.scenario.language

    @property
    def figures(self) -> Figures:
        return Figures.total(played.evidence.figures for played in self.turns)

    @property
    def problems(self) -> tuple[str, ...]:
        numbered = enumerate(self.turns, start=1)
        of_turns = [f"turn {number}: {problem}" for number, played in numbered for problem in played.problems]
        return (*of_turns, *self.failures)

    @property
    def success(self) -> bool:
        return not self.problems


@dataclass
class ScenarioRunner:
    """`model` is asked where a person can choose one. `scripted`: it gives the replies of the script, so that what only these
    guarantee is checked as well."""

    client: httpx2.AsyncClient
    model: str
    limit_seconds: float
    scripted: bool = False

    async def run(self, scenario: Scenario) -> ScenarioOutcome:
        played: list[PlayedTurn] = []
        try:
            workspace = await ClientWorkspace.create(self.client, scenario.id)
            conversation = await SpecialistConversation.begin(workspace, scenario, self.model)
            failures = await self._play_in_time(conversation, played)
            return await _outcome(conversation, played, failures)
        except (httpx2.HTTPStatusError, TimeoutError) as error:
            failure = f"the server did not do what the scenario needs: {error or type(error).__name__}"
            return ScenarioOutcome(scenario, tuple(played), (failure,))

    async def _play_in_time(self, conversation: SpecialistConversation, played: list[PlayedTurn]) -> list[str]:
        try:
            async with asyncio.timeout(self.limit_seconds):
                await self._play(conversation, played)
        except TimeoutError:
            await conversation.stop()
            return [f"not done after {self.limit_seconds:g} s"]
        return []

    async def _play(self, conversation: SpecialistConversation, played: list[PlayedTurn]) -> None:
        turns = conversation.scenario.turns
        for turn, following in zip(turns, [*turns[1:], None], strict=True):
            evidence = await conversation.play(turn, following)
            checks = [*turn.required, *(turn.scripted if self.scripted else ())]
            missed = [*conversation.failures, *_broken_rules(turn, evidence), *problems(checks, evidence)]
            played.append(PlayedTurn(turn, evidence, tuple(missed)))
            if evidence.turn.state not in (RunState.COMPLETED, RunState.PAUSED):
                return


async def _outcome(
    conversation: SpecialistConversation, played: Sequence[PlayedTurn], failures: Sequence[str]
) -> ScenarioOutcome:
    scenario = conversation.scenario
    calls = sum(one.evidence.figures.model_calls for one in played)
    too_many = (
        [f"{calls} calls of the model, not {scenario.model_calls} at most"] if calls > scenario.model_calls else []
    )
    return ScenarioOutcome(
        scenario,
        tuple(played),
        (*failures, *too_many),
        await conversation.written_documents(),
        conversation.is_unanswered,
    )


def _broken_rules(turn: ScenarioTurn, evidence: TurnEvidence) -> list[str]:
    """What no turn of any scenario may leave behind: specialists must call a tool before they answer a message, and end."""
    broken = []
    if evidence.turn.state not in (RunState.COMPLETED, RunState.PAUSED):
        broken.append(f"the run ended as {evidence.turn.state}")
    elif not evidence.turn.calls and not (turn.answers_confirmation and evidence.pressed):
        broken.append("no tool was called")
    return broken
