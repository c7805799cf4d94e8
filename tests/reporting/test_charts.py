"""Charts: text that fits, ticks that are round, files that other programs can read."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from discreet.errors import DiscreetError
from discreet.reporting.charts.areas import draw_icicle, draw_matrix
from discreet.reporting.charts.bars import Limit, Series, draw_bars
from discreet.reporting.charts.canvas import Canvas, measure_text, shorten_label, shorten_text
from discreet.reporting.charts.pdf import write_pdf
from discreet.reporting.charts.xy import Axis, Line, Point, Rule, draw_xy
from discreet.reporting.numbers import format_number, format_share
from discreet.reporting.pictures import save_picture

LONG = "a very long label that nobody could ever read " * 5
LABELS = ["<b>&", LONG, "漢字 " * 40, "", "\x00\ud800"]


def draw_each() -> list[Canvas]:
    """One of each kind, with labels as bad as they get."""
    some = [0.1, None, 1.0, 0.0, 0.7]
    names = [f"{label}{number}" for number, label in enumerate(LABELS)]
    pairs = {(a, b): -0.5 for place, a in enumerate(names) for b in names[place + 1 :]}
    return [
        draw_bars(
            "bars",
            LABELS,
            [Series(LONG, some), Series("<after>", some, 1, hatched=True)],
            axis=LONG,
            write=format_share,
            limit=Limit(LONG, 0.2),
            heading=LONG,
        ),
        draw_xy(
            "xy",
            Axis(LONG, 0, 1),
            Axis(LONG, 1, 100_000, base=10),
            points=[Point(0.5, 10, n, label=LABELS[n], name=LABELS[n]) for n in range(5)],
            lines=[Line([(0, 1), (1, 100)], LONG, 2, marked=True)],
            rules=[Rule("y", 5, LONG)],
            zone=((0, 1), (5, 100_000), "zone"),
            heading=LONG,
        ),
        draw_matrix("matrix", names, pairs, write=format_number),
        draw_icicle("icicle", [[("*", 9)], [(label, 2) for label in LABELS]], [LONG, "1"]),
    ]


@pytest.mark.parametrize("canvas", draw_each(), ids=lambda one: one.name)
def test_no_text_leaves_the_picture_whatever_the_labels(canvas: Canvas) -> None:
    root = ElementTree.fromstring(canvas.render_alone(LONG, "<&>"))
    width, height = canvas.width, canvas.height
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        size = float(text.get("font-size", 12))
        long = measure_text(text.text or "", size)
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        before = {"end": long, "middle": long / 2}.get(text.get("text-anchor", ""), 0)
        if "rotate" in text.get("transform", ""):  # upwards
            low, high = y + before, y + before - long
            assert high >= -0.5, text.text
            assert low <= height + 0.5, text.text
        else:
            assert x - before >= -0.5, text.text
            assert x - before + long <= width + 0.5, text.text
            assert 0 <= y <= height, text.text


def test_values_at_bars_never_overlap() -> None:
    canvas = draw_each()[0]
    rows = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="halo', canvas.render("", ""))
    assert len({y for _, y in rows}) == len(rows) == 10


def test_names_of_points_that_would_cover_each_other_are_left_out() -> None:
    many = [Point(0.5, 0.5, name="the same place") for _ in range(30)]
    drawn = draw_xy("x", Axis("x", 0, 1), Axis("y", 0, 1), points=many).render("", "")
    assert 1 <= drawn.count("the same place") <= 4


@given(st.text(), st.floats(20, 300))
@settings(max_examples=60)
def test_a_shortened_text_is_never_wider_than_its_room(text: str, width: float) -> None:
    for shorten in (shorten_text, shorten_label):
        assert measure_text(shorten(text, width)) <= width + 1e-6


def test_colour_is_never_alone() -> None:
    drawn = draw_each()[0].render("", "")
    assert 'fill="url(#bars-h1)"' in drawn
    points = draw_each()[2]
    assert points.render("", "").count("<circle") < 5 + 5 + 2 + 1


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_written_the_same_each_time(tmp_path: Path, ending: str) -> None:
    canvas = draw_bars(
        "b", ["one (1)", "é"], [Series("v", [1, 2], hatched=True)], axis="n", heading="both"
    )
    for name in ("a", "b"):
        save_picture(canvas, "title", "description", tmp_path / f"{name}.{ending}")
    one = (tmp_path / f"a.{ending}").read_bytes()
    assert one == (tmp_path / f"b.{ending}").read_bytes()
    assert one[:4] in (b"<?xm", b"\x89PNG", b"%PDF")


def test_a_pdf_has_its_text_as_text() -> None:
    canvas = draw_bars("b", ["one (1)", "é \\"], [Series("v", [1, 2])], axis="number of rows")
    (sheet,) = PdfReader(io.BytesIO(write_pdf(canvas.render_alone("t", "d")))).pages
    text = sheet.extract_text()
    assert all(part in text for part in ("one (1)", "é \\", "number of rows"))


def test_a_hollow_mark_keeps_its_outline_in_a_pdf() -> None:
    drawn = [
        write_pdf(
            draw_xy(
                "x", Axis("x", 0, 1), Axis("y", 0, 1), points=[Point(0.5, 0.5, 3, hollow)]
            ).render_alone("", "")
        )
        for hollow in (False, True)
    ]
    outline = b"0.835 0.369 0 RG"  # the colour of the fourth series
    assert [outline in one for one in drawn] == [False, True]


def test_letters_that_a_pdf_cannot_show_are_refused_with_a_way_out() -> None:
    canvas = draw_bars("b", ["漢字"], [Series("v", [1])], axis="n")
    with pytest.raises(DiscreetError, match=r"1 of its labels .* \.svg or \.png") as refused:
        write_pdf(canvas.render_alone("t", "d"))
    assert "漢" not in str(refused.value)
