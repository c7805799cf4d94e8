"""What all disclosure limitation techniques have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from discreet.table.table import Table

Protection = Literal["null-map", "wrong-map", "k-map"]


class Technique(Protocol):
    """One way to change a table so that it tells less about each person.

    A technique is a frozen dataclass of its parameters: `name` is how a policy writes it, `keeps`
    says in a sentence what stays the same. `protection` says which model of protection it works
    towards, not that the model holds: a release is checked for that as a whole.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (the techniques) and sec. 4.3 (the protection models).
    *Departures*: none. *Cost*: each technique states its own.
    """

    name: ClassVar[str]
    protection: ClassVar[Protection]
    keeps: ClassVar[str]

    def __call__(self, table: Table, seed: int) -> Table:
        """The changed table; the same table and seed give the same answer. The input is left."""
        ...
