"""Masking and approximate minimum keys on a made census: 41 correlated columns, many rows."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.child import DISCREET, run

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from discreet.identification.keys.coded_table import CodedTable

ROWS = int(os.environ.get("DISCREET_BENCH_ROWS", "500000"))
"""The paper's census has 10 million: DISCREET_BENCH_ROWS=10000000, which takes 3 GB."""

CHUNK = 20_000
SIZES = (2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 12, 12, 14, 15, 16, 16, 18,
         20, 20, 24, 25, 30, 30, 40, 50, 51, 60, 75, 100, 500, 5000)  # fmt: skip
"""Values of each of the 41 columns."""
TRAITS = 6
"""What rows have in common: every column follows one trait and adds noise of its own."""
USUAL = (0.99, 0.97, 0.95, 0.9, 0.85, 0.8, 0.0)
"""Shares of rows that have the usual value of a column, as most questions of a census have one."""


def chunk(number: int, rows: int) -> npt.NDArray[np.int32]:
    """Codes of one part of the census, columns by rows; skewed, and alike within a trait."""
    import numpy as np

    draws = np.random.default_rng([7, number])
    traits = draws.standard_normal((TRAITS, rows))
    codes = np.empty((len(SIZES), rows), dtype=np.int32)
    for place, size in enumerate(SIZES):
        mixed = 0.9 * traits[place % TRAITS] + 0.436 * draws.standard_normal(rows)
        level = 1 / (1 + np.exp(-1.702 * mixed))  # nearly uniform
        usual = USUAL[place % len(USUAL)] if place < len(SIZES) - 4 else 0.0
        codes[place] = np.clip((level - usual) / (1 - usual) * size, 0, size - 1)
    return codes


def chunks(rows: int) -> Iterator[npt.NDArray[np.int32]]:
    """The census, part after part."""
    for number, first in enumerate(range(0, rows, CHUNK)):
        yield chunk(number, min(CHUNK, rows - first))


def census(rows: int) -> CodedTable:
    """The census in memory."""
    import numpy as np

    from discreet.identification.keys.coded_table import CodedTable

    codes = np.empty((len(SIZES), rows), dtype=np.int32)
    first = 0
    for part in chunks(rows):
        codes[:, first : first + part.shape[1]] = part
        first += part.shape[1]
    names = tuple(f"c{size}_{place}" for place, size in enumerate(SIZES))
    return CodedTable(names, codes, SIZES)


def batches(rows: int) -> Iterator[pa.RecordBatch]:
    """The census as a stream of record batches."""
    import pyarrow as pa

    names = [f"c{size}_{place}" for place, size in enumerate(SIZES)]
    for part in chunks(rows):
        yield pa.RecordBatch.from_arrays([pa.array(column) for column in part], names)


def searched(make: Callable[[], Any], printed: str, sampled: bool) -> Measured:
    """Make the census, then time the draw and the search; measuring the answer is not timed."""
    search = make()
    table = census(ROWS)
    started = time.perf_counter()
    with Watch() as watch:
        found = search.on_sample(search.draw(table)) if sampled else search(table)
    wall, whole, peak = time.perf_counter() - started, time.process_time(), own_peak()
    from discreet.identification.keys.separation import measure

    columns = getattr(found, "publish", None) or getattr(found, "columns", ())
    ratios = measure(table, columns)
    result = f"{len(columns)} columns, distinct {ratios.distinct_ratio:.4f}, "
    result += f"separation {ratios.separation_ratio:.6f}; printed {printed}"
    return Measured(watch.cpu, whole, wall, peak, result=result)


def streamed(rows: int) -> Measured:
    """Draw 5,000 pairs from a stream that is made as it is read; at most 21,024 rows are held."""
    from discreet.identification.keys.masking import Masking
    from discreet.identification.keys.stream import sample_pairs

    started = time.perf_counter()
    with Watch() as watch:
        found = Masking("separation", 0.8).on_sample(sample_pairs(batches(rows), 5_000, 1))
    wall, whole, peak = time.perf_counter() - started, time.process_time(), own_peak()
    result = f"{rows:,} rows, {len(found.publish)} columns published"
    return Measured(watch.cpu, whole, wall, peak, result=result)


def from_file(*flags: str) -> Measured:
    """The command on a Parquet file of the census, all of it: reading, searching, counting."""
    from pyarrow import parquet

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "census.parquet"
        parts = batches(ROWS)
        first = next(parts)
        with parquet.ParquetWriter(path, first.schema) as file:
            for part in chain([first], parts):
                file.write_batch(part)
        size = path.stat().st_size
        ran = run([*DISCREET, "mask", str(path), *flags, "--json"])
    found = json.loads(ran.printed)
    result = f"{len(found['publish'])} columns, file of {size / 1e6:,.0f} MB"
    return Measured(None, ran.cpu, ran.wall, ran.peak, result=result)


def _masking(*given: Any, **more: Any) -> Any:
    from discreet.identification.keys.masking import Masking

    return Masking(*given, **more)


def _key(*given: Any, **more: Any) -> Any:
    from discreet.identification.keys.minimum_key import MinimumKey

    return MinimumKey(*given, **more)


def _case(name: str, make: Any, printed: str, sampled: bool = True) -> Case:
    return Case(name, partial(searched, make, printed, sampled))


BENCHMARK = Benchmark(
    "masking",
    f"{ROWS:,} made rows of 41 columns, coded in memory. search: drawing the sample and searching\n"
    "it; whole: with making the rows. Printed: Motwani and Xu, 10 million rows of a census read\n"
    "from a database on a Pentium of 2.4 GHz, so other data, other rows and other work.\n"
    "command: the whole of `discreet mask` on a Parquet file, the start of Python included.\n"
    "Streams: search is the whole pass, with making the rows; peak is what shows.",
    (
        _case("0.5-distinct, 30,000 rows", partial(_masking, "distinct", 0.5, sample=30_000),
              "755 s, 30"),
        _case("0.8-sep., 50,000 pairs", partial(_masking, "separation", 0.8, sample=50_000),
              "170 s, 17"),
        _case("distinct key, e 0.1", partial(_key, "distinct", epsilon=0.1), "808 s, 17"),
        _case("separation key, e 0.001", partial(_key, "separation", epsilon=0.001), "120 s, 3"),
        _case("0.8-sep., all rows", partial(_masking, "separation", 0.8), "over 10 h", False),
        Case("command, 50,000 pairs",
             partial(from_file, "--separation", "0.8", "--sample", "50000")),
        Case("stream, a fifth", partial(streamed, ROWS // 5)),
        Case("stream, all", partial(streamed, ROWS)),
    ),
)  # fmt: skip
