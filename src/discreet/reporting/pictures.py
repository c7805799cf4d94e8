"""How every picture gets into a file: whole or not at all, and the same for the same facts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import MissingExtraError
from discreet.table.atomic import open_hidden_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


ENDINGS = (".svg", ".png", ".pdf")

UNDATED: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""What keeps the date out of a file, so that the same facts give the same picture."""


def require_plots() -> None:
    """Refuse before any work is done where nothing can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("a picture", "plots") from None


def save_picture(figure: Figure, path: Path, replace: bool = True) -> None:
    """Write a picture of the kind that the file's ending says."""
    from matplotlib import rc_context

    kind = path.suffix[1:].casefold()
    with (
        open_hidden_file(path, path.suffix, replace=replace) as part,
        rc_context({"svg.hashsalt": "discreet"}),
    ):
        figure.savefig(part, format=kind, dpi=150, metadata=UNDATED.get(kind))


# Protection against detail: one point an algorithm.


BROKEN, BOUND = "#c0392b", "#7f8c8d"
MARKERS = "osD^vP*Xph<>"


def draw_comparison(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw a comparison into a file, whole or not at all."""
    save_picture(plot_comparison(facts), path, replace)


def plot_comparison(facts: Mapping[str, Any]) -> Figure:
    """A comparison: detail to the right, protection upwards; broken promises in red.

    ``facts`` is what :meth:`discreet.pipeline.compare.Comparison.facts` gives.
    """
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = drawn.add_subplot()
    for place, one in enumerate(facts["results"]):
        _point(axes, one, place)
    _bound(axes, facts)
    _draw_asked_k(axes, facts)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.margins(x=0.08, y=0.15)
    axes.set_ylim(bottom=0.8)
    axes.set_xlabel("detail: granularity (1 = untouched)")
    axes.set_ylabel("protection: rows in the smallest class")
    axes.spines[["top", "right"]].set_visible(False)
    if facts["results"]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return drawn


def _point(axes: Any, one: Mapping[str, Any], place: int) -> None:
    """A filled point if the policy is kept, an empty red one if not."""
    holds = one["holds"]
    axes.plot(
        one["measures"]["granularity"],
        one["smallest_class"] or 1,
        MARKERS[place % len(MARKERS)],
        markersize=9,
        color=f"C{place % 10}" if holds else BROKEN,
        markerfacecolor=f"C{place % 10}" if holds else "none",
        linestyle="none",
        label=one["title"] if holds else f"{one['title']}: policy broken",
    )


def _bound(axes: Any, facts: Mapping[str, Any]) -> None:
    """The most detail that any cell-level release can keep, where the measure says so."""
    if facts["measure"] != "granularity":
        return
    bounds = [one["optimal"]["bound"] for one in facts["results"] if _is_recoded_by_cell(one)]
    known = [bound for bound in bounds if bound is not None]
    if known:
        axes.axvline(min(known), color=BOUND, linestyle="--", label="bound on cell level")


def _draw_asked_k(axes: Any, facts: Mapping[str, Any]) -> None:
    """The smallest class that the policy allows."""
    verdicts = [verdict for one in facts["results"][:1] for verdict in one["verdicts"]]
    sizes = [v["limit"] for v in verdicts if v["model"] == "k_anonymity"]
    if sizes:
        label = f"k = {max(sizes):g} is asked for"
        axes.axhline(max(sizes), color=BOUND, linestyle=":", zorder=0, label=label)


def _is_recoded_by_cell(one: Mapping[str, Any]) -> bool:
    return None in one["levels"].values() and bool(one["holds"])


# Anonymity levels of a column: the width that each takes, and the rows that it leaves out.


BAR, LIMIT = "C0", "#c0392b"
LONGEST = 60
"""Letters of the widths that are drawn beneath a bar; else the table has to be read."""


def draw_levels(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw every table into one file, whole or not at all."""
    save_picture(plot_levels(facts), path, replace)


def plot_levels(facts: Mapping[str, Any]) -> Figure:
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
    axes.set_xticks(
        list(places), [_label_level(one) for one in levels], fontsize=8, parse_math=False
    )
    axes.set_ylabel("% of rows left out")
    beside = f", with {', '.join(table['with'])}" if table["with"] else ""
    rows = f"{table['rows']:,} rows, at most {limit:g} % left out"
    title = f"{', '.join(table['columns'])}{beside}: {rows}"
    axes.set_title(title, loc="left", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)


def _label_level(one: Mapping[str, Any]) -> str:
    """The level, its k and the width of each column, one a line."""
    found = (one["width"] or {}).values()
    widths = "\n".join(width["name"] for width in found) or "none is enough"
    shown = widths if len(widths) <= LONGEST else "see the table"
    return f"A = {one['level']:g}\nk = {one['k']:,}\n{shown}"


# The most identifying small sets of columns, a bar each.


UNIQUE, DISTINCT, SEPARATED = "#c0392b", "#e6b0aa", "#2c3e50"
LONGEST_SET_NAME = 60
"""Letters of a set's name that are drawn."""


def draw_identifying_sets(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the sets into a file, whole or not at all."""
    save_picture(plot_identifying_sets(facts), path, replace)


def plot_identifying_sets(facts: Mapping[str, Any]) -> Figure:
    """A bar for each set: rows that are unique by it, and distinct combinations, per row.

    ``facts`` is what ``discreet identify --json`` prints; drawn are its ``most_identifying`` sets.
    """
    from matplotlib.figure import Figure

    sets = facts["most_identifying"]
    drawn = Figure(figsize=(9.0, 1.8 + 0.28 * max(1, len(sets))), layout="constrained")
    axes = drawn.add_subplot()
    places = _place_bars(sets)
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
        label="pairs of rows that differ (separation ratio)",
    )
    axes.set_yticks(places, [_name(one["columns"]) for one in sets], parse_math=False)
    axes.invert_yaxis()
    axes.margins(y=0.02)
    axes.set_xlim(0, 1.005)
    axes.set_xlabel(f"share, of {facts['rows']:,} rows or their pairs")
    axes.spines[["top", "right"]].set_visible(False)
    drawn.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return drawn


def _place_bars(sets: list[dict[str, Any]]) -> list[float]:
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
    return name if len(name) <= LONGEST_SET_NAME else f"{name[: LONGEST_SET_NAME - 1]}…"


# Uniqueness against group size: exact, approximate, and as if all values were equally likely.


LINES = (
    ("exact", "drawn one by one: exact", "C0", "-"),
    ("approximation", "drawn one by one: by kappa (Koot et al.)", "C1", "--"),
    ("formula_3", "drawn one by one: Poisson groups (formula 3)", "C2", ":"),
    ("uniform", "if all values were equally likely", "#7f8c8d", "-."),
    ("different_rows", "different rows of this table: exact", "C3", "-"),
)

LONGEST_CURVE_NAME = 70
"""Letters of the columns' names that are drawn; else their number is."""


def draw_uniqueness(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the curve into a file, whole or not at all."""
    save_picture(plot_uniqueness(facts), path, replace)


def plot_uniqueness(facts: Mapping[str, Any]) -> Figure:
    """The curve of a column set: group size to the right, the chance that all differ upwards.

    ``facts`` is what ``discreet risk --json`` prints; its ``uniqueness`` has the curve.
    """
    from matplotlib.figure import Figure

    found = facts["uniqueness"]
    drawn = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = drawn.add_subplot()
    for key, label, colour, line in LINES:
        points = [(one["group"], one[key]) for one in found["curve"] if one[key] is not None]
        if points:
            groups, chances = zip(*points, strict=True)
            axes.plot(groups, chances, color=colour, linestyle=line, label=label)
    axes.axhline(found["level"], color="#bdc3c7", linewidth=0.8)
    axes.axvline(found["group_size"], color="#bdc3c7", linewidth=0.8)
    axes.set_ylim(-0.02, 1.05)
    axes.set_xlim(left=1)
    axes.set_xlabel("people in the group")
    axes.set_ylabel("chance that everybody in it differs")
    title = f"{_name_curve(facts['columns'])}: kappa {found['kappa']:.4g}"
    axes.set_title(title, loc="left", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    drawn.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return drawn


def _name_curve(columns: list[str]) -> str:
    name = ", ".join(columns)
    return name if len(name) <= LONGEST_CURVE_NAME else f"{len(columns)} columns"


# How unique people can be at most, against the values there are: each column set on the map.


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


def draw_alpha_map(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the map into a file, whole or not at all."""
    save_picture(plot_alpha_map(facts), path, replace)


def plot_alpha_map(facts: Mapping[str, Any]) -> Figure:
    """The curve of theorems 1 and 2, the level alpha, and a point for each set of columns.

    ``facts`` is what :meth:`AlphaTable.facts` gives. A set lies on the
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
    axes.plot(
        across, [_bound_share(x) for x in across], color=CURVE, label="most that can be expected"
    )
    alpha = facts["alpha"]
    axes.axhline(alpha, color=LEVEL, linestyle="--", label=f"alpha = {alpha:g}")
    for one in facts["sets"]:
        _draw_alpha_point(axes, one, facts["population"])
    bottom = min([_bound_share(low), *(one["bound"] / 2 for one in facts["sets"])])
    for one in _choose_named_sets(facts, math.log(high / low), -math.log(bottom)):
        _name_alpha_point(axes, one, facts["population"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(bottom, bottom**-HEADROOM)
    axes.set_yticks([tick for tick in axes.get_yticks() if bottom <= tick <= 1])
    axes.set_yticks([], minor=True)
    axes.spines["left"].set_bounds(bottom, 1)
    axes.set_xlabel("combinations of values for each person of the population (D / n)")
    axes.set_ylabel("share of people who are unique, at most")
    axes.spines[["top", "right"]].set_visible(False)
    _draw_legend(axes)
    return drawn


def _draw_legend(axes: Any) -> None:
    """What the points mean, beside the lines."""
    axes.plot([], [], "o", color=ABOVE, label="may be a quasi-identifier")
    axes.plot([], [], "o", color=BELOW, label="not expected to be one")
    axes.plot([], [], "o", color=LEVEL, markerfacecolor="none", label="correlated columns counted")
    axes.legend(loc="lower right", frameon=False, fontsize=8)


def _bound_share(ratio: float) -> float:
    return ratio / math.e if ratio <= 1 else math.exp(-1 / ratio)


def _choose_named_sets(
    facts: Mapping[str, Any], width: float, height: float
) -> list[Mapping[str, Any]]:
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


def _draw_alpha_point(axes: Any, one: Mapping[str, Any], population: int) -> None:
    """A set where its values are multiplied, and where they are counted together."""
    color = ABOVE if one["suspected"] else BELOW
    x, y = one["multiplied"] / population, one["most_uniques"]
    axes.plot([x], [y], "o", color=color, markersize=6, linestyle="none")
    if one["bound"] < y:
        inside = one["joined"]["distinct"] / population
        axes.plot([x, inside], [y, one["bound"]], color=color, linewidth=0.8)
        axes.plot([inside], [one["bound"]], "o", color=color, markerfacecolor="none")


def _name_alpha_point(axes: Any, one: Mapping[str, Any], population: int) -> None:
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
