"""Which of its tools an agent's model is told of. Schemas are read and paid for in every round: what the workspace has nothing
for is left out, and what is rarely wanted stands behind `findTools`.

The order keeps prompts alike from round to round: tools for every day, then those for what the workspace has, then rare ones
that this conversation has come to, because a call or a result names them, or a file was read that they
could change. Whatever an agent may use can be called, offered or not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from workroom.agent.tool import Tool, WorkspaceContent
from workroom.core.messages import CallPart, MaterialPart, Message, ResultPart
from workroom.core.results import ResultStatus

FIND_TOOLS = "findTools"
FEW = 12  # an agent with no more tools is told of all of them
MOST_FOUND = 4
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def offered(
    tools: Mapping[str, Tool], contents: Collection[WorkspaceContent] | None, messages: Sequence[Message]
) -> Mapping[str, Tool]:
    """`contents`: what there is in the workspace; None when that is not known. `messages`: the whole conversation."""
    finder = tools.get(FIND_TOOLS)
    if finder is None or len(tools) <= FEW:
        return {name: tool for name, tool in tools.items() if tool is not finder}
    there = {*contents, "files"} if contents is not None and reads_files(messages) else contents
    usable = [tool for tool in tools.values() if there is None or tool.needs is None or tool.needs in there]
    rare = {tool.name: tool for tool in usable if tool.rare}
    usual = [tool for tool in usable if not tool.rare and tool is not finder]
    always = [tool for tool in usual if tool.needs is None]
    dependent = sorted((tool for tool in usual if tool.needs), key=lambda tool: (tool.needs, tool.name))
    more = [replace(finder, description=f"{finder.description} There are: {', '.join(sorted(rare))}.")] if rare else []
    come_to = [rare[name] for name in _named(messages, rare, tools)]
    return {tool.name: tool for tool in [*always, *more, *dependent, *come_to]}


def reads_files(messages: Iterable[Message]) -> bool:
    """Whether something of a file was read for this conversation, wherever the file is."""
    return any(isinstance(part, MaterialPart) for message in messages for part in message.parts)


def matching(tools: Iterable[Tool], query: str) -> list[Tool]:
    """The tools that the query names or describes, best first. A word counts the more the fewer tools it is about."""
    known = {tool.name: (tool, _words(tool)) for tool in tools}
    scores = dict.fromkeys(known, 0.0)
    for word in {word.casefold() for word in _WORD.findall(f"{query} {_HUMP.sub(' ', query)}")}:
        about = [name for name, (_, words) in known.items() if any(_alike(word, other) for other in words)]
        for name in about:
            scores[name] += 1 / len(about)
    least = max(scores.values(), default=0.0) / 2
    best = sorted((name for name, score in scores.items() if score > least), key=lambda name: (-scores[name], name))
    return [known[name][0] for name in best[:MOST_FOUND]]


def _words(tool: Tool) -> set[str]:
    """Of its name, whole and in parts, its description, and what people call it."""
    texts = [text for one in tool.texts.values() for text in (one.label, *one.phrases)]
    return {
        word.casefold()
        for word in _WORD.findall(" ".join([tool.name, _HUMP.sub(" ", tool.name), tool.description, *texts]))
    }


def _alike(*words: str) -> bool:
    """Beginnings are enough: `tags` is like `tag`."""
    short, long = sorted(words, key=len)
    return len(short) > 2 and long.startswith(short)


def _named(messages: Sequence[Message], rare: Mapping[str, Tool], tools: Mapping[str, Tool]) -> list[str]:
    """Names of rare tools in calls and results, in the order of their first appearance, and of those that reading files brings.
    Errors do not count: they may list every tool there is."""
    if not rare:
        return []
    brought: dict[str, None] = dict.fromkeys(name for name, tool in rare.items() if tool.after_reading)
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, rare))})\b")
    found: dict[str, None] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, CallPart) and part.tool in rare:
                found[part.tool] = None
            elif isinstance(part, MaterialPart) or (isinstance(part, CallPart) and _reads_files(tools.get(part.tool))):
                found |= brought
            elif isinstance(part, ResultPart) and part.result.status is not ResultStatus.ERROR:
                found |= dict.fromkeys(names.findall(part.result.text()))
    return list(found)


def _reads_files(tool: Tool | None) -> bool:
    return tool is not None and tool.effect == "read" and tool.needs == "files"
