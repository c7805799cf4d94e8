"""What all disclosure limitation techniques have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from discreet.table.table import Table

Protection = Literal["null-map", "wrong-map", "k-map"]
Turn = Literal["rows", "columns", "end"]
"""When a policy runs a technique: what chooses rows, what changes columns, what adds or moves rows.

Fewer rows make less work, and what adds or moves rows must not be counted on by what comes before.
"""
TURNS: tuple[Turn, ...] = ("rows", "columns", "end")


class Technique(Protocol):
    """One way to change a table so that it tells less about each person.

    A technique is a frozen dataclass of its parameters: `name` is how a policy writes it, `keeps`
    says in a sentence what stays the same. `protection` says which model of protection it works
    towards, not that the model holds: a release is checked for that as a whole. `truthful` says
    whether a released value still stands for the value of its own row, only coarser or blank: not
    drawn by chance, nor another row's. The columns that it changes, if it names any, are its
    parameter `columns`.

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
    def truthful(self) -> bool:
        """Whether released values stand for those of their own row; may hang on parameters."""
        ...

    def __call__(self, table: Table, seed: int) -> Table:
        """The changed table; the same table and seed give the same answer. The input is left."""
        ...
