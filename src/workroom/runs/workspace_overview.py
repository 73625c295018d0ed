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

USE_SKILL = "useSkill"


@dataclass
class RunWorkspaceOverview:
    db: Database
    overviews: WorkspaceOverviews
    journal: DatabaseJournal  # knows who the person is by now
    instance_id: UUID
    conversation_id: UUID
    reads_skills: bool = False  # the agent has the tool for it
    _known: tuple[frozenset[WorkspaceContent], str, str] | None = None

    async def read(self) -> WorkspaceState:
        section = await self.overviews.section(self.journal.principal, self.instance_id)
        files: set[WorkspaceContent] = {"files"} if section else set()
        contents, company, skills = await self._contents_and_sections()
        return WorkspaceState("\n\n".join(filter(None, [section, company, skills])), contents | files)

    async def _contents_and_sections(self) -> tuple[frozenset[WorkspaceContent], str, str]:
        """Read once, and again after a tool has written."""
        if self._known is None:
            principal = self.journal.principal
            async with self.db.unit_of_work(principal.actor) as uow:
                contents = await contents_store.notes_and_todos(uow, principal.mandate_id, self.instance_id)
                skills = await self._skills(uow, principal)
                there: set[WorkspaceContent] = {"skills"} if skills else set()
                self._known = contents | there, await self._company(uow, principal), skills
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
        self._known = None
        self.overviews.invalidate(self.journal.principal, self.instance_id)
