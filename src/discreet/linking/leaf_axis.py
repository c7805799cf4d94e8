"""Columns with a hierarchy that was written down: leaves at points, labels over their leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.hierarchy import File, Hierarchy, Tree
from discreet.hierarchy.numbers import read_number
from discreet.hierarchy.tree import _paths
from discreet.linking.number_axis import read_range
from discreet.linking.places import Place, before, behind, joined


@dataclass(frozen=True, eq=False)
class LeafAxis:
    """Knows each label of a hierarchy and the leaves under it, seen or not.

    A text that is a leaf stands for that leaf, whatever else it names; one that is a label of
    several levels stands for all of them. A range of numbers that is no label stands for the leaves
    in it: mondrian's ranges do not follow the hierarchy.
    """

    ranks: Mapping[str, tuple[int, ...]]
    numbers: tuple[tuple[Decimal, int], ...]
    over_missing: frozenset[str | None]

    @classmethod
    def of(cls, hierarchy: Hierarchy, strays: Iterable[str]) -> LeafAxis:
        """Rank the leaves so that those under one label are neighbours; strays come last."""
        leaves = hierarchy.labels[0]
        order = sorted(
            range(len(leaves)),
            key=lambda leaf: [int(codes[leaf]) for codes in hierarchy.maps[::-1]],
        )
        ranks: dict[str, set[int]] = {}
        over_missing: set[str | None] = set()
        own = {leaf for leaf in leaves if leaf is not None}
        for rank, leaf in enumerate(order):
            for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
                label = labels[codes[leaf]]
                if label in own and label != leaves[leaf]:
                    continue
                if leaves[leaf] is None:
                    over_missing.add(label)
                elif label is not None:
                    ranks.setdefault(label, set()).add(rank)
        for text in strays:
            if text not in ranks and read_range(text) is None:
                ranks[text] = {len(order) + len(ranks)}
        known = {label: tuple(sorted(under)) for label, under in ranks.items()}
        return cls(known, tuple(_numbers(known)), frozenset(over_missing))

    def place(self, text: str) -> Place | None:
        """Where a leaf, a label or a range stands."""
        if text in self.ranks or text in self.over_missing:
            place = joined(self.ranks.get(text, ()))
            return place._replace(missing=text in self.over_missing)
        ends = read_range(text)
        if ends is None:
            return None
        inside = [
            rank
            for number, rank in self.numbers
            if ends[0] <= before(number) and behind(number) <= ends[1]
        ]
        return joined(inside) if inside else None


def _numbers(ranks: Mapping[str, tuple[int, ...]]) -> Iterable[tuple[Decimal, int]]:
    for label, under in ranks.items():
        number = read_number(label) if len(under) == 1 else None
        if number is not None:
            yield number, under[0]


def written_down(
    column: str, builder: File | Tree, ground: Sequence[str]
) -> tuple[Hierarchy, Sequence[str]]:
    """The hierarchy over all its own leaves, and the values of the data that it lacks."""
    leaves = builder.read()[1] if isinstance(builder, File) else leaves_of(builder)
    known = set(leaves)
    stray = [text for text in ground if text not in known]
    rooted = isinstance(builder, File) and builder.uncovered == "root"
    every = [*leaves, *stray] if rooted else [*leaves]
    try:
        built = builder.build(column, every if None in known else [*every, None])
    except DiscreetError:  # it has no place for a missing value
        built = builder.build(column, every)
    return built, () if rooted else stray


def leaves_of(tree: Tree) -> tuple[str | None, ...]:
    """All values that hang on a tree."""
    return tuple(path[-1] for path in _paths(tree.tree, ()))
