"""Classes of a release and the different people of a register, and which fits which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped
from discreet.attacks.meaning import Meaning, Reading, atoms_of
from discreet.attacks.related import related
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.frequency.count import count
from discreet.linking.columns import comparable, compared
from discreet.linking.truth import as_table


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
        ours, theirs = as_table(release), as_table(register)
        wanted_pairs = compared(ours, theirs, columns, policy)
        theirs, pairs, changed, unusable, notes = comparable(theirs, wanted_pairs, policy)
        shown = CodedRows.of(ours, list(pairs))
        counted = count(theirs, list(pairs.values())).frequency
        classes = Grouped.by(shown.classes(list(pairs)))
        wanted = np.arange(len(classes)) if asked is None else np.unique(classes.of_row[asked])
        reading = Reading.by(policy)
        overlaps, left = [], []
        for name, other in pairs.items():
            values = counted.values[other]
            builder = reading.builders.get(name)
            atoms = atoms_of(name, shown.texts[name], values, builder, reading.wildcard)
            overlaps.append(Meaning.of(atoms, shown.texts[name], values).overlap)
            left.append(shown.codes[name][classes.first[wanted]])
        codes = [column.astype(np.int64) for column in counted.codes]
        kind, person = related(left, codes, overlaps)
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
