"""Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from discreet.display import dataclass
from discreet.table.engine import renamed


@dataclass(frozen=True)
class ParquetSink:
    """A Parquet file with the types of the release, and nothing about where it came from."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        rows = renamed(batches, names)
        with pq.ParquetWriter(file, rows.schema, compression="zstd") as out:
            for batch in rows:
                out.write_batch(batch)
