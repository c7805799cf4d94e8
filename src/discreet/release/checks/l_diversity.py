"""Second opinion on l-diversity: how varied the sensitive values of each class are."""

from __future__ import annotations

from discreet.models.l_diversity import LDiversity
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.release.checks.evidence import Evidence


def check(model: LDiversity, evidence: Evidence) -> Verdict:
    """Find the class whose sensitive values vary least; a missing value is a value.

    The measure is the smallest number of values (distinct), the exponential of the smallest entropy
    (entropy), or the largest ratio of the most frequent value to the tail (recursive).

    Notes
    -----
    [Machanavajjhala2007]_, definitions 4.1 and 4.2 and sec. 4. *Departures*: none. *Cost*: one
    grouping by quasi-identifier and sensitive value; recursive sorts each class.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    note = f"{model.kind}, column {model.column}"
    if model.kind == "entropy":
        found = _entropy(model, evidence, values)
    elif model.kind == "recursive":
        found = _recursive(model, evidence, values)
        return evidence.verdict(model, found, float(model.c or 0), note)
    else:
        measures = f"SELECT id, count(*) AS measured FROM {values} GROUP BY id"
        found = evidence.judge(model, measures, f"measured < {model.ell}", worst="min")
    return evidence.verdict(model, found, model.ell, note)


def _entropy(model: LDiversity, evidence: Evidence, values: str) -> tuple[float, int]:
    measures = (
        f"SELECT id, exp(-sum(p * ln(p))) AS measured FROM "
        f"(SELECT id, n / sum(n) OVER (PARTITION BY id) AS p FROM {values}) GROUP BY id"
    )
    least = float(model.ell) - TOLERANCE
    return evidence.judge(model, measures, f"measured < {least!r}", worst="min")


def _recursive(model: LDiversity, evidence: Evidence, values: str) -> tuple[float, int]:
    measures = (
        f"SELECT id, coalesce(max(n) / sum(n) FILTER (WHERE place >= {int(model.ell)}), "
        f"'inf'::DOUBLE) AS measured FROM (SELECT id, n, "
        f"row_number() OVER (PARTITION BY id ORDER BY n DESC) AS place FROM {values}) GROUP BY id"
    )
    return evidence.judge(model, measures, f"measured >= {float(model.c or 0)!r} - {TOLERANCE}")
