"""The pictures of commands, and how each gets into a file: whole or not at all.

Every picture is drawn as SVG; PNG and PDF are made from the same SVG. The same facts give the same
bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.errors import MissingExtraError
from discreet.reporting.charts.bars import Limit, Series, draw_bars
from discreet.reporting.charts.canvas import Canvas
from discreet.reporting.charts.pdf import write_pdf
from discreet.reporting.charts.xy import Axis, Line, Point, Rule, draw_xy
from discreet.reporting.numbers import format_number, format_share
from discreet.table.atomic import open_hidden_file

ENDINGS = (".svg", ".png", ".pdf")
ZOOM = 2
"""Dots of a PNG for each point of the drawing."""


def require_plots(path: Path) -> None:
    """Refuse before any work is done where a file of this kind cannot be drawn."""
    if path.suffix.casefold() == ".png":
        _find_png_writer()


def _find_png_writer() -> Callable[..., bytes]:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError("a picture in PNG", "plots") from None
    return svg_to_bytes


def save_picture(
    canvas: Canvas, title: str, description: str, path: Path, replace: bool = True
) -> None:
    """Write a picture of the kind that the file's ending says."""
    svg = canvas.render_alone(title, description)
    kind = path.suffix.casefold()
    if kind == ".png":
        content = bytes(_find_png_writer()(svg_string=svg, zoom=ZOOM, background="#ffffff"))
    elif kind == ".pdf":
        content = write_pdf(svg)
    else:
        content = svg.encode()
    with open_hidden_file(path, path.suffix, replace=replace) as part:
        part.write_bytes(content)


# Protection against detail: one point an algorithm.


def draw_comparison(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw a comparison into a file, whole or not at all."""
    description = "Detail to the right, protection upwards; algorithms that break the policy hollow"
    save_picture(plot_comparison(facts), "Algorithms compared", description, path, replace)


def plot_comparison(facts: Mapping[str, Any]) -> Canvas:
    """A comparison: detail to the right, protection upwards; broken promises hollow.

    ``facts`` is what :meth:`discreet.pipeline.compare.Comparison.facts` gives.
    """
    points = [
        Point(
            one["measures"]["granularity"],
            one["smallest_class"] or 1,
            place,
            hollow=not one["holds"],
            label=one["title"] if one["holds"] else f"{one['title']}: policy broken",
        )
        for place, one in enumerate(facts["results"])
    ]
    asked = _find_asked_k(facts)
    bound = _find_bound(facts)
    detail = [point.x for point in points] + ([bound] if bound is not None else [])
    low, high = min([*detail, 1.0]), max([*detail, 0.0])
    spare = max((high - low) * 0.08, 0.02)
    highest = max([point.y for point in points] + [asked or 1]) * 2
    rules = [Rule("y", asked, f"k = {asked:g} is asked for")] if asked else []
    rules += [Rule("x", bound, "bound on cell level")] if bound is not None else []
    return draw_xy(
        "comparison",
        Axis("detail: granularity (1 = untouched)", max(low - spare, 0), min(high + spare, 1)),
        Axis("protection: rows in the smallest class", 0.8, highest, base=2),
        points=points,
        rules=rules,
    )


def _find_bound(facts: Mapping[str, Any]) -> float | None:
    """The most detail that any cell-level release can keep, where the measure says so."""
    if facts["measure"] != "granularity":
        return None
    bounds = [one["optimal"]["bound"] for one in facts["results"] if _is_recoded_by_cell(one)]
    return min((bound for bound in bounds if bound is not None), default=None)


def _find_asked_k(facts: Mapping[str, Any]) -> float | None:
    """The smallest class that the policy allows."""
    verdicts = [verdict for one in facts["results"][:1] for verdict in one["verdicts"]]
    return max((v["limit"] for v in verdicts if v["model"] == "k_anonymity"), default=None)


def _is_recoded_by_cell(one: Mapping[str, Any]) -> bool:
    return None in one["levels"].values() and bool(one["holds"])


# Anonymity levels of a column: the width that each takes, and the rows that it leaves out.


LONGEST = 60
"""Letters of the widths that are drawn next to a bar; else the table has to be read."""


def draw_levels(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw every table into one file, whole or not at all."""
    description = "The share of rows that each anonymity level leaves out, with its k and widths"
    save_picture(plot_levels(facts), "Anonymity levels", description, path, replace)


def plot_levels(facts: Mapping[str, Any]) -> Canvas:
    """One part a table: a bar of the share left out for each level, next to it k and the widths.

    ``facts`` is what ``discreet levels --json`` prints.
    """
    return stack([_draw_table(place, table) for place, table in enumerate(facts["tables"])])


def _draw_table(place: int, table: Mapping[str, Any]) -> Canvas:
    limit = table["most_dropped"]
    beside = f", with {', '.join(table['with'])}" if table["with"] else ""
    rows = f"{table['rows']:,} rows"
    shares = [one["share_dropped"] for one in table["levels"]]
    return draw_bars(
        f"levels-{place}",
        [_label_level(one) for one in table["levels"]],
        [Series("rows left out", shares)],
        axis="share of rows left out",
        write=format_share,
        limit=Limit(f"at most {format_share(limit)}", limit),
        heading=f"{', '.join(table['columns'])}{beside}: {rows}",
        label_lines=2,
    )


def _label_level(one: Mapping[str, Any]) -> str:
    """The level, its k and the width of each column."""
    found = (one["width"] or {}).values()
    widths = ", ".join(width["name"] for width in found) or "none is enough"
    shown = widths if len(widths) <= LONGEST else "see the table"
    return f"A = {one['level']:g}, k = {one['k']:,}: {shown}"


def stack(parts: Sequence[Canvas], gap: float = 20) -> Canvas:
    """Pictures beneath each other, as one."""
    found = Canvas(parts[0].name, max(part.width for part in parts), 0)
    for part in parts:
        found.shapes += [f'<g transform="translate(0 {found.height:g})">', *part.shapes, "</g>"]
        found.hatched |= part.hatched
        found.height = round(found.height + part.height + gap, 1)
    found.height -= gap
    return found


# The most identifying small sets of columns, a bar each.


def draw_identifying_sets(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the sets into a file, whole or not at all."""
    description = f"How far each set of columns tells {facts['rows']:,} rows apart"
    save_picture(plot_identifying_sets(facts), "Identifying columns", description, path, replace)


def plot_identifying_sets(facts: Mapping[str, Any]) -> Canvas:
    """A bar for each set: rows that are unique by it, and distinct combinations, per row.

    ``facts`` is what ``discreet identify --json`` prints; drawn are its ``most_identifying`` sets.
    """
    sets = facts["most_identifying"]
    return draw_bars(
        "sets",
        [" + ".join(one["columns"]) for one in sets],
        [
            Series(
                "different combinations per row (distinct ratio)",
                [one["distinct_ratio"] for one in sets],
                1,
                hatched=True,
            ),
            Series("unique rows", [one["uniques"] / facts["rows"] for one in sets], 3),
        ],
        axis=f"share, of {facts['rows']:,} rows or their pairs",
        write=format_share,
        highest=1,
        marks=Series(
            "pairs of rows that differ (separation ratio)",
            [one["separation_ratio"] for one in sets],
        ),
        width=760,
    )


# Uniqueness against group size: exact, approximate, and as if all values were equally likely.


LINES = (
    ("exact", "drawn one by one: exact", 0),
    ("approximation", "drawn one by one: by kappa (Koot et al.)", 1),
    ("formula_3", "drawn one by one: Poisson groups (formula 3)", 2),
    ("uniform", "if all values were equally likely", 3),
    ("different_rows", "different rows of this table: exact", 4),
)

LONGEST_CURVE_NAME = 70
"""Letters of the columns' names that are drawn; else their number is."""


def draw_uniqueness(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the curve into a file, whole or not at all."""
    description = "The chance that everybody in a group differs, by the size of the group"
    save_picture(plot_uniqueness(facts), "Uniqueness", description, path, replace)


def list_uniqueness_lines(facts: Mapping[str, Any]) -> list[Line]:
    """The curves of a column set that are known."""
    lines = []
    for key, label, number in LINES:
        curve = facts["uniqueness"]["curve"]
        points = [(one["group"], one[key]) for one in curve if one[key] is not None]
        lines += [Line(points, label, number)] if points else []
    return lines


def plot_uniqueness(facts: Mapping[str, Any]) -> Canvas:
    """The curve of a column set: group size to the right, the chance that all differ upwards.

    ``facts`` is what ``discreet risk --json`` prints; its ``uniqueness`` has the curve.
    """
    found = facts["uniqueness"]
    lines = list_uniqueness_lines(facts)
    last = max([x for line in lines for x, _ in line.points] + [found["group_size"], 2])
    return draw_xy(
        "uniqueness",
        Axis("people in the group", 1, last),
        Axis("chance that everybody in it differs", 0, 1),
        lines=lines,
        rules=[
            Rule("y", found["level"], f"chance {format_number(found['level'])}"),
            Rule("x", found["group_size"], f"group of {format_number(found['group_size'])}"),
        ],
        heading=f"{_name_curve(facts['columns'])}: kappa {found['kappa']:.4g}",
    )


def _name_curve(columns: list[str]) -> str:
    name = ", ".join(columns)
    return name if len(name) <= LONGEST_CURVE_NAME else f"{len(columns)} columns"


# How unique people can be at most, against the values there are: each column set on the map.


POINTS = 400
ABOVE, BELOW = 3, 0
"""Series of sets that may be quasi-identifiers, and of the others."""


def draw_alpha_map(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the map into a file, whole or not at all."""
    description = "The largest share of unique people, by combinations of values for each person"
    save_picture(plot_alpha_map(facts), "Map of column sets", description, path, replace)


def plot_alpha_map(facts: Mapping[str, Any]) -> Canvas:
    """The curve of theorems 1 and 2, the level alpha, and a point for each set of columns.

    ``facts`` is what :meth:`AlphaTable.facts` gives. A set lies on the
    curve where its values are multiplied; a line leads down to an open circle where counting
    correlated columns together gave a lower bound.

    Notes
    -----
    [Lodha2008]_, fig. 1. *Departures*: both axes are logarithmic, for column sets lie many powers
    of ten apart.
    """
    population, alpha = facts["population"], facts["alpha"]
    ratios = [one["multiplied"] / population for one in facts["sets"]]
    curve = trace_alpha_curve(min([0.01, *ratios]) / 3, max([100.0, *ratios]) * 3)
    low, high = curve[0][0], curve[-1][0]
    bottom = min([curve[0][1], alpha, *(one["bound"] / 2 for one in facts["sets"])])
    sets = sorted(facts["sets"], key=lambda one: (-one["most_uniques"], one["columns"]))
    joined = [one for one in sets if one["bound"] < one["most_uniques"]]
    return draw_xy(
        "alpha",
        Axis("combinations of values for each person of the population (D / n)", low, high, 10),
        Axis("share of people who are unique, at most", bottom, 1.6, 10, last=1),
        points=[
            *(_place_set(one, population) for one in sets),
            *(_place_joined(one, population) for one in joined),
        ],
        lines=[
            Line(curve, "most that can be expected", 5),
            *(_lead_down(one, population) for one in joined),
        ],
        rules=[Rule("y", alpha, f"alpha = {alpha:g}")],
        height=420,
    )


def trace_alpha_curve(low: float, high: float) -> list[tuple[float, float]]:
    """The most that can be expected to be unique, by the combinations for each person."""
    across = [low * (high / low) ** (step / POINTS) for step in range(POINTS + 1)]
    return [(x, _bound_share(x)) for x in across]


def _bound_share(ratio: float) -> float:
    return ratio / math.e if ratio <= 1 else math.exp(-1 / ratio)


def _place_set(one: Mapping[str, Any], population: int) -> Point:
    """A set where its values are multiplied."""
    columns = one["columns"]
    return Point(
        one["multiplied"] / population,
        one["most_uniques"],
        ABOVE if one["suspected"] else BELOW,
        label="may be a quasi-identifier" if one["suspected"] else "not expected to be one",
        name=" + ".join(columns) if len(columns) <= 3 else f"{len(columns)} columns",
    )


def _place_joined(one: Mapping[str, Any], population: int) -> Point:
    """A set where its values are counted together."""
    number = ABOVE if one["suspected"] else BELOW
    inside = one["joined"]["distinct"] / population
    return Point(inside, one["bound"], number, hollow=True, label="correlated columns counted")


def _lead_down(one: Mapping[str, Any], population: int) -> Line:
    ends = [
        (one["multiplied"] / population, one["most_uniques"]),
        (one["joined"]["distinct"] / population, one["bound"]),
    ]
    return Line(ends, "", ABOVE if one["suspected"] else BELOW)
