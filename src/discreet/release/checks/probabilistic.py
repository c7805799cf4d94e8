"""Second opinion on probabilistic anonymity: what the released columns can show, multiplied."""

from __future__ import annotations

import math

from discreet.models.probabilistic_anonymity import LARGEST, ProbabilisticAnonymity
from discreet.models.verdict import Verdict
from discreet.release.checks.evidence import Evidence


def check(model: ProbabilisticAnonymity, evidence: Evidence) -> Verdict:
    """Count the values of each released column and multiply; all rows are at risk if too many.

    Notes
    -----
    [Lodha2008]_, theorem 4, the condition solved for here being
    (n - (k-1) D')^2 >= 2 n D' ln(1/beta) with (k-1) D' <= n. *Departures*: none. *Cost*: one
    grouping a column.
    """
    columns = evidence.quasi_of(model)
    combinations = math.prod(_values(evidence, column) for column in columns)
    holds = _met(model, combinations)
    found = (float(min(combinations, LARGEST)), 0 if holds else evidence.rows)
    return evidence.verdict(model, found, model.allowed, holds=holds)


def _values(evidence: Evidence, column: str) -> int:
    """The different values of a column; a missing value is one."""
    field = evidence.field_of(column)
    counted = f"SELECT count(*) FROM (SELECT DISTINCT {field} FROM cells)"
    return int(evidence.session.row(counted)[0])


def _met(model: ProbabilisticAnonymity, combinations: int) -> bool:
    assert model.population is not None
    assert model.k is not None
    if combinations >= LARGEST:
        return False
    crowd = (model.k - 1) * combinations
    doubt = -2 * math.log(model.beta) * model.population * combinations
    return crowd <= model.population and (model.population - crowd) ** 2 >= doubt
