"""A release that gives away no more together with earlier ones than by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from discreet.algorithms import Datafly, Optimal, Spalm
from discreet.algorithms.claims import require_claimed
from discreet.errors import EarlierReleaseError, LedgerError
from discreet.ledger.audience import audience, held_by
from discreet.ledger.beside import Beside
from discreet.ledger.hierarchies_now import HierarchiesNow
from discreet.ledger.hierarchy_hash import hierarchy_hash
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.ledger.recorded_release import RecordedRelease
from discreet.release.anonymize import counted_for, solved
from discreet.release.plan import problem_for
from discreet.release.policy import Policy
from discreet.table.read import read
from discreet.table.table import Table

THE_TABLE = "table"
"""The name of the table of a ledger that nobody named."""

BY_COLUMNS = (Optimal, Datafly, Spalm)
"""The algorithms that give every column one level."""

Progress = Callable[..., None]


def anonymize_again(
    table: Any,
    policy: Policy,
    ledger: Ledger,
    to: str,
    name: str = THE_TABLE,
    progress: Progress | None = None,
    removed: bool = False,
) -> RecordedRelease:
    """Find the least damaging release beside those that its recipients hold already.

    Parameters
    ----------
    table, policy, progress
        As :func:`discreet.anonymize` has them.
    ledger
        Opened by :meth:`Ledger.open`; it gets an entry when the release is written.
    to
        Who gets the release; ``public`` is everybody.
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
    require_claimed(policy.algorithm, policy.require)
    reader, name = audience(to), " ".join(name.split()).casefold()
    known = Known(held_by(ledger.releases(name), reader))
    _refuse_settings(ledger, policy)
    _refuse_algorithm(known, policy)
    source = table if isinstance(table, Table) else read(table)
    counted = counted_for(source, policy)
    known.refuse(policy)
    problem = problem_for(policy, counted.frequency)
    hierarchies = {hierarchy.column: hierarchy for hierarchy in problem.lattice.hierarchies}
    hashes = {
        column: hierarchy_hash(policy.columns[column].hierarchy, column, hierarchy.labels[0])
        for column, hierarchy in hierarchies.items()
    }
    if known.releases:
        now = HierarchiesNow(ledger.key, name, policy, hierarchies, hashes)
        now.refuse_changed(known.releases)
        beside = Beside(ledger, name, policy, problem, known)
        problem, solution, notes = beside.find(progress, removed)
    else:
        solution, notes = solved(problem, policy, progress), ()
    return RecordedRelease(
        source,
        policy,
        counted,
        problem,
        solution,
        time.perf_counter() - started,
        notes=notes,
        ledger=ledger,
        to=reader,
        name=name,
        known=known.numbers,
        hashes=hashes,
    )


def _refuse_settings(ledger: Ledger, policy: Policy) -> None:
    """Refuse what makes it impossible to say later which rows are in which class."""
    if policy.missing == "wildcard":
        what = "classes overlap under missing: wildcard, and cannot be told apart later"
        raise LedgerError(ledger.path, what, "Use missing: value.")
    if policy.suppressed_rows == "keep":
        what = "rows of * (suppressed_rows: keep) would show later which rows they were"
        raise LedgerError(ledger.path, what, "Use suppressed_rows: drop.")


def _refuse_algorithm(known: Known, policy: Policy) -> None:
    if known.releases and not isinstance(policy.algorithm, BY_COLUMNS):
        what = f"{policy.algorithm.name} decides cell by cell, and might split their classes"
        names = ", ".join(algorithm.name for algorithm in BY_COLUMNS)
        raise EarlierReleaseError(known.numbers, what, f"Use one that does not: {names}.")
