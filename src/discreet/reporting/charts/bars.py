"""Bars that lie: labels to the left, one bar for each series, its value at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from discreet.display import dataclass
from discreet.reporting.charts.canvas import (
    Canvas,
    choose_ticks,
    measure_text,
    shorten_heading,
    shorten_label,
    shorten_text,
    wrap_text,
)
from discreet.reporting.numbers import format_number

WIDTH = 640.0
_BAR, _GAP, _BETWEEN = 13.0, 2.0, 9.0
_MOST_LABEL = 0.36
"""Share of the width that labels may take."""


@dataclass(frozen=True)
class Series:
    """One bar of each group. ``hatched`` bars are told apart without colour."""

    label: str
    values: Sequence[float | None]
    number: int = 0
    hatched: bool = False


@dataclass(frozen=True)
class Limit:
    """A line that values are held against."""

    label: str
    value: float


def draw_bars(
    name: str,
    groups: Sequence[str],
    series: Sequence[Series],
    *,
    axis: str,
    write: Callable[[float | None], str] = format_number,
    highest: float | None = None,
    limit: Limit | None = None,
    heading: str = "",
    width: float = WIDTH,
    ticks: bool = True,
    marks: Series | None = None,
    label_lines: int = 1,
) -> Canvas:
    """Groups from top to bottom, with one bar for each series and its value in words.

    Parameters
    ----------
    axis
        What the values are.
    write
        How a value is written; None is a value that is not known, and gets no bar.
    highest
        The right end; if not said, the largest value.
    limit
        A line across all bars, named above them.
    marks
        Values that are drawn as a stroke over the bars of their group.
    """
    values = [one for part in series for one in part.values if one is not None]
    end = _choose_end(values, highest, limit)
    texts = [write(one) for part in series for one in part.values] if not marks else []
    shown = [_write_label(group, width, label_lines) for group in groups]
    left = max([measure_text(line) for lines in shown for line in lines] or [0]) + 8
    right = max([measure_text(text, 11) for text in texts] or [0]) + 8
    lines = max(len(series) if not marks else 1, 1)
    tall = max(lines * _BAR + (lines - 1) * _GAP, label_lines * 13) + _BETWEEN
    canvas = Canvas(name, width, 0)
    top = _draw_heading(canvas, heading, series, limit, marks, width)
    bottom = top + tall * len(groups)
    scale = (width - left - right) / end
    if ticks:
        _draw_ticks(canvas, end, left, top, bottom, scale, write)
    inset = (tall - lines * _BAR - (lines - 1) * _GAP) / 2
    for place, lines_of_label in enumerate(shown):
        y = top + place * tall + inset
        middle = top + (place + 0.5) * tall - (len(lines_of_label) - 1) * 6.5
        for number, line in enumerate(lines_of_label):
            canvas.text(left - 6, middle + 4 + number * 13, line, anchor="end")
        _draw_group(canvas, series, place, left, y, scale, bool(marks))
        mark = marks.values[place] if marks else None
        if mark is not None:
            x = left + mark * scale
            canvas.line(x, y - 2, x, y + _BAR + 2, "l0")
    canvas.line(left, top, left, bottom, "axis")
    if limit:
        x = left + limit.value * scale
        canvas.line(x, top - 4, x, bottom, "limit")
    for place in range(0 if marks else len(groups)):
        _write_values(canvas, series, place, left, top + place * tall + inset, scale, write)
    if ticks:
        bottom += 18
        canvas.text(left, bottom + 14, shorten_text(axis, width - left, 11), kind="soft", size=11)
        bottom += 18
    canvas.height = bottom + 4
    return canvas


def _choose_end(values: Sequence[float], highest: float | None, limit: Limit | None) -> float:
    end = highest or max([*values, limit.value * 1.15 if limit else 0, 0])
    return end or 1.0


def _write_label(label: str, width: float, lines: int) -> list[str]:
    room = width * _MOST_LABEL
    return wrap_text(label, room, lines) if lines > 1 else [shorten_label(label, room)]


def _draw_heading(
    canvas: Canvas,
    heading: str,
    series: Sequence[Series],
    limit: Limit | None,
    marks: Series | None,
    width: float,
) -> float:
    """The heading and what the bars mean; gives where the bars begin."""
    top = 4.0
    if heading:
        canvas.text(0, 14, shorten_heading(heading, width, 13), kind="bold", size=13)
        top += 20
    entries = [(one.label, one.number, "hatch" if one.hatched else "fill") for one in series]
    entries = entries if len(series) > 1 or limit or marks else []
    entries += [(marks.label, 0, "line")] if marks else []
    entries += [(limit.label, 0, "limit")] if limit else []
    if entries:
        top += canvas.legend(entries, 0, top + 8, width) + 6
    return top


def _draw_ticks(
    canvas: Canvas,
    end: float,
    left: float,
    top: float,
    bottom: float,
    scale: float,
    write: Callable[[float | None], str],
) -> None:
    """Round values beneath; fewer where their texts would touch."""
    for most in (6, 4, 3, 2):
        ticks = choose_ticks(0, end, most)
        widest = max(measure_text(write(tick), 11) for tick in ticks)
        if len(ticks) < 2 or (ticks[1] - ticks[0]) * scale > widest + 10:
            break
    for tick in ticks:
        x = left + tick * scale
        canvas.line(x, top, x, bottom, "grid")
        half = measure_text(write(tick), 11) / 2
        x = min(max(x, half), canvas.width - half)
        canvas.text(x, bottom + 14, write(tick), anchor="middle", kind="soft tick", size=11)


def _draw_group(
    canvas: Canvas,
    series: Sequence[Series],
    place: int,
    left: float,
    y: float,
    scale: float,
    over: bool,
) -> None:
    """The bars of one group, beneath each other, or each thinner over the one before."""
    for number, one in enumerate(series):
        value = one.values[place]
        thin = number * 3.5 if over else 0
        top = y + thin if over else y + number * (_BAR + _GAP)
        if value is not None:
            paint = canvas.fill_series(one.number, one.hatched)
            canvas.rect(left, top, value * scale, _BAR - 2 * thin, paint)


def _write_values(
    canvas: Canvas,
    series: Sequence[Series],
    place: int,
    left: float,
    y: float,
    scale: float,
    write: Callable[[float | None], str],
) -> None:
    """The value at the end of each bar of a group, over any line that is there."""
    for number, one in enumerate(series):
        value = one.values[place]
        end = left + (value or 0) * scale + 4
        at = y + number * (_BAR + _GAP) + 10.5
        canvas.text(end, at, write(value), size=11, kind="halo" if value else "halo soft")
