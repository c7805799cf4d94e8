"""A release that gives away no more together with earlier ones than by itself."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.algorithms import CellSolution, Datafly, Optimal, Problem, Solution, Spalm
from discreet.algorithms.claims import require_claimed
from discreet.display import dataclass
from discreet.errors import DiscreetError, EarlierReleaseError, LedgerError
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
from discreet.pipeline.part import Part, hide_counts, take_part
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.prepare import open_for, prepare_table
from discreet.pipeline.release import Release
from discreet.pipeline.search import count_for_policy, run_algorithm
from discreet.policy.at_level import fill_in_k
from discreet.policy.policy import Policy, settle_policy
from discreet.version import read_version

if TYPE_CHECKING:
    from discreet.table.atomic import Journal


# A release that is entered in a ledger before it appears.


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordedRelease(Release):
    """A release that its ledger remembers: whoever writes it enters it first.

    The entry is on disk before the file takes its name, and confirmed after. A run that is killed
    in between leaves an entry that nobody confirmed, which counts as a release; never the other way
    round. Only if the file certainly did not take its name is the entry withdrawn. Only
    :meth:`write` makes an entry: what :meth:`to_arrow` and the like hand out must not leave the
    house.
    """

    ledger: Ledger
    to: str
    name: str
    known: tuple[int, ...]
    hashes: Mapping[str, str]
    includes: tuple[str, ...] = ()
    _written: dict[str, Any] = field(default_factory=dict, repr=False)

    def write(self, path: str | Path, unprotected: bool = False, replace: bool = True) -> None:
        """Write the release whole, verified and entered in the ledger, or not at all."""
        self._written.clear()
        self._written["file"] = Path(path).name
        super().write(path, unprotected, replace)

    def facts(self) -> dict[str, Any]:
        """The facts of the release, and its place in the ledger."""
        place = {
            "file": str(self.ledger.path),
            "number": self._written.get("number"),
            "to": self.to,
            "table": self.name,
            "known": list(self.known),
        }
        return {**super().facts(), "ledger": place}

    def _check(self, written: Path | pa.Table) -> None:
        super()._check(written)
        if isinstance(written, Path):
            with written.open("rb") as file:
                file_hash = hashlib.file_digest(file, "sha256").hexdigest()
            self._written["entry"] = self.entry(self._written["file"], file_hash)

    @property
    def _journal(self) -> Journal:
        return self

    def entry(self, file: str, file_hash: str) -> Entry:
        """What the ledger will know of the release, written under this name."""
        policy = self.policy.to_yaml(self.ledger.path.absolute().parent)
        return Entry(
            number=self.ledger.next_number,
            time=read_clock(),
            table=self.name,
            to=self.to,
            version=read_version(),
            policy=policy,
            policy_hash=hashlib.sha256(policy.encode()).hexdigest(),
            columns=self._columns(),
            algorithm=self.solution.algorithm,
            cells=isinstance(self.solution, CellSolution),
            rows=self.counted.frequency.total,
            rows_suppressed=self.solution.suppressed,
            file=file,
            file_hash=file_hash,
            classes=hash_released_classes(self.ledger.key, self.name, self.problem, self.solution),
            part=None if self.part is None else self.part.spec(),
        )

    def enter(self) -> None:
        """Enter what was checked last in the ledger: from the next moment on it may be out."""
        self.ledger.include(self.to, self.includes)
        entry = replace_fields(self._written.pop("entry"), number=self.ledger.next_number)
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

    def _columns(self) -> dict[str, dict[str, Any]]:
        """Role of each column of the policy; level and hierarchy of quasi columns."""
        found: dict[str, dict[str, Any]] = {
            name: {"role": column.role.value} for name, column in self.policy.columns.items()
        }
        for hierarchy in self.problem.lattice.hierarchies:
            name = hierarchy.column
            level = self.levels[name]
            found[name] |= {"level": level, "hierarchy": self.hashes[name]}
            if level is not None and not isinstance(self.solution, CellSolution):
                steps = hash_generalizations(self.ledger.key, self.name, hierarchy, level)
                found[name]["becomes"] = sorted(steps)
        return found


THE_TABLE = "table"
"""The name of the table of a ledger that nobody named."""

BY_COLUMNS = (Optimal, Datafly, Spalm)
"""The algorithms that give every column one level."""

Progress = Callable[..., None]
Found = tuple[Problem, Solution | CellSolution, tuple[str, ...]]
"""The problem that was solved, its solution, and what there is to say of it."""


def anonymize_again(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    ledger: Ledger,
    to: str | None = None,
    name: str = THE_TABLE,
    progress: Progress | None = None,
    removed: bool = False,
    part: Part | None = None,
) -> RecordedRelease:
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
    started = time.perf_counter()
    policy = settle_policy(policy, table).for_recipient()
    require_claimed(policy.algorithm, policy.require)
    standing = Standing.of(ledger, policy, to, name)
    _refuse_settings(ledger, policy)
    _refuse_algorithm(standing.known, policy)
    whole, plain = open_for(table, policy), policy
    asked = take_part(whole, policy, part)
    source = prepare_table(asked.table, asked.policy, asked.whole)
    with hide_counts(part, asked.policy):
        counted = count_for_policy(source, asked.policy)
        policy = fill_in_k(asked.policy, counted.frequency.total, source.name)
    in_parts = bool(standing.known.releases) and (part is not None or standing.known.parts)
    if not in_parts:
        standing.known.refuse(policy)
    problem = plan_problem(policy, counted.frequency)
    hashes = hash_hierarchies(policy, problem.lattice.hierarchies)
    if in_parts:
        rows = count_whole_table(ledger, standing.name, whole, plain, standing.known, part)
        found = BesideParts(
            ledger, standing.name, policy, counted.frequency, rows, standing.known, part
        ).find(progress, removed)
    elif standing.known.releases:
        found = standing.beside(policy, problem, hashes, progress, removed)
    else:
        with hide_counts(part, policy):
            found = problem, run_algorithm(problem, policy, progress), ()
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
        reader, name = choose_audience(policy.recipient, to), fold_name(name)
        includes = tuple(normalize_audience(one, "includes") for one in policy.recipient.includes)
        audiences = ledger.audiences.joined(reader, includes)
        known = Known(list_held_by(ledger.releases(name), reader, audiences))
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
        hands = find_joined_hands(self.ledger.lines, self.audiences)
        return (*_drawn_again(policy, self.known), *map(str, hands))


def _refuse_settings(ledger: Ledger, policy: Policy) -> None:
    """Refuse what makes it impossible to say later which rows are in which class."""
    if policy.missing == "wildcard":
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


def _drawn_again(policy: Policy, known: Known) -> tuple[str, ...]:
    """Say that two draws for the same people tell more than one."""
    techniques = policy.techniques or any(one.technique for one in policy.columns.values())
    if not known.releases or not techniques:
        return ()
    from discreet.pipeline.prepare import warn_drawn_again

    return warn_drawn_again(policy)


def _refuse_algorithm(known: Known, policy: Policy) -> None:
    if known.releases and not isinstance(policy.algorithm, BY_COLUMNS):
        what = f"{policy.algorithm.name} decides cell by cell, and might split their classes"
        names = ", ".join(algorithm.name for algorithm in BY_COLUMNS)
        raise EarlierReleaseError(known.numbers, what, f"Use one that does not: {names}.")
