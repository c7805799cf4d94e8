"""k-map: every released row fits at least k people of a register."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.model import LeftOut
from discreet.models.parameters import require_file, require_names
from discreet.models.register_check import check_k_map
from discreet.models.register_refusals import make_size_error
from discreet.models.verdict import Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence


@dataclass(frozen=True)
class KMap:
    """Every released row fits at least ``k`` people of the register.

    Rows are counted in the register, not in the table: a row that is alone in the release is safe
    if its values fit many whom the intruder could mean. It is worth no more than the register:
    someone who knows who is in the table is not stopped by it.

    Parameters
    ----------
    k
        How many people of the register each released row must fit.
    register
        The file with the people whom the intruder knows of, a row each.
    names
        The register's name of each quasi column that is called otherwise there.
    columns
        All quasi columns; a register is not joined on some of them.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, k-map. *Departures*: none. *Cost*: one pass over the register; one
    comparison a class.

    >>> classes = Classes(np.array([1, 2]), tallies={KMap(3, Path("people.csv")).tally: [5.0, 2.0]})
    >>> KMap(3, Path("people.csv")).fails(classes).tolist()
    [False, True]
    """

    k: int = field(metadata=within(1, whole=True))
    register: Path
    names: dict[str, str] | None = None
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "k_map"
    hereditary: ClassVar[bool] = True
    least_rows: ClassVar[int] = 1
    key: ClassVar[None] = None

    def __post_init__(self) -> None:
        check_range(self, "k")
        require_file(self.name, "register", self.register)
        require_names(self.name, "names", self.names)
        object.__setattr__(self, "register", Path(self.register))

    @property
    def sensitive(self) -> None:
        """None: it does not use sensitive values."""
        return None

    @property
    def tally(self) -> str:
        """The name of the counts of the register."""
        return f"register {self.register} {sorted((self.names or {}).items())}"

    def check_size(self, rows: int, register: int) -> None:
        """Refuse a register of fewer than k people."""
        if register < self.k:
            raise make_size_error(self.register, f"has {register:,} rows, k is {self.k:,}")

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that fit too few people."""
        return np.asarray(classes.tallies[self.tally]) < self.k

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release."""
        return np.where(self.fails(classes), 0.0, classes.rows)

    def judge_left_out(self, classes: Classes, fails: Mask) -> LeftOut:
        """Whoever is left out fits no row at all."""
        return LeftOut(True, 0)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"every row fits at least {self.k:,} people of {self.register.name}"

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_k_map(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the fewest people whom a released class fits."""
        released = classes.select(classes.rows > 0)
        people = np.asarray(released.tallies[self.tally])
        failing = self.fails(released)
        fewest = int(people.min()) if len(released) else 0
        return Verdict(
            self.name,
            not failing.any(),
            fewest,
            self.k,
            int(released.rows[failing].sum()),
            columns,
            "" if len(released) else "no rows are released, so the promise is empty",
        )
