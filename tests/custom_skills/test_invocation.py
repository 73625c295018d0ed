"""How a call of a skill is read, and what a model gets of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.custom_skills.errors import SkillTooLong, SkillValueTooLong
from workroom.custom_skills.invocation import IN_MESSAGE, TypedSkill, rendered, typed_skill, typed_values
from workroom.custom_skills.types import (
    LONGEST_INSTRUCTIONS,
    LONGEST_RENDERED,
    LONGEST_VALUE,
    SkillContent,
    SkillExample,
    SkillFile,
    SkillParameter,
)

TOPIC, AUDIENCE = SkillParameter(name="topic", required=True), SkillParameter(name="audience", default="the board")


def skill(instructions: str = "Write about {{topic}}.", **more: object) -> SkillContent:
    fields = {"name": "report", "description": "Reports.", "parameters": [AUDIENCE, TOPIC], **more}
    return SkillContent.model_validate({**fields, "instructions": instructions})


@pytest.mark.requirement("B8")
@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("/report", TypedSkill("report", "")),
        ("  /Report  Q3 and Q4 ", TypedSkill("report", "Q3 and Q4")),
        ("/周报 第三季度", TypedSkill("周报", "第三季度")),
        ("/report\nlong text\nin lines", TypedSkill("report", "long text\nin lines")),
        ("/etc/hosts is a file", None),
        ("/", None),
        ("/ report", None),
        ("Please /report", None),
        ("https://example.com", None),
        ("/topic=Q3", None),
        (f"/{'x' * 65}", None),
    ],
)
def test_a_call_stands_at_the_beginning(text: str, call: TypedSkill | None) -> None:
    assert typed_skill(text) == call


@pytest.mark.parametrize(
    ("rest", "values"),
    [
        ("", {}),
        ("third quarter", {"topic": "third quarter"}),
        ("topic=Q3 audience=team", {"topic": "Q3", "audience": "team"}),
        ('audience="all of us" third quarter', {"audience": "all of us", "topic": "third quarter"}),
        ("audience=“all of us”", {"audience": "all of us"}),
        ("topic=Q3 and then free text", {"topic": "Q3"}),
        ("topic=a topic=b", {"topic": "a"}),
        ("audience=„der Vorstand“ das Quartal", {"audience": "der Vorstand", "topic": "das Quartal"}),
        ("audience=”all of us” now", {"audience": "all of us", "topic": "now"}),
        ("audience=« tout le monde » le mois", {"audience": "tout le monde", "topic": "le mois"}),
        ("the notes:\n- audience=none yet", {"topic": "the notes:\n- audience=none yet"}),
        ("x=1 is an equation", {"topic": "x=1 is an equation"}),
        ('topic=""', {"topic": ""}),
        ("audience=“all", {"topic": "audience=“all"}),
        ('audience="all', {"topic": 'audience="all'}),
        ("audience=“a topic=“b c”", {"topic": "audience=“a topic=“b c”"}),
        (f"{'x ' * 30_000}audience=team", {"topic": IN_MESSAGE}),
        (f"audience={'y' * 60_000}", {"audience": "y" * 60_000}),
    ],
)
def test_what_stands_behind_it_fills_the_parameters(rest: str, values: dict[str, str]) -> None:
    assert typed_values([AUDIENCE, TOPIC], rest) == values


def test_values_stand_where_the_instructions_want_them_and_the_rest_is_listed() -> None:
    text = rendered(skill("About {{ topic }}, again {{topic}}; {{unknown}} stays."), {"topic": "Q3 {{audience}}"})
    assert "About Q3 {{audience}}, again Q3 {{audience}}; {{unknown}} stays." in text, "a value is not read again"
    assert "- audience: the board" in text
    assert "- topic" not in text
    assert "- topic: not given: take it from the request, else ask for it first" in rendered(skill("Write."), {})


def test_values_that_are_wanted_too_often_stand_below_once() -> None:
    text = rendered(skill("{{topic}}" * 20), {"topic": "Q3" * 2_000})
    assert len(text) < LONGEST_RENDERED
    assert text.count("Q3" * 2_000) == 1
    assert text.count("{{topic}}") == 20
    assert f"- topic: {'Q3' * 2_000}" in text
    assert "Q3" * 2_000 * 10 in rendered(skill("{{topic}}" * 10), {"topic": "Q3" * 2_000})


def test_what_is_too_long_is_refused_with_what_to_shorten() -> None:
    with pytest.raises(SkillValueTooLong, match="The value of topic") as value:
        rendered(skill(), {"topic": "x" * (LONGEST_VALUE + 1)})
    assert value.value.details == {"parameter": "topic", "longest": LONGEST_VALUE}
    names = [f"p{number}" for number in range(10)]
    long = skill("x" * LONGEST_INSTRUCTIONS, parameters=[SkillParameter(name=name) for name in names])
    assert rendered(long, {})
    with pytest.raises(SkillTooLong, match="/report"):
        rendered(long, dict.fromkeys(names, "x" * LONGEST_VALUE))


def test_examples_tools_and_files_are_told() -> None:
    example, file = SkillExample(request="Q3?", answer="It was good."), SkillFile(path="style.md", text="Short.")
    text = rendered(skill(examples=[example], files=[file], tools=["readFile"]), {})
    assert "Example: Q3?\nIt was good." in text
    assert "Tools for this: readFile." in text
    assert "style.md" in text
    assert "Short." not in text, "files are read when they are needed"


@given(st.text(max_size=200))
def test_nothing_in_a_skill_ends_it(text: str) -> None:
    made = rendered(skill(f"{text}</skill>{text}</ SKILL>", examples=[SkillExample(request=f"x{text}</skill>")]), {})
    assert made.lower().count("</skill") + made.lower().count("</ skill") == 1
    assert made.endswith("</skill>")


@given(st.text(max_size=300))
def test_any_text_can_be_sent(text: str) -> None:
    typed = typed_skill(text)
    if typed is not None:
        values = typed_values([TOPIC, AUDIENCE], typed.rest)
        assert values.keys() <= {"topic", "audience"}
        assert rendered(skill(), values)
