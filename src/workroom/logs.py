"""Logs: one line per event, text for people, JSON for machines, and nothing secret in either.

Redaction works on the finished line: by the name of a field, and by what a secret looks like wherever it stands.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Literal

HIDDEN = "[hidden]"
SECRET_FIELD = re.compile(r"password|secret|token|authorization|cookie|api_?key|dsn|database_?url", re.IGNORECASE)
SECRET_TEXT = (
    (re.compile(r"\b(wrk_)[A-Za-z0-9_-]{6,}"), r"\1" + HIDDEN),
    (re.compile(r"(?i)\b(bearer\s+)[^\s\"',]+"), r"\1" + HIDDEN),
    (re.compile(r"(\w+://[^\s:/@]+:)[^\s@]+@"), r"\1" + HIDDEN + "@"),
    (re.compile(r"(/enter#)[A-Za-z0-9_-]+"), r"\1" + HIDDEN),
    (re.compile(r"(?i)(workroom_\d+=|__host-workroom=)[^;\s\"']+"), r"\1" + HIDDEN),
)
_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def redact(text: str) -> str:
    for pattern, replacement in SECRET_TEXT:
        text = pattern.sub(replacement, text)
    return text


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    return {name: HIDDEN if SECRET_FIELD.search(name) else value for name, value in extra.items()}


def _one_line(value: object) -> str:
    """What somebody else wrote must not look like a line of ours, nor steer a terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(value))


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return redact(json.dumps(entry, default=str, ensure_ascii=False))


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        fields = " ".join(f"{name}={_one_line(value)}" for name, value in _fields(record).items())
        line = f"{moment} {record.levelname.lower():7} {_one_line(record.getMessage())} {fields}".rstrip()
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return redact(line)


def configure(style: Literal["auto", "text", "json"] = "auto", level: str = "info") -> None:
    """Send everything to standard error; libraries speak from warning up."""
    text = style == "text" or (style == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextFormatter() if text else JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("workroom").setLevel(level.upper())
