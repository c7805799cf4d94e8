"""Finds matching rows of two tables without trying every pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy

from discreet.attacks.coded_rows import NONE, Grouped, number_rows
from discreet.errors import TooLargeError
from discreet.frequency.classes import Ints, Mask

MOST_PAIRS = 30_000_000
AT_ONCE = 1 << 25
"""Pairs that are processed together, as bits."""

SMALL = 1 << 12
"""Blocks with fewer pairs than this are tried pair by pair, many blocks together."""


def find_related(
    left: Sequence[Ints], right: Sequence[Ints], relations: Sequence[Any]
) -> tuple[Ints, Ints]:
    """All pairs (i, j) whose codes are related in every column.

    ``relations`` has a sparse matrix of truth for each column, codes on the left by codes on the
    right.

    Notes
    -----
    Codes that are related, directly or through others, belong to one component of their column;
    rows are blocked by the components of all columns, and only blocks are joined. Within a block,
    each code on the left has a bitmap of the rows on the right that go with it, and the bitmaps of
    a row's codes are put together. *Cost*: a sort, then pairs of a block divided by eight a column.

    >>> from scipy import sparse
    >>> same = sparse.csr_matrix(np.eye(2, dtype=bool))
    >>> found = find_related([np.array([0, 1])], [np.array([1, 1, 0])], [same])
    >>> [part.tolist() for part in found]
    [[0, 1, 1], [2, 0, 1]]
    """
    lefts, rights = _number_blocks(left, right, relations)
    found: list[tuple[Ints, Ints]] = []
    total = 0
    for i, j in _pair_within_blocks(lefts, rights, left, right, relations):
        total += len(i)
        if total > MOST_PAIRS:
            raise TooLargeError(
                f"the rows of the two files match in more than {MOST_PAIRS:,} ways, too many to "
                "determine what an intruder learns. Name fewer columns, or attack a subset of the "
                "rows of the release.",
                most=MOST_PAIRS,
            )
        found.append((i, j))
    one = np.concatenate([NONE, *(i for i, _ in found)])
    other = np.concatenate([NONE, *(j for _, j in found)])
    order = np.lexsort((other, one))
    return one[order], other[order]


def _number_blocks(
    left: Sequence[Ints], right: Sequence[Ints], relations: Sequence[Any]
) -> tuple[Ints, Ints]:
    """A number for each row on both sides; related rows have the same."""
    size = len(left[0]) if left else 0
    both = []
    for codes, others, relation in zip(left, right, relations, strict=True):
        graph = scipy.sparse.bmat([[None, relation], [relation.T, None]])
        component = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
        both.append(np.concatenate([component[codes], component[others + relation.shape[0]]]))
    numbers = number_rows(both, size + (len(right[0]) if right else 0))
    return numbers[:size], numbers[size:]


def _pair_within_blocks(
    lefts: Ints,
    rights: Ints,
    left: Sequence[Ints],
    right: Sequence[Ints],
    relations: Sequence[Any],
) -> Iterator[tuple[Ints, Ints]]:
    """The related pairs, block by block; small blocks together."""
    blocks = int(max(lefts.max(initial=-1), rights.max(initial=-1))) + 1
    sizes = np.bincount(lefts, minlength=blocks), np.bincount(rights, minlength=blocks)
    starts = [np.concatenate([[0], np.cumsum(size)[:-1]]) for size in sizes]
    order = np.argsort(lefts, kind="stable"), np.argsort(rights, kind="stable")
    pairs = sizes[0] * sizes[1]
    small = np.nonzero((pairs > 0) & (pairs <= SMALL))[0]
    for some in np.array_split(small, max(1, int(pairs[small].sum()) // AT_ONCE + 1)):
        i, j = _pair_places(some, sizes, starts)
        i, j = order[0][i], order[1][j]
        for codes, others, relation in zip(left, right, relations, strict=True):
            kept = _are_related(relation, codes[i], others[j])
            i, j = i[kept], j[kept]
        yield i, j
    for block in np.nonzero(pairs > SMALL)[0]:
        one = order[0][starts[0][block] : starts[0][block] + sizes[0][block]]
        other = order[1][starts[1][block] : starts[1][block] + sizes[1][block]]
        yield from _pair_by_bitmaps(one, other, left, right, relations)


def _pair_places(blocks: Ints, sizes: Any, starts: Any) -> tuple[Ints, Ints]:
    """All pairs of places in each of these blocks."""
    many, wide = sizes[0][blocks] * sizes[1][blocks], sizes[1][blocks]
    ends = np.cumsum(many)
    place = np.arange(int(many.sum())) - np.repeat(ends - many, many)
    width = np.repeat(wide, many)
    i = np.repeat(starts[0][blocks], many) + place // np.maximum(width, 1)
    j = np.repeat(starts[1][blocks], many) + place % np.maximum(width, 1)
    return i, j


def _are_related(relation: Any, codes: Ints, others: Ints) -> Any:
    """Whether each pair of codes is related."""
    if not len(codes):
        return np.zeros(0, dtype=np.bool_)
    return np.asarray(relation[codes, others]).ravel() != 0


def _pair_by_bitmaps(
    one: Ints, other: Ints, left: Sequence[Ints], right: Sequence[Ints], relations: Sequence[Any]
) -> Iterator[tuple[Ints, Ints]]:
    step = max(1, AT_ONCE // len(other))
    for start in range(0, len(one), step):
        some = one[start : start + step]
        fits = np.full((len(some), (len(other) + 7) // 8), 255, dtype=np.uint8)
        for codes, others, relation in zip(left, right, relations, strict=True):
            used, place = np.unique(codes[some], return_inverse=True)
            table = relation[used].toarray()[:, others[other]]
            fits &= np.packbits(table, axis=1)[place]
        i, j = np.nonzero(np.unpackbits(fits, axis=1, count=len(other)))
        yield some[i], other[j]


# How many rows each row can be taken for, from what is known of them.


def mark_fewer_alike(
    known: Sequence[Ints], owner: Ints, rows: Ints, within: Sequence[Any], k: int
) -> Mask:
    """Mark the groups of rows that fewer than k rows equal, whatever is true of them."""
    return count_rows_alike(known, owner, rows, within, k) < k


def count_rows_alike(
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
    options = Grouped.by(number_rows(known, len(owner)))
    pairs = np.unique(options.of_row * (len(rows) + 1) + owner)
    option, group = pairs // (len(rows) + 1), pairs % (len(rows) + 1)
    alike = np.bincount(option, weights=rows[group], minlength=len(options)).astype(np.int64)
    best = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(best, group, alike[option])
    asked = np.unique(option[best[group] < k])
    if len(asked):
        alike[asked] = _count_allowing_rows(known, options, asked, within, (option, group), rows)
        np.maximum.at(best, group, alike[option])
    return best


def _count_allowing_rows(
    known: Sequence[Ints],
    options: Grouped,
    asked: Ints,
    within: Sequence[Any],
    owned: tuple[Ints, Ints],
    rows: Ints,
) -> Ints:
    """For each option asked for, the rows that have an option which allows all of it."""
    every = [codes[options.first] for codes in known]
    one, other = find_related([codes[asked] for codes in every], every, within)
    wide = (np.ones(len(one), np.int32), (one, other))
    allows = scipy.sparse.csr_matrix(wide, shape=(len(asked), len(options)))
    owns = scipy.sparse.csr_matrix(
        (np.ones(len(owned[0]), np.int32), owned), shape=(len(options), len(rows))
    )
    reached = allows @ owns
    reached.data = np.ones_like(reached.data, dtype=np.int64)
    return np.asarray(reached @ rows).ravel().astype(np.int64)
