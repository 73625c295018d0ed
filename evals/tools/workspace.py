"""A workspace over HTTP, as a person uses it: put things into it, ask, follow the answer, look at what is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, TypeVar
from uuid import UUID

import httpx2
from pydantic import BaseModel

from evals.tools.evidence import Contents, FileState, NoteState, TodoState
from evals.tools.pdf_pages import pdf_of_pages
from evals.tools.tasks import FileSetUp, NoteSetUp, Task, TodoSetUp
from workroom.agents.shipped import shipped_id
from workroom.api.conversations import InputAccepted, Thread
from workroom.api.frame.paging import PageOf
from workroom.api.knowledge import Statuses
from workroom.api.runs import RunView
from workroom.core.pauses import PauseAnswer
from workroom.core.run_events import RUN_EVENT, RunEvent
from workroom.core.traces import AgentTrace
from workroom.files.types import File, Folder
from workroom.knowledge.types import IndexState
from workroom.notes.types import Note
from workroom.todos.types import Todo

INDEX_SECONDS = 120.0
LOOK_AGAIN = 0.2  # the index reports to browsers, not to us: this is how often we look
MOST_LISTED = 200
TEXT_ENDINGS = frozenset({".md", ".txt", ".csv", ".json"})
_NOT_OF_RUNS = frozenset({"reset", "signedOut"})
Model = TypeVar("Model", bound=BaseModel)


class Workspace:
    def __init__(self, client: httpx2.AsyncClient, instance_id: UUID) -> None:
        self._client = client
        self._path = f"/api/workspace/{instance_id}"

    @classmethod
    async def create(cls, client: httpx2.AsyncClient, name: str) -> Workspace:
        created = await client.post("/api/instances", json={"name": name})
        return cls(client, UUID(created.raise_for_status().json()["id"]))

    async def set_up(self, task: Task) -> Sequence[UUID]:
        """Puts everything in place and waits until files can be found. Returns the files that come with the first message."""
        for note in task.notes:
            await self._add_note(note)
        for todo in task.todos:
            await self._add_todo(todo)
        files = {file.name: await self._upload(file) for file in task.files}
        await self._wait_until_indexed(list(files.values()))
        return [files[file.name] for file in task.files if file.attached]

    async def ask(
        self, task: Task, message: str, model: str, workflow_id: UUID | None, file_ids: Sequence[UUID]
    ) -> InputAccepted:
        body: dict[str, Any] = {
            "prompt": message,
            "userLanguage": task.language,
            "model": model,
            "fileIds": [str(file_id) for file_id in file_ids],
            "agentId": str(shipped_id(task.agent)),
        }
        if workflow_id is not None:
            body["workflowId"] = str(workflow_id)
        return InputAccepted.model_validate(await self._post(f"{self._path}/input", body))

    async def events(self, run_id: UUID) -> AsyncIterator[RunEvent]:
        """Everything the run says, until it is over."""
        async with self._client.stream("GET", f"/api/runs/{run_id}/events", timeout=None) as response:
            response.raise_for_status()
            name = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: ") and name not in _NOT_OF_RUNS:
                    yield RUN_EVENT.validate_json(line.removeprefix("data: "))

    async def answer(self, run_id: UUID, call_id: UUID, answer: PauseAnswer) -> None:
        body = {"callId": str(call_id), "answer": answer.model_dump(mode="json")}
        await self._post(f"/api/runs/{run_id}/answer", body)

    async def stop(self, run_id: UUID) -> None:
        await self._post(f"/api/runs/{run_id}/stop", {})

    async def run(self, run_id: UUID) -> RunView:
        return RunView.model_validate(await self._get(f"/api/runs/{run_id}"))

    async def trace(self, run_id: UUID) -> AgentTrace:
        return AgentTrace.model_validate(await self._get(f"/api/runs/{run_id}/trace"))

    async def thread(self, workflow_id: UUID) -> Thread:
        return Thread.model_validate(await self._get(f"{self._path}/conversations/{workflow_id}"))

    async def contents(self) -> Contents:
        notes = await self._all("notes", Note)
        todos = await self._all("todos", Todo)
        files = await self._all("files", File)
        folders = {folder.id: folder for folder in await self._all("folders", Folder)}
        return Contents(
            notes=[NoteState(note.title, note.text) for note in notes],
            todos=[TodoState(todo.title, todo.due, todo.done) for todo in todos],
            files=[await self._file_state(file, folders) for file in files],
        )

    async def _file_state(self, file: File, folders: Mapping[UUID, Folder]) -> FileState:
        is_text = PurePath(file.name).suffix.lower() in TEXT_ENDINGS
        text = await self._text(file.id) if is_text else ""
        return FileState(file.id, file.name, text, _path(file.folder_id, folders), tuple(file.tags))

    async def _text(self, file_id: UUID) -> str:
        response = await self._client.get(f"/api/files/{file_id}/content")
        return response.raise_for_status().content.decode("utf-8", "replace")

    async def _add_note(self, note: NoteSetUp) -> None:
        await self._post(f"{self._path}/notes", note.model_dump(mode="json"))

    async def _add_todo(self, todo: TodoSetUp) -> None:
        added = await self._post(f"{self._path}/todos", todo.model_dump(mode="json", exclude={"done"}))
        if todo.done:
            path = f"{self._path}/todos/{added['id']}"
            (await self._client.patch(path, json={"done": True})).raise_for_status()

    async def _upload(self, file: FileSetUp) -> UUID:
        content = file.text.encode() if file.text is not None else pdf_of_pages(file.pages)
        begun = await self._post(f"{self._path}/uploads", {"name": file.name, "size": len(content)})
        path = f"/api/uploads/{begun['uploadId']}"
        sent = await self._client.patch(path, content=content, headers={"Upload-Offset": "0"})
        sent.raise_for_status()
        return UUID((await self._post(f"{path}/finish", {}))["id"])

    async def _wait_until_indexed(self, file_ids: Sequence[UUID]) -> None:
        if not file_ids:
            return
        body = {"fileIds": [str(file_id) for file_id in file_ids]}
        async with asyncio.timeout(INDEX_SECONDS):
            while True:
                statuses = Statuses.model_validate(await self._post(f"{self._path}/knowledge/status", body)).items
                if sum(status.state in (IndexState.INDEXED, IndexState.FAILED) for status in statuses) == len(file_ids):
                    return
                await asyncio.sleep(LOOK_AGAIN)

    async def _all(self, noun: str, model: type[Model]) -> Sequence[Model]:
        page = PageOf[dict[str, Any]].model_validate(await self._get(f"{self._path}/{noun}?limit={MOST_LISTED}"))
        return [model.model_validate(item) for item in page.items]

    async def _get(self, path: str) -> Any:
        return (await self._client.get(path)).raise_for_status().json()

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return (await self._client.post(path, json=body)).raise_for_status().json()


def _path(folder_id: UUID | None, folders: Mapping[UUID, Folder]) -> str:
    names: list[str] = []
    while folder_id is not None and folder_id in folders:
        names.append(folders[folder_id].name)
        folder_id = folders[folder_id].parent_id
    return "/".join(reversed(names))
