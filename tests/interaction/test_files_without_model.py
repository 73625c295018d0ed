"""A question about an attached file where there is no language model: over the whole way, with the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.files.sending import upload
from tests.interaction.talking import ask, finished, worker
from tests.knowledge.room import library
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.embedded.language import LANGUAGES
from workroom.models.embeddings.static import StaticEmbedder

DE = LANGUAGES["de"]
NAME = "word_sample.docx"


@pytest.mark.requirement("C5")
async def test_an_outline_is_no_answer(world: World, address: DatabaseAddress, test_data: Path) -> None:
    file = await upload(world, "bob", (test_data / "docling/docx/sources" / NAME).read_bytes(), name=NAME)
    async with library(world, StaticEmbedder()) as shelf:
        await shelf.settle()

    async def answered(prompt: str) -> str:
        accepted = await ask(world, prompt, fileIds=[file["id"]])
        said = await finished(world, accepted["runId"])
        return "".join(event["text"] for event in said if event["type"] == "message")

    async with worker(world, address, None):
        found = await answered("What does a duck eat?")
        nothing = await answered("Was isst eine Ente?")
        summary = await answered(f"Fasse „{NAME}“ zusammen: worum es geht und was zu tun ist.")
    assert "a respectful duck could eat" in found
    assert nothing.startswith(DE.say("nothingIn", names=f"**{NAME}**"))
    assert summary.startswith(DE.say("needsModel"))
    for text in (nothing, summary):
        assert "- Let’s swim! (Seiten 1–2)" in text
        assert "Sections" not in text
        assert "s1" not in text
