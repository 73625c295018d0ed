"""Requirements and tests hold each other: no claim of an unknown one, no delivered one without a claim."""

from __future__ import annotations

from tests.requirements import DELIVERED, PIECES, REQUIREMENTS, claims


def test_there_are_as_many_requirements_as_the_specification_has() -> None:
    assert len(REQUIREMENTS) == len(set(REQUIREMENTS)) == 100


def test_pieces_name_only_known_requirements() -> None:
    assert {id for ids in PIECES.values() for id in ids.split()} <= set(REQUIREMENTS)


def test_claims_name_only_known_requirements() -> None:
    assert set(claims()) <= set(REQUIREMENTS)


def test_what_is_delivered_is_claimed() -> None:
    delivered = {id for piece in DELIVERED for id in PIECES[piece].split()}
    assert delivered - set(claims()) == set()
