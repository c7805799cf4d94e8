"""What holds of released tables that are about the same people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.display import dataclass
from discreet.models.k_anonymity import KAnonymity
from discreet.models.verdict import Verdict
from discreet.release.checks.people import PeopleEvidence, ReleasedTable, judge
from discreet.release.checks.session import open_session

if TYPE_CHECKING:
    from discreet.release.policy import Policy


@dataclass(frozen=True)
class PeopleVerdicts:
    """A verdict on every promise, and what was counted: rows of each table, and people."""

    verdicts: tuple[Verdict, ...]
    rows: tuple[int, ...]
    people: int


def people_verdicts(tables: Sequence[ReleasedTable], policy: Policy, memory: str) -> PeopleVerdicts:
    """Count people anew, from the released tables alone, for the promises about people."""
    models = [model for model in policy.require if isinstance(model, KAnonymity)]
    without = [one for one in tables if one.entity not in one.table.columns]
    if without:
        names = tuple(dict.fromkeys(one.entity for one in without))
        where = ", ".join(one.table.name for one in without)
        note = f"could not be checked: {where} has no column {', '.join(names)}, that of people"
        verdicts = [Verdict(m.name, False, math.nan, m.k, 0, names, note) for m in models]
        return PeopleVerdicts(tuple(verdicts), (0,) * len(tables), 0)
    rule = policy.people.records
    with open_session(memory) as session:
        evidence = PeopleEvidence(session, tables, rule.counts)
        evidence.load()
        found = tuple(judge(evidence, models, rule))
        return PeopleVerdicts(found, tuple(evidence.rows()), evidence.people())
