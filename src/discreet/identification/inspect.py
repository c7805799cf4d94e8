"""Looks at a table before anything is released: what identifies people here?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from discreet.errors import EmptyTableError
from discreet.hierarchy import Dates, Flat, Intervals, propose, write_spec
from discreet.identification.coarsening import Coarsening, coarsen_sensitive
from discreet.identification.combinations import Choice
from discreet.identification.inspection import AUTO, Column, Inspection, Proposal, propose_k
from discreet.identification.judge import Evidence, Suspicion, format_percent, judge_columns
from discreet.identification.kind import Kind, list_shapes
from discreet.identification.person_key import is_id_name
from discreet.identification.profile import Profile, profile_and_sample, singles_out
from discreet.identification.propose_quasi import propose_quasi, propose_treatment
from discreet.identification.rows_of_people import propose_people
from discreet.kinds.catalogue import Item
from discreet.kinds.places import POSTCODE
from discreet.kinds.tally import match_form
from discreet.kinds.zip_codes import restore_zeros
from discreet.table.read import read
from discreet.table.table import Role, Table

HIPAA_AGE = 89
NO_ANSWER = ("None", "nil", "-")
"""Words that mean missing among numbers, and may mean none of these among categories."""
FIVE = r"\d{5}(\.0)?|\d{5}-?\d{4}"


def inspect(table: Any) -> Inspection:
    """Find the columns that could give people away, and say why.

    Takes a Table, or whatever `discreet.read` does: a path or a frame.

    >>> import pyarrow as pa
    >>> frame = pa.table({"zip": ["02138", "02139"] * 10, "disease": ["flu", "cough"] * 10})
    >>> [column.role.value for column in inspect(frame).columns]
    ['quasi', 'sensitive']

    Notes
    -----
    *Cost*: one pass over the table, and a second one over some columns where a sample of more than
    10,000 rows shows that they may single people out; memory does not grow with the rows. Up to
    100,000 distinct values per column are counted exactly; about a thousand of them are checked.
    """
    if not isinstance(table, Table):
        table = read(table)
    profiles, sample = profile_and_sample(table)
    if not sample.rows:
        raise EmptyTableError(table.name, "there are column names, but no rows")
    evidences = [Evidence(seen) for seen in profiles]
    guessed, coarser = coarsen_sensitive(
        evidences, judge_columns(evidences), propose_k(sample.rows)
    )
    proposed = propose_quasi(table, sample, evidences, guessed)
    columns = tuple(
        _add_choice(
            _make_column(one, found, coarser.get(one.profile.name)),
            proposed.choices.get(one.profile.name),
        )
        for one, found in zip(evidences, proposed.guessed, strict=True)
    )
    return Inspection(
        table.name,
        sample.rows,
        columns,
        tuple(table.notices),
        proposed.combinations,
        propose_people(table, sample, evidences, proposed.guessed),
    )


def _add_choice(column: Column, choice: Choice | None) -> Column:
    if choice is None:
        return column
    return replace(column, choice=choice, hints=(*column.hints, *choice.describe()))


def _make_column(evidence: Evidence, found: Suspicion, coarser: Coarsening | None) -> Column:
    seen = evidence.profile
    sentences = evidence.kind is Kind.free_text
    return Column(
        seen.name,
        evidence.kind,
        seen.rows,
        seen.missing,
        seen.distinct,
        seen.exact,
        seen.unique,
        seen.most_common,
        found.role,
        found.reasons,
        found.recognized,
        found.item,
        found.doubt,
        _list_hints(evidence, found, coarser),
        () if sentences else list_shapes(evidence.values),
        Proposal.coarsened if coarser else propose_treatment(seen, found.role, evidence.kind),
        _propose_hierarchy(evidence, found) if found.role is Role.quasi else None,
        _find_missing_words(evidence),
        _count_lost_zeros(seen, found),
        found.special,
        coarser,
    )


def _find_missing_words(evidence: Evidence) -> dict[str, int]:
    """Words that seem to mean missing; among categories, None may be an answer."""
    answers = NO_ANSWER if evidence.kind in (Kind.category, Kind.text, Kind.free_text) else ()
    found = {word: n for word, n in evidence.profile.marks.items() if word not in answers}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _count_lost_zeros(seen: Profile, found: Suspicion) -> int:
    """Different ZIP codes with fewer than five digits, where most have five."""
    if found.recognized != POSTCODE.kind or not seen.values:
        return 0
    values = pa.array([value.strip() for value in seen.values], pa.string())
    lost = int(restore_zeros(values)[1].sum())
    whole = int(match_form(values, FIVE).sum())
    return lost if whole > lost else 0


def _propose_hierarchy(evidence: Evidence, found: Suspicion) -> Any:
    """How a first policy makes the values coarser; None is the value, then ``*``."""
    seen = evidence.profile
    words = {word.strip() for word in _find_missing_words(evidence)}
    values: list[str | None] = [value for value in seen.values if value.strip() not in words]
    if _count_lost_zeros(seen, found):
        values = restore_zeros(pa.array(values, pa.string()))[0].to_pylist()
        values = list(dict.fromkeys(values))
    builder = propose(seen.name, [*values, None] if seen.missing or words else values)
    if not seen.exact and isinstance(builder, Intervals | Dates):
        return AUTO  # a value that was not looked at may be no number or date
    if isinstance(builder, Intervals) and _has_old(evidence, found):
        builder = replace(builder, top=HIPAA_AGE + 1)
    return None if isinstance(builder, Flat) else write_spec(builder)


def _list_hints(
    evidence: Evidence, found: Suspicion, coarser: Coarsening | None
) -> tuple[str, ...]:
    seen = evidence.profile
    hints = []
    for mark, count in sorted(seen.marks.items(), key=lambda pair: -pair[1]):
        hints.append(f"{count:,} rows hold '{mark}', perhaps for missing")
    if lost := _count_lost_zeros(seen, found):
        hints.append(f"{lost:,} different ZIP codes seem to have lost leading zeros")
    if any(value != value.strip() for value in seen.values):
        hints.append("some values begin or end with a space, so count as different")
    if _is_released_as_found(evidence, found) and singles_out(seen):
        hints.append(_warn_of_uniques(seen, coarser))
    if _has_repeats(seen, found):
        hints.append("values repeat: one person may have several rows, and k counts rows")
    if _has_old(evidence, found):
        hints.append("HIPAA wants ages over 89 as one group")
    if seen.distinct == 1 < seen.rows == seen.filled:
        hints.append("all rows hold the same value")
    return tuple(hints)


def _is_released_as_found(evidence: Evidence, found: Suspicion) -> bool:
    """Whether someone who knows a value could look for it in the release."""
    if found.role is Role.sensitive:
        return evidence.kind is not Kind.category
    return found.role is Role.other and evidence.kind is not Kind.empty


def _warn_of_uniques(seen: Profile, coarser: Coarsening | None) -> str:
    if seen.unique is None:
        many = f"it has more than {seen.distinct:,} distinct values"
        told = f"{many}: anyone who knows one may find a row"
    else:
        part = format_percent(seen.unique / seen.rows)
        told = f"{part} of the rows have a unique value: anyone who knows it finds the row"
    if is_id_name(seen.name):
        return f"{told}; leave it out, or replace it by a pseudonym"
    if coarser is not None:
        return f"{told}; proposed: {coarser.describe()}"
    return f"{told}; round it, release it in bands or leave it out"


def _has_repeats(seen: Profile, found: Suspicion) -> bool:
    """Whether a number that a person has only one of stands in several rows."""
    numbers = (Item.SSN, Item.RECORD, Item.PLAN, Item.ACCOUNT, Item.OTHER)
    return found.item in numbers and seen.exact and seen.distinct < 0.9 * seen.filled


def _has_old(evidence: Evidence, found: Suspicion) -> bool:
    values = evidence.values if found.recognized == "age" else ()
    return any(value.isdecimal() and int(value) > HIPAA_AGE for value in values)
