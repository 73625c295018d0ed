"""How an agent finds out what a project is for: three questions in the conversation, then one block. What was answered so far is
the conversation itself; nothing else keeps it. Pure."""

from __future__ import annotations

from workroom.core.quotation import quoted
from workroom.studio.phases import FIRST_PHASE
from workroom.studio.project_phases import phase_name
from workroom.studio.tree import BlockTree
from workroom.studio.types import Block, BlockStatus, Project

QUESTIONS = (
    "What is to be made?",
    "For whom is it?",
    "What should these people do after they have seen it?",
)
ASK = (
    "Find out three things, in this order: {questions} Ask one question at a time, in words that fit this project, and in the "
    "conversation alone: until all three are known, store nothing and call no tool that writes. An answer may come before its "
    "question, several may come at once, and an earlier one may be corrected: never ask for what was said, and take the newest "
    "word. When all three are known, store a structured analysis with `update_field` in {block}: under a heading for each of "
    "the three what the user said, then what is still open. Then say in a sentence or two what you stored, and offer to go on to "
    "the next phase."
)
STORED = (
    "The intent analysis is stored in {block}. When the user corrects something of it, change it with `modify_field`. "
    "Otherwise offer to go on to the next phase."
)
WITHOUT = "a new block of this phase, which you add with `manage_architecture` as {name}"


def intent_block(tree: BlockTree) -> Block | None:
    """The first one of the first phase."""
    return next((block for block in tree.in_order([FIRST_PHASE]) if not block.is_group), None)


def interview(project: Project, tree: BlockTree) -> str:
    """The guidance for the first phase, as far as it has come."""
    block = intent_block(tree)
    if block is None:
        named = WITHOUT.format(name=quoted(phase_name(project, FIRST_PHASE, project.language)))
        return ASK.format(questions=" ".join(QUESTIONS), block=named)
    told = STORED if block.status is not BlockStatus.EMPTY else ASK
    return told.format(questions=" ".join(QUESTIONS), block=quoted(tree.path(block)))
