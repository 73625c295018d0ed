"""What can be wrong with skills that people make.

SkillChanged        409   another person made a version meanwhile; nothing was overwritten
SkillExists         409   the name is taken: of one's own skills, or of those shared in the workspace
SkillPrivate        409   called where other people read along, and it is one person's alone
SkillTooLong        422   as a model reads it, with the values of its parameters
SkillUnread         422   what was imported is no skill folder, or holds what is not taken
SkillValueTooLong   422   what a call gives for one parameter
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


class SkillTooLong(InvalidInput):
    code = "skillTooLong"

    def __init__(self, name: str, longest: int) -> None:
        super().__init__(
            f"The skill /{name} is longer than {longest:,} characters with its examples and values. Shorten its instructions and"
            " examples, or the values.",
            name=name,
            longest=longest,
        )


class SkillUnread(InvalidInput):
    code = "skillUnread"


class SkillValueTooLong(InvalidInput):
    code = "skillValueTooLong"

    def __init__(self, parameter: str, longest: int) -> None:
        super().__init__(
            f"The value of {parameter} has at most {longest:,} characters. Shorten it, or put a long text into a file.",
            parameter=parameter,
            longest=longest,
        )
