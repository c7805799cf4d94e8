"""Which small sets of columns tell the most rows apart: what to look at first."""

from __future__ import annotations

from itertools import combinations
from math import comb

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.identify.coded_table import CodedTable
from discreet.identify.cover.growing import RowsTold
from discreet.identify.minimal.judges import Along
from discreet.identify.separation import Separation, measure

Path = tuple[int, ...]


@dataclass(frozen=True)
class MostIdentifying:
    """The sets of one, two and three columns with the most distinct combinations of values.

    ``count`` sets of each size up to ``max_size``. As long as counting all sets of a size costs at
    most ``effort`` cells, the answer is exact; beyond that, only the best sets of one column less
    are made larger, as many as the effort allows.

    >>> table = CodedTable.of_codes(
    ...     ["age", "sex", "state"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
    ... )
    >>> [found.columns for found in MostIdentifying(1)(table)]
    [('age',), ('age', 'sex'), ('age', 'sex', 'state')]

    Notes
    -----
    Ratios of [Motwani2007]_, sec. 1.1. *Departures*: none. *Cost*: one count of the rows for each
    set that is looked at.
    """

    count: int = 8
    max_size: int = 3
    effort: int = 200_000_000

    def __post_init__(self) -> None:
        for name in ("count", "max_size", "effort"):
            if getattr(self, name) < 1:
                raise ParameterError("most identifying", name, "a whole number above 0")

    def __call__(self, table: CodedTable) -> tuple[Separation, ...]:
        """The sets, smallest first, and of a size the most identifying first."""
        columns = len(table.columns)
        along = Along(RowsTold.none(table, True))
        affordable = max(self.count, self.effort // len(table))
        best: list[Path] = [()]
        found = list[Separation]()
        for size in range(1, min(self.max_size, columns) + 1):
            if comb(columns, size) <= affordable or size == 1:
                tried = list(combinations(range(columns), size))
            else:
                tried = _larger(best[: max(1, affordable // columns)], columns)
            value = {path: along.value(path) for path in tried}
            best = sorted(tried, key=lambda path: (-value[path], path))
            names = [[table.columns[place] for place in path] for path in best[: self.count]]
            found += [measure(table, one) for one in names]
        return tuple(found)


def _larger(paths: list[Path], columns: int) -> list[Path]:
    more = {tuple(sorted({*path, place})) for path in paths for place in range(columns)}
    return sorted(path for path in more if len(path) == len(paths[0]) + 1)
