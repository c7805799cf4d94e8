"""Decide from a column's name and values whether a published standard has groups for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.hierarchy.flat import Flat
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.known.builder import REST, Count, Known
from discreet.hierarchy.known.catalogue import ENTRIES, Entry, load_standard
from discreet.hierarchy.known.spelling import is_code, simplify
from discreet.hierarchy.known.tree_file import LabelPath
from discreet.kinds.column_name import list_phrases

ROWS_NEEDED = 0.9
VALUES_NEEDED = 0.7
"""Least shares of rows and of distinct values that are recognized, if the column's name agrees."""

ALONE_ROWS_NEEDED = 0.95
ALONE_VALUES_NEEDED = 0.9
"""The same, if the name of the column says nothing."""

SAMPLE = 60
"""How many of the most frequent values decide whether the rest is checked."""

HOPELESS = 0.5

_MISSING_WORDS = (
    "na nan none null unknown unbekannt missing notavailable notapplicable notstated "
    "notspecified unspecified keineangabe ka refused declined nodata notreported"
)
MISSING = frozenset(["", *_MISSING_WORDS.split()])
"""Simplified words that count neither for nor against; ``?`` and ``-`` become empty."""


@dataclass(frozen=True)
class KnownHierarchy:
    """A known hierarchy that fits a column, and how well.

    ``builder`` is the one for the policy, or `Flat` if the standard has no level between these
    values and ``*``. ``matched`` and ``unmatched`` count distinct values and rows, without missing
    ones. ``reason`` is one sentence without a value of the column.
    """

    builder: Builder
    name: str
    matched: Count
    unmatched: Count
    reason: str


@safe_repr
class _Column(NamedTuple):
    """The values of a column that are not missing, with their rows, the most frequent first."""

    values: tuple[str, ...]
    rows: tuple[int, ...]

    @classmethod
    def of(cls, values: Sequence[str | None], counts: Sequence[int] | None) -> _Column:
        rows = [1] * len(values) if counts is None else counts
        pairs = [(value, count) for value, count in zip(values, rows, strict=True) if value]
        pairs.sort(key=lambda pair: -pair[1])
        return cls(tuple(value for value, _ in pairs), tuple(count for _, count in pairs))

    def head(self) -> _Column:
        return _Column(self.values[:SAMPLE], self.rows[:SAMPLE])


@safe_repr
class _Fit(NamedTuple):
    """How well a column fits one entry of the catalogue."""

    entry: Entry
    heading: int
    paths: list[LabelPath | None]
    matched: Count
    unmatched: Count

    @property
    def rows(self) -> float:
        return self.matched.rows / max(1, self.matched.rows + self.unmatched.rows)

    @property
    def values(self) -> float:
        return self.matched.values / max(1, self.matched.values + self.unmatched.values)


def find_known(
    column: str, values: Sequence[str | None], counts: Sequence[int] | None = None
) -> KnownHierarchy | None:
    """Find the known hierarchy that fits a column's name and values, if there is just one.

    Parameters
    ----------
    column
        The name of the column.
    values
        Its distinct values; None is the missing value.
    counts
        How many rows have each value; one each if not given.

    Returns
    -------
    The hierarchy, or None if less than 90 % of the rows fit one, if the values alone are ambiguous,
    or if two hierarchies fit equally well.

    Examples
    --------
    >>> find_known("native-country", ["Austria", "France", "Italy", "Peru", "?"]).builder
    Known(name='countries', levels=None)
    >>> find_known("code", ["CA", "DE", "AL", "GA"])
    """
    whole = _Column.of(values, counts)
    if not whole.values:
        return None
    phrases = list_phrases(column)
    fits: list[_Fit] = []
    for entry in ENTRIES:
        if any(word in phrases for word in entry.refused):
            continue
        heading = max((phrases[word] for word in entry.headings if word in phrases), default=0)
        if heading or entry.alone is not None:
            fit = _fit_entry(entry, heading, whole)
            if fit is not None and (heading or _is_convincing(fit, whole)):
                fits.append(fit)
    best = _choose(fits)
    return _describe(best, whole) if best is not None else None


def _fit_entry(entry: Entry, heading: int, whole: _Column) -> _Fit | None:
    """How well the values fit an entry; None if too few of them do."""
    head = whole.head()
    tried = _count_fit(entry, heading, head, misspelt=bool(heading))
    if tried.rows < HOPELESS:
        return None
    fit = _count_fit(entry, heading, whole, misspelt=True)
    alone = ALONE_ROWS_NEEDED, ALONE_VALUES_NEEDED
    needed = (ROWS_NEEDED, VALUES_NEEDED) if heading else alone
    enough = fit.rows >= needed[0] and fit.values >= needed[1]
    return fit if enough and fit.matched.values else None


def _count_fit(entry: Entry, heading: int, column: _Column, *, misspelt: bool) -> _Fit:
    standard = load_standard(entry.name)
    find = standard.find if misspelt else standard.find_exact
    paths = [find(value) for value in column.values]
    found = [rows for rows, path in zip(column.rows, paths, strict=True) if path is not None]
    lost = [
        rows
        for value, rows, path in zip(column.values, column.rows, paths, strict=True)
        if path is None and simplify(value) not in MISSING
    ]
    matched, unmatched = Count(len(found), sum(found)), Count(len(lost), sum(lost))
    return _Fit(entry, heading, paths, matched, unmatched)


def _is_convincing(fit: _Fit, whole: _Column) -> bool:
    """Whether the values are convincing without the column's name: enough full names.

    Codes count only if every value has both letters and digits, as postcodes and diagnoses do; two
    letters may be a state, a country or a language, and a number may be anything.
    """
    nodes: set[LabelPath] = set()
    for value, path in zip(whole.values, fit.paths, strict=True):
        key = simplify(value)
        mixed = any(map(str.isdigit, key)) and (any(map(str.isalpha, key)) or ":" in value)
        if path is not None and (not is_code(key) or (mixed and len(key) > 3)):
            nodes.add(path)
    if len(nodes) < (fit.entry.alone or 0):
        return False
    if fit.entry.plausible is None:
        return True
    pairs = zip(whole.values, fit.paths, strict=True)
    found = [(value, path) for value, path in pairs if path is not None]
    return fit.entry.plausible([value for value, _ in found], [path for _, path in found])


def _choose(fits: list[_Fit]) -> _Fit | None:
    """The best fit, or None if two are equally good."""
    ranked = sorted(fits, key=_rank, reverse=True)
    if len(ranked) > 1 and _rank(ranked[0]) == _rank(ranked[1]):
        same = [fit for fit in ranked if _rank(fit) == _rank(ranked[0])]
        first = [
            fit for fit in same if all(o is fit or o.entry.after == fit.entry.name for o in same)
        ]
        return first[0] if first else None
    return ranked[0] if ranked else None


def _rank(fit: _Fit) -> tuple[bool, float, int]:
    """Sort key: fits with the name first, then by rows, then by how much of the name agrees."""
    return bool(fit.heading), round(fit.rows, 3), fit.heading


def _describe(fit: _Fit, whole: _Column) -> KnownHierarchy:
    entry = fit.entry
    builder = _make_builder(fit, whole)
    total = fit.matched.values + fit.unmatched.values
    by = "its name and values" if fit.heading else "its values"
    reason = (
        f"{by} are {entry.title}: {fit.matched.values:,} of {total:,} different values are "
        f"recognized ({fit.rows:.1%} of the rows)"
    )
    if isinstance(builder, Flat):
        reason += ", and there is nothing between them and *"
    elif fit.unmatched.values:
        reason += f", the others become '{REST}'"
    return KnownHierarchy(builder, entry.name, fit.matched, fit.unmatched, reason)


def _make_builder(fit: _Fit, whole: _Column) -> Builder:
    """A builder with the levels that generalize these values; others are left out."""
    entry = fit.entry
    every = load_standard(entry.name).levels
    known = [path for path in fit.paths if path is not None]
    sizes = [len(known), *(len({path[level] for path in known}) for level in range(len(every)))]
    useful = tuple(
        level for level, (below, here) in zip(every, pairwise(sizes), strict=True) if here < below
    )
    if not useful:
        return Flat()
    return Known(entry.name, None if useful == entry.list_default_levels() else useful)
