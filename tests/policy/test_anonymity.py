"""The anonymity level of a policy: what may be said, what k it means, when it is filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.errors import PolicyError, TooFewRowsError
from discreet.frequency.classes import Classes
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.models import KAnonymity
from discreet.pipeline.compare import compare
from discreet.pipeline.verify import verify
from discreet.policy.anonymity_level import UNKNOWN, Anonymity, fill_in_k

AGE = {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}


def policy(anonymity: Any = 0.5, **more: Any) -> discreet.Policy:
    columns = {"age": AGE, "sex": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    return discreet.Policy(columns=columns, anonymity=anonymity, **more)


def people(rows: int = 1000) -> pa.Table:
    return pa.table(
        {
            "age": [str(20 + n % 60) for n in range(rows)],
            "sex": ["FM"[n % 2] for n in range(rows)],
            "ill": [f"ill {n % 7}" for n in range(rows)],
        }
    )


@pytest.mark.parametrize(
    ("level", "rows", "k"),
    [
        (0, 54_805, 1),
        (0.0001, 54_805, 2),
        (0.1, 10, 2),
        (0.29, 10_000, 29),
        (0.57, 10_000, 57),
        (0.7, 54_805, 383),
        (1, 54_805, 54_805),
    ],
)
def test_a_level_is_a_share_of_a_hundredth_of_the_rows(level: float, rows: int, k: int) -> None:
    assert Anonymity(level).find_k(rows) == k


@pytest.mark.parametrize(
    ("level", "k"), [(0, 1), (0.1, 5), (0.3, 5), (0.31, 20), (0.7, 20), (0.71, 900)]
)
def test_the_institutions_map_wins_and_steps_up(level: float, k: int) -> None:
    assert Anonymity(level, ((0.3, 5), (0.7, 20))).find_k(900) == k


def test_an_institution_may_say_what_the_ends_mean() -> None:
    points = ((0.0, 3), (1.0, 100))
    assert [Anonymity(level, points).find_k(900) for level in (0, 1)] == [3, 100]
    assert not Anonymity(1, points).most_general


@given(st.floats(0, 1), st.floats(0, 1), st.integers(2, 10**6), st.sampled_from([(), ((0.4, 9),)]))
@settings(max_examples=60, deadline=None)
def test_k_never_falls_with_the_level(one: float, other: float, rows: int, points: Any) -> None:
    low, high = sorted((one, other))
    rows = max(rows, 9)
    ks = [Anonymity(level, points).find_k(rows) for level in (low, high)]
    assert ks[0] <= ks[1] <= rows
    assert high == 0 or ks[1] >= 2


@pytest.mark.parametrize(
    ("wrong", "key", "told"),
    [
        (-0.1, "anonymity", "from 0 (as it is) to 1"),
        (1.5, "anonymity", "from 0"),
        (70, "anonymity", "Did you mean 0.7?"),
        (True, "anonymity", "there is true"),
        ("0.7", "anonymity", "without quotes: 0.7"),
        (float("nan"), "anonymity", "there is nan"),
        (float("inf"), "anonymity", "there is inf"),
        ([0.7], "anonymity", "there is a list"),
        ({}, "anonymity", "'level' is missing"),
        ({"level": 2}, "anonymity.level", "from 0"),
        ({"level": 0.5, "kk": 3}, "anonymity.kk", "There is: level, k, rows"),
        ({"level": 0.5, "k": 5}, "anonymity.k", "k: {0.3: 5"),
        ({"level": 0.5, "k": {}}, "anonymity.k", "needs a k for each"),
        ({"level": 0.5, "k": {"0.3": 1}}, "anonymity.k.0.3", "whole number from 2"),
        ({"level": 0.5, "k": {"0.3": True}}, "anonymity.k.0.3", "there is true"),
        ({"level": 0.5, "k": {"0.3": 2.5}}, "anonymity.k.0.3", "there is 2.5"),
        ({"level": 0.5, "k": {"0.3": "5"}}, "anonymity.k.0.3", "without quotes"),
        ({"level": 0.5, "k": {"x": 5}}, "anonymity.k.x", "the text 'x'"),
        ({"level": 0.5, "k": {"nan": 5}}, "anonymity.k.nan", "there is nan"),
        ({"level": 0.5, "k": {"3": 5}}, "anonymity.k.3", "Did you mean 0.03"),
        ({"level": 0.5, "k": {"0.3": 5, "0.30": 6}}, "anonymity.k.0.30", "twice"),
        ({"level": 0.5, "k": {"0.7": 5, "0.3": 9}}, "anonymity.k.0.7", "falls from 9 to 5"),
        ({"level": 0.5, "rows": 0}, "anonymity.rows", "from 1"),
        ({"level": 0.5, "rows": True}, "anonymity.rows", "from 1"),
        ({"level": 0.5, "rows": 10**60}, "anonymity.rows", "from 1 to 1,000,000,000,000,000"),
        ({"level": 0.5, "k": {"1": 2**62}}, "anonymity.k.1", "from 2 to"),
        (Anonymity(3.0), "anonymity", "from 0"),
    ],
)
def test_what_is_no_level_is_refused_by_name(wrong: Any, key: str, told: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(wrong)
    (problem,) = caught.value.problems
    assert problem.key == key
    assert told in problem.what


def test_a_file_may_have_the_level_and_the_map(tmp_path: Path) -> None:
    file = tmp_path / "policy.yml"
    file.write_text(
        "columns: {age: {role: quasi}}\nanonymity: {level: 0.7, k: {0.3: 5, 0.7: 20, 1.0: 100}}\n"
    )
    loaded = discreet.Policy.load(file)
    assert loaded.anonymity == Anonymity(0.7, ((0.3, 5), (0.7, 20), (1.0, 100)))
    assert loaded.require[0].name == "k_anonymity"


def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "policy.yml"
    file.write_text("columns: {age: {role: quasi}}\nanonymity:\n  level: 0.7\n  k: {0.3: 0}\n")
    with pytest.raises(PolicyError, match=r"line 4.*anonymity\.k\.0\.3"):
        discreet.Policy.load(file)


@pytest.mark.parametrize(
    "said", [0.7, 1, {"level": 0.7, "k": {0.3: 5, 1: 9}}, {"level": 0.7, "rows": 500}]
)
def test_a_policy_is_written_so_that_it_means_the_same(said: Any, tmp_path: Path) -> None:
    first = policy(said, require=[{"l_diversity": {"column": "ill", "ell": 2}}])
    (tmp_path / "p.yml").write_text(first.to_yaml())
    assert discreet.Policy.load(tmp_path / "p.yml") == first


def test_without_a_level_a_k_is_missing_as_ever() -> None:
    for said in ("k_anonymity", {"k_anonymity": None}, {"k_anonymity": {"columns": ["age"]}}):
        with pytest.raises(PolicyError, match=r"'k' is missing. Write k_anonymity: \{k: ...\}"):
            policy(None, require=[said])
    with pytest.raises(PolicyError, match="require: is missing"):
        policy(None)


def test_other_promises_stay_beside_the_level() -> None:
    given = policy(0.5, require=[{"l_diversity": {"column": "ill", "ell": 3}}])
    made = fill_in_k(given, 1000, "t")
    assert [model.name for model in made.require] == ["k_anonymity", "l_diversity"]
    assert made.require[0] == KAnonymity(5)


def test_every_quasi_identifier_of_the_policy_gets_the_k_of_the_level() -> None:
    given = policy(0.5, require=[{"k_anonymity": {"columns": [c]}} for c in ("age", "sex")])
    made = fill_in_k(given, 1000, "t")
    assert made.require == (KAnonymity(5, ("age",)), KAnonymity(5, ("sex",)))


def test_a_smaller_k_beside_the_level_is_refused_and_a_larger_one_stays() -> None:
    with pytest.raises(
        PolicyError, match=r"require\[0\].k_anonymity.k: anonymity 0.5 asks for a k"
    ):
        fill_in_k(policy(0.5, require=[{"k_anonymity": {"k": 4}}]), 1000, "t")
    made = fill_in_k(policy(0.5, require=[{"k_anonymity": {"k": 6}}]), 1000, "t")
    assert made.require == (KAnonymity(6),)


def test_a_stricter_promise_for_some_columns_stands_beside_the_level() -> None:
    given = policy(0.5, require=[{"k_anonymity": {"columns": ["age"], "k": 50}}])
    made = fill_in_k(given, 1000, "t")
    assert made.require == (KAnonymity(5), KAnonymity(50, ("age",)))
    assert made.replace(seed=3).require == made.require


def test_verify_checks_the_level_whatever_smaller_k_the_policy_names() -> None:
    given = policy(0.5, require=[{"k_anonymity": {"k": 2}}])
    found = verify(released([4, 996]), given)
    assert (found.holds, found.verdicts[0].limit) == (False, 5)


def test_a_smaller_k_beside_a_map_is_refused_before_there_is_a_table() -> None:
    with pytest.raises(PolicyError, match="at least 20, and there is 5"):
        policy({"level": 0.5, "k": {1: 20}}, require=[{"k_anonymity": {"k": 5}}])


def test_filling_in_twice_changes_nothing() -> None:
    once = fill_in_k(policy(), 1000, "t")
    assert fill_in_k(once, 1000, "t") == once == fill_in_k(once, 600, "t")


def test_a_policy_that_tells_too_few_rows_gets_no_smaller_k() -> None:
    told = policy({"level": 0.5, "rows": 100})
    assert discreet.anonymize(people(), told).facts()["anonymity"]["k"] == 5
    found = verify(released([2, 998]), told)
    assert (found.holds, found.verdicts[0].limit) == (False, 5)
    assert "more rows" in found.verdicts[0].note


def test_a_table_smaller_than_k_is_refused() -> None:
    with pytest.raises(TooFewRowsError):
        discreet.anonymize(people(1), policy(0.1))
    with pytest.raises(TooFewRowsError):
        discreet.anonymize(people(50), policy({"level": 1, "k": {1: 100}}))


def test_a_release_keeps_and_states_the_k_of_its_level() -> None:
    release = discreet.anonymize(people(), policy(0.9, suppress=0.05))
    facts = release.facts()
    assert facts["anonymity"]["k"] == facts["verdicts"][0]["limit"] == 9
    assert facts["anonymity"]["rows"] == 1000
    assert facts["smallest_class"] >= 9
    assert release.to_arrow().num_rows == facts["rows_released"]


def test_level_0_is_as_it_is_and_says_so_aloud() -> None:
    release = discreet.anonymize(people(), policy(0))
    assert release.levels == {"age": 0, "sex": 0}
    assert any("NO k IS PROMISED" in note for note in release.facts()["notes"])


@pytest.mark.parametrize("algorithm", ["optimal", "datafly", "mondrian", "local", "k-similar"])
def test_level_1_puts_every_column_at_its_top(algorithm: str) -> None:
    table = people().set_column(1, "sex", pa.array(["F"] * 1000))
    release = discreet.anonymize(table, policy(1, algorithm=algorithm, suppress=0.05))
    heights = release.facts()["heights"]
    assert release.levels == heights
    assert release.facts()["classes"] == 1
    assert release.rows == 1000


def test_algorithms_are_compared_at_the_level() -> None:
    found = compare(people(), policy(0.9), ["optimal", "mondrian"]).facts()["results"]
    assert [one["verdicts"][0]["limit"] for one in found] == [9, 9]


def test_a_k_that_nobody_filled_in_lets_nothing_pass() -> None:
    """Whoever forgets to fill it in gets no release instead of an unprotected one."""
    assert policy().require[0].k == UNKNOWN
    assert policy().require[0].fails(Classes(np.array([10**9]))).all()


def released(sizes: list[int]) -> pa.Table:
    ages = [str(age) for age, size in enumerate(sizes) for _ in range(size)]
    return pa.table({"age": ages, "sex": ["F"] * len(ages), "ill": ["flu"] * len(ages)})


@pytest.mark.parametrize(
    ("suppress", "rows", "k", "sure"),
    [(0, None, 4, True), (0.2, None, 5, False), (0.2, 900, 4, True), (0.2, 1000, 5, True)],
)
def test_verify_takes_the_k_of_the_rows_that_there_were_at_most(
    suppress: float, rows: int | None, k: int, sure: bool
) -> None:
    given = policy({"level": 0.5, "rows": rows}, suppress=suppress)
    found = verify(released([4, 796]), given)
    assert found.anonymity is not None
    assert found.verdicts[0].limit == found.anonymity["k"] == k
    assert found.holds == (k == 4)
    assert ("option rows" not in found.verdicts[0].note) == sure != found.anonymity["assumed"]


def test_verify_counts_the_rows_of_the_private_table_if_it_is_there() -> None:
    found = verify(released([4, 796]), policy(0.5, suppress=0.2), original=people(900))
    assert found.anonymity is not None
    assert (found.holds, found.anonymity["rows"], found.anonymity["k"]) == (True, 900, 4)


def test_verify_cannot_tell_where_any_number_of_rows_may_be_left_out() -> None:
    found = verify(released([800]), policy(0.5, suppress=1.0))
    assert not found.holds
    assert "option rows" in found.verdicts[0].note


def test_verify_says_that_level_0_checks_nothing() -> None:
    found = verify(released([1, 2]), policy(0))
    assert found.holds
    assert "no k is promised" in found.verdicts[0].note


def test_verify_of_level_1_wants_one_class_of_all_rows() -> None:
    assert verify(released([800]), policy(1, suppress=0.2)).holds
    assert not verify(released([400, 400]), policy(1, suppress=0.2)).holds
    assert not verify(released([800]), policy({"level": 1, "rows": 900})).holds


def test_an_attack_is_held_against_the_k_of_the_level() -> None:
    found = discreet.attack(released([4, 796]), policy({"level": 0.5, "rows": 900}))
    assert found.limits.k == 4


def test_a_later_release_is_made_at_the_level_too(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger") as ledger:
        first = anonymize_again(people(), policy(0.9), ledger, "public")
        first.write(tmp_path / "first.csv")
        second = anonymize_again(people(2000), policy(0.9), ledger, "public")
        assert [one.facts()["anonymity"]["k"] for one in (first, second)] == [9, 18]


def test_every_quasi_identifier_of_a_recipient_gets_the_k_of_the_level() -> None:
    profiles = {"clinic": {"likelihoods": {"age": 1, "sex": 0.5}}, "nurse": {"preset": "caretaker"}}
    given = policy(0.9, profiles=profiles, profile="clinic", suppress=0.05)
    release = discreet.anonymize(people(), given)
    assert release.policy.require == (KAnonymity(9, ("age",)), KAnonymity(9, ("sex",)))
    assert release.holds
    assert release.facts()["anonymity"]["k"] == 9
    assert verify(release.to_arrow(), given, original=people()).holds
    as_is = discreet.anonymize(people(), given.replace(profile="nurse"))
    assert as_is.levels == {"age": 0, "sex": 0}


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), min_size=2, max_size=60), st.data()
)
@settings(max_examples=10, deadline=None)
def test_any_table_is_released_at_any_level(cells: list[tuple[int, int]], data: Any) -> None:
    level = data.draw(st.sampled_from([0, 0.2, 0.99, 1]))
    columns = {"age": [str(age) for age, _ in cells], "sex": [str(sex) for _, sex in cells]}
    table = pa.table({**columns, "ill": ["flu"] * len(cells)})
    release = discreet.anonymize(table, policy(level, suppress=0.1))
    facts = release.facts()
    k = facts["anonymity"]["k"]
    assert facts["smallest_class"] is None or facts["smallest_class"] >= k
    released = release.to_arrow()
    given = policy(level, suppress=0.1)
    assert verify(released, given, original=table).holds
    if level == 1:
        assert len({(row["age"], row["sex"]) for row in released.to_pylist()}) == 1


def test_an_attack_with_the_private_table_knows_its_k() -> None:
    release = released([4, 796])
    given = policy(0.5, suppress=0.2)
    private = pa.concat_tables([release, released([100])])
    found = [discreet.attack(release, given, original=table) for table in (None, private)]
    assert [one.limits.k for one in found] == [5, 4]
