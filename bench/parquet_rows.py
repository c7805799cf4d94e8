"""Parquet to Parquet, verified: 10 million rows, long frequency lists, 100 million rows."""

from __future__ import annotations

from functools import partial

from bench.case import Benchmark, Case
from bench.rows import release_rows

release = partial(release_rows, "parquet")

BENCHMARK = Benchmark(
    "parquet_rows",
    "Made Parquet with the columns of rows, and up to three more quasi columns; k = 5, 2 %\n"
    "suppression; counted, searched, recoded, ordered, written and verified. Peer: CPU of a copy\n"
    "of the file by Arrow, dictionaries in and dictionaries out, which is the least it could take.",
    (
        Case("10 M rows x 6", lambda: release(10_000_000)),
        Case("3 M rows x 9", lambda: release(3_000_000, 9)),
        Case("30 M rows x 9", lambda: release(30_000_000, 9), large=True),
        Case("100 M rows x 6", lambda: release(100_000_000), large=True),
        Case("100 M rows x 9", lambda: release(100_000_000, 9), large=True),
    ),
)
