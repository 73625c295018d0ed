"""The HTTP application: the frame around the routers, in the order in which a request passes."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.types import Scope

from workroom import __version__
from workroom.api import (
    agent,
    agentic_chat,
    agents,
    audit,
    auth,
    budgets,
    catalogue,
    chat,
    companies,
    company_documents,
    conversations,
    costs,
    document_contents,
    evaluations,
    events,
    file_contents,
    file_proposals,
    file_texts,
    files,
    folders,
    geo,
    inspections,
    instances,
    instructions,
    knowledge,
    mails,
    maps,
    me,
    memory,
    mentions,
    models,
    notes,
    probes,
    roles,
    runs,
    search,
    session,
    sessions,
    skills,
    studio_blocks,
    studio_files,
    studio_personas,
    studio_profiles,
    studio_projects,
    todos,
    tokens,
    tools,
    traces,
    uploads,
    users,
    web_search,
)
from workroom.api.frame import errors
from workroom.api.frame.body_limit import BodyLimit
from workroom.api.frame.headers import SecurityHeaders
from workroom.api.frame.origin_guard import OriginGuard
from workroom.api.frame.trace import Trace
from workroom.api.pages import WebApp
from workroom.api.services import Services

ROUTERS = [
    probes.router,
    auth.router,
    session.router,
    me.router,
    users.router,
    mails.router,
    roles.router,
    instances.router,
    agents.router,
    instructions.router,
    instructions.workspace,
    tokens.router,
    sessions.router,
    audit.router,
    inspections.router,
    budgets.router,
    costs.router,
    models.router,
    catalogue.router,
    evaluations.router,
    events.router,
    chat.router,
    agentic_chat.router,
    agent.router,
    conversations.router,
    memory.router,
    maps.router,
    runs.router,
    traces.router,
    companies.router,
    companies.conversation,
    company_documents.router,
    skills.router,
    studio_files.router,
    studio_projects.router,
    studio_projects.conversation,
    studio_blocks.router,
    studio_personas.router,
    studio_personas.evaluations,
    studio_profiles.router,
    notes.router,
    search.router,
    todos.router,
    file_proposals.router,
    file_contents.router,  # before files.router: `linked` is no id
    files.workspace,
    files.router,
    file_texts.workspace,
    file_texts.router,
    document_contents.router,
    mentions.router,
    folders.workspace,
    folders.router,
    uploads.workspace,
    uploads.router,
    knowledge.workspace,
    knowledge.router,
    geo.router,
    tools.router,
    web_search.router,
]


def describe() -> FastAPI:
    """The routes without anything behind them: enough for OpenAPI."""
    app = FastAPI(
        title="Workroom",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # both pages load scripts from elsewhere
        redoc_url=None,
        generate_unique_id_function=_operation_id,
        responses={"4XX": {"model": errors.ErrorBody, "description": "What went wrong, and what to do."}},
    )
    for router in ROUTERS:
        app.include_router(router)
    return app


def build(services: Services, pages: WebApp | None = None) -> FastAPI:
    app = describe()
    app.state.services = services
    app.include_router((pages or WebApp()).router())
    errors.install(app)
    # Added last, passed first.
    app.add_middleware(BodyLimit, most=services.settings.max_body_bytes, larger=_larger_body)
    app.add_middleware(OriginGuard, site=services.site)
    app.add_middleware(SecurityHeaders, secure=services.site.secure, pictures_from=services.geo.tile_origins)
    app.add_middleware(Trace, metrics=services.metrics)
    return app


def _larger_body(scope: Scope) -> int | None:
    return uploads.chunk_limit(scope) or studio_files.import_limit(scope)


def _operation_id(route: APIRoute) -> str:
    return route.name
