"""Inspects a table before anything is released: what identifies people here?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.hierarchy import Cuts, Dates, Flat, Intervals, Tree, proposals, propose, write_spec
from discreet.hierarchy.proposals import RowCodes, show_tree
from discreet.identification.coarsening import Coarsening, coarsen_sensitive
from discreet.identification.combinations import Choice
from discreet.identification.inspection import AUTO, Column, Inspection, Proposal, propose_k
from discreet.identification.judge import Evidence, Suspicion, format_percent, judge_columns
from discreet.identification.kind import Kind, list_shapes
from discreet.identification.person_key import is_id_name
from discreet.identification.profile import Profile, profile_and_sample, singles_out
from discreet.identification.propose_quasi import (
    QuasiProposal,
    propose_quasi,
    propose_treatment,
)
from discreet.identification.rows_of_people import propose_people
from discreet.kinds.catalogue import Item
from discreet.kinds.places import POSTCODE
from discreet.kinds.tally import match_form
from discreet.kinds.zip_codes import restore_zeros
from discreet.table.dictionary import Dictionary
from discreet.table.read import read
from discreet.table.row_sample import RowSample
from discreet.table.table import Role, Table

HIPAA_AGE = 89
NO_ANSWER = ("None", "nil", "-")
"""Words that mean missing among numbers, but may be a real answer among categories."""
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
    *Cost*: one pass over the table, and a second one over some columns if a sample of more than
    10,000 rows shows that they may single people out; memory does not grow with the rows. Up to
    100,000 distinct values per column are counted exactly; about a thousand of them are checked.
    """
    looked = _look(table)
    evidences, proposed, sample = looked.evidences, looked.proposed, looked.sample
    codes = code_sample(sample, evidences, proposed.guessed)
    columns = tuple(
        _add_choice(
            _make_column(one, found, looked.coarser.get(one.profile.name), codes),
            proposed.choices.get(one.profile.name),
        )
        for one, found in zip(evidences, proposed.guessed, strict=True)
    )
    return Inspection(
        looked.table.name,
        sample.rows,
        columns,
        tuple(looked.table.notices),
        proposed.combinations,
        propose_people(looked.table, sample, evidences, proposed.guessed),
    )


def explain_roles(table: Any) -> dict[str, tuple[Role, tuple[str, ...]]]:
    """The role that each column seems to have, and the reasons in words; nothing is proposed."""
    looked = _look(table)
    pairs = zip(looked.evidences, looked.proposed.guessed, strict=True)
    return {one.profile.name: (found.role, tuple(found.reasons)) for one, found in pairs}


def inspect_tree(table: Any, column: str) -> dict[str, Any]:
    """Show the hierarchy that is proposed for a column as a tree, with shares of the rows.

    Facts: ``column``, ``reason``, ``given_up`` and ``tree``, a list of lines. **The lines show
    values of the table**, except those with fewer rows than the k of a first policy, which are only
    counted.
    """
    looked = _look(table)
    if column not in looked.table.columns:
        raise UnknownColumnError(looked.table.name, column, looked.table.columns)
    place = looked.table.columns.index(column)
    guessed = list(looked.proposed.guessed)
    guessed[place] = replace(guessed[place], role=Role.quasi)
    evidence, judged = looked.evidences[place], guessed[place]
    codes = code_sample(looked.sample, looked.evidences, guessed)
    found = _propose_hierarchy(evidence, judged, codes)
    values, counts = _list_values(evidence, judged)
    least = propose_k(evidence.profile.rows)
    lines = show_tree(column, found.builder, values, counts, least)
    return {"format": "discreet-inspect/1", "column": column, **found.facts(), "tree": lines}


def _look(table: Any) -> _Guess:
    """Count and judge the columns of a table."""
    if not isinstance(table, Table):
        table = read(table)
    profiles, sample = profile_and_sample(table)
    if not sample.rows:
        raise EmptyTableError(table.name, "there are column names, but no rows")
    evidences = [Evidence(seen) for seen in profiles]
    guessed, coarser = coarsen_sensitive(
        evidences, judge_columns(evidences), propose_k(sample.rows)
    )
    return _Guess(
        table, evidences, propose_quasi(table, sample, evidences, guessed), coarser, sample
    )


@dataclass(frozen=True, eq=False)
class _Guess:
    """The counts and guessed roles of a table's columns."""

    table: Table
    evidences: list[Evidence]
    proposed: QuasiProposal
    coarser: dict[str, Coarsening]
    sample: RowSample


def code_sample(
    sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> RowCodes:
    """The sampled rows of the quasi columns, from which proposals may learn."""
    codes, values = {}, {}
    for place, (evidence, found) in enumerate(zip(evidences, guessed, strict=True)):
        if found.role is Role.quasi:
            dictionary = Dictionary()
            codes[evidence.profile.name] = dictionary.encode(sample.column(place))
            values[evidence.profile.name] = dictionary.values
    drawn = len(next(iter(codes.values()), ()))
    return RowCodes(codes, values, np.ones(drawn, dtype=np.int64))


def _add_choice(column: Column, choice: Choice | None) -> Column:
    if choice is None:
        return column
    return replace(column, choice=choice, hints=(*column.hints, *choice.describe()))


def _make_column(
    evidence: Evidence, found: Suspicion, coarser: Coarsening | None, codes: RowCodes
) -> Column:
    seen = evidence.profile
    sentences = evidence.kind is Kind.free_text
    proposed = _propose_hierarchy(evidence, found, codes) if found.role is Role.quasi else None
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
        None if proposed is None else _write_proposal(evidence, found, proposed),
        _find_missing_words(evidence),
        _count_lost_zeros(seen, found),
        found.special,
        coarser,
        proposed=proposed,
    )


def _find_missing_words(evidence: Evidence) -> dict[str, int]:
    """Words that seem to mean missing; among categories, "none" may be an answer."""
    answers = NO_ANSWER if evidence.kind in (Kind.category, Kind.text, Kind.free_text) else ()
    found = {word: n for word, n in evidence.profile.marks.items() if word not in answers}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _count_lost_zeros(seen: Profile, found: Suspicion) -> int:
    """Distinct ZIP codes with fewer than five digits, if most have five."""
    if found.recognized != POSTCODE.kind or not seen.values:
        return 0
    values = pa.array([value.strip() for value in seen.values], pa.string())
    lost = int(restore_zeros(values)[1].sum())
    whole = int(match_form(values, FIVE).sum())
    return lost if whole > lost else 0


def _propose_hierarchy(evidence: Evidence, found: Suspicion, codes: RowCodes) -> proposals.Proposal:
    """How a first policy generalizes the values, and why."""
    seen = evidence.profile
    values, counts = _list_values(evidence, found)
    return propose(seen.name, values, counts, codes, propose_k(seen.rows))


def _list_values(evidence: Evidence, found: Suspicion) -> tuple[list[str | None], list[int]]:
    """The values that were checked, as a first policy reads them, and the rows of each.

    Words that mean missing are the missing value, and lost zeros are put back.
    """
    seen = evidence.profile
    words = {word.strip() for word in _find_missing_words(evidence)}
    values: list[str | None] = [None if value.strip() in words else value for value in seen.values]
    if _count_lost_zeros(seen, found):
        values = restore_zeros(pa.array(values, pa.string()))[0].to_pylist()
    rows: dict[str | None, int] = {}
    for value, count in zip(values, seen.counts, strict=True):
        rows[value] = rows.get(value, 0) + count
    if seen.missing:
        rows[None] = rows.get(None, 0) + seen.missing
    return list(rows), list(rows.values())


def _write_proposal(evidence: Evidence, found: Suspicion, proposed: proposals.Proposal) -> Any:
    """A proposal in the form of a policy; None means the value, then ``*``."""
    builder = proposed.builder
    if not evidence.profile.exact and isinstance(builder, Intervals | Cuts | Dates):
        return AUTO  # a value that was not checked may not be a number or date
    if isinstance(builder, Tree):
        return AUTO  # a tree holds values of the table; it is learnt again, or written to a file
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
    """Whether a number that each person has only once occurs in several rows."""
    numbers = (Item.SSN, Item.RECORD, Item.PLAN, Item.ACCOUNT, Item.OTHER)
    return found.item in numbers and seen.exact and seen.distinct < 0.9 * seen.filled


def _has_old(evidence: Evidence, found: Suspicion) -> bool:
    values = evidence.values if found.recognized == "age" else ()
    return any(value.isdecimal() and int(value) > HIPAA_AGE for value in values)
