"""The search terms of a question, and which of them occur in a text: enough to select rows of a table, no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workroom.models.embedded.language import CHINESE, Language

LOOKED_AT = 2_000  # characters of a question
MOST = 40  # words of it
LEAST_STEM = 4
_WORD = re.compile(r"\w+")
_CHINESE_RUN = re.compile(rf"{CHINESE.pattern}+")


@dataclass(frozen=True)
class QueryTerms:
    """The terms of a question. `stems` is what all forms of a word begin with; `exact` are numbers and short words, which have
    only one form."""

    stems: frozenset[str]
    exact: frozenset[str]
    unspaced: frozenset[str]  # pairs of Chinese signs

    @classmethod
    def of(cls, question: str, language: Language) -> QueryTerms:
        text = question[:LOOKED_AT].casefold()
        words = [word for word in _spaced(text) if len(word) > 1 or word.isdigit()]
        terms = [word for word in dict.fromkeys(words) if word not in language.stop_words][:MOST]
        long = [word for word in terms if len(word) > LEAST_STEM and not any(char.isdigit() for char in word)]
        pairs = {run[at : at + 2] for run in _CHINESE_RUN.findall(text) for at in range(len(run) - 1)}
        stems = frozenset(word[: max(LEAST_STEM, len(word) - 2)] for word in long)
        return cls(stems, frozenset(terms) - frozenset(long), frozenset(pairs))

    def terms_in(self, text: str) -> frozenset[str]:
        """Those of the terms that occur in a text."""
        plain = text.casefold()
        words = _spaced(plain)
        begun = {stem for stem in self.stems if any(word.startswith(stem) for word in words)}
        return frozenset(begun | (self.exact & set(words)) | {pair for pair in self.unspaced if pair in plain})


def _spaced(text: str) -> Sequence[str]:
    return _WORD.findall(_CHINESE_RUN.sub(" ", text))
