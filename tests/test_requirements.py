"""Requirements and tests hold each other: what is there is claimed by a test, what is not there by none."""

from __future__ import annotations

from tests.requirements import DELIVERED, PARTLY, PIECES, REQUIREMENTS, claims, delivered, missing_from


def test_there_are_as_many_requirements_as_the_specification_has() -> None:
    assert len(REQUIREMENTS) == len(set(REQUIREMENTS)) == 100


def test_every_requirement_is_delivered_by_a_piece() -> None:
    assert {id for ids in PIECES.values() for id in ids.split()} == set(REQUIREMENTS)
    assert set(DELIVERED) <= PIECES.keys()


def test_claims_name_only_known_requirements() -> None:
    assert set(claims()) <= set(REQUIREMENTS)


def test_what_is_delivered_is_claimed() -> None:
    assert delivered() - set(claims()) == set()


def test_what_comes_later_is_not_claimed() -> None:
    assert set(claims()) - delivered() == set()


def test_what_is_there_in_part_says_what_is_missing() -> None:
    """And nothing else does: the day its last piece is delivered, its line has to go."""
    assert {id for id in delivered() if missing_from(id)} == set(PARTLY)
