"""Having the content judged in several respects, by a model that is shown what it is to achieve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import Conflict
from workroom.core.languages import Language
from workroom.core.results import ToolResult
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.runs.call_agents import calling_agent
from workroom.studio import evaluations
from workroom.studio.errors import NothingWritten
from workroom.studio.types import (
    LONGEST_LINE,
    LONGEST_REASON,
    MOST_SUGGESTIONS,
    Block,
    BlockText,
    ContentEvaluation,
    DimensionResult,
    EvaluationTarget,
)
from workroom.studio_tools.shared.materials import material_of, surroundings
from workroom.studio_tools.shared.model_answers import WRITING_SECONDS, ask_for_value
from workroom.studio_tools.shared.project import BlockName, OpenProject, open_for_others, open_project
from workroom.studio_tools.shared.widgets import EvaluatedContent

MOST_TARGETS = 40
PRODUCED = ("produce_inner", "produce_outer")
DIMENSIONS: Mapping[Language, tuple[str, ...]] = {
    "de": (
        "Wirkung auf das Publikum",
        "Übereinstimmung mit der Absicht",
        "Verständlichkeit",
        "Glaubwürdigkeit",
        "Stimme",
    ),
    "en": ("Effect on the audience", "Fit with the intent", "Clarity", "Credibility", "Voice"),
    "fr": ("Effet sur le public", "Conformité à l’intention", "Clarté", "Crédibilité", "Ton"),
    "pt": ("Efeito no público", "Fidelidade à intenção", "Clareza", "Credibilidade", "Voz"),
    "zh": ("受众反应", "契合意图", "清晰度", "可信度", "语气"),
}
TASK = (
    "Judge the texts between the tags <text> as a strict editor, for the people and the purpose that are described. Judge them"
    " together, in each of these respects and in no other: {dimensions}. For each: a score from 0 to 10, the reason with"
    " passages of the texts that show it, and what would be better, in concrete terms."
)

Targets = Annotated[
    list[BlockName] | None, Field(max_length=MOST_TARGETS, description="Blocks to judge; none: all that are produced.")
]
Dimensions = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=80)]] | None,
    Field(max_length=10, description="In which respects; none: effect, intent, clarity, credibility, voice."),
]


class JudgedDimension(Wire):
    """As a model says it: what is longer than we keep was paid for, too, and is cut."""

    dimension: str
    score: float = Field(ge=0, le=10)
    reason: str = Field(min_length=1)
    suggestions: list[str] = Field(default_factory=list)

    def kept_as(self, dimension: str) -> DimensionResult:
        suggestions = [text[:LONGEST_LINE] for text in self.suggestions if text.strip()][:MOST_SUGGESTIONS]
        reason = self.reason[:LONGEST_REASON]
        return DimensionResult(dimension=dimension, score=self.score, reason=reason, suggestions=suggestions)


class Judgement(Wire):
    results: list[JudgedDimension] = Field(min_length=1)


async def _ask_to_evaluate(
    ctx: ToolContext, target_fields: Targets = None, eval_dimensions: Dimensions = None
) -> ConfirmPrompt | None:
    if (opened := await open_for_others(ctx)) is None:
        return None
    name = opened.project.name
    return ConfirmPrompt(
        f"Have the content of “{name}” judged? Everyone in this workspace can read the judgement.", name
    )


@tool(
    "run_evaluation",
    effect="ours",
    sets={"studio"},
    confirm_untrusted=_ask_to_evaluate,
    needs="project",
    seconds=WRITING_SECONDS,
)
async def run_evaluation(
    ctx: ToolContext, target_fields: Targets = None, eval_dimensions: Dimensions = None
) -> ToolResult:
    """Have blocks judged in several respects: a score of 10 with reasons and suggestions for each. It changes no text."""
    opened = await open_project(ctx, Action.UPDATE)
    texts = await _targets(opened, target_fields or ())
    dimensions = list(dict.fromkeys(eval_dimensions or DIMENSIONS[opened.project.language]))
    around = await surroundings(opened, texts)
    materials = [*around.materials, *[material_of(text, "text") for text in texts]]
    task = TASK.format(dimensions="; ".join(f"“{name}”" for name in dimensions))
    answer = await ask_for_value(ctx, opened.project, task, materials, Judgement)
    results = _in_order(answer.value.results, dimensions)

    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        targets = [EvaluationTarget(block_id=text.id, name=text.name, version=text.version) for text in texts]
        where = uow, ctx.principal, ctx.instance_id, opened.project.id
        kept = await evaluations.keep(*where, targets, results, agent, answer.cost_chf)
        return _shown(kept).marked(untrusted=around.by_others)

    return await ctx.commit(effect)


async def _targets(opened: OpenProject, names: list[BlockName] | tuple[()]) -> list[BlockText]:
    """Those that are named, which have to be written; else what was produced; else all that is written."""
    wanted: list[Block] = opened.blocks(names)
    if not wanted:
        written = [block for block in opened.tree.by_id.values() if block.version > 0]
        wanted = [block for block in written if block.phase in PRODUCED] or written
    texts = await opened.texts_of(wanted[:MOST_TARGETS])
    if names and (empty := [text.name for text in texts if not text.text]):
        raise Conflict(f"There is nothing to judge in {', '.join(f'“{name}”' for name in empty)}: write it first.")
    if not (filled := [text for text in texts if text.text]):
        raise NothingWritten
    return filled


def _in_order(results: list[JudgedDimension], dimensions: list[str]) -> list[DimensionResult]:
    """One for each that was asked for. A model that left one out has not judged it, and nothing is made up for it."""
    by_name = {_comparable(result.dimension): result for result in results}
    if missing := [name for name in dimensions if _comparable(name) not in by_name]:
        raise Conflict(f"The model judged nothing in respect of {', '.join(missing)}. Try again, or ask for fewer.")
    return [by_name[_comparable(name)].kept_as(name) for name in dimensions]


def _comparable(dimension: str) -> str:
    """Models copy the quotation marks in which it is named to them."""
    return " ".join(dimension.strip('"“”„«» ').split()).casefold()


def _shown(kept: ContentEvaluation) -> ToolResult:
    widget = EvaluatedContent(
        project_id=kept.project_id,
        evaluation_id=kept.id,
        names=[target.name for target in kept.targets],
        results=kept.results,
        average=kept.overall,
    )
    lines = [
        f"- {result.dimension}: {result.score:g} of 10. {result.reason} Suggestions: {'; '.join(result.suggestions) or 'none'}"
        for result in kept.results
    ]
    head = f"{kept.overall:.1f} of 10 on average. The user sees scores, reasons and suggestions; do not repeat them."
    return widget.shown("\n".join([head, *lines]))
