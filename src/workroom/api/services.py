"""Everything the routers may use, wired by `bootstrap/server.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workroom.agent.registry import Registry
from workroom.agent.requirements import Requirement
from workroom.agents.instructions.service import Instructions
from workroom.agents.service import Agents
from workroom.api.change_hub import ChangeHub
from workroom.api.frame.metrics import Metrics
from workroom.api.frame.site import Site
from workroom.api.frame.stream_limit import StreamLimit
from workroom.api.readiness import Readiness
from workroom.companies.conversations import CompanyConversations
from workroom.companies.documents import DnaDocuments
from workroom.companies.exports import CompanyExports
from workroom.companies.service import Companies
from workroom.contents.mentions import Mentions
from workroom.contents.proposals import FileProposals
from workroom.contents.service import DocumentReader
from workroom.contents.text_files import TextFiles
from workroom.conversations.memory import Memories
from workroom.conversations.service import Conversations
from workroom.conversations.sharing import ConversationSharing
from workroom.custom_skills.service import CustomSkills
from workroom.db import Database
from workroom.evaluations.service import Evaluations
from workroom.files.finder import Finder
from workroom.files.folders import Folders
from workroom.files.links import FileLinks
from workroom.files.service import Files
from workroom.files.uploads import Uploads
from workroom.geo.service import Geo
from workroom.identity.audit import Audit
from workroom.identity.inspections import Inspections
from workroom.identity.instances import Instances
from workroom.identity.mandates import Mandates
from workroom.identity.roles import Roles
from workroom.identity.sessions import Sessions
from workroom.identity.signin import SignIn
from workroom.identity.tokens import Tokens
from workroom.identity.users import Users
from workroom.knowledge.service import Knowledge
from workroom.mail.outbox import Outbox
from workroom.mail.resets import PasswordResets
from workroom.models.service import Models
from workroom.notes.service import Notes
from workroom.runs.answers import RunAnswers
from workroom.runs.chat_sessions import ChatSessions
from workroom.runs.configs import AgentConfigs
from workroom.runs.exports import Exports
from workroom.runs.feed import Feed
from workroom.runs.maps import Maps
from workroom.runs.service import Runs
from workroom.runs.switching import Switching
from workroom.runs.tail import Tail
from workroom.runs.trace import Traces
from workroom.search.service import WorkspaceSearch
from workroom.settings import Settings
from workroom.specialists.service import SpecialistChats
from workroom.studio.services import Studio
from workroom.todos.service import Todos
from workroom.usage.costs import Costs
from workroom.usage.service import Budgets
from workroom.websearch.administration import SearchAdministration


@dataclass(frozen=True)
class Services:
    settings: Settings
    site: Site
    db: Database
    changes: ChangeHub
    streams: StreamLimit
    metrics: Metrics
    readiness: Readiness
    sign_in: SignIn
    mandates: Mandates
    users: Users
    roles: Roles
    instances: Instances
    tokens: Tokens
    sessions: Sessions
    audit: Audit
    inspections: Inspections
    budgets: Budgets
    costs: Costs
    models: Models
    evaluations: Evaluations
    agents: Agents
    instructions: Instructions
    conversations: Conversations
    conversation_sharing: ConversationSharing
    exports: Exports
    memories: Memories
    maps: Maps
    companies: Companies
    dna_documents: DnaDocuments
    company_conversations: CompanyConversations
    company_exports: CompanyExports
    custom_skills: CustomSkills
    studio: Studio
    notes: Notes
    todos: Todos
    files: Files
    folders: Folders
    uploads: Uploads
    finder: Finder
    reader: DocumentReader
    text_files: TextFiles
    knowledge: Knowledge
    mentions: Mentions
    search: WorkspaceSearch
    file_links: FileLinks
    file_proposals: FileProposals
    geo: Geo
    tools: Registry
    tool_requirements: Mapping[type, Requirement]
    search_administration: SearchAdministration
    runs: Runs
    answers: RunAnswers
    chats: ChatSessions
    specialists: SpecialistChats
    switching: Switching
    agent_configs: AgentConfigs
    traces: Traces
    tail: Tail
    feed: Feed
    outbox: Outbox
    resets: PasswordResets
