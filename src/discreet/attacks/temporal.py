"""An earlier release of a table that has grown since."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.complementary import outcome
from discreet.attacks.joined import join
from discreet.attacks.meaning import Reading
from discreet.attacks.outcome import Outcome, not_applied
from discreet.display import dataclass


@dataclass(frozen=True)
class Temporal:
    """Rows that stand out once a release is put together with one from before rows were added.

    Parameters
    ----------
    quasi, k, policy
        As for :class:`~discreet.attacks.complementary.Complementary`.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3. The rows of the earlier release are among those of this one, as far
    as they can all be found there; those that are left are new. A new row is exposed if fewer than
    k rows can have its values: old rows in the same class do not hide it when the earlier release
    tells more of them. *Departures*: as for the complementary attack; rows that changed or went are
    rows without a partner. *Cost*: as there.

    >>> old = {"zip": ["0213*", "0213*"], "ill": ["flu", "gout"]}
    >>> new = {"zip": ["021**", "021**", "021**"], "ill": ["flu", "gout", "rash"]}
    >>> import pyarrow as pa
    >>> Temporal(("zip",))(pa.table(new), pa.table(old)).rows
    (3,)
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, earlier: Any) -> Outcome:
        """Find the rows of an earlier release in one that has more rows."""
        later, first = CodedRows.of(release), CodedRows.of(earlier)
        if later.rows <= first.rows:
            return not_applied("temporal", f"{later.name} has no more rows than {first.name}")
        found = join(first, later, self.quasi, Reading.by(self.policy), self.k)
        return outcome("temporal", found, self.k, (first.name, False))
