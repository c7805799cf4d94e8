"""The search for a release of a part, or beside parts, of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from discreet.algorithms import CellSolution, Problem, Solution
from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.solution import Search, build_solution_at
from discreet.display import dataclass
from discreet.errors import EarlierReleaseError, InternalError
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.ledger.entry import Entry
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.ledger.piece_promises import PieceWise, promise_each_piece, refuse_broken
from discreet.ledger.pieces import Guard, Pieces, complete_left_out, find_told_apart
from discreet.ledger.search import refuse_gone
from discreet.ledger.whole_table import WholeTable
from discreet.models import ClassModel
from discreet.pipeline.part import Part
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.progress import Progress
from discreet.pipeline.search import run_algorithm
from discreet.policy.policy import Policy

# The promises that a release beside parts must keep: its own, for all that was promised before.


def list_required(policy: Policy, releases: Iterable[Entry]) -> tuple[Any, ...]:
    """The promises of a policy, and each also for the smaller sets of columns of earlier promises.

    What holds for all columns holds for fewer, as long as every piece is large enough. Beside a
    release that promised something for single columns, pieces are smaller than k on all columns and
    stay as they are; whoever knows one of these columns only is still one of k.

    Notes
    -----
    ``docs/decisions/0028-parts-are-compared-by-what-they-tell-apart.md``. *Cost*: none; each set of
    columns is counted once more.
    """
    found = list(policy.require)
    sets = dict.fromkeys(columns for entry in releases for columns in entry.sets)
    for columns in sets:
        asked = set(columns) & set(policy.quasi)
        for model in policy.require:
            by_class = any(part.name == "columns" for part in fields(model))
            if by_class and (model.columns is None or asked <= set(model.columns)):
                made = replace(model, columns=columns)
                found += [made] if made not in found else []
    return tuple(found)


@dataclass(frozen=True, eq=False)
class BesideParts:
    """Finds a release that tells no few rows apart together with the known ones.

    Parameters
    ----------
    ledger, name
        Where the known releases are, and of which table.
    policy
        That of the part.
    frequency
        The part, counted.
    whole
        The table, counted.
    known
        The earlier releases.
    part
        The requested part; None for the whole table.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5. *Departures*: see
    ``docs/decisions/0028-parts-are-compared-by-what-they-tell-apart.md``. *Cost*: the search, with
    one more count a class and piece; a second search without suppressed rows where the first leaves
    out too few.
    """

    ledger: Ledger
    name: str
    policy: Policy
    frequency: FrequencyList
    whole: WholeTable
    known: Known
    part: Part | None = None

    def find(
        self, progress: Progress | None, removed: bool
    ) -> tuple[Problem, Solution | CellSolution, tuple[str, ...]]:
        """The problem that was solved, its solution, and what there is to say of it."""
        if not removed:
            refuse_gone(self._gone)
        self._refuse_unsure()
        for policy in (self.policy, self.policy.replace(suppress=0.0)):
            problem = self._build_problem(policy)
            solution = self._complete_solution(problem, self._solve(problem, policy, progress))
            if solution is not None:
                models = self._required
                refuse_broken(self._guards, models, self.policy, problem, solution, self.known)
                return problem, solution, tuple(self._write_notes())
        raise InternalError("a part without suppressed rows leaves rows behind")

    @cached_property
    def _required(self) -> tuple[Any, ...]:
        return list_required(self.policy, self.known.releases)

    @cached_property
    def _guards(self) -> tuple[Guard, ...]:
        """One for each reader and each set of columns that somebody may know."""
        inside = self.whole.meets(None if self.part is None else self.part.where)
        places = self.whole.find_places_in(self.frequency, inside)
        sets: dict[tuple[str, ...] | None, int] = {}
        for model in self._required:
            rows = model.least_rows
            sets[model.columns] = max(rows, sets.get(model.columns, 1))
        return tuple(
            Guard(
                f"\0{reader}.{number}",
                k,
                columns,
                find_told_apart(self.ledger.key, self.name, self.whole, held, columns),
                self.whole,
                inside,
                places,
            )
            for reader, held in enumerate(self.known.held)
            for number, (columns, k) in enumerate(sets.items())
        )

    def _refuse_unsure(self) -> None:
        if any(guard.separated.unsure(guard.k) for guard in self._guards):
            what = (
                "rows were added or removed since then, and it is unknown which: without the added "
                "rows, the earlier releases may already single out groups of fewer rows than the "
                "policy allows"
            )
            fix = "Release this part to others, or the whole table if earlier releases were whole."
            raise EarlierReleaseError(self.known.numbers, what, fix)

    @property
    def _gone(self) -> dict[int, int]:
        return {n: rows for guard in self._guards for n, rows in guard.separated.gone.items()}

    @cached_property
    def _promises(self) -> tuple[tuple[Pieces | PieceWise, Entries, int], ...]:
        """The requirements for every piece, with its counts and the number of things counted."""
        found: list[tuple[Pieces | PieceWise, Entries, int]] = []
        for guard in self._guards:
            found.append((guard.model, guard.entries(), len(guard.separated.rows)))
            for number, inner in enumerate(self._required):
                told = isinstance(inner, ClassModel) and inner.sensitive is not None
                if told and inner.columns == guard.columns:
                    tally = f"{guard.name}.{number}"
                    model, counts = promise_each_piece(guard, inner, self.frequency, tally)
                    found.append((model, counts, len(model.pieces)))
        return tuple(found)

    def _build_problem(self, policy: Policy) -> Problem:
        counts = {model.tally: counts for model, counts, _ in self._promises}
        numbers = {model.tally: tuple(map(str, range(size))) for model, _, size in self._promises}
        frequency = replace(
            self.frequency,
            sensitive={**self.frequency.sensitive, **counts},
            values={**self.frequency.values, **numbers},
        )
        return plan_problem(policy, frequency, [model for model, _, _ in self._promises])

    def _solve(self, problem: Problem, policy: Policy, progress: Progress | None) -> Solution:
        try:
            found = run_algorithm(problem, policy, progress)
        except (UnreachableError, HeuristicError):
            k, share = max(guard.k for guard in self._guards), self.policy.suppress
            what = (
                "rows that only one of the releases shows would be distinguishable, "
                f"fewer than {k:,} in some class{self._name_other_promises()}"
            )
            fix = (
                "Ask for rows that were all released, or none of them, class by class; ask for "
                f"fewer columns; or allow more suppressed rows (suppress: {share:g} now)."
            )
            raise EarlierReleaseError(self.known.numbers, what, fix) from None
        assert isinstance(found, Solution)
        return found

    def _name_other_promises(self) -> str:
        promised = (model for model, _, _ in self._promises)
        others = dict.fromkeys(m.inner.name for m in promised if isinstance(m, PieceWise))
        return f", or break {' and '.join(others)}" if others else ""

    def _complete_solution(self, problem: Problem, solution: Solution) -> Solution | None:
        """The solution with more rows left out where too few are; None if that is not allowed."""
        dropped = complete_left_out(self._guards, solution)
        if int(dropped.sum()) == solution.suppressed:
            return solution
        if int(dropped.sum()) > problem.limit or not _holds(problem, solution.groups, dropped):
            return None
        search = Search(False, None, solution.search.nodes, solution.search.nodes_checked)
        return build_solution_at(problem, solution.algorithm, solution.node, dropped, search)

    def _write_notes(self) -> Iterator[str]:
        *most, last = map(str, self.known.numbers)
        which = f"releases {', '.join(most)} and {last} are" if most else f"release {last} is"
        yield (
            f"{which} known to the recipient of this one; the rows that they distinguish together "
            "were counted"
        )
        for number, rows in sorted(self._gone.items()):
            yield (
                f"{rows:,} row{'s' if rows > 1 else ''} of release {number} cannot be found any "
                "more, removed or changed since; anyone who knows which of them may learn more"
            )
        if any((one.separated.seen & (one.separated.rows < one.k)).any() for one in self._guards):
            yield (
                "earlier releases already single out groups of fewer rows than this policy allows; "
                "this cannot be undone"
            )


def _holds(problem: Problem, groups: Groups, dropped: Ints) -> bool:
    rest = Groups(groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries)
    verdicts = problem.requirement.list_verdicts(problem.counter, rest, dropped < groups.rows)
    return all(verdict.holds for verdict in verdicts)
