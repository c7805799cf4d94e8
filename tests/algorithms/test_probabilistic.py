"""Probabilistic anonymity as an algorithm: what is released, promised, checked, not promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.algorithms.probabilistic.probabilistic import CROWD, ONE_PERSON, Probabilistic
from discreet.errors import ParameterError, PolicyError, ReleaseError
from discreet.hierarchy import Prefix
from discreet.hierarchy.refusals import UnreadableValuesError
from discreet.models import KAnonymity, probabilistic_anonymity
from discreet.models.probabilistic_anonymity import (
    ProbabilisticAnonymity,
    count_combinations_allowed,
    find_largest_crowd,
)
from discreet.pipeline.promise import state_limits
from discreet.policy.policy import Policy
from tests.algorithms.made import problem
from tests.shared_data import shared


def people(rows: int = 4000, seed: int = 0) -> pa.Table:
    random = np.random.default_rng(seed)
    zips = [f"{z:05d}" for z in random.integers(2000, 2400, rows)]
    ages = [str(a) if a > 19 else None for a in random.integers(18, 90, rows)]
    born = np.datetime64("1940-01-01") + random.integers(0, 20_000, rows)
    sexes = random.choice(["f", "m"], rows)
    return pa.table({"zip": zips, "age": ages, "born": born.astype(str), "sex": sexes})


def policy(algorithm: Any, require: Any, names: str = "zip age sex", **more: Any) -> Policy:
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in names.split()}
    if "zip" in columns:
        columns["zip"]["hierarchy"] = Prefix([4, 3, 2])
    return Policy(columns=columns, require=require, algorithm=algorithm, seed=1, **more)


PROMISE = {"probabilistic": {"population": 100_000, "k": 50}}


def values(released: pa.Table) -> dict[str, int]:
    return {name: len(released.column(name).unique()) for name in released.column_names}


@pytest.mark.parametrize("method", ["quantiles", "distances", "radius", "cellular"])
@pytest.mark.parametrize("shown", ["ranges", "centres"])
def test_the_columns_show_no_more_combinations_than_theorem_4_allows(
    method: str, shown: str
) -> None:
    algorithm = {"probabilistic": {"ranges": ["age"], "method": method, "shown": shown}}
    wanted = policy(algorithm, [PROMISE])
    release = discreet.anonymize(people(), wanted)
    released = release.to_arrow()
    counts = values(released)
    (verdict,) = release.verdicts
    assert verdict.holds
    assert verdict.measured == counts["zip"] * counts["age"] * counts["sex"]
    assert verdict.measured <= verdict.limit == ProbabilisticAnonymity(100_000, 50).allowed
    assert verdict.measured > verdict.limit * 0.95
    (again,) = discreet.verify(released, wanted).verdicts
    assert again.holds
    assert (again.measured, again.limit) == (verdict.measured, verdict.limit)


def test_a_column_with_fewer_values_than_it_may_keep_is_left_as_it_is() -> None:
    release = discreet.anonymize(people(), policy("probabilistic", [PROMISE]))
    assert release.levels["sex"] == 0
    assert set(release.to_arrow().column("sex").to_pylist()) == {"f", "m"}


def test_ranges_hold_the_values_they_stand_for() -> None:
    table = people()
    wanted = policy({"probabilistic": {"ranges": ["age"]}}, [PROMISE], order="keep")
    released = discreet.anonymize(table, wanted).to_arrow()
    for before, after in zip(
        table.column("age").to_pylist(), released.column("age").to_pylist(), strict=True
    ):
        if before is None:
            assert after is None
        else:
            low, _, high = after.partition("-")
            assert int(low) <= int(before) <= int(high or low)


def test_dates_and_codes_become_ranges_too() -> None:
    algorithm = {"probabilistic": {"ranges": ["born", "zip"]}}
    wanted = policy(algorithm, [PROMISE], "zip born sex", order="keep")
    table = people()
    released = discreet.anonymize(table, wanted).to_arrow()
    for name in ("born", "zip"):
        pairs = zip(table.column(name).to_pylist(), released.column(name).to_pylist(), strict=True)
        for before, after in pairs:
            low, _, high = after.partition(" to ")
            assert low <= before <= (high or low)
    counts = values(released)
    assert counts["born"] == pytest.approx(counts["zip"], abs=6)


def test_a_heavy_column_keeps_more_values() -> None:
    table = people()
    columns = {"born": {"role": "quasi", "weight": 5.0}, "zip": {"role": "quasi"}}
    algorithm = {"probabilistic": {"ranges": ["born", "zip"]}}
    wanted = Policy(columns=columns, require=[PROMISE], algorithm=algorithm)
    counts = values(discreet.anonymize(table, wanted).to_arrow())
    assert counts["born"] / counts["zip"] == pytest.approx(5, rel=0.25)


def test_what_is_not_promised_is_said() -> None:
    release = discreet.anonymize(people(), policy("probabilistic", [PROMISE]))
    assert ONE_PERSON in release.facts()["notes"]
    smallest = release.facts()["smallest_class"]
    assert smallest is not None
    assert smallest < 50


def test_the_hipaa_preset_is_20_000_of_300_million() -> None:
    preset = ProbabilisticAnonymity(preset="hipaa")
    release = discreet.anonymize(
        people(), policy("probabilistic", [{"probabilistic": {"preset": "hipaa"}}])
    )
    assert release.verdicts[0].limit == preset.allowed == 14_774
    alone = policy({"probabilistic": {"preset": "hipaa"}}, [{"k_anonymity": {"k": 1}}])
    assert discreet.anonymize(people(), alone).levels == release.levels


def test_the_policy_file_of_the_issue_is_read() -> None:
    wanted = Policy(
        columns={"zip": {"role": "quasi"}},
        require=[{"k_anonymity": {"k": 1}}],
        algorithm={"probabilistic": {"population": 300000000, "k": 100}},
    )
    assert wanted.algorithm == Probabilistic(300_000_000, 100)
    assert "population: 300000000" in wanted.to_yaml()


def test_other_promises_are_kept_by_suppressing_or_by_coarser_columns() -> None:
    both = [PROMISE, {"k_anonymity": {"k": 20}}]
    algorithm = {"probabilistic": {"ranges": ["age"]}}
    release = discreet.anonymize(people(), policy(algorithm, both, suppress=0.05))
    assert release.holds
    assert release.facts()["smallest_class"] >= 20
    assert release.solution.suppressed <= 200
    release.to_arrow()


def test_without_a_population_the_table_is_the_population() -> None:
    release = discreet.anonymize(
        people(), policy("probabilistic", [{"k_anonymity": {"k": 10}}], suppress=0.1)
    )
    assert release.facts()["smallest_class"] >= 10
    assert ONE_PERSON not in release.facts()["notes"]


def test_a_promise_about_some_columns_leaves_the_others() -> None:
    promise = {"probabilistic": {"population": 10_000, "k": 50, "columns": ["zip"]}}
    release = discreet.anonymize(people(), policy("probabilistic", [promise]))
    assert release.levels == {"zip": 1, "age": 0, "sex": 0}
    assert release.verdicts[0].columns == ("zip",)


def test_another_algorithm_cannot_promise_it() -> None:
    with pytest.raises(ReleaseError, match="optimal cannot promise probabilistic"):
        discreet.anonymize(people(), policy("optimal", [PROMISE]))


def test_verify_multiplies_the_values_of_all_columns() -> None:
    """40 rows show 40 combinations, but their columns could show 1,600 to a larger table."""
    rows = pa.table({"zip": [str(n) for n in range(40)], "age": [str(n) for n in range(40)]})
    wanted = policy("probabilistic", [PROMISE], "zip age")
    (verdict,) = discreet.verify(rows, wanted).verdicts
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (False, 1600, 40)


@pytest.mark.parametrize("k", [1, 2, 7, 100, 20_000])
@pytest.mark.parametrize("beta", [0.5, 0.1, 0.001])
def test_the_check_draws_the_line_where_the_model_does(k: int, beta: float) -> None:
    model = ProbabilisticAnonymity(1_000_003, k, beta)
    assert probabilistic_anonymity._is_met(model, model.allowed)
    assert not probabilistic_anonymity._is_met(model, model.allowed + 1)


def test_a_hundred_million_combinations_and_far_more_are_counted() -> None:
    """As the values of many columns multiplied are, beyond any number that a file can hold."""
    model = ProbabilisticAnonymity(10**9, 1, 0.1)
    for combinations in (10**9, 2**5000):
        verdict = model.judge_combinations(combinations, 7, ("a",))
        assert (verdict.holds, verdict.rows_at_risk) == (False, 7)
        assert np.isfinite(verdict.measured)
        assert not probabilistic_anonymity._is_met(model, combinations)


def crowds(agree: float, seed: int) -> tuple[bool, np.ndarray]:
    """Whether a release of a fifth of 20,000 people holds, and how many each of its rows fits.

    Two columns of numbers, ``agree`` of the people have the same in both.
    """
    random = np.random.default_rng(seed)
    first, other = random.random((2, 20_000)).round(4)
    second = np.where(random.random(20_000) < agree, first, other)
    sample = random.permutation(20_000)[:4000]
    table = pa.table({"a": first[sample].astype(str), "b": second[sample].astype(str)})
    algorithm = {"probabilistic": {"ranges": ["a", "b"]}}
    promise = {"probabilistic": {"population": 20_000, "k": 50}}
    release = discreet.anonymize(table, policy(algorithm, [promise], "a b"))
    released = release.to_arrow()
    fits = {}
    for pair in set(zip(*(released.column(name).to_pylist() for name in "ab"), strict=True)):
        ends = [[float(x) for x in text.split("-")] for text in pair]
        inside = (first >= ends[0][0]) & (first <= ends[0][-1])
        fits[pair] = int((inside & (second >= ends[1][0]) & (second <= ends[1][-1])).sum())
    rows = zip(*(released.column(name).to_pylist() for name in "ab"), strict=True)
    return release.holds, np.array([fits[row] for row in rows])


def test_the_promise_is_kept_where_columns_are_independent() -> None:
    for seed in range(3):
        holds, fitting = crowds(0.0, seed)
        assert holds
        assert (fitting < 50).mean() <= 0.1


def test_correlated_columns_leave_combinations_that_fit_few_people() -> None:
    """Equal shares in every column are not equal shares of combinations, which theorem 4 needs."""
    holds, fitting = crowds(0.995, 0)
    assert holds
    assert fitting.min() <= 3
    few = fitting[fitting < 25]
    assert len(few) >= 5


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"population": 0, "k": 5}, "whole number of at least 1"),
        ({"population": 1000, "k": 0}, "whole number of at least 1"),
        ({"population": 1000}, "whole number of at least 1"),
        ({"population": 1000, "k": 5, "beta": 0}, "above 0 and below 1"),
        ({"population": 1000, "k": 5, "beta": 1}, "above 0 and below 1"),
        ({"population": 10, "k": 50}, "k: must be at most 4: more cannot be promised of 10 people"),
        ({"population": 4, "k": 1}, "population: must be at least 5 for beta 0.1"),
        ({"population": -7, "k": 5}, "whole number of at least 1"),
        ({"preset": "hipaa", "population": 0}, "whole number of at least 1"),
        ({"preset": "hipaa", "k": 0}, "whole number of at least 1"),
        ({"preset": "gdpr"}, "one of hipaa"),
    ],
)
def test_a_promise_that_cannot_be_is_refused(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        policy("probabilistic", [{"probabilistic": parameters}])


@pytest.mark.parametrize(
    "parameters",
    [{"method": "best"}, {"shown": "all"}, {"ranges": "age"}, {"beta": 2.0}, {"k": 0.5}],
)
def test_an_algorithm_that_cannot_be_is_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Probabilistic(**parameters)


def test_ranges_of_words_or_of_unknown_columns_are_refused() -> None:
    made = problem(["x 1", "y 2"], [KAnonymity(1)])
    with pytest.raises(UnreadableValuesError, match="numbers, dates such as"):
        Probabilistic(ranges=("a",))(made)
    with pytest.raises(ParameterError, match="'c' is none"):
        Probabilistic(ranges=("c",))(made)


@pytest.mark.parametrize("rows", [["1 x"], ["1 x"] * 5, ["- x", "- y", "- z"], ["- -"]])
def test_one_row_equal_rows_and_missing_values(rows: list[str]) -> None:
    made = problem(rows, [KAnonymity(1)])
    found = Probabilistic(population=1000, k=10, ranges=("a",))(made)
    assert found.holds
    assert found.suppressed == 0


def test_missing_values_and_numbers_in_one_class_are_suppressed_together() -> None:
    made = problem(["1 x", "- x", "3 x"], [ProbabilisticAnonymity(100, 40, 0.1)])
    assert ProbabilisticAnonymity(100, 40, 0.1).allowed == 1
    found = Probabilistic(ranges=("a",))(made)
    labels = found.recoding.values[0].labels
    assert {labels[code] for code in found.recoding.codes[0]} == {"*"}


def test_adult_for_the_united_states_keeps_most_detail() -> None:
    columns: dict[str, Any] = {
        name: {"role": "quasi"} for name in ("age", "hours-per-week", "sex", "race")
    }
    wanted = Policy(
        columns=columns,
        require=[{"probabilistic": {"population": 300_000_000, "k": 20_000}}],
        algorithm={"probabilistic": {"ranges": ["age", "hours-per-week"]}},
    )
    release = discreet.anonymize(shared("data", "adult", "adult.csv"), wanted)
    assert (release.levels["sex"], release.levels["race"]) == (0, 0)
    assert 1000 < release.verdicts[0].measured <= 14_774
    assert release.solution.suppressed == 0


def test_adult_uses_80_of_81_combinations() -> None:
    """Rounded down and filled up greedily it was 30: race lost, hours kept three values."""
    columns: dict[str, Any] = {
        name: {"role": "quasi"} for name in ("age", "hours-per-week", "sex", "race")
    }
    wanted = Policy(
        columns=columns,
        require=[{"probabilistic": {"population": 10_000, "k": 100}}],
        algorithm={"probabilistic": {"ranges": ["age", "hours-per-week"]}},
    )
    release = discreet.anonymize(shared("data", "adult", "adult.csv"), wanted)
    (verdict,) = release.verdicts
    assert (verdict.measured, verdict.limit) == (80, 81)
    assert (release.levels["sex"], release.levels["race"]) == (0, 0)
    assert any("smaller than the table" in note for note in release.facts()["notes"])


def test_no_column_could_keep_one_value_more() -> None:
    random = np.random.default_rng(8)
    for case in range(12):
        rows = [
            f"{random.integers(0, 12)} {random.integers(0, 40)} {random.choice(list('uvwxyz'))}"
            for _ in range(60)
        ]
        population = int(random.integers(20, 3000))
        made = problem(rows, [ProbabilisticAnonymity(population, 3)])
        method = ("quantiles", "distances", "radius", "cellular")[case % 4]
        found = Probabilistic(ranges=("a", "b"), method=method)(made)  # type: ignore[arg-type]
        sizes = [len(set(codes.tolist())) for codes in found.recoding.codes]
        full = [made.lattice.hierarchies[c].size(0) for c in range(3)]
        (verdict,) = found.verdicts
        assert verdict.measured == np.prod(sizes) <= verdict.limit
        for c in range(3):
            more = sizes[c] + 1 if c < 2 else full[c]
            if sizes[c] < full[c]:
                assert verdict.measured / sizes[c] * more > verdict.limit


def test_other_promises_leave_as_many_combinations_as_they_can() -> None:
    """160 values in threes are 53 ranges; halving alone, to 80 and 40, would end with 40."""
    made = problem([f"{n}" for n in range(160)], [KAnonymity(3)])
    found = Probabilistic(population=10**6, k=2, ranges=("a",))(made)
    assert len(set(found.recoding.codes[0].tolist())) >= 52
    assert found.holds


def test_a_crowd_larger_than_the_population_is_refused_by_the_algorithm() -> None:
    made = problem(["1 x", "2 y"], [KAnonymity(1)])
    with pytest.raises(ParameterError, match="at most 79: more cannot be promised of 100 people"):
        Probabilistic(population=100, k=20_000)(made)


@pytest.mark.parametrize("beta", [0.5, 0.1, 0.001])
def test_the_largest_crowd_is_the_last_that_leaves_a_combination(beta: float) -> None:
    for population in (1, 3, 5, 20, 997, 10**6):
        most = find_largest_crowd(population, beta)
        assert most == 0 or count_combinations_allowed(population, most, beta) >= 1
        assert count_combinations_allowed(population, most + 1, beta) < 1


def test_numbers_that_are_lost_are_to_be_named_in_ranges() -> None:
    table, promise = people(), {"probabilistic": {"population": 1000, "k": 50}}
    lost = discreet.anonymize(table, policy("probabilistic", [promise], "age born sex"))
    notes = [note for note in lost.facts()["notes"] if "'ranges'" in note]
    assert [note.split()[0] for note in notes] == ["age", "born"]
    both = policy({"probabilistic": {"ranges": ["age", "born"]}}, [promise], "age born sex")
    assert not any("'ranges'" in note for note in discreet.anonymize(table, both).facts()["notes"])


def test_rows_are_not_said_to_be_alone_where_another_promise_forbids_it() -> None:
    both = policy("probabilistic", [{"k_anonymity": {"k": 5}}, PROMISE], suppress=0.1)
    notes = discreet.anonymize(people(), both).facts()["notes"]
    assert ONE_PERSON not in notes
    assert CROWD in notes
    assert "unique in the release" not in state_limits(both)
    assert "unique in the release" in state_limits(policy("probabilistic", [PROMISE]))
    weak = policy("probabilistic", [{"k_anonymity": {"k": 1}}, PROMISE])
    assert "unique in the release" in state_limits(weak)
    part = policy("probabilistic", [{"k_anonymity": {"k": 5, "columns": ["sex"]}}, PROMISE])
    assert "unique in the release" in state_limits(part)
