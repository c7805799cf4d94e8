"""Made tables: coded columns that hang together, and hierarchies that join neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.algorithms.problem import Problem
    from discreet.frequency.frequency_list import FrequencyList
    from discreet.hierarchy.hierarchy import Hierarchy

FACTORS = 3


def correlated(
    sizes: Sequence[int], rows: int, seed: int, noise: float = 0.5
) -> list[NDArray[np.int32]]:
    """Columns of ``sizes`` values that are driven by a few hidden factors and some noise."""
    random = np.random.default_rng(seed)
    factors = random.standard_normal((FACTORS, rows), dtype=np.float32)
    columns = []
    for size in sizes:
        mix = random.dirichlet(np.ones(FACTORS)).astype(np.float32)
        value = mix @ factors / np.float32(np.linalg.norm(mix))
        value = value + np.float32(noise) * random.standard_normal(rows, dtype=np.float32)
        value /= np.float32(np.sqrt(1 + noise**2))
        shares = np.sort(random.dirichlet(np.full(size, 2.0)))[::-1]
        edges = np.quantile(value[:100_000], np.cumsum(shares)[:-1])
        columns.append(np.searchsorted(edges, value).astype(np.int32))
    return columns


def joining(column: str, size: int, height: int) -> Hierarchy:
    """A hierarchy of ``height`` steps, each joining about as many neighbours, up to one root."""
    from discreet.hierarchy.hierarchy import Hierarchy

    values = [f"{column} {code}" for code in range(size)]
    codes, before, levels = np.arange(size), size, []
    for level in range(1, height):
        groups = max(2, round(size ** (1 - level / height)))
        codes, before = codes * groups // before, groups
        levels.append([f"{column} {level}/{code}" for code in codes])
    return Hierarchy.from_labels(column, values, [*levels, ["*"] * size])


def frequency_of(
    columns: Sequence[NDArray[np.int32]], sizes: Sequence[int], names: Sequence[str]
) -> FrequencyList:
    """The distinct tuples of coded columns, counted as the rows of a file would be."""
    from discreet.frequency import kernels
    from discreet.frequency.frequency_list import FrequencyList, Packing

    packing = Packing.of(sizes)
    rows = len(columns[0])
    nothing = np.zeros(0, dtype=np.int64)
    keys, counts, _ = kernels.roll_up(
        packing.pack(columns, rows),
        np.ones(rows, dtype=np.int64),
        nothing,
        nothing,
        nothing,
        np.zeros(1, dtype=np.uint64),
        nothing,
        rows,
        False,
    )
    codes = tuple(packing.unpack(keys, c) for c in range(len(sizes)))
    values = {
        name: tuple(f"{name} {code}" for code in range(size))
        for name, size in zip(names, sizes, strict=True)
    }
    return FrequencyList(tuple(names), codes, counts, values)


def made_problem(
    sizes: Sequence[int], heights: Sequence[int], rows: int, suppress: float, seed: int
) -> Problem:
    """k = 5 on a made table, measure loss."""
    from discreet.algorithms.problem import Problem
    from discreet.measures import Loss
    from discreet.models import KAnonymity

    names = [f"c{number}" for number in range(len(sizes))]
    frequency = frequency_of(correlated(sizes, rows, seed), sizes, names)
    hierarchies = [joining(*each) for each in zip(names, sizes, heights, strict=True)]
    return Problem(frequency, hierarchies, [KAnonymity(5)], Loss(), suppress)
