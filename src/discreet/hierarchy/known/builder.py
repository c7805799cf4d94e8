"""A hierarchy that comes with the package, named in a policy: ``hierarchy: {known: countries}``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import did_you_mean
from discreet.hierarchy.cover import find_ground_labels
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.known.catalogue import CATALOGUE, load_standard
from discreet.hierarchy.known.tree_file import LabelPath
from discreet.hierarchy.refusals import make_label_error, make_spec_error

REST = "Other or unknown"
"""The label of unrecognized values at every level above the value itself."""


@safe_repr
class Count(NamedTuple):
    """A number of distinct values, and the number of their rows."""

    values: int
    rows: int


@dataclass(frozen=True)
class Known:
    """Release a value as the group that a published standard puts it in: Austria as Western Europe.

    Parameters
    ----------
    name
        The hierarchy, such as `countries`, `icd-10` or `ages`; the guide lists them all.
    levels
        The levels to use, the finest first. By default all except the one that only normalizes
        spelling (Austria for AT).

    Notes
    -----
    Names are compared without case, accents, spaces and punctuation; codes and names may be mixed;
    a name of six or more letters may have one mistake if it is still unambiguous. Values that are
    not recognized are ``Other or unknown`` at every level; missing values stay separate; ``*`` is
    added above them. The data comes with the package: ``README.md`` next to it has sources and
    dates.

    *Cost*: one look-up for each distinct value.

    Examples
    --------
    >>> Known("countries").build("country", ["AT", "Oesterreich", "Chile", "Atlantis"]).labels[1:]
    (('Western Europe', 'South America', 'Other or unknown'),
     ('Europe', 'Americas', 'Other or unknown'), ('*',))
    """

    name: str
    levels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in CATALOGUE:
            fix = did_you_mean(str(self.name), list(CATALOGUE))
            raise make_spec_error("known", "there is no such known hierarchy", fix)
        if self.levels is None:
            return
        object.__setattr__(self, "levels", tuple(self.levels))
        every = load_standard(self.name).levels
        fix = f"Write some of {', '.join(every)}, in this order."
        for level in self.levels:
            if level not in every:
                what = f"'{level}' is not a level of '{self.name}'"
                raise make_spec_error("known.levels", what, fix)
        places = [every.index(level) for level in self.levels]
        if not places or places != sorted(set(places)):
            raise make_spec_error("known.levels", "they must run from fine to coarse", fix)

    @staticmethod
    def list_names() -> list[str]:
        """The names of all known hierarchies."""
        return list(CATALOGUE)

    def list_levels(self) -> tuple[str, ...]:
        """The levels above the values as found, by name."""
        return self.levels or CATALOGUE[self.name].list_default_levels()

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Look up the values of a column and group them."""
        standard = load_standard(self.name)
        paths = find_paths(self.name, values)
        levels = [
            Level.of_texts(_name_values(values, paths, standard.levels.index(level)))
            for level in self.list_levels()
        ]
        found = find_ground_labels(values, levels)
        if found is not None:
            raise make_label_error(column, found[0], len(found[1]))
        return Hierarchy.from_levels(column, values, levels)

    def count_unrecognized(
        self, values: Sequence[str | None], counts: Sequence[int] | None = None
    ) -> Count:
        """The number of distinct values in the rest group, and of their rows."""
        rows = [1] * len(values) if counts is None else counts
        lost = [
            count
            for value, path, count in zip(values, find_paths(self.name, values), rows, strict=True)
            if path is None and value is not None
        ]
        return Count(len(lost), sum(lost))


def find_paths(name: str, values: Sequence[str | None]) -> list[LabelPath | None]:
    """The name of each value at every level of a known hierarchy; None if not recognized."""
    find = load_standard(name).find
    return [None if value is None else find(value) for value in values]


def _name_values(
    values: Sequence[str | None], paths: Sequence[LabelPath | None], level: int
) -> list[str | None]:
    return [
        None if value is None else REST if path is None else path[level]
        for value, path in zip(values, paths, strict=True)
    ]
