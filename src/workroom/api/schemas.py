"""`python -m workroom.api.schemas` prints the JSON Schemas of everything that `GET /api/events` carries, by event name, and of
the payloads of actions of the user interface and of widgets, by their type."""

from __future__ import annotations

import json
import sys
from typing import Any

from pydantic import BaseModel

import workroom.skills
import workroom.studio_tools
import workroom.tools
from workroom.api.runs import NumberedEvent
from workroom.core.actions import OpenFile
from workroom.core.changes import Changed, Hello, SignedOut
from workroom.core.map_actions import MAP_ACTIONS
from workroom.core.widgets import widgets_in

VERSION = 1
EVENTS: dict[str, type[BaseModel]] = {"hello": Hello, "changed": Changed, "run": NumberedEvent, "signedOut": SignedOut}
ACTIONS: dict[str, type[BaseModel]] = {OpenFile.name: OpenFile} | {action.name: action for action in MAP_ACTIONS}
WIDGETS: dict[str, type[BaseModel]] = {
    widget.action_type(): widget
    for package in (workroom.skills, workroom.studio_tools, workroom.tools)
    for widget in widgets_in(package)
}


def text() -> str:
    said = {
        "version": VERSION,
        "events": _schemas(EVENTS),
        "actions": _schemas(ACTIONS),
        "widgets": _schemas(WIDGETS),
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def _schemas(models: dict[str, type[BaseModel]]) -> dict[str, Any]:
    return {name: model.model_json_schema(mode="serialization") for name, model in models.items()}


if __name__ == "__main__":
    sys.stdout.write(text())
