"""Which tool a wish orders, by rules: what begins as a command does and is about nothing else, in five languages."""

from __future__ import annotations

import pytest
from evals.tools.checks import CalculationCheck, CallCheck, NoteCheck, TodoCheck
from evals.tools.tasks import Task, TaskKind, all_tasks

from workroom import tools
from workroom.agent.registry import discover
from workroom.models.embedded.command_matching import likeness, ordered_tool
from workroom.models.embedded.language import LANGUAGES
from workroom.tools.arithmetic.formula import value_of
from workroom.tools.arithmetic.numbers import shown

TOOLS = [tool.schema for tool in discover(tools)]
BASICS = [task for task in all_tasks() if task.kind is TaskKind.BASICS]


def wanted(task: Task) -> str:
    match task.checks[0]:
        case NoteCheck():
            return "writeNote"
        case TodoCheck(done=done):
            return "updateTodo" if done else "addTodos"
        case CalculationCheck():
            return "calculate"
        case CallCheck(tools=[name]):
            return name
        case _:
            return "readNote"


@pytest.mark.parametrize("task", BASICS, ids=lambda task: task.id)
def test_a_task_of_one_step_is_recognised(task: Task) -> None:
    assert ordered_tool(task.messages[0], TOOLS) == wanted(task)


@pytest.mark.parametrize(
    "text",
    [
        "What did we decide about the flower pots?",
        "Wer hat die Notiz über den Keller geschrieben?",
        "I must say that was a good note.",
        "Je dois partir bientôt, que faire ?",
        "Qual é a lista de tarefas da reunião de ontem?",
        "12 Leute kommen, 40 % davon mit dem Zug.",
        "这份合同的主要条款是什么？",
        "hello",
    ],
)
def test_what_asks_for_something_else_orders_nothing(text: str) -> None:
    assert ordered_tool(text, TOOLS) is None


@pytest.mark.parametrize(
    ("language", "text", "result"),
    [
        ("en", "How much is 12.5 % of 840?", "105"),
        ("en", "what is 20 percent of 1250", "250"),
        ("de", "Wie viel sind 12,5 % von 840?", "105"),
        ("de", "Was gibt 8,1 Prozent von 1’250?", "101.25"),
        ("fr", "Combien font 12,5 % de 840 ?", "105"),
        ("pt", "Quanto é 12,5 % de 840?", "105"),
        ("zh", "840 的 12.5% 是多少？", "105"),
    ],
)
def test_a_share_of_a_number_is_a_sum(language: str, text: str, result: str) -> None:
    suggested = likeness(text, TOOLS, LANGUAGES[language])
    assert suggested is not None
    assert suggested.arguments is not None
    assert suggested.tool.name == "calculate"
    assert shown(value_of(suggested.arguments["expression"])) == (result, True)


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", 'Put "Water the plants" on my list.', "Water the plants"),
        ("de", "Setze „Pflanzen giessen“ auf meine Liste.", "Pflanzen giessen"),
        ("fr", "Mets « Arroser les plantes » sur ma liste.", "Arroser les plantes"),
    ],
)
def test_what_stands_in_quotation_marks_is_meant(language: str, text: str, title: str) -> None:
    suggested = likeness(text, TOOLS, LANGUAGES[language])
    assert suggested is not None
    assert (suggested.tool.name, suggested.arguments) == ("addTodos", {"titles": [title]})
