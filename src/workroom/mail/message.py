"""A mail in the person's language: text, and the same as simple HTML. It loads nothing from elsewhere.

Names come from people: in a header they are one line, in HTML they are escaped.
"""

from __future__ import annotations

import json
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any
from uuid import UUID

from workroom.core.clock import now
from workroom.core.languages import DEFAULT_LANGUAGE
from workroom.mail.types import MailContent

LONGEST_NAME = 120
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f2;color:#1d1d1b;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:34em;margin:0 auto;padding:28px;border-radius:12px;background:#ffffff">
{blocks}
</div></body></html>
"""
PARAGRAPH = '<p style="margin:0 0 16px">{}</p>'
BUTTON = (
    '<p style="margin:24px 0"><a href="{url}" style="display:inline-block;padding:11px 20px;border-radius:8px;'
    'background:#24503f;color:#ffffff;text-decoration:none;font-weight:600">{label}</a></p>'
    '<p style="margin:0 0 16px;font-size:13px;color:#5d5d59;word-break:break-all">{url}</p>'
)


def mail_message(content: MailContent, url: str, sender: str) -> EmailMessage:
    texts = _texts(content.language)
    facts = {
        "name": _one_line(content.name),
        "login": content.login,
        "organisation": _one_line(content.organisation),
        "sender": _one_line(content.sender_name),
        "until": content.expires_at.strftime(texts["date"]),
        "when": content.created_at.strftime(f"{texts['date']} %H:%M UTC"),
    }
    kind = texts[content.kind.value]
    variant = "textWithSender" if content.sender_name and "textWithSender" in kind else "text"
    before = [texts["greeting"], *kind[variant]]
    contact = _one_line(content.contact)
    after = [*kind["after"], texts["contact"] if contact else texts["noContact"]]
    fill = facts | {"contact": contact}
    return _message(
        content.id,
        sender,
        content.recipient,
        content.language,
        kind["subject"].format_map(fill),
        [line.format_map(fill) for line in before],
        (kind["button"], url) if url else None,
        [line.format_map(fill) for line in after],
    )


def trial_message(mail_id: UUID, recipient: str, language: str, organisation: str, sender: str) -> EmailMessage:
    """What an administrator sends to see whether mails arrive."""
    kind, fill = _texts(language)["trial"], {"organisation": _one_line(organisation)}
    lines = [line.format_map(fill) for line in kind["text"]]
    return _message(mail_id, sender, recipient, language, kind["subject"].format_map(fill), lines, None, [])


def _message(
    mail_id: UUID,
    sender: str,
    recipient: str,
    language: str,
    subject: str,
    before: list[str],
    button: tuple[str, str] | None,
    after: list[str],
) -> EmailMessage:
    name, address = parseaddr(sender)
    message = EmailMessage(policy=SMTP)
    message["Subject"] = _one_line(subject, longest=200)
    message["From"] = Address(_one_line(name) or "Workroom", addr_spec=address)
    message["To"] = Address(addr_spec=recipient)
    message["Date"] = format_datetime(_whole_second(now()))
    # The same for every try: a mail that arrives twice is recognised as one.
    message["Message-ID"] = f"<{mail_id}@{address.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"  # no holiday replies, please
    linked = [f"{button[0]}\n{button[1]}"] if button else []
    message.set_content("\n\n".join([*before, *linked, *after]) + "\n")
    blocks = [PARAGRAPH.format(escape(line)) for line in before]
    if button:
        blocks.append(BUTTON.format(label=escape(button[0]), url=escape(button[1])))
    blocks += [PARAGRAPH.format(escape(line)) for line in after]
    html = PAGE.format(language=language, title=escape(subject), blocks="\n".join(blocks))
    message.add_alternative(html, subtype="html")
    message["Content-Language"] = language  # a part would have taken it over
    return message


def _one_line(text: str, longest: int = LONGEST_NAME) -> str:
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())[:longest]


def _whole_second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


def _texts(language: str) -> dict[str, Any]:
    known = _all_texts()
    return known.get(language) or known[DEFAULT_LANGUAGE]


@cache
def _all_texts() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = json.loads((files(__package__) / "texts.json").read_text(encoding="utf-8"))
    return loaded
