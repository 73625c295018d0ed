"""Which command a wish resembles. A guess, and treated as one: it is only ever suggested.

A phrase is a few beginnings of words that occur in this order ("show note" is in "please show me my notes"); what follows
them is what the wish is about. Tools without phrases are recognised by the words of their name and description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workroom.models.embedded.language import LANGUAGES, WORDS, Language
from workroom.models.embedded.parameters import Parameter, parameters_of
from workroom.models.ports import ToolSchema

LONGEST_SENTENCE = 200
SENTENCE_END = re.compile(r"(?<!\d)[.!?]\s+\S|[。！？].|\n")
LOOKED_AT = 400  # characters: a longer text is no command
SUM = re.compile(r"[\d\s.()+\-*/×÷·^%'’]+")
OPERATION = re.compile(r"[\d)]\s*[+\-*/×÷·^%]{1,2}\s*[-(.\d]")
PART = r"(\d[\d.,'’]*)\s*(?:%|％|prozent\b|per ?cent\b|pour cent\b|por cento\b)"
WHOLE = r"(\d[\d.,'’]*)"
SHARES = (
    re.compile(rf"{PART}\s*(?:of|von|vom|de|do|da|des|du)\s+{WHOLE}", re.IGNORECASE),
    re.compile(rf"(?P<whole>\d[\d.,'’]*)\s*的\s*{PART}"),
)
QUOTED = re.compile(r"[\"“„«»”]\s*([^\"“„«»”\n]+?)\s*[\"“”«»]")
ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
FILE, FILE_NAME = "fileId", re.compile(r"(?<![\w.])[\w()-]+(?:\.[\w()-]+)*\.[A-Za-z][A-Za-z0-9]{1,4}\b")
ENOUGH = 2.0
LONGEST_TITLE = 80
POLITE = ("bitte", "please", "por favor", "请")
FIRST_PERSON = re.compile(r"(?:ich|i|je|preciso)\b|我")
READING = frozenset({FILE, "query"})  # what files say answers these as well
TALKATIVE = frozenset({"askUser", "findTools", "readConversation", "readResult"})  # of no use to a user who is typing


@dataclass(frozen=True)
class Likeness:
    """The tool, and its arguments if they could all be found in the text."""

    tool: ToolSchema
    arguments: dict[str, Any] | None


def likeness(text: str, tools: Sequence[ToolSchema], language: Language) -> Likeness | None:
    if len(text) > LOOKED_AT:
        return None
    best: tuple[float, str, ToolSchema] | None = None
    for tool in tools:
        if tool.name in TALKATIVE:
            continue
        score, about = _score(text, tool, language)
        if score >= ENOUGH and (best is None or score > best[0]):
            best = (score, about, tool)
    if best is None:
        return None
    _, about, tool = best
    return Likeness(tool, _arguments(parameters_of(tool), about, text))


def is_one_sentence(text: str) -> bool:
    """And a short one: a letter that was pasted has more."""
    return len(text) <= LONGEST_SENTENCE and not SENTENCE_END.search(text.strip())


def ordered_tool(text: str, tools: Sequence[ToolSchema]) -> str | None:
    """The tool of a text that begins as a command does and is about nothing else: "Notiere: …", "show my notes". It is not asked
    of files then, though they may have similar words. In any of the languages; of several the one with the longest phrase."""
    wish = text.strip()
    if len(wish) > LOOKED_AT:
        return None
    orders = (
        (length, tool.name)
        for language in LANGUAGES.values()
        for tool in tools
        if tool.name not in TALKATIVE and (length := _ordered_by(wish, tool, language))
    )
    return max(orders, default=(0, None), key=lambda order: order[0])[1]


def _ordered_by(wish: str, tool: ToolSchema, language: Language) -> int:
    """How many characters the phrase has that orders it; 0 when none does."""
    required = [parameter for parameter in parameters_of(tool) if parameter.required]
    if READING & {parameter.name for parameter in required}:
        return 0
    phrases = texts.phrases if (texts := tool.texts.get(language.code)) else ()
    if any(parameter.name == "expression" for parameter in required):
        known = tuple(word for phrase in phrases for word in phrase.split())
        others = {word.lower() for word in WORDS.findall(_without_shares(wish))} - language.stop_words
        is_sum = _sum_in(wish) is not None and all(word.startswith(known) for word in others)
        return len(wish) if is_sum else 0
    return max((len(phrase) for phrase in phrases if _is_ordered(wish, phrase, language, bool(required))), default=0)


def _is_ordered(wish: str, phrase: str, language: Language, needs_more: bool) -> bool:
    end = language.end_of(phrase, wish) if _begins(wish, phrase) else None
    if end is None:
        return False
    rest = wish[end:].lstrip()
    if rest.startswith((":", "：")) or not {word.lower() for word in WORDS.findall(rest)} - language.stop_words:
        return True
    return needs_more and not FIRST_PERSON.match(phrase) and not wish.endswith(("?", "？"))


def _begins(wish: str, phrase: str) -> bool:
    """Whether a text begins with the first word of a phrase, or politely."""
    plain = wish.lower()
    for word in POLITE:
        plain = plain.removeprefix(word).lstrip(" ,，")
    return plain.startswith(phrase.split()[0])


def _score(text: str, tool: ToolSchema, language: Language) -> tuple[float, str]:
    """How much it resembles the tool, and what is left of the text once that is said."""
    if any(parameter.name == "expression" for parameter in parameters_of(tool)):
        # A sum is a sum in every language; without one, "what is" asks for something else.
        return (float(len(text)), text) if _sum_in(text) else (0.0, "")
    scored = [(float(len(phrase)), about) for phrase, about in _phrases_in(text, tool, language)]
    return max(scored, default=(_shared_words(text, tool), ""))


def _phrases_in(text: str, tool: ToolSchema, language: Language) -> list[tuple[str, str]]:
    phrases = texts.phrases if (texts := tool.texts.get(language.code)) else ()
    ends = ((phrase, language.end_of(phrase, text)) for phrase in phrases)
    return [(phrase, text[end:].strip(" \t\n:,，：。.!！?？")) for phrase, end in ends if end is not None]


def _sum_in(text: str) -> str | None:
    """Ids and dates have minus signs in them too. A share of a number is a sum in words."""
    for share in SHARES:
        if hit := share.search(text):
            part, whole = (hit[2], hit["whole"]) if "whole" in share.groupindex else (hit[1], hit[2])
            return f"{_decimal(part)} / 100 * {_decimal(whole)}"
    for run in SUM.finditer(DATE.sub("#", ID.sub("#", text))):
        if OPERATION.search(run[0]):
            return run[0].strip().rstrip("+-*/×÷·^%'’(. ").strip()
    return None


def _without_shares(text: str) -> str:
    for share in SHARES:
        text = share.sub("", text)
    return text


def _decimal(number: str) -> str:
    plain = number.rstrip(".,'’").replace("'", "").replace("’", "")
    return plain.replace(",", "." if plain.count(",") == 1 and "." not in plain else "")


def _shared_words(text: str, tool: ToolSchema) -> float:
    words = {word.lower() for word in WORDS.findall(text) if len(word) > 2}
    name = {word.lower() for word in CAMEL.findall(tool.name)}
    told = {word.lower() for word in WORDS.findall(tool.description.split("\n")[0][:300]) if len(word) > 3}
    in_name = sum(any(word.startswith(part) for word in words) for part in name if len(part) > 2)
    return 1.25 * in_name + 0.25 * len(words & told)


def _arguments(parameters: Sequence[Parameter], about: str, text: str) -> dict[str, Any] | None:
    """For every parameter that must be given; None if one of them is not in the text."""
    found: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.required:
            if (value := _found(parameter, about, text)) is None:
                return None
            found[parameter.name] = value
    return found


def _found(parameter: Parameter, about: str, text: str) -> Any:
    """`about` is what follows the words of the command; where nothing does, it may be anywhere in the text: what stands in
    quotation marks, first of all."""
    if parameter.name == FILE:
        return next((name for name in FILE_NAME.findall(text)), about or None)
    quoted = QUOTED.search(text)
    about = about or (quoted[1] if quoted else text)
    match parameter:
        case Parameter(choices=choices) if choices:
            return next((choice for choice in choices if choice.lower() in text.lower()), None)
        case Parameter(format="uuid"):
            return hit[0] if (hit := ID.search(text)) else None
        case Parameter(name="expression"):
            return _sum_in(text)
        case Parameter(name="title"):
            return about.split("\n", 1)[0][:LONGEST_TITLE].strip() or None
        case Parameter(kind="string", format=""):
            return about or None
        case Parameter(kind="array"):
            return [part.strip() for part in re.split(r"[,;\n、，；]+", about) if part.strip()] or None
    return None
