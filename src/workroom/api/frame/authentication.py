"""Who is asking: the session cookie or an API token, the same for every route and every transport."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from workroom.api.services import Services
from workroom.core.errors import Unauthenticated
from workroom.identity.types import Client, Principal


def services(request: Request) -> Services:
    app_services: Services = request.app.state.services
    return app_services


def client(request: Request) -> Client:
    address = request.client.host if request.client else ""
    return Client(address=address, user_agent=request.headers.get("user-agent", ""))


async def find_principal(request: Request) -> Principal | None:
    """A token in the header counts before a cookie; a wrong one is not forgiven because a cookie is there too."""
    app_services = services(request)
    authorization = request.headers.get("authorization")
    if authorization is not None:
        scheme, _, secret = authorization.partition(" ")
        return (
            await app_services.sign_in.by_token(secret.strip(), client(request)) if scheme.lower() == "bearer" else None
        )
    cookie = request.cookies.get(app_services.site.cookie_name)
    return await app_services.sign_in.by_cookie(cookie, client(request)) if cookie else None


async def principal(request: Request) -> Principal:
    if (signed_in := await find_principal(request)) is None:
        raise Unauthenticated("Sign in first.")
    return signed_in


AppServices = Annotated[Services, Depends(services)]
RequestClient = Annotated[Client, Depends(client)]
CurrentPrincipal = Annotated[Principal, Depends(principal)]
