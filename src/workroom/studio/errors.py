"""What can be wrong with projects and their content.

ProjectChanged    409   another person changed the project meanwhile; nothing was overwritten
BlockChanged      409   as ProjectChanged, of a block's text: a person or an agent has written it
ProfileChanged    409   as ProjectChanged, of a creator's profile
PersonaChanged    409   as ProjectChanged, of a persona
PhaseIncomplete   409   the phase still has empty blocks; leaving it all the same takes force
BlockNeeded       409   other blocks depend on it; deleting it all the same takes force
DependencyCycle   422   blocks would depend on each other in a circle
TooManyBlocks     422   a project has so many and no more
NothingWritten    409   there is no text to export or to judge
"""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.errors import Conflict, InvalidInput
from workroom.studio.types import MOST_BLOCKS

NOTHING_OVERWRITTEN = "version {version} is the newest. Nothing was overwritten; look at it, then change it."


class ProjectChanged(Conflict):
    code = "projectChanged"

    def __init__(self, version: int) -> None:
        text = f"The project was changed in the meantime: {NOTHING_OVERWRITTEN.format(version=version)}"
        super().__init__(text, version=version)


class BlockChanged(Conflict):
    code = "blockChanged"

    def __init__(self, name: str, version: int) -> None:
        text = f"“{name}” was changed in the meantime: {NOTHING_OVERWRITTEN.format(version=version)}"
        super().__init__(text, name=name, version=version)


class ProfileChanged(Conflict):
    code = "profileChanged"

    def __init__(self, version: int) -> None:
        text = f"The profile was changed in the meantime: {NOTHING_OVERWRITTEN.format(version=version)}"
        super().__init__(text, version=version)


class PersonaChanged(Conflict):
    code = "personaChanged"

    def __init__(self, version: int) -> None:
        text = f"The persona was changed in the meantime: {NOTHING_OVERWRITTEN.format(version=version)}"
        super().__init__(text, version=version)


class PhaseIncomplete(Conflict):
    code = "phaseIncomplete"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"This phase still has empty blocks: {', '.join(names)}. Write them first, or go on without them.",
            names=list(names),
        )


class BlockNeeded(Conflict):
    code = "blockNeeded"

    def __init__(self, name: str, names: Sequence[str]) -> None:
        super().__init__(
            f"Other blocks depend on “{name}”: {', '.join(names)}. Delete it all the same, or let them go first.",
            name=name,
            names=list(names),
        )


class DependencyCycle(InvalidInput):
    code = "dependencyCycle"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"Blocks cannot depend on each other in a circle: {' → '.join(names)}.", names=list(names))


class TooManyBlocks(InvalidInput):
    code = "tooManyBlocks"

    def __init__(self) -> None:
        super().__init__(f"A project has at most {MOST_BLOCKS} groups and blocks. Delete some that are not needed.")


class NothingWritten(Conflict):
    code = "nothingWritten"

    def __init__(self) -> None:
        super().__init__("There is no text here yet. Write one of the blocks first.")
