"""All SQL of evaluations."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.listing import Listing, moment, page
from workroom.db.work_scheduler import Load
from workroom.evaluations.judgement import Judged
from workroom.evaluations.rates import Rates, SuccessRate
from workroom.evaluations.types import Evaluation, EvaluationPlan, EvaluationState, EvaluationTask
from workroom.models.catalogue.strategies import UNKNOWN, StrategyType, SwitchStrategy

LONGEST_ANSWER = 4_000
UNDER_WAY = "state in ('queued', 'running')"
OURS = "mandate_id = $1 and evaluation_id = $2 and lease_epoch = $3 and lease_holder is not null and state = 'running'"
PLAN = "model, strategy, languages, repeats, questions"
SELECT = f"""
select evaluation_id as id, {PLAN}, state, asked_by, created_at, finished_at, cost_chf, error_code, error,
    (select display_name from users u where u.mandate_id = e.mandate_id and u.user_id = e.asked_by) as asked_by_name
from switch_evaluations e where mandate_id = $1"""


def _waiting(claimant: str | None = None) -> str:
    """Those that are free. One at a time per mandate: a provider is not asked by two at once."""
    return f"""select e.* from switch_evaluations e where {UNDER_WAY} and {leases.free("e", claimant)} and not exists (
        select from switch_evaluations o where o.mandate_id = e.mandate_id and o.evaluation_id <> e.evaluation_id
            and o.state = 'running' and {leases.held("o")})"""


ASKED_BY = "coalesce(asked_by, mandate_id)"
CLAIM = f"""{
    fair_claims.claiming(
        "evaluate",
        f"select distinct mandate_id, {ASKED_BY} as owner_id from ({_waiting('$1')}) w",
        f"{_waiting('$1')} and mandate_id = t.mandate_id and {ASKED_BY} = t.owner_id order by created_at, evaluation_id limit 1"
        " for update skip locked",
    )
}
update switch_evaluations e set {leases.claimed("$1", "e.setbacks", "e")}, state = 'running', setbacks = e.setbacks + 1
from chosen c where e.mandate_id = c.mandate_id and e.evaluation_id = c.evaluation_id
returning e.mandate_id, e.evaluation_id, e.asked_by, e.model, e.strategy, e.languages, e.repeats, e.questions,
    e.lease_epoch as epoch, e.setbacks"""


async def insert(
    uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID, plan: EvaluationPlan, asked_by: UUID, at: datetime
) -> None:
    await uow.execute(
        f"insert into switch_evaluations (mandate_id, evaluation_id, {PLAN}, state, asked_by, created_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9)",
        mandate_id,
        evaluation_id,
        plan.model,
        json.dumps(plan.strategy.stored()),
        plan.languages,
        plan.repeats,
        plan.questions,
        asked_by,
        at,
    )


async def is_under_way(uow: UnitOfWork, mandate_id: UUID, model: str) -> bool:
    sql = f"select exists (select from switch_evaluations where mandate_id = $1 and model = $2 and {UNDER_WAY})"
    return bool(await uow.fetchval(sql, mandate_id, model))


async def get(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID, *, lock: bool = False) -> Evaluation | None:
    sql = SELECT + " and evaluation_id = $2" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, evaluation_id, writes=lock)
    if row is None:
        return None
    return _evaluation(row, (await rates(uow, mandate_id, [evaluation_id])).get(evaluation_id, {}))


async def listed(uow: UnitOfWork, mandate_id: UUID, request: PageRequest) -> Page[Evaluation]:
    listing = Listing(
        SELECT,
        [mandate_id],
        sorts={"createdAt": moment("created_at"), "model": "lower(model)"},
        default_sort="createdAt",
        search=["model", "asked_by_name"],
    )
    found = await page(uow, listing, request)
    counted = await rates(uow, mandate_id, [row["id"] for row in found.items])
    return found.map(lambda row: _evaluation(row, counted.get(row["id"], {})))


async def rates(uow: UnitOfWork, mandate_id: UUID, evaluation_ids: Sequence[UUID]) -> Mapping[UUID, Rates]:
    rows = await uow.fetch(
        "select evaluation_id, language, with_reset, count(*) filter (where kept) as kept, count(kept) as answered,"
        " count(*) filter (where kept is not null and cardinality(missing) > 0) as missing,"
        ' count(*) filter (where kept is not null and cardinality("left") > 0) as "left",'
        " count(failed) as failed from switch_answers where mandate_id = $1 and evaluation_id = any($2)"
        " group by evaluation_id, language, with_reset order by evaluation_id, with_reset, language",
        mandate_id,
        evaluation_ids,
    )
    found: defaultdict[UUID, dict[tuple[str, bool], SuccessRate]] = defaultdict(dict)
    for row in rows:
        rate = SuccessRate(**{name: row[name] for name in SuccessRate.__dataclass_fields__})
        found[row["evaluation_id"]][row["language"], row["with_reset"]] = rate
    return found


async def answers(
    uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID, kept: bool | None, request: PageRequest
) -> Page[Judged]:
    """In the order in which they were asked for: by repetition, and in it without the reset and with it beside each other.
    `kept` False: those that were not kept; what failed is neither."""
    listing = Listing(
        "select *, concat_ws('/', case_id, number, with_reset) as id from switch_answers"
        " where mandate_id = $1 and evaluation_id = $2 and ($3::boolean is null or kept = $3)",
        [mandate_id, evaluation_id, kept],
        sorts={"asked": "concat_ws('/', to_char(number, '00'), language, case_id, with_reset)"},
        default_sort="asked",
        search=["case_id", "answer"],
    )
    return (await page(uow, listing, request)).map(_judged)


async def asked(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID) -> Mapping[tuple[str, int, bool], str | None]:
    """The keys of the questions that need not be put again, each with how the model failed; None for an answer."""
    rows = await uow.fetch(
        "select case_id, number, with_reset, failed from switch_answers where mandate_id = $1 and evaluation_id = $2",
        mandate_id,
        evaluation_id,
    )
    return {(row["case_id"], row["number"], row["with_reset"]): row["failed"] for row in rows}


async def add(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID, judged: Judged, at: datetime) -> None:
    await uow.execute(
        "insert into switch_answers (mandate_id, evaluation_id, case_id, language, with_reset, number, kept, missing,"
        ' "left", answer, failed, answered_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
        mandate_id,
        evaluation_id,
        judged.case_id,
        judged.language,
        judged.with_reset,
        judged.number,
        judged.kept,
        judged.missing,
        judged.left,
        judged.answer[:LONGEST_ANSWER],
        judged.failed,
        at,
    )


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> EvaluationTask | None:
    """Across mandates, as the system actor `sweep`."""
    row = await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), writes=True)
    if row is None:
        return None
    return EvaluationTask(
        row["mandate_id"], row["evaluation_id"], row["asked_by"], _plan(row), row["epoch"], row["setbacks"]
    )


async def does_anything_wait(uow: UnitOfWork) -> bool:
    """Whether `claim` would find something, as the system actor `sweep`."""
    return bool(await uow.fetchval(f"select exists ({_waiting()})"))


async def is_ours(uow: UnitOfWork, task: EvaluationTask) -> bool:
    """False when it was stopped or deleted, or another worker has claimed it."""
    sql = f"select exists (select from switch_evaluations where {OURS})"
    return bool(await uow.fetchval(sql, task.mandate_id, task.evaluation_id, task.epoch))


async def advance(uow: UnitOfWork, task: EvaluationTask, cost: Decimal) -> bool:
    """One more answer. False when the lease is not ours any more: then it must not be stored."""
    return await _changed(uow, task, "setbacks = 0, cost_chf = cost_chf + $4", cost)


async def release(uow: UnitOfWork, task: EvaluationTask) -> bool:
    """Another worker may take it at once, and that it was begun here does not count."""
    return await _changed(uow, task, f"{leases.GIVEN_BACK}, setbacks = greatest(0, setbacks - 1)")


async def release_failed(uow: UnitOfWork, task: EvaluationTask) -> bool:
    return await _changed(uow, task, leases.FAILED)


async def spend(uow: UnitOfWork, task: EvaluationTask, cost: Decimal) -> None:
    """For what came to nothing; also of one that was stopped meanwhile."""
    await uow.execute(
        "update switch_evaluations set cost_chf = cost_chf + $3 where mandate_id = $1 and evaluation_id = $2",
        task.mandate_id,
        task.evaluation_id,
        cost,
    )


async def finish(
    uow: UnitOfWork, task: EvaluationTask, state: EvaluationState, at: datetime, code: str | None, error: str | None
) -> bool:
    changes = f"state = $4, finished_at = $5, error_code = $6, error = $7, {leases.GIVEN_BACK}"
    return await _changed(uow, task, changes, state, at, code, error)


async def stop(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID, at: datetime) -> bool:
    """False when it is over already."""
    return bool(
        await uow.execute(
            f"update switch_evaluations set state = 'stopped', finished_at = $3, {leases.GIVEN_BACK}"
            f" where mandate_id = $1 and evaluation_id = $2 and {UNDER_WAY}",
            mandate_id,
            evaluation_id,
            at,
        )
    )


async def delete(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID) -> bool:
    sql = "delete from switch_evaluations where mandate_id = $1 and evaluation_id = $2"
    return bool(await uow.execute(sql, mandate_id, evaluation_id))


async def _changed(uow: UnitOfWork, task: EvaluationTask, changes: str, *args: Any) -> bool:
    """As long as it is ours."""
    return bool(
        await uow.execute(
            f"update switch_evaluations set {changes} where {OURS}",
            task.mandate_id,
            task.evaluation_id,
            task.epoch,
            *args,
        )
    )


def _plan(row: Any) -> EvaluationPlan:
    strategy = _strategy(row["strategy"])
    return EvaluationPlan(row["model"], strategy, tuple(row["languages"]), row["repeats"], row["questions"])


def _strategy(stored: str) -> SwitchStrategy:
    """The JSON of the catalogue. The first evaluations named only the type."""
    if stored.startswith("{"):
        return SwitchStrategy.read(json.loads(stored))
    return replace(UNKNOWN, type=StrategyType(stored))


def _evaluation(row: Any, rates: Rates) -> Evaluation:
    return Evaluation(
        row["id"],
        _plan(row),
        EvaluationState(row["state"]),
        row["asked_by"],
        row["asked_by_name"],
        row["created_at"],
        row["finished_at"],
        row["cost_chf"],
        row["error_code"],
        row["error"],
        sum(rate.answered + rate.failed for rate in rates.values()),
        rates,
    )


def _judged(row: Any) -> Judged:
    return Judged(
        row["case_id"],
        row["language"],
        row["with_reset"],
        row["number"],
        row["kept"],
        tuple(row["missing"]),
        tuple(row["left"]),
        row["answer"],
        row["failed"],
    )
