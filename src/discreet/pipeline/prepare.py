"""The table as the release sees it: what is done to single columns comes before any counting."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.engines.read import read
from discreet.engines.table import find_engine_source
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.intervals import Intervals
from discreet.models.safe_harbor import SafeHarbor
from discreet.pipeline.engine_rows import map_values, refuse_row_work
from discreet.pipeline.part import Part, take_part
from discreet.pipeline.people.person_column import unify_people
from discreet.pipeline.progress import Progress
from discreet.policy.anonymity_level import UNKNOWN
from discreet.policy.changed_table import Applied, ChangedTable
from discreet.policy.parts import Auto
from discreet.policy.policy import Policy
from discreet.policy.replacement import replace_identifiers
from discreet.policy.techniques import Step, list_steps
from discreet.policy.text_columns import scrub_text_columns
from discreet.pseudonyms.key import load_key
from discreet.safe_harbor.check import check_safe_harbor, make_rules_error
from discreet.safe_harbor.checked import Question, Standing
from discreet.table.cleaning import clean_table
from discreet.table.formulas import quote_table_formulas
from discreet.table.header import settle_names
from discreet.table.table import Table
from discreet.techniques import (
    BottomCode,
    Microaggregate,
    Noise,
    OutliersToMedian,
    Perturb,
    Pram,
    RankSwap,
    RoundValues,
    SampleRows,
    Scramble,
    Shuffle,
    Swap,
    TopCode,
)
from discreet.techniques.arrow_rows import make_table, read_rows
from discreet.techniques.change_rows import make_sampling_error
from discreet.techniques.noise import make_below_zero_error
from discreet.techniques.utility import (
    ColumnView,
    compare_utility,
    view_columns,
    view_columns_after,
)

if TYPE_CHECKING:
    from discreet.safe_harbor.checked import Checked, Question


# What a policy says about safe harbor, and the refusal of a table that would break it.


TOGETHER = 90
"""The age that stands for 90 or older."""
UNTOPPED = "its intervals would tell 90 or older as a span, such as 90-94"
TOPPED = "Write hierarchy: {intervals: {widths: [5, 10, 20], top: 90}}."


def require_safe_harbor(table: Table, policy: Policy) -> Table:
    """Refuse a prepared table whose released columns break a rule that the policy promises to keep.

    A notice names the released columns that a person must look at.
    """
    for model in policy.require:
        if isinstance(model, SafeHarbor):
            found = check_safe_harbor(table, ask_safe_harbor(policy, model))
            broken = [(one.column, one.rule or "", one.why, f"{one.fix}.") for one in found.broken]
            broken += [(name, "C", UNTOPPED, TOPPED) for name in _find_untopped(policy)]
            if broken:
                raise make_rules_error(table.name, broken)
            table = replace(table, notices=(*table.notices, *_list_columns_to_check(found)))
    return table


def _list_columns_to_check(found: Checked) -> list[str]:
    """The columns that the check cannot decide."""
    return [
        f"safe harbor: check column '{one.column}' yourself, rule ({one.rule}): {one.why}."
        for one in found.list_standing(Standing.look)
    ]


def ask_safe_harbor(policy: Policy, model: SafeHarbor) -> Question:
    """What the check must know of the columns of a policy."""
    columns = policy.columns
    return Question.on(
        model.as_of,
        model.zip_table,
        released=policy.released,
        scrubbed=policy.scrubbed,
        dated=tuple(name for name in policy.scrubbed if _keeps_months(columns[name].scrub)),
        replaced=(
            *(n for n in columns if columns[n].replace is not None),
            *_list_people_columns(policy, model),
        ),
        codes=tuple(name for name in model.codes if name in policy.released),
        capped=find_capped_columns(policy),
    )


def _list_people_columns(policy: Policy, model: SafeHarbor) -> tuple[str, ...]:
    """The column of people, which has pseudonyms in the release.

    Those of a key that nobody keeps are as good as drawn, so the data holder may call them codes.
    """
    people = policy.people
    if people is None or (people.key is None and people.column in model.codes):
        return ()
    return (people.column,)


def find_capped_columns(policy: Policy) -> tuple[str, ...]:
    """The columns in which a technique made 90 mean 90 or older."""
    single = [one for column in policy.columns.values() for one in column.technique]
    return tuple(name for one in (*single, *policy.techniques) for name in _list_top_coded(one))


def _keeps_months(scrub: Any) -> bool:
    """Whether scrubbed text tells more of a date than its year; tags and blanks tell nothing."""
    return bool(scrub.style == "pseudonym" and scrub.dates != "year")


def _find_untopped(policy: Policy) -> list[str]:
    """Columns of ages whose intervals go on above 90."""
    found = [
        (name, policy.columns[name].hierarchy)
        for name in dict.fromkeys(find_capped_columns(policy))
    ]
    return [
        name
        for name, builder in found
        if isinstance(builder, Auto)
        or (isinstance(builder, Intervals) and builder.top != TOGETHER)
        or (isinstance(builder, Cuts) and max(map(float, builder.levels[0])) > TOGETHER)
    ]


def _list_top_coded(technique: Any) -> tuple[str, ...]:
    top = technique.name == "top_code" and technique.at == TOGETHER and technique.put == "limit"
    return tuple(technique.columns) if top else ()


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as it is counted and released, and what it was made from.

    ``table`` has texts scrubbed, identifiers replaced and columns changed by techniques; ``policy``
    is about the columns that were asked for. ``private`` has the same rows as they are, ``whole``
    the rows, too, that were not asked for.
    """

    table: Table
    policy: Policy
    private: Table
    whole: Table
    part: Part | None = None
    notes: tuple[str, ...] = ()


def prepare(
    table: Any, policy: Policy, part: Part | None = None, progress: Progress | None = None
) -> Prepared:
    """Open a table, take the part that was asked for, and do what is done to single columns."""
    if progress is not None:
        progress("preparing")
    opened = open_for(table, policy)
    refuse_row_work(opened, policy)
    asked = take_part(opened, policy, part)
    made = prepare_table(asked.table, asked.policy, asked.whole)
    return Prepared(made, asked.policy, asked.table, asked.whole, part, asked.notes)


def open_for(source: Any, policy: Policy) -> Table:
    """The table that a policy is about; a first line with the columns of the policy holds names.

    Identifiers may be missing there: a release does not have them.
    """
    table = source if isinstance(source, Table) else read(source)
    return clean_values(settle_names(table, (*policy.quasi, *policy.sensitive)), policy)


def clean_values(table: Table, policy: Policy) -> Table:
    """The table with words for missing as missing and lost zeros put back, as the policy says."""
    return clean_table(table, policy.cleanings(table.columns))


def prepare_table(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table as it is counted; refused if its columns break a promise about columns.

    ``whole`` is that of which the table has some rows: no pseudonym is a value of any of its rows.
    """
    return require_safe_harbor(change_table(table, policy, whole), policy)


def change_table(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table with texts scrubbed, identifiers replaced and columns changed by techniques.

    Words for missing are gone before. Scrubbing comes first: it looks for the identifiers of a row
    in its texts. Techniques come last, so that they never see an identifier as it is; then formulas
    are quoted in what they leave.
    """
    policy.check_columns(table.columns, table.name)
    refuse_row_work(table, policy)
    table = clean_values(table, policy)
    if find_engine_source(table) is not None:
        held = None if whole is None else clean_values(whole, policy)
        return quote_formulas(_change_values(table, policy, held), policy)
    table = _replace_identifiers(
        scrub_text_columns(_unify_people(table, policy), policy), policy, whole
    )
    return quote_formulas(_change_by_techniques(table, policy), policy)


def _change_values(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """A table in a database with its values replaced and changed one by one."""
    mapped, steps = map_values(table, policy, whole), list_steps(policy)
    told = tuple(write_technique_notes(policy, steps)) if steps else ()
    return replace(mapped, notices=(*mapped.notices, *told))


def quote_formulas(table: Table, policy: Policy) -> Table:
    """The table with formulas quoted in what is released, if the policy says so."""
    return quote_table_formulas(table, policy.quoted) if policy.quoted else table


def _unify_people(table: Table, policy: Policy) -> Table:
    """The table with identifiers of people in one way of writing, if people are counted."""
    if policy.people is None:
        return table

    return unify_people(table, policy)


def _replace_identifiers(table: Table, policy: Policy, whole: Table | None) -> Table:
    """The table with pseudonyms, which load only if the policy names some."""
    if all(column.replace is None for column in policy.columns.values()):
        return table

    return replace_identifiers(table, policy, whole)


def _change_by_techniques(table: Table, policy: Policy) -> Table:
    """The table after the techniques of the policy, which load only if there are some."""
    if not policy.techniques and not any(one.technique for one in policy.columns.values()):
        return table

    return apply_techniques(table, policy)


# What the data holder should know of the techniques of a policy, before any row is read.


COARSE = (TopCode, BottomCode, RoundValues, Microaggregate, OutliersToMedian)
SPREAD = (Noise, Perturb)
MOVED = (Shuffle, Swap, RankSwap, Pram)
COMPARING = ("t_closeness", "delta_disclosure", "beta_likeness")
"""Models that compare a class with the whole table."""


def write_technique_notes(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    """Sentences without a value of the table."""
    yield from _note_counts(policy, found)
    yield from _note_measures(policy, found)
    yield from _note_untrue(found)
    for number, step in enumerate(found):
        yield from _note_undone(step, found[:number])
    if policy.order == "scramble" and any(isinstance(one.technique, Scramble) for one in found):
        yield "scramble changes nothing: a release has its rows in random order (order: scramble)."
    chance = _join_names([one for one in found if one.technique.by_chance])
    if chance and policy.seed is not None:
        yield f"who knows the seed can undo part of {chance}: keep it as secret as the table."


def warn_drawn_again(policy: Policy) -> tuple[str, ...]:
    """What to say where the recipient holds an earlier release of the table."""
    chance = [one for one in list_steps(policy) if one.columns and one.technique.by_chance]
    if not chance:
        return ()
    columns = ", ".join(dict.fromkeys(name for step in chance for name in step.columns))
    return (
        f"{_join_names(chance)} on {columns} is drawn anew for each release, unless table and "
        "seed are the same: someone who has both releases can average them and learn more than "
        "from one.",
    )


def _note_counts(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    if any(isinstance(one.technique, SampleRows) for one in found):
        yield "promises are counted on the rows of the sample."
        if policy.people is not None:
            yield "sample_rows draws rows, not people: of some people a part of the rows is left."
    for name in policy.quasi:
        about = [one for one in found if name in one.columns]
        if about:
            yield (
                f"classes are formed on '{name}' as changed by {_join_names(about)}, not on the "
                "private values."
            )


def _note_measures(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    for model in policy.require:
        if model.sensitive is None:
            continue
        moved = {model.sensitive, *policy.quasi}
        about = [
            one
            for one in found
            if model.sensitive in one.columns
            or one.technique.turn == "rows"
            or (not one.technique.truthful and moved & set(one.columns))
        ]
        if about:
            where = (
                "the classes and in the whole table" if model.name in COMPARING else "the classes"
            )
            yield (
                f"{model.name} is measured on '{model.sensitive}' as {_join_names(about)} left it, "
                f"in {where}."
            )


def _note_untrue(found: Sequence[Step]) -> Iterator[str]:
    untrue = [one for one in found if not one.technique.truthful]
    columns = dict.fromkeys(name for one in untrue for name in one.columns)
    if columns:
        yield (
            f"released values of {', '.join(columns)} may be wrong for individual people "
            f"({_join_names(untrue)}): tell the recipient."
        )


def _note_undone(step: Step, before: Sequence[Step]) -> Iterator[str]:
    """Two techniques on one column, of which one undoes the other, or part of it."""
    technique = step.technique
    for earlier in before:
        shared = [name for name in step.columns if name in earlier.columns]
        if not shared:
            continue
        both = f"{technique.name} after {earlier.technique.name} on {', '.join(shared)}"
        if isinstance(technique, SPREAD) and isinstance(earlier.technique, COARSE):
            yield f"{both} makes of equal numbers different ones again, also beyond a limit."
        elif isinstance(technique, MOVED) and isinstance(earlier.technique, SPREAD):
            yield f"{both} gives the changed numbers to other rows: one of the two is enough."
        elif type(technique) is type(earlier.technique):
            yield f"{both}: the second can undo part of the first."


def _join_names(found: Sequence[Step]) -> str:
    return ", ".join(dict.fromkeys(one.technique.name for one in found))


# Runs the techniques of a policy on the table that is released, before anything is counted.


def apply_techniques(table: Table, policy: Policy) -> Table:
    """The table after the techniques of a policy.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 and 4.3: a release combines techniques. *Departures*: none. *Cost*:
    the columns that are released or looked at are held in memory; each technique once, and a
    comparison of the columns that it changes with all released ones.
    """
    refuse_row_work(table, policy)
    if find_engine_source(table) is not None:
        return _change_values(table, policy)
    found = list_steps(policy)
    named = [name for step in found for name in (*step.columns, *step.beside)]
    policy.check_columns(table.columns, table.name, [*policy.columns, *named])
    run = _Run(table, policy, {*named, *_list_needed_columns(policy)})
    for number, step in enumerate(found):
        run.step(_add_key(policy, step), _derive_seed(policy, number, step))
    notices = (*run.table.notices, *write_technique_notes(policy, found), *run.notices)
    source, columns = run.table.source, run.table.columns
    dialect = table.dialect
    return ChangedTable(
        table.name,
        columns,
        source,
        dialect=dialect,
        notices=notices,
        applied=_withhold_numbers(run.applied),
    )


def _withhold_numbers(run: list[Applied]) -> tuple[Applied, ...]:
    """What was done, without numbers that tell cells once those of two steps are compared."""
    measured = [(one, one.utility) for one in run if one.utility is not None]
    few = frozenset[str]().union(*(utility.few for _, utility in measured))
    return tuple(replace(one, utility=utility.withhold_columns(few)) for one, utility in measured)


def _list_needed_columns(policy: Policy) -> Iterator[str]:
    """The columns that later steps look at."""
    yield from policy.released
    if policy.row_weight is not None:
        yield policy.row_weight
    if policy.people is not None:
        yield policy.people.column


def _add_key(policy: Policy, step: Step) -> Step:
    """The step with the key of people, so that a person is treated alike in all their tables."""
    technique: Any = step.technique
    if policy.people is None or policy.people.key is None or not hasattr(technique, "key"):
        return step

    return step._replace(technique=replace(technique, key=load_key(policy.people.key)))


def _derive_seed(policy: Policy, number: int, step: Step) -> int:
    """A seed of its own for each step, so that no two draw the same numbers."""
    if policy.seed is None:
        return secrets.randbits(128)
    text = f"{policy.seed} technique {number} {step.technique.name}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")


class _Run:
    """The table on its way through the steps, and the columns as they are compared."""

    def __init__(self, table: Table, policy: Policy, held: set[str]) -> None:
        names = [name for name in table.columns if name in held]
        self.policy = policy
        self.table = make_table(table, table.scan(native=names).read_all())
        self.released = [name for name in names if name in policy.released]
        self.views: dict[str, ColumnView] = {}
        self.applied: list[Applied] = []
        self.notices: list[str] = []

    def step(self, step: Step, seed: int) -> None:
        """Run one technique and compare."""
        before = read_rows(self.table)
        self.views |= view_columns(
            before, [name for name in self.released if name not in self.views]
        )
        old = dict(self.views)
        self.table = step.technique(self.table, seed)
        rows = read_rows(self.table)
        touched = step.columns or tuple(self.released)
        new = old | view_columns_after(rows, {name: old[name] for name in touched})
        self._check(step, old, new, rows)
        same_rows = step.technique.turn == "columns"
        self.applied.append(
            Applied(step.technique, touched, compare_utility(old, new, touched, same_rows))
        )
        for name in touched:
            del self.views[name]

    def _check(
        self,
        step: Step,
        old: dict[str, ColumnView],
        new: dict[str, ColumnView],
        rows: pa.Table,
    ) -> None:
        technique = step.technique
        if isinstance(technique, SampleRows):
            least = max(model.least_rows for model in self.policy.require)
            if rows.num_rows < least < UNKNOWN:
                total = len(next(iter(old.values())).cells)
                raise make_sampling_error(technique.name, rows.num_rows, total, least)
        if isinstance(technique, Noise | Perturb):
            for name in technique.columns:
                self._refuse_negative(technique, name, old[name], new[name])

    def _refuse_negative(
        self, technique: Noise | Perturb, name: str, old: ColumnView, new: ColumnView
    ) -> None:
        """Numbers that are never negative, such as ages, must not become so unseen."""
        below = int(np.count_nonzero(new.filled < 0))
        if not below or old.filled.min() < 0:
            return
        if isinstance(technique, Perturb):
            self.notices.append(
                f"perturb: {below:,} values of '{name}' are below zero, which none was before."
            )
        elif name not in technique.domain:
            raise make_below_zero_error(technique.name, name, below, len(new.filled))
