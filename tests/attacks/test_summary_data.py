"""Which suppressed cells published counts of the columns give away."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import anonymize
from discreet.algorithms import Problem
from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.suppressed_cells import infer_cells
from discreet.hierarchy import Prefix
from discreet.models import KAnonymity
from discreet.pipeline.withstand import Intruder, attack_release
from tests.algorithms.made import problem
from tests.papers.sweeney import FIGURE_33, FIGURE_34, private_table
from tests.papers.sweeney import policy as figure_policy
from tests.papers.sweeney import problem as figure
from tests.properties.strategies import examples


def blanked(asked: Problem, cells: dict[str, str]) -> CellRecoding:
    """Rows as they are; ``cells`` says by first value which columns of a row are suppressed."""
    levels = np.zeros((len(asked.frequency), len(asked.frequency.columns)), dtype=int)
    first = asked.frequency.values[asked.frequency.columns[0]]
    for tuple_, code in enumerate(asked.frequency.codes[0]):
        for name in cells.get(str(first[code]), ""):
            column = asked.frequency.columns.index(name)
            levels[tuple_, column] = asked.lattice.top[column] + 1
    return recode_at_levels(asked, levels)


def exposed(rows: tuple[str, ...], cells: dict[str, str], k: int = 2) -> dict[str, int]:
    asked = problem(rows, [KAnonymity(k)])
    return dict(infer_cells(asked, blanked(asked, cells)).cells)


def test_cells_of_one_value_are_given_away_however_many() -> None:
    rows = ("1 x", "2 x", "3 y", "4 y")
    assert exposed(rows, {"1": "b", "2": "b"}) == {"b": 2}


def test_cells_of_two_values_are_not() -> None:
    rows = ("1 x", "2 y", "3 x", "4 y")
    assert exposed(rows, {"1": "b", "2": "b"}) == {}


def test_fewer_cells_than_k_are_given_away() -> None:
    rows = ("1 x", "2 y", "3 x", "4 y")
    assert exposed(rows, {"1": "b", "2": "b"}, k=3) == {"b": 2}


def test_a_value_that_all_rows_have_is_no_news() -> None:
    assert exposed(("1 x", "2 x", "3 x"), {"1": "b", "2": "b"}) == {}


def test_a_column_that_is_suppressed_throughout_gives_nothing_away() -> None:
    asked = problem(("1 x", "2 x", "3 y"), [KAnonymity(2)])
    found = infer_cells(asked, blanked(asked, dict.fromkeys("123", "b")))
    assert (found.cells, found.hidden) == ({}, {})


def test_blanks_that_are_missing_values_hide_among_those_that_were_missing() -> None:
    asked = problem(("1 x", "2 x", "3 -", "4 y"), [KAnonymity(2)])
    first = asked.frequency.values["a"]
    hide = [str(first[code]) in "12" for code in asked.frequency.codes[0]]
    levels = np.zeros((4, 2), dtype=int)
    levels[hide, 1] = asked.lattice.top[1] + 1
    assert infer_cells(asked, recode_at_levels(asked, levels)).cells == {"b": 2}
    assert infer_cells(asked, recode_at_levels(asked, levels, blank=None)).cells == {}


def test_the_outcome_counts_cells_and_names_parts_but_holds_no_value() -> None:
    asked = problem(("1 x", "2 x", "3 y", "4 y"), [KAnonymity(2)])
    found = infer_cells(asked, blanked(asked, {"1": "b", "2": "b", "3": "a"}))
    assert found.hidden == {"a": 1, "b": 2}
    assert found.cells == {"a": 1, "b": 2}
    assert {name: len(parts) for name, parts in found.parts.items()} == {"a": 1, "b": 2}
    assert found.exposed == 3


def test_rows_that_are_left_out_are_hidden_cells_too() -> None:
    asked = problem(("1 x", "2 x", "3 y", "4 y"), [KAnonymity(2)])
    kept = asked.frequency.codes[1] != 0
    plain = np.zeros((4, 2), dtype=int)
    found = infer_cells(asked, recode_at_levels(asked, plain, kept=kept))
    assert found.hidden == {"a": 2, "b": 2}
    assert found.cells == {"b": 2}


def test_cells_told_at_a_higher_level_leave_room_for_doubt() -> None:
    """A cell is hidden, another told as 0213*: the hidden one is some 0213*, as long as the other
    codes are told; once they are told as 021**, it may be one of them.
    """
    rows = ("1 02138", "2 02139", "3 02141", "4 02141")
    asked = problem(rows, [KAnonymity(1)], hierarchies={"b": Prefix([4, 3])})
    levels = np.zeros((4, 2), dtype=int)
    zips = [asked.frequency.values["b"][code] for code in asked.frequency.codes[1]]
    levels[zips.index("02138"), 1] = asked.lattice.top[1] + 1
    levels[zips.index("02139"), 1] = 1
    assert infer_cells(asked, recode_at_levels(asked, levels), k=1).cells == {"b": 1}
    levels[np.array(zips) == "02141", 1] = asked.lattice.top[1]
    assert infer_cells(asked, recode_at_levels(asked, levels), k=1).cells == {}


def test_figure_47_gives_its_one_suppressed_row_away() -> None:
    """[Sweeney2001]_, sec. 6.3.3: all but t8, zip to four digits, and t8 is inferred exactly."""
    asked = figure(tuple(row[:4] for row in FIGURE_34), FIGURE_33, k=2)
    levels = np.tile([0, 2, 0, 1], (12, 1))
    births = asked.frequency.values["birth"]
    kept = np.array([births[code] != "1965-03-15" for code in asked.frequency.codes[1]])
    found = infer_cells(asked, recode_at_levels(asked, levels, kept=kept))
    assert found.cells == dict.fromkeys(("race", "birth", "sex", "zip"), 1)


def test_figure_43_gives_the_race_of_its_two_suppressed_rows_away() -> None:
    """Sec. 6.3.3 says that Datafly's release has no such problem; both rows are white."""
    asked = figure_policy(
        FIGURE_33, 2, suppress=2 / 12, measure="precision", algorithm="datafly", seed=1
    )
    release = anonymize(private_table(FIGURE_33, FIGURE_34), asked)
    (found,) = (
        one for one in attack_release(release, Intruder()).outcomes if one.attack == "summary"
    )
    assert (found.rows_exposed, found.cells) == (2, 2)
    assert "race" in found.note


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Zip codes of up to six rows, and the level that each is released at; 3 is suppressed."""
    zips = draw(st.lists(st.sampled_from(["111", "112", "121", "211"]), min_size=2, max_size=6))
    return zips, draw(st.lists(st.integers(0, 3), min_size=len(zips), max_size=len(zips)))


def told_by_brute_force(zips: list[str], levels: list[int]) -> bool:
    """Every way to put the counted values to the cells tells the hidden ones alike."""
    marks = [_at(value, level) for value, level in zip(zips, levels, strict=True)]
    possible = {
        tuple(v for v, level in zip(way, levels, strict=True) if level == 3)
        for way in set(permutations(zips))
        if all(
            level == 3 or _at(v, level) == m for v, level, m in zip(way, levels, marks, strict=True)
        )
    }
    for level in {level for level in levels if level < 3}:
        seen = {_at(value, level) for hidden in possible for value in hidden}
        everybody = {_at(value, level) for value in zips}
        if len(seen) == 1 and len(everybody) > 1:
            return True
    return False


def _at(value: str, level: int) -> str:
    return value[: 3 - level] + "*" * level if level < 2 else "any"


@examples(150)
@given(columns())
def test_a_column_is_exposed_just_when_every_way_to_fill_it_in_agrees(
    drawn: tuple[list[str], list[int]],
) -> None:
    zips, levels = drawn
    rows = tuple(f"{value} {number}" for number, value in enumerate(zips))
    builder: Any = Labels3()
    asked = problem(rows, [KAnonymity(1)], hierarchies={"a": builder})
    order = [int(asked.frequency.values["b"][code] or 0) for code in asked.frequency.codes[1]]
    chosen = np.array([[levels[row], 0] for row in order])
    found = infer_cells(asked, recode_at_levels(asked, chosen), k=1)
    hidden = Counter(levels)[3]
    expected = hidden > 0 and told_by_brute_force(zips, levels)
    assert ("a" in found.cells) == expected
    assert found.hidden.get("a", 0) == (0 if hidden == len(zips) else hidden)


class Labels3:
    """Three digits, the last taken off, then one common root; the root says that there is one."""

    def build(self, column: str, values: Any) -> Any:
        from discreet.hierarchy import Hierarchy

        levels = [[_at(v, 1) for v in values], ["any"] * len(values)]
        return Hierarchy.from_labels(column, values, levels)


@pytest.mark.parametrize("k", [1, 2])
def test_without_suppressed_cells_there_is_nothing_to_infer(k: int) -> None:
    found = exposed(("1 x", "2 y"), {}, k)
    assert found == {}
