"""A release that is entered in a ledger before it appears."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.algorithms.cell_solution import CellSolution
from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.ledger.entry import Entry, now
from discreet.ledger.fingerprints import released_classes
from discreet.ledger.generalizations import generalizations
from discreet.ledger.ledger import Ledger
from discreet.release.release import Release
from discreet.version import read_version

if TYPE_CHECKING:
    from discreet.table.atomic import Journal


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
            time=now(),
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
            classes=released_classes(self.ledger.key, self.name, self.problem, self.solution),
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
                steps = generalizations(self.ledger.key, self.name, hierarchy, level)
                found[name]["becomes"] = sorted(steps)
        return found
