"""Roles, and the catalogue of what their rules may speak of."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire
from workroom.identity.objects import CATALOGUE
from workroom.identity.roles import MOST_RULES
from workroom.identity.types import Action, Level, Rule

router = APIRouter(prefix="/api", tags=["roles"])


class RuleInput(Wire):
    object_key: str = Field(max_length=120)
    action: Action
    level: views.LevelName

    def rule(self) -> Rule:
        return Rule(self.object_key, self.action, Level[self.level])


class NewRole(Wire):
    name: str = Field(max_length=200)
    description: str = Field("", max_length=2_000)
    rules: list[RuleInput] = Field(max_length=MOST_RULES)


class RoleInput(Wire):
    name: str | None = Field(None, max_length=200)
    description: str | None = Field(None, max_length=2_000)
    rules: list[RuleInput] | None = Field(None, max_length=MOST_RULES)


class ObjectKindView(Wire):
    key: str
    actions: list[Action]
    levels: list[views.LevelName]


class ObjectKinds(Wire):
    items: list[ObjectKindView]


@router.get("/objects")
async def list_objects(principal: CurrentPrincipal) -> ObjectKinds:
    """What rules may speak of. A key that ends in `.*` covers everything below it, such as `model.gpt-5`."""
    kinds = [
        ObjectKindView(key=k.key, actions=list(k.actions), levels=list(map(views.level_name, k.levels)))
        for k in CATALOGUE
    ]
    return ObjectKinds(items=kinds)


@router.get("/roles")
async def list_roles(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[views.Role]:
    return page_of(await services.roles.list(principal, query.request()), views.Role.of)


@router.post("/roles", status_code=201)
async def create_role(body: NewRole, principal: CurrentPrincipal, services: AppServices) -> views.Role:
    return views.Role.of(
        await services.roles.create(principal, body.name, body.description, [r.rule() for r in body.rules])
    )


@router.get("/roles/{roleId}")
async def get_role(roleId: UUID, principal: CurrentPrincipal, services: AppServices) -> views.Role:
    return views.Role.of(await services.roles.get(principal, roleId))


@router.patch("/roles/{roleId}")
async def change_role(roleId: UUID, body: RoleInput, principal: CurrentPrincipal, services: AppServices) -> views.Role:
    rules = None if body.rules is None else [rule.rule() for rule in body.rules]
    return views.Role.of(await services.roles.change(principal, roleId, body.name, body.description, rules))


@router.delete("/roles/{roleId}", status_code=204)
async def delete_role(roleId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.roles.delete(principal, roleId)
