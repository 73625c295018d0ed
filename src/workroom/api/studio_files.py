"""Projects that leave the workspace as files, and arrive as such."""

from __future__ import annotations

import re
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from starlette.types import Scope

from workroom.api.file_contents import attachment_headers
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.studio_projects import ProjectView, project_view
from workroom.studio.exports import ProjectExportFormat
from workroom.studio.project_file import LARGEST_FILE, ProjectFile

router = APIRouter(prefix="/api/workspace/{instanceId}/studio/projects", tags=["studio"])

IMPORT_PATH = re.compile(r"/api/workspace/[^/]+/studio/projects/import")


@router.get("/{projectId}/export", response_class=Response)
async def export_project(
    instanceId: UUID,
    projectId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    format: ProjectExportFormat = ProjectExportFormat.DOCX,
    timeZone: Annotated[str, Query(max_length=60, pattern=r"^[\w+/-]+$")] = "UTC",
) -> Response:
    """What is written in it as one document, phase by phase; `json` is what the import takes, with empty blocks, personas and
    the creator's profile."""
    made = await services.studio.exports.export(principal, instanceId, projectId, format, timeZone)
    return Response(made.content, headers=attachment_headers(made.name, made.media_type))


@router.post("/import", status_code=201)
async def import_project(
    instanceId: UUID, body: ProjectFile, principal: CurrentPrincipal, services: AppServices
) -> ProjectView:
    """As a new project; at most 20 MB. Its texts count as content from outside."""
    made = await services.studio.imports.import_(principal, instanceId, body)
    return await project_view(services, principal, instanceId, made)


def import_limit(scope: Scope) -> int | None:
    """What the frame lets through beyond other bodies."""
    is_import = scope["method"] == "POST" and IMPORT_PATH.fullmatch(scope["path"]) is not None
    return LARGEST_FILE if is_import else None
