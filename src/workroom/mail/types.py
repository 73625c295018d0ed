"""Mails on their way, and how sending fails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from workroom.core.errors import WorkroomError
from workroom.vault import Sealed


class MailKind(StrEnum):
    INVITATION = "invitation"
    RESET = "reset"
    PASSWORD_CHANGED = "passwordChanged"  # noqa: S105


class MailState(StrEnum):
    QUEUED = "queued"
    FAILED = "failed"  # for good: it is tried again only when an administrator says so


@dataclass(frozen=True)
class Mail:
    """A mail that was not sent yet. `error`: how the last try went, in the mail server's own words."""

    id: UUID
    user_id: UUID
    kind: MailKind
    recipient: str
    created_at: datetime
    expires_at: datetime
    state: MailState
    tries: int
    error_code: str | None
    error: str | None


@dataclass(frozen=True)
class NewMail:
    user_id: UUID
    kind: MailKind
    recipient: str
    language: str
    created_at: datetime
    expires_at: datetime
    sender_name: str = ""


@dataclass(frozen=True)
class MailTask:
    """A claimed mail; `epoch` fences what its worker writes."""

    mandate_id: UUID
    mail_id: UUID
    owner_id: UUID
    epoch: int


@dataclass(frozen=True)
class MailContent:
    """All that is in a mail. `link` is sealed."""

    id: UUID
    kind: MailKind
    recipient: str
    language: str
    name: str
    login: str
    organisation: str
    contact: str
    sender_name: str
    created_at: datetime
    expires_at: datetime
    link: Sealed | None


class MailFailed(WorkroomError):
    """`words`: what the mail server said. `again`: it is tried again later without being asked."""

    code = "mailRefused"
    status: ClassVar[int] = 502

    def __init__(self, message: str, *, code: str, words: str = "", again: bool = True) -> None:
        super().__init__(message, code=code, words=words)
        self.words, self.again = words, again
