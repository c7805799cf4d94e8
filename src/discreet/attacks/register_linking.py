"""Linking rows to names: joins a release to a register."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers
from discreet.attacks.linking.columns import choose_columns, ensure_table, make_comparable
from discreet.attacks.linking.link import Links, link
from discreet.attacks.meaning import Meaning, Reading, read_atoms
from discreet.attacks.outcome import Outcome
from discreet.attacks.related import find_related
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.frequency.count import count

# Classes of a release and the different people of a register, and which fits which.


@dataclass(frozen=True, eq=False)
class RegisterFits:
    """``kind`` and ``person`` are pairs that fit: classes of the release and of the register.

    ``values`` has the values of the register's classes, column by column, as codes into ``texts``.
    """

    classes: Grouped
    kind: Ints
    person: Ints
    people: Ints
    codes: list[Any]
    texts: list[tuple[str | None, ...]]
    pairs: Mapping[str, str]
    changed: Mapping[str, str]
    unusable: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        release: Any,
        register: Any,
        columns: Mapping[str, str],
        policy: Any,
        asked: Mask | None = None,
    ) -> RegisterFits:
        """Compare all classes, or those of the rows asked for, with the register."""
        ours, theirs = ensure_table(release), ensure_table(register)
        wanted_pairs = choose_columns(ours, theirs, columns, policy)
        theirs, pairs, changed, unusable, notes = make_comparable(theirs, wanted_pairs, policy)
        shown = CodedRows.of(ours, list(pairs))
        counted = count(theirs, list(pairs.values())).frequency
        classes = Grouped.by(shown.classes(list(pairs)))
        wanted = np.arange(len(classes)) if asked is None else np.unique(classes.of_row[asked])
        reading = Reading.by(policy)
        overlaps, left = [], []
        for name, other in pairs.items():
            values = counted.values[other]
            builder = reading.builders.get(name)
            atoms = read_atoms(name, shown.texts[name], values, builder, reading.wildcard)
            overlaps.append(Meaning.of(atoms, shown.texts[name], values).overlap)
            left.append(shown.codes[name][classes.first[wanted]])
        codes = [column.astype(np.int64) for column in counted.codes]
        kind, person = find_related(left, codes, overlaps)
        texts = [counted.values[other] for other in pairs.values()]
        found = wanted[kind], person, counted.rows, codes, texts
        return cls(classes, *found, pairs, changed, unusable, notes)

    @property
    def fits(self) -> Ints:
        """People of the register that fit each class."""
        found = np.bincount(
            self.kind, weights=self.people[self.person], minlength=len(self.classes)
        )
        return found.astype(np.int64)


@dataclass(frozen=True)
class Linking:
    """Rows that fit so few people of a register that they can be named.

    Parameters
    ----------
    columns
        The register's name for each quasi column of the release.
    k
        A row is exposed if it is taken for one of fewer than k people.
    k_map
        The k of a k-map promise: then every row must fit that many entries of the register.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 2.1 and 4.3. A row is taken for one of as many people as it fits in the
    register, or as its class has rows, if that is more: the register may lack some of them. A row
    that fits nobody gets no name. *Departures*: with the private table a name counts as correct if
    the one entry that a class fits is, column by column, a row of the private table; each entry is
    counted once. *Cost*: see :func:`discreet.attacks.linking.link.link`.

    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141"]})
    >>> Linking({"zip": "zip"})(pa.table({"zip": ["0213*", "0213*", "02141"]}), people).rows
    (3,)
    """

    columns: Mapping[str, str]
    k: int = 2
    k_map: int | None = None
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, register: Any, original: Any = None) -> Outcome:
        """Join a release to a register."""
        links = link(release, register, self.columns, self.policy)
        shown = CodedRows.of(release, list(links.columns))
        classes = Grouped.by(shown.classes(shown.columns))
        size = classes.rows[classes.of_row]
        few = (links.fits > 0) & (np.maximum(links.fits, size) < self.k)
        if self.k_map is not None:
            few |= links.fits < self.k_map
        correct = None
        if original is not None:
            correct = self._count_correct(release, register, original, links.fits == 1)
        facts = links.facts()
        keys = [
            *("register_rows", "rows_fitting_none", "unique_hits", "expected_hits", "blind_hits"),
            *("columns_changed", "columns_not_used"),
        ]
        found = {
            **{key: facts[key] for key in keys},
            "rows_fitting_fewer_than_k": int(((links.fits < self.k) & (links.fits > 0)).sum()),
            "correct_hits": correct,
            "k": self.k,
            "notes": facts["notes"],
        }
        return Outcome(
            "linking",
            True,
            int(few.sum()),
            _note(links, correct),
            list_row_numbers(few),
            found=found,
        )

    def _count_correct(self, release: Any, register: Any, original: Any, unique: Mask) -> int:
        """Entries of the register that are the only one some class fits, and are in the table."""
        if not unique.any():
            return 0
        fits = RegisterFits.of(release, register, self.columns, self.policy, unique)
        private = CodedRows.of(original, list(fits.pairs))
        private.require(list(fits.pairs))
        people = np.unique(fits.person)
        named = zip(
            *([texts[code] for code in codes[people]] for codes, texts in
              zip(fits.codes, fits.texts, strict=True)),
            strict=True,
        )  # fmt: skip
        there = set(zip(*(private.cells(name) for name in fits.pairs), strict=True))
        return sum(person in there for person in named)


def _note(links: Links, correct: int | None) -> str:
    named = int(links.unique.sum())
    right = "" if correct is None else f", {correct:,} of the names rightly"
    note = (
        f"{named:,} rows fit one of {links.register_rows:,} entries{right}; guessing among the "
        f"entries that fit names {links.expected_hits:,.1f} rows, guessing blindly "
        f"{links.blind_hits:,.2g}"
    )
    return "; ".join([note, *links.notes])
