"""Release only some of the rows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    check_names,
    check_share,
    codes_of,
    generator,
    rows_of,
    table_of,
)
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class SampleRows:
    """A share of the rows, drawn at random, so that nobody knows who is in the release.

    With `within` the sample is stratified: every stratum gives its share, to within one row. Each
    row has the same chance in both kinds. The rows that are left keep their order.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (sampling). *Departures*: stratified samples are drawn systematically
    with a random start through the rows in order of stratum, so that the size of the sample is
    exact and small strata are not left out for certain. A row unique in the sample need not be
    unique in the population; whether it is, `discreet risk` estimates. *Cost*: simple, a
    permutation of the row numbers; stratified, a sort. The rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F"] * 6 + ["M"] * 4}))
    >>> release = SampleRows(0.5, within=("sex",))(table, seed=1)
    >>> release.scan(text=["sex"]).read_all()["sex"].to_pylist()
    ['F', 'F', 'F', 'M', 'M']
    """

    name: ClassVar[str] = "sample_rows"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "rows"
    keeps: ClassVar[str] = (
        "Every released row is true; shares and means in expectation, and the shares of the strata."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "rows sampled"
    columns: ClassVar[tuple[str, ...]] = ()

    share: float
    within: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_share(self.name, "share", self.share)
        check_names(self.name, "within", self.within, empty=True)

    def __call__(self, table: Table, seed: int) -> Table:
        """The rows drawn."""
        rng = generator(self.name, seed)
        rows = rows_of(table, self.within)
        size = round(self.share * rows.num_rows)
        if not size:
            raise ParameterError(self.name, "share", "large enough to leave at least one row")
        order = rng.permutation(rows.num_rows)
        if self.within:
            order = order[np.argsort(codes_of(rows, self.within)[order], kind="stable")]
            steps = (np.arange(size) + rng.random()) * (rows.num_rows / size)
            chosen = order[np.minimum(steps.astype(np.int64), rows.num_rows - 1)]
        else:
            chosen = order[:size]
        notice = f"{self.name}: {size} of {rows.num_rows} rows are in the sample."
        return table_of(table, rows.take(pa.array(np.sort(chosen))), [notice])
