"""Money: Swiss francs, exact. Prices are tiny and are added up by the thousand, so nothing is rounded before it is shown."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import PlainSerializer

ZERO = Decimal(0)

# On the wire and in stored JSON a decimal is text: a float would lose the last digits.
CHF = Annotated[Decimal, PlainSerializer(lambda amount: format(amount, "f"), return_type=str)]


def per_million(tokens: int, price: Decimal) -> Decimal:
    """What `tokens` cost at a price per million."""
    return tokens * price / 1_000_000
