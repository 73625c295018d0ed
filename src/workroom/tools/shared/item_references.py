"""Arguments that name a note or a todo by its id or, as small models do, by its title.

Part of a title suffices to read an item, and to change one's own; a deletion needs the whole title. Only one item may fit. What
others called theirs is not repeated in errors: the tools that list it mark the run (`authors.py`).
"""

from __future__ import annotations

import re
import string
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Protocol, TypeVar
from uuid import UUID

from pydantic import BeforeValidator, Field

from workroom.agent.tool import ToolContext
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import MAX_LIMIT, Page, PageRequest
from workroom.files.finder import QUOTES, unquoted
from workroom.identity.types import Action

LONGEST = 1_000
MOST_NAMED = 10
SHORTEST_WORD = 3
FILLER_WORDS = frozenset({"id", "my", "the", "title"})
PUNCTUATION = string.punctuation + QUOTES + "…"
WORD = re.compile(r"\w+")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")  # scripts that do not put spaces between words


class TitledItem(Protocol):
    @property
    def id(self) -> UUID: ...

    @property
    def title(self) -> str: ...

    @property
    def owner_id(self) -> UUID: ...


T = TypeVar("T", bound=TitledItem)


@dataclass(frozen=True)
class ItemLookup(Generic[T]):
    """How one kind of item is looked up for the person a run acts for."""

    noun: str
    get: Callable[[UUID, Action], Awaitable[T]]  # checks whether this may be done to it
    search: Callable[[PageRequest], Awaitable[Page[T]]]  # by words of titles
    suggest: Callable[[PageRequest], Awaitable[Page[T]]]  # what is probably meant when nothing fits
    detail: Callable[[T], str] = lambda _: ""  # what tells items of the same title apart


def _as_text(value: Any) -> Any:
    """Invented ids are often numbers; the error about those should list the items."""
    return str(value) if isinstance(value, int | UUID) else value


# Commands in words (models/embedded) look for an id where the format says so; language models are not told the format.
ItemReference = Annotated[
    str,
    BeforeValidator(_as_text),
    Field(min_length=1, max_length=LONGEST, description="Title or id.", json_schema_extra={"format": "uuid"}),
]


async def find_item(ctx: ToolContext, lookup: ItemLookup[T], reference: str, action: Action) -> T:
    """The one item that `reference` names, if `action` may be done to it. Errors name the items that may be meant."""
    if (item_id := id_in(reference)) is not None:
        try:
            return await lookup.get(item_id, action)
        except NotFound as error:
            raise NotFound(f"{error.message}{await _suggested(ctx, lookup)}") from None
    text = unquoted(reference)
    words = _search_words(text, lookup.noun)
    page = await lookup.search(PageRequest(query=" ".join(words) or text, sort="title", limit=MAX_LIMIT))
    same = [item for item in page.items if _normalised(item.title) == _normalised(text)]
    similar = [item for item in page.items if _contains(item.title, words)] if _is_specific(words) else []
    candidates = same or similar
    if page.next_cursor is None and len(candidates) == 1 and (same or _part_suffices(ctx, candidates[0], action)):
        return await lookup.get(candidates[0].id, action)
    if same:
        raise InvalidInput(_several(lookup, text, same), field=f"{lookup.noun}Id")
    if similar:
        named = _named(ctx, lookup, similar, page.total)
        raise InvalidInput(
            f"No {lookup.noun} has the title “{text[:200]}”.{named} Which one is meant? Give its id.",
            field=f"{lookup.noun}Id",
        )
    missing = f"There is no {lookup.noun} “{text[:200]}” here, or it is not yours to see."
    raise NotFound(f"{missing}{await _suggested(ctx, lookup)}")


def id_in(reference: str) -> UUID | None:
    try:
        return UUID(reference.strip()) if len(reference) >= len(UUID(int=0).hex) else None
    except ValueError:
        return None


def _part_suffices(ctx: ToolContext, item: TitledItem, action: Action) -> bool:
    return action is Action.READ or (action is Action.UPDATE and item.owner_id == ctx.principal.user_id)


def _normalised(title: str) -> str:
    return " ".join(unquoted(title).casefold().split())


def _search_words(text: str, noun: str) -> list[str]:
    """The words of a reference without those that name any item: `the note Milk` is about milk."""
    words = [word for part in text.split() if (word := part.strip(PUNCTUATION))]
    return [word for word in words if word.casefold() not in FILLER_WORDS | {noun, f"{noun}s"}]


def _is_specific(words: Sequence[str]) -> bool:
    """Invented ids such as `1` fit by accident."""
    return any(UNSPACED.search(word) or (len(word) >= SHORTEST_WORD and not word.isdigit()) for word in words)


def _contains(title: str, words: Sequence[str]) -> bool:
    whole = _normalised(title)
    known = {*WORD.findall(whole), *(part.strip(PUNCTUATION) for part in whole.split())}
    return all(word in known or (UNSPACED.search(word) and word in whole) for word in map(str.casefold, words))


def _several(lookup: ItemLookup[T], text: str, items: Sequence[T]) -> str:
    ids = "; ".join(f"{item.id}{lookup.detail(item)}" for item in items[:MOST_NAMED])
    more = f"; and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else ""
    return f"{len(items)} {lookup.noun}s have the title “{text[:200]}”: {ids}{more}. Which one is meant? Give its id."


async def _suggested(ctx: ToolContext, lookup: ItemLookup[T]) -> str:
    page = await lookup.suggest(PageRequest(limit=MAX_LIMIT))
    return _named(ctx, lookup, page.items, page.total)


def _named(ctx: ToolContext, lookup: ItemLookup[T], items: Sequence[T], total: int) -> str:
    """The user's own by title and id; the rest is counted."""
    own = [item for item in items if item.owner_id == ctx.principal.user_id][:MOST_NAMED]
    listed = "; ".join(f"“{item.title}” ({lookup.noun}Id {item.id}{lookup.detail(item)})" for item in own)
    there_is = f" There is {listed}." if own else ""
    more = f" list{lookup.noun.capitalize()}s shows {'all' if own else 'those there are'}." if len(own) < total else ""
    return f"{there_is}{more}"
