"""The one function that makes paths: whatever the parts, the result lies inside, or there is no result (S10)."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput
from workroom.core.paths import MAX_NAME_BYTES, UnsafePath, relative_path, safe_join, safe_name

NASTY = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "//",
        "...",
        ".. ",
        "C:",
        "c:\\x",
        "~",
        "%2e%2e%2f",
        "%252e",
        "\0",
        "\n",
        "base2",
        "out",
        "up",
    ]
)
PART = st.one_of(st.text(max_size=20), NASTY, st.lists(st.one_of(NASTY, st.text(max_size=5)), max_size=6).map("/".join))

UNSAFE = [
    "",
    ".",
    "./",
    "..",
    "../x",
    "a/../../x",
    "a/..",
    "/etc/passwd",
    "//server/share",
    "C:/x",
    "c:x",
    "a/C:x",
    "..\\x",
    "a\\..\\..\\x",
    "\\\\server\\share",
    "a\0b",
    "a\nb",
    "a\x1b[31m",
    "a\x85b",
    "a/.. /x",
    "a/.../x",
    "a/. ./x",
    "\ud800",
    "x" * 256,
    "é" * 128,
    "/".join(["abcdefgh"] * 500),
]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "base2").mkdir()
    (tmp_path / "secret").write_text("secret")
    return folder


@pytest.mark.parametrize("text", UNSAFE)
def test_paths_that_climb_or_hide_something_are_refused(text: str, base: Path) -> None:
    with pytest.raises(UnsafePath):
        relative_path(text)
    with pytest.raises(UnsafePath):
        safe_join(base, text)
    with pytest.raises(UnsafePath):
        safe_join(base, "sub", text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a", "a"),
        ("a/b.txt", "a/b.txt"),
        ("./a//b/./c/", "a/b/c"),
        ("%2e%2e%2fetc", "%2e%2e%2fetc"),
        ("%252e%252e/x", "%252e%252e/x"),
        ("．．／x", "．．／x"),
        ("..a/b..", "..a/b.."),
        ("12:30.txt", "12:30.txt"),
        ("~/x", "~/x"),
        ("Ümlaut/日本.pdf", "Ümlaut/日本.pdf"),
    ],
)
def test_other_paths_mean_what_they_say_and_nothing_is_decoded(text: str, meaning: str, base: Path) -> None:
    assert str(relative_path(text)) == meaning
    assert safe_join(base, text) == base.resolve() / meaning


def test_the_error_is_one_the_api_knows() -> None:
    with pytest.raises(InvalidInput) as caught:
        relative_path("../x")
    assert (caught.value.code, caught.value.status) == ("unsafePath", 422)


def test_joining_nothing_is_not_a_path_inside(base: Path) -> None:
    with pytest.raises(UnsafePath):
        safe_join(base)


@pytest.mark.parametrize("target", ["..", "../base2", "../secret", "/etc", "."])
@pytest.mark.parametrize("rest", ["", "/x", "/x/y"])
def test_a_link_is_not_followed_out_of_the_base(base: Path, target: str, rest: str) -> None:
    (base / "link").symlink_to(target)
    if target == "." and rest:
        assert safe_join(base, "link" + rest) == base.resolve() / rest.lstrip("/")
        return
    with pytest.raises(UnsafePath, match="out of its folder"):
        safe_join(base, "link" + rest)


def test_a_chain_of_links_is_followed_to_its_end(base: Path) -> None:
    (base / "sub" / "two").symlink_to("../../base2")
    (base / "one").symlink_to("sub/two")
    with pytest.raises(UnsafePath):
        safe_join(base, "one", "x")


def test_links_in_a_circle_are_refused(base: Path) -> None:
    (base / "one").symlink_to("two")
    (base / "two").symlink_to("one")
    with pytest.raises(UnsafePath):
        safe_join(base, "one/x")


def test_a_link_that_stays_inside_is_fine(base: Path) -> None:
    (base / "link").symlink_to("sub")
    assert safe_join(base, "link", "x") == base.resolve() / "sub" / "x"


def test_a_base_behind_a_link_is_still_the_base(base: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(base)
    assert safe_join(tmp_path / "alias", "x") == base.resolve() / "x"


@pytest.mark.requirement("B6")
@given(st.lists(PART, max_size=4))
def test_any_parts_end_up_inside_or_nowhere(parts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "base")
        base.mkdir()
        Path(folder, "base2").mkdir()
        (base / "out").symlink_to("../base2")
        (base / "up").symlink_to("..")
        try:
            path = safe_join(base, *parts)
        except UnsafePath:
            return
        root = base.resolve()
        assert root in path.parents
        assert ".." not in path.parts
        assert path.resolve() == path


@given(PART)
def test_a_relative_path_goes_down_only_and_reads_back(text: str) -> None:
    try:
        path = relative_path(text)
    except UnsafePath:
        return
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert relative_path(str(path)) == path


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\boot.ini", "_.._boot.ini"),
        ("", "unnamed"),
        ("...", "unnamed"),
        (" . . ", "unnamed"),
        ("\0\n", "unnamed"),
        (".htaccess", "htaccess"),
        ("name. ", "name"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("com1 .log", "_com1 .log"),
        ("console.txt", "console.txt"),
        ("CON" + " " * 300 + "x.txt", "_CON.txt"),
        ("con." + "b" * 251, "_con." + "b" * 250),
        ('a<b>:"|?*.txt', "a_b______.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("e\u0301.txt", "\u00e9.txt"),
        ("e\u200b\u0301.txt", "\u00e9.txt"),
        ("报告.docx", "报告.docx"),
        ("x" * 300 + ".txt", "x" * 251 + ".txt"),
        ("é" * 300 + ".txt", "é" * 125 + ".txt"),
        ("a." + "b" * 300, "a." + "b" * 253),
        ("x" * 250 + ". ." + "y" * 50 + ".txt", "x" * 250 + ".txt"),
    ],
)
def test_a_usable_name(name: str, usable: str) -> None:
    assert safe_name(name) == usable


@given(st.one_of(st.text(), st.text(alphabet=" ./\\:aCONé\u0301\u200b\u202e🎉", max_size=400), PART))
def test_any_text_becomes_a_name_that_stays_one(name: str) -> None:
    usable = safe_name(name)
    assert 0 < len(usable.encode()) <= MAX_NAME_BYTES
    assert not set(usable) & set('/\\<>:"|?*\0')
    assert usable == usable.strip(" .")
    assert unicodedata.is_normalized("NFC", usable)
    assert safe_name(usable) == usable
    assert relative_path(usable).parts == (usable,)


@given(st.text(min_size=300), st.sampled_from([".txt", ".tar", ".docx", ".日本"]))
def test_a_long_name_keeps_its_extension(stem: str, extension: str) -> None:
    assume(len(safe_name(stem)) > 20)
    assert safe_name(stem + extension).endswith(extension)
