"""Conversations of a workspace, and the input that starts a run. `workflowId` is the conversation's name on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, Field

from workroom.agent.config import AgentConfig, AgentWishes
from workroom.agents.shipped import ASSISTANT_ID
from workroom.api.file_contents import attachment_headers
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.api.runs import RunView
from workroom.conversations.access import may
from workroom.conversations.types import (
    AgentSwitch,
    Conversation,
    ConversationFilter,
    ConversationStatus,
    StoredMessage,
)
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.languages import Language
from workroom.core.messages import MaterialPart, OpaquePart, Part, Role, SkillPart, ThoughtPart
from workroom.core.wire import Wire
from workroom.identity.instances import MOST_PERSONS
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal
from workroom.models.ports import Forcing
from workroom.runs.exports import ExportFormat
from workroom.runs.reader_redaction import redacted_message
from workroom.runs.service import LONGEST_PROMPT, Accepted, Input
from workroom.runs.switching import LONGEST_REASON, Switched, TakesEffect

ModelName = Annotated[str, Field(min_length=3, max_length=200, pattern=r"^[\w.-]+/[\w.:/@+-]+$")]

router = APIRouter(prefix="/api/workspace/{instanceId}", tags=["conversations"])


class ConversationQuery(ListQuery):
    """`status`: those in the list, in the archive or in the trash. `agentId`: those it answered in, or would. `since` and `until`
    bound when it was last written in. `sort` is `pinned` (those you pinned last, then by date), `updatedAt`, `createdAt` or
    `title`."""

    status: ConversationStatus = ConversationStatus.CURRENT
    agent_id: UUID | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None

    def filter(self) -> ConversationFilter:
        return ConversationFilter(self.status, self.agent_id, self.since, self.until)


class Grant(Wire):
    """A person who reads the conversation, or writes in it too."""

    user_id: UUID
    may_write: bool


class SharingInput(Wire):
    """Who reads and writes beside the owner: the workspace (`GROUP`) and these persons. Answers use only what all of them may
    see; everything said so far can be read by them."""

    visibility: Literal["MY", "GROUP"]
    group_writes: bool = False
    shared_with: list[Grant] = Field(default_factory=list, max_length=MOST_PERSONS)


class ConversationView(Wire):
    """`activeAgentId` is who answers next, `aiAgentId` who answered last. Shared with the workspace (`visibility` `GROUP`,
    `groupWrites`) and with single persons. `mayWrite`, `pinned`: you, here."""

    id: UUID
    title: str
    owner_id: UUID
    owner_name: str
    created_at: datetime
    updated_at: datetime
    active_agent_id: UUID
    ai_agent_id: UUID | None
    visibility: Literal["MY", "GROUP"]
    group_writes: bool
    shared_with: list[Grant]
    may_write: bool
    pinned: bool
    archived_at: datetime | None
    deleted_at: datetime | None

    @classmethod
    def of(cls, conversation: Conversation, principal: Principal) -> ConversationView:
        computed: dict[str, Any] = {
            "active_agent_id": conversation.active_agent_id or ASSISTANT_ID,
            "shared_with": [Grant(user_id=id_, may_write=writes) for id_, writes in conversation.grants.items()],
            "may_write": may(principal, Action.UPDATE, conversation),
            "pinned": principal.user_id in conversation.pinned_by,
        }
        copied = {name: getattr(conversation, name) for name in cls.model_fields if name not in computed}
        return cls(**copied, **computed)


class MessageView(Wire):
    """Of what was read for a question only the labels: a reader of the conversation may not have the right to the file."""

    id: UUID
    role: Role
    parts: list[Part]
    parent_id: UUID | None
    run_id: UUID | None
    created_at: datetime
    author_id: UUID | None
    author_name: str | None

    @classmethod
    def of(cls, stored: StoredMessage, principal: Principal, asked_by: UUID | None) -> MessageView:
        """`asked_by`: whose run has said it."""
        message = stored.message.as_last_read()
        if asked_by not in (None, principal.user_id):
            message = redacted_message(message)
        return cls(
            id=message.id,
            role=message.role,
            parts=[_shown(part, principal) for part in message.parts],
            parent_id=stored.parent_id,
            run_id=stored.run_id,
            created_at=stored.created_at,
            author_id=stored.author_id,
            author_name=stored.author_name,
        )


def _shown(part: Part, principal: Principal) -> Part:
    if isinstance(part, MaterialPart):
        return part.seen_by(principal.user_id)
    if isinstance(part, SkillPart):
        return part.public
    if isinstance(part, OpaquePart) and part.thought:
        return ThoughtPart(text=part.thought)
    return part


class Branching(Wire):
    """A place where the conversation went different ways: what follows `parentId`, oldest first."""

    parent_id: UUID | None
    message_ids: list[UUID]


class Thread(Wire):
    """The branch on the screen, oldest first, every run of the conversation, where it branches, and who took over when."""

    conversation: ConversationView
    messages: list[MessageView]
    runs: list[RunView]
    branchings: list[Branching]
    agent_history: list[AgentSwitch]


class TitleInput(Wire):
    title: str = Field(max_length=200)


class PinInput(Wire):
    pinned: bool


class ArchiveInput(Wire):
    archived: bool


class WorkspaceInputRequest(Wire):
    """Without `workflowId` a new conversation begins. `clientId` makes sending twice harmless. `replaces` names an earlier
    message of yours: the conversation branches there, and keeps its files if none are named. `fileIds` and `uploadedFiles` are
    attached to the question. `agentId` answers from here on. `model` (`provider/model`) and `agentConfig` are for this answer
    alone, within what the workspace and your role allow; so is `toolForcing`: `any` wants calls of tools before words, `none`
    forbids them. With `returnToolRequests` the run ends with the calls that the model asks for, and carries none out."""

    prompt: str = Field(max_length=LONGEST_PROMPT)
    file_ids: list[UUID] = Field(default_factory=list, max_length=100)
    uploaded_files: list[UUID] = Field(default_factory=list, max_length=100)
    data_source_ids: list[UUID] = Field(default_factory=list, max_length=100)
    voice_mode: bool = False
    workflow_id: UUID | None = None
    user_language: Language = "en"
    replaces: UUID | None = None
    client_id: str | None = Field(None, min_length=1, max_length=80, pattern=r"^[\w.:-]+$")
    model: ModelName | None = None
    agent_config: AgentWishes = AgentWishes()
    agent_id: UUID | None = None
    tool_forcing: Forcing | None = None
    return_tool_requests: bool = False

    @property
    def attached(self) -> tuple[UUID, ...] | None:
        """None when nothing is said of files."""
        said = {"file_ids", "uploaded_files"} & self.model_fields_set
        return (*self.file_ids, *self.uploaded_files) if said else None


class RetryInput(Wire):
    """`model`: answer with another one this time."""

    model: ModelName | None = None


class BranchInput(Wire):
    message_id: UUID


class SwitchInput(Wire):
    """`reason` is kept in the history."""

    agent_id: UUID
    reason: str = Field("", max_length=LONGEST_REASON)


class SwitchView(Wire):
    """`takesEffect` is `nextAnswer` while one is under way or waits for you: it ends as who began it."""

    active_agent_id: UUID
    ai_agent_id: UUID | None
    takes_effect: TakesEffect
    agent_history: list[AgentSwitch]

    @classmethod
    def of(cls, switched: Switched) -> SwitchView:
        return cls(
            active_agent_id=switched.conversation.active_agent_id or ASSISTANT_ID,
            ai_agent_id=switched.conversation.ai_agent_id,
            takes_effect=switched.takes_effect,
            agent_history=list(switched.history),
        )


class InputAccepted(Wire):
    workflow_id: UUID
    message_id: UUID
    run_id: UUID


@router.get("/agentConfig")
async def get_agent_config(instanceId: UUID, principal: CurrentPrincipal, services: AppServices) -> AgentConfig:
    return await services.agent_configs.get(principal, instanceId)


@router.put("/agentConfig")
async def put_agent_config(
    instanceId: UUID, body: AgentConfig, principal: CurrentPrincipal, services: AppServices
) -> AgentConfig:
    """For every run that begins from now on. The tool set is changed with the workspace itself."""
    return await services.agent_configs.put(principal, instanceId, body)


@router.get("/conversations")
async def list_conversations(
    instanceId: UUID, query: Annotated[ConversationQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[ConversationView]:
    found = await services.conversations.list(principal, instanceId, query.request(), query.filter())
    return page_of(found, lambda conversation: ConversationView.of(conversation, principal))


@router.get("/conversations/{workflowId}")
async def get_conversation(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> Thread:
    conversation = await services.conversations.get(principal, instanceId, workflowId)
    messages = await services.conversations.messages(principal, instanceId, workflowId)
    runs = await services.runs.of_conversation(principal, instanceId, workflowId)
    asked_by: dict[UUID | None, UUID] = {run.id: run.user_id for run in runs}
    following = await services.conversations.siblings(principal, instanceId, workflowId)
    return Thread(
        conversation=ConversationView.of(conversation, principal),
        messages=[MessageView.of(message, principal, asked_by.get(message.run_id)) for message in messages],
        runs=[RunView.of(run) for run in runs],
        agent_history=list(await services.switching.history(principal, instanceId, workflowId)),
        branchings=[Branching(parent_id=p, message_ids=list(ids)) for p, ids in following.items() if len(ids) > 1],
    )


@router.patch("/conversations/{workflowId}")
async def rename_conversation(
    instanceId: UUID, workflowId: UUID, body: TitleInput, principal: CurrentPrincipal, services: AppServices
) -> ConversationView:
    return ConversationView.of(
        await services.conversations.rename(principal, instanceId, workflowId, body.title), principal
    )


@router.put("/conversations/{workflowId}/sharing")
async def share_conversation(
    instanceId: UUID, workflowId: UUID, body: SharingInput, principal: CurrentPrincipal, services: AppServices
) -> ConversationView:
    """Its owner says who reads it; a person not named any more loses access at once."""
    grants = {grant.user_id: grant.may_write for grant in body.shared_with}
    shared = await services.conversation_sharing.share(
        principal, instanceId, workflowId, Visibility(body.visibility), body.group_writes, grants
    )
    return ConversationView.of(shared, principal)


@router.delete("/conversations/{workflowId}", status_code=204)
async def delete_conversation(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices, forever: bool = False
) -> None:
    """It can be restored for thirty days. `forever` removes what is in the trash already."""
    remove = services.conversations.purge if forever else services.conversations.delete
    await remove(principal, instanceId, workflowId)


@router.post("/conversations/{workflowId}/restore")
async def restore_conversation(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ConversationView:
    """Out of the trash, with everything that was said in it."""
    return ConversationView.of(await services.conversations.restore(principal, instanceId, workflowId), principal)


@router.get("/conversations/{workflowId}/export", response_class=Response)
async def export_conversation(
    instanceId: UUID,
    workflowId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    format: ExportFormat = ExportFormat.MARKDOWN,
    language: Language = "en",
    timeZone: Annotated[str, Query(max_length=60, pattern=r"^[\w+/-]+$")] = "UTC",
) -> Response:
    """The branch on the screen as a file: who said what and when, tool calls in a line each, sources by number."""
    made = await services.exports.export(principal, instanceId, workflowId, format, language, timeZone)
    return Response(made.content, headers=attachment_headers(made.name, made.media_type))


@router.put("/conversations/{workflowId}/pin")
async def pin_conversation(
    instanceId: UUID, workflowId: UUID, body: PinInput, principal: CurrentPrincipal, services: AppServices
) -> ConversationView:
    """On top of your list; those of the other readers stay as they are."""
    pinned = await services.conversations.pin(principal, instanceId, workflowId, pinned=body.pinned)
    return ConversationView.of(pinned, principal)


@router.put("/conversations/{workflowId}/archive")
async def archive_conversation(
    instanceId: UUID, workflowId: UUID, body: ArchiveInput, principal: CurrentPrincipal, services: AppServices
) -> ConversationView:
    """Out of the list of all who read it; a new message brings it back."""
    changed = await services.conversations.archive(principal, instanceId, workflowId, archived=body.archived)
    return ConversationView.of(changed, principal)


@router.post("/input", status_code=202)
async def give_input(
    instanceId: UUID, body: WorkspaceInputRequest, principal: CurrentPrincipal, services: AppServices
) -> InputAccepted:
    """Stores the message and starts a run; follow it at `/api/runs/{runId}/events`."""
    if body.data_source_ids:
        raise NotFound("There is no such data source here, or it is not yours to see.")
    if body.voice_mode:
        raise InvalidInput("Nothing is set up that could speak. Send it without voice.", field="voiceMode")
    given = Input(
        body.prompt,
        body.workflow_id,
        body.client_id,
        body.replaces,
        language=body.user_language,
        model=body.model,
        wishes=body.agent_config,
        file_ids=body.attached,
        agent_id=body.agent_id,
        forcing=body.tool_forcing,
        return_tool_requests=body.return_tool_requests,
    )
    return _accepted(await services.runs.input(principal, instanceId, given))


@router.post("/conversations/{workflowId}/retry", status_code=202)
async def retry(
    instanceId: UUID,
    workflowId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    body: RetryInput | None = None,
) -> InputAccepted:
    """Answers the last message again; the answer that is there stays as another branch."""
    return _accepted(await services.runs.retry(principal, instanceId, workflowId, body.model if body else None))


@router.post("/conversations/{workflowId}/switchAgent")
async def switch_agent(
    instanceId: UUID, workflowId: UUID, body: SwitchInput, principal: CurrentPrincipal, services: AppServices
) -> SwitchView:
    """Another agent answers from here on. Choosing who is active already changes nothing."""
    return SwitchView.of(await services.switching.switch(principal, instanceId, workflowId, body.agent_id, body.reason))


@router.post("/conversations/{workflowId}/undoSwitch")
async def undo_switch(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> SwitchView:
    """Back to who was active before the last switch."""
    return SwitchView.of(await services.switching.undo(principal, instanceId, workflowId))


@router.put("/conversations/{workflowId}/branch", status_code=204)
async def show_branch(
    instanceId: UUID, workflowId: UUID, body: BranchInput, principal: CurrentPrincipal, services: AppServices
) -> None:
    """Show the branch that this message belongs to."""
    await services.conversations.show_branch(principal, instanceId, workflowId, body.message_id)


def _accepted(accepted: Accepted) -> InputAccepted:
    return InputAccepted(workflow_id=accepted.conversation_id, message_id=accepted.message_id, run_id=accepted.run_id)
