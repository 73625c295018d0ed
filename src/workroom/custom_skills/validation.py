"""What a skill may be made of: a name one can type, text without what cannot be stored, parameters and files named once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath
from typing import Any

from pydantic import ValidationError

from workroom.core.errors import InvalidInput
from workroom.core.paths import relative_path
from workroom.custom_skills.invocation import rendered
from workroom.custom_skills.types import (
    LONGEST_DESCRIPTION,
    LONGEST_FILE,
    LONGEST_INSTRUCTIONS,
    LONGEST_NAME,
    LONGEST_VALUE,
    SKILL_FILE,
    TEXTS,
    SkillContent,
    SkillExample,
    SkillFile,
    SkillParameter,
)
from workroom.identity.names import clean_text

LARGEST_FILES = 300_000  # characters, all together
NAME = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TOOL = re.compile(r"[^\s,()]+")
_SEPARATORS = re.compile(r"[\s_-]+")


def clean_skill_name(text: str, taken: Collection[str] = ()) -> str:
    """As it is typed behind `/`: `Weekly report` becomes `weekly-report`. `taken` are the names of commands."""
    plain = unicodedata.normalize("NFC", text.strip().removeprefix("/")).lower()
    name = _SEPARATORS.sub("-", plain).strip("-")
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        raise InvalidInput(
            f"The name of a skill has 1 to {LONGEST_NAME} letters and digits, with hyphens between them.", field="name"
        )
    if name in taken:
        raise InvalidInput(f"/{name} is a command already. Choose another name.", field="name")
    return name


def content_of(given: dict[str, Any]) -> SkillContent:
    """Raises InvalidInput, which names the field."""
    try:
        return SkillContent.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise InvalidInput(f"{field}: {first['msg']}", field=field) from None


def cleaned(content: SkillContent, commands: Collection[str] = ()) -> SkillContent:
    """What is kept: it can be read by a model, and exported and imported as it is. Raises InvalidInput, which names the field."""
    kept = SkillContent(
        name=clean_skill_name(content.name, commands),
        description=_filled(content.description, "description", LONGEST_DESCRIPTION),
        instructions=_filled(content.instructions, "instructions", LONGEST_INSTRUCTIONS),
        parameters=_parameters(content.parameters),
        tools=list(dict.fromkeys(_tool(tool) for tool in content.tools)),
        examples=[_example(example) for example in content.examples],
        files=_files(content.files),
        automatic=content.automatic,
    )
    rendered(kept, {})
    return kept


def _tool(name: str) -> str:
    if not _TOOL.fullmatch(name := _clean(name, "tools", 100)):
        raise InvalidInput("The name of a tool has no spaces, commas or brackets.", field="tools")
    return name


def _parameters(given: Iterable[SkillParameter]) -> list[SkillParameter]:
    parameters = [
        SkillParameter(
            name=unicodedata.normalize("NFC", each.name),
            description=_clean(each.description, "parameters", 300),
            required=each.required,
            default=_clean(each.default, "parameters", LONGEST_VALUE),
        )
        for each in given
    ]
    if len({each.name for each in parameters}) < len(parameters):
        raise InvalidInput("Each parameter has a name of its own.", field="parameters")
    return parameters


def _example(given: SkillExample) -> SkillExample:
    return SkillExample(
        request=_filled(given.request, "examples", LONGEST_VALUE),
        answer=_clean(given.answer, "examples", LONGEST_VALUE),
    )


def _files(given: Iterable[SkillFile]) -> list[SkillFile]:
    files = [
        SkillFile(path=str(relative_path(each.path)), text=_clean(each.text, "files", LONGEST_FILE)) for each in given
    ]
    if len({each.path for each in files}) < len(files):
        raise InvalidInput("Each file has a path of its own.", field="files")
    if not all(_is_text(PurePosixPath(each.path)) for each in files):
        raise InvalidInput(
            f"A file is a text ({', '.join(sorted(TEXTS))}), and none is another {SKILL_FILE}.", field="files"
        )
    if sum(len(each.text) for each in files) > LARGEST_FILES:
        raise InvalidInput(f"The files of a skill have at most {LARGEST_FILES:,} characters together.", field="files")
    return sorted(files, key=lambda file: file.path)


def _is_text(path: PurePosixPath) -> bool:
    return path.suffix.lower() in TEXTS and path.name != SKILL_FILE


def _filled(text: str, field: str, longest: int) -> str:
    if not (text := _clean(text, field, longest)):
        raise InvalidInput(f"Please fill in the {field}.", field=field)
    return text


def _clean(text: str, field: str, longest: int) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidInput("This text contains characters that cannot be stored.", field=field)
    return clean_text(text, field, longest)
