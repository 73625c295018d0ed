"""Changes to texts that are there: proposed with a diff, stored as a version of the file when the user accepts them, all or some.

The file may change while a proposal waits, for days: then both are merged, or it is told which lines are in the way.
"""

from __future__ import annotations

import asyncio
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.pause_answers import declined
from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.contents.file_edits import LARGEST, TRIES, OvertakenEdit, accept, editable, encoded
from workroom.contents.proposals import keep
from workroom.contents.types import FileProposal
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.line_diff import line_changes, unified_diff
from workroom.core.pauses import Proposal, ProposedFile, Reviewed
from workroom.core.results import ProposedEdit, ToolResult
from workroom.core.text_edits import Replacement, UnfitEdit, apply_edits
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.files.access import is_shared
from workroom.files.errors import FileChanged
from workroom.files.service import Content, Files
from workroom.files.types import File
from workroom.identity.types import Action
from workroom.runs.call_agents import calling_agent
from workroom.tools.shared.file_arguments import SECONDS, FileName, made, whole_file
from workroom.tools.shared.widgets import ProposedFileEdit

MOST_EDITS = 100
LONGEST_QUOTED = 4_000  # characters of a diff, or of lines, that a model is told of
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
    for tries in range(TRIES, 0, -1):
        try:
            return await _store_accepted(ctx, pause, pause.file.file_id, accepted)
        except FileChanged:
            if tries == 1:
                raise
        except NotFound:
            break
    return ToolResult.error(DELETED)


async def _store_accepted(ctx: ToolContext, pause: Proposal, file_id: UUID, accepted: str) -> ToolResult:
    """Raises FileChanged if there is a newer version by the time this one is stored."""
    files = ctx.use(Files)
    edit = await accept(files, ctx.principal, file_id, pause.before, accepted)
    if isinstance(edit, OvertakenEdit):
        return _overtaken(edit)
    told = await asyncio.to_thread(_told, pause, accepted, merged=edit.merged)

    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        file, is_new = await edit.store(uow, files, ctx.principal, agent)
        if not is_new:
            return ToolResult(message=f"“{file.name}” is as accepted already; it stays version {file.version}.")
        message = f"“{file.name}” has version {file.version} now. {told.message}"
        return told.model_copy(update={"message": message, "files": [made(file)]})

    return await ctx.commit(effect)


async def _ask_to_propose(ctx: ToolContext, fileId: FileName, edits: Edits) -> ConfirmPrompt | None:  # noqa: N803
    """Nothing is stored before the user accepts it. But a proposal that stays open is seen by all who may read the file."""
    if ctx.file_edits == "ask":
        return None
    file = await whole_file(ctx, fileId)
    return ConfirmPrompt(_question(file), file.name) if is_shared(file) else None


@tool(
    "applyFileEdit",
    effect="ours",
    sets={"core"},
    pauses=True,
    answered=_store_reviewed,
    confirm_untrusted=_ask_to_propose,
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
    read = await editable(ctx.use(Files), content)
    replacements = [Replacement(edit.find, edit.replace) for edit in edits]
    after = await asyncio.to_thread(apply_edits, read.text, replacements)
    if isinstance(after, UnfitEdit):
        return _unfit(content, after)
    if after == read.text:
        raise InvalidInput("These edits change nothing: the file says so already.", field="edits")
    await asyncio.to_thread(encoded, read, after)  # now, rather than after the user has read all of it
    if ctx.file_edits == "continue":
        return await _keep(ctx, content, read.text, after)
    return Proposal(
        text=_question(file),
        name=file.name,
        before=read.text,
        after=after,
        file=ProposedFile(file_id=file.id, version=content.version.version),
    )


async def _keep(ctx: ToolContext, content: Content, before: str, after: str) -> ToolResult:
    """The run goes on; the user decides when they like."""
    file, version = content.file, content.version.version
    diff = await asyncio.to_thread(unified_diff, file.name, before, after)
    proposal = FileProposal(
        id=ctx.call_id,
        file_id=file.id,
        version=version,
        before=before,
        after=after,
        proposed_by=ctx.principal.user_id,
        proposed_at=now(),
    )
    shown = ProposedFileEdit(file_id=file.id, proposal_id=proposal.id, name=file.name).shown(
        f"The change of “{file.name}” is proposed. The user decides later; until then the file stays as it is. Go on without"
        " waiting, and do not propose it again."
    )
    edit = ProposedEdit(file_id=file.id, name=file.name, version=version, diff=diff)

    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        await keep(uow, ctx.principal, proposal, agent)
        return shown.model_copy(update={"edits": [edit], "private": True})  # it quotes the file

    return await ctx.commit(effect)


def _question(file: File) -> str:
    return f"Change the file “{file.name}”?"


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


def _overtaken(edit: OvertakenEdit) -> ToolResult:
    quoted = "\n".join(
        f"Line {conflict.first} now:\n{_lines(conflict.ours)}\nAccepted instead:\n{_lines(conflict.theirs)}"
        for conflict in edit.conflicts
    )
    return ToolResult.error(
        f"The user accepted, but nothing was stored: “{edit.content.file.name}” was changed meanwhile in the same lines. Tell"
        f" them, read the file again, and propose what is still wanted.\n{_cut(quoted)}",
        conflictLines=edit.lines,
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
