"""Which tools a model is told of: what the workspace has, what the conversation came to, and nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agent.offers import EVERYTHING, HELLO, TOOLS
from workroom.agent.testing import call
from workroom.agent.tool_offer import FEW, FIND_TOOLS, MOST_FOUND, matching, offered
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, ResultPart, Role, TextPart
from workroom.core.places import file_place
from workroom.core.results import ResultStatus, ToolResult


def result(message: str, status: ResultStatus = ResultStatus.OK) -> Message:
    made = ResultPart(call_id=new_id(), tool="x", result=ToolResult(status=status, message=message))
    return Message(id=new_id(), role=Role.TOOL, parts=[made])


def names(contents: Any, *messages: Message) -> list[str]:
    return list(offered(TOOLS, contents, [HELLO, *messages]))


@pytest.mark.requirement("B1")
def test_an_empty_workspace_has_tools_for_making_something_alone() -> None:
    empty = names(frozenset())
    assert {"addTodos", "askUser", "calculate", "currentTime", "writeFile", "writeNote"} <= set(empty)
    assert not any(TOOLS[name].needs for name in empty)
    finder = offered(TOOLS, frozenset(), [HELLO])[FIND_TOOLS]
    assert finder.description.endswith("There are: generateDocument, manage_skill."), (
        "nothing else is left out that could be used here"
    )


@pytest.mark.requirement("B1")
@pytest.mark.parametrize(
    ("content", "tools"),
    [
        ("notes", {"listNotes", "readNote", "editNote", "deleteNote"}),
        ("todos", {"listTodos", "updateTodo", "removeTodo"}),
        ("files", {"listFiles", "readFile", "searchFiles", "summarizeContent", "browseContainer"}),
    ],
)
def test_what_there_is_brings_its_tools_behind_those_that_are_always_there(content: str, tools: set[str]) -> None:
    empty, there = [name for name in names(frozenset()) if name != FIND_TOOLS], names({content})
    usual = [name for name in there if name != FIND_TOOLS]
    assert set(usual) == {*empty, *tools}
    assert usual[: len(empty)] == empty, "the beginning of the prompt stays as it was"
    assert set(names(None)) >= set(usual), "what is not known is not left out"


@pytest.mark.requirement("B1")
def test_rare_tools_are_named_once_and_offered_when_the_conversation_comes_to_them() -> None:
    before = names(EVERYTHING)
    rare = sorted(name for name, one in TOOLS.items() if one.rare)
    assert len(rare) > 4
    assert not set(rare) & set(before)
    description = offered(TOOLS, EVERYTHING, [HELLO])[FIND_TOOLS].description
    assert description.endswith(f"There are: {', '.join(rare)}.")
    called = Message(id=new_id(), role=Role.ASSISTANT, parts=[call("tagFile", fileId="a")])
    after = names(EVERYTHING, called, result("extractContent: Read a single element"))
    assert after == [*before, "tagFile", "extractContent"], "in the order in which they came, and behind the others"
    assert offered(TOOLS, EVERYTHING, [HELLO, called])[FIND_TOOLS].description == description, "which stays the same"
    listed = result(f"The tools you may use are: {', '.join(TOOLS)}.", ResultStatus.ERROR)
    assert names(EVERYTHING, listed) == before, "an error may list all there are"


def test_an_agent_with_few_tools_is_told_of_all_of_them() -> None:
    few = {name: TOOLS[name] for name in ("tagFile", "moveFile", "readFile", FIND_TOOLS)}
    assert list(offered(few, frozenset(), [HELLO])) == ["tagFile", "moveFile", "readFile"]
    assert len(TOOLS) > FEW


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("tagFile", "tagFile"), ("add tags to a file", "tagFile"), ("move a file to another folder", "moveFile"),
        ("OCR of a scan", "extractContent"), ("take a file out of the archive", "saveContainerItem"),
        ("what is on this picture", "analyzeContent"), ("Datei verschieben", "moveFile"),
    ],
)  # fmt: skip
def test_tools_are_found_by_name_and_by_what_they_do(query: str, first: str) -> None:
    found = [one.name for one in matching([one for one in TOOLS.values() if one.rare], query)]
    assert found[0] == first
    assert len(found) <= MOST_FOUND


def test_nothing_is_found_for_what_no_tool_does() -> None:
    assert matching(TOOLS.values(), "zzz") == []
    assert matching(TOOLS.values(), "") == []


def test_material_of_a_file_elsewhere_brings_tools_for_files() -> None:
    read = MaterialPart(kind="text", place=file_place("own.pdf"), text="words", read_for=new_id())
    asked = Message(id=new_id(), role=Role.USER, parts=[TextPart(text="hello"), read])
    assert "readFile" in names(frozenset(), asked)
    assert "readFile" not in names(frozenset())


@pytest.mark.requirement("J3")
@pytest.mark.parametrize("tool", ["readFile", "searchFiles", "listFiles"])
def test_changing_a_file_is_offered_once_one_was_read(tool: str) -> None:
    asked = Message(id=new_id(), role=Role.ASSISTANT, parts=[call(tool, fileId="a.md")])
    assert "applyFileEdit" not in names(EVERYTHING)
    assert names(EVERYTHING, asked) == [*names(EVERYTHING), "applyFileEdit"]
    assert "applyFileEdit" not in names(EVERYTHING, asked.model_copy(update={"parts": [call("listNotes")]}))
