"""Where tools come from: our package, plugins of others, and the sets a workspace chooses from."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.world import World
from workroom.agent import registry
from workroom.agent.registry import Registry, discover, with_plugins
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.agent.tool_sets import TOOL_SETS, ToolSet
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.errors import ConfigurationError
from workroom.core.tool_texts import ToolTexts

WEATHER = '''
from workroom.agent.tool import ToolContext, tool

@tool("{name}", effect="read", sets={{"chatbot"}})
async def forecast(ctx: ToolContext, place: str) -> str:
    """Tomorrow's weather."""
    return "rain"
'''


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages; what a test imports from it is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def install(monkeypatch: pytest.MonkeyPatch, **plugins: str) -> None:
    entries = EntryPoints(EntryPoint(name, value, registry.PLUGINS) for name, value in plugins.items())
    monkeypatch.setattr(registry, "entry_points", lambda group: entries.select(group=group))


def names(tools: Registry) -> set[str]:
    return {found.name for found in tools}


@pytest.mark.requirement("B1")
def test_a_plugin_is_found_as_our_own_tools_are(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "one_file.py").write_text(WEATHER.format(name="forecast"))
    (site / "many_files").mkdir()
    (site / "many_files" / "__init__.py").write_text("from one_file import forecast\n")
    (site / "many_files" / "tides.py").write_text(WEATHER.format(name="tides"))
    install(monkeypatch, weather="one_file", sea="many_files")
    found = with_plugins(*TOOL_PACKAGES)
    assert names(found) == names(discover(*TOOL_PACKAGES)) | {"forecast", "tides"}
    assert "tides" in found.chosen({"chatbot"})
    assert "tides" not in found.chosen({"core"})


def sidecar(path: Path, **texts: object) -> None:
    path.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")


@pytest.mark.requirement("B1")
def test_a_plugin_brings_its_texts_in_sidecars(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "one_file.py").write_text(WEATHER.format(name="forecast"))
    sidecar(site / "one_file.json", forecast={"de": {"label": "sagt das Wetter voraus"}})
    (site / "many_files").mkdir()
    (site / "many_files" / "__init__.py").write_text(WEATHER.format(name="gales"))
    sidecar(site / "many_files" / "__init__.json", gales={"en": {"label": "warns", "phrases": ["gale"]}})
    (site / "many_files" / "tides.py").write_text(WEATHER.format(name="tides"))
    install(monkeypatch, weather="one_file", sea="many_files")
    found = {tool.name: tool for tool in with_plugins(*TOOL_PACKAGES)}
    assert found["forecast"].texts == {"de": ToolTexts(label="sagt das Wetter voraus")}
    assert found["forecast"].schema.texts == found["forecast"].texts
    assert found["gales"].texts["en"].phrases == ("gale",)
    assert found["tides"].texts == {}
    assert with_plugins(*TOOL_PACKAGES).phrases({"gales", "tides", "forecast"}) == {"en": ["gale"], "de": []}


def test_a_plugin_in_a_zip_file_brings_its_texts_too(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "plugins.zip"
    with ZipFile(archive, "w") as packed:
        packed.writestr("packed_weather.py", WEATHER.format(name="forecast"))
        packed.writestr("packed_weather.json", '{"forecast": {"en": {"label": "tells the weather"}}}')
    monkeypatch.syspath_prepend(str(archive))
    install(monkeypatch, weather="packed_weather")
    assert with_plugins(*TOOL_PACKAGES).chosen(names={"forecast"})["forecast"].texts["en"].label == "tells the weather"


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ('{"forecast": {"en": {"label": "x", "colour": "red"}}}', "forecast.en.colour"),
        ('{"forecast": {"en": {}}}', "forecast.en.label"),
        ('{"tides": {"en": {"label": "x"}}}', "'tides'"),
        ("{", "Invalid JSON"),
    ],
)
def test_a_plugin_with_an_unusable_sidecar_is_left_out_and_the_log_says_why(
    site: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, texts: str, problem: str
) -> None:
    (site / "wrong.py").write_text(WEATHER.format(name="forecast"))
    (site / "wrong.json").write_text(texts)
    install(monkeypatch, wrong="wrong")
    with caplog.at_level(logging.ERROR):
        assert "forecast" not in names(with_plugins(*TOOL_PACKAGES))
    assert problem in caplog.text


def test_a_broken_plugin_is_left_out_and_the_others_are_not(
    site: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (site / "broken.py").write_text("raise SystemError('no weather today')\n")
    (site / "fine.py").write_text(WEATHER.format(name="forecast"))
    install(monkeypatch, a_broken="broken", b_missing="nowhere_at_all", c_no_module="fine:forecast", d_fine="fine")
    with caplog.at_level(logging.ERROR):
        found = with_plugins(*TOOL_PACKAGES)
    assert "forecast" in names(found)
    assert [record.__dict__["plugin"] for record in caplog.records] == ["a_broken", "b_missing", "c_no_module"]


def test_two_tools_of_one_name_are_an_error_that_names_both(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "thief.py").write_text(WEATHER.format(name="writeNote"))
    install(monkeypatch, thief="thief")
    with pytest.raises(ConfigurationError) as caught:
        with_plugins(*TOOL_PACKAGES)
    assert "workroom.tools.notes.write_note" in caught.value.message
    assert "thief.forecast" in caught.value.message


def test_tools_of_several_packages_are_discovered_together() -> None:
    each = [names(discover(package)) for package in TOOL_PACKAGES]
    assert all(each), "every package brings tools"
    assert names(discover(*TOOL_PACKAGES)) == set().union(*each)
    with pytest.raises(ValueError, match="two tools called"):
        discover(TOOL_PACKAGES[0], TOOL_PACKAGES[0])


def make(name: str, *sets: str) -> Tool:
    @tool(name, effect="read", sets=sets)
    async def made(ctx: ToolContext) -> None:
        """Made for a test."""

    return made


@pytest.mark.requirement("A10")
def test_a_set_has_its_names_its_members_and_what_it_includes() -> None:
    sets = {
        "base": ToolSet("base", "", frozenset({"byName"}), frozenset()),
        "more": ToolSet("more", "", frozenset({"extra", "notThereYet"}), frozenset({"base"})),
        "round": ToolSet("round", "", frozenset(), frozenset({"round", "more"})),
    }
    tools = Registry([make("byName"), make("bySet", "base"), make("extra"), make("elsewhere", "other")], sets)
    assert list(tools.chosen({"base"})) == ["byName", "bySet"]
    assert list(tools.chosen({"more"})) == ["byName", "bySet", "extra"]
    assert list(tools.chosen({"round"})) == ["byName", "bySet", "extra"]
    assert list(tools.chosen({"unheardOf"})) == []


def test_every_set_is_named_as_its_key_and_includes_only_sets_that_exist() -> None:
    assert {
        "core",
        "chatbot",
        "chatbotWeb",
        "editor",
        "map",
        "playground",
        "skills",
        "studio",
        "trustee",
    } == TOOL_SETS.keys()
    assert all(name == found.name and found.includes <= TOOL_SETS.keys() for name, found in TOOL_SETS.items())
    ours = set(discover(*TOOL_PACKAGES).chosen({"core"}))
    assert ours >= {"writeNote", "addTodos", "currentTime", "calculate", "askUser", "readResult"}
    assert all(set(discover(*TOOL_PACKAGES).chosen({name})) >= ours for name in TOOL_SETS)


async def test_tools_and_sets_over_http(world: World) -> None:
    tools = {found["name"]: found for found in (await world.call("rita", "GET", "/api/tools")).json()}
    assert (tools["deleteNote"]["effect"], tools["deleteNote"]["asks"]) == ("ours", True)
    assert tools["listNotes"]["asks"] is False
    assert tools["addTodos"]["parameters"]["required"] == ["titles"]
    sets = {found["name"]: found["tools"] for found in (await world.call("rita", "GET", "/api/tool-sets")).json()}
    assert sets.keys() == TOOL_SETS.keys()
    assert "writeNote" in sets["trustee"]
    assert (await world.call(None, "GET", "/api/tools")).status_code == 401


async def test_texts_of_tools_over_http(world: World) -> None:
    path = "/api/tool-texts?language="
    answer = await world.call("rita", "GET", path + "de")
    texts = answer.json()
    assert texts.keys() == names(world.services.tools)
    assert texts["deleteNote"]["confirmation"].startswith("Die Notiz „{name}“ löschen?")
    assert texts["readFile"]["activities"]["page"] == "Seite {page} lesen: {file}"
    assert texts["currentTime"] == {"label": "nennt Datum und Uhrzeit"}
    assert (await world.call("rita", "GET", path + "en")).json()["currentTime"] == {"label": "tells date and time"}
    assert answer.headers["cache-control"] == "private, no-cache"
    again = await world.call("rita", "GET", path + "de", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await world.call("rita", "GET", path + "xx")).status_code == 422
    assert (await world.call(None, "GET", path + "de")).status_code == 401


async def test_a_workspace_chooses_a_set_that_exists(world: World) -> None:
    path = f"/api/instances/{world.instances['lab'].id}"
    assert (await world.call("alice", "PATCH", path, {"toolSet": "chatbot"})).json()["toolSet"] == "chatbot"
    assert (await world.call("alice", "PATCH", path, {"name": "Laboratory"})).json()["toolSet"] == "chatbot"
    assert (await world.call("alice", "GET", path)).json()["toolSet"] == "chatbot"
    refused = await world.call("alice", "PATCH", path, {"toolSet": "everything"})
    assert (refused.status_code, refused.json()["details"]) == (422, {"field": "toolSet"})
    assert (await world.call("bob", "PATCH", path, {"toolSet": "core"})).status_code == 403
