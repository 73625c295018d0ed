"""Digests by the cheap model, as leased work (db/work_scheduler.py): once for a text that has rested, for the person who wrote it
and on their account. Whatever goes wrong with that, the digest made by rules stays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from workroom.agent.model_calls import ModelCalls
from workroom.core.actors import SystemActor, UserActor
from workroom.core.errors import BudgetExceeded, Conflict, DatabaseUnavailable, Forbidden, NotFound, WorkroomError
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.identity.instances import require_instance
from workroom.identity.signin import SignIn
from workroom.identity.types import InstanceStatus, Principal
from workroom.models.call_payment import CallPayment
from workroom.models.ports import Model, ModelResponse, Models
from workroom.models.types import Operation
from workroom.studio import digest_prompt, texts
from workroom.studio import digests_store as store
from workroom.studio.projects import PROJECTS
from workroom.studio.types import BlockText, DigestTask, Project
from workroom.usage.budgets import ReservedBudget
from workroom.usage.service import Budgets
from workroom.usage.types import Purpose, Spender

log = logging.getLogger(__name__)

AT_ONCE = 4  # they wait for a model, not for us
MOST_TRIES = 3
LATER = timedelta(seconds=30)  # doubled with every try
PATIENCE = 60.0  # seconds


class DigestWork:
    """For a `WorkScheduler`. Off, it leaves what waits where it is."""

    name = "sum up a text of the studio"

    def __init__(self, db: Database, models: Models, sign_in: SignIn, limits: Budgets, *, is_on: bool = True) -> None:
        self._db, self._models, self._sign_in, self._limits = db, models, sign_in, limits
        self._is_on = is_on

    async def take(self, load: Load) -> Sequence[DigestTask]:
        task = await self.claim(load) if self._is_on else None
        return [] if task is None else [task]

    async def claim(self, load: Load = EMPTY_LOAD) -> DigestTask | None:
        worker_id = await self._db.worker_id()
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await store.claim(uow, worker_id, load)

    async def is_wanted(self, task: DigestTask) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await store.is_ours(uow, task)

    async def release(self, task: DigestTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.release(uow, task)

    async def release_failed(self, task: DigestTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.release_failed(uow, task)

    async def work(self, task: DigestTask) -> None:
        try:
            if task.tries > MOST_TRIES or not await self._sum_up(task):
                await self._give_up(task)
        except (Forbidden, NotFound):  # it was deleted, or is not theirs any more
            await self._give_up(task)
        except (Conflict, DatabaseUnavailable):
            raise
        except (WorkroomError, TimeoutError) as failure:
            await self._failed(task, failure)

    async def _sum_up(self, task: DigestTask) -> bool:
        """False: nothing is to be had."""
        principal = await self._sign_in.as_user(task.mandate_id, task.owner_id)
        if principal is None:
            return False
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, task.instance_id)
            project, block = await texts.read(uow, principal, task.instance_id, task.project_id, task.block_id)
        if instance.status is not InstanceStatus.ACTIVE or block.version != task.version:
            return False
        chain = await self._models.chain(principal, Operation.DATA_ANALYSE, instance_id=task.instance_id)
        models = [model for model in chain if not model.info.embedded][:1]
        return bool(models) and await self._asked(task, principal, project, block, models)

    async def _asked(
        self, task: DigestTask, principal: Principal, project: Project, block: BlockText, models: Sequence[Model]
    ) -> bool:
        payment = self._payment(task, principal)
        try:
            async with asyncio.timeout(PATIENCE):
                asking = ModelCalls(models, payment, lambda _: None, Purpose.CONTENT)
                response = await asking.ask(lambda _: digest_prompt.request(block), new_id())
            return await self._keep(task, principal, project, payment, response)
        finally:
            await payment.close()

    async def _keep(
        self, task: DigestTask, principal: Principal, project: Project, payment: CallPayment, response: ModelResponse
    ) -> bool:
        """The bill and what was bought, in one transaction."""
        digest = "" if response.answer.cut else digest_prompt.believed(response.text)
        async with self._db.unit_of_work(principal.actor) as uow:
            if cost := await payment.pay(uow, response):
                await store.spend(uow, task, cost)
            is_stored = bool(digest) and await store.finish(uow, task, digest)
            if is_stored:
                await PROJECTS.announce(uow, principal, task.instance_id, project)
        payment.mark_committed()
        return is_stored

    def _payment(self, task: DigestTask, principal: Principal) -> CallPayment:
        async def spent(uow: UnitOfWork, cost: Decimal) -> None:
            await store.spend(uow, task, cost)

        spender = Spender(task.mandate_id, task.owner_id, task.instance_id)
        return CallPayment(self._db, self._limits, principal, spender, spent)

    async def _give_up(self, task: DigestTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.give_up(uow, task)

    async def _failed(self, task: DigestTask, failure: Exception) -> None:
        """Later again, three times at most; at once for good when the budget is used up. What others have set aside of it
        comes back."""
        log.info("a text keeps its first digest", extra={"block": str(task.block_id), "reason": str(failure)})
        is_spent = isinstance(failure, BudgetExceeded) and not isinstance(failure, ReservedBudget)
        if is_spent or task.tries >= MOST_TRIES:
            await self._give_up(task)
            return
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.postpone(uow, task, LATER * 2 ** (task.tries - 1))
