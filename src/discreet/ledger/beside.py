"""The search for a release beside those that its recipients hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from discreet.algorithms import CellSolution, Problem, Solution
from discreet.errors import EarlierReleaseError, HeuristicError, UnreachableError
from discreet.ledger.entry import Entry
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.ledger.newcomers import Newcomers
from discreet.ledger.pinned import pinned
from discreet.ledger.seen import Seen, same_rows, seen
from discreet.ledger.split import splits
from discreet.models import KAnonymity, KMap, LargestRisk
from discreet.release.plan import problem_for
from discreet.release.policy import Policy
from discreet.release.search import solved
from discreet.table.role import Role

SIZES = (KAnonymity, LargestRisk, KMap)
"""Promises about numbers of rows or people, which rows known more finely keep as well."""

SIZE_NAMES = frozenset(model.name for model in SIZES)

Progress = Callable[..., None]


def refuse_gone(gone: Mapping[int, int]) -> None:
    """Refuse a table whose old rows are changed: one row in two forms can be put together."""
    if gone:
        rows = max(gone.values())
        what = (
            f"{rows:,} row{'s' if rows > 1 else ''} released then cannot be found any more, "
            "removed or changed"
        )
        fix = (
            "If rows were removed and none was changed, say so: --rows-removed. Changed rows "
            "(a date with a day that had none before) would be known twice."
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
        self._told = tuple(self._told_already(held) for held in known.held)
        self._splits = tuple(
            split
            for reader, held in enumerate(known.held, start=1)
            for split in splits(ledger.key, name, plain.frequency, self._hierarchies, held, reader)
        )

    def find(
        self, progress: Progress | None, removed: bool
    ) -> tuple[Problem, Solution | CellSolution, tuple[str, ...]]:
        """The problem that was solved, its solution, and what there is to say of it."""
        if not removed:
            refuse_gone(self._gone())
        narrower = self._known.narrower(self._policy)
        levels = self._known.levels
        problem = self._problem(levels)
        if problem is not None:
            found = pinned(problem, self._policy.algorithm, levels, self._splits, self._k)
            if found is not None:
                return problem, found, tuple(self._notes(found))
        if narrower:
            what = "columns were added, and at the levels of then the promises do not hold"
            fix = f"Leave the new columns out, or allow more suppressed rows{self._now()}."
            raise EarlierReleaseError(self._known.numbers, what, fix)
        problem = self._problem(None)
        if problem is None:
            others = " and ".join(self._others)
            what = f"{others} can be kept beside them only at their own levels, where it fails now"
            fix = f"Allow more suppressed rows{self._now()}, or promise numbers of rows only."
            raise EarlierReleaseError(self._known.numbers, what, fix)
        solution = self._above(problem, progress)
        return problem, solution, tuple(self._notes(solution))

    def _gone(self) -> dict[int, int]:
        """Rows of each earlier release that the table does not have any more."""
        return {n: rows for held in self._known.held for n, rows in self._seen(held).gone.items()}

    def _problem(self, levels: dict[str, int] | None) -> Problem | None:
        """The problem at given levels, or (None) above them; None if a promise cannot be judged."""
        finer = self._known.finer(levels)
        untold = (held for held, told in zip(finer, self._told, strict=True) if not told)
        if self._others and any(untold):
            return None
        models, tallies = [], dict(self._frequency.tallies)
        for reader, releases in enumerate(finer, start=1):
            found = self._seen(releases)
            k = self._k + sum(found.gone.values()) if releases else self._joint_k
            model = Newcomers(k, reader)
            models.append(model)
            tallies |= {model.tally: found.known, model.doubt: found.doubtful}
        tallies |= {split.name: split.then for split in self._splits}
        frequency = replace(self._frequency, tallies=tallies)
        columns = self._frequency.columns
        floor = None if levels else tuple(self._known.levels[name] for name in columns)
        return problem_for(self._policy, frequency, models, floor)

    def _told_already(self, held: Sequence[Entry]) -> bool:
        """Whether one of a set has the very rows of the table: the new one is made from it.

        Where it promised something of sensitive values, these may be others by now.
        """
        raw = set(self._policy.with_role(Role.sensitive, Role.other))
        return any(
            entry.promises <= SIZE_NAMES
            and set(entry.levels) == set(self._frequency.columns)
            and raw <= set(entry.raw)
            and same_rows(self._ledger.key, self._name, self._frequency, self._hierarchies, entry)
            for entry in held
        )

    def _seen(self, releases: Sequence[Entry]) -> Seen:
        key = self._ledger.key
        return seen(key, self._name, self._frequency, self._hierarchies, releases)

    def _above(self, problem: Problem, progress: Progress | None) -> Solution | CellSolution:
        try:
            return solved(problem, self._policy, progress)
        except (UnreachableError, HeuristicError):
            what = (
                "at their levels the promises do not hold any more, and in coarser classes fewer "
                f"than {self._k} new rows would stand beside old ones that are known more finely"
            )
            fix = f"Wait until more rows are new, or allow more suppressed rows{self._now()}."
            raise EarlierReleaseError(self._known.numbers, what, fix) from None

    def _now(self) -> str:
        return f" ({self._limit:,} of {self._frequency.total:,} now)"

    def _notes(self, solution: Solution | CellSolution) -> Iterator[str]:
        """What is known, and what the promises do not say because of it."""
        *most, last = map(str, self._known.numbers)
        which = f"releases {', '.join(most)} and {last} are" if most else f"release {last} is"
        found = dict(zip(self._frequency.columns, solution.levels, strict=True))
        levels = {name: level for name, level in found.items() if level is not None}
        same = all(levels[name] == level for name, level in self._known.levels.items())
        how = (
            "keep their levels" if same else "are coarser, since the promises fail at those levels"
        )
        yield f"{which} known to whoever gets this one; the columns released then {how}"
        for number, rows in sorted(self._gone().items()):
            yield (
                f"{rows:,} row{'s' if rows > 1 else ''} of release {number} cannot be found any "
                "more, removed or changed since; whoever knows which of them may learn more"
            )
        told = zip(self._known.finer(levels), self._told, strict=True)
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
