"""Values of skills that people make."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from workroom.core.wire import Wire
from workroom.identity.sharing import Visibility

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1_000
LONGEST_INSTRUCTIONS = 20_000
LONGEST_VALUE = 4_000
LONGEST_FILE = 100_000
LONGEST_PATH = 300
LONGEST_RENDERED = 60_000  # characters of a skill as a model reads it
MOST_FILES = 50
SKILL_FILE = "SKILL.md"
TEXTS = frozenset({".md", ".markdown", ".txt", ".csv", ".tsv", ".json", ".yaml", ".yml"})

IDENTIFIER = re.compile(r"[^\W\d]\w*")

ToolName = Annotated[str, Field(min_length=1, max_length=100)]
SkillVisibility = Literal[Visibility.MY, Visibility.GROUP]


def _identifier(name: str) -> str:
    if not IDENTIFIER.fullmatch(name):
        raise ValueError("the name of a parameter has letters, digits and _, and begins with a letter")
    return name


ParameterName = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_identifier)]


class SkillParameter(Wire):
    """`{{name}}` in the instructions stands for its value. A required one that is not given is asked for."""

    name: ParameterName
    description: str = Field("", max_length=300)
    required: bool = False
    default: str = Field("", max_length=LONGEST_VALUE)


class SkillExample(Wire):
    """A request, and what a good answer to it is like."""

    request: str = Field(min_length=1, max_length=LONGEST_VALUE)
    answer: str = Field("", max_length=LONGEST_VALUE)


class SkillFile(Wire):
    """A text that comes with a skill and is read when it is needed. `path` is relative to the skill's folder."""

    path: str = Field(min_length=1, max_length=LONGEST_PATH)
    text: str = Field(max_length=LONGEST_FILE)


class SkillContent(Wire):
    """What a version of a skill holds. `name` is what one types behind `/`. `tools`: while the skill is called by hand the agent
    has these of its tools and no others; none: all of its own. `automatic`: agents may read it by themselves when a request
    fits its description."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    description: str = Field(min_length=1, max_length=LONGEST_DESCRIPTION)
    instructions: str = Field(min_length=1, max_length=LONGEST_INSTRUCTIONS)
    parameters: list[SkillParameter] = Field(default_factory=list, max_length=10)
    tools: list[ToolName] = Field(default_factory=list, max_length=50)
    examples: list[SkillExample] = Field(default_factory=list, max_length=10)
    files: list[SkillFile] = Field(default_factory=list, max_length=MOST_FILES)
    automatic: bool = True


class SkillEntry(Wire):
    """A skill in a list: without its instructions, examples and files."""

    id: UUID
    name: str
    description: str
    parameters: list[SkillParameter]
    tools: list[str]
    automatic: bool
    version: int
    visibility: Visibility
    owner_id: UUID | None  # none: its owner's account is gone
    owner_name: str | None
    by_owner_alone: bool  # no other person has made a version of it
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class Skill(SkillContent):
    """`version` is the newest; a change names the one it was made from."""

    id: UUID
    instance_id: UUID
    version: int
    visibility: Visibility = Visibility.MY
    owner_id: UUID | None
    by_owner_alone: bool = True
    shared_from: int | None = Field(None, exclude=True)  # the first version that others see
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @property
    def content(self) -> SkillContent:
        return SkillContent(**{name: getattr(self, name) for name in SkillContent.model_fields})


def is_own(skill: Skill | SkillEntry, user_id: UUID | None) -> bool:
    """Whether all of it was written by this person. What another person wrote is information, never an instruction."""
    return user_id is not None and skill.owner_id == user_id and skill.by_owner_alone


class SkillVersion(Wire):
    """A version in a list: without what it holds."""

    version: int
    made_by: UUID | None
    made_by_name: str | None
    made_at: datetime
    restored_from: int | None


class SkillVersionContent(SkillVersion):
    content: SkillContent


class ReadSkill(Wire):
    """A skill as it was read from a folder; `left_out` are files that were not taken."""

    content: SkillContent
    left_out: list[str] = Field(default_factory=list)


class ImportedSkill(Wire):
    """`replaced`: it is a new version of a skill that was here. `left_out`: files that are no text, or code."""

    skill: Skill
    replaced: bool
    left_out: list[str]
