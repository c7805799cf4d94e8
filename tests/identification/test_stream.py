"""Streams: even samples from one pass, from every kind of source, in flat memory."""

from __future__ import annotations

import io
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, ParameterError, SourceError
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.masking import Masking
from discreet.identification.keys.minimum_key import MinimumKey
from discreet.identification.keys.samples import OneRowError
from discreet.identification.keys.separation import measure
from discreet.identification.keys.stream import Following, read_batches, sample_pairs, sample_rows
from discreet.table.read import read

CSV = "age,sex\n20,F\n30,\n20,M\n"
WANTED = {"age": ["20", "30", "20"], "sex": ["F", None, "M"]}


def parts(rows: int, size: int) -> Iterator[pa.RecordBatch]:
    """A column that numbers the rows, in batches."""
    for first in range(0, rows, size):
        numbers = np.arange(first, min(rows, first + size))
        yield pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(numbers % 7)], ["id", "day"])


def chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


def one_column_a_row(rows: int) -> pa.Table:
    """Column j is 1 in row j only: which columns vary tells which rows were drawn."""
    return pa.table({f"c{j}": np.eye(rows, dtype=np.int64)[j] for j in range(rows)})


@pytest.mark.parametrize("size", [3, 5, 100])
def test_every_row_is_as_likely_in_a_sample_of_rows(size: int) -> None:
    numbers = one_column_a_row(12).to_batches(max_chunksize=size)
    counts = Counter[int]()
    for seed in range(300):
        sample = sample_rows(iter(numbers), 4, seed)
        drawn = [j for j, values in enumerate(sample.table.sizes) if values == 2]
        assert (len(drawn), len(sample.table), sample.rows) == (4, 4, 12)
        counts.update(drawn)
    assert len(counts) == 12
    assert chi_square(list(counts.values())) < 31.3  # 0.1 % of a chi-square with 11 degrees


@pytest.mark.parametrize("size", [1, 2, 4, 100])
def test_every_pair_is_as_likely_in_a_sample_of_pairs(size: int) -> None:
    rows = 6
    batches = one_column_a_row(rows).to_batches(max_chunksize=size)
    sample = sample_pairs(iter(batches), 6000, 11)
    bits = np.unpackbits(sample.bits.view(np.uint8), axis=1, bitorder="little")[:, :6000]
    assert (bits.sum(axis=0) == 2).all()
    counts = Counter(tuple(np.flatnonzero(pair).tolist()) for pair in bits.T)
    assert set(counts) == set(combinations(range(rows), 2))
    assert chi_square(list(counts.values())) < 36.1  # 0.1 % of a chi-square with 14 degrees


def test_pairs_of_a_long_stream_are_independent_and_even() -> None:
    """First rows must not linger: the mean place of a row in a pair is the middle."""
    sample = sample_pairs(parts(20_000, 1500), 3000, 3)
    assert sample.rows == 20_000
    estimate = sample.estimate(["day"], 0.999)
    exact = measure(CodedTable.of(pa.Table.from_batches(parts(20_000, 1500)), ["day"]))
    assert estimate.low <= exact.separation_ratio <= estimate.high
    assert sample.estimate(["id"]).separation_ratio == 1


def sources(tmp_path: Path) -> dict[str, Any]:
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    rows = [("20", "F"), ("30", None), ("20", "M")]
    return {
        "path": path,
        "table": read(path),
        "arrow": pa.table(WANTED),
        "batches": iter(pa.table({"age": [20, 30, 20], "sex": ["F", "", "M"]}).to_batches()),
        "mappings": ({"age": age, "sex": sex} for age, sex in rows),
        "sequences": iter([("age", "sex"), *rows]),
        "bytes": io.BytesIO(CSV.encode()),
        "text": io.StringIO(CSV),
        "growing": Following(path, idle=0.01),
    }


@pytest.mark.parametrize(
    "kind",
    ["path", "table", "arrow", "batches", "mappings", "sequences", "bytes", "text", "growing"],
)
def test_every_kind_of_source_gives_the_same_rows(kind: str, tmp_path: Path) -> None:
    found = pa.Table.from_batches(read_batches(sources(tmp_path)[kind]))
    assert found.to_pydict() == WANTED


def test_a_pipe_is_read_as_it_is_written() -> None:
    out, into = os.pipe()
    lines = "".join(f"{n % 50},{n % 3}\n" for n in range(5000))

    def write() -> None:
        with os.fdopen(into, "w") as pipe:
            pipe.write("age,day\n" + lines)

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(out, "rb") as pipe:
        sample = sample_rows(pipe, 200, 1)
    writer.join()
    assert (sample.rows, len(sample.table)) == (5000, 200)


def test_a_growing_file_is_followed_and_a_line_without_end_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("age,sex\n1,F\n")

    def grow() -> None:
        for n in range(3):
            time.sleep(0.05)
            with path.open("a") as file:
                file.write(f"{n},M\n" if n < 2 else "99,")

    writer = threading.Thread(target=grow)
    writer.start()
    with Following(path, idle=0.4, poll=0.01) as file:
        found = pa.Table.from_batches(read_batches(file)).to_pydict()
    writer.join()
    assert found == {"age": ["1", "0", "1"], "sex": ["F", "M", "M"]}


@pytest.mark.parametrize("rows", [40_000, 400_000])
@pytest.mark.parametrize(("draw", "kept"), [(sample_rows, 2 * 100), (sample_pairs, 4 * 100 + 1024)])
def test_memory_is_bounded_by_the_sample_whatever_the_rows(draw: Any, kept: int, rows: int) -> None:
    """A row that entered alone holds four small buffers of Arrow, of 64 bytes or twice that."""
    held: list[int] = []

    def watched() -> Iterator[pa.RecordBatch]:
        for batch in parts(rows, 1000):
            held.append(pa.total_allocated_bytes())
            yield batch

    draw(watched(), 100, 1)
    assert max(held) - held[0] < kept * 4 * 128


def test_a_short_stream_is_taken_whole() -> None:
    sample = sample_rows(parts(5, 2), 100)
    assert (len(sample.table), sample.rows) == (5, 5)
    assert sample.table.codes[0].tolist() == [0, 1, 2, 3, 4]


def test_samples_repeat_under_one_seed() -> None:
    one, two, other = (sample_pairs(parts(500, 90), 64, seed) for seed in (1, 1, 2))
    assert (one.bits == two.bits).all()
    assert (one.bits != other.bits).any()


def test_a_minimum_key_and_a_masking_come_from_a_stream_with_their_promise() -> None:
    key = MinimumKey(delta=0.05).on_sample(sample_pairs(parts(5000, 400), 500, 1))
    assert key.columns == ("id",)
    assert key.promise is not None
    assert key.promise.facts()["delta"] == 0.05
    assert key.rows == 5000
    masked = Masking("distinct", 0.5).on_sample(sample_rows(parts(5000, 400), 800, 1))
    assert (masked.publish, masked.withhold) == (("day",), ("id",))
    assert masked.promise is not None
    assert masked.measured is None


def test_only_named_columns_are_sampled() -> None:
    assert sample_rows(parts(50, 9), 10, columns=["day"]).columns == ("day",)


@pytest.mark.parametrize("source", [iter(()), io.BytesIO(b"a,b\n"), io.StringIO("a,b\n")])
def test_a_stream_without_rows_is_refused(source: Any) -> None:
    with pytest.raises(EmptyTableError):
        sample_rows(source, 5)


def test_one_row_has_no_pairs() -> None:
    with pytest.raises(OneRowError, match="one row"):
        sample_pairs(parts(1, 1), 5)


@pytest.mark.parametrize("draw", [sample_rows, sample_pairs])
def test_a_sample_of_nothing_is_refused(draw: Any) -> None:
    with pytest.raises(ParameterError):
        draw(parts(5, 5), 0)


@pytest.mark.parametrize("kind", [io.BytesIO, io.StringIO])
def test_a_ragged_line_is_refused_without_being_quoted(kind: Any) -> None:
    text = "a,b\n1,2\nsecret,3,4\n"
    source = kind(text.encode() if kind is io.BytesIO else text)
    with pytest.raises(SourceError) as caught:
        sample_rows(source, 5)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_names_that_repeat_are_refused() -> None:
    with pytest.raises(SourceError, match="name of another column"):
        sample_rows(io.BytesIO(b"a,a\n1,2\n"), 5)


def test_a_first_line_that_is_not_text_is_refused() -> None:
    with pytest.raises(SourceError, match="UTF-8"):
        sample_rows(io.BytesIO(b"\xff\xfe,a\n1,2\n"), 5)
