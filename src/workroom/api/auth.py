"""Signing in and out. The cookie is strict, unreadable for scripts, and bound to this server's port."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import Field

from workroom import __version__
from workroom.api.frame.authentication import AppServices, CurrentPrincipal, RequestClient, find_principal
from workroom.api.services import Services
from workroom.api.session import SessionView, session_view
from workroom.core.errors import Forbidden
from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.identity.signin import SignedIn
from workroom.settings import Settings

router = APIRouter(prefix="/api", tags=["auth"])

NO_PASSWORDS = "This workspace is entered by one-time link. Run `workroom users link` for a new one."


class StatusView(Wire):
    """`signInCommand` prints a new one-time link; told only where one-time links are the way in, on this machine."""

    product: str
    version: str
    login_mode: str
    signed_in: bool
    sign_in_command: str | None


class LinkInput(Wire):
    token: str = Field(min_length=1, max_length=200)


class LoginInput(Wire):
    login: str = Field(min_length=1, max_length=200)
    password: str = Field(min_length=1, max_length=256)
    mandate_id: UUID | None = None


class HelpView(Wire):
    """`contact`: whom to ask, as an administrator wrote it for everybody; `byMail`: a link can be sent."""

    contact: str
    by_mail: bool


class ForgottenInput(Wire):
    """`language`: of the mail, for a person who has not chosen one."""

    login: str = Field(min_length=1, max_length=200)
    language: Language | None = None


class PasswordInput(Wire):
    current_password: str | None = Field(None, max_length=256)
    new_password: str = Field(max_length=256)


@router.get("/status")
async def get_status(request: Request, services: AppServices) -> StatusView:
    """What anyone may know: how to sign in here, and whether you are."""
    signed_in = await find_principal(request) is not None
    settings = services.settings
    command = link_command(settings) if settings.login == "local" and settings.is_loopback else None
    return StatusView(
        product="Workroom",
        version=__version__,
        login_mode=settings.login,
        signed_in=signed_in,
        sign_in_command=command,
    )


@router.post("/auth/link")
async def sign_in_with_link(
    body: LinkInput, response: Response, client: RequestClient, services: AppServices
) -> SessionView:
    """Exchange a one-time link for a session."""
    return await _admit(await services.sign_in.with_link(body.token, client), response, services)


@router.post("/auth/login")
async def sign_in_with_password(
    body: LoginInput, response: Response, client: RequestClient, services: AppServices
) -> SessionView:
    """409 `mandateChoice` when the login belongs to several organisations: send it again with `mandateId`."""
    if services.settings.login != "password":
        raise Forbidden(NO_PASSWORDS)
    return await _admit(
        await services.sign_in.with_password(body.login, body.password, body.mandate_id, client), response, services
    )


@router.get("/auth/help")
async def get_help(services: AppServices) -> HelpView:
    """What a person who cannot sign in may know."""
    return HelpView(contact=await services.mandates.public_contact(), by_mail=services.resets.is_by_mail)


@router.post("/auth/forgotten", status_code=202)
async def send_reset_link(body: ForgottenInput, client: RequestClient, services: AppServices) -> None:
    """Sends a one-time link to this address if a person here signs in with it. The answer is the same if not."""
    if services.settings.login != "password":
        raise Forbidden(NO_PASSWORDS)
    await services.resets.ask(body.login, body.language, client)


@router.post("/auth/logout", status_code=204)
async def sign_out(principal: CurrentPrincipal, response: Response, services: AppServices) -> None:
    await services.sessions.sign_out(principal)
    response.delete_cookie(
        services.site.cookie_name, secure=services.site.secure, httponly=True, samesite="strict", path="/"
    )


@router.put("/auth/password", status_code=204)
async def change_password(body: PasswordInput, principal: CurrentPrincipal, services: AppServices) -> None:
    """Ends all other sessions."""
    if principal.user_id is None:
        raise Forbidden("Only people have passwords.")
    await services.users.set_password(principal, principal.user_id, body.new_password, body.current_password)


def link_command(settings: Settings) -> str:
    """What to type in a terminal here: the program and the data folder of this very installation."""
    program = Path(sys.executable).with_name("workroom")
    shown = str(program) if program.exists() and shutil.which("workroom") != str(program) else "workroom"
    default = Settings.model_fields["data"].get_default(call_default_factory=True, validated_data={})
    where = "" if settings.data == default else f"WORKROOM_DATA={shlex.quote(str(settings.data))} "
    return f"{where}{shlex.quote(shown)} users link"


async def _admit(signed_in: SignedIn, response: Response, services: Services) -> SessionView:
    response.set_cookie(
        services.site.cookie_name,
        signed_in.cookie,
        max_age=services.settings.session_days * 86_400,
        secure=services.site.secure,
        httponly=True,
        samesite="strict",
        path="/",
    )
    return await session_view(signed_in.principal, services)
