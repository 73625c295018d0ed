"""A project as a file to take along: as a document to read, or as JSON to continue it elsewhere (`imports.py`)."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import TooLarge
from workroom.core.exported_file import ExportedFile, file_stem
from workroom.core.person_turns import PersonTurns
from workroom.core.time_zones import zone_named
from workroom.db import Database
from workroom.documents.writers.files import ReportFormat, report_file
from workroom.identity.types import Principal
from workroom.studio import blocks_store, personas, profiles
from workroom.studio.blocks import read_tree
from workroom.studio.project_document import ProjectContents, markdown_of, report_of
from workroom.studio.project_file import LARGEST_FILE, file_of

TOO_LARGE = (
    f"The texts of this project have more than {LARGEST_FILE // 1_000_000} MB together, which is too much for one file. Delete"
    " or shorten some of its blocks first."
)


class ProjectExportFormat(StrEnum):
    DOCX = "docx"
    PDF = "pdf"
    MARKDOWN = "md"
    JSON = "json"


class ProjectExports:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._turns = PersonTurns(1)  # one person's many exports wait for each other, not other people's for them

    async def export(
        self,
        principal: Principal,
        instance_id: UUID,
        project_id: UUID,
        format: ProjectExportFormat,
        time_zone: str = "UTC",
    ) -> ExportedFile:
        """Raises NothingWritten, except for JSON, and TooLarge for what no file would hold and no workspace take."""
        zone = zone_named(time_zone)
        async with self._turns.of(principal.user_id):
            contents = await self._contents(principal, instance_id, project_id)
            stem = file_stem(contents.project.name)
            # Twenty megabytes take a second and more, in which this loop answers others.
            match format:
                case ProjectExportFormat.MARKDOWN:
                    text = await asyncio.to_thread(markdown_of, contents)
                    return ExportedFile(f"{stem}.md", "text/markdown; charset=utf-8", text.encode())
                case ProjectExportFormat.JSON:
                    made = await asyncio.to_thread(_json, contents)
                    return ExportedFile(f"{stem}.json", "application/json", made)
            report = await asyncio.to_thread(report_of, contents, now().astimezone(zone))
            return await report_file(report, ReportFormat(format), stem)

    async def _contents(self, principal: Principal, instance_id: UUID, project_id: UUID) -> ProjectContents:
        async with self._db.unit_of_work(principal.actor) as uow:
            project, tree = await read_tree(uow, principal, instance_id, project_id)
            if await blocks_store.size(uow, principal.mandate_id, project_id) > LARGEST_FILE:
                raise TooLarge(TOO_LARGE)  # before they are all in memory
            return ProjectContents(
                project=project,
                tree=tree,
                texts=await blocks_store.texts(uow, principal.mandate_id, tree.by_id.keys()),
                profile=await profiles.in_use(uow, principal, instance_id, project.profile_id),
                personas=await personas.of_project(uow, principal, instance_id, project_id),
            )


def _json(contents: ProjectContents) -> bytes:
    made = file_of(contents).model_dump_json(indent=2).encode()
    if len(made) > LARGEST_FILE:
        raise TooLarge(TOO_LARGE)
    return made
