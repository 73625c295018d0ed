"""The requirements, as data: their ids, which piece of work delivers each, what is missing, and which tests prove them.

`make coverage-of-spec` prints the claims. Tests claim a requirement with `@pytest.mark.requirement("N2")`, or a whole module by
`pytestmark`. A requirement is whole (every piece that names it is delivered), partly there (`PARTLY` says what is missing) or
later. `test_requirements.py` fails where a claim names an unknown id, where nothing claims what is there, and where a test claims
what is not.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

# Letter: how many requirements there are, and the section's name.
SECTIONS = {
    "A": (16, "Agent runs"),
    "B": (9, "Tools and skills"),
    "C": (5, "Models"),
    "D": (6, "Conversation and context"),
    "E": (8, "Planner, choices, map"),
    "F": (9, "Studio: content in phases"),
    "G": (6, "Switching agents live"),
    "H": (7, "Knowledge store"),
    "I": (7, "Documents and containers"),
    "J": (4, "Files"),
    "K": (4, "Data sources"),
    "L": (3, "Background work"),
    "M": (3, "Traces, billing, monitoring"),
    "N": (3, "Identity"),
    "O": (5, "API"),
    "P": (5, "The web workspace"),
}
REQUIREMENTS = [f"{letter}{number}" for letter, (count, _) in SECTIONS.items() for number in range(1, count + 1)]

# Which piece of work delivers what. Several pieces deliver a requirement that has several parts.
PIECES = {
    "house": "N1 N2 N3 O1 P1 P4 D6",
    "runs": "A1 A2 A3 A4 A5 A6 A8 A9 A10 A12 A13 A14 A15 A16 B1 B2 B6 C1 C2 C3 C4 C5 D1 D3 D4 L1 M1 M2 O2 O3 P1",
    "files": "I1 I2 I4 I5 I6 I7 J1 J2 J3 J4 P1",
    "knowledge": "A7 C5 D2 D4 D5 H1 H2 H3 H4 H5 H6 H7 I3 I7 I2 B3 P2",
    "switching": "A11 C2 G1 G2 G3 G4 G5 G6 P2",
    "planner": "E1 E2 E3 E4 E5 E6 E7 E8 D1 A15",
    "first hour": "D3 H5",
    "web reading": "B7 B9",
    "specialists": "A9 B7 D6 F8 P1",
    "own skills": "B8 P2",
    "studio": "D1 F1 F2 F3 F4 F5 F6 F7 F9 J3 P1",
    "charts": "P1 P5",
    "file edits": "A15 B3 J3 O3 P1",
    "documents out": "B3 B4 I7 O3 P1 P5",
    "sources": "B4 B5 B6 B9 K1 K2 K3 K4 O2 O3 P1 P2",
    "background work": "L2 L3 M3 P2 P5",
    "completion": "A5 A7 A9 B1 B3 C1 C3 D5 E8 G4 G6 H2 H4 H7 I5 O3 P1",
    "doors": "B5 C3 D6 N3 O2 O3 O4 O5 P3",
}
DELIVERED = (
    "house",
    "runs",
    "files",
    "knowledge",
    "switching",
    "planner",
    "web reading",
    "specialists",
    "own skills",
    "studio",
    "charts",
    "file edits",
)

# What is missing of requirements that are there in part. Tests that claim one of these prove the rest of it.
PARTLY = {
    "A5": "the cost of query embeddings and of reranking inside a run does not count against its caps",
    "A7": "`degraded` is told as a note among the material, not by the page; never tried with the tables out of reach in mid-run",
    "A9": "forcing per turn cannot be set in the page",
    "B1": "feature types, and the flag of tools that produce content",
    "B3": "a workspace cannot change the sets; tools that do not exist yet",
    "B6": "read-only, parameterised SQL: there is no SQL tool yet",
    "B9": "sqlQuery",
    "C1": "a picture in a message of the workspace does not reach the model",
    "C3": "`SPEECH` is an operation that nothing uses",
    "D3": "the share of the window at which summaries begin; summaries made after the answer",
    "D5": "names of facts such as `revenueQ4`",
    "D6": "the language of other software that comes in by its own door",
    "E8": "agents without a plan do not move the map",
    "G4": "some models that the document names; a strategy for models of one's own",
    "G6": "the platform's instructions in the page; they are set by a command",
    "H2": "archives with more members than are indexed at once",
    "H4": "some fields of the document, among them the embedding of a memory",
    "H5": "passages are retrieved once for a run, not before every round",
    "H7": "the index of a large layer is built by a command, not by itself",
    "I5": "some fields of object summaries",
    "I7": "editDocument, translateDocument",
    "N3": "OIDC",
    "O2": "`dataSourceIds` and `voiceMode` are refused",
    "O3": "`dataSourceAccess`, `voiceResponse`",
    "P1": "data sources, voice",
    "P2": "jobs, connections",
    "P5": "jobs with live progress, voice, external actions",
}
HERE = Path(__file__).parent


def delivered() -> set[str]:
    """Requirements of which at least a part is there."""
    return {id for piece in DELIVERED for id in PIECES[piece].split()}


def missing_from(id: str) -> list[str]:
    """Pieces that are still to deliver something of it."""
    return [piece for piece, ids in PIECES.items() if piece not in DELIVERED and id in ids.split()]


def claims() -> dict[str, list[str]]:
    """Requirement id → tests that claim it, read from the source: nothing has to run."""
    tests: dict[str, list[str]] = defaultdict(list)
    for path in sorted(HERE.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = str(path.relative_to(HERE.parent))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for id in _claimed_by(node.decorator_list):
                    tests[id].append(f"{where}::{node.name}")
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
                for id in _claimed_by(node.value.elts if isinstance(node.value, ast.List) else [node.value]):
                    tests[id].append(where)
    return tests


def _claimed_by(marks: list[ast.expr]) -> Iterator[str]:
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement":
            yield from (ast.literal_eval(argument) for argument in mark.args)


def main() -> None:
    claimed = claims()
    for requirement in REQUIREMENTS:
        tests = claimed.get(requirement, [])
        state = "partly" if requirement in PARTLY else "whole" if requirement in delivered() else "later"
        pieces = ", ".join(missing_from(requirement))
        print(f"{requirement:4} {state:6} {len(tests):3} tests   {pieces and f'to come: {pieces}'}".rstrip())
        if requirement in PARTLY:
            print(f"           missing: {PARTLY[requirement]}")
        for test in tests:
            print(f"           {test}")
    whole = len(delivered() - PARTLY.keys())
    print(
        f"\nOf {len(REQUIREMENTS)} requirements {whole} are whole, {len(PARTLY)} are there in part, and"
        f" {len(REQUIREMENTS) - whole - len(PARTLY)} come later."
    )


if __name__ == "__main__":
    main()
