"""The documents about a company, its DNA: read and written in versions, and taken along as one file."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from workroom.api.file_contents import attachment_headers
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.companies.document_kinds import KINDS, HeadingTexts, in_language
from workroom.companies.documents import LARGEST, require_kind
from workroom.companies.gaps import Dna
from workroom.companies.types import DnaVersion, DocumentInput, DocumentStatus
from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.documents.writers.files import ReportFormat

router = APIRouter(prefix="/api/workspace/{instanceId}/companies/{companyId}", tags=["companies"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Kind = Annotated[str, Path(description="Of a document, such as `briefing`.")]
Spoken = Annotated[Language | None, Query(description="Of the names of documents; else the company's.")]


class HeadingView(Wire):
    """`about` says what belongs under it."""

    title: str
    about: str


class DocumentState(DnaVersion):
    """A document without its text: what it is for, how far it is, and what is missing. Version 0: it was never written.
    `waitsFor` and `staleAfter` are documents it builds on: those that are not final yet, and those that became final after it
    was written. `missingHeadings` have no text; they are in the company's language."""

    kind: str
    name: str
    purpose: str
    builds_on: list[str]
    waits_for: list[str]
    stale_after: list[str]
    missing_headings: list[str]
    heading_count: int


class DocumentView(DocumentState):
    """`headings` are those it should have, in the company's language."""

    text: str
    headings: list[HeadingView]


class DocumentWrite(Wire):
    """`version` names the one the text was made from, 0 if it was never written; if that is not the newest, nothing is
    overwritten. A document without a text is `empty`, whatever `status` says."""

    version: int = Field(ge=0, le=2**31 - 1)
    text: str = Field(max_length=LARGEST)
    status: DocumentStatus = DocumentStatus.DRAFT


class VersionText(DnaVersion):
    text: str


@router.get("/documents")
async def list_documents(
    instanceId: UUID,
    companyId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> list[DocumentState]:
    """One of every kind, each after those it builds on."""
    dna = await services.dna_documents.dna(principal, instanceId, companyId)
    return [DocumentState(**_described(dna, kind, language)) for kind in dna.documents]


@router.get("/documents/{kind}")
async def get_document(
    instanceId: UUID,
    companyId: UUID,
    kind: Kind,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> DocumentView:
    require_kind(kind)
    return _view(await services.dna_documents.dna(principal, instanceId, companyId), kind, language)


@router.put("/documents/{kind}")
async def write_document(
    instanceId: UUID,
    companyId: UUID,
    kind: Kind,
    body: DocumentWrite,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> DocumentView:
    """Makes a new version, if anything is different."""
    given = DocumentInput(body.version, body.text, body.status)
    await services.dna_documents.write(principal, instanceId, companyId, kind, given)
    return await get_document(instanceId, companyId, kind, principal, services, language)


@router.get("/documents/{kind}/versions")
async def list_document_versions(
    instanceId: UUID,
    companyId: UUID,
    kind: Kind,
    query: Listed,
    principal: CurrentPrincipal,
    services: AppServices,
) -> PageOf[DnaVersion]:
    """Sorted by `version`. The texts are read one by one."""
    found = await services.dna_documents.versions(principal, instanceId, companyId, kind, query.request())
    return page_of(found, lambda version: version)


@router.get("/documents/{kind}/versions/{version}")
async def get_document_version(
    instanceId: UUID, companyId: UUID, kind: Kind, version: Number, principal: CurrentPrincipal, services: AppServices
) -> VersionText:
    found = await services.dna_documents.version(principal, instanceId, companyId, kind, version)
    return VersionText(**{name: getattr(found, name) for name in VersionText.model_fields})


@router.post("/documents/{kind}/versions/{version}/restore")
async def restore_document_version(
    instanceId: UUID,
    companyId: UUID,
    kind: Kind,
    version: Number,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> DocumentView:
    """As it was then, as a new version."""
    await services.dna_documents.restore_version(principal, instanceId, companyId, kind, version)
    return await get_document(instanceId, companyId, kind, principal, services, language)


@router.get("/export", response_class=Response)
async def export_company(
    instanceId: UUID,
    companyId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    format: ReportFormat = ReportFormat.DOCX,
    kinds: Annotated[list[str] | None, Query(max_length=20)] = None,
    timeZone: Annotated[str, Query(max_length=60, pattern=r"^[\w+/-]+$")] = "UTC",
) -> Response:
    """Its documents as one file with a title page, or only those of some `kinds`; empty ones are left out."""
    made = await services.company_exports.export(principal, instanceId, companyId, format, kinds or (), timeZone)
    return Response(made.content, headers=attachment_headers(made.name, made.media_type))


def _view(dna: Dna, kind: str, language: Language | None) -> DocumentView:
    headings = [_heading(one, dna.company.language) for one in KINDS[kind].headings]
    return DocumentView(**_described(dna, kind, language), text=dna.documents[kind].text, headings=headings)


def _described(dna: Dna, name: str, language: Language | None) -> dict[str, Any]:
    """What `DocumentState` says of the document of that kind."""
    kind, document, gaps = KINDS[name], dna.documents[name], dna.gaps[name]
    written_in = dna.company.language
    return {
        **{field: getattr(document, field) for field in DnaVersion.model_fields},
        "kind": name,
        "name": in_language(kind.name, language or written_in),
        "purpose": in_language(kind.purpose, language or written_in),
        "builds_on": list(kind.builds_on),
        "waits_for": list(gaps.waits_for),
        "stale_after": list(gaps.stale_after),
        "missing_headings": [in_language(one.title, written_in) for one in gaps.headings],
        "heading_count": len(kind.headings),
    }


def _heading(heading: HeadingTexts, language: Language) -> HeadingView:
    return HeadingView(title=in_language(heading.title, language), about=in_language(heading.about, language))
