"""The tasks are valid and spread over kinds and languages, and doing nothing is never a success."""

from __future__ import annotations

from collections import Counter
from uuid import UUID, uuid5

import pytest
from evals.checks import problems
from evals.text_match import contains
from evals.tools.checks import AnswerCheck, CalculationCheck, CallCheck, CitationCheck, PlanCheck
from evals.tools.evidence import Contents, Evidence, FileState, NoteState, TodoState
from evals.tools.tasks import Task, TaskKind, all_tasks, selected
from evals.turns import Turn

from workroom.core.errors import InvalidInput
from workroom.core.languages import LANGUAGES

NAMESPACE = UUID(int=15)
MOST_ANSWER_CHECKS = 25
TASKS = all_tasks()


def contents(task: Task) -> Contents:
    """A workspace as the task sets it up."""
    return Contents(
        notes=[NoteState(note.title, note.text) for note in task.notes],
        todos=[TodoState(todo.title, todo.due, todo.done) for todo in task.todos],
        files=[FileState(uuid5(NAMESPACE, file.name), file.name, file.text or "") for file in task.files],
    )


def test_there_are_as_many_tasks_in_every_language_with_ids_of_their_own() -> None:
    assert Counter(task.language for task in TASKS) == dict.fromkeys(LANGUAGES, 19)
    assert len({task.id for task in TASKS}) == 95


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_occurs_in_every_language(language: str) -> None:
    assert {task.kind for task in TASKS if task.language == language} == set(TaskKind)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_model_that_does_nothing_fails(task: Task) -> None:
    untouched = contents(task)
    silent = Turn()
    assert problems(task.checks, Evidence(untouched, untouched, [silent] * len(task.messages)))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_what_a_task_names_is_in_its_set_up(task: Task) -> None:
    """A name that an answer must contain stands in the data and not in the question, else it could be repeated or guessed."""
    material = "\n".join(
        [
            *(f"{note.title} {note.text}" for note in task.notes),
            *(f"{file.name} {file.text or ''} {' '.join(file.pages)}" for file in task.files),
        ]
    )
    for check in task.checks:
        match check:
            case AnswerCheck(name=str(name)) if name:
                assert contains(material, name)
                assert not contains(" ".join(task.messages), name)
            case CitationCheck(file=str(name)) | CallCheck(file=str(name)):
                assert name in {file.name for file in task.files}
            case PlanCheck():
                assert task.agent == "navigator"


def test_answers_are_read_rarely_and_only_where_there_are_data() -> None:
    reading = [task for task in TASKS if any(isinstance(check, AnswerCheck) for check in task.checks)]
    assert len(reading) <= MOST_ANSWER_CHECKS
    assert all(task.files or task.notes for task in reading)


def test_sums_are_checked_by_what_the_calculator_came_to() -> None:
    sums = [task for task in TASKS if task.kind is TaskKind.SUMS]
    assert all(any(isinstance(check, CalculationCheck) for check in task.checks) for task in sums)


def test_some_confirmations_are_refused() -> None:
    assert {task.id for task in TASKS if not task.confirms} == {"de-refusals-1", "zh-refusals-1"}


def test_selectors_of_one_sort_are_alternatives_and_of_two_sorts_both_hold() -> None:
    assert {task.language for task in selected(TASKS, ["de", "fr"])} == {"de", "fr"}
    assert [task.id for task in selected(TASKS, ["de", "notes"])] == ["de-notes-1", "de-notes-2"]
    assert [task.id for task in selected(TASKS, ["zh-sums-1"])] == ["zh-sums-1"]
    assert [task.id for task in selected(TASKS, ["en"], limit=1)] == ["en-notes-1"]
    assert len(selected(TASKS, [])) == 95


def test_an_unknown_selector_is_named() -> None:
    with pytest.raises(InvalidInput, match="klingon"):
        selected(TASKS, ["klingon"])
