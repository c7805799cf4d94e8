"""A hierarchy written out in the policy as a tree of names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from discreet.display import dataclass
from discreet.hierarchy.cover import check_one_root, cover, find_ground_labels
from discreet.hierarchy.hierarchy import Hierarchy, Level, assemble
from discreet.hierarchy.refusals import make_label_error, make_spec_error

FIX = (
    "Add each to a branch; if it is there already, write it in quotes, since YAML reads 007, no "
    "and 1e3 as something else."
)
MOST_NAMES, DEEPEST = 4_000_000, 100
SHAPE = "Write for instance {person: {north: [Oslo, Umea], south: [Rome]}}."


@dataclass(frozen=True)
class Tree:
    """Release a value as the branch it belongs to: Oslo as Norway, then Europe, then World.

    Parameters
    ----------
    tree
        Nested mappings from the root down, with lists of values at the ends.

        Branches may have different depths: a value higher up is repeated up to the level of its
        branch. A branch with nothing below it is a value; an empty (null) entry is the missing
        value.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2, fig. 26. *Departures*: if there are several roots, ``*`` is added
    above them. *Cost*: one pass over the tree.

    Examples
    --------
    >>> places = Tree({"World": {"Europe": {"Norway": ["Oslo", "Bergen"]}, "Moon": None}})
    >>> places.build("place", ["Bergen", "Moon"]).labels
    (('Bergen', 'Moon'), ('Norway', 'Moon'), ('Europe', 'Moon'), ('World',))
    """

    tree: Mapping[Any, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.tree, Mapping) or not self.tree:
            raise make_spec_error("tree", "it must be a mapping from a root down", SHAPE)
        paths = _list_paths(self.tree)
        leaves = Counter(path[-1] for path in paths)
        branches = {path[:end] for path in paths for end in range(1, len(path))}
        twice = [leaf for leaf, times in leaves.items() if times > 1]
        twice += [path[-1] for path in paths if path in branches]
        if twice or not paths:
            named = ", ".join(f"'{leaf}'" for leaf in twice[:5])
            what = f"values that are in two places, or are also branches: {len(twice)} ({named})"
            fix = "Keep each in one place."
            raise make_spec_error("tree", what if twice else "it has no values", fix)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Find the values of a column in the tree; those not in the data do not count."""
        paths = _list_paths(self.tree)
        depth = max(map(len, paths))
        padded = [path + (path[-1],) * (depth - len(path)) for path in paths]
        ground, *names = reversed(list(zip(*padded, strict=True)))
        levels = [Level.of_texts(texts) for texts in names]
        check_one_root(column, levels)
        found = find_ground_labels(ground, levels)
        if found is not None:
            raise make_label_error(column, found[0], len(found[1]))
        source = "the tree of the policy"
        leaves, above, picked = cover(column, ground, levels, values, source=source, fix=FIX)

        def where(level: int, first: int, _: int) -> str:
            return f"'{above[level - 1].labels[above[level - 1].codes[first]]}' for one"

        return Hierarchy(
            column, *assemble(column, leaves, above, picked=picked, count_all=False, where=where)
        )


def list_leaves(tree: Tree) -> tuple[str | None, ...]:
    """All values of a tree."""
    return tuple(path[-1] for path in _walk_paths(tree.tree, ()))


def _list_paths(tree: Mapping[Any, Any]) -> list[tuple[str | None, ...]]:
    """The values of a tree, each with its ancestors; refused if too many or too deep."""
    paths: list[tuple[str | None, ...]] = []
    names = 0
    for path in _walk_paths(tree, ()):
        paths.append(path)
        names += len(path)
        if names > MOST_NAMES:
            what = f"it has more than {MOST_NAMES:,} names, those above each value counted"
            raise make_spec_error("tree", what, "Write such a hierarchy as a file.")
    return paths


def _walk_paths(below: Any, above: tuple[str | None, ...]) -> Iterator[tuple[str | None, ...]]:
    """Iterate over the values of a tree, each with its ancestors, root first."""
    if len(above) >= DEEPEST:
        what = f"it is deeper than {DEEPEST} levels"
        raise make_spec_error("tree", what, "Leave levels out; few releases use more than ten.")
    if isinstance(below, Mapping):
        for key, under in below.items():
            path = (*above, _name(key))
            yield from [path] if under is None else _walk_paths(under, path)
    elif isinstance(below, list | tuple):
        for one in below:
            yield from (
                _walk_paths(one, above) if isinstance(one, Mapping) else [(*above, _name(one))]
            )
    else:
        yield (*above, _name(below))


def _name(written: object) -> str | None:
    if isinstance(written, bool) or not isinstance(written, str | int | float | date | None):
        what = "a name in it is neither text nor a number"
        raise make_spec_error("tree", what, f"Put yes, no, on and off in quotes. {SHAPE}")
    return str(written) if written is not None and written != "" else None
