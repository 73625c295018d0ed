"""Whether a new password is one that is guessed first: a common one, the person's own names, a row of keys, a repetition.

A common word stays one with a capital, with digits behind it and with letters written as digits: `Passw0rd2024!` is `password`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain

from workroom.core.errors import InvalidInput
from workroom.identity.common_passwords import common_passwords

SHORTEST, LONGEST = 10, 256
MOST_DECORATION = 8  # characters around a word that do not make it a better one: a date has as many
SHORTEST_NAME = 3
FEWEST_OWN_LETTERS = 4  # beside the person's names
SHORTEST_RUN = 3
PRODUCT = "workroom"

_LEET = ("013457@$!|", ("oieastasil", "oleastasll"))
_LOOKS = tuple(str.maketrans(_LEET[0], letters) for letters in _LEET[1])
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TRACKS = (
    "abcdefghijklmnopqrstuvwxyz",
    "012345678901234567890",
    "qwertyuiop[]asdfghjkl;'zxcvbnm,./",
    "qwertzuiopüasdfghjklöäyxcvbnm,.-",
    "azertyuiop^$qsdfghjklmùwxcvbn,;:",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
    "1qay2wsx3edc4rfv5tgb6zhn7ujm8ik,9ol.0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "1q2w3e4r5t6z7u8i9o0p",
    "1a2b3c4d5e6f7g8h9i0j",
    "a1b2c3d4e5f6g7h8i9j0",
    "!@#$%^&*()_+",
    '!"§$%&/()=?',
)
_KEYS = "\n".join(chain.from_iterable((track * 2, (track * 2)[::-1]) for track in _TRACKS))


def require_strong(password: str, names: Iterable[str]) -> None:
    """`names`: what the person, their address and their organisation are called."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidInput(
            f"A password has {SHORTEST} to {LONGEST} characters. Several words are easy to remember and hard to guess.",
            code="weakPassword",
            field="newPassword",
        )
    if _is_trivial(folded(password)):
        raise InvalidInput(
            "This is a row of keys or the same again and again, which is guessed first. Take several words instead.",
            code="patternPassword",
            field="newPassword",
        )
    if _is_of_names(password, names):
        raise InvalidInput(
            "This consists of your name, your login or your organisation. Take words that have nothing to do with you.",
            code="personalPassword",
            field="newPassword",
        )
    if _is_common(password):
        raise InvalidInput(
            "This password, or the word in it, is among the first that are guessed; digits and signs behind it do not help."
            " Take several words that do not belong together.",
            code="commonPassword",
            field="newPassword",
        )


def folded(text: str) -> str:
    """Without capitals and accents."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def core_forms(password: str) -> set[str]:
    """What may be the word in it: without digits and signs around it, digits and signs inside it read as letters."""
    text = folded(password)
    return {_stripped(text)} | {
        form for look in _LOOKS for form in (_stripped(text).translate(look), _stripped(text.translate(look)))
    }


def _is_common(password: str) -> bool:
    text, common = folded(password), common_passwords()
    if text in common:
        return True
    core = _stripped(text)
    around = text.replace(core, "", 1)
    if not core or (len(around) > MOST_DECORATION and not _is_trivial(around)):
        return False
    return any(form in common or (form and _is_trivial(form)) for form in core_forms(password))


def _is_of_names(password: str, names: Iterable[str]) -> bool:
    known = sorted(_parts_of(names), key=len, reverse=True)
    return any(_is_left_empty(text, known) for text in {folded(password), *core_forms(password)})


def _is_left_empty(text: str, known: Iterable[str]) -> bool:
    """Whether hardly a letter is left without the names in it."""
    rest = text
    for name in known:
        rest = rest.replace(name, " ")
    return rest != text and sum(char.isalpha() for char in rest) < FEWEST_OWN_LETTERS


def _parts_of(names: Iterable[str]) -> Iterator[str]:
    for name in (*names, PRODUCT):
        for spelled in (name, name.casefold().translate(_UMLAUTS)):
            for part in (spelled, *re.split(r"[\W_]+", spelled)):
                if len(plain := folded(part)) >= SHORTEST_NAME:
                    yield plain


def _is_trivial(text: str) -> bool:
    """Few characters, the same again and again, or runs along the alphabet, the digits or the keyboard."""
    return len(set(text)) < 4 or _is_repeated(text) or _is_made_of_runs(text)


def _is_repeated(text: str) -> bool:
    return any(text == (text[:length] * len(text))[: len(text)] for length in range(1, len(text) // 2 + 1))


def _is_made_of_runs(text: str) -> bool:
    at = 0
    while at < len(text):
        end = at + SHORTEST_RUN
        if end > len(text) or text[at:end] not in _KEYS:
            return False
        while end < len(text) and text[at : end + 1] in _KEYS:
            end += 1
        at = end
    return bool(text)


def _stripped(text: str) -> str:
    return re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)
