"""The search of the paper: all sets of one column, of two, and so on, but none above an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from discreet.identify.cover.growing import Growing
from discreet.identify.minimal.judges import Along

Path = tuple[int, ...]


def levelwise(
    start: Growing,
    columns: int,
    goal: int,
    border: Iterable[Path] = ((),),
    most: int | None = None,
    pause: Callable[[int], None] | None = None,
) -> Iterator[Path]:
    """All minimal sets that meet the goal, smallest first.

    ``border`` are sets of which every answer contains one: those of a sample table, or the empty
    set. The search starts there and goes up.

    Notes
    -----
    [Motwani2007]_, sec. 3.1. *Departures*: none. *Cost*: each set from the border up to the
    answers is counted once; the partition of its first columns is shared with the set before.
    """
    limit = columns if most is None else min(most, columns)
    along = Along(start)
    found: list[int] = []
    waiting = dict[int, set[Path]]()
    for path in border:
        waiting.setdefault(len(path), set()).add(tuple(sorted(path)))
    for size in range(limit + 1):
        for path in sorted(waiting.pop(size, ())):
            if pause is not None:
                pause(1)
            own = sum(1 << place for place in path)
            if any(answer & own == answer for answer in found):
                continue
            if along.value(path) >= goal:
                found.append(own)
                yield path
            elif size < limit:
                above = waiting.setdefault(size + 1, set())
                for place in range(columns):
                    if not own >> place & 1:
                        above.add(tuple(sorted((*path, place))))
