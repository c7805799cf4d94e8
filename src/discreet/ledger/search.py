"""The search for a release beside those that its recipients hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, ClassVar

import numpy as np

from discreet.algorithms import CellSolution, Problem, Solution
from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.datafly import Datafly, suppress
from discreet.algorithms.solution import Search, build_solution_at
from discreet.display import dataclass
from discreet.errors import EarlierReleaseError, argument
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Classes, Floats, Ints, Mask, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.lattice import Node
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import group_as_released
from discreet.ledger.key import Key
from discreet.ledger.known import Known, Seen, count_seen_rows, has_same_rows
from discreet.ledger.ledger import Ledger
from discreet.models import KAnonymity, KMap, LargestRisk
from discreet.models.verdict import Verdict
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.progress import Progress
from discreet.pipeline.search import run_algorithm
from discreet.policy.policy import Policy
from discreet.table.table import Role

# Rows that nobody has seen before: none in a class, or at least k together.


@dataclass(frozen=True)
class Newcomers:
    """Rows of a class that no finer earlier release has number 0, or at least ``k``.

    A class of a coarser release holds old rows, which are known more finely already, and new ones,
    of which nothing else is known. Without the old ones the new ones must still be k.

    Parameters
    ----------
    k
        The smallest group of new rows.
    reader
        Tells apart the recipients who hold different releases.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3, asks that a later release be a generalization of the earlier one.
    *Departures*: that is not enough for the rows that came in between; see
    ``docs/explain/ledger.md``. A class with an earlier class that has lost rows fails: which of its
    rows are new cannot be told. *Cost*: two sums a class.
    """

    k: int
    reader: int = 1

    name: ClassVar[str] = "earlier_releases"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1
    columns: ClassVar[None] = None
    sensitive: ClassVar[None] = None

    @property
    def tally(self) -> str:
        """The name of the sums of rows that a finer earlier release has."""
        return f"known {self.reader}"

    @property
    def doubt(self) -> str:
        """The name of the sums of earlier classes that have lost rows."""
        return f"doubtful {self.reader}"

    def new(self, classes: Classes) -> Floats:
        """Rows of each class that are in no finer earlier release."""
        found: Floats = np.maximum(classes.rows - np.asarray(classes.tallies[self.tally]), 0.0)
        return found

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"no class has 1 to {self.k - 1} rows that earlier releases lack"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes with too few new rows, or with earlier classes that lost rows."""
        new = self.new(classes)
        failing: Mask = ((new > 0) & (new < self.k)) | (np.asarray(classes.tallies[self.doubt]) > 0)
        return failing

    def count_keepable(self, classes: Classes) -> Floats:
        """Where new rows are too few, they are so at every finer node."""
        new = self.new(classes)
        return np.where(new < self.k, classes.rows - new, classes.rows)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the smallest group of new rows."""
        released = classes.select(classes.rows > 0)
        failing, new = self.fails(released), self.new(released)
        some = new[new > 0]
        return Verdict(
            self.name,
            not failing.any(),
            float(some.min()) if len(some) else 0.0,
            self.k,
            int(released.rows[failing].sum()),
            columns,
            "fewest rows of a class that no finer earlier release has" if len(some) else "",
        )


# The effect of new columns on the classes of releases that lack them.


@dataclass(frozen=True, eq=False)
class Split:
    """The classes of an earlier release that new columns would divide.

    ``columns`` are those of the earlier release; ``then`` has the rows of each of its classes, at
    one tuple of the class, and 0 for classes that a release with all columns has divided already.
    """

    name: str
    columns: tuple[str, ...]
    then: Floats

    def mark_crowded_out(self, problem: Problem, groups: Groups, k: int) -> Mask:
        """Mark the parts of a class that may hold fewer than k of its old rows.

        Which rows of a class are new is not known, so all of them may be in any of its parts.
        """
        classes, owner = problem.counter.project(groups, self._find_places(problem))
        sums = groups.tallies[list(problem.frequency.tallies).index(self.name)]
        then = add_up(owner, sums, len(classes))
        new = np.where(then > 0, np.abs(classes.rows - then), 0.0)
        found: Mask = (groups.rows > 0) & (groups.rows < k + new[owner]) & (then[owner] > 0)
        return found

    def leave_out_wholes(self, problem: Problem, groups: Groups, dropped: Ints) -> Ints:
        """Leave out every part of a class of which one part is left out."""
        classes, owner = problem.counter.project(groups, self._find_places(problem))
        hit = np.zeros(len(classes), dtype=np.bool_)
        hit[owner[dropped > 0]] = True
        whole: Ints = np.where(hit[owner], groups.rows, dropped)
        return whole

    def _find_places(self, problem: Problem) -> tuple[int, ...]:
        return tuple(problem.frequency.columns.index(name) for name in self.columns)


def find_splits(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Sequence[Hierarchy],
    held: Sequence[Entry],
    reader: int,
) -> tuple[Split, ...]:
    """The releases of one reader that lack a column, with their classes as they were."""
    by_name = {hierarchy.column: hierarchy for hierarchy in hierarchies}
    divided = np.zeros(len(frequency), dtype=np.bool_)
    for entry in held:
        if set(entry.levels) == set(frequency.columns):
            now = group_as_released(key, table, frequency, by_name, entry.levels)
            divided |= np.array([mark in entry.classes for mark in now.prints])[now.owner]
    found = []
    for entry in held:
        if set(entry.levels) < set(frequency.columns):
            now = group_as_released(key, table, frequency, by_name, entry.levels)
            then = np.array([entry.classes.get(mark, 0) for mark in now.prints], dtype=np.float64)
            then[add_up(now.owner, divided, len(then)) > 0] = 0
            sums = np.zeros(len(frequency))
            sums[now.first] = then
            found.append(Split(f"then {reader}.{entry.number}", tuple(entry.levels), sums))
    return tuple(found)


# The release that leaves old rows as they are: columns released before keep their levels.


def search_pinned(
    problem: Problem,
    algorithm: Any,
    levels: Mapping[str, int],
    divided: Sequence[Split] = (),
    k: int = 1,
) -> Solution | None:
    """The best release at these levels that keeps the promises, or None.

    Columns without a level are new; every combination of theirs is tried. They divide the classes
    of earlier releases: each part must have k of the old rows, whichever rows are new, and the
    parts of a class are left out all or none, else those left out would be known by what the
    others say.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3: new rows are added without changing the old ones. *Cost*: one
    roll-up for each node of the new columns.
    """
    columns, top = problem.frequency.columns, problem.lattice.top
    ranges = [
        [levels[name]] if name in levels else range(height + 1)
        for name, height in zip(columns, top, strict=True)
    ]
    best: tuple[float, Node, Ints] | None = None
    checked = 0
    for node in product(*ranges):
        checked += 1
        dropped = _choose_left_out(problem, algorithm, node, divided, k)
        if dropped is None:
            continue
        groups = problem.counter.groups(node)
        score = problem.score(problem.measure, groups, dropped)
        if best is None or score < best[0]:
            best = score, node, dropped
    if best is None:
        return None
    search = Search(False, None, problem.lattice.nodes, checked)
    return build_solution_at(problem, algorithm.name, best[1], best[2], search)


def _choose_left_out(
    problem: Problem, algorithm: Any, node: Node, divided: Sequence[Split], k: int
) -> Ints | None:
    """Rows of each class to leave out at a node, or None if they are too many."""
    groups = problem.counter.groups(node)
    if isinstance(algorithm, Datafly):
        dropped = suppress(problem, node)
    else:
        judged = problem.requirement.judge(problem.counter, groups)
        allowed = judged.suppressed <= problem.limit
        dropped = np.where(judged.fails, groups.rows, 0) if allowed else None
    if dropped is None or not divided:
        return dropped
    dropped = _leave_out_divided(problem, groups, dropped, divided, k)
    if int(dropped.sum()) > problem.limit or not _holds(problem, groups, dropped):
        return None
    return dropped


def _leave_out_divided(
    problem: Problem, groups: Groups, dropped: Ints, divided: Sequence[Split], k: int
) -> Ints:
    """Leave out the earlier classes that are divided badly, until none is left out in part."""
    for split in divided:
        dropped = np.where(split.mark_crowded_out(problem, groups, k), groups.rows, dropped)
    before = -1
    while int(dropped.sum()) != before:
        before = int(dropped.sum())
        for split in divided:
            dropped = split.leave_out_wholes(problem, groups, dropped)
    return dropped


def _holds(problem: Problem, groups: Groups, dropped: Ints) -> bool:
    rest = Groups(groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries)
    verdicts = problem.requirement.list_verdicts(problem.counter, rest, dropped < groups.rows)
    return all(verdict.holds for verdict in verdicts)


SIZES = (KAnonymity, LargestRisk, KMap)
"""Promises about numbers of rows or people, which rows known more finely keep as well."""

SIZE_NAMES = frozenset(model.name for model in SIZES)


def refuse_gone(gone: Mapping[int, int]) -> None:
    """Refuse a table with changed old rows: the two forms of a row can be joined."""
    if gone:
        rows = max(gone.values())
        what = (
            f"{rows:,} row{'s' if rows > 1 else ''} released then cannot be found any more, "
            "removed or changed"
        )
        fix = (
            "If rows were removed and none was changed, say so: "
            f"{argument('rows_removed')}. Changed rows (a date with a day that had none before) "
            "would be known twice."
        )
        raise EarlierReleaseError(tuple(sorted(gone)), what, fix)


class Beside:
    """Tries the levels of the known releases first, then those above.

    ``plain`` is the problem as it is without them.

    *Cost*: the table's classes at the levels of each known release are hashed a few times.
    """

    def __init__(
        self, ledger: Ledger, name: str, policy: Policy, plain: Problem, known: Known
    ) -> None:
        self._ledger, self._name, self._policy = ledger, name, policy
        self._frequency, self._known = plain.frequency, known
        self._hierarchies = plain.lattice.hierarchies
        self._limit = plain.limit
        self._others = tuple(m.name for m in policy.require if not isinstance(m, SIZES))
        sizes = [model for model in policy.require if isinstance(model, SIZES)]
        self._k = max((model.least_rows for model in sizes), default=1)
        joint = [model for model in sizes if not model.columns or policy.recipient.name is None]
        self._joint_k = max((model.least_rows for model in joint), default=1)
        self._told = tuple(self._has_same_rows(held) for held in known.held)
        self._splits = tuple(
            split
            for reader, held in enumerate(known.held, start=1)
            for split in find_splits(
                ledger.key, name, plain.frequency, self._hierarchies, held, reader
            )
        )

    def find(
        self, progress: Progress | None, removed: bool
    ) -> tuple[Problem, Solution | CellSolution, tuple[str, ...]]:
        """The problem that was solved, its solution, and what there is to say of it."""
        if not removed:
            refuse_gone(self._count_gone_rows())
        narrower = self._known.list_narrower(self._policy)
        levels = self._known.levels
        problem = self._build_problem(levels)
        if problem is not None:
            found = search_pinned(problem, self._policy.algorithm, levels, self._splits, self._k)
            if found is not None:
                return problem, found, tuple(self._write_notes(found))
        if narrower:
            what = "columns were added, and at the levels of then the promises do not hold"
            fix = f"Leave the new columns out, or allow more suppressed rows{self._format_limit()}."
            raise EarlierReleaseError(self._known.numbers, what, fix)
        problem = self._build_problem(None)
        if problem is None:
            others = " and ".join(self._others)
            what = f"{others} can be kept with them only at their own levels, where it fails now"
            now = self._format_limit()
            fix = f"Allow more suppressed rows{now}, or promise only numbers of rows."
            raise EarlierReleaseError(self._known.numbers, what, fix)
        solution = self._search_above(problem, progress)
        return problem, solution, tuple(self._write_notes(solution))

    def _count_gone_rows(self) -> dict[int, int]:
        """Rows of each earlier release that the table does not have any more."""
        return {
            n: rows for held in self._known.held for n, rows in self._count_seen(held).gone.items()
        }

    def _build_problem(self, levels: dict[str, int] | None) -> Problem | None:
        """The problem at given levels, or (None) above them; None if a promise cannot be judged."""
        finer = self._known.list_finer(levels)
        untold = (held for held, told in zip(finer, self._told, strict=True) if not told)
        if self._others and any(untold):
            return None
        models, tallies = [], dict(self._frequency.tallies)
        for reader, releases in enumerate(finer, start=1):
            found = self._count_seen(releases)
            k = self._k + sum(found.gone.values()) if releases else self._joint_k
            model = Newcomers(k, reader)
            models.append(model)
            tallies |= {model.tally: found.known, model.doubt: found.doubtful}
        tallies |= {split.name: split.then for split in self._splits}
        frequency = replace(self._frequency, tallies=tallies)
        columns = self._frequency.columns
        floor = None if levels else tuple(self._known.levels[name] for name in columns)
        return plan_problem(self._policy, frequency, models, floor)

    def _has_same_rows(self, held: Sequence[Entry]) -> bool:
        """Whether one of a set has the very rows of the table: the new one is made from it.

        Where it promised something of sensitive values, these may be others by now.
        """
        raw = set(self._policy.with_role(Role.sensitive, Role.other))
        return any(
            entry.promises <= SIZE_NAMES
            and set(entry.levels) == set(self._frequency.columns)
            and raw <= set(entry.raw)
            and has_same_rows(
                self._ledger.key, self._name, self._frequency, self._hierarchies, entry
            )
            for entry in held
        )

    def _count_seen(self, releases: Sequence[Entry]) -> Seen:
        key = self._ledger.key
        return count_seen_rows(key, self._name, self._frequency, self._hierarchies, releases)

    def _search_above(self, problem: Problem, progress: Progress | None) -> Solution | CellSolution:
        try:
            return run_algorithm(problem, self._policy, progress)
        except (UnreachableError, HeuristicError):
            what = (
                "at their levels the promises no longer hold, and coarser classes would mix fewer "
                f"than {self._k} new rows with old rows that are already known in more detail"
            )
            now = self._format_limit()
            fix = f"Wait until more rows are new, or allow more suppressed rows{now}."
            raise EarlierReleaseError(self._known.numbers, what, fix) from None

    def _format_limit(self) -> str:
        return f" ({self._limit:,} of {self._frequency.total:,} now)"

    def _write_notes(self, solution: Solution | CellSolution) -> Iterator[str]:
        """What recipients know, and the limits of the promises because of it."""
        *most, last = map(str, self._known.numbers)
        which = f"releases {', '.join(most)} and {last} are" if most else f"release {last} is"
        found = dict(zip(self._frequency.columns, solution.levels, strict=True))
        levels = {name: level for name, level in found.items() if level is not None}
        same = all(levels[name] == level for name, level in self._known.levels.items())
        how = (
            "keep their levels" if same else "are coarser, since the promises fail at those levels"
        )
        yield f"{which} known to the recipient of this one; the columns released before {how}"
        for number, rows in sorted(self._count_gone_rows().items()):
            yield (
                f"{rows:,} row{'s' if rows > 1 else ''} of release {number} cannot be found any "
                "more, removed or changed since; anyone who knows which of them may learn more"
            )
        told = zip(self._known.list_finer(levels), self._told, strict=True)
        if self._others and any(whole and finer for finer, whole in told):
            yield (
                "some readers hold the same rows more finely already and learn nothing from this "
                f"release; {' and '.join(self._others)} holds against the others"
            )
        sizes = [min(entry.classes.values(), default=self._k) for entry in self._known.releases]
        if min(sizes) < self._k:
            yield (
                f"earlier releases have classes of {min(sizes):,} rows, which stay known; "
                f"{self._k:,} holds for other rows only"
            )
