"""The languages of the embedded default, and detecting which of them a text is in: short lists of common words are enough."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

CODES = ("en", "de", "fr", "pt", "zh")
LOOKED_AT = 2_000  # characters; more would not change the verdict
WORDS = re.compile(r"[^\W\d_]+")
CHINESE = re.compile(r"[\u3400-\u9fff]")
# Names of commands are English in every language, `/help calculate` too; the few that are not tell their writer's language.
COMMAND_NAME = re.compile(r"\s*/(?:help\b.*|(?!(?:hilfe|aide|ajuda)\b)[a-z][\w.\-]*)", re.IGNORECASE | re.DOTALL)

PhrasesByLanguage = Mapping[str, Sequence[str]]
NO_PHRASES: PhrasesByLanguage = {}


@dataclass(frozen=True)
class Language:
    """What the embedded default knows of a language: common words, and its own sentences."""

    code: str
    stop_words: frozenset[str]
    greetings: tuple[str, ...]
    help: tuple[str, ...]
    summary: tuple[str, ...]  # phrases that ask for one
    counting: tuple[str, ...]  # phrases that ask how many there are
    structure: tuple[str, ...]  # phrases that ask what a document is made of
    true: frozenset[str]
    false: frozenset[str]
    texts: Mapping[str, str]

    def end_of(self, phrase: str, text: str) -> int | None:
        """Where a phrase ends in a text, None if it does not occur. A phrase is beginnings of words, in this order, possibly
        with other words between them. Chinese has no spaces between words."""
        end = 0
        for part in phrase.split():
            pattern = re.escape(part) if self.code == "zh" else rf"(?<!\w){re.escape(part)}\w*"
            if (hit := re.compile(pattern, re.IGNORECASE).search(text, end)) is None:
                return None
            end = hit.end()
        return end

    def say(self, key: str, **values: object) -> str:
        """One of our sentences, its placeholders filled in."""
        return self.texts[key].format(**values)


def _load(code: str) -> Language:
    content = json.loads((resources.files(__package__) / "texts" / f"{code}.json").read_text(encoding="utf-8"))
    return Language(
        code,
        frozenset(content["stopWords"]),
        tuple(content["greetings"]),
        tuple(content["help"]),
        tuple(content["summary"]),
        tuple(content["counting"]),
        tuple(content["structure"]),
        frozenset(content["true"]),
        frozenset(content["false"]),
        content["texts"],
    )


LANGUAGES: Mapping[str, Language] = {code: _load(code) for code in CODES}


def language_of(texts: Iterable[str], otherwise: str = "en", phrases: PhrasesByLanguage = NO_PHRASES) -> Language:
    """Detects the language of the first text that has one to detect; `otherwise` if none has. The newest text comes first.
    `phrases` are those of the tools that the texts may ask for."""
    for text in texts:
        if (language := _detect(text[:LOOKED_AT], phrases)) is not None:
            return language
    return LANGUAGES.get(otherwise, LANGUAGES["en"])


def _detect(text: str, phrases: PhrasesByLanguage) -> Language | None:
    text = text[command.end() :] if (command := COMMAND_NAME.match(text)) else text
    if len(CHINESE.findall(text)) * 4 >= len(WORDS.findall(text)) and CHINESE.search(text):
        return LANGUAGES["zh"]
    words = WORDS.findall(text.lower())
    counted = {code: sum(word in language.stop_words for word in words) for code, language in LANGUAGES.items()}
    best = max(CODES, key=lambda code: counted[code])
    return LANGUAGES[best] if counted[best] else _by_phrase(text[:400], phrases)


def _by_phrase(text: str, phrases: PhrasesByLanguage) -> Language | None:
    """Short requests have no common words in them; then the phrase they begin with tells their language."""
    plain = " ".join(WORDS.findall(text.lower()))
    for language in LANGUAGES.values():  # as they are: `hi` is also how `Hilfe` begins
        if any(plain == " ".join(WORDS.findall(known)) for known in (*language.greetings, *language.help)):
            return language
    for language in LANGUAGES.values():
        if any(language.end_of(phrase, text) is not None for phrase in phrases.get(language.code, ())):
            return language
    return None
