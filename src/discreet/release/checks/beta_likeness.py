"""Second opinion on beta-likeness: how much likelier a class makes any one value."""

from __future__ import annotations

from discreet.models.beta_likeness import BetaLikeness
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.release.checks.evidence import Evidence


def check(model: BetaLikeness, evidence: Evidence) -> Verdict:
    """Find the largest relative gain ``(p - q) / q`` over all classes and values.

    Notes
    -----
    [Cao2012]_, definitions 2 (basic) and 3 (enhanced: the gain is also at most ``-ln q``). A value
    that the whole table lacks is an infinite gain. *Departures*: none. The measure is the gain for
    both kinds, so the enhanced one can fail with a measure below beta, and the note says so.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    whole = evidence.reference(model.column)
    beta = float(model.beta)
    most = f"least({beta!r}, -ln(q))" if model.kind == "enhanced" else repr(beta)
    measures = (
        f"SELECT id, max(gain) AS measured, bool_or(gain > 0 AND (q IS NULL OR "
        f"gain > {most} + {TOLERANCE})) AS fails FROM (SELECT id, q, "
        f"CASE WHEN q IS NULL THEN 'inf'::DOUBLE ELSE (p - q) / q END AS gain "
        f"FROM {evidence.compared(values, whole)}) GROUP BY id"
    )
    found = evidence.judge(model, measures, "fails")
    note = f"{model.kind}, column {model.column}, {whole.source}"
    if found[1] and found[0] <= beta + TOLERANCE:
        note += "; the gain is below beta but above -ln q for a frequent value"
    return evidence.verdict(model, found, beta, note)
