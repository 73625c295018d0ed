"""Who is signed in, what they may do, and which workspaces are theirs: what a client needs to draw its first screen."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.services import Services
from workroom.core.errors import InvalidInput
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.core.wire import Wire
from workroom.identity.access import permissions
from workroom.identity.types import Action, InstanceStatus, Principal

router = APIRouter(prefix="/api", tags=["session"])


class SessionView(Wire):
    """`permissions` maps object keys to actions to levels; what is missing is not allowed. `needsCurrentPassword`: to set
    another one; not just after a one-time link was opened. `detectsModels`: model servers on the machine Workroom runs on can be
    looked for."""

    user: views.User
    needs_current_password: bool
    mandate: views.Mandate
    role: views.RoleName
    permissions: dict[str, dict[Action, views.LevelName]]
    instances: list[views.Instance]
    default_instance_id: UUID | None
    detects_models: bool


@router.get("/session")
async def get_session(principal: CurrentPrincipal, services: AppServices) -> SessionView:
    return await session_view(principal, services)


async def session_view(principal: Principal, services: Services) -> SessionView:
    if principal.user_id is None:
        raise InvalidInput("Only people have sessions.")
    user = await services.users.get(principal, principal.user_id)
    mandate = await services.mandates.get(principal)
    role = await services.roles.own(principal, user.role_id)
    instances = await services.instances.list(principal, PageRequest(limit=MAX_LIMIT), InstanceStatus.ACTIVE)
    own = [instance for instance in instances.items if instance.id in principal.memberships]
    oldest = min(own or instances.items, key=lambda instance: (instance.created_at, instance.id), default=None)
    default = principal.token_instance_id or (oldest.id if oldest else None)
    return SessionView(
        user=views.User.of(user),
        needs_current_password=user.has_password and not await services.users.may_reset(principal),
        mandate=views.Mandate.of(mandate),
        role=views.RoleName(id=role.id, key=role.key, name=role.name),
        permissions={
            key: {action: views.level_name(level) for action, level in actions.items()}
            for key, actions in permissions(principal).items()
        },
        instances=[views.Instance.of(instance) for instance in instances.items],
        default_instance_id=default,
        detects_models=await services.models.providers.may_detect(principal),
    )
