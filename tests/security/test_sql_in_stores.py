"""SQL stands in stores and in `db/`, whole statements and parts of them alike; and what a store sends as a read has no word of a
write in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import workroom

ROOT = Path(workroom.__file__).parent
# Beginnings of statements, and what only stands in SQL: placeholders, casts to our types, clauses, columns that are set.
SQL = re.compile(
    r"^\s*(?:select\s.+?\bfrom\b|select\s+\w+\(|insert\s+into\s|update\s+\w+(?:\s+\w+)?\s+set\b|delete\s+from\s|merge\s+into\s"
    r"|with\s+(?:recursive\s+)?\w+\s+as\s*\(|set\s+local\s|lock\s+table\s|truncate\s)"
    r"|(?:[=<>(,+-]\s?|\blimit\s|\band\s)\$[1-9]\b|::(?:uuid|text|int|jsonb|timestamptz)\b|\bclock_timestamp\(\)"
    r"|\bfor\s+(?:no\s+key\s+)?update\b|\bon\s+conflict\b|\bnulls\s+(?:first|last)\b"
    r"|(?:^|,)\s*[a-z_]+\s=\s(?:'[^']*'|null|true|false|[a-z_]+\s[+-]\s\d+)\s*(?:,|$)"
    r"|^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s",
    re.DOTALL,
)
WRITE = re.compile(r"\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+share)\b")


def modules(*, stores: bool) -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if _is_store(path.relative_to(ROOT)) == stores]


def _is_store(path: Path) -> bool:
    return path.name.endswith("store.py") or "store" in path.parts or path.parts[0] == "db"


def sql_in(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of the literals that look like SQL. Docstrings are prose."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in prose:
            continue
        if SQL.search(node.value):
            yield node.lineno, node.value


def writes_sent_as_reads(source: str) -> Iterator[tuple[int, str]]:
    """Calls of `fetch…` whose statement has a word of a write, and that do not say `writes`."""
    tree = ast.parse(source)
    named = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        if node.func.attr not in ("fetch", "fetchrow", "fetchval") or any(k.arg == "writes" for k in node.keywords):
            continue
        if WRITE.search(text := " ".join(_literals(node.args[0], named))):
            yield node.lineno, text


def _literals(node: ast.AST, named: dict[str, ast.expr]) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in named:
            yield from _literals(named[part.id], {})


def test_sql_stands_in_stores_alone() -> None:
    found = {path: list(sql_in(path.read_text("utf-8"))) for path in modules(stores=False)}
    assert len(found) > 400
    assert {str(path.relative_to(ROOT)): literals for path, literals in found.items() if literals} == {}


def test_a_statement_that_writes_says_so() -> None:
    sources = {path: path.read_text("utf-8") for path in modules(stores=True)}
    found = {path: list(writes_sent_as_reads(text)) for path, text in sources.items() if "uow: UnitOfWork" in text}
    assert len(found) > 40
    assert {str(path.relative_to(ROOT)): calls for path, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "text",
    [
        "select name from users",
        "select pg_notify('a', 'b')",
        "with x as (select 1) select 2",
        ", state = $5, ended_at = $6",
        ", state = 'paused', lease_until = null",
        ", attempts = attempts + 1",
        " and r.revision > $2",
        "lease_until < clock_timestamp()",
        "order by name for update",
    ],
)
def test_parts_of_statements_are_recognised(text: str) -> None:
    assert list(sql_in(f"x = {text!r}"))


@pytest.mark.parametrize(
    "text",
    ["Select a file from the list.", "update", "costs $5", "with love", "a = b", "x, y = 1, 2", "Delete from here"],
)
def test_prose_is_not_taken_for_sql(text: str) -> None:
    assert list(sql_in(f"x = {text!r}")) == []


@pytest.mark.parametrize(
    ("source", "broken"),
    [
        ("await uow.fetchval('select 1 for update')", True),
        ("await uow.fetch(SQL)", True),
        ("await uow.fetch('with x as (insert into y values (1)) select 1')", True),
        ("await uow.fetch('update x set a = 1 returning a', writes=True)", False),
        ("await uow.fetch('select updated_at from x')", False),
    ],
)
def test_writes_sent_as_reads_are_recognised(source: str, broken: bool) -> None:
    assert (
        bool(list(writes_sent_as_reads(f"SQL = 'delete from x returning a'\nasync def f():\n    {source}"))) == broken
    )
