"""Arrow and Feather files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.table.engine import renamed


@dataclass(frozen=True)
class ArrowSink:
    """An Arrow file (Feather, version 2) with the types of the release."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        rows = renamed(batches, names)
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.ipc.new_file(pa.PythonFile(file, mode="w"), rows.schema, options=options) as out:
            for batch in rows:
                out.write_batch(batch)
