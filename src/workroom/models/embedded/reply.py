"""What the embedded default answers to a request. A pure function: the same request gets the same answer."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.core.messages import Message, OpaquePart, ResultPart, Role
from workroom.core.results import ResultStatus
from workroom.core.sidecars import in_language
from workroom.core.tool_texts import phrases_by_language
from workroom.models.embedded import commands
from workroom.models.embedded.command_matching import likeness, ordered_tool
from workroom.models.embedded.file_answers import answer_from_files
from workroom.models.embedded.language import LANGUAGES, WORDS, Language, language_of
from workroom.models.embedded.rendering import rendered
from workroom.models.ports import Forcing, ModelRequest, ToolSchema

PROVIDER, MODEL = "embedded", "default"
ASK, HAND_OFF = "askUser", "handOff"
YES = "1"  # the first of the two choices
LONGEST_CHOICE = 400


@dataclass(frozen=True)
class ToolInvocation:
    """A tool and the arguments to call it with."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """`call` is carried out now; `proposed` is what a yes to it would mean."""

    text: str = ""
    call: ToolInvocation | None = None
    proposed: ToolInvocation | None = None


def reply_to(request: ModelRequest) -> Reply:
    messages = _without_handoff(request.messages)
    user_texts = (message.text for message in reversed(messages) if message.role is Role.USER)
    phrases = phrases_by_language(tool.texts for tool in request.tools)
    language = language_of(user_texts, request.language, phrases)
    tools = () if request.forcing is Forcing.NONE else request.tools
    if messages and messages[-1].role is Role.TOOL:
        return _after_results(messages, tools, language)
    text = messages[-1].text.strip() if messages else ""
    if messages and (skill := messages[-1].skill) is not None:
        return Reply("\n\n".join([language.say("skillNeedsModel", name=skill.name), language.say("setup")]))
    if (typed := commands.typed_command(text)) is not None:
        return _command(typed, tools, language)
    if (needs := f"team.{request.team}.needs") in language.texts:
        example = language.say(f"team.{request.team}.example")
        return Reply("\n\n".join([language.say(needs), language.say("setup"), example]))
    if is_greeting(text, language):
        introduction = [language.say("explain"), language.say("setup"), listed(tools, language)]
        return _labelled("\n\n".join(introduction), language)
    materials = messages[-1].materials if messages and ordered_tool(text, tools) is None else []
    if materials:
        return _labelled(answer_from_files(materials, text, language), language)
    return _wish(text, tools, language)


def _without_handoff(messages: Sequence[Message]) -> Sequence[Message]:
    """Up to the question, if another agent handed it over: its call is no result to show."""
    while len(messages) > 2 and _is_handoff(messages[-1]):
        messages = messages[:-2]
    return messages


def _is_handoff(message: Message) -> bool:
    results = [part for part in message.parts if isinstance(part, ResultPart)]
    return bool(results) and all(part.tool == HAND_OFF and part.result.status is ResultStatus.OK for part in results)


def _after_results(messages: Sequence[Message], tools: Sequence[ToolSchema], language: Language) -> Reply:
    """A yes runs what was proposed; everything else is shown."""
    results = [part for part in messages[-1].parts if isinstance(part, ResultPart)]
    proposed = _proposed(messages[-2]) if len(messages) > 1 else None
    if proposed is not None:
        if any(part.tool == ASK and part.result.data.get("choiceId") == YES for part in results):
            may = commands.find(proposed.tool, tools) is not None
            return Reply(call=proposed) if may else _labelled(language.say("noTools"), language)
        return _labelled(language.say("declined"), language)
    shown = "\n\n".join(rendered(part.result, language) for part in results)
    return Reply(shown) if _has_proposed(messages) else _labelled(shown, language)


def _has_proposed(messages: Sequence[Message]) -> bool:
    """Whether this answer began with a proposal, which said already that there is no model."""
    since = itertools.takewhile(lambda message: message.role is not Role.USER, reversed(messages))
    return any(_proposed(message) is not None for message in since)


def _proposed(message: Message) -> ToolInvocation | None:
    """What this model itself proposed; the words of another model's question are no orders."""
    for part in message.parts:
        if isinstance(part, OpaquePart) and (part.provider, part.model) == (PROVIDER, MODEL):
            return ToolInvocation(str(part.data.get("tool", "")), dict(part.data.get("arguments", {})))
    return None


def _command(typed: commands.TypedCommand, tools: Sequence[ToolSchema], language: Language) -> Reply:
    tool = commands.find(typed.name, tools)
    if tool is None and typed.name.lower() in commands.HELP:
        asked = commands.find(typed.rest.lstrip("/"), tools) if typed.rest else None
        return _labelled(_described(asked, language) if asked else listed(tools, language), language)
    if tool is None:
        if not tools:
            return _labelled(language.say("noTools"), language)
        near = ", ".join(f"`/{name}`" for name in commands.nearest(typed.name, tools))
        guess = language.say("nearest", names=near) if near else listed(tools, language)
        return _labelled(f"{language.say('unknown', name=typed.name[:60])} {guess}", language)
    given = commands.read(tool, typed.rest, language)
    return (
        _labelled(given.problem, language) if given.problem else Reply(call=ToolInvocation(tool.name, given.arguments))
    )


def _wish(wish: str, tools: Sequence[ToolSchema], language: Language) -> Reply:
    """Suggests, and waits for a yes. Without a way to ask, it says what to type."""
    found = likeness(wish, tools, language) if wish else None
    if found is None:
        return _labelled(language.say("noMatch" if tools else "noTools"), language)
    if found.arguments is None:
        lead = language.say("incomplete", does=_label(found.tool, language))
        return _labelled(f"{lead}\n\n{commands.usage(found.tool)}", language)
    wanted = _in_words(found.tool, found.arguments, language)
    if commands.find(ASK, tools) is None or len(wanted) > LONGEST_CHOICE:
        command = commands.written(found.tool.name, found.arguments)
        text = f"{language.say('resembles')} {language.say('writeIt')}\n\n```\n{command}\n```"
        return _labelled(text, language)
    question = {"question": language.say("shallI"), "options": [wanted, language.say("no")]}
    text = _labelled(language.say("resembles"), language).text
    return Reply(text, ToolInvocation(ASK, question), ToolInvocation(found.tool.name, found.arguments))


def _in_words(tool: ToolSchema, arguments: Mapping[str, Any], language: Language) -> str:
    """What a yes runs, all of it, each thing once, without the names that only machines call it by."""
    text = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for given in arguments.values()
        for value in (given if isinstance(given, list) else [given])
    ]
    does = _label(tool, language)
    does = f"{does[:1].upper()}{does[1:]}"
    return language.say("pair", label=does, text=", ".join(dict.fromkeys(text))) if text else does


def listed(tools: Sequence[ToolSchema], language: Language) -> str:
    if not tools:
        return ""
    lines = [f"- {commands.usage(tool)} {_label(tool, language)}" for tool in sorted(tools, key=lambda tool: tool.name)]
    return "\n".join([language.say("commands"), "", *lines])


def _described(tool: ToolSchema, language: Language) -> str:
    """What its author wrote is English: for those who read that, or when there is nothing else."""
    parts = [commands.usage(tool), _label(tool, language)]
    if language.code == "en" or language.code not in tool.texts:
        parts.append(tool.description.strip())
    return "\n\n".join(parts)


def _label(tool: ToolSchema, language: Language) -> str:
    """The tool's label in the language of the conversation or in English, else the first line of its description."""
    texts = in_language(tool.texts, language.code)
    return texts.label if texts else tool.description.strip().split("\n", 1)[0][:160]


def is_greeting(text: str, language: Language) -> bool:
    """Or the question what one is talking to. Something longer is a wish, even if it is polite."""
    plain = text.lower().strip(" \t\n!?.,！？。，")
    if not plain or any(plain == word for word in (*language.greetings, *language.help)):
        return True
    return any(phrase in plain for phrase in language.help) and len(WORDS.findall(plain)) <= 12


def is_small_talk(text: str) -> bool:
    """A greeting, or a question about the assistant, in any of the languages: files have nothing to say to that."""
    return len(text) <= LONGEST_CHOICE and any(is_greeting(text, language) for language in LANGUAGES.values())


def _labelled(text: str, language: Language) -> Reply:
    return Reply(f"{text.strip()}\n\n{language.say('label')}".strip())
