"""A conversation as a file: who said what, tool calls, sources and the branch on the screen, as Markdown and as PDF."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pypdfium2
import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import call, say
from workroom.agent.tool import tool
from workroom.core.actions import OpenFile
from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.ids import new_id
from workroom.core.messages import Role
from workroom.core.places import numbered_place
from workroom.core.results import ToolResult
from workroom.core.sources import Source
from workroom.core.tool_texts import ToolTexts
from workroom.documents.writers.pdf.conversation import PdfDocument, PdfEntry, pdf_of
from workroom.identity.types import Principal
from workroom.runs import exports
from workroom.runs.exports import ExportFormat
from workroom.runs.service import Accepted
from workroom.runs.transcripts import Transcript, TranscriptCall, TranscriptEntry, Transcripts, cited

HOSTILE = (
    '#read("/etc/passwd") #import "x" $a$ \\ <label> @ref `#panic()` [x](javascript:1)\n\n#panic("no")\n\n$ #panic() $'
)


@tool("lookUp", effect="read", sets={"core"})
async def look_up(ctx: Any, words: str) -> ToolResult:
    """Looks something up."""
    opens = OpenFile(file_id=new_id())
    source = Source(mark="k7qda", opens=opens, place=numbered_place("page", [3], "report.pdf"))
    return ToolResult(message="It is 12 m.", sources=[source], untrusted=True)


class Export:
    def __init__(self, world: World) -> None:
        self.world, self.bench = world, RunBench(world)

    async def talk(self, *script: Any, prompt: str = "How high is the **roof**?") -> Accepted:
        accepted = await self.bench.ask(prompt)
        await self.bench.advance(accepted, *script, tools=(look_up,))
        return accepted

    async def text(self, accepted: Accepted, by: str = "bob", **more: Any) -> str:
        made = await self.world.services.exports.export(
            self.world[by].principal, self.bench.lab, accepted.conversation_id, ExportFormat.MARKDOWN, **more
        )
        return made.content.decode()

    async def pdf(self, accepted: Accepted, **more: Any) -> str:
        made = await self.world.services.exports.export(
            self.bench.principal, self.bench.lab, accepted.conversation_id, ExportFormat.PDF, **more
        )
        assert made.name.endswith(".pdf")
        return text_of(made.content)


def text_of(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


@pytest.fixture
def export(world: World) -> Export:
    return Export(world)


async def test_it_has_who_said_what_the_calls_and_the_sources(export: Export) -> None:
    accepted = await export.talk([call("lookUp", words="roof")], say("It is **12 m** [[k7qda]], not `[[k7qda]]`."))
    text = await export.text(accepted, language="de", time_zone="Europe/Zurich")
    assert text.startswith("# How high is the roof?\n\n*Bob · Exportiert am ")
    asked, answered = text.index("## Bob · "), text.index("## Assistant · ")
    assert asked < text.index("How high is the **roof**?") < answered
    assert "> Werkzeug: lookUp\n" in text, "a tool without texts, by its name"
    assert "It is **12 m** [1], not `[[k7qda]]`." in text
    assert "**Quellen**\n\n1. Seite 3 von report.pdf" in text


CALLS = (
    TranscriptCall("handOff", {"agent": "navigator", "reason": "Versteht das"}),
    TranscriptCall("findPlace", {"query": "Bern\n> West"}),
    TranscriptCall("findPlace", {"query": ["Bern"]}, failed=True),
    TranscriptCall("readIt", {"fileId": "0198"}),
    TranscriptCall("unknown", {"secret": "x"}),
)
TEXTS = {
    "handOff": {"de": ToolTexts(label="übergibt die Unterhaltung"), "en": ToolTexts(label="hands over")},
    "findPlace": {"en": ToolTexts(label="finds a place", activity="Find {query}")},
    "readIt": {"de": ToolTexts(label="liest eine Datei", activity="Lesen: {file}")},
}


@pytest.mark.parametrize("format", ExportFormat)
async def test_calls_are_told_in_the_texts_of_their_tools(format: ExportFormat) -> None:
    entry = TranscriptEntry(Role.ASSISTANT, "Karte", now(), "Hier.", calls=CALLS)
    told = await told_of(Transcript("Titel", "Bob", [entry]), format)
    for words in ("übergibt die Unterhaltung", "Find Bern > West", "finds a place ✗", "liest eine Datei", "unknown"):
        assert f"Werkzeug: {words}" in told, words
    for raw in ("handOff", "navigator", "0198", "secret", "("):
        assert raw not in told, raw


async def told_of(transcript: Transcript, format: ExportFormat) -> str:
    class Told(Transcripts):
        def __init__(self) -> None:
            """Without a database."""

        async def of(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Transcript:
            return transcript

    tools = [replace(look_up, name=name, texts=texts) for name, texts in TEXTS.items()]
    asks = Principal(new_id(), new_id(), "Bob", ())
    made = await exports.Exports(Told(), tools).export(asks, new_id(), new_id(), format, "de")
    return made.content.decode() if format is ExportFormat.MARKDOWN else text_of(made.content)


async def test_another_reader_gets_no_more_than_they_see(export: Export) -> None:
    accepted = await export.talk([call("lookUp", words="roof")], say("It is 12 m [[k7qda]]."))
    await shared(export.world, accepted.conversation_id, "alice")
    assert "report.pdf" not in await export.text(accepted, by="alice")


async def test_it_is_the_branch_on_the_screen(export: Export) -> None:
    accepted = await export.talk(say("First answer."))
    again = await export.bench.runs.retry(export.bench.principal, export.bench.lab, accepted.conversation_id)
    await export.bench.advance(again, say("Second answer."))
    text = await export.text(accepted)
    assert "Second answer." in text
    assert "First answer." not in text


async def test_a_pdf_has_the_same_words_in_their_letters(export: Export) -> None:
    table = "| Was | CHF |\n|:--|--:|\n| Dächer, façade, ação | 22.50 |"
    accepted = await export.talk([call("lookUp", words="roof")], say(f"Zürich [[k7qda]]\n\n{table}"))
    text = await export.pdf(accepted, language="fr")
    for words in ("How high is the roof?", "Assistant", "Zürich [1]", "Dächer, façade, ação", "22.50", "Outil: lookUp", "Sources",
                  "[1] page 3 de report.pdf"):  # fmt: skip
        assert words in text, words


async def test_what_is_said_is_never_code_of_the_typesetter(export: Export) -> None:
    accepted = await export.talk(say(HOSTILE), prompt=HOSTILE)
    text = await export.pdf(accepted)
    assert text.count('#read("/etc/passwd")') >= 2, "as it was written"
    assert text.count('#panic("no")') == 2
    assert "root:" not in text


async def test_odd_texts_are_typeset_all_the_same() -> None:
    odd = [
        "> " * 200 + "deep",
        "- " * 60 + "x",
        "\x00\x1b[31m red",
        "|a|\n|-|\n" + "|b|c|d|\n" * 3,
        "x" * 5_000,
        "",
        "中文",
    ]
    entries = [PdfEntry(speaker="A", at="now", markdown=markdown) for markdown in odd]
    made = await pdf_of(PdfDocument(title="", subtitle="", language="zh", sources="", entries=entries))
    assert made.startswith(b"%PDF")


@pytest.mark.parametrize("piece", [" ", "\t", "[[", "`", " [[abcde ", "~~~\n", "[[abcde, "])
def test_marks_are_looked_for_in_linear_time(piece: str) -> None:
    """By the square of its length, it would take longer than any test may."""
    hostile = piece * (400_000 // len(piece))
    assert cited(hostile, {}) == (hostile, [])


async def test_a_long_address_leads_where_it_says() -> None:
    address = f"https://example.org/{'a' * 100}/end"
    entry = PdfEntry(speaker="A", at="now", markdown=f"[there]({address}) or <{address}>")
    made = await pdf_of(PdfDocument(title="t", subtitle="", language="en", sources="", entries=[entry]))
    assert made.count(f"({address})".encode()) >= 2


async def test_one_persons_pdfs_wait_for_each_other_and_not_other_peoples_for_them(
    export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = await export.talk(say("Twelve."))
    await shared(export.world, accepted.conversation_id, "alice")
    begun, making = asyncio.Event(), list[str]()

    async def endless(document: PdfDocument) -> bytes:
        making.append(document.title)
        begun.set()
        return b"%PDF" if document.language == "fr" else await asyncio.Event().wait()  # type: ignore[return-value]

    monkeypatch.setattr(exports, "pdf_of", endless)
    make, where = export.world.services.exports.export, (export.bench.lab, accepted.conversation_id, ExportFormat.PDF)
    many = [asyncio.create_task(make(export.bench.principal, *where)) for _ in range(5)]
    await begun.wait()
    assert (await make(export.world["alice"].principal, *where, "fr")).content == b"%PDF"
    assert len(making) == 2
    for one in many:
        one.cancel()
    await asyncio.wait(many)


async def test_over_http_it_is_a_file_to_save_for_those_who_read_the_conversation(export: Export) -> None:
    accepted = await export.talk(say("Twelve."))
    path = f"/api/workspace/{export.bench.lab}/conversations/{accepted.conversation_id}/export"
    answer = await export.world.call("bob", "GET", path)
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="How high is the roof')
    assert (await export.world.call("alice", "GET", path)).status_code == 404
    assert (await export.world.call("bob", "GET", f"{path}?timeZone=Mars/Olympus")).status_code == 422
    with pytest.raises(InvalidInput):
        await export.text(accepted, time_zone="../etc/passwd")
