"""How long each stage of a release took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

WRITTEN = ("recode", "write", "verify")
STAGES = ("prepare", "count", "plan", "search", *WRITTEN)


class Timings:
    """Seconds of wall time by stage, for a release that is made and perhaps written.

    ``recode`` is the second pass over the rows, which waits for the file that is written: what
    writing takes is the rest.

    >>> timings = Timings()
    >>> with timings.watch("plan"):
    ...     pass
    >>> timings.facts()["plan"] >= 0
    True
    >>> timings.facts()["write"] is None
    True
    """

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def forget_writing(self) -> None:
        """Begin again with what is written: a release may be written more than once."""
        for stage in WRITTEN:
            self._seconds.pop(stage, None)

    @contextmanager
    def watch(self, stage: str) -> Iterator[None]:
        """Add what a block takes to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._add(stage, time.perf_counter() - started)

    def watch_reader(self, reader: pa.RecordBatchReader, stage: str) -> pa.RecordBatchReader:
        """The same rows; what it takes to make them is added to a stage."""
        return pa.RecordBatchReader.from_batches(reader.schema, self._watch(reader, stage))

    def _watch(self, reader: pa.RecordBatchReader, stage: str) -> Iterator[pa.RecordBatch]:
        started = time.perf_counter()
        for batch in reader:
            self._add(stage, time.perf_counter() - started)
            yield batch
            started = time.perf_counter()
        self._add(stage, time.perf_counter() - started)

    def _add(self, stage: str, seconds: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    def facts(self) -> dict[str, float | None]:
        """The seconds of each stage; None for stages that were not run."""
        found = {stage: self._seconds.get(stage) for stage in STAGES}
        if "write" in self._seconds:
            inside = sum(self._seconds.get(stage, 0.0) for stage in ("recode", "verify"))
            found["write"] = max(0.0, self._seconds["write"] - inside)
        return found
