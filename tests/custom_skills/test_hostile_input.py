"""Attacks on what skills are read and rendered from."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.custom_skills.making import packed, skill_md
from workroom.core.errors import InvalidInput
from workroom.custom_skills.folders import packed as exported
from workroom.custom_skills.folders import read
from workroom.custom_skills.invocation import rendered, typed_values
from workroom.custom_skills.types import SkillContent, SkillExample, SkillParameter
from workroom.custom_skills.validation import cleaned
from workroom.runs.service import LONGEST_PROMPT


def test_open_quotation_marks_do_not_take_time_by_the_square() -> None:
    """40,000 characters; a prompt may have 500,000, and it is read on the event loop, within a transaction."""
    began = time.perf_counter()
    typed_values([SkillParameter(name="x")], " a=“" * 10_000)
    assert time.perf_counter() - began < 0.2


def test_a_value_is_not_multiplied_by_its_placeholders() -> None:
    """2 GB from one message of 500,000 characters; here 16 MB from one of 4,000."""
    content = SkillContent(
        name="x", description="d", instructions="{{x}}" * 4_000, parameters=[SkillParameter(name="x")]
    )
    assert len(rendered(content, typed_values(content.parameters, "y" * 4_000))) <= LONGEST_PROMPT


BOMB = """
from workroom.custom_skills.skill_md import parsed
head = "a0: &a0 {k: 1}\\n"
head += "".join(f"a{i}: &a{i} {{<<: [{','.join([f'*a{i-1}'] * 9)}]}}\\n" for i in range(1, 9))
try:
    parsed(f"---\\nname: x\\ndescription: d\\n{head}---\\nhi", [])
except Exception:
    pass
"""


def test_merge_keys_of_yaml_do_not_grow() -> None:
    """464 bytes: 18 s and 0.7 GB; nine times that for each line more."""
    assert subprocess.run([sys.executable, "-c", BOMB], timeout=10, check=False).returncode == 0


@pytest.mark.parametrize(
    "data",
    [
        skill_md(name="0x" + "f" * 20_000),
        skill_md(name="!!timestamp x"),
        skill_md(name="!!bool x"),
        packed({"SKILL.md": skill_md(), "/".join(["d" * 100] * 4) + ".md": "a long path"}),
    ],
    ids=["a huge number", "a wrong moment", "a wrong truth", "a long path"],
)
def test_what_is_no_skill_is_refused_and_is_no_crash(data: str | bytes) -> None:
    with pytest.raises(InvalidInput):
        read(data if isinstance(data, bytes) else data.encode())


@pytest.mark.parametrize(
    "content",
    [
        SkillContent(name="x", description="Ends with ---", instructions="y"),
        SkillContent(
            name="x",
            description="d",
            instructions="y",
            examples=[SkillExample(request="r" * 4_000, answer="a" * 4_000) for _ in range(5)],
        ),
    ],
    ids=["hyphens", "many examples"],
)
def test_every_skill_that_can_be_made_is_exported_and_imported(content: SkillContent) -> None:
    (again,) = read(exported(cleaned(content)))
    assert cleaned(again.content) == cleaned(content)
