"""Two releases of one table, joined on what they share."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from discreet.attacks.coded_rows import CodedRows, listed
from discreet.attacks.joined import Joined, join
from discreet.attacks.meaning import Reading
from discreet.attacks.outcome import Outcome
from discreet.display import dataclass


@dataclass(frozen=True)
class Complementary:
    """Rows that stand out once a release is put together with an earlier one of the same people.

    Parameters
    ----------
    quasi
        The columns that an intruder knows of a person.
    k
        A row is exposed if fewer than k rows are like it after joining.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2, figs. 35 and 36. A row may be the same person as a row of the other
    release if every column that both have can be equal; of the pair, what both say is known. If all
    rows of the shorter release can be put to rows of the other at once, pairs that occur in no such
    assignment are ruled out. A row is exposed if, whichever its partner is, fewer than k rows of
    its file can have all that is known of it. *Departures*: the thesis joins on equal values; here
    generalized values go with what they cover. A row that fits some row of the other release is
    taken to be in it. The thesis says that a second release is safe if all columns of the first are
    in its quasi-identifier; that does not hold in general, see the explanation of the attack. More
    than two releases are joined two by two. *Cost*: distinct rows are blocked, then compared by
    bitmaps; one flow.

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
        return outcome("complementary", found, self.k, (first.name, later.rows == first.rows))


def outcome(attack: str, found: Joined, k: int, against: tuple[str, bool]) -> Outcome:
    """What joining gave, as rows of both files."""
    rows, earlier = listed(found.second), listed(found.first)
    exposed = max(len(rows), len(earlier))
    name, same = against
    note = (
        f"joined with {name}, {len(rows):,} row{_s(rows)} of the release and {len(earlier):,} of "
        f"{name} have fewer than {k} rows like them"
        if exposed
        else f"joined with {name}, every row still has {k} rows like it"
    )
    if sum(found.alone):
        alone = f"{found.alone[1]:,} rows here and {found.alone[0]:,} there fit no row of the other"
        note = f"{note}; {alone}"
    more = {
        "other": name,
        "k": k,
        "same_people": found.pruned and same,
        "rows_without_partner": found.alone[1],
        "earlier_rows_without_partner": found.alone[0],
    }
    return Outcome(attack, True, exposed, note, rows, earlier_rows=earlier, found=more)


def _s(rows: tuple[int, ...]) -> str:
    return "" if len(rows) == 1 else "s"
