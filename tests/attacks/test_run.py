"""All attacks together, held against a policy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Policy, anonymize
from discreet.attacks.outcome import Outcome, make_not_decided
from discreet.errors import ArgumentError, UnknownColumnError
from discreet.pipeline.attack import Attacked, attack
from discreet.pipeline.attack_limits import Limits
from tests.attacks.made import table
from tests.properties.strategies import examples

RELEASE = table("zip ill", "0213* flu, 0213* flu, 02141 flu, 02141 gout")
NAMES = ["unsorted", "complementary", "temporal", "summary", "linking", "membership", "minimality"]


def policy(*more: Any, k: int = 2, **settings: Any) -> Policy:
    return Policy(
        columns={
            "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
            "ill": {"role": "sensitive"},
        },
        require=[{"k_anonymity": {"k": k}}, *more],
        **settings,
    )


def of(found: Attacked, name: str) -> Any:
    return next(one for one in found.outcomes if one.attack == name)


def test_attacks_that_need_a_file_that_is_not_there_say_so() -> None:
    found = attack(RELEASE, policy())
    assert [one.attack for one in found.outcomes if not one.applies] == NAMES
    assert all(one.note for one in found.outcomes)


def test_homogeneity_breaks_a_policy_that_promises_diversity() -> None:
    assert attack(RELEASE, policy()).holds
    assert of(attack(RELEASE, policy()), "homogeneity").rows == (1, 2)
    diverse = policy({"l_diversity": {"column": "ill", "ell": 2}})
    assert not attack(RELEASE, diverse).holds


def test_skewness_breaks_a_policy_that_promises_closeness() -> None:
    assert not attack(RELEASE, policy({"t_closeness": {"column": "ill", "t": 0.1}})).holds
    assert attack(RELEASE, policy({"t_closeness": {"column": "ill", "t": 0.5}})).holds


def test_options_win_over_the_policy() -> None:
    register = table("zip", "02138, 02139, 02141, 02141")
    assert attack(RELEASE, policy(), register=register).holds
    assert not attack(RELEASE, policy(), k=3, register=register).holds
    assert attack(RELEASE, quasi=["zip"], register=register).limits.k == 2


def test_without_a_promise_of_size_rare_rows_are_told_but_break_nothing() -> None:
    close = Policy(
        columns={"zip": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        require=[{"t_closeness": {"column": "ill", "t": 0.9}}],
    )
    found = attack(table("zip ill", "1 flu, 2 gout"), close, register=table("zip", "1, 2"))
    assert of(found, "linking").succeeds
    assert found.holds


def test_columns_of_the_register_may_have_other_names() -> None:
    register = table("postcode", "02138, 02139, 02141, 02141")
    found = attack(RELEASE, policy(), register=register, mapping={"zip": "postcode"})
    assert of(found, "linking").applies
    with pytest.raises(ArgumentError, match="not a quasi column"):
        attack(RELEASE, policy(), register=register, mapping={"zap": "postcode"})


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({}, ArgumentError),
        ({"quasi": ["zap"]}, UnknownColumnError),
        ({"quasi": ["zip"], "sensitive": ["zip"]}, ArgumentError),
        ({"quasi": ["zip"], "k": 0}, ArgumentError),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        attack(RELEASE, **asked)


def test_facts_hold_no_value() -> None:
    release = table("zip ill", "SECRET1 SECRET2, SECRET3 SECRET4")
    counts = table("column value count", "zip SECRET1 1, zip SECRET3 2")
    found = attack(
        release,
        quasi=["zip"],
        sensitive=["ill"],
        register=release,
        original=release,
        earlier=[release],
        summary=counts,
    )
    assert not found.holds
    assert "SECRET" not in str(found.facts()) + repr(found)


people = st.lists(
    st.tuples(st.sampled_from(["02138", "02139", "02141", "02142"]), st.sampled_from("xyz")),
    min_size=4,
    max_size=12,
)


@examples(8)
@given(people, people, st.integers(0, 9))
def test_a_release_that_keeps_its_policy_withstands(
    rows: list[tuple[str, str]], more: list[tuple[str, str]], seed: int
) -> None:
    """Scrambled, with a register that has everybody, and with itself as what is out already."""
    private = table("zip ill", rows)
    wanted = policy(seed=seed)
    release = anonymize(private, wanted).to_arrow()
    register = table("zip ill", [*rows, *more])
    found = attack(release, wanted, register=register, original=private, earlier=[release])
    assert found.holds, [one.note for one in found.outcomes if one.breaks]


def test_a_table_released_as_it_is_falls_to_every_attack() -> None:
    """Twelve people, each with a zip and an age of their own; the last is left out."""
    rows = [(f"021{n:02}", f"{20 + 3 * n}", f"p{n % 5}") for n in range(12)]
    private = table("zip age ill", rows)
    release = private.slice(0, 11)
    counts = table("column value count", [("zip", row[0], "1") for row in rows])
    earlier = table("age ill", [(age, ill) for _, age, ill in rows[:10]])
    found = attack(
        release,
        quasi=["zip", "age"],
        sensitive=["ill"],
        register=private,
        earlier=[earlier],
        summary=counts,
        original=private,
    )
    broken = {one.attack: one.rows_exposed for one in found.outcomes if one.breaks}
    assert broken == {
        "unsorted": 11,
        "complementary": 11,
        "temporal": 11,
        "summary": 1,
        "linking": 11,
    }
    learned = {one.attack: one.rows_exposed for one in found.outcomes if one.succeeds}
    assert learned == broken | {"membership": 11, "homogeneity": 11, "skewness": 11}


def test_what_is_not_decided_does_not_hold_and_hides_no_attack_that_succeeds() -> None:
    limits = Limits(("zip",), ("ill",), 2)
    open_ = make_not_decided("minimality", "too large", "Use another choice.")
    breaking = Outcome("homogeneity", applies=True, rows_exposed=2)
    assert Attacked(limits, 4, (open_,)).holds is None
    assert Attacked(limits, 4, (open_, breaking)).holds is False
    assert Attacked(limits, 4, (Outcome("skewness", True, 0),)).holds is True
    assert Attacked(limits, 4, (open_,)).facts()["undecided"] == [
        {"attack": "minimality", "why": "too large", "fix": "Use another choice."}
    ]
