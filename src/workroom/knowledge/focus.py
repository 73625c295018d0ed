"""Chooses the sentences of a passage that contain most of the question: they are highlighted where the passage opens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workroom.knowledge.languages import unaccented

LONGEST = 400  # characters
SENTENCES = 2
OF_A_REPETITION, OF_A_HEAD = 0.5, 0.2  # of what their words are worth elsewhere
LEAST_STEM = 4
SHORT_LINE = 40  # characters; a longer one goes on in the next, as on a printed page
# "Nr. 5", "e.g. this" and "3.5" do not end a sentence.
_END = re.compile(r"(?<=[.!?…])(?<!\b\w\.)(?<!\b\w\w\.)[\"”»’)]{0,2}\s+(?=[^\sa-zà-ÿ\d])|(?<=[。！？])|\n+")
_ITEM = re.compile(r"\s*(?:[|*•#–-]|\d{1,3}[.)]\s)")  # a line of a table or a list is a sentence, too
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad]\n")
_RULE = re.compile(r"\s*\|(?:\s*:?-{3,}:?\s*\|)+")  # below the head of a table
_WORD = re.compile(r"\w+")


def focus(text: str, words: Sequence[str]) -> str:
    """At most two neighbouring sentences, verbatim. `words` are lexemes of the question, the rarest first; without any the
    passage's first sentence stands for it."""
    sentences = list(_sentences(text))
    if not sentences:
        return text[:LONGEST].strip()
    weights = {_stem(unaccented(word)): 1 + 1 / rank for rank, word in enumerate(words, 1)}
    said = [_said(text[start:end], weights) for start, end in sentences]
    heads = [_RULE.match(text, end) is not None for _, end in sentences]

    def worth(at: int, count: int) -> float:
        """One sentence that says as much is better than two. What asks the same does not answer it, and neither does what
        a mail repeats of another, nor the head of a table."""
        together = set().union(*said[at : at + count])
        repeats = _repeats(text[slice(*sentences[at + count - 1])])
        share = OF_A_HEAD if heads[at] else OF_A_REPETITION if repeats else 1.0
        return sum(weights[stem] for stem in together) * share - 0.3 * (count - 1)

    spans = [
        (at, count)
        for count in range(1, SENTENCES + 1)
        for at in range(len(sentences) - count + 1)
        if count == 1
        or (sentences[at + count - 1][1] - sentences[at][0] <= LONGEST and not any(heads[at : at + count]))
    ]
    at, count = max(spans, key=lambda span: worth(*span))
    return text[sentences[at][0] : sentences[at + count - 1][1]][:LONGEST].strip()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each begins and ends; headings and crumbs of a few letters are none if there is more."""
    start = 0
    for end in (*(hit.start() for hit in _END.finditer(text) if hit[0] != "\n" or _ends(text, hit)), len(text)):
        if any(char.isalnum() for char in text[start:end]):
            yield start + len(text[start:end]) - len(text[start:end].lstrip()), end
        start = end


def _ends(text: str, at: re.Match[str]) -> bool:
    """Whether a line that ends there ends a sentence, or is only as wide as the page."""
    begun = text.rfind("\n", 0, at.start()) + 1
    line = text[begun : at.start()].rstrip()
    if _ITEM.match(text, at.end()) or _ITEM.match(line):
        return True
    if text[at.end() : at.end() + 1].islower():
        return False
    return len(line) < SHORT_LINE and not line.endswith(("-", "\u00ad", ",", ";"))


def _repeats(sentence: str) -> bool:
    return sentence.startswith(">") or sentence.rstrip('"”»’) \n').endswith(("?", "？"))


def _said(sentence: str, weights: dict[str, float]) -> set[str]:
    words = _WORD.findall(unaccented(_HYPHEN.sub("", sentence)))
    unspaced = unaccented(sentence)
    return {
        stem
        for stem in weights
        if any(word.startswith(stem) for word in words) or (not stem.isascii() and len(stem) == 2 and stem in unspaced)
    }


def _stem(lexeme: str) -> str:
    """What all forms of a word begin with: "polici" and "policy", "häuser" and what is left of it."""
    return lexeme if len(lexeme) <= LEAST_STEM else lexeme[: max(LEAST_STEM, len(lexeme) - 1)]
