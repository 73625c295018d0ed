"""`python -m workroom.api.schemas` prints the JSON Schemas of everything that `GET /api/events` carries, by event name."""

from __future__ import annotations

import json
import sys

from pydantic import BaseModel

from workroom.api.runs import RunSaid
from workroom.core.changes import Changed, Hello, SignedOut

VERSION = 1
EVENTS: dict[str, type[BaseModel]] = {"hello": Hello, "changed": Changed, "run": RunSaid, "signedOut": SignedOut}


def text() -> str:
    schemas = {name: model.model_json_schema(mode="serialization") for name, model in EVENTS.items()}
    return json.dumps({"version": VERSION, "events": schemas}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
