"""Levels that the data holder chose."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

import discreet
from discreet.algorithms import Fixed, Optimal
from discreet.errors import ParameterError, PolicyError, ReleaseError
from discreet.hierarchy import Intervals, Prefix

AGES = [str(20 + 7 * n % 41) for n in range(60)]
ZIPS = [f"0{n % 2}1{n % 5}{n % 3}" for n in range(60)]
ROWS = pa.table({"age": AGES, "zip": ZIPS})


def policy(suppress: float = 0.1, algorithm: object = "optimal") -> discreet.Policy:
    columns = {
        "age": {"role": "quasi", "hierarchy": Intervals([5, 10, 20])},
        "zip": {"role": "quasi", "hierarchy": Prefix([4, 3])},
    }
    require = [{"k_anonymity": {"k": 4}}]
    return discreet.Policy(
        columns=columns, require=require, suppress=suppress, algorithm=algorithm, seed=1
    )


def count_small_rows(age: int, prefix: int, k: int) -> int:
    """Rows that share their interval of ages and start of a code with fewer than k: by hand."""
    width = (1, 5, 10, 20, 1000)[age]
    length = (5, 4, 3, 0)[prefix]
    keys = [(int(a) // width, z[:length]) for a, z in zip(AGES, ZIPS, strict=True)]
    return sum(keys.count(key) < k for key in keys)


@pytest.mark.parametrize("node", list(product(range(5), range(4))))
def test_a_node_is_released_just_where_few_enough_rows_stand_out(node: tuple[int, int]) -> None:
    chosen = policy(algorithm={"fixed": {"levels": {"age": node[0], "zip": node[1]}}})
    small = count_small_rows(*node, k=4)
    if small > 6:
        with pytest.raises(ReleaseError, match=f"{small} of 60 rows"):
            discreet.anonymize(ROWS, chosen)
        return
    release = discreet.anonymize(ROWS, chosen)
    assert tuple(release.levels.values()) == node
    assert release.facts()["rows_suppressed"] == small
    assert release.to_arrow().num_rows == 60 - small


def test_the_levels_of_optimal_give_the_release_of_optimal() -> None:
    best = discreet.anonymize(ROWS, policy())
    fixed = policy(algorithm=Fixed(dict(best.levels)))
    assert discreet.anonymize(ROWS, fixed).to_arrow().equals(best.to_arrow())


def test_columns_without_a_level_are_fully_generalized() -> None:
    release = discreet.anonymize(ROWS, policy(algorithm={"fixed": {"levels": {"zip": 2}}}))
    assert release.levels == {"age": 4, "zip": 2}


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ({"zap": 1}, "'zap' is none. Did you mean 'zip'"),
        ({"zip": 4}, "at most 3 for 'zip'"),
    ],
)
def test_levels_that_do_not_exist_are_refused(levels: dict[str, int], told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        discreet.anonymize(ROWS, policy(algorithm=Fixed(levels)))


@pytest.mark.parametrize(
    "levels", [{"zip": -1}, {"zip": 1.5}, {"zip": True}, {"zip": "1"}, ["zip"]]
)
def test_a_level_is_a_whole_number(levels: object) -> None:
    with pytest.raises(PolicyError, match="levels"):
        policy(algorithm={"fixed": {"levels": levels}})


def test_a_blind_choice_is_not_claimed_for_levels_that_a_person_chose() -> None:
    with pytest.raises(PolicyError, match="fixed cannot choose blindly"):
        discreet.Policy(
            columns={"age": {"role": "quasi"}, "ill": {"role": "sensitive"}},
            require=[{"l_diversity": {"column": "ill", "ell": 2}}],
            choice="blind",
            algorithm="fixed",
        )


def test_a_comparison_has_no_levels_that_nobody_chose() -> None:
    assert "fixed" not in discreet.compare(ROWS, policy()).releases
    own = policy(algorithm=Fixed({"zip": 2}))
    assert "fixed (zip 2)" in discreet.compare(ROWS, own, [own.algorithm, Optimal()]).releases
