"""Second opinion on t-closeness: how far each class's sensitive values are from the whole's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from discreet.errors import DiscreetError
from discreet.models.t_closeness import TCloseness
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.release.checks.distance import (
    Floats,
    Ints,
    Levels,
    hierarchical_distance,
    ordered_distance,
    rank_values,
)
from discreet.release.checks.evidence import Evidence, Reference
from discreet.release.checks.unchecked import Unchecked

BLOCK = 2_000_000
"""Numbers that the class-by-value table of shares may have at one time."""


def check(model: TCloseness, evidence: Evidence) -> Verdict:
    """Find the class whose sensitive values are farthest from the whole table's.

    Notes
    -----
    [Li2007]_, sec. 5: earth mover's distance under the equal, ordered or hierarchical ground
    distance. *Departures*: none. *Cost*: equal, one grouping; the others, classes times values.
    """
    whole = evidence.reference(model.column)
    if model.distance == "equal":
        found = _equal(model, evidence, whole)
    else:
        found = _moved(model, evidence, whole)
    note = f"{model.distance} distance, column {model.column}, {whole.source}"
    return evidence.verdict(model, found, model.t, note)


def _equal(model: TCloseness, evidence: Evidence, whole: Reference) -> tuple[float, int]:
    """Half the sum of absolute differences; a value absent from the class differs by all of q."""
    values = evidence.values(evidence.quasi_of(model), model.column)
    measures = (
        f"SELECT id, (sum(abs(p - coalesce(q, 0))) + 1 - coalesce(sum(q), 0)) / 2 AS measured "
        f"FROM {evidence.compared(values, whole)} GROUP BY id"
    )
    return evidence.judge(model, measures, f"measured > {float(model.t)!r} + {TOLERANCE}")


def _moved(model: TCloseness, evidence: Evidence, whole: Reference) -> tuple[float, int]:
    """Earth mover's distance where some values are nearer than others."""
    values, q = _all_values(model, evidence, whole)
    if model.distance == "ordered":
        places = rank_values(values, model.order)
        distance: Callable[[Floats], Floats] = ordered_distance
    else:
        places = np.arange(len(values))
        levels = _levels(model, evidence, values)

        def distance(differences: Floats) -> Floats:
            return hierarchical_distance(differences, levels)

    target = np.zeros(len(values))
    target[places] = q
    found = [
        (distance(shares - target), members)
        for shares, members in _blocks(model, evidence, values, places)
    ]
    farthest = max((float(far.max()) for far, _ in found), default=0.0)
    at_risk = sum(int(members[far > model.t + TOLERANCE].sum()) for far, members in found)
    return farthest, at_risk


def _all_values(
    model: TCloseness, evidence: Evidence, whole: Reference
) -> tuple[list[str | None], Floats]:
    """Every value of the whole table or the release, with its share of the whole table."""
    released = f"SELECT DISTINCT {evidence.field_of(model.column)} AS value FROM cells"
    rows = evidence.session.run(
        f"SELECT value, max(q) FROM (SELECT value, q FROM {whole.name} "
        f"UNION ALL SELECT value, 0 FROM ({released})) GROUP BY value ORDER BY value"
    )
    return [value for value, _ in rows], np.array([share for _, share in rows], dtype=float)


def _blocks(
    model: TCloseness, evidence: Evidence, values: Sequence[str | None], places: Ints
) -> Iterator[tuple[Floats, Ints]]:
    """Shares of each value in each class, and the class's rows, so many classes at a time."""
    quasi = evidence.quasi_of(model)
    counted, classes = evidence.values(quasi, model.column), evidence.classes(quasi)
    session = evidence.session
    session.connection.register(
        "places", pa.table({"value": pa.array(values, pa.string()), "place": places})
    )
    session.run(
        f"CREATE OR REPLACE TEMP TABLE placed AS SELECT id, place, n FROM {counted} AS own "
        f"JOIN places ON own.value IS NOT DISTINCT FROM places.value ORDER BY id"
    )
    session.connection.unregister("places")
    number = int(session.row(f"SELECT count(*) FROM {classes}")[0])
    step = max(1, BLOCK // max(1, len(values)))
    for start in range(1, number + 1, step):
        within = f"WHERE id BETWEEN {start} AND {start + step - 1}"
        part = session.arrays(f"SELECT id, place, n FROM placed {within}")
        own = session.arrays(f"SELECT members FROM {classes} {within} ORDER BY id")
        counts = np.zeros((len(own["members"]), len(values)))
        counts[part["id"] - start, part["place"]] = part["n"]
        yield counts / counts.sum(axis=1, keepdims=True), own["members"]


def _levels(model: TCloseness, evidence: Evidence, values: Sequence[str | None]) -> Levels:
    builder = evidence.hierarchies.get(model.column)
    if builder is None:
        raise Unchecked(f"the policy has no hierarchy for column {model.column}")
    try:
        maps: Levels = builder.build(model.column, values).maps
    except DiscreetError as error:
        raise Unchecked(str(error)) from None
    return maps
