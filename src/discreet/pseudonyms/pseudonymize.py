"""Equivalence class substitution: identifiers give way to made-up ones, so that rows of a person
still belong together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import pyarrow as pa

from discreet.errors import ParameterError, UnknownColumnError
from discreet.pseudonyms.distinct import Distinct
from discreet.pseudonyms.formats.shape import Shape
from discreet.pseudonyms.key import checked_key
from discreet.pseudonyms.one_way import OneWay, Unfit
from discreet.table.read import read

if TYPE_CHECKING:
    from discreet.pseudonyms.formats.format import Format
    from discreet.pseudonyms.substituted import Substituted
    from discreet.replacement_key import ReplacementKey
    from discreet.table.table import Table


@dataclass(frozen=True)
class Pseudonymize:
    """One-way pseudonyms for columns that hold the same kind of identifier, such as a patient and
    the patient's mother. Missing values stay missing.

    Examples
    --------
    >>> from discreet.replacement_key import ReplacementKey
    >>> visits = read(pa.table({"patient": ["A17", "B04", "A17"], "cost": [3, 4, 5]}))
    >>> made = Pseudonymize(("patient",), ReplacementKey(bytes(32)))(visits)
    >>> rows = made.scan(native=made.columns).read_all().to_pydict()
    >>> rows["patient"][0] == rows["patient"][2] != rows["patient"][1], rows["cost"]
    (True, [3, 4, 5])

    Notes
    -----
    [Sweeney2001]_, sec. 6.1 (fig. 37) and 4.1 (fig. 17, substitution). *Departures*: see `OneWay`.
    It protects the identifier and nothing else: the other columns still link. *Cost*: the table
    is held in memory; a hash for each different identifier.
    """

    name: ClassVar[str] = "pseudonymize"
    protection: ClassVar[Literal["null-map"]] = "null-map"
    keeps: ClassVar[str] = "which rows have the same identifier, and its format"

    columns: tuple[str, ...]
    key: ReplacementKey
    format: Format = field(default_factory=Shape)
    domain: str = ""
    unfit: Unfit = "refuse"

    def __post_init__(self) -> None:
        if not isinstance(self.columns, tuple) or not self.columns:
            raise ParameterError(self.name, "columns", "a tuple of at least one column")
        checked_key(self.name, self.key)
        self._one_way()

    def __call__(self, table: Table, seed: int = 0) -> Table:
        """The table with pseudonyms; the key decides them, ``seed`` is there as in all techniques
        and changes nothing."""
        for column in self.columns:
            if column not in table.columns:
                raise UnknownColumnError(table.name, column, table.columns)
        rows = table.scan(native=table.columns).read_all()
        every = pa.concat_arrays([Distinct.of(rows[name], name).texts for name in self.columns])
        hide = self._one_way()
        notices = list(table.notices)
        for column in self.columns:
            place = rows.schema.get_field_index(column)
            made = hide(rows[column], every if len(self.columns) > 1 else None, column)
            rows = rows.set_column(place, column, made.values)
            notices += _said(column, made)
        return replace(read(rows), name=table.name, notices=tuple(notices))

    def _one_way(self) -> OneWay:
        return OneWay(self.key, self.format, self.domain, self.unfit)


def _said(column: str, made: Substituted) -> list[str]:
    """What the data holder should know of the pseudonyms of a column."""
    said = []
    if made.redrawn:
        said.append(
            f"column '{column}': {made.redrawn:,} identifiers had to draw again; they may have "
            "other pseudonyms beside other identifiers (a table with more or fewer people)."
        )
    if made.made_missing:
        said.append(
            f"column '{column}': {made.made_missing:,} of {made.distinct:,} different values were "
            "not of the format and are missing now."
        )
    return said
