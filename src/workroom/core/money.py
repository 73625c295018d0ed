"""Money: Swiss francs, exact. Prices are tiny and are added up by the thousand, so nothing is rounded before it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from pydantic import PlainSerializer

from workroom.core.tokens import Usage

ZERO = Decimal(0)

# On the wire and in stored JSON a decimal is text: a float would lose the last digits.
CHF = Annotated[Decimal, PlainSerializer(lambda amount: format(amount, "f"), return_type=str)]


@dataclass(frozen=True)
class Price:
    """CHF per million tokens. `assumed`: not known, so an assumption, and shown as one. `written`: tokens put
    into the provider's cache, where that costs more than reading them. `request`: CHF for the call itself."""

    input: Decimal
    output: Decimal
    cached: Decimal
    assumed: bool = False
    written: Decimal | None = None
    request: Decimal = ZERO

    def of(self, usage: Usage) -> Decimal:
        fresh = max(0, usage.input_tokens - usage.cached_tokens - usage.written_tokens)
        writing = self.input if self.written is None else self.written
        read = fresh * self.input + usage.cached_tokens * self.cached + usage.written_tokens * writing
        return self.request + (read + usage.output_tokens * self.output) / 1_000_000

    def at(self, usage: Usage) -> Price:
        """The price such a call is billed at; some depend on how long the prompt is."""
        return self


FREE = Price(ZERO, ZERO, ZERO)
