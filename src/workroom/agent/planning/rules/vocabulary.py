"""Words of ours that are no agent's data: by which parts of a request are joined, with which they begin, by which one is polite,
by which one does not want something, or only some of it. Those of every language at once, because people mix them."""

from __future__ import annotations

from functools import cache

from workroom.agent.planning.rules.words import WordKind, WordReading, fold, read
from workroom.core.languages import LANGUAGES
from workroom.core.texts import texts


@cache
def joins(language: str) -> frozenset[tuple[str, ...]]:
    """After them something else may begin. What is a single letter in one language is part of a name in another."""
    return frozenset(
        words
        for one in LANGUAGES
        for said in texts(__package__, one)["words.joins"].split("|")
        for words in [tuple(word.folded for word in read(said).words)]
        if one == language or len(words[0]) > 1 or not words[0].isascii()
    )


@cache
def orders() -> frozenset[tuple[str, ...]]:
    """Verbs with which a wish begins, also in the middle of a sentence that has no comma."""
    return frozenset(
        tuple(word.folded for word in read(said).words)
        for one in LANGUAGES
        for said in texts(__package__, one)["words.orders"].split("|")
    )


@cache
def abilities() -> frozenset[tuple[str, ...]]:
    """With which users ask whether they could do it themselves, rather than have it done."""
    return frozenset(
        tuple(word.folded for word in read(said).words)
        for one in LANGUAGES
        for said in texts(__package__, one)["words.abilities"].split("|")
    )


@cache
def one_of(name: str) -> str:
    """As a phrase: `polite`, `here`."""
    return "|".join(texts(__package__, language)[f"words.{name}"] for language in LANGUAGES)


def negates(reading: WordReading, at: int) -> bool:
    """Whether this word says no: not if it is quoted, nor the first of `Nicht-ionisierende Strahlung`."""
    word = reading.words[at]
    said = word.kind is WordKind.WORD and word.folded in single("negations")
    return said and not word.quoted and reading.text[word.end : word.end + 1] != "-"


@cache
def single(name: str) -> frozenset[str]:
    """`fillers`, `negations`, what limits an order (`limits`) or takes it back (`refusals`), what comes before the other side of
    a matter (`contrasts`), `pronouns`, `articles`, `thanks`, what joins in time (`then`), words for `streets`, and those after
    which a name is that of a place (`placing`)."""
    return frozenset(fold(word) for one in LANGUAGES for word in texts(__package__, one)[f"words.{name}"].split())
