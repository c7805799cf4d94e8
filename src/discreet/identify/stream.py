"""One pass over rows that are never all held: a random sample of rows, or of pairs of rows.

Memory depends on the size of the sample and the width of a row, not on the number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from discreet.errors import ParameterError
from discreet.identify.following import Following
from discreet.identify.reservoirs import PairReservoir, RowReservoir
from discreet.identify.row_batches import batches
from discreet.identify.samples import PairSample, RowsSample, check_pairs

__all__ = ["Following", "batches", "sample_pairs", "sample_rows"]


def sample_rows(
    source: Any,
    size: int,
    seed: int | np.random.Generator = 0,
    columns: Sequence[str] | None = None,
) -> RowsSample:
    """An even sample of the rows of a stream, each row at most once; all rows if there are fewer.

    >>> rows = ({"age": n % 90, "sex": "FM"[n % 2]} for n in range(1000))
    >>> sample = sample_rows(rows, 50)
    >>> len(sample.table), sample.rows
    (50, 1000)

    Notes
    -----
    [Motwani2007]_, sec. 2.4 and 4.2. Every row gets a random number, and the smallest are kept.
    """
    if size < 1:
        raise ParameterError("a sample of rows", "size", "a whole number above 0")
    reservoir = RowReservoir(size, np.random.default_rng(seed))
    return reservoir.sample(_pass_over(source, columns, reservoir))


def sample_pairs(
    source: Any,
    pairs: int,
    seed: int | np.random.Generator = 0,
    columns: Sequence[str] | None = None,
) -> PairSample:
    """Independent random pairs of rows of a stream, any pair as likely as any other.

    >>> rows = ({"age": n % 90, "sex": "FM"[n % 2]} for n in range(1000))
    >>> sample_pairs(rows, 400).pairs
    400

    Notes
    -----
    [Motwani2007]_, sec. 2.3 and 4.1, which do not say how to draw pairs from a stream. Here each
    pair is a reservoir of two rows of its own; how many rows to skip until the next one that
    enters is drawn, not tried row by row (Li's algorithm L).
    """
    check_pairs(pairs)
    reservoir = PairReservoir(pairs, np.random.default_rng(seed))
    return reservoir.sample(_pass_over(source, columns, reservoir))


class _Reservoir(Protocol):
    def add(self, batch: pa.RecordBatch) -> None: ...


def _pass_over(
    source: Any, columns: Sequence[str] | None, reservoir: _Reservoir
) -> tuple[str, ...]:
    """Show all rows to a reservoir; the names of the columns."""
    names: tuple[str, ...] = ()
    for batch in batches(source, columns):
        names = tuple(batch.schema.names)
        if batch.num_rows:
            reservoir.add(batch)
    return names
