"""Areas: a matrix or grid whose cells say their value, and an icicle of a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from discreet.display import dataclass
from discreet.reporting.charts.canvas import (
    Canvas,
    measure_text,
    shorten_heading,
    shorten_label,
    shorten_text,
)

WIDTH = 640.0
SMALLEST = 240.0
_STRONGEST = 0.55
"""How much colour a cell gets at most, so that its text can be read on it."""


def draw_matrix(
    name: str,
    names: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    *,
    write: Callable[[float], str],
    heading: str = "",
    width: float = WIDTH,
) -> Canvas:
    """The lower half of a symmetric matrix of values from -1 to 1; below 0 in another colour.

    Every cell has its value in it where there is room: the colour alone says nothing.
    """
    labels = [shorten_label(one, width * 0.28, 11) for one in names]
    left = max((measure_text(label, 11) for label in labels[1:]), default=0) + 8
    top = 30.0 if heading else 6.0
    cell = min((width - left - 2) / max(len(names) - 1, 1), 46.0)
    tall = min(cell, 26.0)
    size = 11.0 if cell >= 30 else 8.0
    canvas = Canvas(name, width, 0)
    if heading:
        canvas.text(0, 14, shorten_heading(heading, width, 13), kind="bold", size=13)
    for row in range(1, len(names)):
        y = top + (row - 1) * tall
        canvas.text(left - 6, y + tall / 2 + 4, labels[row], anchor="end", size=11)
        for column in range(row):
            value = values.get((names[column], names[row]))
            x = left + column * cell
            if value is not None:
                strength = min(abs(value), 1) * _STRONGEST
                more = f' fill-opacity="{strength:.2f}"'
                canvas.rect(x, y, cell, tall, "cold" if value < 0 else "heat", more)
            canvas.rect(x, y, cell, tall, "cell")
            text = "–" if value is None else write(value)
            if measure_text(text, size) <= cell:
                middle = x + cell / 2
                canvas.text(middle, y + tall / 2 + 4, text, anchor="middle", size=size)
    bottom = top + (len(names) - 1) * tall
    upright = 0.0
    for column, label in enumerate(labels[:-1]):
        x = left + column * cell + cell / 2
        canvas.text(x + 4, bottom + 8, label, anchor="end", size=11, turn=-90)
        upright = max(upright, measure_text(label, 11))
    canvas.height = bottom + upright + 14
    canvas.width = min(width, max(left + cell * (len(names) - 1) + 2, SMALLEST))
    return canvas


@dataclass(frozen=True)
class Cell:
    """A cell of a grid: its text, how strong its colour is from 0 to 1, None for not allowed."""

    text: str
    strength: float | None
    framed: bool = False


def draw_grid(
    name: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    *,
    axes: tuple[str, str],
    entries: Sequence[tuple[str, int, str]] = (),
    width: float = WIDTH,
) -> Canvas:
    """A heat map: each cell with its text, hatched where it is not allowed, framed where it is one.

    ``axes`` names what the rows and the columns are; ``entries`` are those of the legend.
    """
    canvas = Canvas(name, width, 0)
    labels = [shorten_label(one, width * 0.28, 11) for one in rows]
    left = max((measure_text(one, 11) for one in (*labels, axes[0])), default=0) + 10
    top = canvas.legend(entries, 0, 10, width) + 26.0
    wide = min((width - left - 2) / max(len(columns), 1), 110.0)
    canvas.text(left, top - 8, shorten_text(axes[1], width - left, 11), kind="soft", size=11)
    canvas.text(0, top - 8, shorten_text(axes[0], left - 8, 11), kind="soft", size=11)
    for place, label in enumerate(columns):
        middle = left + (place + 0.5) * wide
        canvas.text(middle, top + 10, shorten_text(label, wide - 2, 11), anchor="middle", size=11)
    top += 18
    for row, (label, line) in enumerate(zip(labels, cells, strict=True)):
        y = top + row * TALL
        canvas.text(left - 6, y + TALL / 2 + 4, label, anchor="end", size=11)
        for place, cell in enumerate(line):
            _draw_cell(canvas, left + place * wide, y, wide, cell)
    canvas.height = top + TALL * len(rows) + 6
    canvas.width = min(width, max(left + wide * len(columns) + 2, SMALLEST))
    return canvas


TALL = 30.0


def _draw_cell(canvas: Canvas, x: float, y: float, wide: float, cell: Cell) -> None:
    if cell.strength is None:
        canvas.rect(x, y, wide, TALL, canvas.fill_series(1, True), ' fill-opacity="0.35"')
    else:
        more = f' fill-opacity="{0.05 + _STRONGEST * cell.strength:.2f}"'
        canvas.rect(x, y, wide, TALL, "heat", more)
    canvas.rect(x, y, wide, TALL, "cell")
    if cell.framed:
        corners = [(x + 2, y + 2), (x + wide - 2, y + 2), (x + wide - 2, y + TALL - 2)]
        canvas.path([*corners, (x + 2, y + TALL - 2)], "l0", closed=True)
    if cell.text and measure_text(cell.text, 11) <= wide - 4:
        middle = x + wide / 2
        canvas.text(middle, y + TALL / 2 + 4, cell.text, anchor="middle", kind="halo", size=11)


def draw_icicle(
    name: str,
    levels: Sequence[Sequence[tuple[str, float]]],
    captions: Sequence[str],
    *,
    heading: str = "",
    width: float = WIDTH,
) -> Canvas:
    """A hierarchy from its top: each level a row, each value as wide as its rows are many.

    Values of a level are in the order of those above. A label that does not fit is left out: the
    table next to the picture has them all.
    """
    canvas = Canvas(name, width, 0)
    top = 26.0 if heading else 4.0
    if heading:
        canvas.text(0, 14, shorten_heading(heading, width, 13), kind="bold", size=13)
    left = max((measure_text(one, 11) for one in captions), default=0) + 8
    left = min(left, width * 0.3)
    for row, (level, caption) in enumerate(zip(levels, captions, strict=True)):
        y = top + row * 28
        canvas.text(0, y + 17, shorten_text(caption, left - 4, 11), kind="soft", size=11)
        total = sum(size for _, size in level)
        x = left
        for number, (label, size) in enumerate(level):
            wide = size / total * (width - left - 1) if total else 0
            more = f' fill-opacity="{0.18 + 0.16 * (number % 2):.2f}"'
            canvas.rect(x, y, wide, 26, "s0", more)
            canvas.rect(x, y, wide, 26, "cell")
            shown = shorten_label(label, wide - 6, 11)
            if len(shown) > 2 or shown == label.strip():
                canvas.text(x + wide / 2, y + 17, shown, anchor="middle", size=11)
            x += wide
    canvas.height = top + 28 * len(levels)
    return canvas
