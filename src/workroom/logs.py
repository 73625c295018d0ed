"""Logs: one line per event, text for people, JSON for machines, without secrets (`core/redaction.py`) in either."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

from workroom.core.redaction import HIDDEN, SECRET_FIELD, redact

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    return {name: HIDDEN if SECRET_FIELD.search(name) else value for name, value in extra.items()}


def _one_line(value: object) -> str:
    """Foreign text must not look like a log line of its own, nor send control sequences to a terminal."""
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
    """Log to standard error; of libraries only warnings and errors."""
    text = style == "text" or (style == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextFormatter() if text else JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("workroom").setLevel(level.upper())
