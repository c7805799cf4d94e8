"""The orders in which a release can be laid beside another file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped
from discreet.attacks.in_order import in_order
from discreet.attacks.meaning import Meaning
from discreet.attacks.related import related
from discreet.display import dataclass, safe_repr
from discreet.frequency.classes import Ints


@safe_repr
class Laid(NamedTuple):
    """Rows of a release and the rows of the other file that they stand beside.

    ``column`` is the one that the other file was sorted by: then only its value is known of a row.
    """

    by: str
    rows: Ints
    others: Ints
    chance: float
    column: str | None = None


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Rows of a release and of another file as kinds, and which kinds go together.

    Kinds are rows alike on the columns that both files have.
    """

    first: CodedRows
    second: CodedRows
    groups: tuple[Grouped, Grouped]
    goes: Any

    @classmethod
    def of(
        cls,
        first: CodedRows,
        second: CodedRows,
        shared: Sequence[str],
        meanings: Mapping[str, Meaning],
    ) -> SideBySide:
        """Group the rows of both files and find which groups go together."""
        from scipy import sparse

        groups = Grouped.by(first.classes(shared)), Grouped.by(second.classes(shared))
        files = zip((first, second), groups, strict=True)
        codes = [[file.codes[name][group.first] for name in shared] for file, group in files]
        one, other = related(codes[0], codes[1], [meanings[name].overlap for name in shared])
        pairs = (np.ones(len(one), np.bool_), (one, other))
        goes = sparse.csr_matrix(pairs, shape=(len(groups[0]), len(groups[1])))
        return cls(first, second, groups, goes)

    def as_they_stand(self) -> Iterator[Laid]:
        """Line by line; either file may lack rows of the other."""
        labels, others = self.groups[0].of_row, self.groups[1].of_row
        turned = len(labels) > len(others)
        if turned:
            found = in_order(others, labels, self.goes.T.tocsr())
        else:
            found = in_order(labels, others, self.goes)
        if found is not None:
            own = np.nonzero(found.sure)[0]
            beside = found.first[own]
            rows, places = (beside, own) if turned else (own, beside)
            yield Laid("row order", rows, places, found.chance)

    def sorted_by(self, name: str) -> Iterator[Laid]:
        """Beside the other file sorted by one of its columns, up and down."""
        rank = ranks(self.second.texts[name])[self.second.codes[name]]
        goes = self._goes_with_value(rank)
        for turn in (rank, -rank):
            order = np.argsort(turn, kind="stable")
            found = in_order(self.groups[0].of_row, rank[order], goes)
            if found is not None:
                value = rank[order]
                rows = np.nonzero(value[found.first] == value[found.last])[0]
                others = order[found.first[rows]]
                yield Laid(f"sorted by {name}", rows, others, found.chance, name)

    def _goes_with_value(self, rank: Ints) -> Any:
        """Which kinds of the release go with some row of the other file that has a value."""
        from scipy import sparse

        wide = int(rank.max()) + 1
        pairs = np.unique(self.groups[1].of_row * wide + rank)
        where = (pairs // wide, pairs % wide)
        has = sparse.csr_matrix(
            (np.ones(len(pairs), np.int32), where), shape=(len(self.groups[1]), wide)
        )
        return (self.goes.astype(np.int32) @ has).astype(np.bool_).tocsr()


def ranks(texts: Sequence[str | None]) -> Ints:
    """The rank of each text: as numbers where all are, missing values first.

    >>> ranks(["10", "9", None]).tolist()
    [2, 1, 0]
    """
    keys: list[tuple[bool, Any]]
    try:
        keys = [(text is not None, float(text or 0)) for text in texts]
    except ValueError:
        keys = [(text is not None, text or "") for text in texts]
    order = sorted(range(len(texts)), key=keys.__getitem__)
    found = np.empty(len(texts), dtype=np.int64)
    found[order] = np.arange(len(texts))
    return found


def hidden_columns(release: CodedRows, private: CodedRows) -> list[str]:
    """Columns of the private table that a release generalizes or withholds."""
    shown = [
        name
        for name in release.columns
        if name in private.columns and set(release.texts[name]) <= set(private.texts[name])
    ]
    return [n for n in private.columns if n not in shown and len(private.texts[n]) > 1]
