"""The tree speaks the words of the field: no private vocabulary in names, one meaning per class name, plain prose.

A name of our own invention has to be learnt by every reader, so each one that was replaced stays in the table with the word in
its place. The rules read `src/` as source, never by importing it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "workroom"
FILES = sorted(SOURCE.rglob("*.py"))

PRIVATE_WORDS = {
    "acting": "tool step",
    "adviser": "model",
    "advisers": "models",
    "bell": "wake-up",
    "belonging": "workspace item",
    "belongings": "workspace items",
    "consult": "ask model",
    "crew": "run scheduler",
    "doorman": "host and origin guard",
    "ear": "subscription",
    "house": "standing instructions",
    "noting": "entity extraction",
    "purse": "budget",
    "purses": "budgets",
    "remembering": "summarisation",
    "rung": "woken",
    "shelf": "cache",
    "shelves": "caches",
    "spoke": "mark pending",
    "taker": "leased work",
    "takers": "leased work",
    "telling": "progress reporter",
    "ticker": "event flusher",
    "voice": "event buffer",
    "voices": "event buffers",
    "workshop": "worker services",
}
"""As a word of the name of any module, class, function, argument, field or variable."""

PUBLIC_NAMES = {"voice_mode"}
"""Fields of the API, where the word means what it says."""

VAGUE_ARGUMENTS = {
    "who": "principal",
    "found": "hits, match, entry …",
    "said": "text, messages …",
    "told": "events, sentence …",
    "one": "entry, item …",
    "heard": "response, notification …",
    "thing": "item",
    "things": "items",
}

GERUNDS = {
    "billing",
    "chunking",
    "embedding",
    "encoding",
    "ending",
    "filing",
    "geocoding",
    "hashing",
    "headings",
    "incoming",
    "indexing",
    "listing",
    "matching",
    "numbering",
    "outgoing",
    "paging",
    "parsing",
    "planning",
    "ranking",
    "reembedding",
    "rendering",
    "reranking",
    "scanning",
    "scheduling",
    "settings",
    "sharing",
    "sniffing",
    "spacing",
    "strings",
    "switching",
    "testing",
    "waiting",
    "wording",
}
"""Module names in -ing that are the field's own nouns. Any other module is named by what it holds."""

PEOPLE = re.compile(r"\b(somebody|nobody(?! {2,})|whoever)\b(?!`)", re.IGNORECASE)  # not the user `nobody` of Unix


def words_of(name: str) -> list[str]:
    """`runBudgetFor_run` → run, budget, for, run."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def prose_in(text: str) -> Iterator[tuple[int, str]]:
    """Comments and docstrings, by line. Other strings may be quoted, sent or shown: they are data."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement in body:  # also those behind a field or a constant
            constant = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                yield from enumerate(constant.value.splitlines(), statement.lineno)


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(SOURCE.parent.parent)}:{line}"


def report(lines: list[str]) -> None:
    assert not lines, "\n" + "\n".join(lines)


def test_names_are_not_of_our_own_invention() -> None:
    wrong = []
    for path in FILES:
        names = [(1, path.stem), *names_in(ast.parse(path.read_text()))]
        for line, name in names:
            wrong += [
                f"{where(path, line)} {name}: say {PRIVATE_WORDS[word]}"
                for word in words_of(name)
                if word in PRIVATE_WORDS and name not in PUBLIC_NAMES
            ]
    report(wrong)


def test_arguments_say_what_they_are() -> None:
    wrong = []
    for path in FILES:
        wrong += [
            f"{where(path, node.lineno)} {node.arg}: say {VAGUE_ARGUMENTS[node.arg]}"
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.arg) and node.arg in VAGUE_ARGUMENTS
        ]
    report(wrong)


HOMONYMS = {"Role"}
"""The field itself has two: of messages and of people."""


def test_a_class_name_means_one_thing() -> None:
    """Apart from the API's views, which are called like what they show, and ports, which are called like what fills them."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        relative = path.relative_to(SOURCE)
        if relative.parts[0] == "api" or path.name == "ports.py" or "testing" in relative.with_suffix("").parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(where(path, node.lineno))
    report(
        [
            f"{name}: {', '.join(found)}"
            for name, found in sorted(places.items())
            if len(found) > 1 and name not in HOMONYMS
        ]
    )


def test_modules_are_nouns_of_what_they_hold() -> None:
    stems = {path: path.parent.name if path.name == "__init__.py" else path.stem for path in FILES}
    report([f"{where(path, 1)}: what does it hold?" for path, stem in stems.items() if _is_gerund(stem)])


def _is_gerund(stem: str) -> bool:
    last = stem.rsplit("_", 1)[-1]
    return last.endswith("ing") and last not in GERUNDS


def test_prose_names_the_process_and_not_a_somebody() -> None:
    wrong = []
    for path in FILES:
        wrong += [f"{where(path, n)} {line.strip()}" for n, line in prose_in(path.read_text()) if PEOPLE.search(line)]
    report(wrong)


@pytest.mark.parametrize(
    ("name", "words"),
    [("RunBudget", ["run", "budget"]), ("told_of", ["told", "of"]), ("HTTPServer2", ["http", "server", "2"])],
)
def test_names_are_read_word_by_word(name: str, words: list[str]) -> None:
    assert words_of(name) == words
