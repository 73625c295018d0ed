"""S4, generated: every route × every id in it × another user and another mandate → 404."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.security.routes import Route, all_routes, private_routes
from tests.world import World, sign_in, some_id
from workroom.agent.summaries import Summary
from workroom.agents.types import AgentContent, AgentInstructions
from workroom.conversations import summary_store
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.pages import PageRequest
from workroom.files.types import NewFile
from workroom.identity.inspections import LASTS
from workroom.identity.mandates import operator
from workroom.identity.store import inspections as inspections_store
from workroom.identity.types import Inspection
from workroom.models.connecting import ProviderInput
from workroom.models.types import ProviderKind
from workroom.runs.service import Input

# How to make one thing of each kind that belongs to Alice of Acme. A new kind of id needs a line here.
Made = dict[str, UUID]
Maker = Callable[[World, Made], Awaitable[UUID]]


async def _user(world: World, made: Made) -> UUID:
    return world["alice"].user.id


async def _role(world: World, made: Made) -> UUID:
    alice = world["alice"].principal
    return (await world.services.roles.create(alice, f"Own {new_id()}", "", [])).id


async def _instance(world: World, made: Made) -> UUID:
    return (await world.services.instances.create(world["alice"].principal, "Private")).id


async def _token(world: World, made: Made) -> UUID:
    return (await world.services.tokens.create(world["alice"].principal, "Mine")).token.id


async def _session(world: World, made: Made) -> UUID:
    session_id = world["alice"].principal.session_id
    assert session_id is not None
    return session_id


async def _conversation(world: World, made: Made) -> UUID:
    """In the workspace that the same address names."""
    alice = world["alice"].principal
    return (await world.services.runs.input(alice, made["instanceId"], Input("secret"))).conversation_id


async def _run(world: World, made: Made) -> UUID:
    alice = world["alice"].principal
    return (await world.services.runs.input(alice, world.instances["lab"].id, Input("secret"))).run_id


async def _note(world: World, made: Made) -> UUID:
    return (await world.services.notes.write(world["alice"].principal, made["instanceId"], "Secret", "")).id


async def _todo(world: World, made: Made) -> UUID:
    return (await world.services.todos.add(world["alice"].principal, made["instanceId"], ["Secret"]))[0].id


async def _file(world: World, made: Made) -> UUID:
    """Private, as every file is at first: nobody but its owner finds it."""
    return (await make(world, "alice", f"Secret {new_id()}")).id


async def _folder(world: World, made: Made) -> UUID:
    lab = world.instances["lab"].id
    return (await world.services.folders.create(world["alice"].principal, lab, f"Secret {new_id()}")).id


async def _upload(world: World, made: Made) -> UUID:
    lab = world.instances["lab"].id
    return (await world.services.uploads.begin(world["alice"].principal, lab, NewFile("Secret"), 0)).id


async def _memory(world: World, made: Made) -> UUID:
    """A fact in the conversation that the same address names."""
    alice, conversation_id = world["alice"].principal, made["workflowId"]
    async with world.services.db.unit_of_work(alice.actor) as uow:
        await uow.execute(
            "insert into memories (mandate_id, memory_id, conversation_id, instance_id, user_id, key, value, normalised, source,"
            " created_at, updated_at)"
            " values ($1, $2, $3, $4, $5, 'entity:company', 'Secret AG', 'secret ag', 'tool', now(), now())",
            world.acme.id,
            memory_id := new_id(),
            conversation_id,
            made["instanceId"],
            world["alice"].user.id,
        )
    return memory_id


async def _summary(world: World, made: Made) -> UUID:
    """The message that a summary of that conversation ends with."""
    alice, conversation_id = world["alice"].principal, made["workflowId"]
    async with world.services.db.unit_of_work(alice.actor) as uow:
        message_id: UUID = await uow.fetchval(
            "select leaf_id from conversations where conversation_id = $1", conversation_id
        )
        await summary_store.add(
            uow, world.acme.id, conversation_id, world["alice"].user.id, Summary(1, 2, message_id, "secret"), now()
        )
    return message_id


async def _provider(world: World, made: Made) -> UUID:
    name = f"own-{new_id()}"[:40]
    entered = ProviderInput(base_url="https://models.example.org/v1")
    provider = await world.services.models.providers.add(world["alice"].principal, ProviderKind.ENDPOINT, name, entered)
    assert provider.id is not None
    return provider.id


async def _agent(world: World, made: Made) -> UUID:
    content = AgentContent(name="Secret", instructions=AgentInstructions(en="Be secret."))
    return (await world.services.agents.create(world["alice"].principal, made["instanceId"], content)).id


async def _evaluation(world: World, made: Made) -> UUID:
    """Of the model that is always there, which is evaluated once at a time."""
    alice, evaluations = world["alice"].principal, world.services.evaluations
    for earlier in (await evaluations.list(alice, PageRequest())).items:
        await evaluations.delete(alice, earlier.id)
    return (await evaluations.start(alice, "embedded/default", ["de"], 1))[0].id


async def _inspection(world: World, made: Made) -> UUID:
    """Of Bob, by Alice."""
    alice, bob = world["alice"], world["bob"]
    moment, id_ = now(), new_id()
    inspection = Inspection(id_, alice.user.id, "Alice", bob.user.id, "Bob", "secret", moment, moment + LASTS)
    async with world.services.db.unit_of_work(alice.principal.actor) as uow:
        await inspections_store.insert(uow, world.acme.id, inspection)
    return id_


async def make_ids(world: World, route: Route) -> Made:
    made: Made = {}
    for name in route.parameters:
        made[name] = await MAKERS[name](world, made)
    return made


MAKERS: dict[str, Maker] = {
    "userId": _user,
    "roleId": _role,
    "instanceId": _instance,
    "tokenId": _token,
    "sessionId": _session,
    "workflowId": _conversation,
    "runId": _run,
    "noteId": _note,
    "todoId": _todo,
    "fileId": _file,
    "folderId": _folder,
    "uploadId": _upload,
    "providerId": _provider,
    "memoryId": _memory,
    "messageId": _summary,
    "agentId": _agent,
    "evaluationId": _evaluation,
    "inspectionId": _inspection,
}
# What people make and keep to themselves at first. Notes and todos are for the members of their workspace.
PRIVATE_AT_FIRST = {"workflowId", "runId", "fileId", "folderId", "uploadId", "memoryId", "messageId", "agentId"}
# Kinds everyone of the same mandate may read; changing them is refused openly.
READABLE_BY_COLLEAGUES = {"roleId", "providerId", "evaluationId"}
# What is said of such a thing for administrators alone: to others it is as good as not there.
HIDDEN_FROM_COLLEAGUES = ("/api/budgets/",)

WITH_IDS = [route for route in private_routes() if route.parameters]
# A stream that is let in does not end by itself, and branches and maps need a message in the body: tests/runs and
# tests/interaction let owners in there.
# Pages, pictures and archives need files that have them: tests/contents does. Agents need words: tests/agents has some.
ELSEWHERE = (
    "/agents",
    "/agents/import",
    "/switchAgent",
    "/events",
    "/branch",
    "/map/edits",
    "/element",
    "/image",
    "/text",
    "/members/extract",
    "/ocr",
    "/inspections",  # nobody has the right to begin one by default: tests/identity/test_inspections.py
)


def test_there_is_a_maker_for_every_kind_of_id() -> None:
    assert {name for route in all_routes() for name in route.parameters} == set(MAKERS)


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_another_mandate_finds_nothing(shared_world: World, route: Route) -> None:
    """Even its administrator: the answer is the one for an id that never existed, to the letter."""
    ids = await make_ids(shared_world, route)
    foreign = await shared_world.call("zoe", route.method, route.at(**ids), route.body)
    unknown = await shared_world.call("zoe", route.method, route.at(**dict.fromkeys(ids, some_id())), route.body)
    assert foreign.status_code == 404, foreign.text
    assert _without_trace(foreign.json()) == _without_trace(unknown.json())


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_a_colleague_without_the_right_finds_nothing(shared_world: World, route: Route) -> None:
    """Olaf is a member of Acme, but belongs to no workspace and owns none of these things."""
    ids = await make_ids(shared_world, route)
    answer = await shared_world.call("olaf", route.method, route.at(**ids), route.body)
    if set(route.parameters) <= READABLE_BY_COLLEAGUES and not route.path.startswith(HIDDEN_FROM_COLLEAGUES):
        assert answer.status_code == (200 if route.method == "get" else 403), answer.text
    else:
        assert answer.status_code == 404, answer.text


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", [r for r in WITH_IDS if PRIVATE_AT_FIRST & set(r.parameters)], ids=str)
async def test_an_administrator_finds_nothing_private(shared_world: World, route: Route) -> None:
    """Adam has the same role as Alice and is in the same workspace: to the letter, her private things are not there."""
    await _administrator(shared_world)
    ids = await make_ids(shared_world, route)
    unknown_ids = {name: some_id() if name in PRIVATE_AT_FIRST else id_ for name, id_ in ids.items()}
    foreign = await shared_world.call("adam", route.method, route.at(**ids), route.body)
    unknown = await shared_world.call("adam", route.method, route.at(**unknown_ids), route.body)
    assert foreign.status_code == 404, foreign.text
    assert _without_trace(foreign.json()) == _without_trace(unknown.json())


async def _administrator(world: World) -> None:
    if "adam" not in world.people:
        who = operator(world.acme.id)
        user = await world.services.users.create(who, "adam@example.org", "Adam", world.roles["lab-admin"].id)
        await world.services.instances.put_member(who, world.instances["lab"].id, user.id, None)
        await sign_in(world, "adam", who, user)


@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_what_is_no_id_at_all_is_not_found_either(shared_world: World, route: Route) -> None:
    for text in ("x", "0", "%00", "%2e%2e", "null", "01920000-0000-7000-8000-00000000000g"):
        path = route.at(**dict.fromkeys(route.parameters, text))
        answer = await shared_world.call("alice", route.method, path, route.body)
        assert answer.status_code == 404, f"{text}: {answer.text}"


@pytest.mark.parametrize("route", [route for route in WITH_IDS if not route.path.endswith(ELSEWHERE)], ids=str)
async def test_the_owner_is_not_kept_out(world: World, route: Route) -> None:
    """The suite above would also pass if everything answered 404."""
    ids = await make_ids(world, route)
    answer = await world.call("alice", route.method, route.at(**ids), route.body)
    assert answer.status_code in (200, 201, 202, 204, 409), f"{answer.status_code} {answer.text}"


def _without_trace(body: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != "traceId"}
