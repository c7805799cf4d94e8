"""The integer program: open boxes, and place every row in one that is open."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.algorithms.exact_search.boxes import Boxes
from discreet.algorithms.exact_search.placement import Placement
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Floats, Ints, Mask

OPTIMAL = 0


@dataclass(frozen=True, eq=False)
class Solved:
    """The best placement found in time, if any, and a cost that no other is below."""

    placement: Placement | None
    bound: float


def solve(boxes: Boxes, pairs: Mask, seconds: float) -> Solved:
    """Place rows in some of the pairs at the least cost.

    Variables are the rows of each pair, the rows of each tuple that are left out, and whether each
    box is open. Only the last have to be whole: once they are, the rest is a flow.
    """
    from scipy.optimize import Bounds, milp

    chosen = np.nonzero(pairs)[0]
    used, box = np.unique(boxes.box[chosen], return_inverse=True)
    member = boxes.member[chosen]
    parts, tuples = (len(chosen), len(boxes.rows), len(used)), len(boxes.rows)
    cost = np.concatenate([boxes.cost[chosen], boxes.whole, np.zeros(len(used))])
    out = boxes.rows if boxes.limit else np.zeros(tuples)
    most = np.concatenate([boxes.rows[member], out, np.ones(len(used))])
    found = milp(
        cost,
        constraints=_constraints(boxes, member, box, parts),
        integrality=np.repeat([0, 0, 1], parts),
        bounds=Bounds(0, most),
        options={"time_limit": max(seconds, 0.01), "mip_rel_gap": 0.0},
    )
    bound = -np.inf if found.mip_dual_bound is None else float(found.mip_dual_bound)
    if found.x is None:
        return Solved(None, bound)
    placement = _whole_rows(boxes, chosen, found.x)
    if not placement.valid:
        placement = flow(boxes, chosen[(found.x[-len(used) :] > 0.5)[box]])
    return Solved(placement, placement.cost if found.status == OPTIMAL else bound)


def _constraints(boxes: Boxes, member: Ints, box: Ints, parts: tuple[int, int, int]) -> list[Any]:
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_matrix, eye, hstack

    pairs, tuples, opened = parts
    each, ones = np.arange(pairs), np.ones(pairs)
    of_tuple = csr_matrix((ones, (member, each)), shape=(tuples, pairs))
    of_box = csr_matrix((ones, (box, each)), shape=(opened, pairs))
    most = csr_matrix((-boxes.rows[member].astype(float), (each, box)), shape=(pairs, opened))
    no_rows = csr_matrix((opened, tuples))
    placed = hstack([of_tuple, eye(tuples), csr_matrix((tuples, opened))])
    enough = hstack([of_box, no_rows, -boxes.k * eye(opened)])
    inside = hstack([eye(pairs), csr_matrix((pairs, tuples)), most])
    left_out = np.repeat([0.0, 1.0, 0.0], parts)
    return [
        LinearConstraint(placed, boxes.rows, boxes.rows),
        LinearConstraint(enough, 0, np.inf),
        LinearConstraint(inside, -np.inf, 0),
        LinearConstraint(left_out[None, :], 0, boxes.limit),
    ]


def _whole_rows(boxes: Boxes, chosen: Ints, found: Floats) -> Placement:
    """The rows of each pair, rid of the solver's noise."""
    rows = np.zeros(len(boxes.member), dtype=np.int64)
    rows[chosen] = np.rint(found[: len(chosen)]).astype(np.int64)
    return Placement(boxes, rows)


def flow(boxes: Boxes, chosen: Ints) -> Placement:
    """The cheapest placement in boxes that are all open: a corner of a flow has whole rows."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    used, box = np.unique(boxes.box[chosen], return_inverse=True)
    pairs, tuples = len(chosen), len(boxes.rows)
    each, ones = np.arange(pairs), np.ones(pairs)
    of_tuple = csr_matrix((ones, (boxes.member[chosen], each)), shape=(tuples, pairs))
    of_box = csr_matrix((-ones, (box, each)), shape=(len(used), pairs))
    out = csr_matrix(np.repeat([0.0, 1.0], [pairs, tuples])[None, :])
    found = linprog(
        np.concatenate([boxes.cost[chosen], boxes.whole]),
        A_eq=hstack([of_tuple, eye(tuples)]),
        b_eq=boxes.rows,
        A_ub=vstack([hstack([of_box, csr_matrix((len(used), tuples))]), out]),
        b_ub=np.append(np.full(len(used), -boxes.k), boxes.limit),
        method="highs-ds",
    )
    placement = _whole_rows(boxes, chosen, found.x) if found.success else None
    if placement is None or not placement.valid:
        raise InternalError("the solver's open boxes cannot hold the rows")
    return placement
