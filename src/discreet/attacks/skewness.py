"""Classes whose sensitive values differ from the rest, which reveals something about people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers
from discreet.attacks.homogeneity import NO_SENSITIVE, note_different
from discreet.attacks.outcome import Outcome, make_not_applied
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.models.verdict import TOLERANCE


@dataclass(frozen=True)
class Skewness:
    """How much the belief in a sensitive value grows once an intruder knows a person's class.

    Parameters
    ----------
    quasi, sensitive
        The columns that an intruder knows, and those that he wants to learn.
    limit
        Rows count as exposed in classes whose distance from the whole is above this.
    promised
        For sensitive columns that a promise of closeness guards, the largest distance promised.

    Notes
    -----
    [Li2007]_, sec. 3: the skewness attack. Before: the shares of the values in the whole table (the
    private one if given, else the release). After: those in the class. The *distance* is the sum of
    all gains, which is t-closeness with equal distances; the *gain* is the largest difference of
    one value's shares, the *ratio* the largest quotient. *Departures*: promises with ordered or
    hierarchical distances are not held against this one; ``verify`` checks them. Where no distance
    is promised, values that one row of the whole has are taken together: whatever the classes are,
    each of these values has a larger share in its class, and a column of such values alone is left
    out. *Cost*: one grouping a column.

    >>> import pyarrow as pa
    >>> table = pa.table({"zip": ["1"] * 2 + ["2"] * 2, "ill": ["flu", "flu", "flu", "gout"]})
    >>> Skewness(("zip",), ("ill",))(table).found["columns"]["ill"]["largest_gain"]
    0.25
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    limit: float = 0.2
    promised: Mapping[str, float] | None = field(default=None)

    def __call__(self, release: Any, original: Any = None) -> Outcome:
        """Compare each class with the whole."""
        if not self.sensitive:
            return make_not_applied("skewness", NO_SENSITIVE)
        shown = CodedRows.of(release, [*self.quasi, *self.sensitive])
        shown.require([*self.quasi, *self.sensitive])
        private = None if original is None else CodedRows.of(original, list(self.sensitive))
        classes = Grouped.by(shown.classes(self.quasi))
        limits = dict.fromkeys(self.sensitive, self.limit) | dict(self.promised or {})
        marks = np.zeros(shown.rows, dtype=np.bool_)
        columns, beyond = {}, False
        apart = []
        for name in self.sensitive:
            whole = shown if private is None or name not in private.columns else private
            prior, codes = _measure_shares(shown, whole, name), shown.codes[name]
            if name not in (self.promised or {}):
                prior, codes = _take_single_values_together(prior, codes, whole.rows)
                if len(prior) == 1 and len(shown.texts[name]) > 1:
                    apart.append(name)
                    continue
            facts, far = _compare_column(prior, codes, classes, limits[name])
            columns[name] = facts
            marks |= far
            guarded = self.promised is None or name in self.promised
            beyond |= guarded and bool(far.any())
        if not columns:
            return make_not_applied("skewness", note_different(apart))
        return Outcome(
            "skewness",
            True,
            int(marks.sum()),
            "; ".join(filter(None, (_note(columns), note_different(apart)))),
            list_row_numbers(marks),
            counts=beyond,
            found={"columns": columns} | ({"columns_not_judged": apart} if apart else {}),
        )


def _compare_column(
    prior: Any, codes: Ints, classes: Grouped, limit: float
) -> tuple[dict[str, Any], Mask]:
    """The facts of one sensitive column, and the rows of classes that are too far."""
    values = len(prior)
    pairs, rows = np.unique(classes.of_row * values + codes, return_counts=True)
    of_class, value = pairs // values, pairs % values
    share = rows / classes.rows[of_class]
    gain = share - prior[value]
    distance = np.bincount(of_class, weights=np.maximum(gain, 0), minlength=len(classes))
    with np.errstate(divide="ignore"):
        ratio = np.where(prior[value] > 0, share / prior[value], np.inf)
    far = distance > limit + TOLERANCE
    facts = {
        "largest_distance": float(distance.max()),
        "largest_gain": float(gain.max()),
        "largest_ratio": float(ratio.max()),
        "limit": limit,
        "rows_above": int(classes.rows[far].sum()),
    }
    return facts, far[classes.of_row]


def _measure_shares(shown: CodedRows, whole: CodedRows, name: str) -> Any:
    """The share of each of the release's values in the whole."""
    counts = dict(zip(whole.texts[name], np.bincount(whole.codes[name]).tolist(), strict=True))
    return np.array([counts.get(text, 0) / whole.rows for text in shown.texts[name]])


def _take_single_values_together(prior: Any, codes: Ints, rows: int) -> tuple[Any, Ints]:
    """The shares of values and the codes of rows, with one for all values that one row has."""
    single = prior * rows < 1.5
    single &= prior > 0
    if single.sum() < 2:
        return prior, codes
    new = np.cumsum(~single) - 1
    new[single] = int((~single).sum())
    return np.append(prior[~single], prior[single].sum()), new[codes]


def _note(columns: Mapping[str, Mapping[str, Any]]) -> str:
    told = [
        f"{name}: a value is up to {facts['largest_gain']:.2f} more likely in a class than in the "
        f"whole; {facts['rows_above']:,} rows in classes further than {facts['limit']:g} from it"
        for name, facts in columns.items()
    ]
    return "; ".join(told)
