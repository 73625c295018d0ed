"""What a person has in a workspace beside conversations: put there before a task, and looked at after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from uuid import UUID

from evals.tools.evidence import Contents, FileState, NoteState, TodoState
from evals.tools.tasks import NoteSetUp, Task, TodoSetUp
from evals.workspace import Workspace
from workroom.files.types import File, Folder
from workroom.notes.types import Note
from workroom.todos.types import Todo

TEXT_ENDINGS = frozenset({".md", ".txt", ".csv", ".json"})


class TaskWorkspace(Workspace):
    async def set_up(self, task: Task) -> Sequence[UUID]:
        """Puts everything in place and waits until files can be found. Returns the files that come with the first message."""
        for note in task.notes:
            await self._add_note(note)
        for todo in task.todos:
            await self._add_todo(todo)
        return await self.upload(task.files)

    async def contents(self) -> Contents:
        notes = await self.all("notes", Note)
        todos = await self.all("todos", Todo)
        files = await self.all("files", File)
        folders = {folder.id: folder for folder in await self.all("folders", Folder)}
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
        response = await self.client.get(f"/api/files/{file_id}/content")
        return response.raise_for_status().content.decode("utf-8", "replace")

    async def _add_note(self, note: NoteSetUp) -> None:
        await self.post(f"{self.path}/notes", note.model_dump(mode="json"))

    async def _add_todo(self, todo: TodoSetUp) -> None:
        added = await self.post(f"{self.path}/todos", todo.model_dump(mode="json", exclude={"done"}))
        if todo.done:
            path = f"{self.path}/todos/{added['id']}"
            (await self.client.patch(path, json={"done": True})).raise_for_status()


def _path(folder_id: UUID | None, folders: Mapping[UUID, Folder]) -> str:
    names: list[str] = []
    while folder_id is not None and folder_id in folders:
        names.append(folders[folder_id].name)
        folder_id = folders[folder_id].parent_id
    return "/".join(reversed(names))
