"""Post-randomization: probabilities as asked for, frequencies as promised."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.table.read import read
from discreet.techniques.substitute import Pram, draw_by_matrix, make_invariant
from tests.techniques.made_table import column

ROWS = 100_000
SHARES = np.array([0.6, 0.3, 0.1])
OLD = np.repeat(["a", "b", "c"], (SHARES * ROWS).astype(int))
TABLE = read(pa.table({"x": OLD.tolist()}))
MATRIX = {
    "a": {"a": 0.8, "b": 0.2},
    "b": {"a": 0.1, "b": 0.7, "c": 0.2},
    "c": {"b": 0.5, "c": 0.5},
}
SQUARE = np.array([[0.8, 0.2, 0.0], [0.1, 0.7, 0.2], [0.0, 0.5, 0.5]])


def _shares(values: list[str]) -> np.ndarray:
    counts = Counter(values)
    return np.array([counts[name] / len(values) for name in "abc"])


def _moves(after: list[str]) -> np.ndarray:
    """The share of each new value for each old one."""
    return np.array([_shares(np.array(after)[name == OLD].tolist()) for name in "abc"])


def _near(found: np.ndarray, expected: np.ndarray, rows: int = ROWS) -> bool:
    """Within four standard deviations of a share."""
    return bool((np.abs(found - expected) <= 4 * np.sqrt(0.25 / rows)).all())


def test_a_given_matrix_is_followed() -> None:
    after = column(Pram(("x",), matrix=MATRIX, invariant=False)(TABLE, 1), "x")
    assert _near(_moves(after), SQUARE, rows=10_000)
    assert _near(_shares(after), SHARES @ SQUARE)
    assert not _near(_shares(after), SHARES)


def test_an_impossible_change_never_happens() -> None:
    moves = _moves(column(Pram(("x",), matrix=MATRIX, invariant=False)(TABLE, 1), "x"))
    assert moves[0, 2] == moves[2, 0] == 0


def test_the_invariant_form_of_a_matrix_keeps_frequencies() -> None:
    made = make_invariant(SQUARE, SHARES)
    assert np.allclose(made.sum(axis=1), 1) and (made >= 0).all()
    assert np.allclose(SHARES @ made, SHARES)
    after = column(Pram(("x",), matrix=MATRIX)(TABLE, 1), "x")
    assert _near(_shares(after), SHARES)
    assert _near(_moves(after), made, rows=10_000)


def test_a_value_that_the_table_lacks_does_not_break_the_invariant_form() -> None:
    made = make_invariant(SQUARE, np.array([0.5, 0.5, 0.0]))
    assert np.allclose(made.sum(axis=1), 1) and (made >= -1e-12).all()
    assert np.allclose(np.array([0.5, 0.5, 0.0]) @ made, [0.5, 0.5, 0.0])


def test_a_share_drawn_from_the_column_keeps_frequencies() -> None:
    after = column(Pram(("x",), share=0.4)(TABLE, 1), "x")
    assert _near(_shares(after), SHARES)
    assert _near(_moves(after), 0.6 * np.eye(3) + 0.4 * SHARES, rows=10_000)


def test_a_share_drawn_from_the_other_values_changes_each_drawn_cell() -> None:
    after = column(Pram(("x",), share=0.4, invariant=False)(TABLE, 1), "x")
    assert _near(_moves(after), 0.6 * np.eye(3) + 0.2 * (1 - np.eye(3)), rows=10_000)


def test_a_column_of_one_value_stays() -> None:
    table = read(pa.table({"x": ["a"] * 5}))
    assert column(Pram(("x",), share=1.0, invariant=False)(table, 1), "x") == ["a"] * 5


def test_draws_at_the_edge_of_a_row_stay_in_it() -> None:
    class Edge:
        def random(self, size: int) -> np.ndarray:
            return np.full(size, np.nextafter(1.0, 0.0))

    found = draw_by_matrix(np.array([0, 1, 2]), SQUARE, Edge())  # type: ignore[arg-type]
    assert found.tolist() == [1, 2, 2]


def test_values_without_a_row_are_counted_not_shown() -> None:
    part = {"a": {"a": 1.0}, "b": {"b": 1.0}}
    with pytest.raises(TechniqueError, match=r"1 different values \(10000 rows\)"):
        Pram(("x",), matrix=part)(TABLE, 1)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ({"a": {"a": 0.9}}, "sum to 1"),
        ({"a": {"a": 1.2, "b": -0.2}, "b": {"b": 1.0}}, "none negative"),
        ({"a": {"b": 1.0}}, "square"),
        ({"a": {"a": "1"}}, "numbers"),
        ({"a": {"a": float("nan")}}, "sum to 1"),
        ({}, "probabilities"),
    ],
)
def test_a_matrix_that_is_none_is_refused(matrix: dict[str, dict[str, float]], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Pram(("x",), matrix=matrix)


def test_a_matrix_is_for_one_column_and_stands_instead_of_a_share() -> None:
    with pytest.raises(ParameterError):
        Pram(("x", "y"), matrix=MATRIX)
    with pytest.raises(ParameterError):
        Pram(("x",))
    with pytest.raises(ParameterError):
        Pram(("x",), share=0.1, matrix=MATRIX)
