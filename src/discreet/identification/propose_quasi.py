"""Columns that give people away together get the role quasi, whatever they are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.identification.inspection import Proposal
from discreet.identification.judge import FEW_ROWS, Evidence, Suspicion, format_percent
from discreet.identification.kind import Kind
from discreet.identification.profile import Profile
from discreet.table.dictionary import Dictionary
from discreet.table.row_sample import SAMPLE, RowSample, make_arrow_numbers
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.table.table import Table


# Some rows of a table as one number a cell, so that any set of columns is counted by one sort.


Keys = NDArray[np.uint64]

MOST_CELLS = 10_000_000
"""Cells that are held of a sample."""


@dataclass(frozen=True, eq=False)
class RowKeys:
    """Rows of a table; two rows are alike in a set of columns where the sums of their keys agree.

    ``keys[name]`` gives every value of a column a random number of 64 bits, a missing value too.
    ``rows`` is how many rows the table has.

    Notes
    -----
    Sums of different values agree by chance: in 200,000 rows, with a probability of about 1e-9 a
    set. *Cost*: one addition a column and one sort a set; eight bytes a cell.
    """

    keys: dict[str, Keys] = field(repr=False)
    rows: int

    @classmethod
    def of_sample(cls, sample: RowSample, names: Sequence[str], places: Sequence[int]) -> RowKeys:
        """The rows of a sample that was drawn already; of wide tables evenly spaced ones."""
        most = max(1, MOST_CELLS // max(1, len(names)))
        draws = np.random.default_rng(0)
        keys = {}
        for name, place in zip(names, places, strict=True):
            dictionary, column = Dictionary(), sample.column(place)
            if len(column) > most:
                column = column.take(make_arrow_numbers(np.arange(most) * len(column) // most))
            keys[name] = _draw_keys([dictionary.encode(column)], len(dictionary), draws)
        return cls(keys, sample.rows)

    @classmethod
    def of_table(cls, table: Table, names: Sequence[str], rows: int, most: int) -> RowKeys:
        """All rows in one pass; of more than ``singles_most`` rows, about so many, drawn evenly."""
        draws = np.random.default_rng(0)
        dictionaries = [Dictionary() for _ in names]
        codes: list[list[NDArray[np.int32]]] = [[] for _ in names]
        for batch in table.scan(text=tuple(names)):
            if rows > most:
                drawn = np.flatnonzero(draws.random(batch.num_rows) < most / rows)
                batch = batch.take(make_arrow_numbers(drawn))
            if not batch.num_rows:
                continue
            for place, dictionary in enumerate(dictionaries):
                codes[place].append(dictionary.encode(batch.column(place)))
        sizes = [len(dictionary) for dictionary in dictionaries]
        every = zip(names, codes, sizes, strict=True)
        return cls({name: _draw_keys(found, size, draws) for name, found, size in every}, rows)

    def __len__(self) -> int:
        return len(next(iter(self.keys.values()), ()))

    def together(self, names: Sequence[str]) -> Keys:
        """The keys of a set of columns."""
        whole = np.zeros(len(self), dtype=np.uint64)
        for name in names:
            whole += self.keys[name]
        return whole


def _draw_keys(codes: list[NDArray[np.int32]], size: int, draws: np.random.Generator) -> Keys:
    words = draws.integers(0, 2**64, max(1, size), dtype=np.uint64)
    return words[np.concatenate(codes)] if codes else np.empty(0, dtype=np.uint64)


def count_alone(keys: Keys) -> tuple[int, int]:
    """How many rows have a key of their own, and how many different keys there are."""
    ordered = np.sort(keys)
    new = np.empty(len(ordered) + 1, dtype=bool)
    new[0] = new[-1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:-1])
    return int((new[1:] & new[:-1]).sum()), int(new[:-1].sum())


# Small sets of columns that single most people out, as a proposal for the quasi-identifier.


Names = tuple[str, ...]

MOST_ROWS = 0.5
"""A set that singles out this part of the rows is taken for a quasi-identifier."""
LARGEST = 3
"""Columns of a set that is looked for by trying."""
TRIED = 3000
"""Sets of a size that are tried: all of 77 columns in pairs, of 27 in threes."""
COUNTED = 20
"""Sets of a size, the best ones, that are counted again on more rows."""


@dataclass(frozen=True)
class SinglesOut:
    """A set of columns, and the share of the rows that nobody shares its values with.

    ``quasi`` are those of the columns that it speaks against. ``rows`` were looked at, of ``of``
    in the table.
    """

    columns: Names
    quasi: Names
    share: float
    rows: int
    of: int


def find_singling_out(
    sample: RowKeys, names: Sequence[str], others: Sequence[str], more: Callable[[], RowKeys]
) -> list[SinglesOut]:
    """Sets that single most rows out and of which no part does, the most telling first.

    ``others`` are the columns of ``names`` that would be released as they are. Where these would
    still single most rows out together, those that do most are in further sets. ``more`` gives
    more rows to count on than the sample has.

    Notes
    -----
    Minimal sets and masking of [Motwani2007]_, sec. 3 and 4, by the share of unique rows.
    *Departures*: a proposal, not a search: sets of up to three columns are tried on a sample, of
    many columns only those that tell most apart; the best are counted on more rows. A row that is
    unique in the table is unique in each sample that holds it, so a sample misses few. If no
    small set is found, one larger set is, greedily. *Cost*: about 6,000 sorts of the sample and
    300 of the rows that ``more`` gives.
    """
    tried = _Counts(sample)
    best = sorted(names, key=lambda name: (-tried(name)[1], names.index(name)))
    ranked = [_rank_sets(tried, names, best, size) for size in range(1, LARGEST + 1)]
    if not any(ranked) and not tried.singles_most(*names):
        return []  # not even in a sample, where rows are unique more easily
    counts = _Counts(more())
    found = [one for sets in ranked for one in sets if counts.is_minimal(*one)]
    if not found and (larger := _pick_greedily(counts, best[: _limit_columns(LARGEST)])):
        found = [larger]
    rest = [name for name in others if all(name not in one for one in found)]
    told = [counts.describe_set(one, one) for one in found]
    return told + [counts.describe_set(one, one[:1]) for one in _find_not_kept(counts, rest)]


class _Counts:
    """Unique rows and different combinations of sets, each counted once."""

    def __init__(self, data: RowKeys) -> None:
        self.data = data
        self._known: dict[Names, tuple[int, int]] = {}

    def __call__(self, *columns: str) -> tuple[int, int]:
        if columns not in self._known:
            self._known[columns] = count_alone(self.data.together(columns))
        return self._known[columns]

    def singles_most(self, *columns: str) -> bool:
        return self(*columns)[0] >= MOST_ROWS * len(self.data)

    def is_minimal(self, *columns: str) -> bool:
        parts = combinations(columns, len(columns) - 1)
        return self.singles_most(*columns) and not any(
            part and self.singles_most(*part) for part in parts
        )

    def describe_set(self, columns: Names, quasi: Names) -> SinglesOut:
        rows = len(self.data)
        return SinglesOut(columns, quasi, self(*columns)[0] / rows, rows, self.data.rows)


def _limit_columns(size: int) -> int:
    """How many columns are few enough to try all of their sets of a size."""
    columns = size
    while comb(columns + 1, size) <= TRIED:
        columns += 1
    return columns


def _rank_sets(tried: _Counts, names: Sequence[str], best: Sequence[str], size: int) -> list[Names]:
    """The sets of a size that single most rows of the sample out, the best of them."""
    few = set(names if size == 1 else best[: _limit_columns(size)])
    sets = combinations([name for name in names if name in few], size)
    promising = [one for one in sets if tried.singles_most(*one)]
    return sorted(promising, key=lambda one: -tried(*one)[0])[: COUNTED if size > 1 else None]


def _pick_greedily(counts: _Counts, names: Sequence[str]) -> Names:
    """One by one the column that singles out most, less those not needed; empty if never enough."""
    if not counts.singles_most(*names):
        return ()
    picked: Names = ()
    while not counts.singles_most(*picked):
        left = [name for name in names if name not in picked]
        picked = (*picked, max(left, key=lambda name: counts(*picked, name)))
    for name in picked[::-1]:
        rest = tuple(other for other in picked if other != name)
        picked = rest if counts.singles_most(*rest) else picked
    return picked


def _find_not_kept(counts: _Counts, names: Sequence[str]) -> list[Names]:
    """The columns that make most rows unique when they join those that tell less apart."""
    if not names or not counts.singles_most(*names):
        return []
    kept: list[str] = []
    whole: Keys = counts.data.together(())
    out: list[Names] = []
    for name in sorted(names, key=lambda name: (counts(name)[1], names.index(name))):
        joined = whole + counts.data.keys[name]
        if count_alone(joined)[0] >= MOST_ROWS * len(counts.data):
            out.append((name, *kept))
        else:
            whole, kept = joined, [*kept, name]
    return out


SINGLES_OUT = 0.1
"""A column in which this part of the rows stands alone is not released as it is."""
ROWS = 200_000
"""Rows that promising sets are counted on; of larger tables, so many are drawn."""
WIDE = 100
"""Of more columns than these, only the sample is looked at."""
NAMED = 4
"""Other columns that a reason names; of more it says how many."""
LIKE = 0.8
"""A column with this part of the values of a proposed one tells rows apart like it."""
ALIKE = "it has as many values as columns that single most rows out together"
DOUBT = "this follows from how it distinguishes rows, not from its name"


def propose_quasi(
    table: Table, sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> list[Suspicion]:
    """The guesses, with small sets of columns that single most rows out as a further reason.

    Identifiers, sensitive columns and texts are left out, and so is what is not released anyway.
    The role of a column changes only from other to quasi. Of columns that single rows out only
    all together, which ones are spared is a matter of their order: those with as many values as
    the ones that are not spared become quasi too.
    """
    known = {one.profile.name: role for one, role in zip(evidences, guessed, strict=True)}
    places = {
        one.profile.name: place
        for place, (one, found) in enumerate(zip(evidences, guessed, strict=True))
        if _takes_part(one, found)
    }
    names, rows = tuple(places), sample.rows
    if not names or rows < FEW_ROWS:
        return list(guessed)
    few = RowKeys.of_sample(sample, names, tuple(places.values()))

    def more() -> RowKeys:
        if rows <= SAMPLE or len(names) > WIDE:
            return few
        return RowKeys.of_table(table, names, rows, ROWS)

    others = [name for name in names if known[name].role is Role.other]
    told, apart = set[str](), set[str]()
    for one in find_singling_out(few, names, others, more):
        for name in one.quasi:
            if name not in told:
                known[name] = _add_reason(known[name], _write_reason(name, one))
        told.update(one.quasi)
        if one.quasi != one.columns:
            apart.update(one.quasi)
    values = {name: evidences[place].profile.distinct for name, place in places.items()}
    least = min((values[name] for name in apart), default=0)
    for name in others:
        if apart and name not in told and values[name] >= LIKE * least:
            known[name] = _add_reason(known[name], ALIKE)
    return [known[one.profile.name] for one in evidences]


def _takes_part(evidence: Evidence, found: Suspicion) -> bool:
    if found.role not in (Role.quasi, Role.other):
        return False
    return propose_treatment(evidence.profile, found.role, evidence.kind) is not Proposal.withheld


def _add_reason(found: Suspicion, reason: str) -> Suspicion:
    if found.role is Role.quasi:
        return replace(found, reasons=(*found.reasons, reason))
    reasons = (reason,) if found.recognized is None else (*found.reasons, reason)
    return replace(found, role=Role.quasi, reasons=reasons, doubt=found.doubt or DOUBT)


def _write_reason(name: str, found: SinglesOut) -> str:
    """Why, in words; names columns, never a value."""
    others = [other for other in found.columns if other != name]
    if not others:
        how = "alone it singles out"
    elif len(others) <= NAMED:
        listed = ", ".join(others[:-1]) + (" and " if others[1:] else "") + others[-1]
        how = f"with {listed} it singles out"
    else:
        how = f"with {len(others)} other columns it singles out"
    looked_at = "the rows" if found.rows == found.of else f"{found.rows:,} rows checked"
    return f"{how} {format_percent(found.share)} of {looked_at}"


def propose_treatment(seen: Profile, role: Role, kind: Kind) -> Proposal:
    """What a first policy would do with a column, given its role."""
    if role is Role.quasi:
        return Proposal.recoded
    if role in (Role.identifier, Role.text) or kind is Kind.empty:
        return Proposal.withheld
    if role is Role.other and singles_out(seen):
        return Proposal.withheld
    return Proposal.as_found


def singles_out(seen: Profile) -> bool:
    """Whether a column alone gives too many rows away to be released as it is."""
    return seen.unique is None or seen.unique >= max(1, SINGLES_OUT * seen.rows)
