"""The small language in which the ways to say something are written.

    (geh|gehe|fahre) [bitte] (nach|zu der|zur|zum) {address}
    lade [den|die|das] {query} [-layer|-ebene]

Words stand for themselves; capitals, accents, ss or ß, ä or ae make no difference, and long words may be mistyped. `(a|b)` is
one of them, `[a|b]` one of them or nothing. `-layer` is a word that may also be the ending of the word before it. In braces is
what a user has to say:

    {address}  words with a number in them, or with a word for a street
    {street}   words with a word for a street in them, and no first person
    {town}     the name of a place that is known without asking anybody, with a capital if its letters have them
    {theme}    what a layer is about, as far as that is known without asking anybody: `forest`
    {query}    any words; several joined by commas or `and` are a step each
    {x} {y}    a coordinate, always both
    {egrid}    the id of a Swiss parcel
    {here}     `here`, `there`: the place named last
    {place}    words that are no coordinate and no parcel; names of places joined by commas or `and` are a step each
    {title}    and every other name: any words

In the arguments of a way's calls, a string that is a slot and nothing else gets its value; an argument whose slot was not said
is left out. Where a call needs {x} and {y} and a phrase says neither, they are those of the place named last. A phrase needs at
least one word, {address}, {street}, {town}, {theme}, coordinate or {egrid} that is not optional: it would be everything
otherwise. Where {town} or {theme} is all there is in a phrase, nothing else may be said with it: `Bern is beautiful` is no wish.
How many phrases, braces and endings there may be is said in machine.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workroom.agent.planning.rules.words import WordKind, fold, read

PAIR, EGRID, ADDRESS, STREET, PLACE, QUERY, HERE = "x y", "egrid", "address", "street", "place", "query", "here"
TOWN, THEME = "town", "theme"
PLACES = (ADDRESS, STREET, PLACE, TOWN)
NAMES = (TOWN, THEME)  # known ones
_PIECE = re.compile(r"\{(?P<slot>[a-z][a-z0-9_]{0,39})\}|(?P<sign>[()\[\]|])|(?P<word>[^\s()\[\]|{}]+)|(?P<wrong>\S)")


class PhraseWrong(ValueError):
    """What is wrong with a phrase, in words for who wrote it."""


@dataclass(frozen=True)
class PhraseWord:
    """One word; an `ending` may be a part of the word before it."""

    word: str
    ending: bool = False


@dataclass(frozen=True)
class Slot:
    name: str


@dataclass(frozen=True)
class Row:
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class OneOf:
    nodes: tuple[Node, ...]


Node = PhraseWord | Slot | Row | OneOf


@lru_cache(maxsize=1_000)
def parse(phrase: str) -> Node:
    pieces = list(_PIECE.finditer(phrase))
    if any(piece["wrong"] for piece in pieces):
        raise PhraseWrong("Braces hold a name in small letters, such as {query}.")
    node, at = _alternatives(pieces, 0, "")
    if at < len(pieces):
        raise PhraseWrong("A bracket is closed that was not opened.")
    if not _is_anchored(node):
        raise PhraseWrong("It needs a word that is not optional; anything at all would be meant otherwise.")
    return node


def endings(node: Node) -> Iterator[str]:
    match node:
        case PhraseWord(word=word, ending=True):
            yield word
        case Row(nodes=nodes) | OneOf(nodes=nodes):
            for inner in nodes:
                yield from endings(inner)


def slots(node: Node) -> int:
    """How many there are in it."""
    match node:
        case Slot():
            return 1
        case Row(nodes=nodes) | OneOf(nodes=nodes):
            return sum(map(slots, nodes))
        case _:
            return 0


def is_wordless(node: Node) -> bool:
    """Whether it can be said without any word of ours: then it has to be what nothing else is."""
    match node:
        case PhraseWord():
            return False
        case Slot(name=name):
            return name != HERE
        case Row(nodes=nodes):
            return all(is_wordless(inner) for inner in nodes)
        case OneOf(nodes=nodes):
            return any(is_wordless(inner) for inner in nodes)


def _alternatives(pieces: list[re.Match[str]], at: int, closing: str) -> tuple[Node, int]:
    rows: list[Node] = []
    row: list[Node] = []
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece["sign"] == "|":
            rows.append(_row(row))
            row = []
        elif piece["sign"] in ("(", "["):
            inner, at = _alternatives(pieces, at, ")" if piece["sign"] == "(" else "]")
            row.append(inner if piece["sign"] == "(" else OneOf((inner, Row(()))))
        elif piece["sign"] is not None:
            if piece["sign"] != closing:
                raise PhraseWrong("A bracket is closed that was not opened.")
            return _one_of([*rows, _row(row)]), at
        else:
            row += (Slot(piece["slot"]),) if piece["slot"] else _words(piece["word"])
    if closing:
        raise PhraseWrong("A bracket is not closed.")
    return _one_of([*rows, _row(row)]), at


@lru_cache(maxsize=5_000)
def _words(written: str) -> tuple[Node, ...]:
    """`ÖREB-Auszug` are two."""
    if written.startswith("-"):
        return (PhraseWord(fold(written[1:]), ending=True),)
    return tuple(PhraseWord(word.folded) for word in read(written).words if word.kind is WordKind.WORD)


def _row(nodes: list[Node]) -> Node:
    """{x} and {y} are one."""
    made: list[Node] = []
    for node in nodes:
        if node == Slot("y") and made and made[-1] == Slot("x"):
            made[-1] = Slot(PAIR)
        else:
            made.append(node)
    if Slot("x") in made or Slot("y") in made:
        raise PhraseWrong("A coordinate is written as {x} {y}.")
    return made[0] if len(made) == 1 else Row(tuple(made))


def _one_of(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else OneOf(tuple(nodes))


def _is_anchored(node: Node) -> bool:
    match node:
        case PhraseWord():
            return True
        case Slot(name=name):
            return name in (PAIR, EGRID, ADDRESS, STREET, TOWN, THEME, HERE)
        case Row(nodes=nodes):
            return any(_is_anchored(inner) for inner in nodes)
        case OneOf(nodes=nodes):
            return all(_is_anchored(inner) for inner in nodes)
