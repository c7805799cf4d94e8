"""People as the unit that is counted: a person may have many rows, in one table or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.models.k_anonymity import KAnonymity
from discreet.models.safe_harbor import SafeHarbor
from discreet.models.verdict import Verdict
from discreet.pipeline.auto_hierarchies import list_auto, list_people_codes, settle_auto
from discreet.pipeline.people.counted_people import (
    NOBODY,
    CodedRows,
    CountedPeople,
    PeopleTable,
    count_people,
    limit_for,
)
from discreet.pipeline.people.people_models import count_all_holders, read_over_people
from discreet.pipeline.people.people_notes import replaces_people, write_people_notes
from discreet.pipeline.people.people_problem import PeopleProblem
from discreet.pipeline.plan import build_hierarchy, list_promised_columns
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.progress import Progress
from discreet.pipeline.recode import is_text
from discreet.pipeline.statements import IdentifyingColumn, find_identifying_columns
from discreet.pipeline.verify import Verification
from discreet.policy.people import PeoplePolicy
from discreet.policy.policy import Policy
from discreet.pseudonyms.formats import Token
from discreet.pseudonyms.key import load_key
from discreet.pseudonyms.one_way import OneWay
from discreet.replacement_key import ReplacementKey
from discreet.table.table import make_changed_error

# Who is in the release, and under which pseudonym.


class KeptPeople:
    """The people that a solution releases; of a class left out in part, chance decides who."""

    def __init__(
        self,
        counted: CountedPeople,
        problem: PeopleProblem,
        solution: Solution,
        random: np.random.Generator,
        key: ReplacementKey,
    ) -> None:
        self._counted, self._key = counted, key
        homes = problem.people.find_record_classes(solution.groups)
        if (homes < 0).any():
            raise InternalError("a record is in no class")
        of = counted.records.of
        there = of != NOBODY
        group = np.where(there, homes[of], NOBODY)
        dropped, rows = solution.dropped, solution.groups.rows
        self.kept: Mask = there & (dropped < rows)[group]
        for part in np.nonzero((dropped > 0) & (dropped < rows))[0]:
            members = np.nonzero(group == part)[0]
            self.kept[random.permutation(members)[: dropped[part]]] = False

    @property
    def released(self) -> int:
        """How many people are released."""
        return int(self.kept.sum())

    def rows(self, place: int) -> Mask:
        """Which rows of a table are released."""
        person = self._counted.rows[place].person
        stays: Mask = self._counted.stays[place] & self.kept[person]
        return stays

    @cached_property
    def pseudonyms(self) -> pa.Array:
        """The pseudonym of each person, none of which is an identifier of anybody here."""
        first = self._counted.rows[0]
        identifiers = pa.array(first.people.values, pa.string())
        return OneWay(self._key, Token())(identifiers, column=first.entity).values


# The second pass over the rows of a table: each person's rows recoded, or none of them.


class PeopleRows:
    """Turns rows of a private table into rows of the release, a batch at a time.

    ``pseudonyms`` take the place of the column of people; None leaves it as the table has it.
    """

    def __init__(
        self,
        rows: CodedRows,
        released: Sequence[str],
        hierarchies: Sequence[Hierarchy],
        node: Sequence[int],
        kept: Mask,
        pseudonyms: pa.Array | None,
    ) -> None:
        self._rows, self._kept, self._pseudonyms = rows, kept, pseudonyms
        table = rows.table
        self._released = [name for name in table.columns if name in released]
        self._recoded = {
            name: (place, hierarchy.maps[level], pa.array(hierarchy.labels[level], pa.string()))
            for place, (name, hierarchy, level) in enumerate(
                zip(rows.quasi, hierarchies, node, strict=True)
            )
        }
        untouched = [name for name, level in zip(rows.quasi, node, strict=True) if level == 0]
        made = {*self._recoded, *([rows.entity] if pseudonyms is not None else [])}
        self._native = [name for name in self._released if name not in made or name in untouched]

    @contextmanager
    def open_reader(self) -> Iterator[pa.RecordBatchReader]:
        """The release as a stream of batches, in the order of the private table."""
        text = [self._rows.entity, *self._rows.quasi]
        scan = self._rows.table.scan(text=text, native=self._native)
        kinds = {name: scan.schema.field(len(text) + i).type for i, name in enumerate(self._native)}
        # An empty text and a missing value count as the same, so they must look the same.
        alike = {name for name, kind in kinds.items() if name in self._recoded and is_text(kind)}
        native = {n: len(text) + i for i, n in enumerate(self._native) if n not in alike}
        types = {name: kinds[name] for name in native}
        schema = pa.schema([(name, types.get(name, pa.string())) for name in self._released])
        try:
            yield pa.RecordBatchReader.from_batches(
                schema, self._recode_batches(scan, schema, native)
            )
        finally:
            scan.close()

    def _recode_batches(
        self, scan: pa.RecordBatchReader, schema: pa.Schema, native: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        done = 0
        coders = (self._rows.people, *self._rows.dictionaries)
        for batch in scan:
            again = [coder.encode(batch.column(c)) for c, coder in enumerate(coders)]
            self._rows.refuse_changed(again, done)
            arrays = [
                batch.column(native[name]) if name in native else self._make_column(name, again)
                for name in self._released
            ]
            made = pa.RecordBatch.from_arrays(arrays, schema=schema)
            yield made.filter(pa.array(self._kept[done : done + batch.num_rows]))
            done += batch.num_rows
        if done != len(self._rows):
            raise make_changed_error(self._rows.table.name)

    def _make_column(self, name: str, codes: Sequence[npt.NDArray[np.int32]]) -> pa.Array:
        """The released texts of a quasi column, or the pseudonyms of people."""
        if name not in self._recoded:
            assert self._pseudonyms is not None
            return self._pseudonyms.take(pa.array(codes[0]))
        place, levels, labels = self._recoded[name]
        return labels.take(pa.array(levels[codes[place + 1]]))


@dataclass(frozen=True, eq=False)
class People:
    """Counts people, plans for people, and says who is released as what.

    ``columns`` are the quasi columns of all tables under the names that the policy has for them.

    Notes
    -----
    [Sweeney2001]_, sec. 6.2: "a special facility for cases involving multiple tuples attributable
    to the same person". *Departures*: the thesis gives no rule; see docs/explain/people.md for
    ours. *Cost*: two passes over the rows, some sorting, and memory for a few numbers a row.
    """

    columns: tuple[str, ...]
    key: ReplacementKey

    @classmethod
    def of(cls, policy: Policy, columns: Sequence[str] | None = None) -> People:
        """The people of a policy, under its key or one that is drawn for this run."""
        return cls(tuple(policy.quasi if columns is None else columns), _load_key(policy.people))

    def count(self, source: Prepared, progress: Progress | None = None) -> CountedPeople:
        """One pass over the rows of a table: the whole record of each person."""
        policy = source.policy
        promised = {name: name for name in list_promised_columns(policy)}
        whose = PeopleTable(source.table, policy.people.column, policy.quasi, promised)
        return self.count_tables([whose], policy, progress)

    def count_tables(
        self, tables: Sequence[PeopleTable], policy: Policy, progress: Progress | None = None
    ) -> CountedPeople:
        """One pass over each of several tables about the same people."""
        random = np.random.default_rng(policy.seed)
        return count_people(tables, policy.people.records, random, progress)

    def settle(self, policy: Policy, counted: CountedPeople) -> Policy:
        """The policy with hierarchies for the columns that leave them to the data."""
        first = 0
        for rows in counted.rows:
            columns = self.columns[first : first + len(rows.quasi)]
            if set(columns) & set(list_auto(policy)):
                policy = settle_auto(policy, list_people_codes(rows, columns))
            first += len(columns)
        return policy

    def plan(self, policy: Policy, counted: CountedPeople) -> PeopleProblem:
        """The problem that an algorithm solves: levels for the columns of all tables."""
        people: PeoplePolicy = policy.people
        k = max(model.k for model in policy.require if isinstance(model, KAnonymity))
        one = len(counted.rows) == 1
        name = counted.rows[0].table.name if one else "The tables together"
        limit = limit_for(counted, people.records, policy.suppress, k, name)
        values = [d.values for rows in counted.rows for d in rows.dictionaries]
        return PeopleProblem(
            counted.records,
            [build_hierarchy(policy, c, own) for c, own in zip(self.columns, values, strict=True)],
            read_over_people(policy.require),
            policy.measure,
            limit,
            [policy.columns[name].weight for name in self.columns],
            policy.prefer,
            once=not people.records.counts,
            holders=count_all_holders(counted, policy.require, people),
        )

    def answer(
        self,
        source: Prepared | None,
        policy: Policy,
        counted: CountedPeople,
        problem: PeopleProblem,
        solution: Solution | CellSolution,
    ) -> PeopleAnswer:
        """Who is released, and as what."""
        if not isinstance(solution, Solution):
            raise InternalError(f"{policy.algorithm.name} did not answer with levels")
        return PeopleAnswer(policy, self.columns, counted, problem, solution, self.key)


def _load_key(people: PeoplePolicy) -> ReplacementKey:
    if people.key is None:
        return ReplacementKey.for_this_run()

    return load_key(people.key)


COUNTED = "people are counted, by their whole records"


@dataclass(frozen=True, eq=False)
class PeopleAnswer:
    """The levels that were found, and the people and rows that they release.

    ``columns`` are the quasi columns of all tables as the policy names them, table after table.
    """

    policy: Policy
    columns: tuple[str, ...]
    counted: CountedPeople
    problem: PeopleProblem
    solution: Solution
    key: ReplacementKey

    @property
    def people_policy(self) -> PeoplePolicy:
        """What the policy says of people."""
        people: PeoplePolicy = self.policy.people
        return people

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released."""
        return dict(zip(self.columns, self.solution.node, strict=True))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on the people who are released."""
        return tuple(
            replace(v, note="; ".join(filter(None, (COUNTED, v.note))))
            if v.model != SafeHarbor.name
            else v
            for v in self.solution.verdicts
        )

    @cached_property
    def kept(self) -> KeptPeople:
        """The people who are released."""
        random = np.random.default_rng(self.policy.seed)
        return KeptPeople(self.counted, self.problem, self.solution, random, self.key)

    def rows_released(self, place: int) -> int:
        """How many rows of a table are released."""
        return int(self.kept.rows(place).sum())

    def rows_suppressed(self, place: int) -> int:
        """How many rows of a table are of people who are suppressed."""
        return int((~self.kept.kept[self.counted.rows[place].person]).sum())

    def build_rows(self, place: int, released: Sequence[str], replaced: bool) -> PeopleRows:
        """The rows of a table as they are released; ``replaced`` if it has pseudonyms already."""
        before = sum(len(one.quasi) for one in self.counted.rows[:place])
        rows = self.counted.rows[place]
        own = slice(before, before + len(rows.quasi))
        return PeopleRows(
            rows,
            released,
            self.problem.lattice.hierarchies[own],
            self.solution.node[own],
            self.kept.rows(place),
            None if replaced else self.kept.pseudonyms,
        )

    def count_facts(self) -> dict[str, int]:
        """How many people there are, and how many are released."""
        kept, every = self.people, self.counted.people
        if int(self.class_sizes.sum()) != kept:
            raise InternalError("the people who are released are not those who were counted")
        return {"people": every, "people_released": kept, "people_suppressed": every - kept}

    # What a release of a single table asks of the unit that is counted.

    @property
    def class_sizes(self) -> Ints:
        """The people of each released class."""
        return self.solution.class_sizes

    @property
    def people(self) -> int:
        """Number of people released."""
        return self.kept.released

    @property
    def rows(self) -> int:
        """Number of rows released."""
        return self.rows_released(0)

    @property
    def people_columns(self) -> tuple[str, ...]:
        """The column that tells people apart."""
        return (self.people_policy.column,)

    @property
    def unique_rows(self) -> None:
        """Nothing to say: classes are of people."""
        return None

    @property
    def several_rows(self) -> None:
        """Nothing to say: the promises are about people."""
        return None

    @cached_property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, that are nearly a key of the rows."""
        return find_identifying_columns(self.policy, self.counted.rows[0].table)

    @property
    def starred(self) -> None:
        """A suppressed person has no rows of ``*``."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to people and rows, and what follows from it."""
        return tuple(write_people_notes(self))

    def facts(self) -> dict[str, Any]:
        """What was counted and released, as plain data."""
        every, suppressed = len(self.counted.rows[0]), self.rows_suppressed(0)
        left_out = every - self.rows - suppressed
        return {
            **self.count_facts(),
            "rows": every,
            "rows_released": self.rows,
            "rows_suppressed": suppressed,
            "records": {"rule": self.people_policy.records.write_spec(), "rows_left_out": left_out},
            "unique_rows": None,
            "several_rows_per_person": None,
        }

    def build_recoder(self) -> PeopleRows:
        """The second pass over the rows, each as it is released."""
        return self.build_rows(0, self.policy.released, replaces_people(self.policy))

    def require_counted(self, found: Verification) -> None:
        """Refuse a finished release that has other rows or people than were counted."""
        if (found.rows, found.people) != (self.rows, self.people):
            what = f"{found.rows} rows of {found.people} people"
            raise InternalError(
                f"the finished release has {what}, not {self.rows} of {self.people}"
            )
