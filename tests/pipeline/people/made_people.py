"""Random small tables of people with many rows, and what brute force says of them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from discreet.hierarchy.hierarchy import Hierarchy
from discreet.policy.policy import Policy

COLUMNS = {
    "zip": {"role": "quasi", "hierarchy": {"prefix": [1]}},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
ROW = st.tuples(st.sampled_from(["11", "12", "21", "22"]), st.sampled_from(["f", "m", None]))
PEOPLE = st.lists(st.lists(ROW, min_size=1, max_size=3), min_size=3, max_size=9)

Record = Sequence[tuple[Any, ...]]


def table_of(people: Sequence[Record]) -> pa.Table:
    """One row after the other; the rows of a person do not stand together."""
    rows = [(f"p{n}", i, *row) for n, record in enumerate(people) for i, row in enumerate(record)]
    rows.sort(key=lambda row: (row[1], row[0]))
    columns = {
        "who": [row[0] for row in rows],
        "zip": [row[2] for row in rows],
        "sex": [row[3] for row in rows],
        "ill": [f"i{n % 3}" for n in range(len(rows))],
    }
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


def policy_of(k: int, **more: Any) -> Policy:
    settings: dict[str, Any] = {
        "columns": COLUMNS,
        "require": [{"k_anonymity": {"k": k}}],
        "people": {"column": "who"},
        "seed": 3,
    }
    return Policy(**{**settings, **more})


def at(record: Record, hierarchies: Sequence[Hierarchy], node: Sequence[int]) -> list[Any]:
    """The rows of a record at a node, in no order."""
    found = []
    for row in record:
        cells = []
        for cell, hierarchy, level in zip(row, hierarchies, node, strict=True):
            code = hierarchy.labels[0].index(cell)
            cells.append(str(hierarchy.labels[level][hierarchy.maps[level][code]]))
        found.append(tuple(cells))
    return sorted(found)


def alike(
    people: Sequence[Record], hierarchies: Sequence[Hierarchy], node: Sequence[int], once: bool
) -> list[int]:
    """How many people have the record that each person has, one number a person."""
    records = [at(record, hierarchies, node) for record in people]
    keys = [tuple(sorted(set(rows))) if once else tuple(rows) for rows in records]
    sizes = Counter(keys)
    return [sizes[key] for key in keys]


def loss(
    people: Sequence[Record],
    hierarchies: Sequence[Hierarchy],
    node: Sequence[int],
    kept: Sequence[bool],
) -> float:
    """The loss of all rows, from its definition; rows of people who are not kept lose all."""
    total = 1.0
    for column, (hierarchy, level) in enumerate(zip(hierarchies, node, strict=True)):
        shares, leaves = [], hierarchy.leaf_count
        for record, keep in zip(people, kept, strict=True):
            for row in record:
                code = hierarchy.maps[level][hierarchy.labels[0].index(row[column])]
                shares.append(hierarchy.leaves[level][code] / leaves if keep else 1.0)
        mean = sum(shares) / len(shares)
        lost = max(0.0, (mean - 1 / leaves) / (1 - 1 / leaves)) if leaves > 1 else 0.0
        total *= (lost + 1) ** (1 / len(hierarchies))
    return total - 1


def best(
    people: Sequence[Record], hierarchies: Sequence[Hierarchy], k: int, share: float, once: bool
) -> float | None:
    """The least loss of all nodes that suppress few enough people."""
    found = []
    for node in product(*(range(hierarchy.height + 1) for hierarchy in hierarchies)):
        kept = [size >= k for size in alike(people, hierarchies, node, once)]
        if len(people) - sum(kept) <= math.floor(share * len(people) + 1e-9):
            found.append(loss(people, hierarchies, node, kept))
    return min(found, default=None)


def smallest(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], once: bool = False) -> int:
    """People of the smallest class of a release, counted from its rows alone."""
    records = defaultdict(list)
    for row in rows:
        records[row["who"]].append(tuple(str(row[name]) for name in columns))
    shapes = [set(r) if once else r for r in records.values()]
    return min(Counter(tuple(sorted(shape)) for shape in shapes).values(), default=0)
