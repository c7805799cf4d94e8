"""Safe harbor of HIPAA: none of eighteen identifiers is released."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.parameters import require_file
from discreet.models.verdict import Verdict


@dataclass(frozen=True)
class SafeHarbor:
    """The released columns meet the rules about the eighteen identifiers of HIPAA.

    It asks nothing of classes, so no row is generalized or suppressed for it: the columns must meet
    the rules before rows are counted, or the release is refused by name.

    Parameters
    ----------
    as_of
        The day on which ages over 89 are looked at, such as 2026-11-16.
    zip_table
        People by three-digit ZIP prefix; the table of the package if not given.
    codes
        Columns that are codes assigned at random, not derived from the person (164.514(c)).

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2). *Departures*: what columns hold is judged by their names and
    values; that the data holder has no actual knowledge that the rest could identify somebody
    (ii) cannot be checked. *Cost*: none for classes; two passes over the rows when they are
    prepared, one when the release is verified.

    >>> SafeHarbor(as_of="2026-11-16").fails(Classes(np.array([1, 5]))).tolist()
    [False, False]
    """

    as_of: str
    zip_table: Path | None = None
    codes: tuple[str, ...] = ()

    name: ClassVar[str] = "safe_harbor"
    hereditary: ClassVar[bool] = True
    columns: ClassVar[None] = None
    sensitive: ClassVar[None] = None
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        from discreet.kinds.zip_area import ZipTable
        from discreet.safe_harbor.cutoff import iso_day

        object.__setattr__(self, "as_of", iso_day(self.as_of, self.name))
        if self.zip_table is not None:
            require_file(self.name, "zip_table", self.zip_table)
            object.__setattr__(self, "zip_table", Path(self.zip_table))
        ZipTable.load(self.zip_table)
        named = isinstance(self.codes, tuple) and all(isinstance(one, str) for one in self.codes)
        if not named:
            raise ParameterError(self.name, "codes", "a list of column names")

    def fails(self, classes: Classes) -> Mask:
        """No class fails: the rules are about columns."""
        return np.zeros(len(classes), dtype=np.bool_)

    def keepable(self, classes: Classes) -> Floats:
        """Every row may be released."""
        return classes.rows.astype(np.float64)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return 0

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"no column shows one of the eighteen identifiers of HIPAA, as of {self.as_of}, as far "
            "as names and values of columns tell"
        )

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """It holds: a table whose columns break a rule is refused before it is counted."""
        note = f"no rule is broken, as of {self.as_of}; it promises no k"
        return Verdict(self.name, True, 0, 0, 0, columns, note)
