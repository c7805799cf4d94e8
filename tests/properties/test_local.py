"""Local recoding on any table: promises recounted on the rows, the bound kept."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.local import local, refine
from discreet.algorithms.local.local import Local
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution
from tests.properties.reference import Case, Cell, failing_rows, outcomes, promises
from tests.properties.strategies import Drawn, cases, examples

SLACK = 1e-8
Row = tuple[Cell, ...]


def solved(problem: Problem, maker: Local) -> CellSolution | None:
    try:
        return maker(problem)
    except UnreachableError:
        return None


def released(problem: Problem, case: Case, found: CellSolution) -> tuple[list[Row], list[bool]]:
    """What each row of the case becomes, and whether it is kept."""
    frequency, recoding = problem.frequency, found.recoding
    columns = range(len(frequency.columns))
    parts: dict[Row, list[tuple[Row, bool]]] = defaultdict(list)
    for part, owner in enumerate(recoding.owner):
        was = tuple(
            frequency.values[frequency.columns[c]][frequency.codes[c][owner]] for c in columns
        )
        now = tuple(recoding.values[c].labels[recoding.codes[c][part]] for c in columns)
        parts[was] += [(now, bool(recoding.kept[part]))] * int(recoding.rows[part])
    rows = list(zip(*(case.cells[name] for name in case.quasi), strict=True))
    both = [parts[row].pop() for row in rows]
    assert not any(parts.values()), "every row is accounted for once"
    return [now for now, _ in both], [kept for _, kept in both]


def check(drawn: Drawn, maker: Local) -> tuple[CellSolution, list[Row], list[bool]] | None:
    """Promises hold on the rows, no more are left out than allowed, and the bound holds."""
    problem, case = drawn.problem(), drawn.case
    found = solved(problem, maker)
    if found is None:
        return None
    rows, kept = released(problem, case, found)
    for columns, models in promises(case).items():
        assert not failing_rows(case, rows, kept, columns, models)
    assert kept.count(False) == found.suppressed <= case.limit
    bound, value = found.search.bound, found.measures[problem.measure.name]
    if bound is not None:
        falls = problem.measure.convert_score(1.0) == 1.0
        assert (value - bound if falls else bound - value) > -SLACK
    return found, rows, kept


@examples(120)
@given(drawn=cases())
def test_any_promise_is_kept_on_the_rows(drawn: Drawn) -> None:
    check(drawn, Local())


@examples(60)
@given(drawn=cases(kind="size", most_models=1), near=st.integers(1, 6))
def test_classes_keep_k_rows_whatever_is_moved(drawn: Drawn, near: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refine, "NEAR", near)
        patch.setattr(local, "NODES", 5)
        check(drawn, Local())


@examples(60)
@given(drawn=cases(kind="sensitive"), nodes=st.integers(1, 5))
def test_few_nodes_are_enough_to_keep_promises_about_sensitive_values(
    drawn: Drawn, nodes: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "JUDGED", nodes)
        patch.setattr(refine, "ROUNDS", 3)
        check(drawn, Local())


@examples(80)
@given(drawn=cases())
def test_one_value_is_released_in_one_way_if_asked(drawn: Drawn) -> None:
    checked = check(drawn, Local(consistent=True))
    if checked is not None:
        _, rows, kept = checked
        for place, name in enumerate(drawn.case.quasi):
            ways: dict[Cell, set[Cell]] = defaultdict(set)
            for row, keep in enumerate(kept):
                if keep:
                    ways[drawn.case.cells[name][row]].add(rows[row][place])
            assert all(len(texts) == 1 for texts in ways.values())


@examples(60)
@given(drawn=cases(wildcard=False), consistent=st.booleans())
def test_a_release_is_found_where_levels_of_columns_have_one(
    drawn: Drawn, consistent: bool
) -> None:
    some = any(outcome.allowed for outcome in outcomes(drawn.case).values())
    found = solved(drawn.problem(), Local(consistent))
    assert (found is not None) >= some


@examples(40)
@given(drawn=cases(), consistent=st.booleans())
def test_the_same_problem_has_the_same_answer(drawn: Drawn, consistent: bool) -> None:
    one, other = (solved(drawn.problem(), Local(consistent)) for _ in range(2))
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert fingerprint(one) == fingerprint(other)


def fingerprint(found: CellSolution) -> Any:
    recoding = found.recoding
    parts = (recoding.owner, recoding.rows, recoding.kept, *recoding.codes)
    return [np.asarray(part).tolist() for part in parts]
