"""A release that gives away no more together with earlier ones than by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from discreet.algorithms import CellSolution, Datafly, Optimal, Problem, Solution, Spalm
from discreet.algorithms.claims import require_claimed
from discreet.display import dataclass
from discreet.errors import EarlierReleaseError, LedgerError
from discreet.ledger.audience import Audiences, audience, audience_of, held_by, plain
from discreet.ledger.beside import Beside
from discreet.ledger.beside_parts import BesideParts
from discreet.ledger.finer import Finer
from discreet.ledger.hierarchies_now import HierarchiesNow
from discreet.ledger.hierarchy_hash import hierarchy_hashes
from discreet.ledger.joined_hands import joined_hands
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.ledger.recorded_release import RecordedRelease
from discreet.ledger.whole_table import whole_table
from discreet.release.at_level import at_level
from discreet.release.part import Part, asked_for, no_count
from discreet.release.plan import problem_for
from discreet.release.policy import Policy
from discreet.release.prepare import open_for, prepared
from discreet.release.search import counted_for, solved

THE_TABLE = "table"
"""The name of the table of a ledger that nobody named."""

BY_COLUMNS = (Optimal, Datafly, Spalm)
"""The algorithms that give every column one level."""

Progress = Callable[..., None]
Found = tuple[Problem, Solution | CellSolution, tuple[str, ...]]
"""The problem that was solved, its solution, and what there is to say of it."""


def anonymize_again(
    table: Any,
    policy: Policy,
    ledger: Ledger,
    to: str | None = None,
    name: str = THE_TABLE,
    progress: Progress | None = None,
    removed: bool = False,
    part: Part | None = None,
) -> RecordedRelease:
    """Find the least damaging release beside those that its recipients hold already.

    Parameters
    ----------
    table, policy, progress, part
        As :func:`discreet.anonymize` has them.
    ledger
        Opened by :meth:`Ledger.open`; it gets an entry when the release is written.
    to
        Who gets the release; ``public`` is everybody. The audience of the policy's profile if not
        given.
    name
        The table that this is a state of, if the ledger is about several. Releases of different
        names are taken to be about different people; case and spacing do not count.
    removed
        Rows may have been removed since; none was changed. Without it a table that lacks rows of an
        earlier release is refused.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2 and 5.5.3. *Departures*: the worst is assumed, that somebody can tell
    which rows of two releases are the same; taking the released columns into the quasi-identifier
    is then not enough (``docs/decisions/0021-a-later-release-generalizes-the-earlier.md``). A table
    may grow; rows that are gone must be said to be. *Cost*: as :func:`discreet.anonymize`, and
    one hash for each class at the levels of each earlier release.
    """
    started = time.perf_counter()
    policy = policy.for_recipient()
    require_claimed(policy.algorithm, policy.require)
    standing = Standing.of(ledger, policy, to, name)
    _refuse_settings(ledger, policy)
    _refuse_algorithm(standing.known, policy)
    whole, plain = open_for(table, policy), policy
    asked = asked_for(whole, policy, part)
    source = prepared(asked.table, asked.policy, asked.whole)
    with no_count(part, asked.policy):
        counted = counted_for(source, asked.policy)
        policy = at_level(asked.policy, counted.frequency.total, source.name)
    in_parts = bool(standing.known.releases) and (part is not None or standing.known.parts)
    if not in_parts:
        standing.known.refuse(policy)
    problem = problem_for(policy, counted.frequency)
    hashes = hierarchy_hashes(policy, problem.lattice.hierarchies)
    if in_parts:
        rows = whole_table(ledger, standing.name, whole, plain, standing.known, part)
        found = BesideParts(
            ledger, standing.name, policy, counted.frequency, rows, standing.known, part
        ).find(progress, removed)
    elif standing.known.releases:
        found = standing.beside(policy, problem, hashes, progress, removed)
    else:
        with no_count(part, policy):
            found = problem, solved(problem, policy, progress), ()
    return RecordedRelease(
        source,
        policy,
        counted,
        found[0],
        found[1],
        time.perf_counter() - started,
        notes=(*asked.notes, *found[2], *standing.notes(policy)),
        ledger=ledger,
        to=standing.reader,
        name=standing.name,
        known=standing.known.numbers,
        hashes=hashes,
        includes=standing.includes,
        part=part,
        private=asked.table,
    )


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a new release stands in a ledger: who gets it, and what they hold already."""

    ledger: Ledger
    name: str
    reader: str
    includes: tuple[str, ...]
    audiences: Audiences
    known: Known

    @classmethod
    def of(cls, ledger: Ledger, policy: Policy, to: str | None, name: str) -> Standing:
        """The standing of a release of the table ``name``."""
        reader, name = audience_of(policy.recipient, to), plain(name)
        includes = tuple(audience(one, "includes") for one in policy.recipient.includes)
        audiences = ledger.audiences.joined(reader, includes)
        known = Known(held_by(ledger.releases(name), reader, audiences))
        return cls(ledger, name, reader, includes, audiences, known)

    def beside(
        self,
        policy: Policy,
        problem: Problem,
        hashes: Mapping[str, str],
        progress: Progress | None,
        removed: bool,
    ) -> Found:
        """The release of a whole table beside others: finer if that is safe, else coarser."""
        hierarchies = {one.column: one for one in problem.lattice.hierarchies}
        now = HierarchiesNow(self.ledger.key, self.name, policy, hierarchies, hashes)
        now.refuse_changed(self.known.releases)
        wider = self.audiences.wider(self.reader)
        finer = Finer(self.ledger.key, self.name, policy, problem, wider)
        solution = finer.find(self.known.releases)
        if solution is not None:
            return problem, solution, Finer.notes(self.known.releases)
        return Beside(self.ledger, self.name, policy, problem, self.known).find(progress, removed)

    def notes(self, policy: Policy) -> tuple[str, ...]:
        """What there is to say of the earlier releases, whatever the new one is like."""
        hands = joined_hands(self.ledger.lines, self.audiences)
        return (*_drawn_again(policy, self.known), *map(str, hands))


def _refuse_settings(ledger: Ledger, policy: Policy) -> None:
    """Refuse what makes it impossible to say later which rows are in which class."""
    if policy.missing == "wildcard":
        what = "classes overlap under missing: wildcard, and cannot be told apart later"
        raise LedgerError(ledger.path, what, "Use missing: value.")
    if policy.suppressed_rows == "keep":
        what = "rows of * (suppressed_rows: keep) would show later which rows they were"
        raise LedgerError(ledger.path, what, "Use suppressed_rows: drop.")
    if policy.formulas == "quote":
        what = "with formulas: quote, values could not be compared with those of other releases"
        raise LedgerError(ledger.path, what, "Use formulas: keep, and write .xlsx.")
    if policy.choice == "blind" and any(model.sensitive for model in policy.require):
        what = "what earlier releases ask of this one may depend on sensitive values"
        raise LedgerError(ledger.path, what, "Use choice: best, or release without the ledger.")


def _drawn_again(policy: Policy, known: Known) -> tuple[str, ...]:
    """Say that two draws for the same people tell more than one."""
    techniques = policy.techniques or any(one.technique for one in policy.columns.values())
    if not known.releases or not techniques:
        return ()
    from discreet.release.technique_notes import drawn_again

    return drawn_again(policy)


def _refuse_algorithm(known: Known, policy: Policy) -> None:
    if known.releases and not isinstance(policy.algorithm, BY_COLUMNS):
        what = f"{policy.algorithm.name} decides cell by cell, and might split their classes"
        names = ", ".join(algorithm.name for algorithm in BY_COLUMNS)
        raise EarlierReleaseError(known.numbers, what, f"Use one that does not: {names}.")
