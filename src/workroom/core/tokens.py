"""Tokens: what models read and write, and what they are paid for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """What one call used. Part of `input_tokens` are `cached_tokens`, read from the provider's cache and cheaper, and
    `written_tokens`, kept in it for the next call and dearer."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.written_tokens + other.written_tokens,
        )


def token_count(reported: object) -> int | None:
    """A number of tokens as a provider's JSON has it; None for zero and for anything that is no number of tokens."""
    return reported if isinstance(reported, int) and reported > 0 else None


@dataclass
class TokenCount:
    """The estimate of a text that comes in pieces; it does not depend on where the text was cut."""

    characters: int = 0
    ascii_characters: int = 0

    def add(self, text: str) -> None:
        self.characters += len(text)
        self.ascii_characters += len(text.encode("ascii", "ignore"))

    @property
    def tokens(self) -> int:
        return -(-self.ascii_characters // 4) + self.characters - self.ascii_characters


def estimate(text: str) -> int:
    """About how many tokens a text has, rather too many than too few: every model counts differently, and asking the right
    tokenizer costs more than it is worth here. Four letters of English make one; other alphabets take more."""
    count = TokenCount()
    count.add(text)
    return count.tokens
