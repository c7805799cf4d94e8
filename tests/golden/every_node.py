"""The best node of a lattice by trying every one, with pandas: shares nothing with the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import log
from pathlib import Path

import numpy as np
import pandas as pd

Classes = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Sizes of the classes, counts of each sensitive value in each, shares in the whole table."""
Keeps = Callable[[Classes], np.ndarray]
Levels = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A node, its classes, and the class that each row is in."""

    levels: Levels
    classes: Classes
    of_row: np.ndarray


class Table:
    """A CSV table with the hierarchy file of each quasi column."""

    def __init__(self, path: Path, quasi: list[str], sensitive: str | None = None) -> None:
        self.path, self.quasi, self.sensitive = path, quasi, sensitive
        frame = pd.read_csv(path, sep=";", dtype=str, keep_default_na=False)
        self.rows = len(frame)
        self.hierarchies = {name: self._hierarchy(name) for name in quasi}
        self.recoded = {
            name: [frame[name].map(h[level]) for level in h] for name, h in self.hierarchies.items()
        }
        secret = frame[sensitive] if sensitive else pd.Series([""] * self.rows)
        self._secret, values = pd.factorize(secret)
        self._values = len(values)

    def file(self, name: str) -> Path:
        return self.path.parent / "hierarchies" / f"{name}.csv"

    def _hierarchy(self, name: str) -> pd.DataFrame:
        lines = pd.read_csv(self.file(name), sep=";", header=None, dtype=str, keep_default_na=False)
        return lines.set_index(lines[0])

    def __iter__(self) -> Iterator[Node]:
        codes = {n: [pd.factorize(c)[0] for c in levels] for n, levels in self.recoded.items()}
        shares = np.bincount(self._secret) / self.rows
        for levels in product(*(range(len(self.recoded[name])) for name in self.quasi)):
            frame = pd.DataFrame({n: codes[n][x] for n, x in zip(self.quasi, levels, strict=True)})
            of_row = frame.groupby(self.quasi, sort=False).ngroup().to_numpy()
            pairs = of_row * self._values + self._secret
            sizes = np.bincount(of_row)
            values = np.bincount(pairs, minlength=len(sizes) * self._values)
            classes = sizes, values.reshape(len(sizes), -1), shares
            yield Node(levels, classes, of_row)

    def levels(self, name: str) -> range:
        """The levels of a column's hierarchy."""
        return range(len(self.recoded[name]))


def share_of_leaves(table: Table, name: str, level: int) -> np.ndarray:
    lines = table.hierarchies[name][level]
    return table.recoded[name][level].map(lines.value_counts() / len(lines)).to_numpy()


def share_of_height(table: Table, name: str, level: int) -> np.ndarray:
    return np.full(table.rows, level / (len(table.recoded[name]) - 1))


def bits_lost(table: Table, name: str, level: int) -> np.ndarray:
    ground, here = table.recoded[name][0], table.recoded[name][level]
    before, after = ground.map(ground.value_counts()), here.map(here.value_counts())
    return np.log2(after / before).to_numpy()


CELL = {
    "loss": share_of_leaves,
    "precision": share_of_height,
    "non_uniform_entropy": bits_lost,
}


Scored = dict[tuple[str, str], dict[Levels, tuple[float, int]]]
"""By measure and model: each node's score, lower is better, and suppressed rows."""


def scores(table: Table, keeps: Mapping[str, Keeps]) -> Scored:
    """Every node under every measure and model, however many rows it suppresses."""
    found: Scored = {(m, name): {} for m in (*CELL, "discernibility") for name in keeps}
    costs = {
        measure: [[cell(table, name, x) for x in table.levels(name)] for name in table.quasi]
        for measure, cell in CELL.items()
    }
    for node in table:
        sizes = node.classes[0].astype(float)
        sums = {measure: _by_class(node, cells) for measure, cells in costs.items()}
        for name, keep in keeps.items():
            kept = keep(node.classes)
            suppressed = int(sizes[~kept].sum())
            for measure, (here, root) in sums.items():
                means = np.where(kept, here, root).sum(axis=1) / table.rows
                score = _fold(table, measure, means, root.sum(axis=1) / table.rows)
                found[measure, name][node.levels] = score, suppressed
            score = float((sizes[kept] ** 2).sum() + suppressed * table.rows)
            found["discernibility", name][node.levels] = score, suppressed
    return found


def _by_class(node: Node, costs: list[list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """What the rows of each class cost in each column, as they are and when suppressed."""
    here = [
        np.bincount(node.of_row, weights=cells[level])
        for cells, level in zip(costs, node.levels, strict=True)
    ]
    root = [np.bincount(node.of_row, weights=cells[-1]) for cells in costs]
    return np.array(here), np.array(root)


def _fold(table: Table, measure: str, means: np.ndarray, roots: np.ndarray) -> float:
    if measure != "loss":
        return float((means / roots).mean())
    leaves = np.array([len(table.hierarchies[name]) for name in table.quasi])
    parts = np.maximum(0, (means - 1 / leaves) / (1 - 1 / leaves)) + 1
    return float(np.prod(parts) ** (1 / len(parts)) - 1)


def k_anonymous(k: int) -> Keeps:
    return lambda classes: classes[0] >= k


def distinct(ell: int) -> Keeps:
    return lambda classes: (classes[1] > 0).sum(axis=1) >= ell


def entropy(ell: float) -> Keeps:
    def keeps(classes: Classes) -> np.ndarray:
        p = classes[1] / classes[0][:, None]
        return -(p * np.log(np.where(p > 0, p, 1))).sum(axis=1) >= log(ell)

    return keeps


def recursive(ell: int, c: int) -> Keeps:
    def keeps(classes: Classes) -> np.ndarray:
        r = -np.sort(-classes[1], axis=1)
        return r[:, 0] < c * r[:, ell - 1 :].sum(axis=1)

    return keeps


def close(t: float) -> Keeps:
    def keeps(classes: Classes) -> np.ndarray:
        p = classes[1] / classes[0][:, None]
        return np.abs(p - classes[2]).sum(axis=1) / 2 <= t + 1e-9

    return keeps


def delta_disclosed(delta: float) -> Keeps:
    def keeps(classes: Classes) -> np.ndarray:
        p = classes[1] / classes[0][:, None]
        with np.errstate(divide="ignore"):
            return (np.abs(np.log(p / classes[2])) < delta - 1e-9).all(axis=1)

    return keeps


def beta_like(beta: float, enhanced: bool) -> Keeps:
    def keeps(classes: Classes) -> np.ndarray:
        p, q = classes[1] / classes[0][:, None], classes[2]
        gain = np.minimum(beta, -np.log(q)) if enhanced else beta
        return ((p <= q) | ((p - q) / q <= gain + 1e-9)).all(axis=1)

    return keeps


def average_risk(most: float) -> Keeps:
    """The smallest classes go first, all of a size together."""

    def keeps(classes: Classes) -> np.ndarray:
        sizes = classes[0]
        for least in [0, *np.unique(sizes) + 1]:
            left = sizes[sizes >= least]
            if len(left) <= most * left.sum() + 1e-9:
                return sizes >= least
        return sizes < 0

    return keeps
