"""The overview of the run's workspace, for the person it acts for, with the rights they have at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.agent.ports import WorkspaceState
from workroom.agent.tool import WorkspaceContent
from workroom.companies import store as companies
from workroom.companies.conversations import of_conversation
from workroom.companies.conversations_store import company_of
from workroom.companies.prompt_section import prompt_section
from workroom.custom_skills import store as skills
from workroom.custom_skills.access import reach
from workroom.custom_skills.prompt_section import MOST_LISTED, skill_list
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Action, Principal
from workroom.runs import contents_store
from workroom.runs.journal import DatabaseJournal
from workroom.runs.ports import WorkspaceOverviews
from workroom.studio.conversations_store import project_of
from workroom.studio.outlines import ProjectOutline, ProjectOutlines
from workroom.studio.prompt_section import is_by_others
from workroom.studio.prompt_section import prompt_section as prompt_section_of_project

USE_SKILL = "useSkill"


@dataclass(frozen=True)
class _Known:
    """What is read once, and again after a tool has written."""

    contents: frozenset[WorkspaceContent]
    company: str
    skills: str
    project_id: UUID | None


@dataclass
class RunWorkspaceOverview:
    db: Database
    overviews: WorkspaceOverviews
    outlines: ProjectOutlines
    journal: DatabaseJournal  # knows who the person is by now
    instance_id: UUID
    conversation_id: UUID
    reads_skills: bool = False  # the agent has the tool for it
    _known: _Known | None = None

    async def read(self) -> WorkspaceState:
        principal = self.journal.principal
        section = await self.overviews.section(principal, self.instance_id)
        known = await self._read_once()
        outline = await self.outline()
        contents: set[WorkspaceContent] = set(known.contents)
        contents |= {"files"} if section else set()
        contents |= {"project"} if outline else set()
        project = prompt_section_of_project(outline) if outline else ""
        return WorkspaceState(
            "\n\n".join(filter(None, [section, known.company, known.skills, project])),
            frozenset(contents),
            untrusted=outline is not None and is_by_others(outline, principal.user_id),
        )

    async def shows_what_others_wrote(self) -> bool:
        """Asked before anything is done, because calls of an earlier session may be open."""
        outline = await self.outline()
        return outline is not None and is_by_others(outline, self.journal.principal.user_id)

    async def outline(self) -> ProjectOutline | None:
        """Of the project that the conversation is about."""
        known = await self._read_once()
        if known.project_id is None:
            return None
        return await self.outlines.of(self.journal.principal, self.instance_id, known.project_id)

    async def _read_once(self) -> _Known:
        if self._known is None:
            principal = self.journal.principal
            async with self.db.unit_of_work(principal.actor) as uow:
                contents = await contents_store.notes_and_todos(uow, principal.mandate_id, self.instance_id)
                skills = await self._skills(uow, principal)
                there: set[WorkspaceContent] = {"skills"} if skills else set()
                company = await self._company(uow, principal)
                project_id = await project_of(uow, principal.mandate_id, self.conversation_id)
                self._known = _Known(contents | there, company, skills, project_id)
        return self._known

    async def _company(self, uow: UnitOfWork, principal: Principal) -> str:
        if await company_of(uow, principal.mandate_id, self.conversation_id) is None:
            return ""
        company = await of_conversation(uow, principal, self.instance_id, self.conversation_id)
        if company is None:
            return ""
        progress = await companies.progress(uow, principal.mandate_id, [company.id])
        return prompt_section(company, progress.get(company.id, {}))

    async def _skills(self, uow: UnitOfWork, principal: Principal) -> str:
        if not self.reads_skills:
            return ""
        seen = reach(principal, Action.READ, self.instance_id)
        found = await skills.automatic(uow, principal.mandate_id, self.instance_id, seen, MOST_LISTED)
        return skill_list(found, principal.user_id)

    def invalidate(self) -> None:
        if self._known is not None and self._known.project_id is not None:
            self.outlines.invalidate(self.journal.principal.mandate_id, self._known.project_id)
        self._known = None
        self.overviews.invalidate(self.journal.principal, self.instance_id)
