"""Skills that people make: prompts with parameters, tools and examples. Deleting one puts it into a trash."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from pydantic import Base64Bytes, Field

from workroom.api.file_contents import BYTES, attachment_headers
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, ListQuery, PageOf, page_of
from workroom.core.import_conflict import ImportConflict
from workroom.core.wire import Wire
from workroom.custom_skills.folders import LARGEST
from workroom.custom_skills.types import (
    LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
    LONGEST_NAME,
    MOST_FILES,
    ImportedSkill,
    Skill,
    SkillContent,
    SkillEntry,
    SkillExample,
    SkillFile,
    SkillParameter,
    SkillVersion,
    SkillVersionContent,
    SkillVisibility,
    ToolName,
)
from workroom.identity.sharing import Visibility

router = APIRouter(prefix="/api/workspace/{instanceId}/skills", tags=["skills"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


class SkillQuery(ListQuery):
    """`sort` is `name`, `createdAt` or `updatedAt`."""

    deleted: bool = False


class NewSkill(SkillContent):
    """Who sees it from the beginning: its owner (`MY`), or the members of the workspace (`GROUP`)."""

    visibility: SkillVisibility = Visibility.MY


class SkillInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, min_length=1, max_length=LONGEST_NAME)
    description: str | None = Field(None, min_length=1, max_length=LONGEST_DESCRIPTION)
    instructions: str | None = Field(None, min_length=1, max_length=LONGEST_INSTRUCTIONS)
    parameters: list[SkillParameter] | None = Field(None, max_length=10)
    tools: list[ToolName] | None = Field(None, max_length=50)
    examples: list[SkillExample] | None = Field(None, max_length=10)
    files: list[SkillFile] | None = Field(None, max_length=MOST_FILES)
    automatic: bool | None = None

    @property
    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in SkillContent.model_fields}
        return {name: value for name, value in given.items() if value is not None}


class SkillVisibilityInput(Wire):
    visibility: SkillVisibility


class SkillArchive(Wire):
    """`content` is a ZIP of skill folders, or a SKILL.md, in base64."""

    content: Annotated[Base64Bytes, Field(min_length=1, max_length=LARGEST * 4 // 3 + 4)]


@router.get("")
async def list_skills(
    instanceId: UUID, query: Annotated[SkillQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[SkillEntry]:
    """One's own and those shared in the workspace, without their texts; `?deleted=true` lists the trash."""
    found = await services.custom_skills.list(principal, instanceId, query.request(), deleted=query.deleted)
    return page_of(found, lambda skill: skill)


@router.post("", status_code=201)
async def create_skill(instanceId: UUID, body: NewSkill, principal: CurrentPrincipal, services: AppServices) -> Skill:
    content = SkillContent(**{name: getattr(body, name) for name in SkillContent.model_fields})
    return await services.custom_skills.create(principal, instanceId, content, body.visibility)


@router.post("/import", status_code=201)
async def import_skills(
    instanceId: UUID,
    body: SkillArchive,
    principal: CurrentPrincipal,
    services: AppServices,
    onConflict: ImportConflict = ImportConflict.FAIL,
) -> list[ImportedSkill]:
    """All of them or none; private at first. What is no text, or is code, is left out and named. If the importer has a skill of
    that name it is refused with `skillExists`: `onConflict` then says whether to `replace` that one or to `keepBoth`."""
    return list(await services.custom_skills.import_(principal, instanceId, body.content, onConflict))


@router.get("/{skillId}")
async def get_skill(instanceId: UUID, skillId: UUID, principal: CurrentPrincipal, services: AppServices) -> Skill:
    return await services.custom_skills.get(principal, instanceId, skillId)


@router.patch("/{skillId}")
async def change_skill(
    instanceId: UUID, skillId: UUID, body: SkillInput, principal: CurrentPrincipal, services: AppServices
) -> Skill:
    """Makes a new version, if anything is different. What was called with an earlier one keeps it."""
    return await services.custom_skills.change(principal, instanceId, skillId, body.version, body.changes)


@router.delete("/{skillId}", status_code=204)
async def delete_skill(instanceId: UUID, skillId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """It can be restored for thirty days."""
    await services.custom_skills.delete(principal, instanceId, skillId)


@router.post("/{skillId}/restore")
async def restore_skill(instanceId: UUID, skillId: UUID, principal: CurrentPrincipal, services: AppServices) -> Skill:
    return await services.custom_skills.restore(principal, instanceId, skillId)


@router.put("/{skillId}/visibility")
async def share_skill(
    instanceId: UUID, skillId: UUID, body: SkillVisibilityInput, principal: CurrentPrincipal, services: AppServices
) -> Skill:
    """Who sees it: its owner, or the members of the workspace."""
    return await services.custom_skills.share(principal, instanceId, skillId, body.visibility)


@router.get("/{skillId}/export", response_class=Response, responses=BYTES)
async def export_skill(instanceId: UUID, skillId: UUID, principal: CurrentPrincipal, services: AppServices) -> Response:
    """Its folder as a ZIP: SKILL.md, and its files."""
    name, content = await services.custom_skills.export(principal, instanceId, skillId)
    return Response(content, headers=attachment_headers(name, "application/zip"))


@router.get("/{skillId}/versions")
async def list_skill_versions(
    instanceId: UUID, skillId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[SkillVersion]:
    """Oldest first; `?order=desc` for the newest. What they hold is read one by one."""
    found = await services.custom_skills.versions(principal, instanceId, skillId, query.request())
    return page_of(found, lambda version: version)


@router.get("/{skillId}/versions/{version}")
async def get_skill_version(
    instanceId: UUID, skillId: UUID, version: Number, principal: CurrentPrincipal, services: AppServices
) -> SkillVersionContent:
    return await services.custom_skills.version(principal, instanceId, skillId, version)


@router.post("/{skillId}/versions/{version}/restore")
async def restore_skill_version(
    instanceId: UUID, skillId: UUID, version: Number, principal: CurrentPrincipal, services: AppServices
) -> Skill:
    """As it was then, as a new version."""
    return await services.custom_skills.restore_version(principal, instanceId, skillId, version)
