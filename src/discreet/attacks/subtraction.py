"""What counts of a column imply for its hidden cells, once the shown ones are subtracted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import scipy

from discreet.attacks.coded_rows import CodedRows, Grouped
from discreet.attacks.meaning import Meaning, Reading, read_atoms
from discreet.attacks.published_counts import (
    InferredCells,
    SummaryCounts,
    SummaryError,
    mark_suppressed,
)
from discreet.display import dataclass, safe_repr
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED


@dataclass(frozen=True, eq=False)
class Subtracted:
    """For each kind of cell: the value that all of them must have, or -1.

    ``known`` marks kinds of which it is certain how many have each value.
    """

    value: Ints
    known: Mask


def subtract(cells: Ints, counts: Ints, may: Any) -> Subtracted | None:
    """Decide which hidden cells can have one value only; None if the counts cannot be.

    ``cells`` counts the cells of each kind, ``counts`` the rows with each value, and ``may`` says
    which kinds may have which values: a sparse matrix of truth.

    Notes
    -----
    Kinds that may have one value only are subtracted, as often as that leaves another such kind.
    The rest is a transport problem: kinds send their cells to values. A largest flow is one
    solution, in whole numbers; all others differ from it by cycles of exchanges. A kind is certain
    if it is in none, which is decided exactly for all kinds at once. *Cost*: one flow, and two
    searches in its graph.

    >>> from scipy import sparse
    >>> may = sparse.csr_matrix(np.array([[True, False], [True, True]]))
    >>> subtract(np.array([5, 1]), np.array([5, 1]), may).value.tolist()
    [0, 1]
    """
    value = np.full(len(cells), -1, dtype=np.int64)
    left = _subtract_forced(cells, counts.astype(np.int64), may.tocsr(), value)
    if left is None:
        return None
    known = value >= 0
    kinds, values = np.nonzero(~known)[0], np.nonzero(left > 0)[0]
    if not len(kinds):
        return Subtracted(value, known) if not left.any() else None
    allowed = may.tocsr()[kinds][:, values].toarray() != 0
    sent = _find_solution(cells[kinds], left[values], allowed)
    if sent is None:
        return None
    certain = ~_mark_exchangeable(sent, allowed)
    known[kinds[certain]] = True
    single = certain & (np.count_nonzero(sent, axis=1) == 1)
    value[kinds[single]] = values[sent[single].argmax(axis=1)]
    return Subtracted(value, known)


def _subtract_forced(cells: Ints, counts: Ints, may: Any, value: Ints) -> Ints | None:
    """Repeatedly subtract kinds that may have only one value; None if too little is left."""
    left = counts.copy()
    while True:
        possible = may.multiply(left > 0).tocsr()
        possible.eliminate_zeros()
        new = np.nonzero((np.diff(possible.indptr) <= 1) & (value < 0))[0]
        if not len(new):
            return left
        if (np.diff(possible.indptr)[new] == 0).any():
            return None
        value[new] = possible.indices[possible.indptr[new]]
        np.subtract.at(left, value[new], cells[new])
        if (left < 0).any():
            return None


def _find_solution(cells: Ints, counts: Ints, may: Mask) -> Any:
    """How many cells of each kind have each value, in one way that fits; None if there is none."""
    kinds, values = may.shape
    last = kinds + values + 1
    tail, head = np.nonzero(may)
    most = np.minimum(cells[tail], counts[head])
    tails = [np.zeros(kinds, np.int64), tail + 1, np.arange(values) + 1 + kinds]
    heads = [np.arange(kinds) + 1, head + 1 + kinds, np.full(values, last)]
    where = (np.concatenate(tails), np.concatenate(heads))
    capacity = np.concatenate([cells, most, counts]).astype(np.int32)
    network = scipy.sparse.csr_matrix((capacity, where), shape=(last + 1, last + 1))
    result = scipy.sparse.csgraph.maximum_flow(network, 0, last)
    if result.flow_value < max(cells.sum(), counts.sum()):
        return None
    flow = result.flow[1 : kinds + 1, kinds + 1 : kinds + values + 1].toarray()
    return np.maximum(flow, 0)


def _mark_exchangeable(sent: Any, may: Mask) -> Mask:
    """Mark the kinds that send their cells elsewhere in some other solution.

    Solutions differ by cycles: a kind may send one cell more to a value, another kind that sends
    cells there moves one to its next value, and so on until a value takes one less from the first
    kind. So a kind is marked if such a cycle of at least four steps goes through it. In a strongly
    connected graph that is so if and only if one of its edges is not a bridge: the blocks of such a
    graph are strongly connected themselves, and a node whose cycles in its block all have two steps
    has one neighbour there, so that the block is a bridge.
    """
    kinds, values = may.shape
    kind, value = np.nonzero(may)
    node = value + kinds
    taken = sent[kind, value] > 0
    tails, heads = np.concatenate([kind, node[taken]]), np.concatenate([node, kind[taken]])
    size = kinds + values
    arcs = scipy.sparse.csr_matrix((np.ones(len(tails), np.int8), (tails, heads)), (size, size))
    _, part = scipy.sparse.csgraph.connected_components(arcs, connection="strong")
    inside = part[kind] == part[node]
    return _mark_ends_of_cycles(kind[inside], node[inside], size)[:kinds]


def _mark_ends_of_cycles(first: Ints, second: Ints, size: int) -> Mask:
    """Mark the nodes of a graph that an edge touches which is not a bridge.

    A search in depth numbers the nodes; ``low`` is the least number that a node and all below it
    reach past the edge they were found by. An edge to a node is a bridge if ``low`` is its own.
    """
    ends, others = np.concatenate([first, second]), np.concatenate([second, first])
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[order], np.arange(size + 1)).tolist()
    neighbours = others[order].tolist()
    number, low, after = [-1] * size, [0] * size, starts[:-1]
    marked = np.zeros(size, dtype=np.bool_)
    found = 0
    for root in np.unique(first).tolist():
        if number[root] >= 0:
            continue
        number[root] = low[root] = found
        found += 1
        path = [(root, -1)]
        while path:
            node, before = path[-1]
            if after[node] < starts[node + 1]:
                step = neighbours[after[node]]
                after[node] += 1
                if number[step] < 0:
                    number[step] = low[step] = found
                    found += 1
                    path.append((step, node))
                elif step != before:
                    low[node] = min(low[node], number[step])
                    marked[[node, step]] = True
                continue
            path.pop()
            if before >= 0 and low[node] < number[node]:
                low[before] = min(low[before], low[node])
                marked[[node, before]] = True
    return marked


# The counts of one column, subtracted from what a release shows of it.


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
        values = tuple(listed)
        texts = (*mark_suppressed(shown.texts[column], values), SUPPRESSED)
        builder = reading.builders.get(column)
        atoms = read_atoms(column, texts, values, builder, reading.wildcard)
        meaning = Meaning.of(atoms, texts, values)
        if (np.asarray(atoms.matrix(values).sum(axis=0)) > 1).any():
            what = f"two of the values counted for '{column}' overlap"
            raise SummaryError(name, what, "Count each row once, at one level.")
        whole = np.diff(atoms.matrix(texts).indptr)
        inside = (atoms.matrix(texts).astype(np.int32) @ atoms.matrix(values).T).sum(axis=1)
        rest = scipy.sparse.csr_matrix((whole > np.asarray(inside).ravel()).reshape(-1, 1))
        may = scipy.sparse.hstack([meaning.overlap, rest]).tocsr()
        counts = np.array([*listed.values(), total - sum(listed.values())], dtype=np.int64)
        return cls(column, values, counts, may, meaning, total)


def subtract_one_column(
    column: Counted, shown: CodedRows, left_out: int, name: str
) -> InferredCells:
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
    return _separate_news(column, cells, value, certain_numbers, codes)


def _separate_news(
    column: Counted, cells: Ints, value: Ints, numbers: Mask, codes: Ints
) -> InferredCells:
    """Separate inferences from what the release itself says."""
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


# What counts of two columns together leave for hidden cells: whole numbers that fit them all.


MOST_UNKNOWNS = 20_000


@safe_repr
class Count(NamedTuple):
    """Rows whose cells lie in these pieces of some columns (by place) number ``rows``."""

    pieces: tuple[tuple[int, frozenset[int]], ...]
    rows: int


@dataclass(frozen=True, eq=False)
class Unknowns:
    """How many rows of each kind have each combination of pieces: the numbers to be found."""

    kind: Ints
    combination: Ints
    size: int

    @classmethod
    def of(cls, options: Sequence[Sequence[Sequence[int]]]) -> Unknowns | None:
        """One for each kind and each combination its columns allow; None if there are too many."""
        size = sum(int(np.prod([len(pieces) for pieces in kind])) for kind in options)
        if size > MOST_UNKNOWNS:
            return None
        kinds, combinations = [], []
        for number, kind in enumerate(options):
            for combination in product(*kind):
                kinds.append(number)
                combinations.append(combination)
        return cls(np.array(kinds), np.array(combinations), size)


def find_certain_pieces(
    unknowns: Unknowns, rows: Ints, counts: Sequence[Count], asked: Sequence[tuple[int, int]]
) -> list[int] | None:
    """For each (kind, column) asked the piece that all its rows must have, or -1.

    None if no whole numbers fit all counts.

    Notes
    -----
    An integer program: the rows of each kind and the rows of each count are given. One solution is
    found; a kind that has a single piece in it is certain if no solution has any other. The linear
    program, which is faster, often decides that; where it does not, the integer program does.
    *Cost*: one program for the solution, one or two for each kind and column asked.
    """
    program = _Program.of(unknowns, rows, counts)
    solution = program.find_largest(np.zeros(unknowns.size), whole=True)
    if solution is None:
        return None
    found = []
    for kind, column in asked:
        own = unknowns.kind == kind
        here = np.unique(unknowns.combination[own & (solution[1] > 0.5), column])
        piece = int(here[0]) if len(here) == 1 else -1
        if piece >= 0:
            other = (own & (unknowns.combination[:, column] != piece)).astype(np.float64)
            piece = piece if program.is_zero(other) else -1
        found.append(piece)
    return found


@dataclass(frozen=True, eq=False)
class _Program:
    matrix: Any
    given: Any

    @classmethod
    def of(cls, unknowns: Unknowns, rows: Ints, counts: Sequence[Count]) -> _Program:
        lines = [unknowns.kind == kind for kind in range(len(rows))]
        for count in counts:
            line = np.ones(unknowns.size, dtype=np.bool_)
            for column, pieces in count.pieces:
                line &= np.isin(unknowns.combination[:, column], list(pieces))
            lines.append(line)
        given = np.concatenate([rows, [count.rows for count in counts]]).astype(np.float64)
        return cls(scipy.sparse.csr_matrix(np.array(lines, dtype=np.float64)), given)

    def find_largest(self, goal: Any, whole: bool) -> tuple[float, Any] | None:
        size = self.matrix.shape[1]
        result = scipy.optimize.milp(
            -goal,
            constraints=scipy.optimize.LinearConstraint(self.matrix, self.given, self.given),
            integrality=np.full(size, int(whole)),
        )
        return (-float(result.fun), result.x) if result.x is not None else None

    def is_zero(self, goal: Any) -> bool:
        """Whether the sum of these unknowns is 0 in every solution in whole numbers."""
        bound = self.find_largest(goal, whole=False)
        if bound is not None and bound[0] < 1 - 1e-6:
            return True
        found = self.find_largest(goal, whole=True)
        return found is not None and found[0] < 0.5


# Counts of two columns together, and all whole numbers that fit them.


def subtract_columns_together(
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
    found = find_certain_pieces(unknowns, rows, _list_counts(columns, pieces, known), asked)
    if found is None:
        what = f"the counts of {' and '.join(columns)} cannot be those of the released rows"
        raise SummaryError(known.name, what, "Give the counts of the table it was made from.")
    sure = [pair for pair, piece in zip(asked, found, strict=True) if piece >= 0]
    return [
        pieces[name].infer_cells({kind for kind, at in sure if at == place}, groups, shown)
        for place, name in enumerate(columns)
    ]


def _list_counts(
    columns: list[str], pieces: dict[str, _Pieces], known: SummaryCounts
) -> list[Count]:
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
        texts = mark_suppressed(shown.texts[column], values)
        builder = reading.builders.get(column)
        atoms = read_atoms(column, texts, values, builder, reading.wildcard)
        in_value = atoms.matrix(values).toarray()
        marks, piece = np.unique(in_value, axis=1, return_inverse=True)
        piece = piece.ravel()
        counted = {v: frozenset(np.nonzero(marks[n])[0].tolist()) for n, v in enumerate(values)}
        of_text = [sorted(set(piece[atoms.list_atoms(text)].tolist())) for text in texts]
        every = sorted(set(piece.tolist()))
        return cls(column, of_text, counted, every, Meaning.of(atoms, tuple(texts), tuple(values)))

    def infer_cells(self, sure: set[int], groups: Grouped, shown: CodedRows) -> InferredCells:
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
