"""Pictures of what an exploration answers: a heat map of the lattice, class sizes, a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from discreet.errors import ArgumentError
from discreet.reporting.charts.areas import Cell, draw_grid, draw_icicle
from discreet.reporting.charts.bars import Series, draw_bars
from discreet.reporting.charts.canvas import Canvas
from discreet.reporting.charts.xy import Axis, Line, draw_xy
from discreet.reporting.numbers import format_count, format_number, format_range

Facts = Mapping[str, Any]
Drawn = tuple[Canvas, str, str]
"""A picture, its title and what it shows in a sentence."""


def draw_view(kind: str, facts: Facts) -> str:
    """The picture of one answer as SVG, on white paper."""
    if kind not in DRAWN:
        known = ", ".join(DRAWN)
        raise ArgumentError("kind", "there is no picture of this answer", f"There is: {known}.")
    canvas, title, description = DRAWN[kind](facts)
    return canvas.render_alone(title, description)


def draw_around(facts: Facts) -> Drawn:
    """A heat map of the levels of two columns; darker is better, hatched is not allowed."""
    names = [*facts["columns"]]
    first, second = names[0], names[1] if len(names) > 1 else None
    heights = facts["heights"]
    wide = heights[second] + 1 if second else 1
    cells = [_make_cell(facts, one) for one in facts["cells"]]
    canvas = draw_grid(
        "around",
        [f"level {level}" for level in range(heights[first] + 1)],
        [f"level {level}" for level in range(wide)] if second else [facts["measure"]],
        [cells[start : start + wide] for start in range(0, len(cells), wide)],
        axes=(first, second or ""),
        entries=[("not allowed", 1, "hatch"), ("the node asked about", 0, "line")],
    )
    described = f"The measure {facts['measure']} for each level of {' and '.join(names)}"
    return canvas, f"Levels of {' and '.join(names)}", f"{described}; darker is better."


def _make_cell(facts: Facts, cell: Facts) -> Cell:
    score = cell["score"]
    if score is None:
        return Cell("not allowed", None, cell["here"])
    scores = [one["score"] for one in facts["cells"] if one["score"] is not None]
    low, high = min(scores), max(scores)
    place = (score - low) / (high - low) if high > low else 1.0
    better = 1.0 - place if facts["lower_is_better"] and high > low else place
    return Cell(format_number(score), better, cell["here"])


def draw_node(facts: Facts) -> Drawn:
    """A bar for the rows in classes of each size."""
    bins = facts["class_sizes"]
    canvas = draw_bars(
        "node",
        [format_range(one["least"], one["most"]) for one in bins],
        [Series("rows", [one["rows"] for one in bins])],
        axis="rows, by the size of their class",
        write=lambda value: format_count(None if value is None else round(value)),
    )
    return canvas, "Classes by size", "Released rows by the number of rows that look the same."


def draw_risk(facts: Facts) -> Drawn:
    """The same for the values as found."""
    bins = [
        {"least": one["from"], "most": one["to"], "rows": one["rows"]}
        for one in facts["rows_by_class_size"]
    ]
    canvas, _, _ = draw_node({"class_sizes": bins})
    named = ", ".join(facts["columns"])
    return canvas, "Rows by class size", f"Rows that look the same on {named}, as found."


def draw_cost_of_k(facts: Facts) -> Drawn:
    """The measure of the best release for each class size."""
    measure = facts["measure"]
    points = [(one["k"], one["score"]) for one in facts["costs"] if one["score"] is not None]
    sizes = [one["k"] for one in facts["costs"]]
    scores = [score for _, score in points] or [1.0]
    canvas = draw_xy(
        "cost-of-k",
        Axis("k", min(sizes), max(max(sizes), min(sizes) + 1), base=2),
        Axis(measure, min(0.0, *scores), max(scores) or 1.0),
        lines=[Line(points, measure, marked=True)],
    )
    return canvas, "Cost of each k", f"The measure {measure} of the best release for each k."


def draw_hierarchy(facts: Facts) -> Drawn:
    """An icicle from the top of the hierarchy; for the holder of the table alone."""
    levels = [
        [(_name_part(part), float(part["rows"])) for part in one["parts"]]
        for one in facts["levels"]
    ]
    captions = [f"level {one['level']}" for one in facts["levels"]]
    canvas = draw_icicle("hierarchy", levels, captions)
    column = facts["column"]
    described = f"The values of {column} level by level, as wide as their rows are many."
    return canvas, f"Hierarchy of {column}", described


def _name_part(part: Facts) -> str:
    if part["others"]:
        return f"{part['others']} others"
    return "missing" if part["missing"] else str(part["label"])


DRAWN: dict[str, Callable[[Facts], Drawn]] = {
    "node": draw_node,
    "around": draw_around,
    "risk": draw_risk,
    "cost_of_k": draw_cost_of_k,
    "hierarchy": draw_hierarchy,
}
"""The answers that have a picture."""
