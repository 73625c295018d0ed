"""A conversation as a file to take along: Markdown, or a PDF. Times are those of the reader's clock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from workroom.agent.tool import Tool
from workroom.core.clock import now
from workroom.core.exported_file import ExportedFile, file_stem
from workroom.core.messages import Role
from workroom.core.person_turns import PersonTurns
from workroom.core.sidecars import in_language
from workroom.core.time_zones import zone_named
from workroom.core.tool_texts import LocalizedToolTexts, ToolTexts
from workroom.documents.writers.pdf.conversation import PdfDocument, PdfEntry, pdf_of
from workroom.identity.types import Principal
from workroom.models.embedded.language import LANGUAGES, Language
from workroom.models.embedded.places import place_words
from workroom.runs.transcripts import Transcript, TranscriptCall, TranscriptEntry, Transcripts

LONGEST_CALL = 160
PLACEHOLDER = re.compile(r"\{(\w+)\}")


class ExportFormat(StrEnum):
    MARKDOWN = "markdown"
    PDF = "pdf"


@dataclass(frozen=True)
class Words:
    sources: str
    attached: str
    tool: str
    agent: str
    person: str
    exported: str
    date: str


WORDS = {
    "de": Words("Quellen", "Angehängt", "Werkzeug", "Assistent", "Jemand", "Exportiert am", "%d.%m.%Y, %H:%M"),
    "en": Words("Sources", "Attached", "Tool", "Assistant", "Somebody", "Exported on", "%d %b %Y, %H:%M"),
    "fr": Words("Sources", "Joint", "Outil", "Assistant", "Quelqu’un", "Exporté le", "%d.%m.%Y, %H:%M"),
    "pt": Words("Fontes", "Anexado", "Ferramenta", "Assistente", "Alguém", "Exportado em", "%d/%m/%Y, %H:%M"),
    "zh": Words("来源", "附件", "工具", "助手", "某人", "导出于", "%Y-%m-%d %H:%M"),
}


class Exports:
    def __init__(self, transcripts: Transcripts, tools: Iterable[Tool] = ()) -> None:
        self._transcripts = transcripts
        self._tool_texts = {tool.name: tool.texts for tool in tools}
        self._turns = PersonTurns(1)  # one person's many PDFs wait for each other, not other people's for them

    async def export(
        self,
        principal: Principal,
        instance_id: UUID,
        conversation_id: UUID,
        format: ExportFormat,
        language: str = "en",
        time_zone: str = "UTC",
    ) -> ExportedFile:
        page = _Page(WORDS[language], LANGUAGES[language], zone_named(time_zone), self._tool_texts)
        async with self._turns.of(principal.user_id):
            transcript = await self._transcripts.of(principal, instance_id, conversation_id)
            stem = file_stem(transcript.title, "conversation")
            if format is ExportFormat.MARKDOWN:
                return ExportedFile(f"{stem}.md", "text/markdown; charset=utf-8", page.markdown(transcript).encode())
            return ExportedFile(f"{stem}.pdf", "application/pdf", await pdf_of(page.pdf(transcript, language)))


@dataclass(frozen=True)
class _Page:
    words: Words
    language: Language
    zone: ZoneInfo
    tool_texts: Mapping[str, LocalizedToolTexts] = field(default_factory=dict)

    def markdown(self, transcript: Transcript) -> str:
        parts = [f"# {transcript.title}", f"*{self._subtitle(transcript)}*"]
        for entry in transcript.entries:
            lines = [f"> {line}" for line in self._lines(entry)]
            sources = [f"{number}. {source}" for number, source in self._sources(entry)]
            parts += [f"## {self._speaker(entry)} · {self._moment(entry.at)}", entry.text.strip(), "  \n".join(lines)]
            parts += [f"**{self.words.sources}**", "\n".join(sources)] if sources else []
        return "\n\n".join(filter(None, parts)) + "\n"

    def pdf(self, transcript: Transcript, language: str) -> PdfDocument:
        entries = [
            PdfEntry(
                speaker=self._speaker(entry),
                at=self._moment(entry.at),
                markdown=entry.text,
                lines=self._lines(entry),
                sources=[f"[{number}] {source}" for number, source in self._sources(entry)],
                asked=entry.role is Role.USER,
            )
            for entry in transcript.entries
        ]
        return PdfDocument(
            title=transcript.title,
            subtitle=self._subtitle(transcript),
            language=language,
            sources=self.words.sources,
            entries=entries,
        )

    def _sources(self, entry: TranscriptEntry) -> Iterator[tuple[int, str]]:
        return enumerate((place_words(place, self.language) for place in entry.sources), 1)

    def _subtitle(self, transcript: Transcript) -> str:
        return f"{transcript.owner_name} · {self.words.exported} {self._moment(now())}"

    def _speaker(self, entry: TranscriptEntry) -> str:
        return entry.speaker or (self.words.person if entry.role is Role.USER else self.words.agent)

    def _lines(self, entry: TranscriptEntry) -> list[str]:
        files = [f"{self.words.attached}: {name}" for name in entry.files]
        return files + [f"{self.words.tool}: {self._call(call)}" for call in entry.calls]

    def _call(self, call: TranscriptCall) -> str:
        texts = in_language(self.tool_texts.get(call.tool, {}), self.language.code)
        line = " ".join((_call_text(call, texts) if texts else call.tool).split())
        shown = line if len(line) <= LONGEST_CALL else f"{line[: LONGEST_CALL - 1]}…"
        return f"{shown} ✗" if call.failed else shown

    def _moment(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime(self.words.date)


def _call_text(call: TranscriptCall, texts: ToolTexts) -> str:
    """What a call does, with arguments where the tool's text has a place for them. Files are left out: calls know their ids."""
    wanted = PLACEHOLDER.findall(texts.activity)
    values = {name: call.arguments.get(name) for name in wanted}
    if not texts.activity or any(not isinstance(value, str | int | float) or value == "" for value in values.values()):
        return texts.label
    return PLACEHOLDER.sub(lambda match: str(values[match[1]]), texts.activity)
