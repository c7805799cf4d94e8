"""Columns that together single people out get the role quasi, whatever their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING

from discreet.display import dataclass
from discreet.identification.combinations import (
    Choice,
    Combination,
    find_choices,
    find_combinations,
)
from discreet.identification.inspection import Proposal
from discreet.identification.judge import FEW_ROWS, Evidence, Suspicion, format_percent
from discreet.identification.kind import Kind
from discreet.identification.profile import Profile, singles_out
from discreet.identification.singling_out import (
    RowKeys,
    SetCounts,
    SinglesOut,
    find_singling_out,
)
from discreet.table.row_sample import SAMPLE, RowSample
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.table.table import Table


ROWS = 200_000
"""Most rows on which promising sets are counted; larger tables are sampled."""
WIDE = 100
"""With more columns than this, only the sample is used."""
NAMED = 4
"""Most other columns that a reason names; beyond that it gives their number."""
LIKE = 0.8
"""A column with this share of the values of a proposed one distinguishes rows like it."""
ALIKE = "it has as many values as columns that single most rows out together"
DOUBT = "this follows from how it distinguishes rows, not from its name"


@dataclass(frozen=True)
class QuasiProposal:
    """The role of every column, the sets that single rows out, and what each quasi column adds."""

    guessed: tuple[Suspicion, ...]
    combinations: tuple[Combination, ...] = ()
    choices: dict[str, Choice] = field(default_factory=dict)


def propose_quasi(
    table: Table, sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> QuasiProposal:
    """The guesses, revised for small sets of columns that single out most rows.

    Identifiers, sensitive columns and texts are left out, and so is what is not released anyway.
    The role of a column changes only from other to quasi. If columns single rows out only all
    together, their order would decide which are spared, so those with as many values as the ones
    that are not spared become quasi too.
    """
    known = {one.profile.name: role for one, role in zip(evidences, guessed, strict=True)}
    places = {
        one.profile.name: place
        for place, (one, found) in enumerate(zip(evidences, guessed, strict=True))
        if _takes_part(one, found)
    }
    names, rows = tuple(places), sample.rows
    if not names or rows < FEW_ROWS:
        return QuasiProposal(tuple(guessed))
    few = SetCounts(RowKeys.of_sample(sample, names, tuple(places.values())))

    @cache
    def more() -> SetCounts:
        if rows <= SAMPLE or len(names) > WIDE:
            return few
        return SetCounts(RowKeys.of_table(table, names, rows, ROWS))

    others = [name for name in names if known[name].role is Role.other]
    told, apart = set[str](), set[str]()
    for one in find_singling_out(few, names, others, more):
        for name in one.quasi:
            if name not in told:
                known[name] = _add_reason(known[name], _write_reason(name, one))
        told.update(one.quasi)
        if one.quasi != one.columns:
            apart.update(one.quasi)
    values = {name: evidences[place].profile.distinct for name, place in places.items()}
    least = min((values[name] for name in apart), default=0)
    for name in others:
        if apart and name not in told and values[name] >= LIKE * least:
            known[name] = _add_reason(known[name], ALIKE)
    quasi = [name for name in names if known[name].role is Role.quasi]
    by_counts = [name for name in quasi if known[name].doubt == DOUBT]
    return QuasiProposal(
        tuple(known[one.profile.name] for one in evidences),
        find_combinations(few, names, more),
        find_choices(few, quasi, by_counts, more),
    )


def _takes_part(evidence: Evidence, found: Suspicion) -> bool:
    if found.role not in (Role.quasi, Role.other):
        return False
    return propose_treatment(evidence.profile, found.role, evidence.kind) is not Proposal.withheld


def _add_reason(found: Suspicion, reason: str) -> Suspicion:
    if found.role is Role.quasi:
        return replace(found, reasons=(*found.reasons, reason))
    reasons = (reason,) if found.recognized is None else (*found.reasons, reason)
    return replace(found, role=Role.quasi, reasons=reasons, doubt=found.doubt or DOUBT)


def _write_reason(name: str, found: SinglesOut) -> str:
    """The reason in words; it names columns, never a value."""
    others = [other for other in found.columns if other != name]
    if not others:
        how = "alone it singles out"
    elif len(others) <= NAMED:
        listed = ", ".join(others[:-1]) + (" and " if others[1:] else "") + others[-1]
        how = f"with {listed} it singles out"
    else:
        how = f"with {len(others)} other columns it singles out"
    looked_at = "the rows" if found.rows == found.of else f"{found.rows:,} rows checked"
    return f"{how} {format_percent(found.share)} of {looked_at}"


def propose_treatment(seen: Profile, role: Role, kind: Kind) -> Proposal:
    """What a first policy would do with a column, given its role."""
    if role is Role.quasi:
        return Proposal.recoded
    if role in (Role.identifier, Role.text) or kind is Kind.empty:
        return Proposal.withheld
    if role is Role.other and singles_out(seen):
        return Proposal.withheld
    return Proposal.as_found
