"""Two releases of one table, joined on what they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import scipy

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers
from discreet.attacks.meaning import Meaning, Reading, find_shared_columns, require_overlap
from discreet.attacks.outcome import Outcome, make_not_applied
from discreet.attacks.related import count_rows_alike, find_related
from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.frequency.classes import Ints, Mask

# Which rows of two files can be the same people, if everybody is matched.


MOST_EDGES = 2_000_000
"""Most pairs of groups for which an assignment is computed; otherwise all pairs stay possible."""


@dataclass(frozen=True, eq=False)
class Matching:
    """Which pairs occur in some largest assignment of people, and how large it is.

    ``possible`` marks the pairs; ``alone`` marks, for both files, the groups with rows that may be
    nobody of the other. ``assigned`` is None if none was computed.
    """

    possible: Mask
    alone: tuple[Mask, Mask]
    assigned: int | None


def match_groups(one: Ints, other: Ints, supply: Ints, demand: Ints) -> Matching:
    """Assign the rows of groups to each other along the pairs (one, other), as many as possible.

    Notes
    -----
    A pair occurs in some largest flow if it carries some in the one that was found, or if it lies
    on a cycle of what is left of the network (its strong components): the decomposition of Dulmage
    and Mendelsohn for groups of rows. *Cost*: one flow on the pairs of groups, and one search.

    >>> rows = np.ones(2, int)
    >>> found = match_groups(np.array([0, 0, 1]), np.array([0, 1, 1]), rows, rows)
    >>> found.possible.tolist()  # the second must be the second's, so the first is the first's
    [True, False, True]
    """
    everything = np.ones(len(one), dtype=np.bool_)
    if len(one) > MOST_EDGES or not len(one):
        alone = tuple(np.ones(len(rows), dtype=np.bool_) for rows in (supply, demand))
        return Matching(everything, (alone[0], alone[1]), None)
    network = _build_network(one, other, supply, demand)
    last = network.shape[0] - 1
    result = scipy.sparse.csgraph.maximum_flow(network, 0, last)
    flow = result.flow
    left = (network - flow).tocsr()
    left.data = np.maximum(left.data, 0)
    left.eliminate_zeros()
    part = scipy.sparse.csgraph.connected_components(left, directed=True, connection="strong")[1]
    tail, head = one + 1, other + 1 + len(supply)
    carried = np.asarray(flow[tail, head]).ravel() > 0
    possible = carried | (part[tail] == part[head])
    firsts = np.arange(len(supply)) + 1
    seconds = np.arange(len(demand)) + 1 + len(supply)
    sent = np.asarray(flow[np.zeros_like(firsts), firsts]).ravel()
    met = np.asarray(flow[seconds, np.full_like(seconds, last)]).ravel()
    alone = (
        (sent < supply) | (part[firsts] == part[0]),
        (met < demand) | (part[seconds] == part[last]),
    )
    return Matching(possible, alone, int(result.flow_value))


def _build_network(one: Ints, other: Ints, supply: Ints, demand: Ints) -> Any:
    """Source, groups of the first file, groups of the second, sink."""
    left, right = len(supply), len(demand)
    last = left + right + 1
    tails = np.concatenate([np.zeros(left, np.int64), one + 1, np.arange(right) + 1 + left])
    heads = np.concatenate([np.arange(left) + 1, other + 1 + left, np.full(right, last)])
    most = np.minimum(supply[one], demand[other])
    capacity = np.concatenate([supply, most, demand]).astype(np.int32)
    return scipy.sparse.csr_matrix((capacity, (tails, heads)), shape=(last + 1, last + 1))


# What is known of each row once two files about the same people are joined.


@dataclass(frozen=True, eq=False)
class Joined:
    """The result of joining two files: the rows of each that fewer than k rows then equal.

    Rows of the first file that already equalled fewer than k count only if joining leaves even
    fewer. ``alone`` counts rows of each file that match no row of the other; ``assigned`` is how
    many rows can be matched at once, None if that was not computed; ``pruned`` says whether pairs
    in no complete assignment were left out.
    """

    first: Mask
    second: Mask
    alone: tuple[int, int]
    assigned: int | None
    pruned: bool


@dataclass(frozen=True, eq=False)
class _Side:
    groups: Grouped
    codes: Mapping[str, Ints]

    @classmethod
    def of(cls, file: CodedRows, columns: Sequence[str]) -> _Side:
        groups = Grouped.by(file.classes([name for name in columns if name in file.columns]))
        codes = {
            name: file.codes[name][groups.first]
            if name in file.columns
            else np.zeros(len(groups), dtype=np.int64)
            for name in columns
        }
        return cls(groups, codes)


def join(
    first: CodedRows, second: CodedRows, quasi: Sequence[str], reading: Reading, k: int
) -> Joined:
    """Join an earlier file with a later one on the columns they share.

    Notes
    -----
    A row matches a row of the other file if they can be equal in every shared column. If all rows
    of the shorter file can be assigned to rows of the other at once, they are assumed to be: pairs
    in no such assignment are left out. Otherwise a row that matches some rows is assumed to be one
    of those. Rows are compared on the quasi columns of both files together.
    """
    shared = find_shared_columns(first, second)
    wanted = [name for name in quasi if name in first.columns or name in second.columns]
    if not wanted:
        raise UnknownColumnError(second.name, next(iter(quasi), ""), second.columns)
    used = list(dict.fromkeys([*shared, *wanted]))
    meanings = {name: reading.meaning(name, first, second) for name in used}
    require_overlap(meanings, shared, first, second)
    sides = _Side.of(first, used), _Side.of(second, used)
    codes = [[side.codes[name] for name in shared] for side in sides]
    one, other = find_related(codes[0], codes[1], [meanings[name].overlap for name in shared])
    rows = sides[0].groups.rows, sides[1].groups.rows
    found = match_groups(one, other, rows[0], rows[1])
    pruned = found.assigned == min(first.rows, second.rows)
    if pruned:
        one, other = one[found.possible], other[found.possible]
    lone = _find_lone_groups(one, other, (len(rows[0]), len(rows[1])), found, pruned)
    marked = _mark_rare_groups(sides, (one, other), lone, [(n, meanings[n]) for n in wanted], k)
    return Joined(
        marked[0][sides[0].groups.of_row],
        marked[1][sides[1].groups.of_row],
        (_count_rows_without(one, rows[0]), _count_rows_without(other, rows[1])),
        found.assigned,
        pruned,
    )


def _find_lone_groups(
    one: Ints, other: Ints, sizes: tuple[int, int], found: Matching, pruned: bool
) -> tuple[Ints, Ints]:
    """Groups that may be nobody of the other file."""
    firsts = np.setdiff1d(np.arange(sizes[0]), one)
    seconds = np.setdiff1d(np.arange(sizes[1]), other)
    if pruned:
        firsts = np.union1d(firsts, np.nonzero(found.alone[0])[0])
        seconds = np.union1d(seconds, np.nonzero(found.alone[1])[0])
    return firsts, seconds


def _mark_rare_groups(
    sides: tuple[_Side, _Side],
    pairs: tuple[Ints, Ints],
    lone: tuple[Ints, Ints],
    meanings: list[tuple[str, Meaning]],
    k: int,
) -> tuple[Mask, Mask]:
    """For both files, the groups that fewer than k rows equal."""
    met = [
        meaning.meet(sides[0].codes[name][pairs[0]], sides[1].codes[name][pairs[1]])
        for name, meaning in meanings
    ]
    within = [meaning.within for _, meaning in meanings]
    before = _count_alike_before(sides[0], meanings, within, k)
    marked: list[Any] = []
    for number, side in enumerate(sides):
        owner = np.concatenate([pairs[number], lone[number]])
        known = []
        for place, (name, meaning) in enumerate(meanings):
            own = (meaning.first, meaning.second)[number]
            known.append(np.concatenate([met[place], own[side.codes[name][lone[number]]]]))
        marked.append(count_rows_alike(known, owner, side.groups.rows, within, k))
    return marked[0] < np.minimum(before, k), marked[1] < k


def _count_alike_before(
    side: _Side, meanings: list[tuple[str, Meaning]], within: list[Any], k: int
) -> Ints:
    """The rows equal to each group of the first file before joining."""
    own = [meaning.first[side.codes[name]] for name, meaning in meanings]
    groups = np.arange(len(side.groups), dtype=np.int64)
    return count_rows_alike(own, groups, side.groups.rows, within, k)


def _count_rows_without(partnered: Ints, rows: Ints) -> int:
    """Rows of the groups that are in no pair."""
    mask = np.ones(len(rows), dtype=np.bool_)
    mask[partnered] = False
    return int(rows[mask].sum())


@dataclass(frozen=True)
class Complementary:
    """Rows that are exposed once a release is joined with an earlier one of the same people.

    Parameters
    ----------
    quasi
        The columns that an intruder knows of a person.
    k
        A row is exposed if fewer than k rows equal it after joining.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2, figs. 35 and 36. A row may be the same person as a row of the other
    release if every column that both have can be equal; of the pair, what both say is known. If all
    rows of the shorter release can be assigned to rows of the other at once, pairs in no such
    assignment are ruled out. A row is exposed if, whichever its partner is, fewer than k rows of
    its file can have all that is known of it. *Departures*: the thesis joins on equal values; here
    generalized values match the values they cover. A row that fits some row of the other release is
    assumed to be in it. The thesis says that a second release is safe if all columns of the first
    are in its quasi-identifier; that does not hold in general, see the explanation of the attack.
    More than two releases are joined in pairs. *Cost*: distinct rows are blocked, then compared
    by bitmaps; one flow.

    >>> first = {"year": ["1964", "1965"], "ill": ["flu", "gout"]}
    >>> second = {"sex": ["male", "female"], "ill": ["flu", "gout"]}
    >>> import pyarrow as pa
    >>> Complementary(("year", "sex"))(pa.table(second), pa.table(first)).rows
    (1, 2)
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, earlier: Any) -> Outcome:
        """Join a release with an earlier one."""
        later, first = CodedRows.of(release), CodedRows.of(earlier)
        found = join(first, later, self.quasi, Reading.by(self.policy), self.k)
        return make_outcome("complementary", found, self.k, (first.name, later.rows == first.rows))


def make_outcome(attack: str, found: Joined, k: int, against: tuple[str, bool]) -> Outcome:
    """The result of joining, as rows of both files."""
    rows, earlier = list_row_numbers(found.second), list_row_numbers(found.first)
    exposed = max(len(rows), len(earlier))
    name, same = against
    note = (
        f"joined with {name}, {len(rows):,} row{_choose_plural(rows)} of the release and "
        f"{len(earlier):,} of "
        f"{name} have fewer than {k} candidates"
        if exposed
        else f"joined with {name}, every row still has at least {k} candidates"
    )
    if sum(found.alone):
        alone = (
            f"{found.alone[1]:,} rows here and {found.alone[0]:,} there match no row of the other"
        )
        note = f"{note}; {alone}"
    more = {
        "other": name,
        "k": k,
        "same_people": found.pruned and same,
        "rows_without_partner": found.alone[1],
        "earlier_rows_without_partner": found.alone[0],
    }
    return Outcome(attack, True, exposed, note, rows, earlier_rows=earlier, found=more)


def _choose_plural(rows: tuple[int, ...]) -> str:
    return "" if len(rows) == 1 else "s"


# An earlier release of a table that has grown since.


@dataclass(frozen=True)
class Temporal:
    """Rows that are exposed once a release is joined with one from before rows were added.

    Parameters
    ----------
    quasi, k, policy
        As for :class:`~discreet.attacks.complementary.Complementary`.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3. The rows of the earlier release are assumed to be among those of
    this one, if they can all be found there; the others are new. A new row is exposed if fewer than
    k rows can have its values: old rows in the same class do not hide it if the earlier release
    reveals more about them. *Departures*: as for the complementary attack; rows that were changed
    or removed have no partner. *Cost*: as there.

    >>> old = {"zip": ["0213*", "0213*"], "ill": ["flu", "gout"]}
    >>> new = {"zip": ["021**", "021**", "021**"], "ill": ["flu", "gout", "rash"]}
    >>> import pyarrow as pa
    >>> Temporal(("zip",))(pa.table(new), pa.table(old)).rows
    (3,)
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, earlier: Any) -> Outcome:
        """Find the rows of an earlier release in one that has more rows."""
        later, first = CodedRows.of(release), CodedRows.of(earlier)
        if later.rows <= first.rows:
            return make_not_applied("temporal", f"{later.name} has no more rows than {first.name}")
        found = join(first, later, self.quasi, Reading.by(self.policy), self.k)
        return make_outcome("temporal", found, self.k, (first.name, False))
