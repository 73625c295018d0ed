"""What a call costs: exact, in francs, and never nothing by accident."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage
from workroom.models.catalogue import shipped
from workroom.models.prices import SteppedPrice, price_of
from workroom.models.types import Choices, ExchangeRate

TODAY = date(2026, 11, 15)
GPT_5 = shipped().entry("openai", "gpt-5")  # 1.25, cached .125, output 10


@pytest.mark.requirement("C4")
def test_dollars_become_francs_by_the_rate() -> None:
    price = price_of("openai/gpt-5", GPT_5, Choices(), TODAY)
    assert (price.input, price.cached, price.output) == (Decimal("1.0000"), Decimal("0.1000"), Decimal("8.00"))
    assert price.of(Usage(1_000, 100, 400)) == Decimal("0.00144")
    dearer = Choices(rate=ExchangeRate(Decimal("0.88"), TODAY))
    assert price_of("openai/gpt-5", GPT_5, dearer, TODAY).output == Decimal("8.80")


@pytest.mark.requirement("C4")
def test_an_unknown_price_is_assumed_and_says_so() -> None:
    price = price_of("somewhere/secret", None, Choices(), TODAY)
    assert price.assumed
    assert price.of(Usage(500_000, 500_000)) == Decimal(10)
    assert price_of("somewhere/secret", None, Choices(assumption=Decimal(3)), TODAY).input == 3


def test_a_server_of_ones_own_sends_no_bill_unless_somebody_says_so() -> None:
    assert price_of("ollama/qwen3", None, Choices(), TODAY, own_server=True) == FREE
    set_by_us = Price(Decimal("0.1"), Decimal("0.2"), Decimal("0.05"))
    choices = Choices(overrides={"ollama/qwen3": set_by_us, "openai/gpt-5": set_by_us})
    assert price_of("ollama/qwen3", None, choices, TODAY, own_server=True) == set_by_us
    assert price_of("openai/gpt-5", GPT_5, choices, TODAY) == set_by_us


def test_a_long_prompt_is_billed_at_its_own_price_all_of_it() -> None:
    price = price_of("google/gemini-2.5-pro", shipped().entry("google", "gemini-2.5-pro"), Choices(), TODAY)
    assert isinstance(price, SteppedPrice)
    assert price.of(Usage(200_000, 0)) == Decimal("0.2")  # 1.25 × .8 per million
    assert price.of(Usage(200_001, 0)) == Decimal("0.400002")  # 2.50 × .8, also for the first 200,000


def test_writing_into_the_cache_has_its_price() -> None:
    """Claude bills what it keeps at a quarter more than what it merely reads."""
    entry = shipped().entry("anthropic", "claude-sonnet-4-6")
    assert entry is not None
    price = price_of("anthropic/claude-sonnet-4-6", entry, Choices(), TODAY)
    assert price.written == price.input * Decimal("1.25")
    read, written = Usage(1_000_000), Usage(1_000_000, written_tokens=1_000_000)
    assert price.of(written) == price.of(read) * Decimal("1.25")
    assert Price(Decimal(1), Decimal(1), Decimal(1)).of(written) == 1, (
        "where the list is silent it costs as much as any"
    )
