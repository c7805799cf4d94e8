"""Second opinions on re-identification risk: average, largest, and the share of unique rows."""

from __future__ import annotations

from typing import Any

from discreet.models.verdict import TOLERANCE, Verdict
from discreet.release.checks.evidence import Evidence


def _own_risk(model: Any, evidence: Evidence) -> str:
    classes = evidence.classes(evidence.quasi_of(model))
    return f"SELECT id, 1.0::DOUBLE / size AS measured FROM {classes}"


def check_average(model: Any, evidence: Evidence) -> Verdict:
    """Average risk of a row: the classes divided by the rows.

    If it is too high, the rows at risk are those whose own risk, one in the size of their class, is
    above the limit.

    Notes
    -----
    Written as the mean over rows of 1 / class size, which is the same number, and is also defined
    when a missing value matches any.
    """
    own = _own_risk(model, evidence)
    _, at_risk = evidence.judge(model, own, f"measured > {model.max!r} + {TOLERANCE}")
    classes = evidence.classes(evidence.quasi_of(model))
    total = evidence.session.row(f"SELECT sum(members::DOUBLE / size) FROM {classes}")[0]
    average = float(total or 0) / max(1, evidence.rows)
    holds = average <= model.max + TOLERANCE
    return evidence.verdict(model, (average, 0 if holds else at_risk), model.max, holds=holds)


def check_largest(model: Any, evidence: Evidence) -> Verdict:
    """Largest risk of any row: one in the size of the smallest class."""
    own = _own_risk(model, evidence)
    found = evidence.judge(model, own, f"measured > {model.max!r} + {TOLERANCE}")
    return evidence.verdict(model, found, model.max)


def check_uniques(model: Any, evidence: Evidence) -> Verdict:
    """Share of rows that nobody else in the release looks like; if too many, those are at risk."""
    _, uniques = evidence.judge(model, _own_risk(model, evidence), "size = 1")
    share = uniques / max(1, evidence.rows)
    holds = share <= model.max + TOLERANCE
    return evidence.verdict(model, (share, 0 if holds else uniques), model.max, holds=holds)
