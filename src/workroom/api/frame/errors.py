"""One shape for every error: `{code, message, traceId, details?}`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from workroom.core.errors import InvalidInput, NotFound, TooManyRequests, WorkroomError
from workroom.core.wire import Wire

log = logging.getLogger(__name__)

NOWHERE = "There is no such thing here, or it is not yours to see."
CODES_BY_STATUS = {404: "notFound", 405: "methodNotAllowed", 413: "tooLarge", 421: "hostRefused"}


class ErrorBody(Wire):
    """What a client gets when something went wrong."""

    code: str
    message: str
    trace_id: str
    details: dict[str, Any] | None = None


def body(code: str, message: str, trace_id: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    return ErrorBody(code=code, message=message, trace_id=trace_id, details=details or None).model_dump(
        mode="json", exclude_none=True
    )


def install(app: FastAPI) -> None:
    app.add_exception_handler(WorkroomError, _workroom)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)


async def _workroom(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WorkroomError)
    if error.code == NotFound.code and request.url.path.startswith("/api/"):
        error = NotFound(NOWHERE)  # one sentence for what is not there and what is another's: a difference would tell
    if error.status >= 500:
        log.error(error.message, extra={"code": error.code, "trace": request.state.trace_id})
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooManyRequests) else {}
    if error.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="workroom"'
    content = body(error.code, error.message, request.state.trace_id, error.details)
    return JSONResponse(content, error.status, headers)


async def _validation(request: Request, error: Exception) -> JSONResponse:
    """Says which field and why, never what was in it: it may have been a password in the wrong place."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(item["loc"][:1] == ("path",) for item in found):
        return await _workroom(request, NotFound(NOWHERE))
    fields = [
        {"field": ".".join(str(p) for p in item["loc"][1:]) or "body", "message": _reason(item)} for item in found[:20]
    ]
    return await _workroom(
        request, InvalidInput(_sentence(**fields[0]) if fields else "The request does not fit.", fields=fields)
    )


def _reason(item: Mapping[str, Any]) -> str:
    """In the words of who refused it, without what the library puts before them."""
    return str(item["msg"]).removeprefix("Value error, ")


def _sentence(field: str, message: str) -> str:
    return message[:1].upper() + message[1:] if field == "body" else f"{field}: {message}"


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, WorkroomError):  # raised while the body was being read
        return await _workroom(request, error.__cause__)
    if error.status_code == 400:  # a body that is no JSON, or nested beyond all measure
        return await _workroom(request, InvalidInput("The request's body cannot be read."))
    code = CODES_BY_STATUS.get(error.status_code, "invalidInput")
    content = body(code, str(error.detail), request.state.trace_id)
    return JSONResponse(content, error.status_code, dict(error.headers or {}))
