"""Documentation fails the build: generated pages are current, links lead somewhere, every code has its five texts."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest
from docs import generate

from workroom.agent.registry import discover
from workroom.agent.tool_text_checks import text_problems

ROOT = Path(__file__).parents[1]
LANGUAGES = ("de", "en", "fr", "pt", "zh")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("name", list(generate.pages()))
def test_reference_pages_are_what_the_code_says(name: str) -> None:
    assert (generate.REFERENCE / name).read_text() == generate.pages()[name], "run `make docs`"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_code_has_a_text(language: str) -> None:
    folder = ROOT / "web" / "src" / "lib" / "i18n"
    texts = {
        k: v for f in (folder, folder / "later") for k, v in json.loads((f / f"{language}.json").read_text()).items()
    }
    missing = {code for code in generate.error_codes() if not texts.get(f"error.{code}")}
    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_tool_in_the_how_to_works_with_its_sidecar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "how-to" / "write-a-tool.md").read_text()
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL))
    package = tmp_path / "acme_dice"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "dice.py").write_text(blocks["python"])
    (package / "dice.json").write_text(blocks["json"])
    monkeypatch.syspath_prepend(str(tmp_path))
    [roll_dice] = discover(importlib.import_module("acme_dice"))
    assert roll_dice.name == "rollDice"
    assert roll_dice.texts.keys() == {"en", "de"}
    assert text_problems(roll_dice, ["en", "de"]) == []


async def test_the_skill_in_the_how_to_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "how-to" / "skills.md").read_text()
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL))
    (tmp_path / "acme_skills").mkdir()
    (tmp_path / "acme_skills" / "__init__.py").touch()
    (tmp_path / "acme_skills" / "quotation.py").write_text(blocks["python"])
    monkeypatch.syspath_prepend(str(tmp_path))
    [quotation] = discover(importlib.import_module("acme_skills"))
    result = await quotation.run(None, text="Less is more.")
    assert [(action.type, action.payload) for action in result.actions] == [
        ("quotation", {"text": "Less is more.", "author": ""})
    ]
    assert "WidgetProps<'quotation'>" in blocks["svelte"]


def test_every_dependency_has_a_line() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text()
    for dependency in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        name = re.split(r"[;\[<>=~ ]", dependency)[0]
        assert f"`{name}`" in text, f"{name} has no line in docs/decisions/0002-dependencies.md"


def test_every_dependency_is_pinned() -> None:
    pinned = {
        line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {
        re.split(r"[;\[<>=~ ]", name)[0].lower()
        for name in [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    }
    assert {name.replace("-", "_") for name in wanted} - {name.replace("-", "_") for name in pinned} == set()
