"""Put the rows in another order."""

from __future__ import annotations

from typing import ClassVar

import pyarrow as pa

from discreet.display import dataclass
from discreet.table.table import Table
from discreet.techniques.arrow_rows import generator, rows_of, table_of
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Scramble:
    """The rows in a random order, so that their place says nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (scramble tuples) and sec. 5.5.1 (matching by place). *Departures*:
    none. It protects against matching by place alone and needs another technique beside it. Who
    has the seed can undo it: keep the seed, or let `discreet anonymize` order the rows with a key
    of its own. Missing cells stay in their rows. *Cost*: the rows in memory, each copied once.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"age": [31, 45, 62]}))
    >>> release = Scramble()(table, seed=1)
    >>> sorted(release.scan(native=["age"]).read_all()["age"].to_pylist())
    [31, 45, 62]
    """

    name: ClassVar[str] = "scramble"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "end"
    keeps: ClassVar[str] = "Every row; only their order is new."
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "rows in random order"
    columns: ClassVar[tuple[str, ...]] = ()

    def __call__(self, table: Table, seed: int) -> Table:
        """The same rows in another order."""
        rng = generator(self.name, seed)
        rows = rows_of(table)
        return table_of(table, rows.take(pa.array(rng.permutation(rows.num_rows))))
