"""Random small tables, nested hierarchies, promises and measures, as a case and as a policy."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import settings
from hypothesis import strategies as st

from discreet.algorithms import Problem
from discreet.frequency.count import count
from discreet.hierarchy import File, Hierarchy, Tree
from discreet.measures import (
    AverageClassSize,
    Discernibility,
    Granularity,
    Loss,
    NonUniformEntropy,
    Precision,
    WeightedPrecision,
)
from discreet.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LargestRisk,
    LDiversity,
    SampleUniques,
    TCloseness,
)
from discreet.pipeline.plan import list_promised_columns, plan_problem
from discreet.policy.policy import Policy
from tests.properties.reference import Case, Cell, Ladder

SCALE = float(os.environ.get("HYPOTHESIS_SCALE", "0.5"))
FILES = tempfile.TemporaryDirectory()
"""Hierarchy files live here until the tests end."""

MOST_NODES = 120
SHARES = (0, 0, 0.05, 0.1, 0.29, 0.5, 1)
MEASURES = (
    Loss(),
    Loss(),
    Granularity(),
    Precision(),
    WeightedPrecision(),
    WeightedPrecision("height"),
    NonUniformEntropy(),
    Discernibility(),
    AverageClassSize(),
)
SENSITIVE: dict[str, tuple[Cell, ...]] = {
    "s": ("1", "2", "3", "10", "2.0", None),
    "ill": ("flu", "gout", "hiv", None, "cold"),
}


def examples(number: int) -> settings:
    """This number of examples times HYPOTHESIS_SCALE, but a few at least.

    The usual run has the same examples every time, so half of them are enough to notice a change.
    """
    return settings(max_examples=max(min(number, 3), int(number * SCALE)), deadline=None)


@dataclass(frozen=True)
class Labels:
    """A builder that releases each value as it is told to, level by level.

    A missing value that is not among them is released like a group that is called missing, and
    stays missing as long as there is none.
    """

    up: Mapping[Cell, tuple[Cell, ...]]

    def build(self, column: str, values: Sequence[Cell]) -> Hierarchy:
        up = {None: self._find_path_of_missing(), **self.up}
        levels = list(zip(*(up[value][1:] for value in values), strict=True))
        return Hierarchy.from_labels(column, values, levels)

    def _find_path_of_missing(self) -> tuple[Cell, ...]:
        paths = list(self.up.values())
        found: list[Cell] = [None]
        for level in range(1, len(paths[0])):
            parents = [p[level] for p in paths if level > 1 and p[level - 1] == found[-1]]
            at_top = level == len(paths[0]) - 1
            found.append(parents[0] if parents else "*" if at_top else None)
        return tuple(found)


class Rows:
    """Stands in for a table on disk: the same few rows in every pass."""

    name = "rows"

    def __init__(self, columns: Mapping[str, Sequence[Any]], batch: int = 7) -> None:
        self._batch = batch
        text = {name: [None if c is None else str(c) for c in cs] for name, cs in columns.items()}
        self._table = pa.table({name: pa.array(c, pa.string()) for name, c in text.items()})

    def count_rows(self, columns: Sequence[str]) -> None:
        """Rows must be read."""

    def scan(
        self, text: Sequence[str] = (), native: Sequence[str] = (), coded: bool = False
    ) -> Iterator[Any]:
        table = self._table.select([*text, *native])
        for start in range(0, len(table), self._batch):
            yield from table.slice(start, self._batch).to_batches()


class Drawn:
    """A case for brute force and the policy that says the same to discreet."""

    def __init__(self, case: Case, policy: Policy) -> None:
        self.case, self.policy = case, policy

    def __repr__(self) -> str:
        case = self.case
        told = {
            "cells": dict(case.cells),
            "ladders": {n: (dict(x.up), x.counted) for n, x in case.ladders.items()},
            "builders": {n: self.policy.columns[n].hierarchy for n in case.quasi},
            "trees": {n: dict(x.up) for n, x in case.trees.items()},
            "models": case.models,
            "measure": case.measure,
            "suppress": case.suppress,
            "weights": case.weights,
            "row_weights": case.row_weights,
            "prefer": case.prefer,
            "wildcard": case.wildcard,
        }
        return "\n".join(f"{key}: {value}" for key, value in told.items())

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        weights = self.case.row_weights
        return {**self.case.cells, **({} if weights is None else {"weight": weights})}

    @property
    def table(self) -> pa.Table:
        return pa.table(
            {
                name: pa.array(cells, pa.float64() if name == "weight" else pa.string())
                for name, cells in self.columns.items()
            }
        )

    def problem(self) -> Problem:
        """The problem as ``anonymize`` would state it, from rows in several batches."""
        policy, rows = self.policy, Rows(self.columns)
        counted = count(rows, policy.quasi, list_promised_columns(policy), policy.row_weight)  # type: ignore[arg-type]
        return plan_problem(policy, counted.frequency)


@st.composite
def ladders(
    draw: st.DrawFn, column: str, leaves: Sequence[Cell], highest: int = 4, gaps: bool = True
) -> dict[Cell, tuple[Cell, ...]]:
    """Levels that merge the groups of the level below at random, up to one root.

    The missing value mostly stays missing up to the root; at times it is a value like others, or
    a group of other values is released as missing.
    """
    height = draw(st.integers(1, highest))
    apart = None in leaves and draw(st.integers(0, 3)) > 0
    ordinary = [leaf for leaf in leaves if not (apart and leaf is None)]
    group = {leaf: number for number, leaf in enumerate(ordinary)}
    up: dict[Cell, list[Cell]] = {leaf: [leaf] for leaf in leaves}
    for level in range(1, height):
        groups = sorted(set(group.values()))
        parent = {g: draw(st.integers(0, max(0, len(groups) - 1))) for g in groups}
        group = {leaf: parent[g] for leaf, g in group.items()}
        blank = draw(st.integers(0, 9)) if gaps and not apart else 9
        for leaf in ordinary:
            name = f"{column}{level}.{group[leaf]}"
            up[leaf].append(None if group[leaf] == blank else name)
        if apart:
            up[None].append(None)
    root = draw(st.sampled_from(["*", "any"]))
    return {leaf: (*texts, root) for leaf, texts in up.items()}


def tree(up: Mapping[Cell, tuple[Cell, ...]]) -> Tree:
    """The same levels, written as a tree of names; the missing value needs no mention."""
    nested: dict[Any, Any] = {}
    for leaf, texts in up.items():
        if leaf is not None:
            at = nested
            for text in texts[:0:-1]:
                at = at.setdefault(text, {})
            at[leaf] = None
    return Tree(nested)


def file(up: Mapping[Cell, tuple[Cell, ...]]) -> File:
    """The same levels, written as a file."""
    handle, path = tempfile.mkstemp(suffix=".csv", dir=FILES.name)
    lines = (";".join(text or "" for text in texts) for texts in up.values())
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write("".join(f"{line}\n" for line in lines))
    return File(Path(path))


@st.composite
def hierarchies(
    draw: st.DrawFn, column: str, pool: Sequence[Cell], present: Sequence[Cell], highest: int = 4
) -> tuple[Any, Ladder]:
    """A builder of some kind, and what it does to the values."""
    kind = draw(st.sampled_from(["labels", "labels", "tree", "file", "flat", "ground"]))
    if kind == "ground" and len(present) == 1 and present[0] is not None:
        up = {present[0]: (present[0],)}
        return Labels(up), Ladder(up, tuple(present))
    if kind in ("flat", "ground"):
        return None, Ladder({value: (value, "*") for value in present}, tuple(present))
    leaves = [*pool, None] if None in present else list(pool)
    up = draw(ladders(column, leaves, highest, gaps=kind != "tree"))
    if kind == "labels":
        return Labels(up), Ladder(up, tuple(present))
    stays = None not in up or set(up[None][:-1]) == {None}
    if kind == "tree" and stays and set(up) != {None}:
        return tree(up), Ladder(up, tuple(present))
    return file(up), Ladder(up, tuple(leaves))


@st.composite
def models(
    draw: st.DrawFn,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    trees: Sequence[str],
    kind: str = "any",
) -> Any:
    """One promise, now and then for some of the columns only.

    ``kind`` is any, ``sensitive`` for those about sensitive values, or ``size`` for those about the
    size of each class.
    """
    some = st.sets(st.sampled_from(quasi), min_size=1).map(lambda s: tuple(sorted(s)))
    columns = draw(st.one_of(st.none(), st.none(), some))
    plain: list[st.SearchStrategy[Any]] = [
        st.builds(KAnonymity, st.integers(1, 6)),
        st.builds(KAnonymity, st.integers(2, 3)),
        st.builds(LargestRisk, st.sampled_from([0.2, 0.25, 0.34, 0.5, 1.0])),
        st.builds(AverageRisk, st.sampled_from([0.15, 0.25, 0.3, 0.5, 0.7, 1.0])),
        st.builds(SampleUniques, st.sampled_from([0, 0.05, 0.1, 0.3, 0.5, 1])),
    ]
    about = []
    if sensitive:
        column = draw(st.sampled_from(sensitive))
        kinds = ["equal", "ordered", *(["hierarchical"] if column in trees else [])]
        order = ("hiv", "flu", "cold", "gout") if column == "ill" else None
        distance = draw(st.sampled_from(kinds))
        about = [
            st.builds(LDiversity, st.just(column), st.integers(1, 4)),
            st.builds(
                LDiversity,
                st.just(column),
                st.sampled_from([1, 1.5, 2, 2.5, 3, 4]),
                st.just("entropy"),
            ),
            st.builds(
                LDiversity,
                st.just(column),
                st.integers(1, 3),
                st.just("recursive"),
                st.sampled_from([0.5, 1, 1.5, 2, 3.1]),
            ),
            st.builds(
                TCloseness,
                st.just(column),
                st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6]),
                st.just(distance),
                st.just(order if distance == "ordered" else None),
            ),
            st.builds(
                DeltaDisclosure,
                st.just(column),
                st.sampled_from([0.3, 0.5, math.log(2), 1.0, 1.5, 2.5]),
            ),
            st.builds(
                BetaLikeness,
                st.just(column),
                st.sampled_from([0.2, 0.5, 1, 2, 3]),
                st.sampled_from(["basic", "enhanced"]),
            ),
        ]
    chosen = {"any": [*about, *plain], "sensitive": about, "size": plain[:3]}[kind]
    model = draw(st.one_of(chosen))
    return type(model)(**{**vars(model), "columns": columns})


@st.composite
def columns_of_cells(draw: st.DrawFn, pool: Sequence[Cell], rows: int) -> list[Cell]:
    """Cells from a pool, with a taste for a few of them so that classes are not all unique."""
    most = draw(st.integers(1, len(pool)))
    some = list(pool[:most])
    favourites = draw(st.integers(0, 3))
    cell = st.sampled_from(some + some[:1] * favourites)
    return draw(st.lists(cell, min_size=rows, max_size=rows))


@st.composite
def cases(
    draw: st.DrawFn,
    most_nodes: int = MOST_NODES,
    most_columns: int = 4,
    wildcard: bool | None = None,
    most_models: int = 3,
    kind: str = "any",
    measures: Sequence[Any] = MEASURES,
    shares: Sequence[float] = SHARES,
    **fixed: Any,
) -> Drawn:
    """A table of 1 to 40 rows with hierarchies, and a policy for it.

    ``kind`` is that of the models, or ``sized`` for k-anonymity with any others; ``shares`` are
    how many rows may be suppressed; ``fixed`` are further keys of the policy.
    """
    rows = draw(st.one_of(st.integers(1, 12), st.integers(8, 40)))
    quasi = [f"q{number}" for number in range(draw(st.integers(1, most_columns)))]
    some = [("s",), ("ill",), ("s", "ill"), ()]
    sensitive = draw(st.sampled_from(some[:-1] if kind == "sensitive" else some))
    cells: dict[str, list[Cell]] = {}
    built: dict[str, tuple[Any, Ladder]] = {}
    nodes = 1
    for name in quasi:
        pool: list[Cell] = list("abcdefg"[: draw(st.integers(1, 7))])
        missing: list[Cell] = [None] if draw(st.integers(0, 2)) <= bool(wildcard) else []
        cells[name] = draw(columns_of_cells(missing + pool, rows))
        highest = max(1, min(4, most_nodes // nodes - 1))
        present = list(dict.fromkeys(cells[name]))
        built[name] = draw(hierarchies(name, pool, present, highest))
        nodes *= built[name][1].height + 1
    trees: dict[str, tuple[Any, Ladder]] = {}
    for name in sensitive:
        cells[name] = draw(columns_of_cells(SENSITIVE[name], rows))
        if draw(st.booleans()):
            leaves = [value for value in SENSITIVE[name] if value is not None]
            present = list(dict.fromkeys(cells[name]))
            trees[name] = draw(hierarchies(name, leaves, present).filter(lambda b: b[0]))
    model = models(quasi, sensitive, list(trees), "any" if kind == "sized" else kind)
    require = draw(st.lists(model, min_size=1, max_size=most_models))
    if kind == "sized":
        require[0] = KAnonymity(draw(st.integers(2, 4)))
    overlapping = all(not hasattr(model, "find_least_class") for model in require)
    if wildcard is None:
        wildcard = overlapping and draw(st.integers(0, 3)) == 0
    weights = {}
    if draw(st.booleans()):
        weights = {name: draw(st.sampled_from([1.0, 0.5, 2.0, 0.0, 3.7])) for name in quasi}
        weights[quasi[-1]] = weights[quasi[-1]] or 1.0
    weighted = draw(st.integers(0, 4)) == 0
    row_weights = None
    if weighted:
        weight = st.sampled_from([1.0, 2.0, 0.5, 0.0, 7.25])
        row_weights = [1.5, *draw(st.lists(weight, min_size=rows - 1, max_size=rows - 1))]
    case = Case(
        cells,
        {name: ladder for name, (_, ladder) in built.items()},
        tuple(require),
        draw(st.sampled_from(measures)),
        draw(st.sampled_from(shares)),
        weights,
        row_weights,
        draw(st.lists(st.sampled_from(quasi), unique=True, max_size=2)),
        wildcard and overlapping,
        {name: ladder for name, (_, ladder) in trees.items()},
    )
    return Drawn(case, policy_of(case, {**built, **trees}, **fixed))


def policy_of(case: Case, built: Mapping[str, tuple[Any, Ladder]], **more: Any) -> Policy:
    columns: dict[str, Any] = {
        name: {
            "role": "quasi",
            "hierarchy": built[name][0],
            "weight": case.weights.get(name, 1.0),
        }
        for name in case.quasi
    }
    for name in case.cells:
        if name not in case.quasi:
            tree_of = built[name][0] if name in built else None
            columns[name] = {"role": "sensitive", "hierarchy": tree_of}
    return Policy(
        columns=columns,
        require=case.models,
        measure=case.measure,
        suppress=case.suppress,
        prefer=case.prefer,
        missing="wildcard" if case.wildcard else "value",
        row_weight=None if case.row_weights is None else "weight",
        **more,
    )


def small(ups: Mapping[str, Mapping[Cell, Any]], cells: Mapping[str, Any], **more: Any) -> Drawn:
    """A case that is written out: what values become in each quasi column, and the cells."""
    built = {}
    for name, up in ups.items():
        ladder = Ladder(up, tuple(dict.fromkeys(cells[name])))
        built[name] = Labels(up), ladder
    ladders_of = {name: ladder for name, (_, ladder) in built.items()}
    case = Case(cells, ladders_of, more.pop("models"), more.pop("measure", Loss()), **more)
    return Drawn(case, policy_of(case, built))
