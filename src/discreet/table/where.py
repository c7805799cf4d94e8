"""Which rows somebody asked for: a small language of conditions, never passed on as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.table.where_parse import Step, steps
from discreet.table.where_tests import Column


@dataclass(frozen=True)
class Where:
    """A condition on the cells of a row, such as ``age >= 40 AND zip LIKE '02%'``.

    A column is compared with a value: ``= != <> < <= > >=``, ``IN (...)``, ``BETWEEN .. AND ..``,
    ``LIKE`` with ``%`` and ``_``, ``IS [NOT] NULL``, joined by ``AND``, ``OR``, ``NOT`` and
    brackets. A bare number compares as a number, a text in single quotes letter for letter; days
    ``'YYYY-MM-DD'`` have an order, other texts have none.

    What a test says of a missing cell, of a cell that is no number (bare number), or no day (order
    of days) is unknown, as in SQL: neither the test nor its negation finds the row.

    Examples
    --------
    >>> where = Where("age >= 40 AND zip LIKE '02%'")
    >>> where.columns
    ('age', 'zip')
    >>> where({"age": pa.array(["41", "39", None]), "zip": pa.array(["02138"] * 3)}).tolist()
    [True, False, False]

    Notes
    -----
    [Sweeney2001]_, sec. 6.1: Datafly answers a query at the time of access. *Departures*: none.
    *Cost*: one Arrow call a test and batch.
    """

    text: str
    _steps: tuple[Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_steps", steps(self.text))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at, once each, in their order."""
        tests = (step for step in self._steps if not isinstance(step, str))
        return tuple(dict.fromkeys(test.column for test in tests))

    def __call__(self, cells: Mapping[str, pa.Array]) -> npt.NDArray[np.bool_]:
        """Mark the rows for which it is true; cells are text, null where missing."""
        columns = {name: Column(cells[name]) for name in self.columns}
        pile: list[pa.Array] = []
        for step in self._steps:
            match step:
                case "not":
                    pile.append(pc.invert(pile.pop()))
                case "and":
                    pile.append(pc.and_kleene(pile.pop(), pile.pop()))
                case "or":
                    pile.append(pc.or_kleene(pile.pop(), pile.pop()))
                case _:
                    pile.append(step(columns[step.column]))
        found = pc.fill_null(pile.pop(), False)
        return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.bool_)
