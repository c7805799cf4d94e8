"""The counts of one column, subtracted from what a release shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.inferred_cells import InferredCells, as_released
from discreet.attacks.meaning import Meaning, Reading, atoms_of
from discreet.attacks.subtraction import subtract
from discreet.display import dataclass
from discreet.errors import SummaryError
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED


@dataclass(frozen=True, eq=False)
class Counted:
    """A counted column: its values as listed, and which released texts may stand for which.

    The last text stands for rows that were left out; the last value is for what is not listed.
    """

    column: str
    values: tuple[str | None, ...]
    counts: Ints
    may: Any
    meaning: Meaning
    total: int

    @classmethod
    def of(
        cls, column: str, listed: dict[str | None, int], shown: CodedRows, reading: Reading,
        total: int, name: str,
    ) -> Counted:  # fmt: skip
        """Compare the texts of a column with the values that are counted."""
        from scipy import sparse

        values = tuple(listed)
        texts = (*as_released(shown.texts[column], values), SUPPRESSED)
        builder = reading.builders.get(column)
        atoms = atoms_of(column, texts, values, builder, reading.wildcard)
        meaning = Meaning.of(atoms, texts, values)
        if (np.asarray(atoms.matrix(values).sum(axis=0)) > 1).any():
            what = f"two of the values counted for '{column}' overlap"
            raise SummaryError(name, what, "Count each row once, at one level.")
        whole = np.diff(atoms.matrix(texts).indptr)
        inside = (atoms.matrix(texts).astype(np.int32) @ atoms.matrix(values).T).sum(axis=1)
        rest = sparse.csr_matrix((whole > np.asarray(inside).ravel()).reshape(-1, 1))
        may = sparse.hstack([meaning.overlap, rest]).tocsr()
        counts = np.array([*listed.values(), total - sum(listed.values())], dtype=np.int64)
        return cls(column, values, counts, may, meaning, total)


def from_one(column: Counted, shown: CodedRows, left_out: int, name: str) -> InferredCells:
    """Exact for the counts of one column."""
    codes = shown.codes[column.column]
    cells = np.append(np.bincount(codes, minlength=column.may.shape[0] - 1), left_out)
    asked = np.nonzero(cells)[0]
    result = subtract(cells[asked], column.counts, column.may[asked])
    if result is None:
        what = f"the counts of '{column.column}' cannot be those of the released rows"
        fix = "Give the counts of the table it was made from, values written as there."
        raise SummaryError(name, what, fix)
    value = np.full(len(cells), -1, dtype=np.int64)
    value[asked] = result.value
    certain_numbers = np.zeros(len(cells), dtype=np.bool_)
    certain_numbers[asked] = result.known
    return _given(column, cells, value, certain_numbers, codes)


def _given(column: Counted, cells: Ints, value: Ints, numbers: Mask, codes: Ints) -> InferredCells:
    """Separate what is news from what the release says itself."""
    listed = len(column.values)
    hides = np.diff(column.may.indptr) > 1
    everybody = np.append(column.counts[:listed] == column.total, False)
    news = hides & (value >= 0) & (value < listed) & ~everybody[value]
    meaning = column.meaning
    sets = meaning.first.copy()
    for text in np.nonzero(news)[0]:
        sets[text] = meaning.met[text, value[text]] - 1
    out = bool(cells[-1])
    part = (cells > 0) & (cells < cells.sum())
    open_ = hides & numbers & (value < 0) & part
    return InferredCells(
        column.column,
        news[:-1][codes],
        int(cells[:-1][hides[:-1]].sum()),
        out and bool(news[-1]),
        out and bool(numbers[-1]) and not everybody.any(),
        bool(open_.any()),
        sets[:-1],
        meaning,
    )
