"""Notes of a workspace. Deleting one puts it into a trash; `?deleted=true` lists that."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.wire import Wire
from workroom.notes.service import LONGEST_TEXT
from workroom.notes.types import Note

router = APIRouter(prefix="/api/workspace/{instanceId}/notes", tags=["notes"])


class NoteQuery(ListQuery):
    deleted: bool = False


class NewNote(Wire):
    title: str = Field(max_length=200)
    text: str = Field("", max_length=LONGEST_TEXT)


class NoteInput(Wire):
    """`updatedAt` names the version the change was made from; if that is not the newest, nothing is overwritten."""

    title: str | None = Field(None, max_length=200)
    text: str | None = Field(None, max_length=LONGEST_TEXT)
    updated_at: datetime | None = None


@router.get("")
async def list_notes(
    instanceId: UUID, query: Annotated[NoteQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[Note]:
    found = await services.notes.list(principal, instanceId, query.request(), deleted=query.deleted)
    return page_of(found, lambda note: note)


@router.post("", status_code=201)
async def write_note(instanceId: UUID, body: NewNote, principal: CurrentPrincipal, services: AppServices) -> Note:
    return await services.notes.write(principal, instanceId, body.title, body.text)


@router.get("/{noteId}")
async def get_note(instanceId: UUID, noteId: UUID, principal: CurrentPrincipal, services: AppServices) -> Note:
    return await services.notes.get(principal, instanceId, noteId)


@router.patch("/{noteId}")
async def change_note(
    instanceId: UUID, noteId: UUID, body: NoteInput, principal: CurrentPrincipal, services: AppServices
) -> Note:
    return await services.notes.change(principal, instanceId, noteId, body.title, body.text, body.updated_at)


@router.delete("/{noteId}", status_code=204)
async def delete_note(instanceId: UUID, noteId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """It can be restored for thirty days."""
    await services.notes.delete(principal, instanceId, noteId)


@router.post("/{noteId}/restore")
async def restore_note(instanceId: UUID, noteId: UUID, principal: CurrentPrincipal, services: AppServices) -> Note:
    return await services.notes.restore(principal, instanceId, noteId)
