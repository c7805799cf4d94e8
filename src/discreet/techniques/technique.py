"""The common interface of all disclosure limitation techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from discreet.table.table import Table

Protection = Literal["null-map", "wrong-map", "k-map"]
Turn = Literal["rows", "columns", "end"]
"""The stage of a technique in a policy: choosing rows, changing columns, adding or moving rows.

Fewer rows make less work, and what adds or moves rows must not be counted on by what comes before.
"""
TURNS: tuple[Turn, ...] = ("rows", "columns", "end")


class Technique(Protocol):
    """One way to change a table so that it reveals less about each person.

    A technique is a frozen dataclass of its parameters: `name` is how a policy writes it, `keeps`
    says in a sentence what stays the same. `protection` says which model of protection it works
    towards, not that the model holds: a release is checked for that as a whole. `truthful` says
    whether a released value still stands for the value of its own row, only coarser or blank: not
    drawn by chance, nor another row's. `columns` are those that it changes, none if it is about
    whole rows, and `done` says in a few words what becomes of them.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (the techniques) and sec. 4.3 (the protection models).
    *Departures*: none. *Cost*: each technique states its own.
    """

    name: ClassVar[str]
    protection: ClassVar[Protection]
    turn: ClassVar[Turn]
    keeps: ClassVar[str]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes; empty if it is about whole rows."""
        ...

    @property
    def by_chance(self) -> bool:
        """Whether it draws numbers: without the seed it cannot be run again."""
        ...

    @property
    def by_value(self) -> bool:
        """Whether a new value follows from the old one alone, so that any other file can have it.

        Then the values of a register can be changed in the same way, and compared.
        """
        ...

    @property
    def done(self) -> str:
        """A description of the change to a column, such as ``year only``, without its values."""
        ...

    @property
    def truthful(self) -> bool:
        """Whether released values describe their own row; may depend on parameters."""
        ...

    def __call__(self, table: Table, seed: int) -> Table:
        """The changed table; the same table and seed give the same answer. The input is left."""
        ...
