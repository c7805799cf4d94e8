"""What a check gets to see: the released rows counted by value, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.models.verdict import Verdict
from discreet.release.checks.classes import count_classes, count_values
from discreet.release.checks.session import Session
from discreet.table.table import Table

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Reference:
    """A whole table's distribution of one sensitive column, as the SQL table ``name``.

    The SQL table has ``value`` and ``q``, the share of all rows with that value. ``source`` tells
    the reader of a verdict where the shares come from.
    """

    name: str
    source: str


@dataclass(eq=False)
class Evidence:
    """The released rows of one file, counted once, with classes formed when a check asks.

    ``cells`` in the session holds every distinct combination of the columns that some check needs,
    as ``c0``, ``c1`` ... in the order of ``columns``, with ``n``, its number of rows. ``file`` is
    the released file itself, for promises about values; ``texts`` are its scrubbed columns,
    ``techniques`` names what the policy did to columns.
    """

    session: Session
    columns: tuple[str, ...]
    quasi: tuple[str, ...]
    rows: int
    wildcard: bool = False
    original: Table | None = None
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    file: Table | None = None
    texts: tuple[str, ...] = ()
    techniques: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _made: dict[tuple[object, ...], str] = field(default_factory=dict)

    def field_of(self, column: str) -> str:
        """The SQL name of a released column."""
        return f"c{self.columns.index(column)}"

    def quasi_of(self, model: Any) -> tuple[str, ...]:
        """The quasi-identifier a model speaks of: its own, or all quasi columns."""
        return self.quasi if model.columns is None else tuple(model.columns)

    def classes(self, quasi: Sequence[str]) -> str:
        """SQL table of the classes: ``id``, ``size`` (rows alike), ``members`` (rows counted here).

        The two differ only where missing values match anything: then each distinct tuple has the
        rows that match it as ``size`` and its own rows as ``members``.
        """
        key: tuple[object, ...] = ("classes", *sorted(quasi))
        if key not in self._made:
            name = f"classes_{len(self._made)}"
            fields = [self.field_of(column) for column in quasi]
            count_classes(self.session, name, fields, self.wildcard)
            self._made[key] = name
        return self._made[key]

    def values(self, quasi: Sequence[str], sensitive: str) -> str:
        """SQL table of each class's sensitive values: ``id``, ``value``, ``n`` rows."""
        key: tuple[object, ...] = ("values", sensitive, *sorted(quasi))
        if key not in self._made:
            classes, name = self.classes(quasi), f"values_{len(self._made)}"
            fields = [self.field_of(column) for column in quasi]
            value = self.field_of(sensitive)
            count_values(self.session, name, classes, fields, value, self.wildcard)
            self._made[key] = name
        return self._made[key]

    def reference(self, sensitive: str) -> Reference:
        """The distribution that classes are compared with: the private table's, if it was given."""
        source = (
            "compared with the distribution in the private table"
            if self.original is not None
            else "compared with the distribution in the released file itself, which differs from "
            "the private table's when rows were suppressed"
        )
        key: tuple[object, ...] = ("reference", sensitive)
        if key not in self._made:
            self._made[key] = f"reference_{len(self._made)}"
            self._count_reference(self._made[key], sensitive)
        return Reference(self._made[key], source)

    def _count_reference(self, name: str, sensitive: str) -> None:
        if self.original is None:
            counts = f"SELECT {self.field_of(sensitive)} AS value, n FROM cells"
        else:
            self.session.load("original_values", self.original, [sensitive])
            counts = "SELECT c0 AS value, n FROM original_values"
        self.session.run(
            f"CREATE TEMP TABLE {name} AS SELECT value, sum(n) / sum(sum(n)) OVER () AS q "
            f"FROM ({counts}) GROUP BY value"
        )
        self.session.run("DROP TABLE IF EXISTS original_values")

    def compared(self, values: str, whole: Reference) -> str:
        """SQL of the shares of each class's values beside the whole's: ``id``, ``p``, ``q``.

        A value that the whole lacks has a ``q`` of NULL.
        """
        return (
            f"(SELECT id, p, q FROM (SELECT id, value, n / sum(n) OVER (PARTITION BY id) AS p "
            f"FROM {values}) AS own LEFT JOIN {whole.name} AS whole "
            f"ON own.value IS NOT DISTINCT FROM whole.value)"
        )

    def judge(self, model: Any, measures: str, fails: str, worst: str = "max") -> tuple[float, int]:
        """The worst measure of all classes, and the rows of the classes for which ``fails``.

        ``measures`` is SQL that gives ``id`` and ``measured`` for each class.
        """
        classes = self.classes(self.quasi_of(model))
        found = self.session.row(
            f"SELECT {worst}(measured), coalesce(sum(members) FILTER (WHERE {fails}), 0) "
            f"FROM ({measures}) JOIN {classes} USING (id)"
        )
        return found[0] or 0, int(found[1])

    def verdict(
        self,
        model: Any,
        found: tuple[float, int],
        limit: float,
        note: str = "",
        holds: bool | None = None,
    ) -> Verdict:
        """A verdict on ``model``; it holds when no rows are at risk unless ``holds`` says so."""
        measured, at_risk = found
        notes = [note] if note else []
        if self.wildcard:
            notes.append("missing values match any value")
        if not self.rows:
            notes.append("no rows are released, so the promise is empty")
        return Verdict(
            model.name,
            at_risk == 0 if holds is None else holds,
            measured,
            limit,
            at_risk,
            self.quasi_of(model),
            "; ".join(notes),
        )
