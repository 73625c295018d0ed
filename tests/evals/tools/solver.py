"""A scripted model that solves every task from its checks, with the same tools and ids as a real one. It proves that a task can
be solved: one that cannot would count against every model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evals.text_match import contains
from evals.tools.checks import (
    AnswerCheck,
    CalculationCheck,
    CallCheck,
    Check,
    CitationCheck,
    FileCheck,
    NoteCheck,
    PauseCheck,
    PlanCheck,
    TodoCheck,
    Words,
)
from evals.tools.evidence import Contents, Evidence, NoteState, TodoState
from evals.tools.tasks import Task

from workroom.agent.planning.model_planner import SUBMIT
from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer

Step = Callable[[Sequence[str]], Call]
"""A call, made of the results of the calls before it."""

INTENTS = {"geolocation.geocode": "goto_address", "layers.search": "load_layer", "oereb.egrid_by_xy": "oereb_extract"}
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "geolocation.geocode": {"query": "Hauptgasse 12, Solothurn"},
    "layers.search": {"query": "Gewässerschutz"},
    "oereb.egrid_by_xy": {"x": 2600513, "y": 1215519},
}
EXTRACT = {"tool": "oereb.extract_by_id", "arguments": {"egrid": {"$selection": "/egrid"}}}


class Solver:
    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks

    def __call__(self, request: ReceivedRequest) -> ScriptedAnswer:
        """Everything is done at the first message; later ones are answered in words."""
        task = next(task for task in self._tasks if request.question in task.messages)
        if SUBMIT in request.tools:
            return Reply(calls=[Call(SUBMIT, {"steps": list(_planned(task))})])
        steps = list(_steps(task)) if request.question == task.messages[0] else []
        done = len(request.results)
        if done < len(steps):
            return Reply(calls=[steps[done](request.results)])
        return Reply(" ".join(_answer(task, request.results)) or "Done.")


def _steps(task: Task) -> Iterator[Step]:
    """What is true already, by the set-up or by an earlier step, needs no call."""
    contents = Contents(
        [NoteState(note.title, note.text) for note in task.notes],
        [TodoState(todo.title, todo.due, todo.done) for todo in task.todos],
    )
    for check in task.checks:
        if isinstance(check, NoteCheck | TodoCheck) and check.problem(Evidence(after=contents)) is None:
            continue
        match check:
            case NoteCheck():
                yield from _note_steps(check, task)
                others = [note for note in contents.notes if not contains(note.title, check.title)]
                written = [NoteState(_written(check.title), _written(check.text))] if check.exists else []
                contents = Contents([*others, *written], contents.todos)
            case TodoCheck():
                yield from _todo_steps(check, task)
                todo = TodoState(_written(check.title), check.due, bool(check.done))
                contents = Contents(contents.notes, [*contents.todos, todo])
            case _:
                yield from _other_steps(check, task)


def _note_steps(check: NoteCheck, task: Task) -> Iterator[Step]:
    title = next((note.title for note in task.notes if contains(note.title, check.title)), None)
    if title is None:
        yield lambda _: Call("writeNote", {"title": _written(check.title) or "Note", "text": _written(check.text)})
    elif check.exists:
        yield lambda _: Call("listNotes")
        yield lambda results: Call("editNote", {"noteId": _id(results, title), "text": _written(check.text)})
    else:
        yield lambda _: Call("listNotes")
        yield lambda results: Call("deleteNote", {"noteId": _id(results, title)})


def _todo_steps(check: TodoCheck, task: Task) -> Iterator[Step]:
    due = {} if check.due is None else {"due": check.due.isoformat()}
    done = {} if check.done is None else {"done": check.done}
    title = next((todo.title for todo in task.todos if contains(todo.title, check.title)), None)
    if title is not None:
        yield lambda _: Call("listTodos")
        yield lambda results: Call("updateTodo", {"todoId": _id(results, title), **due, **done})
        return
    yield lambda _: Call("addTodos", {"titles": [_written(check.title)], **due})
    if check.done:
        yield lambda results: Call("updateTodo", {"todoId": _id(results, _written(check.title)), **done})


def _other_steps(check: Check, task: Task) -> Iterator[Step]:
    match check:
        case FileCheck(exists=True) if any(file.name == check.name for file in task.files):
            if check.folder:
                yield lambda _: Call("moveFile", {"fileId": check.name, "folder": check.folder})
            if check.tags:
                yield lambda _: Call("tagFile", {"fileId": check.name, "add": check.tags})
        case FileCheck(exists=True):
            folder = {"folder": check.folder} if check.folder else {}
            yield lambda _: Call("writeFile", {"name": check.name, "text": _written(check.text), **folder})
        case CalculationCheck():
            yield lambda _: Call("calculate", {"expression": str(check.result)})
        case CitationCheck(cited=True):
            yield lambda _: Call("searchFiles", {"query": task.messages[0]})
        case CallCheck(tools=["listNotes" | "currentTime" as tool]):
            yield lambda _: Call(tool)
        case PauseCheck() if not task.confirms:
            title = task.notes[0].title
            yield lambda _: Call("listNotes")
            if check.kinds == ["proposal"]:
                yield lambda results: Call("editNote", {"noteId": _id(results, title), "text": "Something else."})
            else:
                yield lambda results: Call("deleteNote", {"noteId": _id(results, title)})


def _planned(task: Task) -> Iterator[dict[str, Any]]:
    for check in task.checks:
        if isinstance(check, PlanCheck):
            calls: list[Any] = [{"tool": check.tool, "arguments": ARGUMENTS[check.tool]}]
            more = [EXTRACT] if check.tool == "oereb.egrid_by_xy" else []
            yield {"intent": INTENTS[check.tool], "toolCalls": calls + more}


def _answer(task: Task, results: Sequence[str]) -> Iterator[str]:
    for check in task.checks:
        match check:
            case AnswerCheck(number=None):
                yield _written(check.name)
            case AnswerCheck():
                yield str(check.number)
            case CitationCheck(cited=True):
                mark = re.search(rf"of {re.escape(check.file)}\] \[\[(\w+)\]\]", results[-1])
                assert mark, f"{check.file} was not found: {results[-1]}"
                yield f"[[{mark[1]}]]"


def _written(words: Words) -> str:
    """A text that contains them."""
    return " ".join(word.split("|")[0] for word in ([words] if isinstance(words, str) else words))


def _id(results: Sequence[str], title: str) -> str:
    """Of what has this title in the last list."""
    match = re.search(rf'"id":"([\w-]+)","title":"{re.escape(title)}"', results[-1])
    assert match, f"{title} is not in {results[-1]}"
    return match[1]
