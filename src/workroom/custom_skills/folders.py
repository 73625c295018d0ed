"""Skills as folders: a SKILL.md and the texts beside it, packed as ZIP. Only text is taken, and code never is.

A link in SKILL.md leads nowhere by itself: an agent can read the files that were taken with it, by their paths in the folder.
"""

from __future__ import annotations

import io
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import PurePosixPath

from workroom.core.errors import InvalidInput
from workroom.custom_skills.errors import SkillUnread
from workroom.custom_skills.skill_md import LONGEST_SKILL_MD, parsed, written
from workroom.custom_skills.types import (
    LONGEST_FILE,
    LONGEST_PATH,
    MOST_FILES,
    SKILL_FILE,
    TEXTS,
    ReadSkill,
    SkillContent,
    SkillFile,
)
from workroom.custom_skills.validation import content_of
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.types import MB, ContainerMember, UnpackingLimits
from workroom.documents.containers.zips import ZipContainer
from workroom.documents.errors import DocumentError

LARGEST = 1_400_000  # bytes: any skill as `packed` writes it
LIMITS = UnpackingLimits(depth=1, bytes=10 * MB, files=500)
MOST_SKILLS = 20
_IGNORED = ("__MACOSX/", ".git/")
_ZIP = b"PK\x03\x04"


def read(data: bytes) -> list[ReadSkill]:
    """All skills of a ZIP, or the one of a SKILL.md. Raises SkillUnread, or what the archive is refused for."""
    if len(data) > LARGEST:
        raise SkillUnread(f"A skill to import has at most {LARGEST / MB} MB.")
    if not data.startswith(_ZIP):
        return [ReadSkill(content=content_of(parsed(_text(data, LONGEST_SKILL_MD), [])))]
    try:
        texts, left_out = _unpacked(data)
    except DocumentError as error:
        raise SkillUnread(error.message) from None
    homes = sorted(str(PurePosixPath(path).parent) for path in texts if PurePosixPath(path).name == SKILL_FILE)
    if not homes:
        raise SkillUnread("There is no SKILL.md in this archive.")
    if len(homes) > MOST_SKILLS:
        raise SkillUnread(f"At most {MOST_SKILLS} skills are imported at once.")
    return [_skill(home, homes, texts, left_out) for home in homes]


def packed(content: SkillContent) -> bytes:
    """The folder of a skill, named after it. The same skill makes the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in [(SKILL_FILE, written(content)), *((each.path, each.text) for each in content.files)]:
            entry = zipfile.ZipInfo(f"{content.name}/{path}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Reading takes one mark of the byte order away.
            archive.writestr(entry, text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8"))
    return file.getvalue()


def _skill(home: str, homes: list[str], texts: dict[str, bytes], left_out: list[str]) -> ReadSkill:
    inside = {path: inner for path in texts if (inner := _inside(home, homes, path)) and inner != SKILL_FILE}
    if len(inside) > MOST_FILES:
        raise SkillUnread(f"A skill has at most {MOST_FILES} files.")
    files, unread = [], [inner for path in left_out if (inner := _inside(home, homes, path))]
    for path, inner in inside.items():
        if len(inner) > LONGEST_PATH:
            raise SkillUnread(f"The path of a file in a skill has at most {LONGEST_PATH} characters.")
        try:
            files.append(SkillFile(path=inner, text=_text(texts[path], LONGEST_FILE)))
        except InvalidInput:
            unread.append(inner)
    about = _text(texts[str(PurePosixPath(home) / SKILL_FILE)], LONGEST_SKILL_MD)
    return ReadSkill(content=content_of(parsed(about, files)), left_out=sorted(unread))


def _inside(home: str, homes: list[str], path: str) -> str:
    """The path in the skill's folder; empty for what belongs to another one."""
    nearest = max((each for each in homes if PurePosixPath(path).is_relative_to(each)), key=len, default=None)
    return str(PurePosixPath(path).relative_to(home)) if nearest == home else ""


def _unpacked(data: bytes) -> tuple[dict[str, bytes], list[str]]:
    """Texts by their path, and the paths of everything else."""
    texts: dict[str, bytes] = {}
    left_out: list[str] = []
    with ZipContainer(io.BytesIO(data), UnpackingBudget(LIMITS)) as archive:
        for member in _files(archive):
            path = PurePosixPath(member.path)
            largest = 4 * (LONGEST_SKILL_MD if path.name == SKILL_FILE else LONGEST_FILE) + len(BOM_UTF8)
            if path.suffix.lower() not in TEXTS or (member.size or 0) > largest:
                left_out.append(member.path)
                continue
            with archive.reading(member) as stream:
                texts[member.path] = stream.read(largest + 1)
    return texts, left_out


def _files(archive: ZipContainer) -> Iterator[ContainerMember]:
    return (each for each in archive.members() if not each.is_folder and not each.path.startswith(_IGNORED))


def _text(data: bytes, longest: int) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SkillUnread("SKILL.md is no text in UTF-8.") from None
    if len(text) > longest or "\x00" in text:
        raise SkillUnread(f"A text of a skill has at most {longest:,} characters.")
    return text
