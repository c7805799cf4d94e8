"""Groups of categories: a hierarchy that is written out as a tree, and changed by hand.

A value is a text, or None where it is missing; a group is ``{name: [values and groups]}``. Below
its root a tree is a list of both. A place is a list of numbers such as ``(0, 2)``: the third part
of the first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import DiscreetError

ROOT = "*"
"""What all values are called together."""

Node = str | dict[str, Any] | None
Place = tuple[int, ...]


def read_tree(spec: Any) -> tuple[str, list[Node]] | None:
    """The root and what hangs on it, of what a policy says; None where it is no tree.

    >>> read_tree({"tree": {"Europe": {"North": ["Oslo"]}, "Moon": None}})
    ('*', [{'Europe': [{'North': ['Oslo']}]}, 'Moon'])
    """
    tree = spec.get("tree") if isinstance(spec, Mapping) else None
    if not isinstance(tree, Mapping) or not tree:
        return None
    if len(tree) == 1:
        root, below = next(iter(tree.items()))
        if below is not None:
            return str(root), _read_nodes(below)
    return ROOT, _read_nodes(tree)


def _read_nodes(below: Any) -> list[Node]:
    if isinstance(below, Mapping):
        return [
            _read_value(key) if under is None else {str(key): _read_nodes(under)}
            for key, under in below.items()
        ]
    if isinstance(below, list | tuple):
        return [
            node
            for one in below
            for node in (_read_nodes(one) if isinstance(one, Mapping) else [_read_value(one)])
        ]
    return [_read_value(below)]


def _read_value(written: Any) -> str | None:
    return None if written is None or written == "" else str(written)


def write_tree(nodes: Sequence[Node], root: str = ROOT) -> dict[str, Any]:
    """What a policy says of it.

    >>> write_tree([{"North": ["Oslo", "Umea"]}, {"South": ["Rome"]}])
    {'tree': {'*': {'North': ['Oslo', 'Umea'], 'South': ['Rome']}}}
    """
    return {"tree": {root: _write_nodes(nodes)}}


def _write_nodes(nodes: Sequence[Node]) -> Any:
    written = [
        {name: _write_nodes(below) for name, below in node.items()}
        if isinstance(node, dict)
        else node
        for node in nodes
    ]
    if written and all(isinstance(node, dict) for node in written):
        return {name: below for node in written for name, below in node.items()}  # type: ignore[union-attr]
    return written


def list_values(nodes: Sequence[Node]) -> list[str | None]:
    """All values, whatever their groups."""
    found: list[str | None] = []
    for node in nodes:
        found += list_values(_open(node)) if isinstance(node, dict) else [node]
    return found


def _open(node: Any) -> list[Node]:
    below: list[Node] = next(iter(node.values()))
    return below


def put_together(nodes: Sequence[Node], places: Sequence[Place], name: str) -> list[Node]:
    """The tree with some parts in a group of a name, a new one or one that is there.

    >>> put_together(["Oslo", "Umea", "Rome"], [(0,), (1,)], "North")
    [{'North': ['Oslo', 'Umea']}, 'Rome']
    """
    name = name.strip()
    if not name:
        raise DiscreetError("the group", "it has no name", "Write one, such as North.")
    chosen = sorted(set(places))
    chosen = [one for one in chosen if not any(one[:n] in chosen for n in range(1, len(one)))]
    if not chosen:
        raise DiscreetError(
            "the group", "nothing is selected", "Tick the values that belong to it."
        )
    if name in list_values(nodes):
        raise DiscreetError("the group", "a value has this name", "Choose another one.")
    moved = [_find(nodes, one) for one in chosen]
    parents = {one[:-1] for one in chosen}
    parent = parents.pop() if len(parents) == 1 else ()
    target = _find_group(nodes, name)
    if target is not None:
        if any(target[: len(one)] == one for one in chosen):
            raise DiscreetError("the group", "it would be in itself", "Choose another name.")
        return _rebuild(nodes, set(chosen), target, moved)
    return _rebuild(nodes, set(chosen), parent, [{name: moved}], min(chosen))


def take_apart(nodes: Sequence[Node], place: Place) -> list[Node]:
    """The tree with the parts of a group in its place.

    >>> take_apart([{"North": ["Oslo", "Umea"]}, "Rome"], (0,))
    ['Oslo', 'Umea', 'Rome']
    """
    found: list[Node] = []
    for number, node in enumerate(nodes):
        if number != place[0] or not isinstance(node, dict):
            found.append(node)
        elif len(place) == 1:
            found += _open(node)
        else:
            found.append({next(iter(node)): take_apart(_open(node), place[1:])})
    return found


def _find(nodes: Sequence[Node], place: Place) -> Node:
    if not 0 <= place[0] < len(nodes):
        raise DiscreetError("the group", "a value is gone", "Load the page again.")
    node = nodes[place[0]]
    if len(place) == 1:
        return node
    return _find(_open(node) if isinstance(node, dict) else [], place[1:])


def _find_group(nodes: Sequence[Node], name: str, above: Place = ()) -> Place | None:
    for number, node in enumerate(nodes):
        if isinstance(node, dict):
            if name in node:
                return (*above, number)
            found = _find_group(_open(node), name, (*above, number))
            if found is not None:
                return found
    return None


def _rebuild(
    nodes: Sequence[Node],
    gone: set[Place],
    target: Place,
    added: Sequence[Node],
    before: Place | None = None,
    here: Place = (),
) -> list[Node]:
    """The tree without some places and with new parts at one; groups left empty go."""
    found: list[Node] = []
    at = 0
    for number, node in enumerate(nodes):
        place = (*here, number)
        if before is not None and place == before[: len(place)] and here == target:
            at = len(found)
        if place in gone:
            continue
        if isinstance(node, dict):
            below = _rebuild(_open(node), gone, target, added, before, place)
            if below:
                found.append({next(iter(node)): below})
        else:
            found.append(node)
    if here == target:
        end = len(found) if before is None else at
        found[end:end] = added
    return found
