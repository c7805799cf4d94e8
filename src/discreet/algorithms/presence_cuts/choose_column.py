"""The order in which the columns of a part are tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from discreet.algorithms.presence_cuts.pieces import different
from discreet.frequency.frequency_list import Codes

ColumnsBy = Literal["next", "priority", "best"]
COLUMNS_BY: tuple[ColumnsBy, ...] = ("next", "priority", "best")


def choose_columns(
    columns_by: ColumnsBy, order: Sequence[int], turn: int, ranks: Codes
) -> Sequence[int]:
    """The columns to try, in turn, of a part whose tuples are at ``ranks``, a line a column.

    ``order`` are the columns as the data holder ranks them; ``turn`` is the place in it of the
    column whose turn it is.

    Notes
    -----
    [Nergiz2007]_, sec. 6.2: next, priority, best.
    """
    if columns_by == "next":
        return [*order[turn:], *order[:turn]]
    if columns_by == "priority":
        return order
    return sorted(order, key=lambda column: -different(ranks[column]))
