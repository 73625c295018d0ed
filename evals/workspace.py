"""A workspace over HTTP, as a person uses it: put files into it, ask, follow the answer. What a person does beside is added by
each evaluation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Self, TypeVar
from uuid import UUID

import httpx2
from pydantic import BaseModel

from evals.set_up_files import FileSetUp
from workroom.agents.shipped import shipped_id
from workroom.api.conversations import InputAccepted, Thread
from workroom.api.frame.paging import PageOf
from workroom.api.knowledge import Statuses
from workroom.api.runs import RunView
from workroom.core.languages import Language
from workroom.core.pauses import PauseAnswer
from workroom.core.run_events import RUN_EVENT, RunEvent
from workroom.core.traces import AgentTrace
from workroom.knowledge.types import IndexState

INDEX_SECONDS = 120.0
LOOK_AGAIN = 0.2  # the index reports to browsers, not to us: this is how often we look
MOST_LISTED = 200
_NOT_OF_RUNS = frozenset({"reset", "signedOut"})
Model = TypeVar("Model", bound=BaseModel)


class Workspace:
    def __init__(self, client: httpx2.AsyncClient, instance_id: UUID) -> None:
        self.client = client
        self.instance_id = instance_id
        self.path = f"/api/workspace/{instance_id}"

    @classmethod
    async def create(cls, client: httpx2.AsyncClient, name: str) -> Self:
        created = await client.post("/api/instances", json={"name": name})
        return cls(client, UUID(created.raise_for_status().json()["id"]))

    async def upload(self, files: Sequence[FileSetUp]) -> Sequence[UUID]:
        """Waits until the files can be found. Returns those that come with the first message."""
        ids = {file.name: await self._upload(file) for file in files}
        await self._wait_until_indexed(list(ids.values()))
        return [ids[file.name] for file in files if file.attached]

    async def ask(
        self,
        prompt: str,
        language: Language,
        *,
        model: str,
        agent: str | None = None,
        workflow_id: UUID | None = None,
        file_ids: Sequence[UUID] = (),
    ) -> InputAccepted:
        """`agent` is the slug of a shipped one, who answers from here on; without one, who does so already."""
        body: dict[str, Any] = {
            "prompt": prompt,
            "userLanguage": language,
            "model": model,
            "fileIds": [str(file_id) for file_id in file_ids],
        }
        if agent is not None:
            body["agentId"] = str(shipped_id(agent))
        if workflow_id is not None:
            body["workflowId"] = str(workflow_id)
        return InputAccepted.model_validate(await self.post(f"{self.path}/input", body))

    async def events(self, run_id: UUID) -> AsyncGenerator[RunEvent, None]:
        """Everything the run says, from its beginning until it is over."""
        async with self.client.stream("GET", f"/api/runs/{run_id}/events", timeout=None) as response:
            response.raise_for_status()
            name = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: ") and name not in _NOT_OF_RUNS:
                    yield RUN_EVENT.validate_json(line.removeprefix("data: "))

    async def answer(self, run_id: UUID, call_id: UUID, answer: PauseAnswer) -> None:
        body = {"callId": str(call_id), "answer": answer.model_dump(mode="json")}
        await self.post(f"/api/runs/{run_id}/answer", body)

    async def stop(self, run_id: UUID) -> None:
        await self.post(f"/api/runs/{run_id}/stop", {})

    async def run(self, run_id: UUID) -> RunView:
        return RunView.model_validate(await self.get(f"/api/runs/{run_id}"))

    async def trace(self, run_id: UUID) -> AgentTrace:
        return AgentTrace.model_validate(await self.get(f"/api/runs/{run_id}/trace"))

    async def thread(self, workflow_id: UUID) -> Thread:
        return Thread.model_validate(await self.get(f"{self.path}/conversations/{workflow_id}"))

    async def all(self, noun: str, model: type[Model]) -> Sequence[Model]:
        page = PageOf[dict[str, Any]].model_validate(await self.get(f"{self.path}/{noun}?limit={MOST_LISTED}"))
        return [model.model_validate(item) for item in page.items]

    async def get(self, path: str) -> Any:
        return (await self.client.get(path)).raise_for_status().json()

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return (await self.client.post(path, json=body)).raise_for_status().json()

    async def put(self, path: str, body: Mapping[str, Any]) -> Any:
        return (await self.client.put(path, json=body)).raise_for_status().json()

    async def _upload(self, file: FileSetUp) -> UUID:
        content = file.content
        begun = await self.post(f"{self.path}/uploads", {"name": file.name, "size": len(content)})
        path = f"/api/uploads/{begun['uploadId']}"
        sent = await self.client.patch(path, content=content, headers={"Upload-Offset": "0"})
        sent.raise_for_status()
        return UUID((await self.post(f"{path}/finish", {}))["id"])

    async def _wait_until_indexed(self, file_ids: Sequence[UUID]) -> None:
        if not file_ids:
            return
        body = {"fileIds": [str(file_id) for file_id in file_ids]}
        async with asyncio.timeout(INDEX_SECONDS):
            while True:
                statuses = Statuses.model_validate(await self.post(f"{self.path}/knowledge/status", body)).items
                if sum(status.state in (IndexState.INDEXED, IndexState.FAILED) for status in statuses) == len(file_ids):
                    return
                await asyncio.sleep(LOOK_AGAIN)
