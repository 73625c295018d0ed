"""Models for evaluations: one that is whoever it is told to be, one that goes on as it was unless it is told anew, and one that
goes on whatever it is told. Each speaks over the wire and knows nothing but what it is asked."""

from __future__ import annotations

import json

from workroom.core.texts import texts
from workroom.evaluations.cases import Case, cases
from workroom.models.testing import ReceivedRequest, Reply, ScriptedAnswer

CASES = {case.question: case for case in cases()}


def case_of(asked: ReceivedRequest) -> Case:
    return next(case for question, case in CASES.items() if asked.last_user_text.endswith(question))


def was_told(asked: ReceivedRequest, words: str) -> bool:
    """Anywhere in the request."""
    return json.dumps(words, ensure_ascii=False)[1:-1] in json.dumps(asked.body, ensure_ascii=False)


def is_reset(asked: ReceivedRequest) -> bool:
    """Every form of it says who the model is from now on, in the language of the agent."""
    case = case_of(asked)
    return was_told(asked, texts("workroom.agent.switching", case.language)["identity"].format(new=case.new.name))


def obedient(asked: ReceivedRequest) -> ScriptedAnswer:
    """Whoever its instructions say, be they plain or part of a reset."""
    case = case_of(asked)
    return Reply(case.sample if was_told(asked, case.new.instructions) else "Who am I?")


def inert(asked: ReceivedRequest) -> ScriptedAnswer:
    """As it answered last, unless it is told anew."""
    said = [message for message in asked.messages if message.get("role") in ("assistant", "model")]
    if is_reset(asked) or not said:
        return obedient(asked)
    content = said[-1].get("content") or said[-1]["parts"]
    return Reply(content if isinstance(content, str) else content[0]["text"])


def stubborn(asked: ReceivedRequest) -> ScriptedAnswer:
    return Reply(case_of(asked).turns[-1].answer)
