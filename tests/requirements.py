"""The requirements, as data: their ids, which piece of work delivers each, and which tests claim them.

`make coverage-of-spec` prints the claims. Tests claim a requirement with `@pytest.mark.requirement("N2")`; a claim of an
unknown id, or a delivered requirement that nobody claims, fails `test_requirements.py`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
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

# Which piece of work delivers what; what no piece names yet comes later.
PIECES = {
    "house": "N1 N2 N3 O1 P1 P4",
    "runs": "A1 A2 A3 A4 A5 A6 A8 A9 A10 A12 A13 A14 A15 A16 B1 B2 B6 C1 C2 C3 C4 C5 D1 D3 D4 L1 M1 M2 O2 O3 P1",
    "files": "I1 I2 I4 I5 I6 I7 J1 J2 J4 P1",
    "knowledge": "A7 C5 D2 D4 D5 H1 H2 H3 H4 H5 H6 H7 I3 I7 I2 B3 P2",
    "switching": "A11 C2 G1 G2 G3 G4 G5 G6 P2",
    "planner": "E1 E2 E3 E4 E5 E6 E7 E8 D1 A15",
}
DELIVERED = ("house", "runs", "files", "knowledge", "switching", "planner")
HERE = Path(__file__).parent


def claims() -> dict[str, list[str]]:
    """Requirement id → tests that claim it, read from the source: nothing has to run."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.requirement":
                        for argument in decorator.args:
                            found[ast.literal_eval(argument)].append(f"{path.relative_to(HERE.parent)}::{node.name}")
    return found


def main() -> None:
    claimed = claims()
    for requirement in REQUIREMENTS:
        pieces = [piece for piece, ids in PIECES.items() if requirement in ids.split()]
        tests = claimed.get(requirement, [])
        print(f"{requirement:4} {len(tests):3} tests   {', '.join(pieces) or 'later'}")
        for test in tests:
            print(f"           {test}")
    print(
        f"\n{sum(bool(claimed.get(r)) for r in REQUIREMENTS)} of {len(REQUIREMENTS)} requirements are claimed by a test."
    )


if __name__ == "__main__":
    main()
