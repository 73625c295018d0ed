"""Research for a project: what the web and the files of the workspace say, written up by a model with its sources."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import Conflict
from workroom.core.languages import Language
from workroom.core.pauses import Proposal
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action
from workroom.knowledge.citations import place_of
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Query
from workroom.runs.call_agents import calling_agent
from workroom.studio import blocks, texts
from workroom.studio.project_phases import visible
from workroom.studio.types import Block, BlockInput, BlockStatus, NewBlock
from workroom.studio_tools.shared.block_writes import WrittenText, store_reviewed, told, write_or_propose
from workroom.studio_tools.shared.materials import surroundings
from workroom.studio_tools.shared.model_answers import WRITING_SECONDS, Material, ModelText, ask_for_text
from workroom.studio_tools.shared.project import OpenProject, open_project, printable
from workroom.websearch.errors import SearchFailed
from workroom.websearch.service import WebSearches
from workroom.websearch.types import LONGEST_QUERY

PHASE = "research"
MOST_WEB = 8
MOST_PASSAGES = 8
LONGEST_BLOCK_NAME = 80
TASKS = {
    "consumer": (
        "Write up what the sources say about the people the content is for: who they are, what they need, what keeps them from"
        " it, how they talk about it, where they look for it, and what is still unknown."
    ),
    "generic": (
        "Write up what the sources say to the question: the answer first, then the facts it rests on, what contradicts it, and"
        " what is still unknown."
    ),
}
CITING = (
    " Put the number of its source behind each statement, such as [2]. What no source says is left out, however likely it is."
    " Do not list the sources; they are added."
)
SOURCES: Mapping[Language, str] = {"de": "Quellen", "en": "Sources", "fr": "Sources", "pt": "Fontes", "zh": "来源"}
NOTHING = "Nothing was found to this, so nothing was written."
NO_SEARCH = " No web search is set up here (Settings → Web search)."
PRIVATE = " Private files were left out, because everyone in this workspace can read the block: share them to use them."
ENDING = str.maketrans("", "", "<>\\")  # what would end an address between < and >
_NUMBER = re.compile(r"\[(\d{1,3})\]")

ResearchQuery = Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY, description="What to find out.")]
ResearchType = Literal["consumer", "generic"]


@dataclass(frozen=True)
class ResearchSource:
    """A passage of the web or of a file; `link` is how the list of sources names it."""

    title: str
    text: str
    link: str


@dataclass(frozen=True)
class Findings:
    items: Sequence[ResearchSource]
    notes: str = ""


async def _ask_to_research(
    ctx: ToolContext, query: ResearchQuery, research_type: ResearchType = "generic"
) -> ConfirmPrompt:
    """The question goes to a search service, and could carry away what was read before."""
    await open_project(ctx, Action.UPDATE)
    text = f"Search the web and the files for “{query}”, and store what is found as a block?"
    return ConfirmPrompt(text, query, "research")


@tool(
    "run_research",
    effect="ours",
    sets={"studio"},
    pauses=True,
    answered=store_reviewed,
    confirm_untrusted=_ask_to_research,
    opens_addresses=True,
    needs="project",
    seconds=WRITING_SECONDS,
)
async def run_research(
    ctx: ToolContext, query: ResearchQuery, research_type: ResearchType = "generic"
) -> ToolResult | Proposal:
    """Research a question on the web and in the files, and store the report with its sources as a block: `consumer` about the
    people the content is for, `generic` about anything else."""
    opened = await open_project(ctx, Action.UPDATE)
    place = _place(opened, query)
    findings = await _find(opened, query)
    if not findings.items:
        raise Conflict(NOTHING + findings.notes)
    numbered = [
        Material("source", finding.text, f"[{number}] {finding.title}")
        for number, finding in enumerate(findings.items, 1)
    ]
    materials = [*(await surroundings(opened)).materials, *numbered, Material("question", query)]
    answer = await ask_for_text(ctx, opened.project, TASKS[research_type] + CITING, materials)
    return await _store(opened, place, _with_sources(answer, findings.items, opened.project.language), findings.notes)


async def _find(opened: OpenProject, query: str) -> Findings:
    ctx = opened.ctx
    searches, notes = ctx.use(WebSearches), ""
    items: list[ResearchSource] = []
    if await searches.is_set_up(ctx.principal):
        try:
            pages = await searches.find(ctx.principal, query, None, ctx.pay)
        except SearchFailed as failed:  # what the files say is better than nothing
            pages, notes = [], f" The web could not be searched: {failed.message}"
        items += [ResearchSource(page.title, page.excerpt, _link(page.title, page.url)) for page in pages[:MOST_WEB]]
    else:
        notes += NO_SEARCH
    asked = Query(query, ctx.instance_id, MOST_PASSAGES, MOST_PASSAGES)
    passages = await ctx.use(Knowledge).search(ctx.principal, asked)
    shared = [passage for passage in passages if passage.visibility is not Visibility.MY]
    for passage in shared[:MOST_PASSAGES]:
        label = ", ".join(filter(None, [passage.file_name, place_of(passage).label]))
        items.append(ResearchSource(label, passage.text, _plain(label)))
    return Findings(items, notes + (PRIVATE if len(shared) < len(passages) else ""))


def _with_sources(answer: ModelText, findings: Sequence[ResearchSource], language: Language) -> ModelText:
    """Numbers that name no source go; a text that cites none is refused: it could not be checked."""
    known = range(1, len(findings) + 1)
    text = _NUMBER.sub(lambda match: match[0] if int(match[1]) in known else "", answer.text)
    cited = sorted({int(number) for number in _NUMBER.findall(text)})
    if not cited:
        raise Conflict(
            "The model has named none of the sources, so nothing was stored. Try again, or with another model."
        )
    listed = "\n".join(f"- [{number}] {findings[number - 1].link}" for number in cited)
    return ModelText(f"{text}\n\n## {SOURCES[language]}\n\n{listed}", answer.cost_chf)


def _place(opened: OpenProject, query: str) -> Block | NewBlock:
    """Under the question as its name; what was found out before becomes an earlier version. Raises what storing would raise,
    before anything is paid for."""
    phase = PHASE if PHASE in visible(opened.project) else opened.project.current_phase
    name = printable(query.replace("/", " "))[:LONGEST_BLOCK_NAME].strip() or opened.project.name
    siblings = opened.tree.siblings(None, phase)
    known = next((one for one in siblings if one.name.casefold() == name.casefold() and not one.is_group), None)
    if known is None:
        opened.require_room()
    return known or NewBlock(name, phase=phase)


async def _store(opened: OpenProject, place: Block | NewBlock, report: ModelText, notes: str) -> ToolResult | Proposal:
    ctx, project = opened.ctx, opened.project
    if isinstance(place, Block):
        base = await opened.text_of(place)
        return await write_or_propose(opened, WrittenText(base, report.text, report.cost_chf, from_outside=True))

    async def effect(uow: UnitOfWork) -> ToolResult:
        where = uow, ctx.principal, ctx.instance_id, project.id
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        block = await blocks.add(*where, place)
        given = BlockInput(0, report.text, BlockStatus.NEEDS_REVIEW, from_outside=True, cost_chf=report.cost_chf)
        result = told(await texts.write(*where, block.id, given, agent))
        return result.model_copy(update={"message": result.message + notes})

    return await ctx.commit(effect)


def _link(title: str, url: str) -> str:
    return f"[{_plain(title)}](<{quote(url, safe=string.punctuation.translate(ENDING))}>)"


def _plain(text: str) -> str:
    """As the text of a link: on one line, and without what would end it."""
    return " ".join(text.translate(str.maketrans("[]<>", "()()")).split())
