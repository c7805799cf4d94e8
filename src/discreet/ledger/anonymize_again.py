"""A release that gives away no more together with earlier ones than by itself."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from discreet.algorithms import CellSolution, Datafly, Fixed, Optimal, Problem, Solution, Spalm
from discreet.display import dataclass
from discreet.errors import DiscreetError, EarlierReleaseError, LedgerError
from discreet.frequency.count import Counted
from discreet.ledger.audience import (
    Audiences,
    choose_audience,
    find_joined_hands,
    fold_name,
    list_held_by,
    normalize_audience,
)
from discreet.ledger.entry import Entry, read_clock
from discreet.ledger.fingerprints import hash_generalizations, hash_released_classes
from discreet.ledger.hierarchies import HierarchiesNow, hash_hierarchies
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.ledger.search import Beside
from discreet.ledger.search_finer import Finer
from discreet.ledger.search_parts import BesideParts
from discreet.ledger.whole_table import count_whole_table
from discreet.pipeline.anonymize import Release, anonymize
from discreet.pipeline.part import Part
from discreet.pipeline.prepare import Prepared, warn_drawn_again
from discreet.pipeline.progress import Progress
from discreet.pipeline.search import run_algorithm
from discreet.pipeline.stages import Found
from discreet.policy.policy import Policy
from discreet.version import read_version

THE_TABLE = "table"
"""The name of the table of a ledger that nobody named."""

BY_COLUMNS = (Optimal, Datafly, Spalm, Fixed)
"""The algorithms that give every column one level."""


def anonymize_again(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    ledger: Ledger,
    to: str | None = None,
    name: str = THE_TABLE,
    progress: Progress | None = None,
    removed: bool = False,
    part: Part | None = None,
) -> Release:
    """Find the least damaging release, given those that its recipients already have.

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
    history = LedgerHistory(ledger, to, name, removed)
    return anonymize(table, policy, history=history, part=part, progress=progress)


@dataclass(frozen=True, eq=False)
class LedgerHistory:
    """What a ledger says about the releases of a table, for a further one ``to`` somebody."""

    ledger: Ledger
    to: str | None = None
    name: str = THE_TABLE
    removed: bool = False

    def recall(self, policy: Policy) -> Standing:
        """The releases that the recipients hold; refuses a policy incompatible with them."""
        reader, name = choose_audience(policy.recipient, self.to), fold_name(self.name)
        includes = tuple(normalize_audience(one, "includes") for one in policy.recipient.includes)
        audiences = self.ledger.audiences.include(reader, includes)
        known = Known(list_held_by(self.ledger.releases(name), reader, audiences))
        _refuse_settings(self.ledger, policy)
        _refuse_algorithm(known, policy)
        _refuse_people(known, policy)
        return Standing(self.ledger, name, reader, includes, audiences, known, policy, self.removed)


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a new release stands in a ledger: who gets it, and what they hold already.

    ``policy`` is the one of the whole table, before a part of it is taken.
    """

    ledger: Ledger
    name: str
    reader: str
    includes: tuple[str, ...]
    audiences: Audiences
    known: Known
    policy: Policy
    removed: bool

    def search(
        self,
        source: Prepared,
        policy: Policy,
        counted: Counted,
        problem: Problem,
        progress: Progress | None,
    ) -> Found:
        """The best release that keeps the promises together with what its recipients hold."""
        in_parts = bool(self.known.releases) and (source.part is not None or self.known.parts)
        if not in_parts:
            self.known.refuse(policy)
        hashes = hash_hierarchies(policy, problem.lattice.hierarchies)
        notes: tuple[str, ...] = ()
        solution: Solution | CellSolution
        if in_parts:
            rows = count_whole_table(
                self.ledger, self.name, source.whole, self.policy, self.known, source.part
            )
            problem, solution, notes = BesideParts(
                self.ledger, self.name, policy, counted.frequency, rows, self.known, source.part
            ).find(progress, self.removed)
        elif self.known.releases:
            problem, solution, notes = self._search_beside(policy, problem, hashes, progress)
        else:
            solution = run_algorithm(problem, policy, progress)
        record = LedgerRecord(self, policy, counted, problem, solution, hashes, source.part)
        return Found(problem, solution, (*notes, *self._write_notes(policy)), record)

    def _search_beside(
        self,
        policy: Policy,
        problem: Problem,
        hashes: Mapping[str, str],
        progress: Progress | None,
    ) -> tuple[Problem, Solution | CellSolution, tuple[str, ...]]:
        """The release of a whole table beside others: finer if that is safe, else coarser."""
        hierarchies = {one.column: one for one in problem.lattice.hierarchies}
        now = HierarchiesNow(self.ledger.key, self.name, policy, hierarchies, hashes)
        now.refuse_changed(self.known.releases)
        wider = self.audiences.list_wider(self.reader)
        finer = Finer(self.ledger.key, self.name, policy, problem, wider)
        solution = finer.find(self.known.releases)
        if solution is not None:
            return problem, solution, Finer.notes(self.known.releases)
        beside = Beside(self.ledger, self.name, policy, problem, self.known)
        return beside.find(progress, self.removed)

    def _write_notes(self, policy: Policy) -> tuple[str, ...]:
        """Notes on the earlier releases that do not depend on the new one."""
        hands = find_joined_hands(self.ledger.lines, self.audiences)
        drawn = warn_drawn_again(policy) if self.known.releases else ()
        return (*drawn, *map(str, hands))


@dataclass(frozen=True, eq=False)
class LedgerRecord:
    """The place of a release in its ledger, which gets an entry before the file appears.

    The entry is on disk before the file takes its name, and confirmed after. A run that is killed
    in between leaves an entry that nobody confirmed, which counts as a release; never the other way
    round. Only if the file certainly did not take its name is the entry withdrawn.
    """

    standing: Standing
    policy: Policy
    counted: Counted
    problem: Problem
    solution: Solution | CellSolution
    hashes: Mapping[str, str]
    part: Part | None = None
    _written: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ledger(self) -> Ledger:
        """Where it is remembered."""
        return self.standing.ledger

    @property
    def known(self) -> tuple[int, ...]:
        """The numbers of the earlier releases that its recipients hold."""
        return self.standing.known.numbers

    def facts(self) -> dict[str, Any]:
        """The place of the release in the ledger, as plain data."""
        return {
            "file": str(self.ledger.path),
            "number": self._written.get("number"),
            "to": self.standing.reader,
            "table": self.standing.name,
            "known": list(self.known),
        }

    def begin(self) -> None:
        """The release is about to be written, maybe once more."""
        self._written.clear()

    def draft(self, name: str, hidden: Path | None) -> None:
        """Take down what was written and verified, and is to appear under this name.

        A table of a database has no bytes of its own, and no hash.
        """
        file_hash = ""
        if hidden is not None:
            with hidden.open("rb") as file:
                file_hash = hashlib.file_digest(file, "sha256").hexdigest()
        self._written["entry"] = self.entry(name, file_hash)

    def entry(self, file: str, file_hash: str) -> Entry:
        """The ledger's entry for the release, written under this name."""
        name, folder = self.standing.name, self.ledger.path.absolute().parent
        # The promises without remarks, so that the same policy has the same hash.
        policy = self.policy.to_yaml(folder, comments=False)
        return Entry(
            number=self.ledger.next_number,
            time=read_clock(),
            table=name,
            to=self.standing.reader,
            version=read_version(),
            policy=policy,
            policy_hash=hashlib.sha256(policy.encode()).hexdigest(),
            columns=self._describe_columns(),
            algorithm=self.solution.algorithm,
            cells=isinstance(self.solution, CellSolution),
            rows=self.counted.total,
            rows_suppressed=self.solution.suppressed,
            file=file,
            file_hash=file_hash,
            classes=self._hash_classes(),
            part=None if self.part is None else self.part.spec(),
            unit=None if self.policy.people is None else "people",
        )

    def _hash_classes(self) -> dict[str, int]:
        """The sizes of the released classes; nothing is ever compared with those of people."""
        if self.policy.people is None:
            name = self.standing.name
            return hash_released_classes(self.ledger.key, name, self.problem, self.solution)
        return {secrets.token_hex(16): int(size) for size in self.solution.class_sizes}

    def enter(self) -> None:
        """Enter what was checked last in the ledger: from the next moment on it may be out."""
        self.ledger.include(self.standing.reader, self.standing.includes)
        entry = replace(self._written.pop("entry"), number=self.ledger.next_number)
        self._written["number"] = entry.number
        self.ledger.add(entry, confirmed=False)

    def withdraw(self) -> None:
        """Say in the ledger that what was entered last is not out."""
        number = self._written.pop("number", None)
        if number is not None and self.ledger.next_number > number:
            with suppress(DiscreetError):  # an entry too many restricts, it does not expose
                self.ledger.withdraw(number)

    def confirm(self) -> None:
        """Say in the ledger that what was entered last is out."""
        self.ledger.confirm(self._written["number"])

    def _describe_columns(self) -> dict[str, dict[str, Any]]:
        """Role of each column of the policy; level and hierarchy of quasi columns."""
        found: dict[str, dict[str, Any]] = {
            name: {"role": column.role.value} for name, column in self.policy.columns.items()
        }
        levels = dict(zip(self.problem.frequency.columns, self.solution.levels, strict=True))
        for hierarchy in self.problem.lattice.hierarchies:
            name = hierarchy.column
            level = levels[name]
            found[name] |= {"level": level, "hierarchy": self.hashes[name]}
            if level is not None and not isinstance(self.solution, CellSolution):
                key, table = self.ledger.key, self.standing.name
                found[name]["becomes"] = sorted(hash_generalizations(key, table, hierarchy, level))
        return found


def _refuse_people(known: Known, policy: Policy) -> None:
    """Refuse a release beside others where any of them counts people: one is all there may be."""
    counted = [entry.number for entry in known.releases if entry.unit == "people"]
    if not known.releases or (policy.people is None and not counted):
        return
    what = (
        "its recipients hold it, and where people are counted they may hold only one release: a "
        "person's record changes with every row, so two together may single out people who are "
        "alike in each"
    )
    fix = "Release to somebody else, or make a table with one row per person first."
    raise EarlierReleaseError(counted or known.numbers, what, fix)


def _refuse_settings(ledger: Ledger, policy: Policy) -> None:
    """Refuse what makes it impossible to say later which rows are in which class."""
    if policy.missing.wildcard:
        what = "classes overlap under missing: wildcard, and cannot be distinguished later"
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


def _refuse_algorithm(known: Known, policy: Policy) -> None:
    if known.releases and not isinstance(policy.algorithm, BY_COLUMNS):
        what = f"{policy.algorithm.name} decides cell by cell, and might split their classes"
        names = ", ".join(algorithm.name for algorithm in BY_COLUMNS)
        raise EarlierReleaseError(known.numbers, what, f"Use one that does not: {names}.")
