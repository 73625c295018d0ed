"""The JSON in which a project travels between workspaces: what is needed to continue it elsewhere. Versions, evaluations,
conversations and the trash stay behind."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.studio.project_document import ProjectContents
from workroom.studio.types import (
    LARGEST_TEXT,
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    LONGEST_PROFILE,
    MOST_BLOCKS,
    MOST_DEPENDENCIES,
    MOST_PERSONAS,
    MOST_PHASES,
    BlockKind,
    BlockStatus,
    PersonaContent,
    PhaseStatus,
    ProjectPhase,
)

FORMAT = "workroom-project"
FORMAT_VERSION = 1
LARGEST_FILE = 20_000_000  # bytes

BlockNumber = Annotated[int, Field(ge=1, le=MOST_BLOCKS)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class PortableProfile(Wire):
    name: Name
    text: str = Field("", max_length=LONGEST_PROFILE)


class PortableProject(Wire):
    name: Name
    description: str = Field("", max_length=LONGEST_DESCRIPTION)
    language: Language
    phases: list[ProjectPhase] = Field(max_length=MOST_PHASES)
    current_phase: str = Field(max_length=60)
    phase_status: dict[str, PhaseStatus] = Field(max_length=MOST_PHASES)


class PortableBlock(Wire):
    """`number` is what others in the file call it. A group stands before what is in it."""

    number: BlockNumber
    parent: BlockNumber | None = None
    kind: BlockKind = BlockKind.BLOCK
    phase: str = Field(max_length=60)
    name: Name
    depends_on: list[BlockNumber] = Field(default_factory=list, max_length=MOST_DEPENDENCIES)
    status: BlockStatus = BlockStatus.EMPTY
    text: str = Field("", max_length=LARGEST_TEXT)


class ProjectFile(Wire):
    """A project as it travels between workspaces, its blocks in reading order."""

    format: Literal["workroom-project"]
    format_version: Literal[1]
    project: PortableProject
    profile: PortableProfile | None = None
    blocks: list[PortableBlock] = Field(default_factory=list, max_length=MOST_BLOCKS)
    personas: list[PersonaContent] = Field(default_factory=list, max_length=MOST_PERSONAS)

    @model_validator(mode="before")
    @classmethod
    def _is_known(cls, given: Any) -> Any:
        """First of all: in another version, everything else may be different too."""
        if isinstance(given, dict) and given.get("format") == FORMAT:
            version = given.get("formatVersion")
            if isinstance(version, int) and version != FORMAT_VERSION:
                raise ValueError(
                    f"this is version {version} of the format; this workspace reads version {FORMAT_VERSION}"
                )
        elif isinstance(given, dict) and "format_version" not in given:
            raise ValueError("this is not the file of a project, as its export makes it")
        return given


def file_of(contents: ProjectContents) -> ProjectFile:
    project, profile = contents.project, contents.profile
    blocks = contents.tree.in_order([phase.code for phase in project.phases])
    numbers = {block.id: number for number, block in enumerate(blocks, 1)}
    return ProjectFile(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        project=PortableProject(**{name: getattr(project, name) for name in PortableProject.model_fields}),
        profile=PortableProfile(name=profile.name, text=profile.text) if profile else None,
        blocks=[
            PortableBlock(
                number=numbers[block.id],
                parent=numbers.get(block.parent_id) if block.parent_id else None,
                kind=block.kind,
                phase=block.phase,
                name=block.name,
                depends_on=[numbers[one.id] for one in contents.tree.dependencies(block)],
                status=block.status,
                text=contents.texts.get(block.id, ""),
            )
            for block in blocks
        ],
        personas=[persona.content for persona in contents.personas],
    )
