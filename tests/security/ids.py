"""One thing of each kind that has an id in a route, made by Alice of Acme."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

from tests.files.sending import make
from tests.security.routes import Route
from tests.world import World, sign_in
from workroom.agent.summaries import Summary
from workroom.agents.types import AgentContent, AgentInstructions
from workroom.companies.types import DocumentInput
from workroom.contents.proposals import keep
from workroom.contents.types import FileProposal
from workroom.conversations import summary_store
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.money import ZERO
from workroom.core.pages import PageRequest
from workroom.custom_skills.types import SkillContent
from workroom.files.types import NewFile
from workroom.identity.inspections import LASTS
from workroom.identity.mandates import operator
from workroom.identity.store import inspections as inspections_store
from workroom.identity.types import Inspection
from workroom.mail import store as mail_store
from workroom.mail.types import MailKind, NewMail
from workroom.models.model_providers import ProviderInput
from workroom.models.types import ProviderKind
from workroom.runs.service import Input
from workroom.studio import evaluations as content_evaluations
from workroom.studio.types import BlockInput, DimensionResult, NewBlock, PersonaContent

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


async def _company(world: World, made: Made) -> UUID:
    """With a briefing, for addresses that name it."""
    alice, services = world["alice"].principal, world.services
    company = await services.companies.create(alice, made["instanceId"], "Secret")
    given = DocumentInput(0, "Secret")
    await services.dna_documents.write(alice, made["instanceId"], company.id, "briefing", given)
    return company.id


async def _project(world: World, made: Made) -> UUID:
    alice = world["alice"].principal
    return (await world.services.studio.projects.create(alice, made["instanceId"], "Secret")).id


async def _block(world: World, made: Made) -> UUID:
    """With a text, for addresses that name its first version."""
    studio = world.services.studio
    place = world["alice"].principal, made["instanceId"], made["projectId"]
    block = await studio.blocks.add(*place, NewBlock("Secret"))
    await studio.texts.write(*place, block.id, BlockInput(0, "Secret"))
    return block.id


async def _persona(world: World, made: Made) -> UUID:
    place = world["alice"].principal, made["instanceId"], made["projectId"]
    return (await world.services.studio.personas.add(*place, PersonaContent(name="Secret"))).id


async def _profile(world: World, made: Made) -> UUID:
    return (
        await world.services.studio.profiles.create(world["alice"].principal, made["instanceId"], "Secret", "Secret")
    ).id


async def _content_evaluation(world: World, made: Made) -> UUID:
    results = [DimensionResult(dimension="Secrecy", score=1, reason="It is told.")]
    place = world["alice"].principal, made["instanceId"], made["projectId"]
    async with world.services.db.unit_of_work(place[0].actor) as uow:
        return (await content_evaluations.keep(uow, *place, [], results, None, ZERO)).id


async def _skill(world: World, made: Made) -> UUID:
    """Private at first."""
    alice = world["alice"].principal
    content = SkillContent(name=f"secret-{new_id()}", description="Secret", instructions="Secret")
    return (await world.services.custom_skills.create(alice, made["instanceId"], content)).id


async def _file(world: World, made: Made) -> UUID:
    """Private, as every file is at first: nobody but its owner finds it."""
    return (await make(world, "alice", f"Secret {new_id()}")).id


async def _proposal(world: World, made: Made) -> UUID:
    """A change to the file that the same address names."""
    alice, file_id = world["alice"].principal, made["fileId"]
    proposal = FileProposal(
        id=new_id(),
        file_id=file_id,
        version=1,
        before="content",
        after="secret",
        proposed_by=alice.user_id,
        proposed_at=now(),
    )
    async with world.services.db.unit_of_work(alice.actor) as uow:
        await keep(uow, alice, proposal, None)
    return proposal.id


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
    if "projectId" in made:
        return await _content_evaluation(world, made)
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


async def _mail(world: World, made: Made) -> UUID:
    """To Bob."""
    mail, mail_id = (
        NewMail(world["bob"].user.id, MailKind.INVITATION, "bob@example.org", "en", now(), now() + LASTS),
        new_id(),
    )
    async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
        await mail_store.insert(uow, world.acme.id, mail_id, mail, None)
    return mail_id


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
    "companyId": _company,
    "projectId": _project,
    "blockId": _block,
    "personaId": _persona,
    "profileId": _profile,
    "skillId": _skill,
    "fileId": _file,
    "proposalId": _proposal,
    "folderId": _folder,
    "uploadId": _upload,
    "providerId": _provider,
    "memoryId": _memory,
    "messageId": _summary,
    "agentId": _agent,
    "evaluationId": _evaluation,
    "inspectionId": _inspection,
    "mailId": _mail,
}


async def make_ids(world: World, route: Route) -> Made:
    made: Made = {}
    for name in route.parameters:
        made[name] = await MAKERS[name](world, made)
    return made


async def _administrator(world: World) -> None:
    if "adam" not in world.people:
        principal = operator(world.acme.id)
        user = await world.services.users.create(principal, "adam@example.org", "Adam", world.roles["lab-admin"].id)
        await world.services.instances.put_member(principal, world.instances["lab"].id, user.id, None)
        await sign_in(world, "adam", principal, user)
