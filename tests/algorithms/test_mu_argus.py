"""mu-Argus: its parameters, the combinations it tests, and what each variant does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.mu_argus.mu_argus import MuArgus, measure_session
from discreet.algorithms.mu_argus.session import Session, list_combinations
from discreet.algorithms.mu_argus.suppression import (
    choose_cells_greedily,
    choose_first_cells,
    find_fewest_cells,
)
from discreet.algorithms.problem import Problem
from discreet.errors import ParameterError, ReleaseError
from discreet.frequency.count import count
from discreet.hierarchy import File, Prefix
from discreet.models import KAnonymity, LargestRisk, LDiversity
from discreet.pipeline.plan import plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import problem
from tests.shared_data import shared

ROWS = ("x 1 m", "x 1 m", "x 2 m", "y 1 f", "y 1 f", "y 2 f")
RANKS: dict[str, Any] = {"most": ("a",), "more": ("b",), "identifying": ("c",)}


def kinds(most: int, more: int, identifying: int) -> set[str]:
    """Which kinds of combination are tested with so many columns of each rank."""
    names = "T" * most + "R" * more + "I" * identifying
    places = range(len(names))
    found = list_combinations(places[:most], places[most : most + more], places[most + more :])
    assert len(set(found)) == len(found)
    return {"".join(sorted(names[c] for c in one)) for one in found}


def test_figure_49_with_enough_columns_of_each_rank() -> None:
    """T is most, R is more, I is identifying; the kinds that the figure answers with no lack."""
    assert kinds(3, 3, 3) == {"IRT", "ITT", "RRT", "RTT", "TTT", "IR", "IT", "RR", "RT", "TT"}


@pytest.mark.parametrize(
    ("ranks", "tested"),
    [
        ((3, 3, 0), {"RT", "TT", "TTT"}),
        ((1, 0, 3), {"IT"}),
        ((1, 2, 1), {"RT", "RR", "RRT", "IRT", "IR", "IT"}),
        ((1, 1, 0), {"RT"}),
        ((0, 2, 2), {"IR", "RR"}),
        ((0, 0, 3), set()),
        ((3, 0, 0), {"TT", "TTT"}),
    ],
    ids=lambda given: " ".join(map(str, sorted(given))) if isinstance(given, set) else str(given),
)
def test_figure_49_with_fewer_columns(ranks: tuple[int, int, int], tested: set[str]) -> None:
    assert kinds(*ranks) == tested


@pytest.mark.parametrize(
    ("parameters", "key", "told"),
    [
        ({"variant": "best"}, "variant", "published, actual, complete"),
        ({"suppression": "few"}, "suppression", "greedy, fewest"),
        ({"complementary": 1}, "complementary", "true or false"),
        ({"most": "zip"}, "most", "a list of column names"),
        ({"generalize": ("zip", 3)}, "generalize", "a list of column names"),
        ({"most": ("zip",), "more": ("zip",)}, "more", "'zip', which is named under 'most'"),
        ({"most": ("zip", "zip")}, "most", "'zip', which is named under 'most'"),
        ({"variant": "published"}, "most", "for the variant published"),
        ({"variant": "actual", "suppression": "fewest", **RANKS}, "suppression", "greedy"),
    ],
)
def test_nonsense_is_refused_at_once(parameters: Any, key: str, told: str) -> None:
    with pytest.raises(ParameterError, match=told) as caught:
        MuArgus(**parameters)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("parameters", "key", "told"),
    [
        ({"most": ("z",)}, "most", "'z' is none. There is: a, b, c"),
        ({"generalize": ("z",)}, "generalize", "'z' is none"),
        ({"variant": "published", "most": ("a", "b")}, "identifying", "'c' is under none"),
        ({"generalize": ("a", "a")}, "generalize", "'a' is at its top"),
    ],
)
def test_columns_that_do_not_fit_the_table_are_refused(
    parameters: Any, key: str, told: str
) -> None:
    with pytest.raises(ParameterError, match=told) as caught:
        MuArgus(**parameters)(problem(ROWS, [KAnonymity(2)]))
    assert caught.value.key == key


def test_promises_about_sensitive_values_are_refused() -> None:
    asked = problem(ROWS, [KAnonymity(2), LDiversity("c", 2)], sensitive="c")
    with pytest.raises(ReleaseError, match="mu-argus cannot promise l_diversity"):
        MuArgus()(asked)


def test_fewer_rows_than_k_are_unreachable() -> None:
    with pytest.raises(UnreachableError):
        MuArgus()(problem(ROWS, [KAnonymity(7)]))


def test_rows_are_never_left_out_even_if_they_may_be() -> None:
    with pytest.raises(HeuristicError):
        MuArgus()(problem(ROWS, [KAnonymity(7)], suppress=1))
    assert MuArgus()(problem(ROWS, [KAnonymity(2)], suppress=1)).suppressed == 0


def test_k_is_the_largest_class_size_that_is_promised() -> None:
    found = MuArgus()(problem(ROWS, [KAnonymity(2), LargestRisk(0.34)]))
    assert found.holds
    assert found.class_sizes.min() >= 3


def test_the_complete_variant_blanks_single_cells() -> None:
    """Rows 3 and 6 lose what sets them apart from each other: a and c, but not b."""
    found = MuArgus()(problem(ROWS, [KAnonymity(2)]))
    assert found.holds
    assert found.cells_suppressed == 4
    assert sorted(found.class_sizes.tolist()) == [2, 2, 2]
    assert found.notes == ("suppressed cells: 4 by greedy choice, 4 at the fewest",)


def test_the_fewest_cells_may_be_lost_by_taking_rows_of_other_classes_along() -> None:
    """Rows 4 and 8 are alike in nothing; it costs less that a row of each large class loses b."""
    rows = ("x 1 m",) * 3 + ("x 2 m",) + ("y 2 f",) * 3 + ("y 1 f",)
    greedy, fewest = (
        MuArgus(suppression=suppression)(problem(rows, [KAnonymity(2)]))
        for suppression in ("greedy", "fewest")
    )
    assert greedy.notes == fewest.notes
    assert greedy.notes == ("suppressed cells: 6 by greedy choice, 4 at the fewest",)
    assert (greedy.cells_suppressed, fewest.cells_suppressed) == (6, 4)
    assert sorted(fewest.class_sizes.tolist()) == [2, 2, 2, 2]
    assert fewest.holds


def test_a_table_without_outliers_is_released_as_it_is() -> None:
    for variant in ("published", "actual", "complete"):
        found = MuArgus(variant, **RANKS)(problem(ROWS * 2, [KAnonymity(2)]))
        assert found.levels == (0, 0, 0)
        assert found.cells_suppressed == 0
        assert found.holds


def test_the_actual_variant_says_that_it_does_not_exhaust_the_outliers() -> None:
    found = MuArgus("actual", **RANKS)(problem(ROWS, [KAnonymity(2)]))
    assert found.notes[0].startswith("2 cells suppressed, which does not exhaust the outliers; ")
    assert not found.holds


def test_the_real_program_leaves_rows_alone_whose_outliers_are_triples() -> None:
    triples, both = [(0, 1, 2)], [(0, 1), (0, 1, 2), (1, 2)]
    assert not choose_first_cells(np.array([[True]]), triples, 3).any()
    assert choose_first_cells(np.ones((1, 3), np.bool_), both, 3).tolist() == [[False, True, False]]


def test_of_columns_in_as_many_outliers_the_first_goes() -> None:
    unsafe = np.array([[True, True], [False, True]])
    assert choose_cells_greedily(unsafe, [(0, 2), (1, 2)], 3).tolist() == [
        [False, False, True],
        [False, True, False],
    ]


def test_without_time_the_greedy_choice_stays_and_the_bound_is_lower() -> None:
    pairs = [(0, 2), (0, 3), (1, 3), (2, 4), (3, 4)]
    unsafe = np.ones((1, len(pairs)), np.bool_)
    found = find_fewest_cells(unsafe, pairs, 5, seconds=0)
    assert (found.cells == choose_cells_greedily(unsafe, pairs, 5)).all()
    assert found.least.sum() <= find_fewest_cells(unsafe, pairs, 5).cells.sum()


def session_of(k: int = 2) -> Session:
    rows = [f"{zip_} {sex}" for zip_ in ("02138", "02139", "02141") for sex in "mf"]
    asked = problem(rows * 2, [KAnonymity(k)], hierarchies={"a": Prefix([4, 3])})
    return Session(asked, [(0, 1)], k)


def test_a_session_generalizes_and_takes_back() -> None:
    session = session_of(k=3)
    before = session.precision()
    assert session.outliers().rows_with_outliers == 12
    session.generalize(0)
    assert session.levels == (1, 0)
    assert session.outliers().rows_with_outliers == 4
    assert session.precision() < before
    assert session.undo()
    assert session.levels == (0, 0)
    assert session.precision() == before
    assert not session.undo()


def test_a_column_at_its_top_stays_there() -> None:
    session = session_of()
    for _ in range(5):
        session.generalize(0)
    assert session.levels == (2, 0)
    assert session.steps == 2


def test_phase_a_raises_only_columns_with_rare_values() -> None:
    assert session_of(k=4).levels == (0, 0)
    assert session_of(k=5).levels == (2, 0)


def test_a_standing_is_what_would_be_released() -> None:
    asked = problem(ROWS, [KAnonymity(2)])
    for algorithm in (MuArgus(), MuArgus("published", **RANKS)):
        now = measure_session(algorithm, algorithm.session(asked))
        found = algorithm(asked)
        assert now.cells == found.cells_suppressed
        assert now.precision_released == pytest.approx(found.measures["precision"])
        assert now.unprotected == found.verdicts[0].rows_at_risk
        assert now.outlier_rows == 2


def adult(k: int) -> Problem:
    folder = shared("data", "adult")
    table = read(folder / "adult_arx.csv", separator=";")
    columns = {
        name: {"role": "quasi", "hierarchy": File(folder / "hierarchies" / f"{name}.csv")}
        for name in table.columns
    }
    wanted = Policy(columns=columns, require=[KAnonymity(k)], measure="granularity")
    return plan_problem(wanted, count(table, wanted.quasi).frequency)


def test_the_complete_variant_keeps_k_on_nine_columns_of_adult() -> None:
    asked = adult(5)
    found = MuArgus()(asked)
    assert found.holds
    assert found.class_sizes.min() >= 5
    greedy, least = (int(n) for n in _numbers(found.notes[0]))
    assert least <= found.cells_suppressed == greedy < 9 * asked.total / 10


def test_three_columns_of_each_rank_leave_half_of_adult_unprotected() -> None:
    """Sec. 7.3.2 on real data: pairs and triples do not see what nine columns together tell."""
    asked = adult(5)
    names = asked.frequency.columns
    found = MuArgus("published", names[:3], names[3:6], names[6:])(asked)
    assert not found.holds
    assert found.verdicts[0].rows_at_risk > asked.total / 2
    greedy, fewest = (int(n) for n in _numbers(found.notes[0]))
    assert fewest < greedy


def _numbers(note: str) -> list[str]:
    return [w for w in note.replace(",", "").split() if w.isdecimal()]
