"""Counts of two columns together, and all whole numbers that fit them."""

from __future__ import annotations

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped
from discreet.attacks.inferred_cells import InferredCells, as_released
from discreet.attacks.joint_counts import Count, Unknowns, certain
from discreet.attacks.meaning import Meaning, Reading, atoms_of
from discreet.attacks.summary_counts import SummaryCounts
from discreet.display import dataclass
from discreet.errors import SummaryError


def from_several(
    columns: list[str], shown: CodedRows, known: SummaryCounts, reading: Reading, left_out: int
) -> list[InferredCells]:
    """Exact for counts of two columns together, by whole numbers that fit them all."""
    pieces = {name: _Pieces.of(name, shown, known, reading) for name in columns}
    groups = Grouped.by(shown.classes(columns))
    options = [
        [pieces[name].of_text[shown.codes[name][row]] for name in columns] for row in groups.first
    ]
    rows = groups.rows
    if left_out:
        options.append([pieces[name].every for name in columns])
        rows = np.append(rows, left_out)
    unknowns = Unknowns.of(options)
    if unknowns is None:
        what = f"the counts of {' and '.join(columns)} leave too many combinations open"
        raise SummaryError(known.name, what, "Leave some of the two-column counts out.")
    asked = [
        (kind, place)
        for kind, own in enumerate(options)
        for place in range(len(columns))
        if len(own[place]) > 1
    ]
    found = certain(unknowns, rows, _counts(columns, pieces, known), asked)
    if found is None:
        what = f"the counts of {' and '.join(columns)} cannot be those of the released rows"
        raise SummaryError(known.name, what, "Give the counts of the table it was made from.")
    sure = [pair for pair, piece in zip(asked, found, strict=True) if piece >= 0]
    return [
        pieces[name].given({kind for kind, at in sure if at == place}, groups, shown)
        for place, name in enumerate(columns)
    ]


def _counts(columns: list[str], pieces: dict[str, _Pieces], known: SummaryCounts) -> list[Count]:
    """Every count about these columns; where a table lists all rows, other values do not occur."""
    found = []
    for key, counts in known.tables.items():
        if not set(key) <= set(columns):
            continue
        for value, number in counts.items():
            where = tuple(
                (columns.index(name), pieces[name].of_value[text])
                for name, text in zip(key, value, strict=True)
            )
            found.append(Count(where, number))
    return found


@dataclass(frozen=True, eq=False)
class _Pieces:
    """A column cut into pieces that no counted value divides; the last is all that is not counted.

    ``of_text`` and ``of_value`` are the pieces of released texts and of counted values.
    """

    column: str
    of_text: list[list[int]]
    of_value: dict[str | None, frozenset[int]]
    every: list[int]
    meaning: Meaning

    @classmethod
    def of(cls, column: str, shown: CodedRows, known: SummaryCounts, reading: Reading) -> _Pieces:
        values = list(
            dict.fromkeys(
                value[key.index(column)]
                for key, counts in known.tables.items()
                if column in key
                for value in counts
            )
        )
        texts = as_released(shown.texts[column], values)
        builder = reading.builders.get(column)
        atoms = atoms_of(column, texts, values, builder, reading.wildcard)
        in_value = atoms.matrix(values).toarray()
        marks, piece = np.unique(in_value, axis=1, return_inverse=True)
        piece = piece.ravel()
        counted = {v: frozenset(np.nonzero(marks[n])[0].tolist()) for n, v in enumerate(values)}
        of_text = [sorted(set(piece[atoms.covered(text)].tolist())) for text in texts]
        every = sorted(set(piece.tolist()))
        return cls(column, of_text, counted, every, Meaning.of(atoms, tuple(texts), tuple(values)))

    def given(self, sure: set[int], groups: Grouped, shown: CodedRows) -> InferredCells:
        """The rows of kinds whose piece is sure."""
        kinds = np.zeros(len(groups) + 1, dtype=np.bool_)
        kinds[list(sure)] = True
        hides = np.array([len(own) > 1 for own in self.of_text])
        return InferredCells(
            self.column,
            kinds[:-1][groups.of_row],
            int(hides[shown.codes[self.column]].sum()),
            bool(kinds[-1]),
            False,
            False,
            self.meaning.first,
            self.meaning,
        )
