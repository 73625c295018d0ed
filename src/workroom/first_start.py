"""What a new installation contains: one mandate, one person who may do everything, one workspace."""

from __future__ import annotations

import getpass
from datetime import timedelta

from workroom.api.services import Services
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.identity.builtin import ADMIN
from workroom.identity.mandates import operator
from workroom.identity.types import Principal, Status, User

MANDATE = "My organisation"
INSTANCE = "Workspace"
LINK_LIFETIME = timedelta(hours=24)


async def ensure_first_user(services: Services) -> None:
    """Create the first mandate, user and workspace if there is no mandate; else bring built-in roles up to date."""
    if await services.mandates.all():
        await services.mandates.refresh_builtin_roles()
        return
    mandate = await services.mandates.create(MANDATE)
    who = operator(mandate.id)
    role = await services.roles.by_key(who, ADMIN)
    login = _login()
    user = await services.users.create(who, login, login.capitalize(), role.id)
    instance = await services.instances.create(who, INSTANCE)
    await services.instances.put_member(who, instance.id, user.id, None)


async def one_time_link(services: Services) -> str | None:
    """A new sign-in link for the administrator at this machine: always in local mode, else until one has a password."""
    mandates = await services.mandates.all()
    who = operator(mandates[0].id)
    admins = await _administrators(services, who)
    if not admins:
        return None
    if services.settings.login == "password" and any(user.has_password for user in admins):
        return None
    link = await services.users.link(who, admins[0].id, LINK_LIFETIME)
    return services.site.link(link.secret)


async def _administrators(services: Services, who: Principal) -> list[User]:
    role = await services.roles.by_key(who, ADMIN)
    page = await services.users.list(who, PageRequest(sort="createdAt", limit=MAX_LIMIT))
    return [user for user in page.items if user.role_id == role.id and user.status is Status.ACTIVE]


def _login() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return name if len(name) >= 2 and name != "root" else "admin"
