"""What a new installation contains: one mandate, one person who may do everything, one workspace."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from datetime import timedelta

from workroom.api.services import Services
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.identity.builtin import ADMIN
from workroom.identity.mandates import operator
from workroom.identity.types import Principal, Status, User

# What the mandate and its workspace are called until they are renamed.
NAMES = {
    "de": ("Meine Organisation", "Arbeitsbereich"),
    "en": ("My organisation", "Workspace"),
    "fr": ("Mon organisation", "Espace de travail"),
    "pt": ("Minha organização", "Espaço de trabalho"),
    "zh": ("我的组织", "工作区"),
}
LINK_LIFETIME = timedelta(hours=24)


async def ensure_first_user(services: Services) -> None:
    """Create the first mandate, user and workspace if there is no mandate; else bring built-in roles up to date."""
    if await services.mandates.all():
        await services.mandates.refresh_builtin_roles()
        return
    mandate_name, instance_name = NAMES[services.settings.language or machine_language(os.environ)]
    mandate = await services.mandates.create(mandate_name)
    principal = operator(mandate.id)
    role = await services.roles.by_key(principal, ADMIN)
    login = _login()
    user = await services.users.create(principal, login, login.capitalize(), role.id)
    instance = await services.instances.create(principal, instance_name)
    await services.instances.put_member(principal, instance.id, user.id, None)


async def one_time_link(services: Services) -> str | None:
    """A new sign-in link for the administrator at this machine: always in local mode, else until one has a password."""
    mandates = await services.mandates.all()
    principal = operator(mandates[0].id)
    admins = await _administrators(services, principal)
    if not admins:
        return None
    if services.settings.login == "password" and any(user.has_password for user in admins):
        return None
    link = await services.users.link(principal, admins[0].id, LINK_LIFETIME)
    return services.site.link(link.secret)


async def _administrators(services: Services, principal: Principal) -> list[User]:
    role = await services.roles.by_key(principal, ADMIN)
    page = await services.users.list(principal, PageRequest(sort="createdAt", limit=MAX_LIMIT))
    return [user for user in page.items if user.role_id == role.id and user.status is Status.ACTIVE]


def machine_language(environment: Mapping[str, str]) -> str:
    """The language of the machine's messages, if it is one of ours."""
    stated = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    language = stated.partition("_")[0].partition(".")[0].lower()
    return language if language in NAMES else "en"


def _login() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return name if len(name) >= 2 and name != "root" else "admin"
