"""The most identifying small sets of columns, a bar each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.report.picture import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


UNIQUE, DISTINCT, SEPARATED = "#c0392b", "#e6b0aa", "#2c3e50"
LONGEST = 60
"""Letters of a set's name that are drawn."""


def draw(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the sets into a file, whole or not at all."""
    save(figure(facts), path, replace)


def figure(facts: Mapping[str, Any]) -> Figure:
    """A bar for each set: rows that are unique by it, and distinct combinations, per row.

    ``facts`` is what ``discreet identify --json`` prints; drawn are its ``most_identifying`` sets.
    """
    from matplotlib.figure import Figure

    sets = facts["most_identifying"]
    drawn = Figure(figsize=(9.0, 1.8 + 0.28 * max(1, len(sets))), layout="constrained")
    axes = drawn.add_subplot()
    places = _places(sets)
    unique = [one["uniques"] / facts["rows"] for one in sets]
    axes.barh(
        places,
        [one["distinct_ratio"] for one in sets],
        color=DISTINCT,
        label="different combinations per row (distinct ratio)",
    )
    axes.barh(places, unique, height=0.4, color=UNIQUE, label="unique rows")
    axes.plot(
        [one["separation_ratio"] for one in sets],
        places,
        "|",
        color=SEPARATED,
        markersize=9,
        label="pairs of rows told apart (separation ratio)",
    )
    axes.set_yticks(places, [_name(one["columns"]) for one in sets], parse_math=False)
    axes.invert_yaxis()
    axes.margins(y=0.02)
    axes.set_xlim(0, 1.005)
    axes.set_xlabel(f"share, of {facts['rows']:,} rows or their pairs")
    axes.spines[["top", "right"]].set_visible(False)
    drawn.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return drawn


def _places(sets: list[dict[str, Any]]) -> list[float]:
    """Where the bars are: a gap where sets of another size begin."""
    places = list[float]()
    gap, size = 0.0, None
    for number, one in enumerate(sets):
        if size not in (None, len(one["columns"])):
            gap += 0.7
        size = len(one["columns"])
        places.append(number + gap)
    return places


def _name(columns: list[str]) -> str:
    name = " + ".join(columns)
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
