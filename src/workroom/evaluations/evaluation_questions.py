"""The first question after a switch, put as the product puts it: the same composing, the same retries, no copy of either.

With the reset, a run knows of the agent before it, and the strategy of the model decides what is told and what is shown.
Without, it does not: plain instructions, and everything that was said as it was said. Neither has tools or summaries, so that
the reset is all the two differ in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from workroom.agent.context import compose
from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import AgentSpec, Attempts, PastConversation, Progress
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.evaluations.cases import Case
from workroom.models.catalogue.strategies import SwitchStrategy
from workroom.models.ports import Forcing, Model, ModelInfo, ModelRequest, ModelResponse
from workroom.runs.previous_agents import find_past
from workroom.runs.types import Speaker
from workroom.usage.types import Purpose

ANSWER_TOKENS = 4_096  # the answers take a few paragraphs; some models think first, and that counts


@dataclass(frozen=True)
class EvaluationQuestion:
    """`number` counts the repetitions from one."""

    case: Case
    number: int
    reset: bool

    @property
    def key(self) -> tuple[str, int, bool]:
        return self.case.id, self.number, self.reset


def questions(cases: Sequence[Case], repeats: int) -> Iterator[EvaluationQuestion]:
    """Every conversation without the reset and with it, then all of them again: an interruption leaves some of each."""
    for number in range(1, repeats + 1):
        for case in cases:
            for reset in (False, True):
                yield EvaluationQuestion(case, number, reset)


async def ask(
    question: EvaluationQuestion, model: Model, journal: Attempts, strategy: SwitchStrategy | None = None
) -> ModelResponse:
    """The answer. ModelFailed when there is none, also after what tries there are. `strategy` None: the model's own."""
    asking = ModelCalls([model], journal, lambda _: None, Purpose.EVALUATION)

    def told(info: ModelInfo) -> ModelRequest:
        known = replace(info, strategy=strategy or info.strategy)
        return request(question.case, known, reset=question.reset)

    return await asking.ask(told, new_id())


def request(case: Case, model: ModelInfo, *, reset: bool) -> ModelRequest:
    old, new = new_id(), new_id()
    said = [
        _message(role, text)
        for turn in case.turns
        for role, text in ((Role.USER, turn.user), (Role.ASSISTANT, turn.answer))
    ]
    messages = [*said, _message(Role.USER, case.question)]
    past = _past(case, messages, old, new) if reset else None
    spec = AgentSpec(case.new.instructions, id=new, name=case.new.name, language=case.language)
    progress = Progress(messages, len(said), past=past)
    return compose(
        progress, spec, {}, model, forcing=Forcing.AUTO, output_tokens=min(ANSWER_TOKENS, model.output_tokens)
    )


def _past(case: Case, messages: list[Message], old: UUID, new: UUID) -> PastConversation | None:
    """One switch without an answer since."""
    before = Speaker(old, case.old.name, switch_seq=0)
    said_by = {message.id: before for message in messages if message.role is Role.ASSISTANT}
    return find_past(messages, said_by, new, 1, case.language)


def _message(role: Role, text: str) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text=text)])
