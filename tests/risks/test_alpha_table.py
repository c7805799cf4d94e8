"""Column sets tested against a population: bounds that hold, bad input, and the map."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import DiscreetError, EmptyTableError, ParameterError, UnknownColumnError
from discreet.frequency.count import count
from discreet.risks.alpha_quasi_identifier import (
    bound_unique_share,
    check_alpha_sets,
    find_least_distinct,
)
from discreet.table.read import read

POPULATION = 50_000


def correlated(rows: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    """A town of 200 places, each with one code; the code says nothing more."""
    place = random.integers(0, 200, rows)
    return {"place": place, "code": (place * 7919) % 1000, "year": random.integers(0, 60, rows)}


def as_table(columns: dict[str, np.ndarray]) -> pa.Table:
    return pa.table({name: codes.astype(str) for name, codes in columns.items()})


def test_columns_that_say_the_same_count_once() -> None:
    table = as_table(correlated(20_000, np.random.default_rng(1)))
    found = check_alpha_sets(table, population=POPULATION, alpha=0.2)
    whole = found.sets[-1]
    assert whole.multiplied == 200 * 200 * 60
    assert whole.measured <= 200 * 60
    assert whole.most_uniques > 0.9
    assert whole.bound < 0.2
    assert found.suspected == ()
    assert ("place", "code") in {tuple(sorted(g, reverse=True)) for g in whole.joined.groups} or (
        len(whole.joined.groups) == 1
    )


def test_bounds_of_joined_columns_hold_but_with_chance_delta() -> None:
    """Over many samples of one population, whose expected uniques and unseen are known exactly."""
    population, runs, delta = 20_000, 80, 0.2
    shares = np.random.default_rng(3).dirichlet(np.full(3000, 0.3))
    true = float((shares * (1 - shares) ** (population - 1)).sum())
    low, unseen_low = 0, 0
    for seed in range(runs):
        drawn = np.random.default_rng(seed).choice(3000, 1500, p=shares)
        table = as_table({"a": drawn, "b": (drawn * 7) % 3000})
        found = check_alpha_sets(
            table, population=population, sets=[("a", "b")], delta=delta, seed=seed
        ).sets[0]
        unseen = 1 - float(shares[np.unique(drawn)].sum())
        assert found.joined.groups == (("a", "b"),)
        assert found.joined.unseen < 3 * unseen
        assert found.joined.share < 0.6 < found.most_uniques
        low += found.joined.share < true
        unseen_low += found.joined.unseen < unseen
    assert low / runs <= delta
    assert unseen_low / runs <= delta


def test_a_measured_count_is_not_taken_for_all_there_is() -> None:
    """All rows are different, so most people may be of a kind that the sample lacks."""
    rows = as_table({"a": np.arange(300), "b": np.arange(300)})
    found = check_alpha_sets(rows, population=10**6, sets=[("a", "b")])
    assert found.sets[0].measured == 300
    assert found.sets[0].bound == pytest.approx(bound_unique_share(300 * 300, 10**6))
    assert found.sets[0].joined.groups == (("a",), ("b",))


def test_where_the_table_is_the_population_nobody_is_unseen() -> None:
    rows = as_table({"a": np.arange(300), "b": np.arange(300)})
    found = check_alpha_sets(rows, population=300, sets=[("a", "b")])
    assert found.sets[0].joined.unseen == 0
    assert found.sets[0].bound == pytest.approx(1 / math.e)


def test_columns_with_more_values_than_the_table_shows_are_not_measured_by_it() -> None:
    """A file of one town: its few codes say nothing of the codes of the whole country."""
    table = as_table(correlated(20_000, np.random.default_rng(1)))
    near = check_alpha_sets(table, population=POPULATION, sets=[("code", "year")])
    far = check_alpha_sets(
        table, population=POPULATION, sets=[("code", "year")], domains={"code": 40_000}
    )
    assert near.sets[0].bound < 0.1
    assert far.sets[0].bound == far.sets[0].most_uniques > 0.9
    assert far.sets[0].joined.groups == (("code",), ("year",))


def test_a_frequency_list_and_its_table_give_the_same() -> None:
    table = as_table(correlated(500, np.random.default_rng(2)))
    frequency = count(read(table), ("place", "code", "year")).frequency
    assert check_alpha_sets(table).facts() == check_alpha_sets(frequency).facts()


def test_every_column_every_two_and_all_are_tested_unless_sets_are_named() -> None:
    table = as_table(correlated(100, np.random.default_rng(2)))
    assert [len(one.columns) for one in check_alpha_sets(table).sets] == [1, 1, 1, 2, 2, 2, 3]
    assert len(check_alpha_sets(table, ["year"]).sets) == 1


def test_5000_columns_are_tested_one_by_one_and_all_together() -> None:
    wide = pa.table({f"c{n}": ["x", "y"] for n in range(5000)})
    found = check_alpha_sets(wide, population=10**6)
    assert len(found.sets) == 5001
    assert found.sets[-1].most_uniques == 1.0


def test_the_facts_are_plain_and_hold_no_values() -> None:
    table = pa.table({"name": ["secret-value", "other", None], "age": ["4", "4", None]})
    facts = check_alpha_sets(table, population=1000, alpha=0.3).facts()
    text = json.dumps(facts, allow_nan=False)
    assert "secret-value" not in text
    assert facts["least_distinct"] == find_least_distinct(0.3, 1000)
    assert facts["sets"][0]["uniques"] == 3
    assert {"columns", "uniques", "multiplied", "most_uniques", "k", "bound"} <= {*facts["sets"][0]}


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"columns": ["who"]}, UnknownColumnError),
        ({"sets": [["a", "who"]]}, UnknownColumnError),
        ({"sets": [[]]}, ParameterError),
        ({"sets": [["a", "a"]]}, ParameterError),
        ({"population": 2}, ParameterError),
        ({"population": 0}, ParameterError),
        ({"population": 10.5}, ParameterError),
        ({"alpha": 0}, ParameterError),
        ({"alpha": 1}, ParameterError),
        ({"alpha": 1.2}, ParameterError),
        ({"delta": 0}, ParameterError),
        ({"domains": {"who": 3}}, ParameterError),
        ({"domains": {"a": 0}}, ParameterError),
    ],
)
def test_bad_input_gets_a_clear_answer(more: dict, error: type[DiscreetError]) -> None:
    with pytest.raises(error):
        check_alpha_sets(pa.table({"a": ["1", "2", "3"], "b": ["x", None, "x"]}), **more)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(EmptyTableError):
        check_alpha_sets(pa.table({"a": pa.array([], pa.string())}))


@pytest.mark.parametrize(
    "columns", [{"a": ["1"]}, {"a": ["1"] * 4, "b": ["1"] * 4}, {"a": pa.nulls(3, pa.string())}]
)
def test_one_row_equal_rows_and_missing_values_are_answered(columns: dict) -> None:
    found = check_alpha_sets(pa.table(columns), population=1000)
    assert all(one.multiplied == 1 for one in found.sets)
    assert found.suspected == ()


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_map_is_drawn_from_facts_alone_and_the_same_each_time(
    kind: str, tmp_path: Path
) -> None:
    from discreet.reporting.pictures import draw_alpha_map, trace_alpha_curve

    facts = check_alpha_sets(
        as_table(correlated(2000, np.random.default_rng(1))), population=POPULATION
    ).facts()
    plain = json.loads(json.dumps(facts))
    one, other = tmp_path / f"one.{kind}", tmp_path / f"other.{kind}"
    draw_alpha_map(plain, one)
    draw_alpha_map(facts, other)
    assert one.read_bytes() == other.read_bytes()
    for x, y in trace_alpha_curve(0.001, 300):
        assert y == pytest.approx(bound_unique_share(max(1, x * 1e12), 10**12), rel=1e-9)
