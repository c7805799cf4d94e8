"""Cell-level releases, applied to rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.algorithms.cell_recoding import recode_at_levels
from discreet.algorithms.solution import Search, build_cell_solution
from discreet.errors import ReleaseError
from discreet.frequency.count import count
from discreet.pipeline.anonymize import Release
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.rows import RowAnswer
from discreet.policy.policy import Policy
from discreet.table.read import read

AGES = ["30", "30", "30", "30", "40", "41"]


def release(levels: list[list[int]], owner: Any = None, rows: Any = None, **more: Any) -> Release:
    kept = more.pop("kept", None)
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
        "problem": {"role": "other"},
    }
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], **more)
    table = read(pa.table({"age": AGES, "problem": list("abcdef")}))
    counted = count(table, policy.quasi)
    problem = plan_problem(policy, counted.frequency)
    recoding = recode_at_levels(
        problem,
        np.array(levels),
        None if owner is None else np.array(owner),
        None if rows is None else np.array(rows),
        None if kept is None else np.array(kept),
    )
    solution = build_cell_solution(problem, "hand", recoding, Search(False, None, 0, 0))
    source = Prepared(table, policy, table, table)
    return Release(source, policy, RowAnswer(source, policy, counted, problem, solution), 0.0)


def test_cells_of_one_column_have_levels_of_their_own() -> None:
    found = release([[0], [1], [1]], order="keep").to_arrow()
    assert found["age"].to_pylist() == ["30", "30", "30", "30", "40-44", "40-44"]
    assert found["problem"].to_pylist() == list("abcdef")


def test_rows_alike_may_be_released_in_different_ways() -> None:
    made = release([[0], [2], [2], [2]], owner=[0, 0, 1, 2], rows=[2, 2, 1, 1], order="keep")
    ages = made.to_arrow()["age"].to_pylist()
    assert sorted(ages[:4]) == ["30", "30", "30-39", "30-39"]
    assert ages[4:] == ["40-49", "40-49"]


def test_which_rows_go_where_depends_on_the_seed_alone() -> None:
    def drawn(seed: int) -> list[str]:
        made = release([[0], [2], [2], [2]], [0, 0, 1, 2], [2, 2, 1, 1], order="keep", seed=seed)
        return made.to_arrow()["age"].to_pylist()  # type: ignore[no-any-return]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(20)}) > 1


def test_rows_left_out_are_left_out() -> None:
    made = release([[0], [0], [0]], kept=[True, False, False], suppress=0.5, order="keep")
    assert made.rows == 4
    assert made.to_arrow()["problem"].to_pylist() == list("abcd")


def test_rows_left_out_stay_as_rows_of_stars_if_asked_for() -> None:
    made = release(
        [[0], [0], [0]],
        kept=[True, False, False],
        suppress=0.5,
        order="keep",
        suppressed_rows="keep",
    )
    assert made.rows == 6
    assert made.to_arrow()["age"].to_pylist() == ["30"] * 4 + ["*", "*"]
    assert made.facts()["classes"] == 2


def test_a_release_that_breaks_its_promise_is_not_handed_out(tmp_path: Any) -> None:
    made = release([[0], [0], [0]])
    assert not made.holds
    with pytest.raises(ReleaseError, match="k_anonymity fails for 2 rows"):
        made.write(tmp_path / "out.csv")
    with pytest.raises(ReleaseError, match="k_anonymity fails for 2 rows"):
        made.to_arrow()
    assert not list(tmp_path.iterdir())


def test_the_data_holder_may_insist_on_an_unprotected_release(tmp_path: Any) -> None:
    made = release([[0], [0], [0]])
    made.write(tmp_path / "out.csv", unprotected=True)
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 7


def test_facts_of_a_cell_level_release() -> None:
    facts = release([[0], [1], [1]]).facts()
    assert facts["levels"] == {"age": None}
    assert facts["optimal"]["bound"] is None
    assert facts["optimal"]["gap"] is None
    assert facts["cells_suppressed"] == 0
