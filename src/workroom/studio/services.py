"""The services of the studio, wired together."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.db import Database
from workroom.studio.blocks import Blocks
from workroom.studio.conversations import ProjectConversations
from workroom.studio.evaluations import ContentEvaluations
from workroom.studio.exports import ProjectExports
from workroom.studio.imports import ProjectImports
from workroom.studio.mentions import BlockMentions
from workroom.studio.personas import Personas
from workroom.studio.profiles import CreatorProfiles
from workroom.studio.projects import Projects
from workroom.studio.texts import BlockTexts


@dataclass(frozen=True)
class Studio:
    profiles: CreatorProfiles
    projects: Projects
    blocks: Blocks
    texts: BlockTexts
    personas: Personas
    evaluations: ContentEvaluations
    conversations: ProjectConversations
    exports: ProjectExports
    imports: ProjectImports
    mentions: BlockMentions

    @classmethod
    def of(cls, db: Database) -> Studio:
        return cls(
            profiles=CreatorProfiles(db),
            projects=Projects(db),
            blocks=Blocks(db),
            texts=BlockTexts(db),
            personas=Personas(db),
            evaluations=ContentEvaluations(db),
            conversations=ProjectConversations(db),
            exports=ProjectExports(db),
            imports=ProjectImports(db),
            mentions=BlockMentions(db),
        )
