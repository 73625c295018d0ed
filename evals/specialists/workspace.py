"""What a client of the specialists has in a workspace beside conversations: a company and its documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from evals.specialists.scenarios import Scenario
from evals.workspace import Workspace
from workroom.api.agentic_chat import AgenticChatOutput
from workroom.api.company_documents import DocumentState, DocumentView
from workroom.api.run_waiting import PATIENCE

AGENTIC_CHAT = "/api/agentic-chat"


class ClientWorkspace(Workspace):
    async def create_company(self, scenario: Scenario) -> UUID:
        """With the documents that exist before the conversation."""
        body = {**scenario.company.model_dump(mode="json"), "language": scenario.language}
        company_id = UUID((await self.post(f"{self.path}/companies", body))["id"])
        for document in scenario.documents:
            written = {"version": 0, "text": document.content, "status": document.status}
            await self.put(f"{self._documents(company_id)}/{document.kind}", written)
        return company_id

    async def attach_company(self, workflow_id: UUID, company_id: UUID) -> None:
        await self.put(f"{self.path}/conversations/{workflow_id}/company", {"companyId": str(company_id)})

    async def documents(self, company_id: UUID) -> Mapping[str, DocumentState]:
        """By kind."""
        listed = [DocumentState.model_validate(item) for item in await self.get(self._documents(company_id))]
        return {document.kind: document for document in listed}

    async def document(self, company_id: UUID, kind: str) -> DocumentView:
        return DocumentView.model_validate(await self.get(f"{self._documents(company_id)}/{kind}"))

    async def ask_specialist(
        self, specialist: str, scenario: Scenario, company_id: UUID, prompt: str, workflow_id: UUID | None
    ) -> AgenticChatOutput:
        """By request and response, as other software does. `specialist` is the slug of who is asked."""
        body: dict[str, Any] = {
            "specialistType": specialist,
            "companyId": str(company_id),
            "companyName": scenario.company.name,
            "language": scenario.language,
            "messages": [{"role": "user", "content": prompt}],
        }
        if workflow_id is not None:
            body["workflowId"] = str(workflow_id)
        headers = {"X-Workroom-Instance": str(self.instance_id)}
        answer = await self.client.post(AGENTIC_CHAT, json=body, headers=headers, timeout=PATIENCE + 20)
        return AgenticChatOutput.model_validate(answer.raise_for_status().json())

    def _documents(self, company_id: UUID) -> str:
        return f"{self.path}/companies/{company_id}/documents"
