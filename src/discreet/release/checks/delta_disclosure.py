"""Second opinion on delta-disclosure privacy: how far a class shifts the odds of any value."""

from __future__ import annotations

from discreet.models.delta_disclosure import DeltaDisclosure
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.release.checks.evidence import Evidence


def check(model: DeltaDisclosure, evidence: Evidence) -> Verdict:
    """Find the largest ``|ln(p/q)|`` over all classes and all values of the whole table.

    Notes
    -----
    [Brickell2008]_, definition of delta-disclosure privacy. A value of the whole table that a class
    lacks, or one that the whole table lacks, is an infinite shift. *Departures*: none.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    whole = evidence.reference(model.column)
    measures = (
        f"SELECT id, CASE WHEN count(q) < count(*) "
        f"OR count(q) < (SELECT count(*) FROM {whole.name}) THEN 'inf'::DOUBLE "
        f"ELSE max(abs(ln(p / q))) END AS measured "
        f"FROM {evidence.compared(values, whole)} GROUP BY id"
    )
    found = evidence.judge(model, measures, f"measured >= {float(model.delta)!r} - {TOLERANCE}")
    note = f"column {model.column}, {whole.source}"
    return evidence.verdict(model, found, model.delta, note)
