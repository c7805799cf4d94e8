"""How unique people can be at most, against the values there are: each column set on the map."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.report.picture import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVE, LEVEL, ABOVE, BELOW = "#2c3e50", "#7f8c8d", "#c0392b", "#2980b9"
NAMED = 12
"""Sets that are named on the map: those with the highest bounds, unless a name is in the way."""

APART = 0.035
"""How far names must be apart, as a share of the map's height."""

POINTS = 400


def draw(facts: Mapping[str, Any], path: Path) -> None:
    """Draw the map into a file, whole or not at all."""
    save(figure(facts), path)


def figure(facts: Mapping[str, Any]) -> Figure:
    """The curve of theorems 1 and 2, the level alpha, and a point for each set of columns.

    ``facts`` is what :meth:`discreet.risk.alpha_table.AlphaTable.facts` gives. A set lies on the
    curve where its values are multiplied; a line leads down to an open circle where counting
    correlated columns together gave a lower bound.

    Notes
    -----
    [Lodha2008]_, fig. 1. *Departures*: both axes are logarithmic, for column sets lie many powers
    of ten apart.
    """
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = drawn.add_subplot()
    ratios = [one["multiplied"] / facts["population"] for one in facts["sets"]]
    low = min([0.01, *ratios]) / 3
    high = max([100.0, *ratios]) * 3
    across = [low * (high / low) ** (step / POINTS) for step in range(POINTS + 1)]
    axes.plot(across, [_curve(x) for x in across], color=CURVE, label="most that can be expected")
    alpha = facts["alpha"]
    axes.axhline(alpha, color=LEVEL, linestyle="--", label=f"alpha = {alpha:g}")
    for one in facts["sets"]:
        _point(axes, one, facts["population"])
    for one in _named(facts, math.log(2.0 / _curve(low))):
        _name(axes, one, facts["population"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(top=2.0)
    axes.set_xlabel("combinations of values for each person of the population (D / n)")
    axes.set_ylabel("share of people who are unique, at most")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False)
    return drawn


def _curve(ratio: float) -> float:
    return ratio / math.e if ratio <= 1 else math.exp(-1 / ratio)


def _named(facts: Mapping[str, Any], height: float) -> list[Mapping[str, Any]]:
    """The sets with the highest bounds whose names would not cover each other."""
    found: list[Mapping[str, Any]] = []
    for one in sorted(facts["sets"], key=lambda one: (-one["most_uniques"], one["columns"])):
        level = math.log(one["most_uniques"])
        near = (abs(level - math.log(other["most_uniques"])) for other in found)
        if len(found) < NAMED and all(gap > APART * height for gap in near):
            found.append(one)
    return found


def _point(axes: Any, one: Mapping[str, Any], population: int) -> None:
    """A set where its values are multiplied, and where they are counted together."""
    color = ABOVE if one["suspected"] else BELOW
    x, y = one["multiplied"] / population, one["most_uniques"]
    axes.plot([x], [y], "o", color=color, markersize=6, linestyle="none")
    if one["bound"] < y:
        inside = one["joined"]["distinct"] / population
        axes.plot([x, inside], [y, one["bound"]], color=color, linewidth=0.8)
        axes.plot([inside], [one["bound"]], "o", color=color, markerfacecolor="none")


def _name(axes: Any, one: Mapping[str, Any], population: int) -> None:
    columns = one["columns"]
    name = " + ".join(columns) if len(columns) <= 3 else f"{len(columns)} columns"
    x, y = one["multiplied"] / population, one["most_uniques"]
    shift = (2, -14) if x > 2 else (7, -4)
    axes.annotate(name, (x, y), xytext=shift, textcoords="offset points", ha="left", fontsize=7)
