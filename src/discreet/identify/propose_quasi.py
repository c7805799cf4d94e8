"""Columns that give people away together get the role quasi, whatever they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.identify.evidence import FEW_ROWS, Evidence
from discreet.identify.inspection import Proposal
from discreet.identify.judge import Suspicion, percent
from discreet.identify.kind import Kind
from discreet.identify.profile import Profile
from discreet.identify.row_keys import RowKeys
from discreet.identify.row_sample import SAMPLE, RowSample
from discreet.identify.singling_out import SinglesOut, singling_out
from discreet.table.role import Role

if TYPE_CHECKING:
    from discreet.table.table import Table

SINGLES_OUT = 0.1
"""A column in which this part of the rows stands alone is not released as it is."""
ROWS = 200_000
"""Rows that promising sets are counted on; of larger tables, so many are drawn."""
WIDE = 100
"""Of more columns than these, only the sample is looked at."""
NAMED = 4
"""Other columns that a reason names; of more it says how many."""
LIKE = 0.8
"""A column with this part of the values of a proposed one tells rows apart like it."""
ALIKE = "it has as many values as columns that single most rows out together"
DOUBT = "only how it tells rows apart says so, not its name"


def propose_quasi(
    table: Table, sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> list[Suspicion]:
    """The guesses, with small sets of columns that single most rows out as a further reason.

    Identifiers, sensitive columns and texts are left out, and so is what is not released anyway.
    The role of a column changes only from other to quasi. Of columns that single rows out only
    all together, which ones are spared is a matter of their order: those with as many values as
    the ones that are not spared become quasi too.
    """
    known = {one.profile.name: role for one, role in zip(evidences, guessed, strict=True)}
    places = {
        one.profile.name: place
        for place, (one, found) in enumerate(zip(evidences, guessed, strict=True))
        if _takes_part(one, found)
    }
    names, rows = tuple(places), sample.rows
    if not names or rows < FEW_ROWS:
        return list(guessed)
    few = RowKeys.of_sample(sample, names, tuple(places.values()))

    def more() -> RowKeys:
        if rows <= SAMPLE or len(names) > WIDE:
            return few
        return RowKeys.of_table(table, names, rows, ROWS)

    others = [name for name in names if known[name].role is Role.other]
    told, apart = set[str](), set[str]()
    for one in singling_out(few, names, others, more):
        for name in one.quasi:
            if name not in told:
                known[name] = _with_reason(known[name], _reason(name, one))
        told.update(one.quasi)
        if one.quasi != one.columns:
            apart.update(one.quasi)
    values = {name: evidences[place].profile.distinct for name, place in places.items()}
    least = min((values[name] for name in apart), default=0)
    for name in others:
        if apart and name not in told and values[name] >= LIKE * least:
            known[name] = _with_reason(known[name], ALIKE)
    return [known[one.profile.name] for one in evidences]


def _takes_part(evidence: Evidence, found: Suspicion) -> bool:
    if found.role not in (Role.quasi, Role.other):
        return False
    return proposal(evidence.profile, found.role, evidence.kind) is not Proposal.withheld


def _with_reason(found: Suspicion, reason: str) -> Suspicion:
    if found.role is Role.quasi:
        return replace(found, reasons=(*found.reasons, reason))
    reasons = (reason,) if found.recognized is None else (*found.reasons, reason)
    return replace(found, role=Role.quasi, reasons=reasons, doubt=found.doubt or DOUBT)


def _reason(name: str, found: SinglesOut) -> str:
    """Why, in words; names columns, never a value."""
    others = [other for other in found.columns if other != name]
    if not others:
        how = "alone it singles out"
    elif len(others) <= NAMED:
        listed = ", ".join(others[:-1]) + (" and " if others[1:] else "") + others[-1]
        how = f"with {listed} it singles out"
    else:
        how = f"with {len(others)} other columns it singles out"
    looked_at = "the rows" if found.rows == found.of else f"{found.rows:,} rows looked at"
    return f"{how} {percent(found.share)} of {looked_at}"


def proposal(seen: Profile, role: Role, kind: Kind) -> Proposal:
    """What a first policy would do with a column, given its role."""
    if role is Role.quasi:
        return Proposal.recoded
    if role in (Role.identifier, Role.text) or kind is Kind.empty:
        return Proposal.withheld
    if role is Role.other and singles_out(seen):
        return Proposal.withheld
    return Proposal.as_found


def singles_out(seen: Profile) -> bool:
    """Whether a column alone gives too many rows away to be released as it is."""
    return seen.unique is None or seen.unique >= max(1, SINGLES_OUT * seen.rows)
