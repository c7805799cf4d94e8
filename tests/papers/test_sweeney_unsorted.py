"""[Sweeney2001]_, sec. 5.5.1: the order of a release tells nothing of the private table's order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet import anonymize
from tests.papers.sweeney import (
    FIGURE_27,
    FIGURE_33,
    FIGURE_34,
    FIGURES_28_AND_29,
    PEOPLE,
    Rows,
    policy,
    private_table,
)

NAMES = (*PEOPLE, "problem")


def released(tmp_path: Path, rows: Rows, seed: int | None = 7, **more) -> bytes:
    wanted = policy(
        FIGURE_33, 2, columns={"problem": {"role": "sensitive"}}, seed=seed, suppress=0.2, **more
    )
    path = tmp_path / "release.csv"
    anonymize(private_table(NAMES, rows), wanted).write(path)
    return path.read_bytes()


@pytest.mark.parametrize("shuffle", range(5))
def test_permuted_private_tables_give_the_same_bytes(tmp_path: Path, shuffle: int) -> None:
    permuted = np.random.default_rng(shuffle).permutation(len(FIGURE_34))
    rows = [FIGURE_34[place] for place in permuted]
    assert released(tmp_path, rows) == released(tmp_path, FIGURE_34)


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "sqlite"])
def test_each_kind_of_file_is_in_an_order_of_its_own(tmp_path: Path, ending: str) -> None:
    from discreet import read

    wanted = policy(FIGURE_33, 2, columns={"problem": {"role": "sensitive"}}, seed=7, suppress=0.2)
    found = []
    for rows in (FIGURE_34, FIGURE_34[::-1]):
        path = tmp_path / f"release.{ending}"
        anonymize(private_table(NAMES, rows), wanted).write(path)
        found.append(read(path).scan(text=NAMES).read_all().to_pydict())
    assert found[0] == found[1]


def test_the_order_is_not_that_of_the_private_table(tmp_path: Path) -> None:
    kept = released(tmp_path, FIGURE_34, order="keep").splitlines()
    scrambled = released(tmp_path, FIGURE_34).splitlines()
    assert kept != scrambled
    assert sorted(kept[1:]) == sorted(scrambled[1:])


def test_another_seed_gives_another_order(tmp_path: Path) -> None:
    assert released(tmp_path, FIGURE_34, seed=7) != released(tmp_path, FIGURE_34, seed=8)


def test_without_a_seed_the_order_cannot_be_repeated(tmp_path: Path) -> None:
    orders = {released(tmp_path, FIGURE_34, seed=None) for _ in range(3)}
    assert len(orders) > 1


def matched_by_place(order: str) -> int:
    """Rows of figure 27 that an intruder puts together from GT[0,1] and GT[1,0] by place alone."""
    table = private_table(FIGURES_28_AND_29, FIGURE_27)
    columns = {}
    for column, seed in (("ethnicity", 1), ("zip", 2)):
        more = {"prefer": [column], "order": order, "seed": seed}
        wanted = policy(FIGURES_28_AND_29, 2, measure={"weighted_precision": HEIGHT}, **more)
        columns[column] = anonymize(table, wanted).to_arrow().column(column).to_pylist()
    pairs = zip(columns["ethnicity"], columns["zip"], strict=True)
    return sum(pair == row for pair, row in zip(pairs, FIGURE_27, strict=True))


HEIGHT = {"weights": "height"}


def test_releases_in_the_order_of_the_private_table_are_matched_row_by_row() -> None:
    assert matched_by_place("keep") == len(FIGURE_27)


def test_scrambled_releases_are_not_matched_row_by_row() -> None:
    assert matched_by_place("scramble") < len(FIGURE_27) / 2
