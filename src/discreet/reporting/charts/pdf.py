"""A chart as a PDF of one page, from the SVG that :mod:`canvas` wrote: shapes stay shapes.

Only what our charts consist of is known: rectangles, lines, paths of straight lines, circles, text,
hatches, moved groups. Text is set in Helvetica, which every reader has, so only letters of Western
Europe can be written; for others a PNG or the SVG itself serves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from discreet.errors import WriteError
from discreet.reporting.charts.canvas import LIGHT, SIZE, measure_helvetica, write_chart_rules

_SVG = "{http://www.w3.org/2000/svg}"
_RULE = re.compile(r"\.chart \.([\w-]+)\{([^}]*)\}")
_ROUND = 0.5523
"""Where the handles of a Bezier curve lie that is a quarter of a circle."""

Style = Mapping[str, str]


def write_pdf(svg: str) -> bytes:
    """The picture as the bytes of a PDF file; the same picture gives the same bytes."""
    root = ElementTree.fromstring(svg.encode())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    _check_letters(root)
    rules = read_rules()
    left, top, *_ = map(float, root.attrib["viewBox"].split())
    drawn = [f"1 0 0 -1 {-left:g} {height + top:g} cm", *_draw_all(root, rules)]
    return _assemble(width, height, "\n".join(drawn).encode("cp1252"))


def read_rules() -> dict[str, dict[str, str]]:
    """What each class of the charts means, on white paper."""
    found: dict[str, dict[str, str]] = {}
    for name, text in _RULE.findall(write_chart_rules(LIGHT)):
        parts = (part.split(":", 1) for part in text.split(";") if part)
        found.setdefault(name, {}).update({key.strip(): value.strip() for key, value in parts})
    return found


def _check_letters(root: ElementTree.Element) -> None:
    wrong = 0
    for text in root.iter(f"{_SVG}text"):
        try:
            (text.text or "").encode("cp1252")
        except UnicodeEncodeError:
            wrong += 1
    if wrong:
        what = f"{wrong} of its labels have letters that cannot be written in a PDF here"
        raise WriteError("the picture", what, "Choose a name that ends in .svg or .png.")


def _draw_all(parent: ElementTree.Element, rules: Mapping[str, Style]) -> Iterator[str]:
    for shape in parent:
        kind = shape.tag.removeprefix(_SVG)
        if kind == "g":
            _, dy = re.findall(r"[-\d.]+", shape.attrib["transform"])
            yield f"q 1 0 0 1 0 {dy} cm"
            yield from _draw_all(shape, rules)
            yield "Q"
        elif kind == "text":
            yield _write_text(shape, rules)
        elif kind in ("rect", "line", "path", "circle"):
            yield _draw_shape(kind, shape.attrib, _find_style(shape.attrib, rules))


def _find_style(shape: Style, rules: Mapping[str, Style]) -> dict[str, str]:
    found: dict[str, str] = {"fill": "#000000"}
    classes = shape.get("class", "").split()
    for name, rule in rules.items():  # later rules prevail, whatever the order of the classes
        if name in classes:
            found |= rule
    if shape.get("fill", "").startswith("url("):
        found["fill"] = "hatch"
    return found


def _draw_shape(kind: str, shape: Style, style: Style) -> str:
    outline = _outline(kind, shape)
    fill, stroke = style.get("fill", "none"), style.get("stroke", "none")
    if kind == "line":
        fill = "none"
    parts = ["q"]
    if fill not in ("none", "hatch"):
        parts.append(f"{_mix(fill, float(shape.get('fill-opacity', 1)))} rg {outline} f")
    if fill == "hatch":
        parts.append(f"q {outline} W n {_mix(stroke, 1)} RG 1.6 w {_hatch(shape)} S Q")
    if stroke != "none":
        dash = style.get("stroke-dasharray", "").replace(",", " ")
        wide = float(style.get("stroke-width", 1))
        parts.append(f"{_mix(stroke, 1)} RG {wide:g} w [{dash}] 0 d {outline} S")
    return " ".join([*parts, "Q"])


def _outline(kind: str, shape: Style) -> str:
    if kind == "rect":
        x, y = float(shape["x"]), float(shape["y"])
        return f"{x:g} {y:g} {shape['width']} {shape['height']} re"
    if kind == "line":
        return f"{shape['x1']} {shape['y1']} m {shape['x2']} {shape['y2']} l"
    if kind == "path":
        through = shape["d"].removeprefix("M").removesuffix("Z").split("L")
        lines = f"{through[0]} m " + " ".join(f"{point} l" for point in through[1:])
        return lines + (" h" if shape["d"].endswith("Z") else "")
    x, y, r = (float(shape[key]) for key in ("cx", "cy", "r"))
    c = r * _ROUND
    return (
        f"{x + r:g} {y:g} m {x + r:g} {y + c:g} {x + c:g} {y + r:g} {x:g} {y + r:g} c "
        f"{x - c:g} {y + r:g} {x - r:g} {y + c:g} {x - r:g} {y:g} c "
        f"{x - r:g} {y - c:g} {x - c:g} {y - r:g} {x:g} {y - r:g} c "
        f"{x + c:g} {y - r:g} {x + r:g} {y - c:g} {x + r:g} {y:g} c h"
    )


def _hatch(shape: Style) -> str:
    """Slanting lines over a rectangle."""
    x, y, wide, tall = (float(shape[key]) for key in ("x", "y", "width", "height"))
    steps = int((wide + tall) / 5) + 1
    lines = (f"{x + 5 * n:g} {y:g} m {x + 5 * n - tall:g} {y + tall:g} l" for n in range(steps))
    return " ".join(lines)


def _mix(colour: str, strength: float) -> str:
    """A colour over white paper, as three shares."""
    shares = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return " ".join(f"{1 - strength * (1 - share):.3f}".rstrip("0").rstrip(".") for share in shares)


def _write_text(shape: ElementTree.Element, rules: Mapping[str, Style]) -> str:
    text, named = shape.text or "", shape.attrib
    style = _find_style(named, rules)
    fill = style["fill"] if style["fill"] != "#000000" else LIGHT["ink"]
    size = float(named.get("font-size", SIZE))
    wide = measure_helvetica(text, size)
    back = {"middle": wide / 2, "end": wide}.get(named.get("text-anchor", ""), 0)
    x, y = float(named["x"]), float(named["y"])
    # The page is upside down, as SVG is; letters are turned back.
    turned = "-90" in named.get("transform", "")
    place = f"0 -1 -1 0 {x:g} {y + back:g} Tm" if turned else f"1 0 0 -1 {x - back:g} {y:g} Tm"
    letters = re.sub(r"([()\\])", r"\\\1", text)
    font = "F2" if style.get("font-weight") == "bold" else "F1"
    return f"BT /{font} {size:g} Tf {_mix(fill, 1)} rg {place} ({letters}) Tj ET"


def _assemble(width: float, height: float, drawn: bytes) -> bytes:
    """The objects of the file, and where each begins."""
    font = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
    page = (
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:g} {height:g}]/Contents 4 0 R"
        "/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page.encode(),
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(drawn), drawn),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
    ]
    found = b"%PDF-1.4\n"
    starts = []
    for number, content in enumerate(objects, start=1):
        starts.append(len(found))
        found += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    return found + (
        b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(found))
    )
