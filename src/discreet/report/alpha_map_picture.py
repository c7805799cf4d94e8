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
NAMED = 16
"""Sets that are named on the map: those with the highest bounds, unless a name is in the way."""

APART = 0.035
"""How far names must be apart, as a share of the map's height, or of its width where it is flat."""

FLAT = 1.0
"""Combinations for each person from which on the curve is flat, and names stand above it."""

HEADROOM = 0.2
"""Room above 1 for names, as a share of the map below it."""

POINTS = 400


def draw(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the map into a file, whole or not at all."""
    save(figure(facts), path, replace)


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
    bottom = min([_curve(low), *(one["bound"] / 2 for one in facts["sets"])])
    for one in _named(facts, math.log(high / low), -math.log(bottom)):
        _name(axes, one, facts["population"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(bottom, bottom**-HEADROOM)
    axes.set_yticks([tick for tick in axes.get_yticks() if bottom <= tick <= 1])
    axes.set_yticks([], minor=True)
    axes.spines["left"].set_bounds(bottom, 1)
    axes.set_xlabel("combinations of values for each person of the population (D / n)")
    axes.set_ylabel("share of people who are unique, at most")
    axes.spines[["top", "right"]].set_visible(False)
    _legend(axes)
    return drawn


def _legend(axes: Any) -> None:
    """What the points mean, beside the lines."""
    axes.plot([], [], "o", color=ABOVE, label="may be a quasi-identifier")
    axes.plot([], [], "o", color=BELOW, label="not expected to be one")
    axes.plot([], [], "o", color=LEVEL, markerfacecolor="none", label="correlated columns counted")
    axes.legend(loc="lower right", frameon=False, fontsize=8)


def _curve(ratio: float) -> float:
    return ratio / math.e if ratio <= 1 else math.exp(-1 / ratio)


def _named(facts: Mapping[str, Any], width: float, height: float) -> list[Mapping[str, Any]]:
    """The sets with the highest bounds whose names would not cover each other."""
    found: list[tuple[bool, float]] = []
    named: list[Mapping[str, Any]] = []
    for one in sorted(facts["sets"], key=lambda one: (-one["most_uniques"], one["columns"])):
        ratio = one["multiplied"] / facts["population"]
        flat = ratio > FLAT
        place = math.log(ratio) / width if flat else math.log(one["most_uniques"]) / height
        near = any(flat is other and abs(place - there) < APART for other, there in found)
        if len(named) < NAMED and not near:
            found.append((flat, place))
            named.append(one)
    return named


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
    """To the right of the point; above it, and rising, where the curve is flat."""
    columns = one["columns"]
    name = " + ".join(columns) if len(columns) <= 3 else f"{len(columns)} columns"
    x, y = one["multiplied"] / population, one["most_uniques"]
    flat = x > FLAT
    axes.annotate(
        name,
        (x, y),
        xytext=(0, 6) if flat else (7, -4),
        textcoords="offset points",
        rotation=25 if flat else 0,
        rotation_mode="anchor",
        fontsize=7,
        parse_math=False,
    )
