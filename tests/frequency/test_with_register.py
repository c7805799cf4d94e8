"""A register counted beside a table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from discreet.frequency.count import Counted, add_register, count
from discreet.table.read import read
from tests.properties.strategies import examples

CELL = st.sampled_from(["p", "q", "r", None])
ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8)
TALLY = "register people.csv"


def counted(rows: list[Any], names: tuple[str, ...] = ("a", "b"), **more: Any) -> Counted:
    cells = zip(*rows, strict=True)
    table = pa.table({n: pa.array(c, pa.string()) for n, c in zip(names, cells, strict=True)})
    return count(read(table), names[:2], **more)


def tuples(found: Counted) -> dict[tuple[Any, ...], tuple[int, float]]:
    """Rows and people of each tuple."""
    frequency = found.frequency
    texts = [
        [frequency.values[name][code] for code in codes]
        for name, codes in zip(frequency.columns, frequency.codes, strict=True)
    ]
    pairs = zip(frequency.rows.tolist(), frequency.tallies[TALLY].tolist(), strict=True)
    return dict(zip(zip(*texts, strict=True), pairs, strict=True))


@examples(12)
@given(table=ROWS, people=ROWS)
def test_every_tuple_of_either_is_there_with_both_counts(table: Any, people: Any) -> None:
    found = add_register(counted(table), counted(people, ("x", "y")).frequency, TALLY)
    rows, others = Counter(table), Counter(people)
    assert tuples(found) == {key: (rows[key], others[key]) for key in rows | others}
    assert found.frequency.total == len(table)


def test_codes_of_the_table_s_own_values_stay() -> None:
    """The rows are recoded by the same dictionaries later."""
    table = counted([("q", "p"), ("p", "q")])
    before = dict(table.frequency.values)
    found = add_register(table, counted([("a", "p"), ("q", "z")], ("x", "y")).frequency, TALLY)
    for name, values in before.items():
        assert found.frequency.values[name][: len(values)] == values
    assert set(found.frequency.values["a"]) == {"p", "q", "a"}


def test_sensitive_values_and_other_tallies_follow_their_tuples() -> None:
    table = counted([("q", "p", "flu"), ("p", "q", "gout"), ("q", "p", "gout")], ("a", "b", "s"))
    sensitive = count(
        read(pa.table({"a": ["q", "p", "q"], "b": ["p", "q", "p"], "s": ["flu", "gout", "gout"]})),
        ("a", "b"),
        ("s",),
    )
    first = add_register(sensitive, counted([("a", "p")], ("x", "y")).frequency, "one")
    found = add_register(first, counted([("q", "p")] * 3, ("x", "y")).frequency, TALLY)
    frequency = found.frequency
    entries = frequency.sensitive["s"]
    told = Counter()
    for owner, value, number in zip(entries.owner, entries.value, entries.count, strict=True):
        key = tuple(
            frequency.values[n][c[owner]] for n, c in zip("ab", frequency.codes, strict=True)
        )
        told[(*key, frequency.values["s"][value])] += int(number)
    assert told == {("q", "p", "flu"): 1, ("p", "q", "gout"): 1, ("q", "p", "gout"): 1}
    assert tuples(found) == {("q", "p"): (2, 3), ("p", "q"): (1, 0), ("a", "p"): (0, 0)}
    assert frequency.tallies["one"].sum() == 1
    assert np.all(table.frequency.rows > 0)
