"""[Sweeney2001]_, chapter 6: Datafly on figures 34 and 27, and its complementary suppression."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from discreet import anonymize
from discreet.algorithms import Datafly, Problem, Solution
from discreet.algorithms.datafly import generalize
from discreet.hierarchy import Flat
from discreet.hierarchy.lattice import Node
from tests.papers.sweeney import (
    FIGURE_27,
    FIGURE_33,
    FIGURE_34,
    FIGURE_43,
    FIGURES_28_AND_29,
    PEOPLE,
    policy,
    private_table,
    problem,
)

PEOPLE_34 = tuple(row[:4] for row in FIGURE_34)
LOSS = 2 / 12
DATAFLY = {"suppress": LOSS, "algorithm": "datafly", "measure": "precision"}
FIGURE_45 = {
    ("black", "1965", "male", "02141"): 2,
    ("black", "1965", "female", "02138"): 2,
    ("black", "1964", "female", "02138"): 2,
    ("white", "1964", "male", "02138"): 1,
    ("white", "1965", "female", "02139"): 1,
    ("white", "1964", "male", "02139"): 2,
    ("white", "1967", "male", "02138"): 2,
}


def freq(tables: Problem, node: Node) -> dict[tuple[str | None, ...], int]:
    """The frequency list of a node, in released values."""
    groups = tables.counter.groups(node)
    columns = []
    for column, hierarchy in enumerate(tables.lattice.hierarchies):
        codes = tables.counter.packing.unpack(groups.keys, column)
        columns.append([hierarchy.labels[node[column]][code] for code in codes])
    return dict(zip(zip(*columns, strict=True), groups.rows.tolist(), strict=True))


def distinct(tables: Problem, node: Node) -> list[int]:
    return [len(set(column)) for column in zip(*freq(tables, node), strict=True)]


def figure_34() -> Problem:
    return problem(PEOPLE_34, FIGURE_33, k=2, suppress=LOSS, measure="precision")


def test_figure_44_is_the_frequency_list_before_generalization() -> None:
    tables = figure_34()
    assert freq(tables, (0, 0, 0, 0)) == dict.fromkeys(PEOPLE_34, 1)
    assert distinct(tables, (0, 0, 0, 0)) == [2, 12, 2, 3]


def test_birth_is_generalized_twice_because_it_has_most_distinct_values() -> None:
    tables = figure_34()
    assert generalize(tables, (0, 0, 0, 0)) == (0, 1, 0, 0)
    assert distinct(tables, (0, 1, 0, 0)) == [2, 12, 2, 3]
    assert generalize(tables, (0, 1, 0, 0)) == (0, 2, 0, 0)


def test_figure_45_is_the_frequency_list_with_birth_years() -> None:
    tables = figure_34()
    assert freq(tables, (0, 2, 0, 0)) == FIGURE_45
    assert distinct(tables, (0, 2, 0, 0)) == [2, 3, 2, 3]


def test_figure_43_is_what_datafly_releases() -> None:
    wanted = policy(FIGURE_33, 2, columns={"problem": {"role": "sensitive"}}, **DATAFLY)
    release = anonymize(private_table([*PEOPLE, "problem"], FIGURE_34), wanted)
    assert release.levels == {"race": 0, "birth": 2, "sex": 0, "zip": 0}
    rows = map(tuple, release.to_arrow().to_pandas().to_numpy().tolist())
    assert Counter(rows) == Counter(FIGURE_43)


def test_figure_43_suppresses_t7_and_t8() -> None:
    tables = figure_34()
    found = Datafly()(tables)
    keys = list(freq(tables, found.node))
    suppressed = {keys[place] for place in np.nonzero(found.dropped)[0]}
    assert suppressed == {
        ("white", "1964", "male", "02138"),
        ("white", "1965", "female", "02139"),
    }


def test_figure_43_has_the_printed_precision() -> None:
    """Sec. 6.3.4, with the heights of figure 33."""
    found = Datafly()(figure_34())
    assert found.measures["precision"] == pytest.approx(0.75, abs=1e-12)


def test_figure_43_is_not_claimed_to_be_the_best() -> None:
    assert not Datafly()(figure_34()).search.proven


@pytest.mark.parametrize("loss", [0, 3 / 12])
def test_figure_27_ends_above_a_minimal_node_as_printed(loss: float) -> None:
    """Sec. 6.3.4: GT[1,1] although GT[1,0] is enough."""
    tables = problem(FIGURE_27, FIGURES_28_AND_29, k=3, suppress=loss)
    assert Datafly("distinct")(tables).node == (1, 1)


@pytest.mark.parametrize("loss", [0, 3 / 12])
def test_figure_27_ends_at_a_minimal_node_with_the_other_heuristic(loss: float) -> None:
    """Sec. 6.5, future work 1."""
    tables = problem(FIGURE_27, FIGURES_28_AND_29, k=3, suppress=loss)
    assert Datafly("minimal")(tables).node == (1, 0)


def sized(*sizes: int) -> list[tuple[str]]:
    """Rows of one column whose classes have these sizes."""
    return [(f"class {number}",) for number, size in enumerate(sizes) for _ in range(size)]


def datafly(sizes: Sequence[int], k: int, most: int) -> Solution:
    suppress = most / sum(sizes)
    return Datafly()(problem(sized(*sizes), {"a": Flat()}, k, suppress=suppress))


def test_belowk_equal_to_k_needs_no_further_suppression() -> None:
    """Sec. 6.3.2, case 1."""
    found = datafly([1, 2, 5], k=3, most=3)
    assert found.dropped.tolist() == [1, 2, 0]


def test_part_of_the_smallest_class_is_suppressed_where_k_rows_of_it_stay() -> None:
    """Sec. 6.3.2, case 2: the smallest has at least k + (k - belowk) rows."""
    found = datafly([1, 7, 5], k=3, most=5)
    assert found.dropped.tolist() == [1, 0, 2]
    assert found.class_sizes.tolist() == [7, 3]


def test_the_whole_smallest_class_is_suppressed_where_too_few_rows_would_stay() -> None:
    """Sec. 6.3.2, case 2, otherwise."""
    found = datafly([1, 7, 4], k=3, most=5)
    assert found.dropped.tolist() == [1, 0, 4]
    assert found.class_sizes.tolist() == [7]


def test_no_more_rows_than_the_loss_are_suppressed_even_to_complement() -> None:
    found = datafly([1, 7, 4], k=3, most=4)
    assert found.node == (1,)
    assert found.suppressed == 0


@pytest.mark.parametrize("heuristic", ["distinct", "minimal"])
@pytest.mark.parametrize("seed", range(15))
def test_suppressed_rows_are_none_or_at_least_k(heuristic, seed: int) -> None:
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 6))
    rows = [(f"0{n:04}", f"v{m}") for n, m in random.geometric(0.15, (60, 2)).tolist()]
    builders = {"a": Flat(), "b": Flat()}
    found = Datafly(heuristic)(problem(rows, builders, k, suppress=float(random.random())))
    assert found.suppressed == 0 or found.suppressed >= k
    assert (found.class_sizes >= k).all()


def figure_42(sizes: Sequence[int], k: int, count_down: bool) -> int:
    """The rows that figure 42's steps suppress, word for word; step 2.2.2 may be left out."""
    counts = list(sizes)
    belowk = sum(count for count in counts if count < k)
    suppressed, smallest = 0, None
    for place, count in enumerate(counts):
        if count < k:
            suppressed += count
            belowk -= count if count_down else 0
        elif smallest is None or count < counts[smallest]:
            smallest = place
    if 0 < belowk < k and smallest is not None:
        suppressed += belowk if counts[smallest] - belowk >= k else counts[smallest]
    return suppressed


def test_figure_42_as_printed_never_complements() -> None:
    """Step 2.2.2 counts belowk down to 0, so that step 3 does nothing."""
    sizes, k = [1, 7, 5], 3
    assert figure_42(sizes, k, count_down=True) == 1 < k
    assert datafly(sizes, k, most=5).suppressed == k


def test_figure_42_without_counting_down_can_still_suppress_fewer_than_k() -> None:
    """It takes belowk rows more where sec. 6.3.2 says k - belowk."""
    sizes, k = [1, 7, 5], 3
    assert figure_42(sizes, k, count_down=False) == 2 < k
    assert datafly(sizes, k, most=5).suppressed == k
