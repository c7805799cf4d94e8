"""Points and lines on two axes, with limits and an allowed zone; names never cover each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from discreet.display import dataclass
from discreet.reporting.charts.canvas import (
    Canvas,
    choose_log_ticks,
    choose_ticks,
    measure_text,
    shorten_heading,
    shorten_text,
)
from discreet.reporting.numbers import format_number

WIDTH, HEIGHT = 640.0, 340.0


@dataclass(frozen=True)
class Axis:
    """What an axis shows, from where to where; ``base`` is that of a logarithmic one."""

    label: str
    low: float
    high: float
    base: int | None = None
    write: Callable[[float | None], str] = format_number
    last: float | None = None
    """The largest value that is marked, where the axis has room beyond."""

    def place(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        if self.base is None:
            return (value - self.low) / ((self.high - self.low) or 1)
        return math.log(value / self.low) / (math.log(self.high / self.low) or 1)

    def ticks(self, most: int) -> list[float]:
        """Round values on the axis."""
        high = self.high if self.last is None else self.last
        if self.base is None:
            return choose_ticks(self.low, high, most)
        return choose_log_ticks(self.low, high, self.base, most)


@dataclass(frozen=True)
class Point:
    """A marker; ``label`` is what the legend says, ``name`` is written next to it if it fits."""

    x: float
    y: float
    number: int = 0
    hollow: bool = False
    label: str = ""
    name: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points; ``number`` gives colour and dash."""

    points: Sequence[tuple[float, float]]
    label: str
    number: int = 0
    marked: bool = False


@dataclass(frozen=True)
class Rule:
    """A limit across the whole chart."""

    axis: Literal["x", "y"]
    value: float
    label: str


def draw_xy(
    name: str,
    x: Axis,
    y: Axis,
    *,
    points: Sequence[Point] = (),
    lines: Sequence[Line] = (),
    rules: Sequence[Rule] = (),
    zone: tuple[tuple[float, float], tuple[float, float], str] | None = None,
    heading: str = "",
    width: float = WIDTH,
    height: float = HEIGHT,
) -> Canvas:
    """Points and lines; ``zone`` is a rectangle of x values, of y values, and what it means."""
    canvas = Canvas(name, width, height)
    y_ticks = y.ticks(7)
    left = max([measure_text(y.write(tick), 11) for tick in y_ticks] or [0]) + 30
    top = 8.0
    if heading:
        canvas.text(0, 14, shorten_heading(heading, width, 13), kind="bold", size=13)
        top += 18
    entries = _list_entries(points, lines, rules, zone)
    top += canvas.legend(entries, 0, top + 6, width) + 8
    box = _Box(x, y, left, top, width - 14, height + top - 50)
    canvas.height = box.bottom + 44
    if zone:
        (x1, x2), (y1, y2), _ = zone
        canvas.rect(box.x(x1), box.y(y2), box.x(x2) - box.x(x1), box.y(y1) - box.y(y2), "zone")
    _draw_axes(canvas, box, y_ticks)
    for rule in rules:
        _draw_rule(canvas, box, rule)
    for line in lines:
        canvas.path([(box.x(a), box.y(b)) for a, b in line.points], f"l{line.number}")
        for a, b in line.points if line.marked else ():
            canvas.mark(box.x(a), box.y(b), line.number, size=3.5)
    for point in points:
        canvas.mark(box.x(point.x), box.y(point.y), point.number, point.hollow)
    _name_points(canvas, box, points)
    return canvas


@dataclass(frozen=True)
class _Box:
    """Where values are on the sheet."""

    across: Axis
    upwards: Axis
    left: float
    top: float
    right: float
    bottom: float

    def x(self, value: float) -> float:
        return self.left + self.across.place(value) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - self.upwards.place(value) * (self.bottom - self.top)


def _list_entries(
    points: Sequence[Point],
    lines: Sequence[Line],
    rules: Sequence[Rule],
    zone: tuple[object, object, str] | None,
) -> list[tuple[str, int, str]]:
    found = [(one.label, one.number, "line") for one in lines if one.label]
    for one in points:
        entry = (one.label, one.number, "hollow" if one.hollow else "mark")
        if one.label and entry not in found:
            found.append(entry)
    found += [(one.label, 0, "limit") for one in rules if one.label]
    return found + ([(zone[2], 0, "zone")] if zone else [])


def _draw_axes(canvas: Canvas, box: _Box, y_ticks: Sequence[float]) -> None:
    for tick in y_ticks:
        at = box.y(tick)
        canvas.line(box.left, at, box.right, at, "grid")
        text = box.upwards.write(tick)
        canvas.text(box.left - 6, at + 4, text, anchor="end", kind="soft tick", size=11)
    write = box.across.write
    for most in (8, 6, 4, 3, 2):
        ticks = box.across.ticks(most)
        places = [box.x(tick) for tick in ticks]
        widths = [measure_text(write(tick), 11) for tick in ticks]
        gaps = [
            b - a - (u + v) / 2
            for a, b, u, v in zip(places, places[1:], widths, widths[1:], strict=False)
        ]
        if all(gap > 8 for gap in gaps):
            break
    for tick, at, wide in zip(ticks, places, widths, strict=True):
        canvas.line(at, box.bottom, at, box.bottom + 4, "axis")
        at = min(max(at, wide / 2), canvas.width - wide / 2)
        canvas.text(at, box.bottom + 17, write(tick), anchor="middle", kind="soft tick", size=11)
    canvas.line(box.left, box.bottom, box.right, box.bottom, "axis")
    label = shorten_text(box.across.label, box.right - box.left, 11)
    canvas.text(box.right, box.bottom + 36, label, anchor="end", kind="soft", size=11)
    label = shorten_text(box.upwards.label, box.bottom - box.top, 11)
    canvas.text(11, box.top, label, anchor="end", kind="soft", size=11, turn=-90)


def _draw_rule(canvas: Canvas, box: _Box, rule: Rule) -> None:
    if rule.axis == "x":
        canvas.line(box.x(rule.value), box.top, box.x(rule.value), box.bottom, "limit")
    else:
        canvas.line(box.left, box.y(rule.value), box.right, box.y(rule.value), "limit")


def _name_points(canvas: Canvas, box: _Box, points: Sequence[Point]) -> None:
    """Write the name of each point where there is room; leave it out if there is none."""
    taken = [_surround(box.x(one.x), box.y(one.y), 6, 6) for one in points]
    for one in points:
        if not one.name:
            continue
        text = shorten_text(one.name, 200, 10)
        wide = measure_text(text, 10)
        x, y = box.x(one.x), box.y(one.y)
        for dx, dy in ((8, 0), (-8 - wide, 0), (-wide / 2, -11), (-wide / 2, 12)):
            area = (x + dx, y + dy - 5, x + dx + wide, y + dy + 5)
            inside = area[0] >= box.left and area[2] <= canvas.width and area[1] >= box.top - 4
            inside = inside and area[3] <= box.bottom
            if inside and not any(_overlap(area, other) for other in taken):
                canvas.text(area[0], area[3] - 1.5, text, size=10)
                taken.append(area)
                break


_Area = tuple[float, float, float, float]


def _surround(x: float, y: float, dx: float, dy: float) -> _Area:
    return (x - dx, y - dy, x + dx, y + dy)


def _overlap(one: _Area, other: _Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
