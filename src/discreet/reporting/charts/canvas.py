"""The sheet that charts are drawn on: shapes, text that fits, colours, and the SVG they become.

Every text is escaped, and measured before it is placed: labels come from the data. Colours are
classes, so that a page can change them (dark, print); a picture of its own gets them as they are on
white paper. Series differ by pattern, dash or marker as well, so that colour is never alone.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
SIZE = 12.0
"""Height of letters unless said otherwise."""

MARGIN = 12.0
"""Paper around a picture that is a file of its own."""

SERIES = 7
"""Colours of series: those of Okabe and Ito (2008), which the colour-blind can tell apart."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b1f24",
    "soft": "#59616b",
    "grid": "#d5dae0",
    "zone": "#e3f3ec",
    "limit": "#b3261e",
    "s0": "#0072b2",
    "s1": "#e69f00",
    "s2": "#009e73",
    "s3": "#d55e00",
    "s4": "#cc79a7",
    "s5": "#56b4e9",
    "s6": "#8a7a00",
    "heat": "#0072b2",
    "cold": "#d55e00",
}
DARK = {
    "paper": "#15181c",
    "ink": "#eef1f4",
    "soft": "#aeb6bf",
    "grid": "#3a4149",
    "zone": "#12352a",
    "limit": "#ff8a80",
    "s0": "#56b4e9",
    "s1": "#e69f00",
    "s2": "#2fc59b",
    "s3": "#ff8a4c",
    "s4": "#e3a3c6",
    "s5": "#9fd4f5",
    "s6": "#f0e442",
    "heat": "#56b4e9",
    "cold": "#ff8a4c",
}

# Widths of printable ASCII in Helvetica, in thousandths of the height of letters (Adobe's metrics).
# fmt: off
_ASCII = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
# fmt: on
_WIDTHS = dict(zip(map(chr, range(32, 127)), _ASCII, strict=True))
_SIGNS = 1.25
"""What signs of arithmetic are wider in other fonts, besides."""
_SPARE = 1.2
"""What other fonts may be wider than Helvetica; DejaVu Sans is by 12 to 20 %."""
_BOLD = 1.12
"""How much wider bold letters are."""


def measure_text(text: str, size: float = SIZE) -> float:
    """How wide a text is drawn, rather too wide than too narrow.

    >>> measure_text("i") < measure_text("m") < measure_text("漢")
    True
    """
    wide = sum(_measure_letter(one) * (_SIGNS if one in "<>=+~" else 1) for one in text)
    return wide * size * _SPARE / 1000


def measure_helvetica(text: str, size: float) -> float:
    """How wide a text is drawn in Helvetica.

    >>> measure_helvetica("m", 1000)
    833.0
    """
    return sum(map(_measure_letter, text)) * size / 1000


def _measure_letter(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1000
    base = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS.get(base, 800)


def shorten_text(text: str, width: float, size: float = SIZE) -> str:
    """The text, or as much of its beginning as is not wider, with an ellipsis.

    >>> shorten_text("a long label", 1000), shorten_text("a long label", 40)
    ('a long label', 'a lo…')
    """
    text = " ".join(text.split())
    if measure_text(text, size) <= width:
        return text
    room = width - measure_text("…", size)
    kept = 0
    for letter in text:
        room -= measure_text(letter, size)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def shorten_heading(text: str, width: float, size: float) -> str:
    """As much of the beginning of a text in bold letters as is not wider."""
    return shorten_text(text, width, size * _BOLD)


def shorten_label(text: str, width: float, size: float = SIZE) -> str:
    """The text, or its beginning and its end: labels of one column often begin alike.

    >>> shorten_label("Cambridge, ward 7", 70)
    'Cam…rd 7'
    """
    text = " ".join(text.split())
    if measure_text(text, size) <= width:
        return text
    end = ""
    while len(end) < len(text) and measure_text(text[-len(end) - 1 :], size) <= width * 0.4:
        end = text[-len(end) - 1 :]
    return shorten_text(text, width - measure_text(end, size), size) + end.lstrip()


def wrap_text(text: str, width: float, lines: int, size: float = SIZE) -> list[str]:
    """The text in at most so many lines, broken between words; what is too long is shortened."""
    words = text.split()
    found: list[str] = []
    while words and len(found) < lines - 1:
        line = words.pop(0)
        while words and measure_text(f"{line} {words[0]}", size) <= width:
            line = f"{line} {words.pop(0)}"
        found.append(shorten_text(line, width, size))
    if words:
        found.append(shorten_text(" ".join(words), width, size))
    return found


def choose_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many.

    >>> choose_ticks(0, 1), choose_ticks(0, 37, 5)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0, 30.0])
    """
    span = high - low
    if span <= 0:
        return [low]
    raw = span / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(n * power for n in (1, 2, 2.5, 5, 10) if n * power >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(n * step, 12) for n in range(first, last + 1)]


def choose_log_ticks(low: float, high: float, base: int = 10, most: int = 7) -> list[float]:
    """Powers of the base from low to high, at most so many.

    >>> choose_log_ticks(1, 8, 2)
    [1.0, 2.0, 4.0, 8.0]
    """
    first = math.ceil(math.log(low, base) - 1e-9)
    last = math.floor(math.log(high, base) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / most))
    return [float(base) ** n for n in range(first, last + 1, step)]


def _round(value: float) -> str:
    """A coordinate: a tenth of a point is enough."""
    return f"{value + 0.0:.1f}".removesuffix(".0").replace("-0", "0", abs(value) < 0.05)


class Canvas:
    """Shapes in the order they are drawn. ``name`` tells apart the pictures of one page."""

    def __init__(self, name: str, width: float, height: float) -> None:
        self.name, self.width, self.height = name, width, height
        self.shapes: list[str] = []
        self.hatched: set[int] = set()

    def fill_series(self, number: int, pattern: bool = False) -> str:
        """The attributes that fill a shape with the colour of a series, plain or hatched."""
        number %= SERIES
        if not pattern:
            return f'class="s{number}"'
        self.hatched.add(number)
        return f'class="o{number}" fill="url(#{self.name}-h{number})"'

    def rect(
        self, x: float, y: float, width: float, height: float, paint: str, more: str = ""
    ) -> None:
        """A rectangle; ``paint`` is a class or attributes as ``fill_series`` gives them."""
        where = f'x="{_round(x)}" y="{_round(y)}" width="{_round(max(width, 0))}"'
        paint = paint if "=" in paint else f'class="{paint}"'
        self.shapes.append(f'<rect {where} height="{_round(max(height, 0))}" {paint}{more}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        """A straight line of a class."""
        ends = f'x1="{_round(x1)}" y1="{_round(y1)}" x2="{_round(x2)}" y2="{_round(y2)}"'
        self.shapes.append(f'<line {ends} class="{kind}"/>')

    def path(self, points: Iterable[tuple[float, float]], kind: str, closed: bool = False) -> None:
        """A line through points, or the area within them."""
        through = "L".join(f"{_round(x)} {_round(y)}" for x, y in points)
        self.shapes.append(f'<path d="M{through}{"Z" if closed else ""}" class="{kind}"/>')

    def mark(self, x: float, y: float, number: int, hollow: bool = False, size: float = 5) -> None:
        """The marker of a series: shape and colour go together."""
        kind = f"{'h' if hollow else 's'}{number % SERIES} mark"
        shape = MARKERS[number % len(MARKERS)]
        if not shape:
            where = f'cx="{_round(x)}" cy="{_round(y)}" r="{_round(size)}"'
            self.shapes.append(f'<circle {where} class="{kind}"/>')
        else:
            self.path(((x + size * dx, y + size * dy) for dx, dy in shape), kind, closed=True)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        kind: str = "",
        size: float = SIZE,
        turn: float = 0,
    ) -> None:
        """A text at its baseline."""
        more = "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += f' class="{kind}"' if kind else ""
        more += "" if size == SIZE else f' font-size="{_round(size)}"'
        more += f' transform="rotate({_round(turn)} {_round(x)} {_round(y)})"' if turn else ""
        shown = escape(_drop_controls(text), quote=False)
        self.shapes.append(f'<text x="{_round(x)}" y="{_round(y)}"{more}>{shown}</text>')

    def legend(
        self, entries: Sequence[tuple[str, int, str]], x: float, y: float, width: float
    ) -> float:
        """What the series mean, in rows; gives the height. An entry is text, number and kind.

        Kinds are ``fill``, ``hatch``, ``line``, ``mark``, ``hollow``, ``limit`` and ``zone``.
        """
        left, row = x, y
        for text, number, kind in entries:
            shown = shorten_text(text, width - 26)
            wide = 26 + measure_text(shown) + 16
            if left > x and left + wide - 16 > x + width:
                left, row = x, row + 18
            self._draw_key(left, row, number, kind)
            self.text(left + 22, row + 4, shown)
            left += wide
        return row - y + 18 if entries else 0

    def _draw_key(self, x: float, y: float, number: int, kind: str) -> None:
        if kind in ("fill", "hatch"):
            self.rect(x, y - 6, 16, 12, self.fill_series(number, kind == "hatch"))
        elif kind == "zone":
            self.rect(x, y - 6, 16, 12, "zone")
        elif kind == "limit":
            self.line(x, y, x + 16, y, "limit")
        elif kind == "line":
            self.line(x, y, x + 16, y, f"l{number % SERIES}")
        else:
            self.mark(x + 8, y, number, kind == "hollow")

    def render(self, title: str, description: str) -> str:
        """The picture for a page that has the colours, see :func:`write_colours`."""
        return self._render(title, description, "", 0)

    def render_alone(self, title: str, description: str) -> str:
        """The picture as a file of its own, on white paper."""
        style = f"<style>{write_chart_rules(LIGHT)}</style>"
        found = self._render(title, description, style, MARGIN)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{found}\n'

    def _render(self, title: str, description: str, style: str, margin: float) -> str:
        width, height = _round(self.width + 2 * margin), _round(self.height + 2 * margin)
        corner = f"{_round(-margin)} {_round(-margin)}"
        paper = f'<rect x="{_round(-margin)}" y="{_round(-margin)}" ' + (
            f'width="{width}" height="{height}" class="paper"/>'
        )
        paper = paper if margin else ""
        hatches = "".join(_draw_hatch(self.name, number) for number in sorted(self.hatched))
        defs = f"<defs>{hatches}</defs>" if hatches else ""
        titles = (
            f'<title id="{self.name}-title">{escape(_drop_controls(title), quote=False)}</title>'
            f'<desc id="{self.name}-desc">{escape(_drop_controls(description), quote=False)}</desc>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width="{width}" '
            f'height="{height}" viewBox="{corner} {width} {height}" '
            f'aria-labelledby="{self.name}-title" aria-describedby="{self.name}-desc">'
            f"{titles}{style}{defs}{paper}{''.join(self.shapes)}</svg>"
        )


MARKERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),  # a circle
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    ((0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
    ((0, 1.2), (1.15, -0.9), (-1.15, -0.9)),
    *(
        tuple(
            (math.cos(a) * x - math.sin(a) * y, math.sin(a) * x + math.cos(a) * y)
            for x, y in (
                *((-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4)),
                *((0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)),
            )
        )
        for a in (0, math.pi / 4)
    ),
    tuple(
        (r * math.sin(n * math.pi / 5), -r * math.cos(n * math.pi / 5))
        for n, r in enumerate((1.4, 0.6) * 5)
    ),
)
"""Shapes around the point, each about as large as the others; the first is a circle."""

DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 2", "1 2", "10 4")


def _draw_hatch(name: str, number: int) -> str:
    return (
        f'<pattern id="{name}-h{number}" width="5" height="5" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="5" height="5" class="paper"/>'
        f'<line x1="1" y1="0" x2="1" y2="5" class="o{number} thick"/></pattern>'
    )


def _drop_controls(text: str) -> str:
    """Without characters that XML cannot hold."""
    return "".join(
        " " if letter in "\t\r\n" else letter if _is_xml(letter) else "\ufffd" for letter in text
    )


def _is_xml(letter: str) -> bool:
    code = ord(letter)
    return 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF


def write_chart_rules(colours: dict[str, str] | None = None) -> str:
    """The style of all charts, with these colours or with variables of the page."""

    def use(name: str) -> str:
        return colours[name] if colours else f"var(--{name})"

    rules = [
        f".chart{{font-family:{FONT};font-size:{SIZE:g}px}}.chart text{{fill:{use('ink')}}}",
        f".chart .paper{{fill:{use('paper')}}}.chart .soft{{fill:{use('soft')}}}",
        f".chart .grid{{stroke:{use('grid')};stroke-width:1}}",
        f".chart .axis{{stroke:{use('soft')};stroke-width:1}}",
        f".chart .limit{{stroke:{use('limit')};stroke-width:1.5;stroke-dasharray:5 3;fill:none}}",
        f".chart .limit-text{{fill:{use('limit')}}}.chart .bold{{font-weight:bold}}",
        f".chart .zone{{fill:{use('zone')}}}.chart .on{{fill:{use('paper')}}}",
        f".chart .heat{{fill:{use('heat')}}}.chart .cold{{fill:{use('cold')}}}",
        f".chart .cell{{fill:none;stroke:{use('grid')}}}",
        f".chart .halo{{paint-order:stroke;stroke:{use('paper')};stroke-width:3}}",
        f".chart .thick{{stroke-width:2.2}}.chart .mark{{stroke:{use('paper')};stroke-width:.8}}",
    ]
    for number in range(SERIES):
        colour = use(f"s{number}")
        dash = f";stroke-dasharray:{DASHES[number]}" if DASHES[number] else ""
        rules += [
            f".chart .s{number}{{fill:{colour}}}.chart .o{number}{{stroke:{colour}}}",
            f".chart .l{number}{{fill:none;stroke:{colour};stroke-width:2{dash}}}",
            f".chart .h{number}{{fill:{use('paper')};stroke:{colour};stroke-width:1.8}}",
        ]
    return "".join(rules)


def write_colours(colours: dict[str, str]) -> str:
    """The colours as variables of a page."""
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())
