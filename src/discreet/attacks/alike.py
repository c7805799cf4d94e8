"""How many rows each row can be taken for, from what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import Grouped, numbered
from discreet.attacks.related import related
from discreet.frequency.classes import Ints, Mask


def fewer_alike(
    known: Sequence[Ints], owner: Ints, rows: Ints, within: Sequence[Any], k: int
) -> Mask:
    """Mark the groups of rows that fewer than k rows are like, whatever is true of them."""
    return rows_alike(known, owner, rows, within, k) < k


def rows_alike(
    known: Sequence[Ints], owner: Ints, rows: Ints, within: Sequence[Any], k: int
) -> Ints:
    """For each group the rows that are like it, in the best of its options; exact if below k.

    Each option is what may be known of a group (``owner``): one numbered set of values a column. A
    row is like another if one of its options allows all that the other's option allows: whoever
    fits the one then fits the other.

    Notes
    -----
    *Cost*: options that are equal are counted by sorting; only those below k are compared with
    all others, by bitmaps.
    """
    options = Grouped.by(numbered(known, len(owner)))
    pairs = np.unique(options.of_row * (len(rows) + 1) + owner)
    option, group = pairs // (len(rows) + 1), pairs % (len(rows) + 1)
    alike = np.bincount(option, weights=rows[group], minlength=len(options)).astype(np.int64)
    best = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(best, group, alike[option])
    asked = np.unique(option[best[group] < k])
    if len(asked):
        alike[asked] = _allowed(known, options, asked, within, (option, group), rows)
        np.maximum.at(best, group, alike[option])
    return best


def _allowed(
    known: Sequence[Ints],
    options: Grouped,
    asked: Ints,
    within: Sequence[Any],
    owned: tuple[Ints, Ints],
    rows: Ints,
) -> Ints:
    """For each option asked for, the rows that have an option which allows all of it."""
    from scipy import sparse

    every = [codes[options.first] for codes in known]
    one, other = related([codes[asked] for codes in every], every, within)
    wide = (np.ones(len(one), np.int32), (one, other))
    allows = sparse.csr_matrix(wide, shape=(len(asked), len(options)))
    owns = sparse.csr_matrix(
        (np.ones(len(owned[0]), np.int32), owned), shape=(len(options), len(rows))
    )
    reached = allows @ owns
    reached.data = np.ones_like(reached.data, dtype=np.int64)
    return np.asarray(reached @ rows).ravel().astype(np.int64)
