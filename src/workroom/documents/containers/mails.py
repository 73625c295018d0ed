"""The attachments of a mail, as members. The mail itself is a document and has an extractor."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from email import policy
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import IO

from workroom.core.paths import safe_name
from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.member_names import MemberNames
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import DamagedDocument, DocumentTooLarge

_LARGEST = 50_000_000  # bytes; mails are read as a whole, and no mail server takes more
_DEEPEST = 60  # parts in parts


class MailContainer(OpenContainer):
    def __init__(self, path: Path, budget: UnpackingBudget) -> None:
        super().__init__(budget)
        if path.stat().st_size > _LARGEST:
            raise DocumentTooLarge(
                f"This mail is larger than {_LARGEST // 1_000_000} MB. Save its attachments and upload them."
            )
        try:
            with path.open("rb") as file:
                mail = BytesParser(policy=policy.compat32).parse(file)
            self._parts = list(_attachments(mail))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise DamagedDocument("This mail is damaged: its parts cannot be told apart. Save it again.") from error

    def members(self) -> Iterator[ContainerMember]:
        names = MemberNames()
        for index, part in enumerate(self._parts):
            name = names.unique(safe_name(_name_of(part, index)))
            assert name is not None  # only folders come twice
            data = _content(part)
            self.count(index, name, len(data))
            yield ContainerMember(path=name, size=len(data), media_type=part.get_content_type(), index=index)

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        yield io.BytesIO(_content(self._parts[member.index]))

    def close(self) -> None:
        self._parts = []


def _attachments(mail: Message, depth: int = 0) -> Iterator[Message]:
    """Parts that have a name or say that they are attached. An attached mail is one of them, not looked into here."""
    if depth > _DEEPEST:
        raise ValueError("parts in parts without end")
    is_mail = mail.get_content_type() == "message/rfc822"
    if depth and (is_mail or mail.get_filename() or mail.get_content_disposition() == "attachment"):
        yield mail
    elif mail.is_multipart():
        for part in mail.get_payload():
            if isinstance(part, Message):
                yield from _attachments(part, depth + 1)


def _name_of(part: Message, index: int) -> str:
    from email.header import decode_header, make_header

    name = part.get_filename()
    if not name and part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        subject = (
            inner[0].get("Subject") if isinstance(inner, list) and inner and isinstance(inner[0], Message) else None
        )
        name = f"{subject or 'mail'}.eml"
    try:
        return str(make_header(decode_header(name))) if name else f"attachment-{index + 1}"
    except (ValueError, LookupError):
        return str(name)


def _content(part: Message) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        return inner[0].as_bytes() if isinstance(inner, list) and inner and isinstance(inner[0], Message) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
