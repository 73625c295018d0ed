"""SKILL.md folders: what is written is read again as it was, and what is hostile or no text stays outside."""

from __future__ import annotations

import io
import random
import stat
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.custom_skills.making import packed, skill_md
from workroom.core.errors import InvalidInput
from workroom.custom_skills.errors import SkillUnread
from workroom.custom_skills.folders import LARGEST, read
from workroom.custom_skills.folders import packed as exported
from workroom.custom_skills.types import (
    LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
    LONGEST_PATH,
    LONGEST_VALUE,
    MOST_FILES,
    SkillContent,
    SkillExample,
    SkillFile,
    SkillParameter,
)
from workroom.custom_skills.validation import cleaned

LINE = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=60).filter(str.strip)
TEXT = st.lists(LINE | st.just("---"), min_size=1, max_size=4).map("\n".join)
SKILLS = st.builds(
    SkillContent,
    name=st.from_regex(r"[a-zäöü0-9]{1,8}(-[a-z0-9]{1,8}){0,2}", fullmatch=True),
    description=TEXT,
    instructions=TEXT,
    parameters=st.lists(
        st.builds(
            SkillParameter,
            name=st.from_regex(r"[a-zäA-Z]\w{0,10}", fullmatch=True),
            description=LINE,
            required=st.booleans(),
            default=LINE,
        ),
        max_size=3,
        unique_by=lambda parameter: parameter.name,
    ),
    tools=st.lists(st.from_regex(r"[^\s,()\x00]{1,20}", fullmatch=True), max_size=3, unique=True),
    examples=st.lists(st.builds(SkillExample, request=LINE, answer=TEXT), max_size=2),
    files=st.lists(
        st.builds(SkillFile, path=st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8})?\.(md|txt)", fullmatch=True), text=TEXT),
        max_size=3,
        unique_by=lambda file: file.path,
    ),
    automatic=st.booleans(),
)


@pytest.mark.requirement("B8")
@settings(deadline=None)
@given(SKILLS)
def test_what_is_exported_is_imported_as_it_was(content: SkillContent) -> None:
    content = cleaned(content)
    (again,) = read(exported(content))
    assert cleaned(again.content) == content
    assert again.left_out == []


SEPARATOR = "\u2028"  # it makes YAML escape the whole text


@pytest.mark.parametrize("char", ["\U0010ffff", '"', "\\", "'", "\x01", "字"])
def test_the_largest_skill_is_exported_and_imported(char: str) -> None:
    """As many characters as there may be, and those that take most space when they are written."""
    value = SEPARATOR + char * (LONGEST_VALUE - 1)
    content = SkillContent(
        name="x",
        description=SEPARATOR + char * (LONGEST_DESCRIPTION - 1),
        instructions="x" * 4_000,
        parameters=[SkillParameter(name=f"p{number}", default=value) for number in range(7)],
        tools=[f"{number}" + "\U0010ffff" * 98 for number in range(10, 60)],
        examples=[SkillExample(request=f"r{value[1:]}", answer=f"a{value[1:]}") for _ in range(2)],
    )
    (again,) = read(exported(cleaned(content)))
    assert cleaned(again.content) == cleaned(content)


def test_what_cannot_be_compressed_is_small_enough_to_be_imported() -> None:
    chance = random.Random(7)

    def text(length: int) -> str:
        return "".join(chr(chance.randrange(0x20000, 0x110000)) for _ in range(length))

    content = SkillContent(
        name="x",
        description=text(LONGEST_DESCRIPTION),
        instructions=text(LONGEST_INSTRUCTIONS),
        examples=[SkillExample(request=text(LONGEST_VALUE), answer=text(LONGEST_VALUE - 100)) for _ in range(3)],
        files=[
            SkillFile(path=f"{'/'.join(text(58) for _ in range(5))}.md"[-LONGEST_PATH:], text=text(6_000))
            for _ in range(MOST_FILES)
        ],
    )
    (again,) = read(exported(cleaned(content)))
    assert cleaned(again.content) == cleaned(content)


def test_a_skill_of_other_programs_is_read() -> None:
    head = 'license: MIT\nallowed-tools: "Read, Bash(git:*) webSearch"\nmetadata:\n  author: acme\n  version: 1.0\n'
    (skill,) = read(skill_md(head=head).encode())
    assert (skill.content.name, skill.content.tools) == ("weekly-report", ["Read", "Bash", "webSearch"])
    assert skill.content.instructions == "Write it."


def test_text_beside_it_is_taken_and_code_is_left_out() -> None:
    members: dict[str, str | bytes] = {
        "report/SKILL.md": skill_md(),
        "report/references/style.md": "Short.",
        "report/scripts/run.py": "print()",
        "report/logo.png": b"\x89PNG",
        "report/latin.txt": "Zürich".encode("latin-1"),
        "__MACOSX/report/._SKILL.md": b"\x00",
        "README.md": "Not of the skill.",
    }
    (skill,) = read(packed(members))
    assert [(file.path, file.text) for file in skill.content.files] == [("references/style.md", "Short.")]
    assert skill.left_out == ["latin.txt", "logo.png", "scripts/run.py"]


def test_all_skills_of_an_archive_are_read_each_with_its_own_files() -> None:
    members = {
        "SKILL.md": skill_md("outer"),
        "a.md": "A",
        "inner/SKILL.md": skill_md("inner"),
        "inner/b.md": "B",
    }
    outer, inner = read(packed(members))
    assert [(each.content.name, [file.path for file in each.content.files]) for each in (outer, inner)] == [
        ("outer", ["a.md"]),
        ("inner", ["b.md"]),
    ]


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("name", ["../SKILL.md", "/SKILL.md", "a/../../b.md", "C:/SKILL.md"])
def test_paths_out_of_the_folder_are_refused(name: str) -> None:
    with pytest.raises(SkillUnread):
        read(packed({"SKILL.md": skill_md(), name: "text"}))


def test_links_are_not_followed() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("SKILL.md", skill_md(body="See [all](../../etc/passwd)."))
        link = zipfile.ZipInfo("passwd.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(SkillUnread, match="link"):
        read(file.getvalue())


NO_SKILLS: dict[str, bytes] = {
    "nothing": b"",
    "a text": b"just text",
    "no text": b"\xff\xfe\x00",
    "a broken archive": b"PK\x03\x04 broken",
    "a head without an end": b"---\nname: x\n",
    "a list for a head": b"---\n- a list\n---\ntext",
    "no YAML": b"---\nname: [x\n---\ntext",
    "deep YAML": b"---\n" + b"[" * 5_000 + b"\n---\ntext",
    "no description": b"---\nname: x\n---\n",
    "aliases": skill_md(head="license: &a MIT\nauthor: *a\n").encode(),
    "tags": skill_md(head="license: !!str MIT\n").encode(),
    "many values": skill_md(head="keywords: [" + "x, " * 2_000 + "]\n").encode(),
    "a character that is none": skill_md(name=r'"\UFFFFFFFF"').encode(),
    "a huge version of YAML": f"---\n%YAML {'9' * 5_000}.1\n---\nname: x\n---\ntext".encode(),
    "a call in YAML": b"---\nname: x\ndescription: !!python/object/apply:os.system [id]\n---\ntext",
    "no JSON": skill_md(head="metadata:\n  parameters: '[{'\n").encode(),
    "a parameter without a name": skill_md(head='metadata:\n  parameters: \'[{"name": "no good"}]\'\n').encode(),
    "neither yes nor no": skill_md(head="metadata:\n  automatic: 'perhaps'\n").encode(),
    "a long name": skill_md(name="x" * 5_000).encode(),
    "long instructions": skill_md(body="x" * 20_001).encode(),
    "a large file": b"x" * (LARGEST + 1),
    "an archive without one": packed({"notes.md": "No skill."}),
    "too many": packed({f"{number}/SKILL.md": skill_md() for number in range(21)}),
    "too many files": packed({"SKILL.md": skill_md(), **{f"{number}.md": "x" for number in range(51)}}),
    "a bomb": packed({"SKILL.md": "x" * 11_000_000}),
}


@given(st.text(st.sampled_from(list("aN0.:-~!&*<{[]}\"'\\|>%?@#,xU9 \t\n\x85\u2028\ud800")), max_size=60))
def test_any_head_is_read_or_refused(head: str) -> None:
    names = ["x"]
    with suppress(InvalidInput):  # anything else is a crash
        found = read(f"---\nname: x\ndescription: y\n{head}\n---\ntext".encode(errors="replace"))
        names = [cleaned(skill.content).name for skill in found]
    assert names == ["x"]


def test_values_in_a_head_are_texts() -> None:
    (skill,) = read(skill_md(name="0123", head="allowed-tools: null\nlicense: 1.0\n").encode())
    assert (skill.content.name, skill.content.tools) == ("0123", [])


@pytest.mark.parametrize("case", NO_SKILLS)
def test_what_is_no_skill_is_refused_with_a_reason(case: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        for skill in read(NO_SKILLS[case]):
            cleaned(skill.content)
    assert len(caught.value.message) > 10


def test_aliases_of_yaml_do_not_grow() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{last}'] * 10)}]" for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    with pytest.raises(InvalidInput):
        read(("---\n" + "\n".join([*lines, "name: *i"]) + "\n---\ntext").encode())
