"""Second opinion on k-anonymity: the smallest class of the released file."""

from __future__ import annotations

from discreet.models.k_anonymity import KAnonymity
from discreet.models.verdict import Verdict
from discreet.release.checks.evidence import Evidence


def check(model: KAnonymity, evidence: Evidence) -> Verdict:
    """Find the smallest class; the rows at risk are those in classes smaller than k.

    Notes
    -----
    [Sweeney2001]_, sec. 5.1: each sequence of values on the quasi-identifier appears at least k
    times. *Departures*: none. *Cost*: one grouping of the released values.
    """
    classes = evidence.classes(evidence.quasi_of(model))
    measures = f"SELECT id, size AS measured FROM {classes}"
    found = evidence.judge(model, measures, f"measured < {model.k}", worst="min")
    return evidence.verdict(model, found, model.k)
