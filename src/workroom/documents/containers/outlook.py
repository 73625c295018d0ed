"""The attachments of an Outlook message, as members; a message among them is one file, not looked into here."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from workroom.core.paths import safe_name
from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget, display_name
from workroom.documents.containers.member_names import MemberNames
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import ContainerLimitError, DamagedDocument, DocumentError, DocumentTooLarge
from workroom.documents.kinds import media_type_of_name
from workroom.documents.outlook_message import MAX_ATTACHMENTS, MAX_STREAM, OutlookAttachment, opened_message

_LARGEST = 100_000_000  # bytes of the file
_SHARED = 2  # times the file, for all streams together: one that was cut off on its way may claim a little too much
_STREAM = 2  # what the directory of a compound file calls one


class OutlookContainer(OpenContainer):
    def __init__(self, path: Path, name: str, budget: UnpackingBudget) -> None:
        super().__init__(budget)
        self.packed = path.stat().st_size
        if self.packed > _LARGEST:
            raise DocumentTooLarge(
                f"This mail is larger than {_LARGEST // 1_000_000} MB. Save its attachments and upload them."
            )
        with ExitStack() as stack:
            compound, message = stack.enter_context(opened_message(path, name))
            try:
                _refuse_shared(compound, self.packed)
                if len(message.attached_names()) > MAX_ATTACHMENTS:
                    raise ContainerLimitError(
                        f"This mail has more than {MAX_ATTACHMENTS:,} attachments. Save those you need and upload them."
                    )
                self._attached = [each for each in message.attachments() if each.is_file]
            except DocumentError:
                raise
            except Exception as error:  # olefile fails in many ways
                raise DamagedDocument(
                    "This mail is damaged: its attachments cannot be told apart. Save it again from Outlook."
                ) from error
            self._open = stack.pop_all()

    def members(self) -> Iterator[ContainerMember]:
        names = MemberNames()
        for index, attached in enumerate(self._attached):
            name = names.unique(safe_name(attached.name))
            assert name is not None  # only folders come twice
            self.count(index, name, attached.size)
            kind = (
                attached.media_type
                if attached.message is not None
                else media_type_of_name(name) or attached.media_type or None
            )
            yield ContainerMember(path=name, size=attached.size, media_type=kind, index=index)

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        yield io.BytesIO(_content(self._attached[member.index], member.path))

    def close(self) -> None:
        self._open.close()


def _content(attached: OutlookAttachment, path: str) -> bytes:
    if attached.size is not None and attached.size > MAX_STREAM:
        raise DocumentTooLarge(
            f"“{display_name(path)}” is larger than {MAX_STREAM >> 20} MB. Save it from Outlook and upload it."
        )
    try:
        return attached.read()
    except DocumentError:
        raise
    except Exception as error:
        raise DamagedDocument(
            f"“{display_name(path)}” is damaged inside its mail. Save it again from Outlook."
        ) from error


def _refuse_shared(compound: Any, size: int) -> None:
    """As in a bomb in one layer, many names for the same bytes; honest writers give each stream its own."""
    claimed = sum(entry.size for entry in compound.direntries if entry is not None and entry.entry_type == _STREAM)
    if claimed > _SHARED * size:
        raise ContainerLimitError(
            "Attachments of this mail share the same bytes, as in files that were made to do harm. Save it again from Outlook."
        )
