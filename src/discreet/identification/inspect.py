"""Looks at a table before anything is released: what identifies people here?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.hierarchy import Cuts, Dates, Flat, Intervals, Tree, propose, write_spec
from discreet.hierarchy.proposals import Proposal, RowCodes, show_tree
from discreet.identification.inspection import AUTO, Column, Inspection, propose_k
from discreet.identification.judge import Evidence, Suspicion, format_percent, judge
from discreet.identification.kind import Kind, list_shapes
from discreet.identification.person_key import is_id_name
from discreet.identification.profile import Profile, profile_and_sample
from discreet.identification.propose_quasi import propose_quasi, propose_treatment, singles_out
from discreet.kinds.catalogue import Item
from discreet.table.dictionary import Dictionary
from discreet.table.read import read
from discreet.table.row_sample import RowSample
from discreet.table.table import Role, Table

HIPAA_AGE = 89


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
    table, evidences, guessed, sample = _look(table)
    codes = code_sample(sample, evidences, guessed)
    columns = tuple(
        _make_column(one, found, codes) for one, found in zip(evidences, guessed, strict=True)
    )
    return Inspection(table.name, sample.rows, columns, tuple(table.notices))


def inspect_tree(table: Any, column: str) -> dict[str, Any]:
    """Show the hierarchy that is proposed for a column as a tree, with shares of the rows.

    Facts: ``column``, ``reason``, ``given_up`` and ``tree``, a list of lines. **The lines show
    values of the table**, but none that fewer rows have than the k of a first policy: these are
    only counted.
    """
    table, evidences, guessed, sample = _look(table)
    if column not in table.columns:
        raise UnknownColumnError(table.name, column, table.columns)
    place = table.columns.index(column)
    evidence, seen = evidences[place], evidences[place].profile
    guessed[place] = replace(guessed[place], role=Role.quasi)
    codes = code_sample(sample, evidences, guessed)
    found = _propose_hierarchy(evidence, codes)
    values, counts = _list_values(seen)
    lines = show_tree(column, found.builder, values, counts, propose_k(seen.rows))
    return {"column": column, **found.facts(), "tree": lines}


def _look(table: Any) -> tuple[Table, list[Evidence], list[Suspicion], RowSample]:
    """Count and judge the columns of a table."""
    if not isinstance(table, Table):
        table = read(table)
    profiles, sample = profile_and_sample(table)
    if not sample.rows:
        raise EmptyTableError(table.name, "there are column names, but no rows")
    evidences = [Evidence(seen) for seen in profiles]
    guessed = propose_quasi(table, sample, evidences, [judge(one) for one in evidences])
    return table, evidences, guessed, sample


def code_sample(
    sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> RowCodes:
    """The rows that were drawn, of the columns that are quasi: what proposals may learn from."""
    codes, values = {}, {}
    for place, (evidence, found) in enumerate(zip(evidences, guessed, strict=True)):
        if found.role is Role.quasi:
            dictionary = Dictionary()
            codes[evidence.profile.name] = dictionary.encode(sample.column(place))
            values[evidence.profile.name] = dictionary.values
    drawn = len(next(iter(codes.values()), ()))
    return RowCodes(codes, values, np.ones(drawn, dtype=np.int64))


def _make_column(evidence: Evidence, found: Suspicion, codes: RowCodes) -> Column:
    seen = evidence.profile
    sentences = evidence.kind is Kind.free_text
    proposed = _propose_hierarchy(evidence, codes) if found.role is Role.quasi else None
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
        _list_hints(evidence, found),
        () if sentences else list_shapes(evidence.values),
        propose_treatment(seen, found.role, evidence.kind),
        None if proposed is None else _write_proposal(evidence, found, proposed),
        proposed,
    )


def _propose_hierarchy(evidence: Evidence, codes: RowCodes) -> Proposal:
    """How a first policy makes the values coarser, and why."""
    seen = evidence.profile
    values, counts = _list_values(seen)
    return propose(seen.name, values, counts, codes, propose_k(seen.rows))


def _list_values(seen: Profile) -> tuple[list[str | None], list[int]]:
    """The values that were looked at, the missing one too, and the rows that have each."""
    values: list[str | None] = list(seen.values)
    counts = list(seen.counts)
    return ([*values, None], [*counts, seen.missing]) if seen.missing else (values, counts)


def _write_proposal(evidence: Evidence, found: Suspicion, proposed: Proposal) -> Any:
    """A proposal as a policy writes it; None is the value, then ``*``."""
    builder = proposed.builder
    if not evidence.profile.exact and isinstance(builder, Intervals | Cuts | Dates):
        return AUTO  # a value that was not looked at may be no number or date
    if isinstance(builder, Tree):
        return AUTO  # a tree holds values of the table; it is learnt anew, or written to a file
    if isinstance(builder, Intervals) and _has_old(evidence, found):
        builder = replace(builder, top=HIPAA_AGE + 1)
    return None if isinstance(builder, Flat) else write_spec(builder)


def _list_hints(evidence: Evidence, found: Suspicion) -> tuple[str, ...]:
    seen = evidence.profile
    hints = []
    for mark, count in sorted(seen.marks.items(), key=lambda pair: -pair[1]):
        hints.append(f"{count:,} rows hold '{mark}', perhaps for missing")
    if any(value != value.strip() for value in seen.values):
        hints.append("some values begin or end with a space, so count as different")
    if _is_released_as_found(evidence, found) and singles_out(seen):
        hints.append(_warn_of_uniques(seen))
    if found.role is Role.quasi and evidence.kind is Kind.number and _has_commas(evidence):
        hints.append("a decimal comma is not read as a number: write a point to get intervals")
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


def _warn_of_uniques(seen: Profile) -> str:
    if seen.unique is None:
        many = f"it has more than {seen.distinct:,} distinct values"
        told = f"{many}: anyone who knows one may find a row"
    else:
        part = format_percent(seen.unique / seen.rows)
        told = f"{part} of the rows have a unique value: anyone who knows it finds the row"
    if is_id_name(seen.name):
        return f"{told}; leave it out, or replace it by a pseudonym"
    return f"{told}; round it, release it in bands or leave it out"


def _has_commas(evidence: Evidence) -> bool:
    return any("," in value for value in evidence.values)


def _has_repeats(seen: Profile, found: Suspicion) -> bool:
    """Whether a number that a person has only one of stands in several rows."""
    numbers = (Item.SSN, Item.RECORD, Item.PLAN, Item.ACCOUNT, Item.OTHER)
    return found.item in numbers and seen.exact and seen.distinct < 0.9 * seen.filled


def _has_old(evidence: Evidence, found: Suspicion) -> bool:
    values = evidence.values if found.recognized == "age" else ()
    return any(value.isdecimal() and int(value) > HIPAA_AGE for value in values)
