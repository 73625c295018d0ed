"""Which messages a question is to be searched with: 'and in 2024?' says nothing without the one before it.

By rules, in five languages. A message depends on what came before when it begins as a continuation, says so little that there is
nothing to search for, or refers to something it has not named. With it go the messages before it, back to one that stands by
itself. Asking a model to rewrite the message instead would let every follow-up wait for one more answer; how often the rules find
the right passage is in docs/explanation/figures.md (`bench.finding`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MOST_BEFORE: Final = 4
LONGEST_BEFORE: Final = 500  # characters of each: a pasted page is not what a conversation is about

# Of English, German, French and Portuguese; parts of regular expressions.
_CONTINUING: Final = (
    "and, but, or, also, what about, how about, why not",
    "und, aber, oder, auch, sowie, was ist mit, wie ist es mit",
    "et, mais, ou, aussi, qu['’]en est-il",
    "e, mas, ou, também, que tal",
)
_REFERRING: Final = (
    "he, him, his, she, hers?, its?, they, them, theirs?, this, that, these, those, there, then, in the end, afterwards",
    "the (?:other|others|same|latter|former|first|second|last)(?: one)?",
    r"er, ihn, ihm, sein, seine\w?, ihr, ihre\w?, diese\w?, jene\w?, deren, dessen, da, dort, damals, danach, vorher, davor",
    "dabei, dafür, dagegen, davon, darüber, darin, damit",
    "ils?, elles?, lui, leurs?, cet, cette, ces, cela, ça, celui, celle, ceux, là, alors, ensuite",
    "eles?, elas?, lhes?, deles?, delas?, ess[ea]s?, isso, est[ea]s?, isto, aquel[ea]s?, aí, então, depois",
)


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(", ".join(words).split(", "))


_CONTINUES: Final = re.compile(
    rf"\W*(?:(?:{_any_of(_CONTINUING)})\b|那|还有|后来|然后|接着|怎么)|.*[呢吗]\s*[?？]?$", re.IGNORECASE | re.DOTALL
)
_REFERS: Final = re.compile(rf"\b(?:{_any_of(_REFERRING)})\b|[他她它这那]|当时|其中", re.IGNORECASE)
# A name, or a German noun: what a word behind it refers to stands in the same message.
_NAME: Final = re.compile(r"(?<=[\w,;:)’'] )[A-ZÀ-ÖØ-Þ]\w{2,}")
_WORD: Final = re.compile(r"\w+")
_SAID_ENOUGH: Final = 4  # words; of Chinese as many characters
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")


def depends(message: str) -> bool:
    """Whether one has to know what was said before to know what is asked."""
    text = message.strip()
    if _CONTINUES.match(text):
        return True
    if max(len(_WORD.findall(text)), len(_CHINESE.findall(text))) < _SAID_ENOUGH:
        return True
    if (reference := _REFERS.search(text)) is None:
        return False
    name = _NAME.search(text)
    return name is None or reference.start() < name.start()


def searched_text(message: str, before: Sequence[str]) -> str:
    """What to search for when `message` is asked after `before`, which are what the user said, oldest first."""
    texts = [message]
    for earlier in reversed(before[-MOST_BEFORE:]):
        if not depends(texts[0]):
            break
        texts.insert(0, earlier.strip()[:LONGEST_BEFORE])
    return "\n".join(texts)
