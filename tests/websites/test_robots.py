"""robots.txt as RFC 9309 reads it."""

from __future__ import annotations

import pytest

from workroom.websites.robots import parse_robots

RULES = """\
# for everybody
User-agent: *
Disallow: /private/
Disallow: /*.pdf$
Allow: /private/open
Crawl-delay: 2

User-agent: other
User-agent: Another/2.0
Disallow: /

Sitemap: https://example.org/pages.xml
"""


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        ("/", True),
        ("/private/", False),
        ("/private/x?y=1", False),
        ("/private/open/door", True),
        ("/a/report.pdf", False),
        ("/a/report.pdf?download=1", True),
        ("/Private/", True),
    ],
)
def test_the_longest_rule_that_fits_decides(target: str, allowed: bool) -> None:
    assert parse_robots(RULES).allows(target) is allowed


def test_sitemaps_and_delay_are_found() -> None:
    robots = parse_robots("\ufeff" + RULES)
    assert (robots.sitemaps, robots.delay) == (("https://example.org/pages.xml",), 2.0)


def test_our_own_group_counts_before_the_one_for_everybody() -> None:
    own = parse_robots(f"{RULES}\nUser-Agent: WorkRoom/1.0\nDisallow: /x\nUser-agent: workroom\nDisallow: /y\n")
    assert [own.allows(target) for target in ("/private/", "/x", "/y")] == [True, False, False]


@pytest.mark.parametrize("text", ["", "Disallow: /", "User-agent: *\nDisallow:", "<html>not found</html>", "::\n:"])
def test_what_says_nothing_allows_everything(text: str) -> None:
    assert parse_robots(text).allows("/anything")


def test_a_rule_of_many_stars_is_answered_at_once() -> None:
    robots = parse_robots("User-agent: *\nDisallow: /" + "a*" * 2_000 + "b$")
    assert robots.allows("/" + "a" * 8_000)
