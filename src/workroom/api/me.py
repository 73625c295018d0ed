"""One's own profile, and the organisation's name and contact."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.errors import Forbidden
from workroom.core.wire import Wire
from workroom.identity.users import UserChange

router = APIRouter(prefix="/api", tags=["me"])


class ProfileInput(Wire):
    display_name: str | None = Field(None, max_length=200)
    language: str | None = None
    theme: str | None = None


class MandateInput(Wire):
    name: str | None = Field(None, max_length=200)
    contact: str | None = Field(None, max_length=1_000)


@router.patch("/me")
async def change_profile(body: ProfileInput, principal: CurrentPrincipal, services: AppServices) -> views.User:
    if principal.user_id is None:
        raise Forbidden("Only people have profiles.")
    change = UserChange(display_name=body.display_name, language=body.language, theme=body.theme)
    return views.User.of(await services.users.change(principal, principal.user_id, change))


@router.patch("/mandate")
async def change_mandate(body: MandateInput, principal: CurrentPrincipal, services: AppServices) -> views.Mandate:
    """Its name, and whom people ask who cannot sign in: `contact` is shown to everybody on the sign-in page."""
    return views.Mandate.of(await services.mandates.change(principal, body.name, body.contact))
