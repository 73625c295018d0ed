"""`/api/agent`: the studio's agent works on a project, for software that knows the project alone. What is said is in the person's
conversation about it, and each answer is a run like any other."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from workroom.api.frame import sse
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.instance import InstanceId
from workroom.api.run_reader import RunReader
from workroom.api.run_streams import answer_stream
from workroom.api.run_waiting import whole_answer
from workroom.api.services import Services
from workroom.api.studio_projects import AdvanceInput, ProjectView, project_view
from workroom.core.errors import Conflict
from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.identity.types import Principal
from workroom.runs.answers import AnswerCall
from workroom.runs.service import LONGEST_PROMPT, Accepted, Input
from workroom.studio.types import PhaseStatus, Project

router = APIRouter(prefix="/api/agent", tags=["studio"])


class AgentProject(Wire):
    project_id: UUID


class AgentMessage(AgentProject):
    """`language` is that of the answer; else the project's. `clientId` makes sending it twice harmless. While the agent waits for
    an answer, the message is the answer."""

    message: Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT)]
    language: Language | None = None
    client_id: str | None = Field(None, min_length=1, max_length=80, pattern=r"^[\w.:-]+$")


class AgentAdvance(AgentProject, AdvanceInput):
    pass


class AgentState(Wire):
    """Where the project stands. `creatorProfile` is its text; none where the project has no profile."""

    project_id: UUID
    current_phase: str
    phase_status: dict[str, PhaseStatus]
    creator_profile: str

    @classmethod
    def of(cls, project: ProjectView) -> AgentState:
        profile = project.creator_profile
        return cls(
            project_id=project.id,
            current_phase=project.current_phase,
            phase_status=project.phase_status,
            creator_profile=profile.text if profile else "",
        )


class AgentAnswer(AgentState):
    """The project as the answer leaves it. `workflowId` is the conversation, `runId` the run that answered."""

    response: str
    tool_calls: list[AnswerCall]
    workflow_id: UUID
    run_id: UUID


@router.post("/stream", response_class=StreamingResponse)
async def stream_agent(
    request: Request, body: AgentMessage, instance_id: InstanceId, principal: CurrentPrincipal, services: AppServices
) -> StreamingResponse:
    """Server-sent events, those of `/api/runs/{runId}/events`, until the answer is complete or waits for you. When the connection
    breaks, the answer goes on: follow the rest there, from the last event id."""
    project = await services.studio.projects.get(principal, instance_id, body.project_id)
    asked = await _ask(principal, services, instance_id, body, body.language or project.language)
    return _streamed(request, principal, services, instance_id, asked)


@router.post("/retry", response_class=StreamingResponse)
async def retry_agent(
    request: Request, body: AgentProject, instance_id: InstanceId, principal: CurrentPrincipal, services: AppServices
) -> StreamingResponse:
    """Answers your last message about the project again, as `/api/agent/stream` does; what the first answer did to the project
    stays."""
    conversation_id = await services.studio.conversations.open(principal, instance_id, body.project_id)
    asked = await services.runs.retry(principal, instance_id, conversation_id)
    return _streamed(request, principal, services, instance_id, asked)


@router.post("/advance")
async def advance_agent(
    body: AgentAdvance, instance_id: InstanceId, principal: CurrentPrincipal, services: AppServices
) -> AgentState:
    """To the next phase, or to that of `targetPhase`. Refused with `phaseIncomplete` while blocks of the phase are empty, unless
    `force`."""
    advanced = await services.studio.projects.advance(
        principal, instance_id, body.project_id, body.target_phase, force=body.force
    )
    return await _state(principal, services, instance_id, advanced)


@router.post("/chat")
async def chat_with_agent(
    request: Request, body: AgentMessage, instance_id: InstanceId, principal: CurrentPrincipal, services: AppServices
) -> AgentAnswer:
    """Answers when the answer is complete, or waits for you. `/api/agent/stream` shows it while it is made."""
    project = await services.studio.projects.get(principal, instance_id, body.project_id)
    language = body.language or project.language
    with services.chats.waiting_slot(principal, language):
        asked = await _ask(principal, services, instance_id, body, language)
        answer = await whole_answer(request, principal, services, instance_id, asked, language)
    project = await services.studio.projects.get(principal, instance_id, project.id)
    state = await _state(principal, services, instance_id, project)
    return AgentAnswer(
        **state.model_dump(by_alias=False),
        response=answer.text,
        tool_calls=list(answer.calls),
        workflow_id=asked.conversation_id,
        run_id=asked.run_id,
    )


async def _ask(
    principal: Principal, services: Services, instance_id: UUID, body: AgentMessage, language: Language
) -> Accepted:
    conversation_id = await services.studio.conversations.open(principal, instance_id, body.project_id)
    given = Input(body.message, conversation_id, body.client_id, language=language)
    asked = await services.runs.input(principal, instance_id, given)
    if asked.conversation_id != conversation_id:  # its answer would be taken for one about this project
        raise Conflict("This clientId was used in another conversation. Give each message one of its own.")
    return asked


def _streamed(
    request: Request, principal: Principal, services: Services, instance_id: UUID, asked: Accepted
) -> StreamingResponse:
    reader = RunReader(request, principal, services, asked.run_id)
    return sse.EventStream(answer_stream(reader, instance_id, asked), services.streams, principal.user_id)


async def _state(principal: Principal, services: Services, instance_id: UUID, project: Project) -> AgentState:
    return AgentState.of(await project_view(services, principal, instance_id, project))
