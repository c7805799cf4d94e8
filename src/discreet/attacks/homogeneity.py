"""Classes whose rows share one sensitive value, which reveals it without naming a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers
from discreet.attacks.outcome import Outcome, make_not_applied
from discreet.display import dataclass

NO_SENSITIVE = "no column is sensitive"


@dataclass(frozen=True)
class Homogeneity:
    """Released rows in a class that reveals one of their sensitive values.

    Parameters
    ----------
    quasi, sensitive
        The columns that an intruder knows, and those that he wants to learn.
    promised
        The sensitive columns that a promise guards; None if all count.

    Notes
    -----
    [Machanavajjhala2007]_, sec. 1: the homogeneity attack. *Departures*: a value that the whole
    release shares reveals nothing, so a column with one value is left out; a missing value is a
    value. A column in which every value is different is left out too, unless it is promised: no two
    rows share a value there, and rows that are alone in their class are unique rows, which are
    covered by k-anonymity. *Cost*: one grouping of the release.

    >>> import pyarrow as pa
    >>> table = pa.table({"zip": ["1", "1", "2", "2"], "ill": ["flu", "flu", "flu", "gout"]})
    >>> Homogeneity(("zip",), ("ill",))(table).rows
    (1, 2)
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    promised: tuple[str, ...] | None = None

    def __call__(self, release: Any) -> Outcome:
        """Look for classes with one value."""
        if not self.sensitive:
            return make_not_applied("homogeneity", NO_SENSITIVE)
        shown = CodedRows.of(release, [*self.quasi, *self.sensitive])
        shown.require([*self.quasi, *self.sensitive])
        found = [name for name in self.sensitive if len(shown.texts[name]) > 1]
        apart = [name for name in found if self._is_different_throughout(name, shown)]
        telling = [name for name in found if name not in apart]
        if not telling:
            why = NO_SENSITIVE
            return make_not_applied("homogeneity", note_different(apart) if apart else why)
        classes = Grouped.by(shown.classes(self.quasi))
        marks = {name: _mark_uniform_rows(shown.codes[name], classes) for name in telling}
        every = np.any(list(marks.values()), axis=0)
        rows = {name: int(mark.sum()) for name, mark in marks.items()}
        guarded = telling if self.promised is None else self.promised
        told = ", ".join(f"{name} ({number:,} rows)" for name, number in rows.items() if number)
        note = f"classes that share one value: {told}" if told else "no class shares one value"
        note = "; ".join(filter(None, (note, note_different(apart))))
        counts = any(rows.get(name) for name in guarded)
        return Outcome(
            "homogeneity",
            True,
            int(every.sum()),
            note,
            list_row_numbers(every),
            sum(rows.values()),
            counts=counts,
            found={"columns": rows} | ({"columns_not_judged": apart} if apart else {}),
        )

    def _is_different_throughout(self, name: str, shown: CodedRows) -> bool:
        return len(shown.texts[name]) == shown.rows > 1 and name not in (self.promised or ())


def note_different(columns: Sequence[str]) -> str:
    """A note on columns that are not judged."""
    if not columns:
        return ""
    return f"not judged, since every value is different: {', '.join(columns)}"


def _mark_uniform_rows(codes: Any, classes: Grouped) -> Any:
    """Rows of classes that have one value."""
    different = np.zeros(len(classes), dtype=np.bool_)
    different[classes.of_row[codes != codes[classes.first][classes.of_row]]] = True
    return ~different[classes.of_row]
