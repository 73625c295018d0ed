"""Every action in the audit log has words in every language: an administrator reads no `model.providerTested`."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import workroom

SOURCE = Path(workroom.__file__).parent
TEXTS = SOURCE.parents[1] / "web" / "src" / "lib" / "i18n"


def recorded() -> Iterator[str]:
    """Those whose kind and action stand in the call itself."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "record":
                match [ast.unparse(argument) for argument in node.args]:
                    case [_, _, action, kind, *_] if kind.startswith("ChangeKind.") and action.startswith("'"):
                        yield f"did.{kind.removeprefix('ChangeKind.').lower()}.{ast.literal_eval(action)}"


@pytest.mark.parametrize("language", ["de", "en", "fr", "pt", "zh"])
def test_every_action_has_words(language: str) -> None:
    texts = [json.loads((folder / f"{language}.json").read_text()) for folder in (TEXTS, TEXTS / "later")]
    known = {key for part in texts for key in part}
    actions = set(recorded())
    assert len(actions) > 20
    assert sorted(actions - known) == []
