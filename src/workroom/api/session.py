"""Who is signed in, what they may do, and which workspaces are theirs: what a client needs to draw its first screen."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from workroom.api import views
from workroom.api.frame.signed_in import Served, Who
from workroom.api.services import Services
from workroom.core.errors import InvalidInput
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.core.wire import Wire
from workroom.identity.access import permissions
from workroom.identity.types import Action, InstanceStatus, Principal

router = APIRouter(prefix="/api", tags=["session"])


class SessionView(Wire):
    """`permissions` maps object keys to actions to levels; what is missing is not allowed."""

    user: views.User
    mandate: views.Mandate
    role: views.RoleName
    permissions: dict[str, dict[Action, views.LevelName]]
    instances: list[views.Instance]
    default_instance_id: UUID | None


@router.get("/session")
async def get_session(who: Who, served: Served) -> SessionView:
    return await session_view(who, served)


async def session_view(who: Principal, served: Services) -> SessionView:
    if who.user_id is None:
        raise InvalidInput("Only people have sessions.")
    user = await served.users.get(who, who.user_id)
    mandate = await served.mandates.get(who)
    role = await served.roles.own(who, user.role_id)
    instances = await served.instances.list(who, PageRequest(limit=MAX_LIMIT), InstanceStatus.ACTIVE)
    own = [instance for instance in instances.items if instance.id in who.memberships]
    oldest = min(own or instances.items, key=lambda instance: (instance.created_at, instance.id), default=None)
    default = who.token_instance_id or (oldest.id if oldest else None)
    return SessionView(
        user=views.User.of(user),
        mandate=views.Mandate(id=mandate.id, name=mandate.name),
        role=views.RoleName(id=role.id, key=role.key, name=role.name),
        permissions={
            key: {action: views.level_name(level) for action, level in actions.items()}
            for key, actions in permissions(who).items()
        },
        instances=[views.Instance.of(instance) for instance in instances.items],
        default_instance_id=default,
    )
