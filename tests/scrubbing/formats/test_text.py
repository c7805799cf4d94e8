"""Plain text: offsets, encodings, line ends, long lines, odd letters, folders, both cores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discreet.scrubbing.formats import flow
from discreet.scrubbing.formats.documents import list_inputs
from discreet.scrubbing.report import ScrubReport

Scrubbing = Callable[..., Any]


def test_line_ends_and_encoding_stay(scrub: Scrubbing) -> None:
    done = scrub({"a.txt": "Dr. Frank Graves\r\nin the café\r\n".encode("cp1252")})
    assert done.bytes == "Dr. [NAME 1]\r\nin the café\r\n".encode("cp1252")
    assert "Windows-1252 is assumed" in done.report.notices[0]


def test_undecodable_bytes_never_come_out(scrub: Scrubbing) -> None:
    done = scrub({"a.txt": b"Dr. Frank Graves \x81\x8d left, \xc3\xa4"})
    assert done.text == "Dr. [NAME 1] \ufffd\ufffd left, ä"
    assert done.report.unprocessed == 2


def test_empty_files_and_texts_without_findings_come_out_as_they_are(scrub: Scrubbing) -> None:
    documents = {"a.txt": "", "b.html": "", "c.jsonl": "", "d.csv": "", "e.eml": "", "f.xml": "",
                 "g.json": "", "h.txt": "nothing to see"}  # fmt: skip
    done = scrub(documents)
    assert {name: data.decode().strip() for name, data in done.files.items()} == documents
    assert (done.report.findings, done.report.unprocessed) == ({}, 0)


def test_text_that_looks_like_markup_is_text(scrub: Scrubbing) -> None:
    text = '<b>Dr. Frank Graves</b> &amp; {"a": 1} <!-- Dr. Frank Graves -->'
    assert scrub({"a.txt": text}).text == text.replace("Frank Graves", "[NAME 1]")


@pytest.mark.parametrize(
    "text",
    [
        "שלום Dr. Frank Graves שלום",
        "\u202eDr. Frank Graves\u202c",
        "Dr. Frank Graves\u0301\u0302 x",
        "e\u0301".join(["", " Dr. Frank Graves "]),
    ],
)
def test_right_to_left_and_combining_letters_do_no_harm(scrub: Scrubbing, text: str) -> None:
    done = scrub({"a.txt": text})
    assert "Frank" not in done.text
    assert "Graves" not in done.text


def test_a_name_on_a_cut_is_found_once(scrub: Scrubbing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow.cut_pieces, "__defaults__", (50, 40))
    text = "We saw Dr. Frank Graves and Mrs. Mary Miller again. " * 20
    done = scrub({"a.txt": text}, style="remove")
    assert done.text == text.replace("Frank Graves", "").replace("Mary Miller", "")
    assert done.report.findings == {"NAME": 40}
    assert done.report.documents == 1


def test_tags_mean_the_same_in_all_pieces(
    scrub: Scrubbing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow.cut_pieces, "__defaults__", (50, 40))
    done = scrub({"a.txt": "We saw Dr. Frank Graves. Then we saw Dr. Mary Miller.\n" * 5})
    assert len(set(done.text.splitlines())) == 1


def test_a_long_line_needs_no_white_space(
    scrub: Scrubbing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow.cut_pieces, "__defaults__", (100, 40))
    text = "x" * 950 + " Dr. Frank Graves"
    assert scrub({"a.txt": text}, style="remove").text == text.removesuffix("Frank Graves")


def test_what_is_no_text_is_left_out_and_counted(scrub: Scrubbing) -> None:
    done = scrub({"a.txt": b"a\x00b\x01", "b.pdf": "Dr. Frank Graves", "c.txt": "Dr. Frank Graves"})
    assert set(done.files) == {"c.txt"}
    assert (done.report.documents, done.report.left_out, done.report.unprocessed) == (1, 2, 2)


def test_links_in_a_folder_do_not_lead_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text("x")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "other")
    report = ScrubReport()
    assert list_inputs([tmp_path / "in"], report) == []
    assert report.left_out == 1


def test_two_processes_find_the_same_in_the_same_order(
    scrub: Scrubbing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("discreet.scrubbing.finder.WORTH_IT", 10)
    documents = {f"{n}.txt": f"Dr. Frank Graves saw {n} people." for n in range(9)}
    two = scrub(documents, jobs=2, style="pseudonym", scope="corpus")
    for folder in ("in", "out"):
        (tmp_path / folder).rename(tmp_path / f"{folder}2")
    one = scrub(documents, jobs=1, style="pseudonym", scope="corpus")
    assert one.files == two.files
    assert one.report.facts() == two.report.facts()
    assert len({data[:20] for data in one.files.values()}) == 1
