"""The one permission function, as laws."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.errors import Forbidden, NotFound
from workroom.identity.access import Target, covers, decide, permissions, require, scope
from workroom.identity.builtin import ADMIN_RULES, BUILTIN_ROLES, MEMBER_RULES, READER_RULES
from workroom.identity.objects import CATALOGUE, check_rule
from workroom.identity.types import Action, Level, Principal, Rule

ME, OTHER, HERE, THERE = uuid4(), uuid4(), uuid4(), uuid4()


def principal(*rules: Rule, member_of: dict[UUID, tuple[Rule, ...]] | None = None) -> Principal:
    return Principal(uuid4(), ME, "Me", rules, member_of or {})


def read(level: Level, key: str = "data.user") -> Rule:
    return Rule(key, Action.READ, level)


@pytest.mark.requirement("N1")
@pytest.mark.parametrize(
    ("level", "mine", "shared", "foreign"),
    [
        (Level.NONE, True, False, False),  # to see oneself needs no rule
        (Level.MY, True, False, False),
        (Level.GROUP, True, True, False),
        (Level.ALL, True, True, True),
    ],
)
def test_levels_reach_as_far_as_they_say(level: Level, mine: bool, shared: bool, foreign: bool) -> None:
    who = principal(read(level), member_of={HERE: ()})
    assert decide(who, Action.READ, Target("data.user", ME)) is mine
    assert decide(who, Action.READ, Target("data.user", OTHER, frozenset({HERE}))) is shared
    assert decide(who, Action.READ, Target("data.user", OTHER, frozenset({THERE}))) is foreign


def test_a_role_held_in_a_workspace_counts_there_and_only_there() -> None:
    who = principal(member_of={HERE: (read(Level.ALL),), THERE: ()})
    assert decide(who, Action.READ, Target("data.user", OTHER, frozenset({HERE})))
    assert not decide(who, Action.READ, Target("data.user", OTHER, frozenset({THERE})))
    assert not decide(who, Action.READ, Target("data.user", OTHER))


def test_the_most_specific_rule_wins() -> None:
    who = principal(Rule("model.*", Action.USE, Level.ALL), Rule("model.gpt-5", Action.USE, Level.NONE))
    assert decide(who, Action.USE, Target("model.other"))
    assert not decide(who, Action.USE, Target("model.gpt-5"))


def test_what_cannot_be_read_does_not_exist() -> None:
    with pytest.raises(NotFound):
        require(principal(), Action.DELETE, Target("data.user", OTHER))
    with pytest.raises(Forbidden):
        require(principal(read(Level.ALL)), Action.DELETE, Target("data.user", OTHER))
    with pytest.raises(Forbidden):
        require(principal(), Action.USE, Target("service.agent"))


def test_nobody_covers_a_wildcard_they_have_an_exception_from() -> None:
    limited = principal(Rule("model.*", Action.USE, Level.ALL), Rule("model.gpt-5", Action.USE, Level.NONE))
    assert not covers(limited, [Rule("model.*", Action.USE, Level.ALL)])
    assert covers(limited, [Rule("model.other", Action.USE, Level.ALL)])


@given(st.lists(st.sampled_from([*ADMIN_RULES, *MEMBER_RULES, *READER_RULES]), max_size=12))
def test_one_always_covers_what_one_has(rules: list[Rule]) -> None:
    assert covers(principal(*rules), rules)


@given(
    st.lists(st.sampled_from(ADMIN_RULES), max_size=12),
    st.sampled_from([kind.key for kind in CATALOGUE]),
    st.sampled_from(list(Action)),
    st.booleans(),
)
def test_a_list_never_reaches_further_than_single_decisions(
    rules: list[Rule], key: str, action: Action, member: bool
) -> None:
    who = principal(*rules, member_of={HERE: ()} if member else {})
    reach = scope(who, action, key)
    assert (reach.level is Level.ALL) == decide(who, action, Target(key, OTHER))
    for instance_id in reach.instance_ids:
        assert decide(who, action, Target(key, OTHER, frozenset({instance_id})))


def test_builtin_roles_speak_only_of_what_exists_and_grow_upwards() -> None:
    for role in BUILTIN_ROLES:
        for rule in role.rules:
            check_rule(rule)
    admin, member = principal(*ADMIN_RULES), principal(*MEMBER_RULES)
    assert covers(admin, MEMBER_RULES)
    assert covers(member, READER_RULES)
    assert not covers(member, ADMIN_RULES)


def test_permissions_list_only_what_is_allowed() -> None:
    shown = permissions(principal(*READER_RULES))
    assert shown["data.user"] == {Action.READ: Level.GROUP, Action.UPDATE: Level.MY}
    assert "data.audit" not in shown
