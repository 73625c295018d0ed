"""For machines that watch us: alive, ready, and the numbers."""

from __future__ import annotations

import hmac

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from workroom import __version__
from workroom.api.frame.authentication import AppServices
from workroom.core.actors import SystemActor
from workroom.core.errors import NotFound, Unauthenticated
from workroom.core.wire import Wire
from workroom.identity.store.counts import counts

router = APIRouter(tags=["probes"])


class Health(Wire):
    status: str
    version: str


class Ready(Wire):
    ready: bool
    checks: dict[str, bool]


@router.get("/health")
async def health() -> Health:
    """The process answers."""
    return Health(status="ok", version=__version__)


@router.get("/ready", response_model=Ready)
async def ready(services: AppServices) -> JSONResponse:
    """The process can do its work; 503 while it cannot."""
    checks = await services.readiness.report()
    answer = Ready(ready=all(checks.values()), checks=checks)
    return JSONResponse(answer.model_dump(mode="json"), 200 if answer.ready else 503, {"Cache-Control": "no-store"})


@router.get("/metrics", response_class=Response)
async def metrics(request: Request, services: AppServices) -> Response:
    """Prometheus' text format, over all mandates: for the operator who set WORKROOM_METRICS_TOKEN, for no role."""
    expected = services.settings.metrics_token
    if expected is None:
        raise NotFound("There are no metrics here: WORKROOM_METRICS_TOKEN is not set.")
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), expected.get_secret_value().encode()):
        raise Unauthenticated("Metrics need the token of WORKROOM_METRICS_TOKEN.")
    async with services.db.unit_of_work(SystemActor.METRICS) as uow:
        for kind, number in (await counts(uow)).items():
            services.metrics.counted.labels(kind).set(number)
    idle, size = services.db.idle_and_size
    services.metrics.connections.labels("idle").set(idle)
    services.metrics.connections.labels("used").set(size - idle)
    return Response(
        services.metrics.render(),
        media_type="text/plain; version=0.0.4; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )
