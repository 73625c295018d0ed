"""Changes to texts that are there: proposed with a diff, stored as a version of the file when the user accepts them, all or some.

The file may change while a proposal waits, for days: then both are merged, or it is told which lines are in the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.pause_answers import declined
from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import InvalidInput, NotFound, TooLarge
from workroom.core.line_diff import line_changes, unified_diff
from workroom.core.line_merge import MergeConflict, merge
from workroom.core.pauses import Proposal, ProposedFile, Reviewed
from workroom.core.results import ToolResult
from workroom.core.text_edits import Replacement, UnfitEdit, apply_edits
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.documents.editable_text import EditableText, read_editable
from workroom.documents.sniffing.names import is_textual
from workroom.files.errors import FileChanged
from workroom.files.names import UNKNOWN_TYPE
from workroom.files.service import Content, Files
from workroom.identity.types import Action
from workroom.runs.call_agents import calling_agent
from workroom.tools.shared.file_arguments import SECONDS, FileName, made, whole_file

LARGEST = 1_000_000  # bytes
MOST_EDITS = 100
LONGEST_QUOTED = 4_000  # characters of a diff, or of lines, that a model is told of
TRIES = 5  # so often the file may change while what was accepted is being stored
DELETED = (
    "Nothing was stored: the file was deleted in the meantime, or not everybody who reads this conversation may see it, or the"
    " user may not change it any more."
)

Passage = Annotated[str, Field(min_length=1, max_length=LARGEST)]


class FileEdit(Wire):
    find: Passage
    replace: Annotated[str, Field(max_length=LARGEST)]


Edits = Annotated[list[FileEdit], Field(min_length=1, max_length=MOST_EDITS)]


async def _store_reviewed(ctx: ToolContext, pause: Proposal, answer: Reviewed) -> ToolResult:
    """What was accepted, with what has become of the file meanwhile, is its next version."""
    assert pause.file is not None
    accepted = pause.after if answer.text is None else answer.text
    if not answer.accepted or accepted == pause.before:
        return declined()
    for _ in range(TRIES):
        try:
            return await _store_accepted(ctx, pause, pause.file.file_id, accepted)
        except FileChanged:
            continue
        except NotFound:
            return ToolResult.error(DELETED)
    raise FileChanged


async def _store_accepted(ctx: ToolContext, pause: Proposal, file_id: UUID, accepted: str) -> ToolResult:
    """Raises FileChanged if there is a newer version by the time this one is stored."""
    files = ctx.use(Files)
    content = await files.read(ctx.principal, file_id)
    newest = await _text_of(ctx, content)
    merged = await asyncio.to_thread(merge, pause.before, newest.text, accepted)
    if merged.text is None:
        return _overtaken(content, merged.conflicts)
    data = await asyncio.to_thread(_encoded, newest, merged.text)
    blob = await files.put(ctx.principal, _chunks(data))
    told = await asyncio.to_thread(_told, pause, accepted, merged=newest.text != pause.before)
    before, media_type = content.version.version, content.version.media_type

    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        file = await files.add_version(uow, ctx.principal, file_id, blob, media_type, after=before, agent=agent)
        if file.version == before:
            return ToolResult(message=f"“{file.name}” is as accepted already; it stays version {before}.")
        message = f"“{file.name}” has version {file.version} now. {told.message}"
        return told.model_copy(update={"message": message, "files": [made(file)]})

    return await ctx.commit(effect)


async def _is_reviewed(ctx: ToolContext, fileId: FileName, edits: Edits) -> None:  # noqa: N803
    """The call only proposes; what it proposes is stored when the user accepts it."""


@tool(
    "applyFileEdit",
    effect="ours",
    sets={"core"},
    pauses=True,
    answered=_store_reviewed,
    confirm_untrusted=_is_reviewed,
    quotes=True,
    needs="files",
    rare=True,
    after_reading=True,
    seconds=SECONDS,
)
async def apply_file_edit(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803 -- the model's spelling
    edits: Edits,
) -> Proposal | ToolResult:
    """Change a text file in places; each `find` is in it exactly once. The user accepts all, some or none."""
    found = await whole_file(ctx, fileId)
    file = await ctx.use(Files).get(ctx.principal, found.id, Action.UPDATE)
    content = await ctx.use(Files).read(ctx.principal, file.id)
    read = await _text_of(ctx, content)
    replacements = [Replacement(edit.find, edit.replace) for edit in edits]
    after = await asyncio.to_thread(apply_edits, read.text, replacements)
    if isinstance(after, UnfitEdit):
        return _unfit(content, after)
    if after == read.text:
        raise InvalidInput("These edits change nothing: the file says so already.", field="edits")
    await asyncio.to_thread(_encoded, read, after)  # now, rather than after the user has read all of it
    return Proposal(
        text=f"Change the file “{file.name}”?",
        name=file.name,
        before=read.text,
        after=after,
        file=ProposedFile(file_id=file.id, version=content.version.version),
    )


async def _text_of(ctx: ToolContext, content: Content) -> EditableText:
    name, version = content.file.name, content.version
    if not is_textual(version.media_type) and version.media_type != UNKNOWN_TYPE:
        raise InvalidInput(
            f"“{name}” is no text file, so it cannot be changed in places. Read it with readFile, and write what is new"
            " into a text file with writeFile.",
            field="fileId",
        )
    if version.size > LARGEST:
        raise TooLarge(
            f"“{name}” has {version.size:,} bytes; up to {LARGEST:,} can be changed in places. Split it first.",
            limit=LARGEST,
        )
    data = b"".join([chunk async for chunk in await ctx.use(Files).open(content)])
    return await asyncio.to_thread(read_editable, data)


def _encoded(read: EditableText, text: str) -> bytes:
    data = read.encoded(text)
    if len(data) > LARGEST:
        raise TooLarge(
            f"With these edits it would have {len(data):,} bytes; {LARGEST:,} is the most. Add less, or split the file.",
            limit=LARGEST,
        )
    return data


def _unfit(content: Content, unfit: UnfitEdit) -> ToolResult:
    """Nothing is proposed while one of the edits does not fit. What the file says instead is quoted."""
    name, number = content.file.name, unfit.number
    if unfit.times:
        lines = ", ".join(map(str, unfit.lines)) + (" …" if unfit.times > len(unfit.lines) else "")
        return ToolResult.error(
            f"Edit {number}: its `find` is in “{name}” {unfit.times} times (lines {lines}). Make it longer, so that it is there"
            " once. Nothing was proposed."
        )
    if not unfit.nearest:
        return ToolResult.error(
            f"Edit {number}: its `find` is not in “{name}”. Read the file and copy the passage word for word. Nothing was"
            " proposed."
        )
    near = "\n".join(f"{line.number}: {line.text}" for line in unfit.nearest)
    return ToolResult.error(
        f"Edit {number}: its `find` is not in “{name}” (0 times); it has to be the same to the letter. The nearest lines"
        f" are:\n{near}\nNothing was proposed."
    ).marked(untrusted=True)


def _overtaken(content: Content, conflicts: tuple[MergeConflict, ...]) -> ToolResult:
    lines = [conflict.first for conflict in conflicts]
    quoted = "\n".join(
        f"Line {conflict.first} now:\n{_lines(conflict.ours)}\nAccepted instead:\n{_lines(conflict.theirs)}"
        for conflict in conflicts
    )
    return ToolResult.error(
        f"The user accepted, but nothing was stored: “{content.file.name}” was changed meanwhile in the same lines. Tell"
        f" them, read the file again, and propose what is still wanted.\n{_cut(quoted)}",
        conflictLines=lines,
    ).marked(untrusted=True)


def _told(pause: Proposal, accepted: str, *, merged: bool) -> ToolResult:
    """Which changes were taken, in words; the file it is about is named by the caller."""
    said = []
    if merged:
        said.append("It was changed while the user was asked; both changes are in it.")
    if accepted == pause.after:
        return ToolResult(message=" ".join([*said, "The user accepted all of it."]))
    before, proposed, taken = (text.split("\n") for text in (pause.before, pause.after, accepted))
    count, total = len(line_changes(before, taken)), len(line_changes(before, proposed))
    said.append(
        f"The user accepted {count} of {total} changes. Do not propose the others again unless they ask for it."
        f" Accepted:\n{_cut(unified_diff(pause.name, pause.before, accepted))}"
    )
    return ToolResult(message=" ".join(said)).marked(untrusted=True)


def _lines(lines: tuple[str, ...]) -> str:
    return "\n".join(f"> {line}" for line in lines) or "> (deleted)"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}\n[…]"


async def _chunks(data: bytes) -> AsyncIterator[bytes]:
    yield data
