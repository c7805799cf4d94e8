"""Does this file meet this policy? A second count that trusts nothing but the file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, format_count
from discreet.engines.read import read
from discreet.engines.value_maps import MappedSource
from discreet.models.evidence import Evidence, make_memory_error, open_session
from discreet.models.k_anonymity import KAnonymity
from discreet.models.verdict import Unchecked, Verdict, count_promises, render_verdicts
from discreet.pipeline.people.check_people import ReleasedTable, check_people
from discreet.pipeline.people.person_column import unify_people
from discreet.pipeline.plan import list_promised_columns
from discreet.pipeline.several_rows import SeveralRows, count_people_in_file, find_repeated_key
from discreet.pipeline.statements import Ints, UniqueRows
from discreet.policy.about import note_validity
from discreet.policy.anonymity_level import ASK, fill_in_released_k
from discreet.policy.people import COUNTED
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.techniques import list_steps
from discreet.pseudonyms.pseudonymize import ReplacedSource
from discreet.table.cleaning import CleanedSource, clean_table
from discreet.table.formulas import QuotedSource, quote_table_formulas
from discreet.table.header import settle_names
from discreet.table.row_counts import count_all_rows
from discreet.table.table import Table

# Identifiers that a released file has as they are, where its policy has pseudonyms.


def find_true_identifiers(table: Table, policy: Policy, private: Table | None) -> Iterator[Verdict]:
    """A verdict against each column of pseudonyms with values that the private table has there.

    A private table whose identifiers are replaced already, as a release has it, or that techniques
    have changed is not looked at.

    Notes
    -----
    *Cost*: one pass over such columns of both tables; the different values of one are held.
    """
    if private is None or policy.techniques:
        return
    if any(column.technique for column in policy.columns.values()):
        return
    if _is_replaced(private):
        return
    for name, column in policy.columns.items():
        if column.replace is None or name not in table.columns or name not in private.columns:
            continue
        if held := _count_rows_held(table, private, name):
            note = f"{name} has values of the private table where pseudonyms should be"
            yield Verdict("released_columns", False, 1, 0, held, (name,), note)


def _is_replaced(private: Table) -> bool:
    """Whether the identifiers are pseudonyms already, under quoted formulas too."""
    while isinstance(private.source, QuotedSource | CleanedSource):
        private = private.source.table
    return isinstance(private.source, ReplacedSource | MappedSource)


def _count_rows_held(table: Table, private: Table, column: str) -> int:
    """How many rows of a file have a value that a column of the private table has."""
    kept = private.count_rows([column]) or private.scan(text=[column])
    parts = [batch.column(0).unique() for batch in kept]
    values = pa.chunked_array(parts, pa.string()).unique().drop_null()
    counted = table.count_rows([column])
    if counted is not None:
        released = counted.read_all()
        found = pc.is_in(released.column(0), value_set=values)
        return int(pc.sum(released.column(1).filter(found)).as_py() or 0)
    found = [pc.is_in(batch.column(0), value_set=values) for batch in table.scan(text=[column])]
    return sum(one.true_count for one in found)


MEMORY = ("800MB", "75%")
"""What the counting may hold: enough for millions of classes, then most of the machine's memory."""


@dataclass(frozen=True)
class Verification:
    """Whether a released file keeps every promise of a policy, with a verdict for each.

    >>> Verification((), rows=0, missing="value").holds
    True
    """

    verdicts: tuple[Verdict, ...]
    rows: int
    missing: str
    anonymity: Mapping[str, Any] | None = None
    profile: Mapping[str, Any] | None = None
    people: int | None = None
    unique_rows: UniqueRows | None = None
    several_rows: SeveralRows | None = None
    outdated: str = ""

    def __repr__(self) -> str:
        people = "" if self.people is None else f"{self.people:,} people, "
        rows = format_count(self.rows, "row")
        return f"Verification({people}{rows}, {count_promises(self.verdicts)})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    def facts(self) -> dict[str, Any]:
        """The verification as plain data, as ``discreet verify --json`` shows it."""
        return {
            "format": "discreet-verify/1",
            "holds": self.holds,
            "rows": self.rows,
            "people": self.people,
            "missing": self.missing,
            "anonymity": self.anonymity,
            "profile": self.profile,
            "verdicts": [verdict.facts() for verdict in self.verdicts],
            "unique_rows": None if self.unique_rows is None else self.unique_rows.facts(),
            "several_rows_per_person": (
                None if self.several_rows is None else self.several_rows.facts()
            ),
            **({"outdated": self.outdated} if self.outdated else {}),
        }


def verify(
    release: Any, policy: Policy | Mapping[str, Any] | str | Path, original: Any = None
) -> Verification:
    """Check that a released file keeps every promise of the policy, by counting its rows anew.

    Parameters
    ----------
    release
        The released file, a Table or a data frame.
    policy
        What was promised: a Policy, a dict or a policy file.
    original
        The private table, if at hand. Its sensitive columns are read for models that compare with
        the whole table; without it they compare with the released file itself. Columns that the
        policy replaces are read to see that none of their values is in the file.

    Notes
    -----
    Shares no counting code with the search: values are read as text, or as the codes that a file
    stores and then counted apart, grouped in SQL, and each formula is written out from its
    definition. *Cost*: one pass over the file (two if the classes do not fit the first of
    ``MEMORY``); memory grows with the different rows, not with the rows. Nothing is written to
    disk.
    """
    policy = settle_policy(policy, release).for_recipient()
    found = check_promises(open_table(release, policy), policy, original, people_too=True)
    return replace(found, outdated=note_validity(policy))


def check_promises(
    table: Table, policy: Policy, original: Any = None, people_too: bool = False
) -> Verification:
    """A verdict on every promise, by counting the rows anew.

    With ``people_too`` it is also seen whether people have several rows, in a pass of its own.
    """
    private = None
    if original is not None:
        private = open_table(original, policy)
        if not isinstance(private.source, QuotedSource):  # else it was prepared already
            private = quote_table_formulas(merge_missing(private, policy), policy.quoted)
    table = merge_missing(table, policy)
    for memory in MEMORY:
        try:
            found = _verify(table, policy, private, memory, people_too)
        except duckdb.OutOfMemoryException:
            continue
        true = find_true_identifiers(table, policy, private)
        return replace(found, verdicts=(*found.verdicts, *true))
    raise make_memory_error(table.name)


def _verify(
    table: Table, policy: Policy, private: Table | None, memory: str, people_too: bool
) -> Verification:
    if policy.people is not None:
        return _verify_people(table, policy, private, memory)
    models = list(policy.require)
    quasi = tuple(policy.quasi)
    needed = _list_needed(models, quasi, table.columns)
    with open_session(memory) as session:
        session.load("cells", table, needed)
        rows = int(session.row("SELECT coalesce(sum(n), 0) FROM cells")[0])
        evidence = Evidence(
            session,
            needed,
            quasi,
            rows,
            wildcard=policy.missing.wildcard,
            original=private,
            hierarchies={name: column.hierarchy for name, column in policy.columns.items()},
            file=table,
            texts=policy.scrubbed,
            techniques=_list_techniques(policy),
            cleanings=policy.cleanings(quasi),
        )
        unique = None
        policy, note = fill_in_released_k(policy, rows, _count_private_rows(policy, private))
        if quasi and set(quasi) <= set(table.columns):
            unique = UniqueRows.of(policy, _count_class_sizes(evidence))
        verdicts = [_add_note(_check(m, evidence, table.columns), note) for m in policy.require]
    verdicts.extend(check_released_columns(table.columns, policy, models, rows))
    level = None if policy.anonymity is None else policy.anonymity.facts(assumed=ASK in note)
    made_for = policy.recipient.facts()
    several = _find_several_rows(table, policy) if people_too else None
    return Verification(
        tuple(verdicts),
        rows,
        policy.missing.meaning,
        level,
        made_for,
        unique_rows=unique,
        several_rows=several,
    )


def _count_class_sizes(evidence: Evidence) -> Ints:
    """The rows of each class of all quasi columns."""
    fields = ", ".join(evidence.field_of(column) for column in evidence.quasi)
    found = evidence.session.arrays(
        f"SELECT CAST(sum(n) AS BIGINT) AS n FROM cells GROUP BY {fields}"
    )
    return found["n"].astype(np.int64)


def _find_several_rows(table: Table, policy: Policy) -> SeveralRows | None:
    """A released column that looks like a person's key and repeats, with the people by class."""
    found = find_repeated_key(policy, table)
    if found is None or not set(policy.quasi) <= set(table.columns):
        return found
    return count_people_in_file(found, table, policy.quasi)


def _verify_people(
    table: Table, policy: Policy, private: Table | None, memory: str
) -> Verification:
    people = policy.people.column
    if private is not None and people in private.columns:
        private = unify_people(private, policy)
    else:
        private = None
    whose = ReleasedTable(
        table,
        people,
        {name: name for name in policy.quasi},
        {name: name for name in list_promised_columns(policy)},
        private,
    )
    found = check_people([whose], policy, memory)
    rows, made_for = sum(found.rows), policy.recipient.facts()
    others = [model for model in policy.require if not isinstance(model, COUNTED)]
    verdicts = list(found.verdicts)
    if others:
        with open_session(memory) as session:
            evidence = Evidence(
                session,
                (),
                policy.quasi,
                rows,
                file=table,
                texts=policy.scrubbed,
                techniques=_list_techniques(policy),
            )
            verdicts.extend(_check(model, evidence, table.columns) for model in others)
    verdicts.extend(check_released_columns(table.columns, policy, list(policy.require), rows))
    return Verification(tuple(verdicts), rows, policy.missing.meaning, None, made_for, found.people)


def _list_techniques(policy: Policy) -> dict[str, list[str]]:
    """The names of the techniques of each column."""
    found = {name: [one.name for one in said.technique] for name, said in policy.columns.items()}
    for technique in policy.techniques:
        for name in technique.columns:
            found.setdefault(name, []).append(technique.name)
    return found


def _count_private_rows(policy: Policy, private: Table | None) -> int | None:
    """The rows of the private table, if it is given and the anonymity level asks for them."""
    level = policy.anonymity
    if private is None or level is None or level.fixed or level.rows is not None:
        return None
    return count_all_rows(private)


def _add_note(verdict: Verdict, note: str) -> Verdict:
    """The verdict on a class size with what is to be said of where its k comes from."""
    if not note or verdict.model != KAnonymity.name:
        return verdict
    return replace(verdict, note="; ".join(filter(None, (verdict.note, note))))


def open_table(source: Any, policy: Policy) -> Table:
    """The table that a policy is about; a first line with the columns of the policy holds names."""
    table = source if isinstance(source, Table) else read(source)
    return settle_names(table, (*policy.quasi, *policy.sensitive))


def merge_missing(table: Table, policy: Policy) -> Table:
    """The table with words for missing as missing in sensitive columns.

    There two such words must not count as two values. In quasi columns of a file they stay what
    they are, since whoever reads the file tells them apart. What a technique left is not touched.
    """
    changed = {name for step in list_steps(policy) for name in step.columns}
    names = [name for name in policy.sensitive if name not in changed]
    return clean_table(table, policy.cleanings(names))


def _list_columns(model: Any, quasi: tuple[str, ...]) -> tuple[str, ...]:
    """Every released column that a model looks at."""
    own = quasi if model.columns is None else tuple(model.columns)
    return own if model.sensitive is None else (*own, model.sensitive)


def _list_needed(
    models: list[Any], quasi: tuple[str, ...], present: tuple[str, ...]
) -> tuple[str, ...]:
    wanted = {column for model in models for column in _list_columns(model, quasi)} | {*quasi}
    return tuple(column for column in present if column in wanted) or present[:1]


def _check(model: Any, evidence: Evidence, present: tuple[str, ...]) -> Verdict:
    """One model's verdict; what cannot be checked does not hold."""
    lacking = [c for c in _list_columns(model, evidence.quasi) if c not in present]
    try:
        if lacking:
            raise Unchecked(f"the file has no column {', '.join(lacking)}")
        if "check" not in vars(type(model)):  # inherited: of another promise
            raise Unchecked("there is no check of this model")
        checked: Verdict = model.check(evidence)
        return checked
    except Unchecked as reason:
        return Verdict(
            model.name,
            False,
            math.nan,
            model.limit,
            evidence.rows,
            evidence.quasi_of(model),
            f"could not be checked: {reason}",
        )


def check_released_columns(
    present: tuple[str, ...], policy: Policy, models: list[Any], rows: int
) -> Iterator[Verdict]:
    """A verdict against a file with columns that may not leave, or without ones to be checked."""
    extra = [column for column in present if column not in policy.released]
    quasi = tuple(policy.quasi)
    wanted = dict.fromkeys(column for model in models for column in _list_columns(model, quasi))
    lacking = [column for column in wanted if column not in present]
    if not extra and not lacking:
        return
    if len(extra) == len(present):
        # The first line may hold cells instead of names, so it is not quoted.
        what = f"none of the file's {len(present)} columns is one that the policy releases"
        fix = "check its first line, which must name the columns, and the separator"
        yield Verdict("released_columns", False, len(present), 0, rows, (), f"{what}; {fix}")
        return
    notes = []
    if extra:
        notes.append(f"the policy does not release {', '.join(extra)}")
    if lacking:
        notes.append(f"the policy's models need {', '.join(lacking)}")
    yield Verdict(
        "released_columns",
        False,
        len(extra) + len(lacking),
        0,
        rows,
        (*extra, *lacking),
        "; ".join(notes),
    )
