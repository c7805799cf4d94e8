"""PDF: its text is scrubbed and written as text; what is not read is counted, never written."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from discreet.errors import ArgumentError, SourceError
from discreet.scrubbing.formats import pdf
from discreet.scrubbing.scrub import scrub

Run = Callable[..., Any]


def make_pdf(*pages: str, password: str = "") -> bytes:
    """A PDF file with these pages, drawn line by line; an empty one has no text."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    kids = []
    for page in pages:
        lines = "".join(f"({line}) Tj T* " for line in page.splitlines())
        drawn = f"BT /F1 12 Tf 14 TL 50 700 Td {lines}ET" if page else "0 0 m 9 9 l S"
        number = len(parts) + 1
        kids.append(f"{number} 0 R")
        parts.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {number + 1} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>".encode()
        )
        parts.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn.encode()))
    parts[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    written, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(written))
        written += b"%d 0 obj%s\nendobj\n" % (number, part)
    start = len(written)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    written += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}".encode()
    written += f"trailer<</Size {len(parts) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF".encode()
    if not password:
        return written
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(written)))
    writer.encrypt(password)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


NOTE = "Dr. Frank Graves wrote to Mrs. Mary Oberhu-\nber on March 3, 1994."


def test_the_text_of_a_pdf_file_is_scrubbed_and_written_as_text(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "note.pdf", tmp_path / "out.txt"
    source.write_bytes(make_pdf(NOTE, "", "Phone: 617-255-1423"))
    done = run("scrub", source, "-o", out, "--style", "tag")
    assert done.exit_code == 0, done.stderr
    assert out.read_text() == (
        "Dr. [NAME 1] wrote to Mrs. [NAME 2] on [DATE 1].\n\n\n\nPhone: [PHONE 1]\n"
    )
    assert "PDF pages without text, such as scans: nothing in them was checked" in done.stdout
    assert "layout, images, form fields, comments, attachments and metadata are not" in done.stderr


def test_pdf_files_in_a_folder_get_names_of_texts_and_bad_ones_are_counted(
    run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in {
        "a.pdf": make_pdf(NOTE),
        "locked.pdf": make_pdf(NOTE, password="x"),
        "scan.pdf": make_pdf("", ""),
        "cut.pdf": make_pdf(NOTE)[:200],
    }.items():
        (folder / name).write_bytes(data)
    done = run("scrub", folder, "-o", tmp_path / "out", "--json")
    assert done.exit_code == 1
    facts = json.loads(done.stdout)
    assert facts["left_out"] == 3
    assert sorted(facts["problems"]) == [
        "documents left out: it is encrypted, and no password can be given",
        "documents left out: it is not a PDF file, or it is damaged",
        "documents left out: none of its 2 pages has text: it may be a scan",
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.pdf.txt"]
    assert "Graves" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "damaged"),
        (b"%PDF-1.7\n\x00 Frank Graves", "damaged"),
        (make_pdf(NOTE, password="x"), "encrypted"),
        (make_pdf(""), "its page has no text"),
        (make_pdf(), "has no pages"),
    ],
    ids=["empty", "damaged", "encrypted", "scan", "no pages"],
)
def test_a_pdf_file_that_cannot_be_read_is_a_plain_error(
    data: bytes, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.pdf"
    source.write_bytes(data)
    with pytest.raises(SourceError, match=what):
        scrub(source, tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()
    assert capfd.readouterr().err == ""


def test_huge_pdf_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = make_pdf(NOTE, NOTE)
    for limit, what in (("LARGEST", "up to"), ("MOST_PAGES", "pages"), ("MOST_TEXT", "characters")):
        with monkeypatch.context() as patch:
            patch.setattr(pdf, limit, 1)
            with pytest.raises(SourceError, match=what):
                pdf.open_pdf(data, "a.pdf")


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SourceError, match=r"pip install 'discreet\[pdf\]'"):
        pdf.open_pdf(make_pdf(NOTE), "a.pdf")


def test_a_text_is_not_called_pdf(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(make_pdf(NOTE))
    with pytest.raises(ArgumentError, match="written as text"):
        scrub(tmp_path / "a.pdf", tmp_path / "b.pdf")
