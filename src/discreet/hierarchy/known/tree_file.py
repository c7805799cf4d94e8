"""Trees of names that come with the package: one line per node, indented by depth.

A line is ``name | other name | code ...``; lines below it that are indented further are its
children. ``=`` is a child with the name of its parent, for branches that lack a level. Lines at the
top that begin with ``#`` give the tree's title, source and date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.errors import InternalError
from discreet.hierarchy.known.spelling import Spellings, list_spellings, simplify

FOLDER = Path(__file__).parent / "data"
INDENT = 2
SAME = "="
LabelPath = tuple[str, ...]
"""The name of a value at each level, the finest first."""


@safe_repr
class Line(NamedTuple):
    """One node of a file: its ancestors from the root down, its name and its other names."""

    above: tuple[str, ...]
    name: str
    others: tuple[str, ...]


def read_lines(file: str) -> Iterator[Line]:
    """Iterate over the nodes of a data file, each with its ancestors."""
    above: list[str] = []
    for text in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        if not text.strip() or text.startswith("#"):
            continue
        depth, odd = divmod(len(text) - len(text.lstrip(" ")), INDENT)
        name, *others = (part.strip() for part in text.split("|"))
        if odd or depth > len(above):
            raise InternalError(f"data file '{file}': a line is indented too far")
        del above[depth:]
        yield Line(tuple(above), name, tuple(others))
        above.append(above[-1] if name == SAME else name)


def read_marks(file: str) -> dict[str, str]:
    """The header of a data file: levels, source, date."""
    found: dict[str, str] = {}
    with (FOLDER / file).open(encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                break
            key, colon, value = line.lstrip("# ").partition(":")
            if colon:
                found[key.strip()] = value.strip()
    return found


def hash_file(file: str) -> str:
    """A hash of a data file, which changes when its tree does."""
    return hashlib.sha256((FOLDER / file).read_bytes()).hexdigest()


class NamedTree:
    """A standard that lists all its names and codes, such as countries.

    A value may be a node of any depth: at levels below its own it keeps its own name.
    """

    def __init__(self, file: str) -> None:
        self.levels = tuple(read_marks(file)["levels"].split(", "))
        names: dict[str, set[LabelPath]] = {}
        others: dict[str, set[LabelPath]] = {}
        for above, name, more in read_lines(file):
            if name == SAME:
                continue
            path = self._complete((*above, name))
            names.setdefault(simplify(name), set()).add(path)
            for other in (name, *more):
                for key in list_spellings(other):
                    others.setdefault(key, set()).add(path)
        # A node's own name has priority; a name that several nodes share means their common
        # ancestor.
        every = others | {key: paths for key, paths in names.items() if len(paths) == 1}
        found = {key: self._join(paths) for key, paths in every.items()}
        self.shared = frozenset(key for key, paths in every.items() if len(paths) > 1)
        self.ambiguous = frozenset(key for key, path in found.items() if path is None)
        self.spellings = Spellings({key: path for key, path in found.items() if path is not None})

    def _join(self, paths: set[LabelPath]) -> LabelPath | None:
        """The narrowest group that contains all these nodes; None if there is none."""
        common: list[str] = []
        for labels in zip(*(path[::-1] for path in paths), strict=True):
            if len(set(labels)) > 1:
                break
            common.append(labels[0])
        return self._complete(tuple(common)) if common else None

    def _complete(self, down: tuple[str, ...]) -> LabelPath:
        lacking = len(self.levels) - len(down)
        return (down[-1],) * lacking + down[::-1]

    def find(self, text: str) -> LabelPath | None:
        """The name of a text at each level, or None if it is not in the tree."""
        return self.spellings.find(text)

    def find_exact(self, text: str) -> LabelPath | None:
        """The same, for correctly spelled texts only."""
        return self.spellings.find_exact(text)
