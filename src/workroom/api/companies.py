"""Companies of a workspace, and which one a conversation is about. Deleting a company puts it into a trash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.companies.document_kinds import KINDS
from workroom.companies.service import LONGEST_DESCRIPTION, LONGEST_WEBSITE
from workroom.companies.types import (
    Company,
    CompanyChange,
    DocumentStatus,
)
from workroom.core.languages import Language
from workroom.core.wire import Wire

router = APIRouter(prefix="/api/workspace/{instanceId}/companies", tags=["companies"])
conversation = APIRouter(prefix="/api/workspace/{instanceId}/conversations/{workflowId}/company", tags=["companies"])


class CompanyQuery(ListQuery):
    """`sort` is `name`, `createdAt` or `updatedAt`."""

    deleted: bool = False


class CompanyEntry(Company):
    """`drafts` and `finals`: its documents that are so far, by kind; of `documentCount`, empty ones included."""

    drafts: list[str]
    finals: list[str]
    document_count: int


class NewCompany(Wire):
    """`language` is that of its documents."""

    name: str = Field(max_length=200)
    website: str = Field("", max_length=LONGEST_WEBSITE)
    language: Language = "de"
    description: str = Field("", max_length=LONGEST_DESCRIPTION)


class CompanyInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, max_length=200)
    website: str | None = Field(None, max_length=LONGEST_WEBSITE)
    language: Language | None = None
    description: str | None = Field(None, max_length=LONGEST_DESCRIPTION)


class ConversationCompany(Wire):
    """None: the conversation is about no company."""

    company: Company | None


class ConversationCompanyInput(Wire):
    company_id: UUID | None


@router.get("")
async def list_companies(
    instanceId: UUID, query: Annotated[CompanyQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[CompanyEntry]:
    found = await services.companies.list(principal, instanceId, query.request(), deleted=query.deleted)
    progress = await services.companies.progress(principal, found.items)
    return page_of(found, lambda company: _entry(company, progress[company.id]))


@router.post("", status_code=201)
async def create_company(
    instanceId: UUID, body: NewCompany, principal: CurrentPrincipal, services: AppServices
) -> Company:
    return await services.companies.create(
        principal, instanceId, body.name, body.website, body.language, body.description
    )


@router.get("/{companyId}")
async def get_company(instanceId: UUID, companyId: UUID, principal: CurrentPrincipal, services: AppServices) -> Company:
    return await services.companies.get(principal, instanceId, companyId)


@router.patch("/{companyId}")
async def change_company(
    instanceId: UUID, companyId: UUID, body: CompanyInput, principal: CurrentPrincipal, services: AppServices
) -> Company:
    change = CompanyChange(body.name, body.website, body.language, body.description)
    return await services.companies.change(principal, instanceId, companyId, body.version, change)


@router.delete("/{companyId}", status_code=204)
async def delete_company(instanceId: UUID, companyId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """With its documents. It can be restored for thirty days."""
    await services.companies.delete(principal, instanceId, companyId)


@router.post("/{companyId}/restore")
async def restore_company(
    instanceId: UUID, companyId: UUID, principal: CurrentPrincipal, services: AppServices
) -> Company:
    return await services.companies.restore(principal, instanceId, companyId)


@conversation.get("")
async def get_conversation_company(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ConversationCompany:
    found = await services.company_conversations.of_conversation(principal, instanceId, workflowId)
    return ConversationCompany(company=found)


@conversation.put("")
async def assign_conversation_company(
    instanceId: UUID,
    workflowId: UUID,
    body: ConversationCompanyInput,
    principal: CurrentPrincipal,
    services: AppServices,
) -> ConversationCompany:
    """Which company of the workspace the conversation is about, from now on; null: about none."""
    assigned = await services.company_conversations.assign(principal, instanceId, workflowId, body.company_id)
    return ConversationCompany(company=assigned)


def _entry(company: Company, progress: Mapping[str, DocumentStatus]) -> CompanyEntry:
    def those(status: DocumentStatus) -> list[str]:
        return [kind for kind in KINDS if progress.get(kind) is status]

    copied = {name: getattr(company, name) for name in Company.model_fields}
    return CompanyEntry(
        **copied, drafts=those(DocumentStatus.DRAFT), finals=those(DocumentStatus.FINAL), document_count=len(KINDS)
    )
