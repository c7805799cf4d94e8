"""Which combinations of columns mu-Argus tests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as choose
from itertools import product

Combination = tuple[int, ...]

TESTED = (
    ("most", "more"),
    ("most", "identifying"),
    ("more", "identifying"),
    ("most", "most"),
    ("most", "more", "identifying"),
    ("most", "most", "identifying"),
    ("most", "most", "most"),
)
"""What figure 49 answers with yes."""

TESTED_WITH_IDENTIFYING = (
    ("more", "more"),
    ("most", "more", "more"),
    ("most", "most", "more"),
)
"""What figure 49 tests only where some column is rated as identifying."""


def combinations(
    most: Sequence[int], more: Sequence[int], identifying: Sequence[int]
) -> tuple[Combination, ...]:
    """The pairs and triples of columns that are tested for rare values; by far not all.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 49. *Departures*: fig. 49 tests three kinds "only if" there is
    more than one identifying column; figs. 56 and 67 do with one, and so does this. Fig. 56 tests
    most with more only if there are two columns of more, and nothing at all if none is most, or
    all are; fig. 49 does not say so and is followed, as it protects more.

    >>> combinations(most=[1], more=[2, 3], identifying=[])
    ((1, 2), (1, 3))
    """
    ranked = {"most": most, "more": more, "identifying": identifying}
    kinds = TESTED + TESTED_WITH_IDENTIFYING if identifying else TESTED
    found = {combination for kind in kinds for combination in _across(kind, ranked)}
    return tuple(sorted(found, key=lambda c: (len(c), c)))


def _across(kind: Sequence[str], ranked: dict[str, Sequence[int]]) -> list[Combination]:
    """All combinations with so many columns of each rank."""
    parts = [choose(ranked[rank], kind.count(rank)) for rank in dict.fromkeys(kind)]
    return [tuple(sorted(sum(chosen, ()))) for chosen in product(*parts)]
