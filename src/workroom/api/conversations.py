"""Conversations of a workspace, and the input that starts a run. `workflowId` is the conversation's name on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
from workroom.api.runs import RunView
from workroom.conversations.types import Conversation, StoredMessage
from workroom.core.messages import Part, Role
from workroom.core.wire import Wire
from workroom.runs.service import LONGEST_PROMPT, Accepted, Input

router = APIRouter(prefix="/api/workspace/{instanceId}", tags=["conversations"])


class ConversationView(Wire):
    id: UUID
    title: str
    owner_id: UUID
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, conversation: Conversation) -> ConversationView:
        return cls(**{name: getattr(conversation, name) for name in cls.model_fields})


class MessageView(Wire):
    id: UUID
    role: Role
    parts: list[Part]
    parent_id: UUID | None
    run_id: UUID | None
    created_at: datetime

    @classmethod
    def of(cls, stored: StoredMessage) -> MessageView:
        message = stored.message
        return cls(
            id=message.id,
            role=message.role,
            parts=message.parts,
            parent_id=stored.parent_id,
            run_id=stored.run_id,
            created_at=stored.created_at,
        )


class Branching(Wire):
    """A place where the conversation went different ways: what follows `parentId`, oldest first."""

    parent_id: UUID | None
    message_ids: list[UUID]


class Thread(Wire):
    """The branch on the screen, oldest first, every run of the conversation, and where it branches."""

    conversation: ConversationView
    messages: list[MessageView]
    runs: list[RunView]
    branchings: list[Branching]


class TitleInput(Wire):
    title: str = Field(max_length=200)


class WorkspaceInputRequest(Wire):
    """Without `workflowId` a new conversation begins. `clientId` makes sending twice harmless. `replaces` names an earlier
    message of yours: the conversation branches there."""

    prompt: str = Field(max_length=LONGEST_PROMPT)
    workflow_id: UUID | None = None
    replaces: UUID | None = None
    client_id: str | None = Field(None, min_length=1, max_length=80, pattern=r"^[\w.:-]+$")


class BranchInput(Wire):
    message_id: UUID


class InputAccepted(Wire):
    workflow_id: UUID
    message_id: UUID
    run_id: UUID


@router.get("/conversations")
async def list_conversations(instanceId: UUID, query: Listed, who: Who, served: Served) -> PageOf[ConversationView]:
    return page_of(await served.conversations.list(who, instanceId, query.request()), ConversationView.of)


@router.get("/conversations/{workflowId}")
async def get_conversation(instanceId: UUID, workflowId: UUID, who: Who, served: Served) -> Thread:
    conversation = await served.conversations.get(who, instanceId, workflowId)
    messages = await served.conversations.messages(who, instanceId, workflowId)
    runs = await served.runs.of_conversation(who, instanceId, workflowId)
    following = await served.conversations.siblings(who, instanceId, workflowId)
    return Thread(
        conversation=ConversationView.of(conversation),
        messages=[MessageView.of(message) for message in messages],
        runs=[RunView.of(run) for run in runs],
        branchings=[Branching(parent_id=p, message_ids=list(ids)) for p, ids in following.items() if len(ids) > 1],
    )


@router.patch("/conversations/{workflowId}")
async def rename_conversation(
    instanceId: UUID, workflowId: UUID, body: TitleInput, who: Who, served: Served
) -> ConversationView:
    return ConversationView.of(await served.conversations.rename(who, instanceId, workflowId, body.title))


@router.delete("/conversations/{workflowId}", status_code=204)
async def delete_conversation(instanceId: UUID, workflowId: UUID, who: Who, served: Served) -> None:
    await served.conversations.delete(who, instanceId, workflowId)


@router.post("/input", status_code=202)
async def give_input(instanceId: UUID, body: WorkspaceInputRequest, who: Who, served: Served) -> InputAccepted:
    """Stores the message and starts a run; follow it at `/api/runs/{runId}/events`."""
    given = Input(body.prompt, body.workflow_id, body.client_id, body.replaces)
    return _accepted(await served.runs.input(who, instanceId, given))


@router.post("/conversations/{workflowId}/retry", status_code=202)
async def retry(instanceId: UUID, workflowId: UUID, who: Who, served: Served) -> InputAccepted:
    """Answers the last message again; the answer that is there stays as another branch."""
    return _accepted(await served.runs.retry(who, instanceId, workflowId))


@router.put("/conversations/{workflowId}/branch", status_code=204)
async def show_branch(instanceId: UUID, workflowId: UUID, body: BranchInput, who: Who, served: Served) -> None:
    """Show the branch that this message belongs to."""
    await served.conversations.show_branch(who, instanceId, workflowId, body.message_id)


def _accepted(accepted: Accepted) -> InputAccepted:
    return InputAccepted(workflow_id=accepted.conversation_id, message_id=accepted.message_id, run_id=accepted.run_id)
