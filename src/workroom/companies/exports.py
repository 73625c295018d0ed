"""The documents about a company as one file to take along: DOCX or PDF, in the company's language, with a title page."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.documents import DnaDocuments, require_kind
from workroom.companies.errors import NothingToExport
from workroom.companies.types import Company, DnaDocument, DocumentStatus
from workroom.core.clock import now
from workroom.core.exported_file import ExportedFile, file_stem
from workroom.core.languages import Language
from workroom.core.person_turns import PersonTurns
from workroom.core.time_zones import zone_named
from workroom.documents.writers.files import ReportFormat, report_file
from workroom.documents.writers.report import Report, ReportSection
from workroom.identity.types import Principal


@dataclass(frozen=True)
class _Words:
    draft: str
    final: str
    version: str
    date: str


WORDS: dict[Language, _Words] = {
    "de": _Words("Entwurf", "Final", "Version {number}", "%d.%m.%Y"),
    "en": _Words("Draft", "Final", "Version {number}", "%d %b %Y"),
    "fr": _Words("Brouillon", "Final", "Version {number}", "%d.%m.%Y"),
    "pt": _Words("Rascunho", "Final", "Versão {number}", "%d/%m/%Y"),
    "zh": _Words("草稿", "定稿", "第 {number} 版", "%Y-%m-%d"),
}


class CompanyExports:
    def __init__(self, documents: DnaDocuments) -> None:
        self._documents = documents
        self._turns = PersonTurns(1)  # one person's many exports wait for each other, not other people's for them

    async def export(
        self,
        principal: Principal,
        instance_id: UUID,
        company_id: UUID,
        format: ReportFormat,
        kinds: Collection[str] = (),
        time_zone: str = "UTC",
    ) -> ExportedFile:
        """Those of these kinds that have a text, in the order of the kinds; all of them when none is named."""
        zone = zone_named(time_zone)
        for kind in kinds:
            require_kind(kind)
        dna = await self._documents.dna(principal, instance_id, company_id)
        wanted = [one for kind, one in dna.documents.items() if (not kinds or kind in kinds) and one.text]
        if not wanted:
            raise NothingToExport
        report = report_of(dna.company, wanted, now().astimezone(zone), zone)
        async with self._turns.of(principal.user_id):
            return await report_file(report, format, _stem(dna.company, wanted))


def report_of(company: Company, documents: Iterable[DnaDocument], moment: datetime, zone: ZoneInfo) -> Report:
    words = WORDS[company.language]
    lines = [company.website, moment.strftime(words.date)]
    return Report(
        title=company.name,
        lines=[line for line in lines if line],
        language=company.language,
        sections=[_section(document, company.language, words, zone) for document in documents],
    )


def _section(document: DnaDocument, language: Language, words: _Words, zone: ZoneInfo) -> ReportSection:
    assert document.written_at is not None
    status = words.final if document.status is DocumentStatus.FINAL else words.draft
    written = document.written_at.astimezone(zone).strftime(words.date)
    has_title = document.text.startswith("# ")
    return ReportSection(
        title="" if has_title else in_language(KINDS[document.kind].name, language),
        note=" · ".join((status, words.version.format(number=document.version), written)),
        markdown=document.text,
    )


def _stem(company: Company, documents: list[DnaDocument]) -> str:
    only = f" – {in_language(KINDS[documents[0].kind].name, company.language)}" if len(documents) == 1 else ""
    return file_stem(f"{company.name}{only}")
