"""All minimal keys and quasi-identifiers, next to Desbordante's searches for unique columns."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Skip, Watch, own_peak
from bench.data import DATA

if TYPE_CHECKING:
    import pandas as pd

    from discreet.identification.keys.coded_table import CodedTable
    from discreet.identification.keys.minimal_sets import MinimalSets

ADULT = "adult/adult.csv"


def adult() -> pd.DataFrame:
    """The table of Motwani and Xu: 14 columns, duplicates removed."""
    import pandas as pd

    if not (DATA / ADULT).is_file():
        raise Skip(f"there is no ../shared/data/{ADULT}")
    frame = pd.read_csv(DATA / ADULT, dtype=str, keep_default_na=False)
    return frame.drop(columns="fnlwgt").drop_duplicates()


def made(rows: int, columns: int, values: int) -> pd.DataFrame:
    """Columns that hang together, of very different sizes; duplicates removed."""
    import pandas as pd

    from bench.made import correlated

    sizes = [max(2, values >> (place % 5)) for place in range(columns)]
    codes = correlated(sizes, rows, seed=4)
    frame = pd.DataFrame({f"c{place}": column for place, column in enumerate(codes)})
    return frame.drop_duplicates().astype(str)


def scattered(rows: int, columns: int, values: int) -> pd.DataFrame:
    """Columns that have nothing to do with each other: very many keys."""
    import numpy as np
    import pandas as pd

    codes = np.random.default_rng(4).integers(0, values, (rows, columns))
    return pd.DataFrame(codes, columns=[f"c{place}" for place in range(columns)]).astype(str)


def desbordante_search(name: str) -> Any:
    """A search by Desbordante; says by name what is missing, before anything is run."""
    try:
        import desbordante
    except ImportError as error:
        raise Skip("desbordante is not installed: pip install 'discreet[bench]'") from error
    if not hasattr(desbordante.ucc.algorithms, name):
        raise Skip(f"this desbordante has no {name}")
    return getattr(desbordante.ucc.algorithms, name)()


def peer(algorithm: Any, frame: pd.DataFrame) -> tuple[float, float, set[frozenset[str]]]:
    """CPU seconds of a search by Desbordante, of loading, and the keys found."""
    with Watch() as loading:
        algorithm.load_data(table=frame)
    with Watch() as searching:
        algorithm.execute()
    keys = {
        frozenset(frame.columns[place] for place in one.indices) for one in algorithm.get_uccs()
    }
    return searching.cpu, loading.cpu, keys


def keys(frame_of: partial[pd.DataFrame], against: str) -> Measured:
    """All minimal keys, ours and the peer's, from the same frame; both have it loaded."""
    from discreet.identification.keys.minimal_sets import MinimalSets

    algorithm = desbordante_search(against)
    frame = frame_of()
    table, loading = _loaded(frame)
    started = time.perf_counter()
    with Watch() as ours:
        found = MinimalSets()(table)
    whole, wall, peak = time.process_time(), time.perf_counter() - started, own_peak()
    seconds, theirs_loading, theirs = peer(algorithm, frame)
    same = theirs == {frozenset(one.columns) for one in found.sets}
    result = f"{len(table):,} x {len(table.columns)}: {len(found.sets):,} keys, "
    result += f"{'the same' if same else 'NOT THE SAME'}; "
    result += f"loading {loading:.2f} s, peer {theirs_loading:.2f} s"
    return Measured(
        ours.cpu, whole, wall, peak, found.looked, None, result, against, seconds, ours.cpu
    )


def quasi_identifiers(search: dict[str, Any], printed: str) -> Measured:
    """Sets below a key, on adult; no peer finds these."""
    from discreet.identification.keys.minimal_sets import MinimalSets

    table, _ = _loaded(adult())
    asked: MinimalSets = MinimalSets(**search)
    started = time.perf_counter()
    with Watch() as ours:
        found = asked(table)
    whole, wall = time.process_time(), time.perf_counter() - started
    surety = "exact" if found.exact else f"with probability {1 - asked.delta:g}"
    result = f"{len(found.sets):,} sets, {surety}{printed}"
    return Measured(ours.cpu, whole, wall, own_peak(), found.looked, None, result)


def _loaded(frame: pd.DataFrame) -> tuple[CodedTable, float]:
    """The table as codes, CPU seconds that took, and all kernels compiled."""
    from discreet.identification.keys.coded_table import CodedTable
    from discreet.identification.keys.minimal_sets import MinimalSets

    small = CodedTable.of_codes(["a", "b", "c"], [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]])
    for measure in ("separation", "distinct"):
        for beta in (0.5, 1.0):
            MinimalSets(measure, beta)(small)  # type: ignore[arg-type]
            MinimalSets(measure, beta, samples=(100,), delta=0.5)(small)  # type: ignore[arg-type]
    with Watch() as loading:
        table = CodedTable.of(frame)
    return table, loading.cpu


TABLES = {
    "adult": partial(adult),
    "30,000 x 30": partial(made, 30_000, 30, 200),
    "1,000 x 25 many keys": partial(scattered, 1_000, 25, 12),
    "300,000 x 20": partial(made, 300_000, 20, 500),
}

PEERS = ("HyUCC", "PyroUCC", "HPIValid")
TOO_LONG = ("1,000 x 25 many keys", "PyroUCC")
"""A minute, where the others take seconds."""

BENCHMARK = Benchmark(
    "minimal_keys",
    "All minimal keys of a table in memory; those of Desbordante, in the same process,"
    "\nafter ours. search s is the search alone, as is peer s; checked are sets looked at."
    "\nThen all minimal quasi-identifiers of adult, with the times printed by Motwani and Xu.",
    (
        *(
            Case(f"{name}, {against}", partial(keys, frame_of, against))
            for name, frame_of in TABLES.items()
            for against in PEERS
            if (name, against) != TOO_LONG
        ),
        Case(
            "adult 0.9-distinct",
            partial(quasi_identifiers, {"measure": "distinct", "beta": 0.9}, "; printed 6,373 s"),
        ),
        Case(
            "adult 0.9-distinct, sample",
            partial(
                quasi_identifiers,
                {"measure": "distinct", "beta": 0.9, "samples": (3000,)},
                "; printed about 1,600 s",
            ),
        ),
        Case(
            "adult 0.5-distinct",
            partial(quasi_identifiers, {"measure": "distinct", "beta": 0.5}, ""),
        ),
        Case(
            "adult 0.9-separation",
            partial(quasi_identifiers, {"measure": "separation", "beta": 0.9}, ""),
        ),
        Case(
            "adult keys, level-wise",
            partial(
                quasi_identifiers,
                {"method": "levelwise", "samples": (290, 2900)},
                "; printed 134 s",
            ),
        ),
    ),
)
