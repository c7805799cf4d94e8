"""One answer of an exploration: plain facts, a frame of them, a table for notebooks, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass, format_count, render_html_table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

LINES: dict[str, tuple[str, str]] = {
    "node": ("columns", "column"),
    "around": ("cells", "cell"),
    "nearest": ("nodes", "node"),
    "risk": ("rows_by_class_size", "size of class"),
    "cost_of_k": ("costs", "class size"),
    "hierarchy": ("levels", "level"),
}
"""Where the facts of each kind have the list that a frame shows, and what one line of it is."""

MOST_SHOWN = 40
"""Lines of a table in a notebook."""


@dataclass(frozen=True, eq=False)
class View:
    """What was asked of an exploration; ``kind`` is the name of the method that was asked."""

    kind: str
    _facts: Mapping[str, Any]

    def __repr__(self) -> str:
        key, noun = LINES[self.kind]
        lines = len(self._facts[key])
        shown = format_count(lines, noun) if noun != "size of class" else f"{lines} class sizes"
        return f"View({self.kind}: {shown})"

    def _repr_html_(self) -> str:
        lines = self._list_lines()[:MOST_SHOWN]
        heads = list(lines[0]) if lines else []
        return render_html_table(repr(self), heads, [[*line.values()] for line in lines])

    def facts(self) -> dict[str, Any]:
        """The answer as plain data, ready for JSON."""
        return deepcopy(dict(self._facts))

    def to_pandas(self) -> pd.DataFrame:
        """The columns, cells, nodes, sizes, parts or whatever it lists, one a line."""
        import pandas as pd

        return pd.DataFrame(self._list_lines())

    def to_polars(self) -> pl.DataFrame:
        """The same as a polars frame."""
        import polars as pl

        return pl.DataFrame(self._list_lines())

    def svg(self) -> str:
        """The picture of the answer; its drawing knows pipelines, so it is loaded when asked."""
        drawn: str = import_module("discreet.reporting.explored").draw_view(self.kind, self._facts)
        return drawn

    def _list_lines(self) -> list[dict[str, Any]]:
        """One line each, with no lists in it; levels get a column of their own."""
        lines = self._facts[LINES[self.kind][0]]
        if self.kind == "hierarchy":
            lines = [{"level": one["level"], **part} for one in lines for part in one["parts"]]
        return [_flatten(line) for line in lines]


def _flatten(line: Mapping[str, Any]) -> dict[str, Any]:
    levels = line.get("levels") or {}
    rest = {key: one for key, one in line.items() if not isinstance(one, Mapping)}
    return {**{f"level of {name}": level for name, level in levels.items()}, **rest}
