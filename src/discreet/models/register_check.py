"""Second opinion on promises about a register: who in it fits each released row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.hierarchy.atoms import Atoms
from discreet.models.verdict import TOLERANCE, Unchecked, Verdict
from discreet.table.cleaning import clean_table
from discreet.table.header import settle_names
from discreet.table.read import read

if TYPE_CHECKING:
    from discreet.models.delta_presence import DeltaPresence
    from discreet.models.evidence import Evidence
    from discreet.models.k_map import KMap

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Fits:
    """For each different released tuple its rows and the people it fits; for the register, who
    fits a tuple at all, and who fits more than one.
    """

    rows: Ints
    people: Ints
    without: int
    overlapping: int


def check_k_map(model: KMap, evidence: Evidence) -> Verdict:
    """Find the row that fits the fewest people; at risk are the rows that fit fewer than k.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, k-map. *Departures*: none. *Cost*: see :func:`count_fits`.
    """
    found = count_fits(model, evidence)
    at_risk = int(found.rows[found.people < model.k].sum())
    fewest = int(found.people.min()) if len(found.people) else 0
    return evidence.make_verdict(model, (fewest, at_risk), model.k)


def check_delta_presence(model: DeltaPresence, evidence: Evidence) -> Verdict:
    """Divide the rows of each released tuple by the people it fits.

    Notes
    -----
    [Nergiz2007]_, definition 5 and the first equation of the proof of theorem 1. *Departures*:
    people who fit no released tuple share the rows that were left out, which only the private table
    tells. *Cost*: see :func:`count_fits`.
    """
    found = count_fits(model, evidence)
    if found.overlapping:
        raise Unchecked(
            f"{found.overlapping:,} people fit rows that differ, and the chance of being in the "
            "table is defined for releases in which nobody does"
        )
    left = _count_left_out(evidence)
    rows = np.append(found.rows, [left] if found.without else [])
    people = np.append(found.people, [found.without] if found.without else [])
    if not len(rows):
        return evidence.make_verdict(model, (0.0, 0), model.max)
    chances = rows / np.maximum(people, 1)
    slack = TOLERANCE
    wrong = (people == 0) | (chances < model.min - slack) | (chances > model.max + slack)
    over, under = chances - model.max, model.min - chances
    beyond = over if over.max() >= under.max() else under
    at_risk = int(rows[: len(found.rows)][wrong[: len(found.rows)]].sum())
    note = (
        ""
        if evidence.original is not None
        else "without the private table (option original) no row is taken for left out"
    )
    worst = float(chances[int(beyond.argmax())])
    return evidence.make_verdict(model, (worst, at_risk), model.max, note, not wrong.any())


def count_fits(model: KMap | DeltaPresence, evidence: Evidence) -> Fits:
    """Count who of a register fits each released tuple, by the texts themselves.

    Notes
    -----
    Goes down the columns: of the people who fit the first text, those who fit the second, and so
    on. Shares nothing with the search but the meaning of texts (:class:`Atoms`). *Cost*: a pass
    over the register's different tuples for each column, times how much its texts overlap.
    """
    columns, names = evidence.quasi, model.names or {}
    theirs = [names.get(column, column) for column in columns]
    people = settle_names(read(model.register), theirs)
    how = evidence.cleanings
    people = clean_table(people, {names.get(c, c): how[c] for c in columns if c in how})
    lacking = [name for name in theirs if name not in people.columns]
    if lacking:
        raise Unchecked(f"the register has no column {', '.join(lacking)}")
    fields = ", ".join(evidence.field_of(column) for column in columns)
    counted = f"SELECT {fields}, sum(n) AS n FROM cells GROUP BY {fields}"
    released = evidence.session.run(counted)
    evidence.session.load("people", people, theirs)
    register = evidence.session.run("SELECT * FROM people")
    evidence.session.run("DROP TABLE people")
    tuples, rows = _split_columns(released, len(columns))
    values, weights = _split_columns(register, len(columns))
    masks = [
        _Column(column, evidence.hierarchies.get(column), tuples[place], values[place])
        for place, column in enumerate(columns)
    ]
    fitting = np.zeros(len(rows), dtype=np.int64)
    hits = np.zeros(len(weights), dtype=np.int64)
    stack = [(0, np.arange(len(weights)), np.arange(len(rows)))]
    while stack:
        depth, who, mine = stack.pop()
        for text in np.unique(masks[depth].texts[mine]).tolist():
            members = mine[masks[depth].texts[mine] == text]
            chosen = who[masks[depth].covers(text)[masks[depth].values[who]]]
            if depth + 1 < len(masks) and len(chosen):
                stack.append((depth + 1, chosen, members))
            elif len(chosen):
                fitting[members] = weights[chosen].sum()
                hits[chosen] += len(members)
    without, twice = int(weights[hits == 0].sum()), int(weights[hits > 1].sum())
    return Fits(rows, fitting, without, twice)


class _Column:
    """One column of release and register as numbers, and which values each text covers."""

    def __init__(
        self, column: str, builder: Any, texts: Sequence[Any], values: Sequence[Any]
    ) -> None:
        self._texts, self.texts = _number_texts(texts)
        self._values, self.values = _number_texts(values)
        self._atoms = Atoms.of(column, self._texts, builder, ground=self._values)
        self._known: dict[int, npt.NDArray[np.bool_]] = {}

    def covers(self, text: int) -> npt.NDArray[np.bool_]:
        """Which values of the register a released text stands for."""
        if text not in self._known:
            told = self._texts[text]
            found = (self._atoms.fits(told, value) for value in self._values)
            self._known[text] = np.fromiter(found, dtype=np.bool_, count=len(self._values))
        return self._known[text]


def _number_texts(texts: Sequence[Any]) -> tuple[list[Any], Ints]:
    number = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return list(number), np.array([number[text] for text in texts], dtype=np.int64)


def _split_columns(found: list[tuple[Any, ...]], width: int) -> tuple[list[list[Any]], Ints]:
    """The texts of each column, and the counts behind them."""
    texts = [[row[place] for row in found] for place in range(width)]
    return texts, np.array([int(row[width]) for row in found], dtype=np.int64)


def _count_left_out(evidence: Evidence) -> int:
    """Rows of the private table that the release lacks; 0 if it is not available."""
    if evidence.original is None:
        return 0
    evidence.session.load("all_rows", evidence.original, evidence.original.columns[:1])
    total = int(evidence.session.row("SELECT coalesce(sum(n), 0) FROM all_rows")[0])
    evidence.session.run("DROP TABLE all_rows")
    return total - evidence.rows
