"""What each provider is asked, to the letter: one conversation with everything in it, compared with what is stored.

When a difference is meant, renew the files and read the difference before it is committed:

    SNAPSHOTS=renew pytest tests/models/test_snapshots.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from uuid import UUID

import pytest

from tests.models.asking import KEY, MAKERS, TOOL, heard, message, user
from workroom.core.messages import CallPart, ImagePart, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.models.ports import Forcing, ModelRequest, ToolSchema
from workroom.models.providers.text_protocol import TextToolModel
from workroom.models.testing import Reply, ScriptedProvider
from workroom.net import GuardedClient

FOLDER = Path(__file__).parent / "snapshots"
FIRST, SECOND = UUID("01900000-0000-7000-8000-000000000001"), UUID("01900000-0000-7000-8000-000000000002")

CONVERSATION = ModelRequest(
    system="Be brief.",
    messages=[
        message(Role.USER, TextPart(text="What is this?"), ImagePart(media_type="image/png", data="cG5n")),
        message(
            Role.ASSISTANT,
            TextPart(text="I shall look."),
            CallPart(call_id=FIRST, tool="notes.read", arguments={"id": 1}),
            CallPart(call_id=SECOND, tool="notes.read", arguments={}, unreadable='{"id":'),
        ),
        message(Role.TOOL, ResultPart(call_id=FIRST, tool="notes.read", result=ToolResult(items=["a note"]))),
        user("Go on."),
    ],
    tools=[TOOL, ToolSchema("listNotes", "List the notes.", {"type": "object", "properties": {}})],
    forcing=Forcing.ANY,
    temperature=0.2,
    max_output_tokens=500,
)

# File, whose API is spoken, name of the model.
CASES = [
    ("openai-compatible", "openai", "gpt-4.1"),
    ("openai-unforceable", "openai", "Qwen/Qwen3-8B"),
    ("anthropic", "anthropic", "claude-sonnet-4-6"),
    ("anthropic-newest", "anthropic", "claude-opus-5-5"),
    ("google", "google", "gemini-2.5-flash"),
    ("text-protocol", "openai", "gpt-4.1"),
]


@pytest.mark.requirement("C1")
@pytest.mark.parametrize(("file", "spoken", "name"), CASES, ids=[case[0] for case in CASES])
async def test_the_request_is_what_it_was(
    provider: ScriptedProvider, client: GuardedClient, file: str, spoken: str, name: str
) -> None:
    model = MAKERS[spoken](provider.root_url, name, KEY, client)
    provider.script.append(Reply("Fine."))
    await heard(TextToolModel(model) if file == "text-protocol" else model, CONVERSATION)
    [asked] = provider.requests
    seen = {"path": asked.path, "body": asked.body}
    stored = FOLDER / f"{file}.json"
    if os.environ.get("SNAPSHOTS") == "renew":
        stored.write_text(json.dumps(seen, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert seen == json.loads(stored.read_text(encoding="utf-8")), "meant? SNAPSHOTS=renew writes it anew"


def test_every_snapshot_is_compared() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {case[0] for case in CASES}
