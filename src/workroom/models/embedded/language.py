"""The languages spoken here, and which of them somebody writes in: small lists of common words are enough for that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources

CODES = ("en", "de", "fr", "pt", "zh")
LOOKED_AT = 2_000  # characters; more would not change the verdict
WORDS = re.compile(r"[^\W\d_]+")
CHINESE = re.compile(r"[\u3400-\u9fff]")
# Names of commands are English whoever types them, `/help calculate` too; those that are not give their writer away.
COMMAND_NAME = re.compile(r"\s*/(?:help\b.*|(?!(?:hilfe|aide|ajuda)\b)[a-z][\w.\-]*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Language:
    code: str
    stop_words: frozenset[str]
    greetings: tuple[str, ...]
    help: tuple[str, ...]
    true: frozenset[str]
    false: frozenset[str]
    texts: Mapping[str, str]
    does: Mapping[str, str]
    phrases: Mapping[str, tuple[str, ...]]

    def end_of(self, phrase: str, text: str) -> int | None:
        """Where a phrase ends in a text: the beginnings of words that it is made of, in this order, other words between
        them. Chinese has no spaces between words."""
        end = 0
        for part in phrase.split():
            pattern = re.escape(part) if self.code == "zh" else rf"(?<!\w){re.escape(part)}\w*"
            if (hit := re.compile(pattern, re.IGNORECASE).search(text, end)) is None:
                return None
            end = hit.end()
        return end

    def say(self, key: str, **values: object) -> str:
        return self.texts[key].format(**values)


def _load(code: str) -> Language:
    found = json.loads((resources.files(__package__) / "texts" / f"{code}.json").read_text(encoding="utf-8"))
    return Language(
        code,
        frozenset(found["stopWords"]),
        tuple(found["greetings"]),
        tuple(found["help"]),
        frozenset(found["true"]),
        frozenset(found["false"]),
        found["texts"],
        {name: about["does"] for name, about in found["tools"].items()},
        {name: tuple(about["phrases"]) for name, about in found["tools"].items()},
    )


LANGUAGES: Mapping[str, Language] = {code: _load(code) for code in CODES}


def language_of(texts: Iterable[str], otherwise: str = "en") -> Language:
    """Of the first text that gives it away; the newest comes first."""
    for text in texts:
        if (found := _spoken(text[:LOOKED_AT])) is not None:
            return found
    return LANGUAGES.get(otherwise, LANGUAGES["en"])


def _spoken(text: str) -> Language | None:
    text = text[named.end() :] if (named := COMMAND_NAME.match(text)) else text
    if len(CHINESE.findall(text)) * 4 >= len(WORDS.findall(text)) and CHINESE.search(text):
        return LANGUAGES["zh"]
    words = WORDS.findall(text.lower())
    counted = {code: sum(word in language.stop_words for word in words) for code, language in LANGUAGES.items()}
    best = max(CODES, key=lambda code: counted[code])
    return LANGUAGES[best] if counted[best] else _by_phrase(text[:400])


def _by_phrase(text: str) -> Language | None:
    """Short wishes have no common words in them; then what they wish for gives them away."""
    plain = " ".join(WORDS.findall(text.lower()))
    for language in LANGUAGES.values():  # as they are: `hi` is also how `Hilfe` begins
        if any(plain == " ".join(WORDS.findall(known)) for known in (*language.greetings, *language.help)):
            return language
    for language in LANGUAGES.values():
        known = (phrase for phrases in language.phrases.values() for phrase in phrases)
        if any(language.end_of(phrase, text) is not None for phrase in known):
            return language
    return None
