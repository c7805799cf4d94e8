"""Which technique costs least on the table at hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import rows_of
from discreet.techniques.column_view import views, views_after
from discreet.techniques.technique import Technique
from discreet.techniques.utility import ColumnUtility, Utility, compared


@dataclass(frozen=True)
class Ordered:
    """One technique and what it left of the table."""

    technique: Technique
    utility: Utility

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "technique": self.technique.name,
            "protection": self.technique.protection,
            "truthful": self.technique.truthful,
            "keeps": self.technique.keeps,
            "distortion": self.utility.distortion,
        }


def order_by_utility(
    table: Table, techniques: Sequence[Technique], seed: int, columns: Sequence[str] = ()
) -> tuple[Ordered, ...]:
    """The techniques from the least to the most distorting, each alone on your own table.

    With `columns`, only these and their pairs with any column are compared.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> from discreet.techniques.scramble import Scramble
    >>> from discreet.techniques.suppress_values import SuppressValues
    >>> table = read(pa.table({"sex": ["F", "M"] * 5, "ill": ["a", "b"] * 5}))
    >>> found = order_by_utility(table, [SuppressValues(("ill",)), Scramble()], seed=1)
    >>> [(part.technique.name, round(part.utility.distortion, 3)) for part in found]
    [('scramble', 0.0), ('suppress_values', 1.0)]

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, fig. 24, orders techniques by an entropy metric. *Departures*: the
    metric is not defined there; ours is the mean
    Jensen-Shannon divergence, an entropy in bits, of the contingency tables of all pairs of
    columns. It compares what can be counted, so that a change of the order of rows costs nothing,
    and says nothing of protection: compare techniques that protect alike. One seed is one draw;
    techniques that come out close should be tried with others. *Cost*: each technique once, and a
    comparison of all pairs of columns.
    """
    if not techniques:
        raise ParameterError("order_by_utility", "techniques", "at least one technique")
    found = Tried(table, tuple(columns))
    return in_order([found(technique, seed) for technique in techniques])


def in_order(found: Iterable[Ordered]) -> tuple[Ordered, ...]:
    """From the least to the most distorting."""
    return tuple(sorted(found, key=lambda part: part.utility.distortion))


class Tried:
    """A table on which techniques are tried one by one; its columns are looked at once."""

    def __init__(self, table: Table, columns: tuple[str, ...] = ()) -> None:
        self.table, self.columns = table, columns or table.columns
        rows = rows_of(table, columns)
        self.before = views(rows, rows.column_names)
        self.unchanged: dict[str, ColumnUtility] = {}

    def __call__(self, technique: Technique, seed: int) -> Ordered:
        """What one technique leaves of the table."""
        rows = rows_of(technique(self.table, seed))
        touched = technique.columns or self.table.columns
        after = views_after(rows, {name: self.before[name] for name in touched})
        found = compared(self.before, self.before | after, self.columns, False, self.unchanged)
        return Ordered(technique, found)
