"""What users read keeps to the glossary of its language: none of the words and signs that `docs/glossary/` replaces.

Read are the catalogues of the pages, the texts of the server and of tools, and the shipped agents. Left out is what users write
and the program only recognises (phrases, words), and what is written for models (instructions, prompts, evaluations).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARIES = ROOT / "docs" / "glossary"
SOURCE = ROOT / "src" / "workroom"
PAGES = ROOT / "web" / "src" / "lib" / "i18n"
LANGUAGES = ("de", "en", "fr", "pt", "zh")
FOR_MODELS = ("evaluations", "switching")
RECOGNISED = re.compile(r"^(words\.|phrases|stopWords|greetings|help|true|false|instructions|intents|examples?$)")
ROW = re.compile(r"^\|(?P<term>[^|]+)\|(?P<meaning>[^|]+)\|(?P<banned>[^|]*)\|$", re.MULTILINE)
RULE = re.compile(r"^- (?P<why>.+): `(?P<pattern>[^`]+)`$", re.MULTILINE)
PLACEHOLDER = re.compile(r"\{\w+\}")
HAN = re.compile(r"[\u3400-\u9fff]")


@cache
def banned(language: str) -> dict[str, re.Pattern[str]]:
    """By what the glossary says instead: the words of the last column, where `*` stands for any ending, and the rules."""
    text = (GLOSSARIES / f"{language}.md").read_text("utf-8")
    words = {
        f"“{word}”: {row['term'].strip()}": _word(word)
        for row in ROW.finditer(text)
        for word in re.findall(r"`([^`]+)`", row["banned"])
    }
    return words | {rule["why"]: re.compile(rule["pattern"]) for rule in RULE.finditer(text)}


def _word(word: str) -> re.Pattern[str]:
    plain = re.escape(word.removesuffix("*"))
    if HAN.search(word):
        return re.compile(plain)
    return re.compile(rf"(?<!\w){plain}" + ("" if word.endswith("*") else r"(?!\w)"))


def texts(language: str) -> Iterator[tuple[str, str]]:
    for path in (PAGES / f"{language}.json", PAGES / "later" / f"{language}.json"):
        yield from _leaves(f"{path.relative_to(ROOT)}", json.loads(path.read_text("utf-8")))
    for path in sorted(SOURCE.rglob("*.json")):
        if set(path.parts) & set(FOR_MODELS):
            continue
        content = json.loads(path.read_text("utf-8"))
        if path.parent.name == "texts":
            if path.stem == language:
                yield from _leaves(str(path.relative_to(ROOT)), content)
        else:
            yield from _leaves_in(language, str(path.relative_to(ROOT)), content)


def _leaves(at: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield at, PLACEHOLDER.sub("{}", value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not RECOGNISED.match(key):
                yield from _leaves(f"{at} {key}", inner)


def _leaves_in(language: str, at: str, value: Any) -> Iterator[tuple[str, str]]:
    """What stands below the language's key, as in the sidecars of tools and in shipped agents."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == language:
                yield from _leaves(f"{at} {key}", inner)
            elif not RECOGNISED.match(key):
                yield from _leaves_in(language, f"{at} {key}", inner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_what_its_glossary_bans(language: str) -> None:
    found = [
        f"{at}: {text!r} ({why})"
        for at, text in texts(language)
        for why, pattern in banned(language).items()
        if pattern.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_something_to_read_and_something_banned(language: str) -> None:
    files = {at.split(" ")[0] for at, _ in texts(language)}
    assert {
        "web/src/lib/i18n/later",
        "src/workroom/tools",
        "src/workroom/geo/presentation/texts",
        "src/workroom/agents/builtin",
    } <= {file.rpartition("/")[0] for file in files}
    assert len(banned(language)) >= 5


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ihre Modelle sind nutzbar."),
        ("de", "Bitte speichern Sie die Datei."),
        ("de", "Ein Layer"),
        ("de", "Neue Gespräche"),
        ("de", "«Zitat»"),
        ("fr", "Objet : oui"),
        ("fr", "Vraiment ?"),
        ("fr", "« trop large »"),
        ("fr", "Vous seul pouvez le lire"),
        ("en", 'a "straight" one'),
        ("pt", "«citação»"),
        ("zh", "«引文»"),
    ],
)
def test_a_slip_is_found(language: str, text: str) -> None:
    assert [why for why, pattern in banned(language).items() if pattern.search(text)]
