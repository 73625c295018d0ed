"""What can be wrong with skills that people make.

SkillChanged   409   another person made a version meanwhile; nothing was overwritten
SkillExists    409   the name is taken: of one's own skills, or of those shared in the workspace
SkillPrivate   409   called where other people read along, and it is one person's alone
SkillUnread    422   what was imported is no skill folder, or holds what is not taken
"""

from __future__ import annotations

from workroom.core.errors import Conflict, InvalidInput


class SkillChanged(Conflict):
    code = "skillChanged"

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The skill was changed in the meantime: version {version} is the newest. Nothing was overwritten; look at it,"
            " then change it.",
            version=version,
        )


class SkillExists(Conflict):
    code = "skillExists"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is a skill called /{name} here already. Choose another name.", name=name)


class SkillPrivate(Conflict):
    code = "skillPrivate"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Not everybody who reads this conversation may see /{name}. Share the skill with the workspace first, or call it"
            " in a conversation of your own.",
            name=name,
        )


class SkillUnread(InvalidInput):
    code = "skillUnread"
