"""The services that tools may use, by their type."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.bootstrap.shared import SharedServices
from workroom.companies.conversations import CompanyConversations
from workroom.companies.documents import DnaDocuments
from workroom.companies.service import Companies
from workroom.contents.service import DocumentReader
from workroom.custom_skills.service import CustomSkills
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.service import Files
from workroom.geo.service import Geo
from workroom.knowledge.digests.analyses import Analyses
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.service import Knowledge
from workroom.notes.service import Notes
from workroom.runs.maps import Maps
from workroom.runs.service import Runs
from workroom.studio.services import Studio
from workroom.todos.service import Todos
from workroom.websearch.service import WebSearches
from workroom.websites.service import Websites


def tool_services(shared: SharedServices) -> Mapping[type, object]:
    """What tools ask for with `ctx.use(…)`."""
    return {
        Notes: shared.notes,
        Companies: shared.companies,
        DnaDocuments: shared.dna_documents,
        CompanyConversations: shared.company_conversations,
        CustomSkills: shared.custom_skills,
        Studio: shared.studio,
        Maps: shared.maps,
        Todos: shared.todos,
        Files: shared.files,
        Folders: shared.folders,
        Finder: shared.finder,
        Geo: shared.geo,
        DocumentReader: shared.reader,
        Knowledge: shared.knowledge,
        Digests: Digests(shared.db, shared.reader),
        Analyses: Analyses(shared.db, shared.reader),
        Runs: shared.runs,
        Websites: shared.websites,
        WebSearches: shared.web_searches,
    }
