"""Complementary suppression of releases that are written out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from discreet.algorithms import Problem
from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.complementary import complementary
from discreet.algorithms.mu_argus.blank_alike import MOST_SETS, blank_alike
from discreet.algorithms.suppressed_cells import infer_cells
from discreet.errors import InternalError
from discreet.models import KAnonymity
from tests.algorithms.made import problem


def looks(recoding: CellRecoding) -> Counter[str]:
    """How often each released row occurs."""
    found: Counter[str] = Counter()
    for part in np.nonzero(recoding.kept)[0]:
        texts = [
            str(values.labels[codes[part]])
            for values, codes in zip(recoding.values, recoding.codes, strict=True)
        ]
        found[" ".join(texts)] += int(recoding.rows[part])
    return found


def released(asked: Problem, *rows: str) -> CellRecoding:
    """A release that differs from its table by cells that are ``*``, row by row."""
    frequency = asked.frequency
    levels = np.zeros((len(frequency), len(frequency.columns)), dtype=int)
    for row in rows:
        cells = row.split()
        fits = np.ones(len(frequency), dtype=bool)
        for c, cell in enumerate(cells):
            texts = np.array([str(v) for v in frequency.values[frequency.columns[c]]])
            fits &= (texts[frequency.codes[c]] == cell.strip("*")) if cell.strip("*") else True
        for c, cell in enumerate(cells):
            if cell.endswith("*"):
                levels[fits, c] = asked.lattice.top[c] + 1
    return recode_at_levels(asked, levels)


def test_a_safe_release_is_left_as_it_is() -> None:
    asked = problem(("x 1", "x 1", "y 2", "y 2"), [KAnonymity(2)])
    before = released(asked)
    assert complementary(asked, before, 2) is before


def test_rows_below_k_are_made_alike_first_among_themselves() -> None:
    asked = problem(("x 1 m", "x 2 m", "y 3 f", "y 3 f"), [KAnonymity(2)])
    after = blank_alike(asked, released(asked), 2)
    assert looks(after) == {"x * m": 2, "y 3 f": 2}


def test_a_row_of_its_own_takes_in_the_class_that_loses_fewest_cells() -> None:
    asked = problem(("x 1 m", "x 2 m", "x 2 m", "y 3 f", "y 3 f"), [KAnonymity(2)])
    assert looks(blank_alike(asked, released(asked), 2)) == {"x * m": 3, "y 3 f": 2}


def test_only_as_many_rows_are_taken_in_as_needed_where_k_are_left() -> None:
    asked = problem(("x 1", *["x 2"] * 5), [KAnonymity(2)])
    assert looks(blank_alike(asked, released(asked), 2)) == {"x *": 2, "x 2": 4}


def test_no_suppressed_cell_comes_back() -> None:
    asked = problem(("x 1", "x 2", "x 2", "y 3", "y 3"), [KAnonymity(2)])
    after = blank_alike(asked, released(asked, "x* 1"), 2)
    assert looks(after) == {"* *": 3, "y 3": 2}


def test_suppressed_cells_of_one_value_get_company() -> None:
    """Both blanks of b are 1; counts would tell, so two rows with another value follow."""
    asked = problem(("x 1", "x 1", "y 2", "y 2", "z 2", "z 2", "z 2"), [KAnonymity(2)])
    before = released(asked, "x 1*")
    assert infer_cells(asked, before).cells == {"b": 2}
    after = complementary(asked, before, 2)
    assert looks(after) == {"x *": 2, "y *": 2, "z 2": 3}
    assert infer_cells(asked, after).cells == {}


def test_a_row_may_join_a_class_that_is_suppressed_already() -> None:
    """Of four rows alike one is enough, as they look like those that are suppressed then."""
    asked = problem(("x 1", "x 1", "x 2", "x 2", "x 2", "x 2"), [KAnonymity(2)])
    after = complementary(asked, released(asked, "x 1*"), 2)
    assert looks(after) == {"x *": 3, "x 2": 3}


def test_without_k_rows_there_is_no_way() -> None:
    asked = problem(("x 1", "y 2"), [KAnonymity(3)])
    with pytest.raises(InternalError, match="fewer rows than k"):
        blank_alike(asked, released(asked), 3)


def test_many_columns_end_soon() -> None:
    """With 20 columns only the smaller sets are tried, then one column after the other."""
    random = np.random.default_rng(5)
    rows = [" ".join(map(str, random.integers(0, 2, 20))) for _ in range(40)]
    asked = problem(rows, [KAnonymity(3)])
    tries: list[int] = []
    after = blank_alike(asked, released(asked), 3, lambda tried, *_: tries.append(tried))
    assert min(looks(after).values()) >= 3
    assert tries[-1] <= 3 * MOST_SETS + 20
