"""Linking: released rows against a register, by an index on generalized keys."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAYS, ZIPS, RACES = 30_000, 900, 7
COLUMNS = {
    "birth": {"role": "quasi", "hierarchy": {"dates": ["month", "year", "5 years", "decade"]}},
    "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
    "sex": {"role": "quasi"},
    "race": {"role": "quasi"},
}
LEVELS = {"as found": (0, 0, 0, 0), "one node": (2, 1, 0, 0)}


def texts() -> list[list[list[str]]]:
    """What each value of each column is called at each level."""
    from numpy import arange

    from discreet.policy.policy import ColumnPolicy

    days = [str(day) for day in (arange(DAYS) - 14_000).astype("datetime64[D]")]
    ground = [days, [f"{zipped:05}" for zipped in range(2000, 2000 + ZIPS)]]
    ground += [["F", "M"], [f"race {number}" for number in range(RACES)]]
    every = []
    for (name, said), values in zip(COLUMNS.items(), ground, strict=True):
        builder = ColumnPolicy(**said).hierarchy
        if builder is None:
            every.append([values, ["*"] * len(values)])
            continue
        built = builder.build(name, values)
        every.append(
            [
                [labels[c] for c in codes]
                for codes, labels in zip(built.maps, built.labels, strict=True)
            ]
        )
    return every


def people(rows: int, seed: int) -> list[NDArray[Any]]:
    """Codes of made people: more of them young, in large places and of the first races."""
    import numpy as np

    random = np.random.default_rng(seed)
    skewed = [(DAYS, 0.8), (ZIPS, 1.5), (2, 1.0), (RACES, 3.0)]
    return [(size * random.random(rows) ** power).astype(np.int32) for size, power in skewed]


def made(rows: int, seed: int, how: str) -> Any:
    """A table of made people, generalized in one of the ways."""
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng(seed + 1)
    columns = {}
    for place, (name, levels, codes) in enumerate(
        zip(COLUMNS, texts(), people(rows, seed), strict=True)
    ):
        chosen = random.integers(0, len(levels), rows)
        if how != "cell by cell":
            chosen[:] = LEVELS[how][place]
        flat = pa.array([text for level in levels for text in level])
        columns[name] = flat.take(pa.array(chosen * len(levels[0]) + codes))
    return pa.table(columns)


def linked(released: int, register: int, how: str) -> Measured:
    """Link made rows to a made register in a Parquet file; beside it, one grouping by DuckDB."""
    import duckdb
    from pyarrow import parquet

    import discreet
    from discreet.attacks.linking.link import link

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "register.parquet"
        parquet.write_table(made(register, 1, "as found"), path, row_group_size=1 << 20)
        release = made(released, 2, how)
        policy = discreet.Policy(columns=COLUMNS, require=[{"k_anonymity": {"k": 2}}])
        link(release.slice(0, 100), release.slice(0, 100), policy=policy)
        made_peak = own_peak()
        with Watch() as watch:
            links = link(release, path, policy=policy)
        whole, peak = time.process_time(), own_peak()
        names = ", ".join(COLUMNS)
        query = f"SELECT count(*) FROM (SELECT {names} FROM '{path}' GROUP BY ALL)"
        with Watch() as grouping:
            found = duckdb.connect().sql(query).fetchall()
    result = (
        f"{int(links.unique.sum()):,} rows fit one, {len(links.below(1)):,} none; "
        f"{found[0][0]:,} different entries; {made_peak >> 20:,} MiB held before"
    )
    return Measured(
        watch.cpu, whole, watch.wall, peak, None, None, result,
        "one DuckDB grouping, wall", grouping.wall, watch.wall,
    )  # fmt: skip


MILLION = 1_000_000
BENCHMARK = Benchmark(
    "linking",
    "search: CPU seconds of link(), the register read from Parquet. The peer is a lower bound: "
    "DuckDB groups the register once, on all cores; it is compared by wall time.",
    tuple(
        Case(f"{name}, {how}", partial(linked, released, register, how))
        for released, register, name in (
            (MILLION // 10, MILLION, "100 k to 1 M"),
            (MILLION, 10 * MILLION, "1 M to 10 M"),
        )
        for how in ("one node", "as found", "cell by cell")
    ),
)
