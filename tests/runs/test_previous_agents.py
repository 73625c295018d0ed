"""When an answer is the first one after a switch, and whose words are whose."""

from __future__ import annotations

from uuid import UUID

import pytest

from workroom.agents.shipped import ASSISTANT_ID
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Part, Role, TextPart
from workroom.runs.previous_agents import find_past
from workroom.runs.types import Speaker

ADA, BEA = new_id(), new_id()
NAMES = {ADA: "Ada", BEA: "Bea"}
CALL = CallPart(call_id=new_id(), tool="look", arguments={})


class Talk:
    """Said by the user, and by agents that knew of so many switches."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.said_by: dict[UUID, Speaker] = {}

    def asks(self) -> Talk:
        self.messages.append(Message(id=new_id(), role=Role.USER, parts=[TextPart(text="?")]))
        return self

    def answers(self, agent: UUID | None, switches: int, *, words: bool = True) -> Talk:
        part: Part = TextPart(text="Yes.") if words else CALL
        message = Message(id=new_id(), role=Role.ASSISTANT, parts=[part])
        self.messages.append(message)
        self.said_by[message.id] = Speaker(agent, NAMES.get(agent, "") if agent else "", switches)
        return self

    def past(self, me: UUID, switches: int) -> tuple[int, str | None] | None:
        past = find_past(self.messages, self.said_by, me, switches, "de")
        return (past.until, past.ended) if past else None


@pytest.mark.requirement("G2")
def test_the_first_answer_after_an_entry_ends_who_was_before() -> None:
    talk = Talk().asks().answers(ADA, 0).asks()
    assert talk.past(BEA, 1) == (2, "Ada")
    assert talk.past(ADA, 0) is None
    talk.answers(BEA, 1).asks()
    assert talk.past(BEA, 1) == (2, None), "the entry is answered; the past stays another's"


@pytest.mark.requirement("G2")
def test_switching_back_is_an_entry_of_its_own() -> None:
    talk = Talk().asks().answers(ADA, 0).asks().answers(BEA, 1).asks()
    assert talk.past(ADA, 2) == (4, "Bea")


@pytest.mark.requirement("G2")
def test_away_and_back_with_nothing_said_between_leaves_nobody_to_end() -> None:
    talk = Talk().asks().answers(ADA, 0).asks()
    assert talk.past(ADA, 2) is None


@pytest.mark.requirement("G2")
def test_two_switches_with_nothing_said_between_end_who_answered_last() -> None:
    talk = Talk().asks().answers(ADA, 0).asks()
    assert talk.past(new_id(), 2) == (2, "Ada"), "not who was chosen for a moment"


def test_before_anybody_answered_there_is_nobody_to_end() -> None:
    assert Talk().asks().past(BEA, 3) is None


@pytest.mark.requirement("G2")
def test_rounds_that_only_call_tools_do_not_answer_an_entry() -> None:
    talk = Talk().asks().answers(ADA, 0).asks().answers(BEA, 1, words=False)
    assert talk.past(BEA, 1) == (2, "Ada")
    talk.answers(BEA, 1)
    assert talk.past(BEA, 1) == (2, None)


def test_answers_from_before_agents_had_ids_are_the_assistants() -> None:
    talk = Talk().asks().answers(None, 0).asks()
    assert talk.past(BEA, 1) == (2, "Assistent")
    assert talk.past(ASSISTANT_ID, 1) is None
