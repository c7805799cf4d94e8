"""Anonymity levels of a column: the width that each takes, and the rows that it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.report.picture import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR, LIMIT = "C0", "#c0392b"
LONGEST = 60
"""Letters of the widths that are drawn beneath a bar; else the table has to be read."""


def draw(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw every table into one file, whole or not at all."""
    save(figure(facts), path, replace)


def figure(facts: Mapping[str, Any]) -> Figure:
    """One row a table: a bar of the share left out for each level, beneath it k and the widths.

    ``facts`` is what ``discreet levels --json`` prints.
    """
    from matplotlib.figure import Figure

    tables = facts["tables"]
    wide = max(len(table["levels"]) for table in tables)
    drawn = Figure(figsize=(max(6.0, 1.1 * wide), 3.4 * len(tables)), layout="constrained")
    for place, table in enumerate(tables, start=1):
        _draw_table(drawn.add_subplot(len(tables), 1, place), table)
    return drawn


def _draw_table(axes: Axes, table: Mapping[str, Any]) -> None:
    levels = table["levels"]
    places = range(len(levels))
    axes.bar(places, [100 * one["share_dropped"] for one in levels], color=BAR, width=0.6)
    limit = 100 * table["most_dropped"]
    axes.axhline(limit, color=LIMIT, linewidth=0.8)
    axes.set_xticks(list(places), [_beneath(one) for one in levels], fontsize=8, parse_math=False)
    axes.set_ylabel("% of rows left out")
    beside = f", with {', '.join(table['with'])}" if table["with"] else ""
    rows = f"{table['rows']:,} rows, at most {limit:g} % left out"
    title = f"{', '.join(table['columns'])}{beside}: {rows}"
    axes.set_title(title, loc="left", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)


def _beneath(one: Mapping[str, Any]) -> str:
    """The level, its k and the width of each column, one a line."""
    found = (one["width"] or {}).values()
    widths = "\n".join(width["name"] for width in found) or "none is enough"
    shown = widths if len(widths) <= LONGEST else "see the table"
    return f"A = {one['level']:g}\nk = {one['k']:,}\n{shown}"
