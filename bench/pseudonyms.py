"""Pseudonyms of a million different identifiers, beside the bare cost of a hash of each."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = int(os.environ.get("DISCREET_BENCH_ROWS", "1000000"))


def numbers(form: str) -> pa.Array:
    """Different identifiers of a form."""
    import numpy as np
    import pyarrow as pa

    drawn = np.random.default_rng(4).permutation(2 * ROWS)[:ROWS] + 250_000_000
    return pa.array([form.format(a=n // 1_000_000, b=n // 10_000 % 100, c=n % 10_000, n=n)
                     for n in drawn.tolist()])  # fmt: skip


def bare(values: pa.Array) -> float:
    """Seconds of a plain SHA-256 of each, from Python, with nothing around it."""
    texts = [text.encode() for text in values.to_pylist()]
    started = time.process_time()
    for text in texts:
        hashlib.sha256(text).digest()
    return time.process_time() - started


def timed(form: str, make: Callable[[], Callable[[pa.Array], Any]]) -> Measured:
    """One call, after a small one that loads what it needs."""
    values, hide = numbers(form), make()
    hide(values[:1000])
    hash_only = bare(values)
    started = time.perf_counter()
    with Watch() as watch:
        hide(values)
    wall, whole, peak = time.perf_counter() - started, time.process_time(), own_peak()
    said = f"{ROWS / watch.cpu:,.0f} a second; {watch.cpu / hash_only:.2f} times bare SHA-256"
    return Measured(watch.cpu, whole, wall, peak, result=said)


def one_way(name: str) -> Callable[[pa.Array], Any]:
    """Pseudonyms of a format, without a book."""
    from discreet.policy.replacement import make_format
    from discreet.pseudonyms.one_way import OneWay
    from discreet.replacement_key import ReplacementKey

    return OneWay(ReplacementKey(bytes(range(32))), make_format(name))


def with_book() -> Callable[[pa.Array], Any]:
    """Social security numbers all in the book already, which is read and compared."""
    from discreet.pseudonyms.book import hold_book
    from discreet.pseudonyms.key import create_key

    path = Path(tempfile.mkdtemp()) / "bench.key"
    key, hide = create_key(path), one_way("ssn")
    with hold_book(path, key) as (book, keep):
        keep(hide(numbers("{a:03d}-{b:02d}-{c:04d}"), book).book)  # type: ignore[call-arg]

    def again(values: pa.Array) -> Any:
        with hold_book(path, key) as (book, _):
            return hide(values, book)  # type: ignore[call-arg]

    return again


def reversible() -> Callable[[pa.Array], Any]:
    """Tokens that can be turned back."""
    from discreet.pseudonyms.reversible import Reversible
    from discreet.replacement_key import ReplacementKey

    return Reversible(ReplacementKey(bytes(range(32))))


SSN, CODE = "{a:03d}-{b:02d}-{c:04d}", "MRN{n:09d}"
BENCHMARK = Benchmark(
    "pseudonyms",
    f"{ROWS:,} different identifiers in memory. search: one call with all checks; the ratio is to\n"
    "a plain SHA-256 of each from Python.",
    (
        Case("ssn", partial(timed, SSN, partial(one_way, "ssn"))),
        Case("ssn, known to the book", partial(timed, SSN, with_book)),
        Case("phone, unassigned", partial(timed, "3{n:09d}", partial(one_way, "phone-unassigned"))),
        Case("shape", partial(timed, CODE, partial(one_way, "shape"))),
        Case("token", partial(timed, CODE, partial(one_way, "token"))),
        Case("reversible", partial(timed, CODE, reversible)),
    ),
)
