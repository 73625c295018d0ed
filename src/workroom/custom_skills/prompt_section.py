"""The skills of a workspace, as agents are told of them: names and what each is for. What one says is read when it is needed."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.custom_skills.types import SkillEntry

MOST_LISTED = 30
LONGEST_PURPOSE = 200
INTRODUCTION = (
    "## Skills\nInstructions of people here for particular work. When a request fits one, read it with useSkill before you "
    "begin."
)


def skill_list(skills: Sequence[SkillEntry]) -> str:
    """Empty without any. One more than `MOST_LISTED` says that there are others."""
    if not skills:
        return ""
    lines = [f"- {skill.name}: {_purpose(skill)}" for skill in skills[:MOST_LISTED]]
    if len(skills) > MOST_LISTED:
        lines.append("- There are more: manage_skill lists them.")
    return "\n".join([INTRODUCTION, *lines])


def _purpose(skill: SkillEntry) -> str:
    text = " ".join(skill.description.split())
    return text if len(text) <= LONGEST_PURPOSE else f"{text[:LONGEST_PURPOSE]}…"
