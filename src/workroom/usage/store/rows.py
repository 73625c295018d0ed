"""How spender and call look in a row: reservations and ledger have the same columns for them, in this order."""

from __future__ import annotations

import json
from typing import Any

from workroom.core.money import Price
from workroom.usage.types import Call, Purpose, Spender

COLUMNS = """
mandate_id, user_id, instance_id, conversation_id, run_id, provider, model, purpose, round, attempt,
price_input, price_output, price_cached, price_written, price_assumed, price_request, sections"""


def values(spender: Spender, call: Call) -> tuple[Any, ...]:
    price = call.price
    return (
        spender.mandate_id,
        spender.user_id,
        spender.instance_id,
        spender.conversation_id,
        spender.run_id,
        call.provider,
        call.model,
        call.purpose,
        call.round,
        call.attempt,
        price.input,
        price.output,
        price.cached,
        price.written,
        price.assumed,
        price.request,
        json.dumps(dict(call.sections)),
    )


def spender_of(row: Any) -> Spender:
    return Spender(row["mandate_id"], row["user_id"], row["instance_id"], row["conversation_id"], row["run_id"])


def call_of(row: Any) -> Call:
    price = Price(
        row["price_input"],
        row["price_output"],
        row["price_cached"],
        row["price_assumed"],
        row["price_written"],
        row["price_request"],
    )
    purpose, sections = Purpose(row["purpose"]), json.loads(row["sections"])
    return Call(row["provider"], row["model"], purpose, price, row["round"], row["attempt"], sections)
