"""The reset: the words by which a model is told that it is another agent from now on, for its first answer after a switch.

Made of parts, not of ten prompts: sentences in the agent's language, chosen by the strategy's assertiveness and handling, and
put into the form of its template. Models keep to how a conversation went; each kind is got out of that by another form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workroom.core.texts import texts
from workroom.models.catalogue.strategies import Degree, Handling, SwitchStrategy, Template


@dataclass(frozen=True)
class AgentIdentity:
    """Who the model shall be: its name, and what makes it that agent."""

    name: str
    instructions: str


@dataclass(frozen=True)
class ResetSentences:
    """The sentences of one reset, in the language of the agent."""

    ended: str
    identity: str
    history: str
    manner: str
    force: str
    more: tuple[str, ...]
    task: str
    instructions: str


def reset(before: str, now: AgentIdentity, strategy: SwitchStrategy, language: str) -> str:
    """`before` is the name of the agent that answered until now. The agent's own instructions are part of it."""
    parts = sentences(before, now, strategy, language)
    return _TEMPLATES[strategy.template](parts).strip()


def sentences(before: str, now: AgentIdentity, strategy: SwitchStrategy, language: str) -> ResetSentences:
    words = texts(__package__, language)

    def say(key: str) -> str:
        return words[key].format(old=_name(before), new=_name(now.name))

    gentle = Handling.GENTLE in strategy.handling
    return ResetSentences(
        ended=say("endedGently" if gentle else "ended"),
        identity=say("identity"),
        history=say("history"),
        manner=say("mannerGently" if gentle else "manner"),
        force=say(f"force.{strategy.assertiveness}") if strategy.assertiveness is not Degree.LOW else "",
        more=tuple(
            say(f"handling.{one}") for one in Handling if one in strategy.handling and f"handling.{one}" in words
        ),
        task=say("task"),
        instructions=now.instructions.strip(),
    )


def _name(name: str) -> str:
    """One line, and nothing that would end a tag or a sentence of ours: people name agents as they like."""
    return " ".join(name.replace("<", "").replace(">", "").split())[:100] or "?"


def _hierarchical(parts: ResetSentences) -> str:
    """Numbered by priority: what comes first counts more."""
    levels = [f"{parts.ended} {parts.force}".strip(), f"{parts.identity} {parts.manner}", parts.instructions]
    levels += [" ".join([parts.history, *parts.more, parts.task])]
    return "\n\n".join(f"[P{number}] {text}" for number, text in enumerate(levels, 1) if text)


def _simple(parts: ResetSentences) -> str:
    opening = " ".join(filter(None, [parts.ended, parts.identity, parts.force]))
    return "\n\n".join(
        filter(None, [opening, parts.instructions, " ".join([parts.history, parts.manner, *parts.more, parts.task])])
    )


def _minimal(parts: ResetSentences) -> str:
    return "\n".join(filter(None, [parts.identity, parts.instructions, *parts.more]))


def _reasoning(parts: ResetSentences) -> str:
    """Steps to think through; the last one checks the answer."""
    steps = [parts.ended, parts.history, f"{parts.identity} {parts.manner}", *parts.more, parts.task]
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(filter(None, steps), 1))
    return "\n\n".join(filter(None, [parts.force, listed, parts.instructions]))


def _direct_command(parts: ResetSentences) -> str:
    orders = [parts.ended, parts.identity, parts.force, parts.manner, *parts.more]
    return (
        "\n".join(f"• {order}" for order in orders if order)
        + f"\n\n{parts.instructions}\n\n{parts.history} {parts.task}"
    )


def _direct_simple(parts: ResetSentences) -> str:
    return "\n\n".join(
        filter(None, [f"{parts.identity} {parts.manner}", parts.instructions, " ".join([*parts.more, parts.task])])
    )


def _xml_tags(parts: ResetSentences) -> str:
    ended = " ".join(filter(None, [parts.ended, parts.force, parts.history]))
    identity = " ".join([parts.identity, parts.manner, *parts.more])
    return (
        f"<system_reset>\n{ended}\n</system_reset>\n\n"
        f"<new_identity>\n{identity}\n\n{_within(parts.instructions)}\n</new_identity>\n\n{parts.task}"
    )


def _within(text: str) -> str:
    """Instructions cannot end the tag they stand in."""
    for tag in ("system_reset", "new_identity"):
        text = text.replace(f"</{tag}", f"< /{tag}")
    return text


_TEMPLATES: Mapping[Template, Callable[[ResetSentences], str]] = {
    Template.HIERARCHICAL: _hierarchical,
    Template.SIMPLE: _simple,
    Template.MINIMAL: _minimal,
    Template.REASONING: _reasoning,
    Template.DIRECT_COMMAND: _direct_command,
    Template.DIRECT_SIMPLE: _direct_simple,
    Template.XML_TAGS: _xml_tags,
}
