"""How far a run is, and how to stop it: progress, cancellation and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from discreet.display import dataclass
from discreet.table.table import CountsRows, scan_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.table.table import Table


class SearchStep(str):
    """A step of a search in words, that knows its numbers too.

    ``best`` is the measure of the best release so far, ``bound`` what no release can be better
    than, ``gap`` how far they are apart; each is None where it is not known (yet).

    >>> step = SearchStep.of("loss", 1200, 0.25, 0.5)
    >>> print(step, step.gap)
    searching, 1,200 nodes checked, loss 0.5 so far, at best 0.25 0.25
    """

    checked: int
    measure: str
    bound: float | None
    best: float | None

    __repr__ = str.__str__  # words and numbers of a search, no value

    @classmethod
    def of(cls, measure: str, checked: int, bound: float | None, best: float | None) -> SearchStep:
        """Put the numbers into words."""
        text = f"searching, {checked:,} nodes checked"
        if best is not None:
            text += f", {measure} {best:.4g} so far"
        if bound is not None and best is not None:
            text += f", at best {bound:.4g}"
        step = cls(text)
        step.checked, step.measure, step.bound, step.best = checked, measure, bound, best
        return step

    @property
    def gap(self) -> float | None:
        """How much better a release might still be."""
        return None if self.bound is None or self.best is None else abs(self.best - self.bound)


class Progress(Protocol):
    """Hears what a run is doing; what it raises cancels the run, which then leaves nothing behind.

    ``step`` says what is done, such as ``counting, 131,072 rows``: it begins with preparing,
    counting, searching, writing or checking. ``share`` is how much of that is done, from 0 to 1,
    where it is known. Of a search, ``step`` is a :class:`SearchStep`, with the best so far.
    """

    def __call__(self, step: str, share: float | None = None) -> None:
        """Hear of a step."""


def watch_rows(
    reader: pa.RecordBatchReader, step: str, total: int, progress: Progress | None
) -> pa.RecordBatchReader:
    """The same rows; ``progress`` hears of the first and after every batch."""
    if progress is None:
        return reader
    return pa.RecordBatchReader.from_batches(reader.schema, _watch(reader, step, total, progress))


def _watch(
    reader: pa.RecordBatchReader, step: str, total: int, progress: Progress
) -> Iterator[pa.RecordBatch]:
    rows = 0
    progress(step, 0.0)
    for batch in reader:
        yield batch
        rows += batch.num_rows
        progress(step, min(1.0, rows / total) if total else None)


def watch_table(table: Table, step: str, total: int, progress: Progress | None) -> Table:
    """The same table; ``progress`` hears of every pass over its rows."""
    if progress is None:
        return table
    return replace(table, source=WatchedSource(table, step, total, progress))


@dataclass(frozen=True, eq=False)
class WatchedSource:
    """The rows of a table, which say how many were read."""

    table: Table
    step: str
    total: int
    progress: Progress

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows."""
        reader = self.table.source.scan(text, native, rows_per_batch)
        return watch_rows(reader, self.step, self.total, self.progress)

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``, with columns as dictionaries where the table has them."""
        reader = scan_source(self.table.source, text, native, rows_per_batch, coded=True)
        return watch_rows(reader, self.step, self.total, self.progress)

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """The rows counted where they are; None if that cannot be."""
        self.progress(self.step, None)
        source = self.table.source
        return source.count_rows(places) if isinstance(source, CountsRows) else None


@contextmanager
def defer_interrupts(progress: Progress | None = None) -> Iterator[Callable[..., None]]:
    """Hold Ctrl-C back while the block runs; the function given raises it when called.

    It passes a step on to ``progress``. numba hands results back through Python code of its own and
    can crash if that is interrupted. A program with its own handling of Ctrl-C, as the command line
    has, keeps it.
    """
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    def tell(step: str = "", share: float | None = None) -> None:
        if asked:
            raise KeyboardInterrupt
        if progress is not None and step:
            progress(step, share)

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield tell
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield tell
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    tell()
