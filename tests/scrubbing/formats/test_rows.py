"""Tables and JSON lines: rows are documents, a person's rows help each other."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import UnknownColumnError
from discreet.scrubbing.finder import Finder, Work, add_known
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.documents import list_inputs
from discreet.scrubbing.formats.target import open_one_file
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.scrub import Scrub
from tests.scrubbing.formats.conftest import KEY, TEMPLATES
from tests.scrubbing.test_repeated import LINES, PLAIN

Scrubbing = Callable[..., Any]
ROWS = 'id,age,note\n007,44,"Dr. Frank Graves, seen"\n008,,\n'


def test_only_the_columns_asked_for_are_scrubbed(scrub: Scrubbing) -> None:
    done = scrub({"a.csv": ROWS}, columns=("note",))
    assert done.text == 'id,age,note\n007,44,"Dr. [NAME 1], seen"\n008,,\n'
    assert done.report.documents == 2


def test_without_a_column_all_are_scrubbed_with_their_names_as_cues(scrub: Scrubbing) -> None:
    done = scrub({"a.csv": "patient,note\nFrank Graves,Graves slept\n"})
    assert done.text == "patient,note\n[NAME 1],[NAME 1] slept\n"


def test_a_person_helps_in_other_rows_and_earlier_ones(scrub: Scrubbing) -> None:
    rows = "who,note\n1,then zorbeth slept\n2,then zorbeth slept\n1,Mrs. Anna Zorbeth left\n"
    done = scrub({"a.csv": rows}, columns=("note",), person="who", style="remove", scope="person")
    assert done.text.splitlines()[1:] == ["1,then  slept", "2,then zorbeth slept", "1,Mrs.  left"]


def test_known_values_of_a_row_are_found_in_it_only(scrub: Scrubbing) -> None:
    rows = "chart,note\nblue door,seen at Blue Door again\nother,blue door\n"
    done = scrub({"a.csv": rows}, columns=("note",), known=("chart",), style="blank")
    assert done.text == "chart,note\nblue door,seen at ********* again\nother,blue door\n"


def test_known_values_win_over_findings_they_overlap_and_not_over_those_they_are_part_of() -> None:
    wide, part = Finding(0, 9, "NAME", 0.9, "", ""), Finding(4, 9, "NAME", 0.9, "", "")
    assert add_known("Ann Graves", [wide], ["Ann"]) == [wide._replace(whole=True)]
    assert [f.detector for f in add_known("Ann Graves", [part], ["Ann Graves"])] == ["known"]


def test_what_a_known_value_leaves_of_a_finding_is_still_found() -> None:
    text = "Anna Zorbeth Smith Jones came"
    found = Finding(5, 24, "NAME", 0.9, "full_name", "x")
    stretches = [(f.start, f.end) for f in add_known(text, [found], ["Anna Zorbeth Smith"])]
    assert stretches == [(0, 18), (19, 24)]


def test_types_of_other_columns_stay(scrub: Scrubbing) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"n": [1, 2], "note": ["Dr. Frank Graves", None]}), sink)
    done = scrub({"a.parquet": sink.getvalue().to_pybytes()}, columns=("note",))
    found = pq.read_table(pa.BufferReader(done.bytes))
    assert found.to_pydict() == {"n": [1, 2], "note": ["Dr. [NAME 1]", None]}


def test_an_unknown_column_is_named(scrub: Scrubbing) -> None:
    with pytest.raises(UnknownColumnError, match="'notes'"):
        scrub({"a.csv": ROWS}, columns=("notes",))


def test_a_broken_csv_is_scrubbed_as_text(scrub: Scrubbing) -> None:
    done = scrub({"a.csv": 'a,b\n1,2,3,"Dr. Frank Graves\n'})
    assert "Frank" not in done.text
    assert "not a valid table" in done.report.notices[0]


def test_lines_of_json_are_documents(scrub: Scrubbing) -> None:
    lines = '{"note": "Dr. Frank Graves", "n": 1}\r\nnot {json: Dr. Frank Graves\n'
    done = scrub({"a.jsonl": lines})
    assert done.text == lines.replace("Frank Graves", "[NAME 1]")
    assert done.report.documents == 2
    assert "not JSON" in done.report.notices[0]


def test_lines_of_a_person_come_out_in_their_old_order(scrub: Scrubbing) -> None:
    lines = [
        '{"who": 1, "note": "then zorbeth slept"}',
        '{"who": 2, "note": "then zorbeth slept"}',
        '{"who": 1, "note": "Mrs. Anna Zorbeth left"}',
        "{}",
    ]
    done = scrub({"a.jsonl": "\n".join(lines)}, columns=("note",), person="who", style="remove")
    assert done.text.splitlines() == [
        '{"who": 1, "note": "then  slept"}',
        lines[1],
        '{"who": 1, "note": "Mrs.  left"}',
        "{}",
    ]


def test_what_was_known_of_a_person_is_forgotten_after_its_texts() -> None:
    works = [Work(("Mrs. Anna Zorbeth left",), "1"), Work(("then zorbeth slept",), "1")]
    found = [looked.findings for _, looked in Finder(TEMPLATES, jobs=1).look(works)]
    assert len(found[0][0]) == 1
    assert found[1] == [[]]


def test_known_fields_of_json_lines_are_looked_for_in_their_line(
    scrub: Callable[..., Any],
) -> None:
    lines = (
        '{"name": "Anna Zorbeth", "note": "zorbeth slept"}\n'
        '{"name": "Cy Tamm", "note": "zorbeth slept"}\n'
    )
    done = scrub({"a.jsonl": lines}, columns=("note",), known=("name",))
    first, second = map(json.loads, done.text.splitlines())
    assert first == {"name": "Anna Zorbeth", "note": "[NAME 1] slept"}
    assert second["note"] == "zorbeth slept"


def test_known_fields_of_a_json_document_are_looked_for_in_all_of_it(
    scrub: Callable[..., Any],
) -> None:
    text = '[{"who": {"mrn": 47110}, "note": "chart of 47110"}]'
    done = scrub({"a.json": text}, columns=("note",), known=("mrn",))
    assert json.loads(done.text)[0]["note"] == "chart of [ID 1]"


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("asked", [{"columns": ("ntoe",)}, {"known": ("x",)}, {"person": "y"}])
def test_json_without_the_field_that_is_named_is_left_out(
    scrub: Callable[..., Any], name: str, asked: dict[str, Any]
) -> None:
    """A slip in the name of a field must not let all texts through."""
    done = scrub({name: '{"note": "Mr. Frank Miller"}', "b.txt": "fine"}, **asked)
    assert set(done.files) == {"b.txt"}
    assert done.report.left_out == 1


NEAR = tuple(
    f"{who} lives at {n} Oak Street, phone 617-555-01{n}, and {how}."
    for n, (who, how) in enumerate(
        [("She", "is well"), ("He", "sleeps badly"), ("She", "eats little"), ("He", "walks")], 10
    )
)
REPEATED = {
    **{f"line {number}": (line,) * 5 for number, line in enumerate(LINES)},
    "lines that differ a little": NEAR,
    "many lines in each": tuple("\n".join([line] * 4) for line in LINES),
    "one line among others": ("Seen.", *[LINES[0]] * 6, "She slept, then she left."),
}
ASKED: tuple[dict[str, Any], ...] = ({}, {"columns": ("note",)}, {"person": "who"})


def write_rows(texts: tuple[str, ...], ending: str) -> str:
    """Texts of two people as a table, as JSON lines, or as a table of one column."""
    if ending == "jsonl":
        rows = ({"who": 100 + n % 2, "note": text} for n, text in enumerate(texts))
        return "".join(json.dumps(row) + "\n" for row in rows)
    file = io.StringIO()
    is_one = ending == "one.csv"
    writer = csv.writer(file, quoting=csv.QUOTE_ALL if is_one else csv.QUOTE_MINIMAL)
    writer.writerows([["note"]] if is_one else [["who", "note"]])
    for n, text in enumerate(texts):
        writer.writerow([text] if is_one else [100 + n % 2, text])
    return file.getvalue()


def read_notes(text: str, ending: str) -> list[str]:
    if ending == "jsonl":
        return [json.loads(line)["note"] for line in text.splitlines()]
    return [row[-1] for row in csv.reader(io.StringIO(text))][1:]


@pytest.mark.parametrize("texts", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("ending", ["csv", "one.csv", "jsonl"])
def test_plain_words_of_repeated_rows_stay(
    tmp_path: Path, texts: tuple[str, ...], ending: str
) -> None:
    (tmp_path / f"a.{ending}").write_text(write_rows(texts, ending), newline="")
    for number, asked in enumerate(ASKED[:2] if ending == "one.csv" else ASKED):
        out = tmp_path / f"out{number}.{ending}"
        with open_one_file(out) as target:
            job = Scrub(Finder(jobs=1), Replacer("tag", key=KEY), **asked)
            report = ScrubReport()
            job(list_inputs([tmp_path / f"a.{ending}"], report), target, report)
        notes = read_notes(out.read_text(), ending)
        assert [_plain(note) for note in notes] == [_plain(text) for text in texts]
        kinds = [re.sub(r" \d+\]", "]", note) for note in notes]
        assert len(set(kinds)) == 1 or len(set(texts)) > 1


def _plain(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", re.sub(r"\[[A-Z]+ \d+\]", "", text).lower())
    return [word for word in words if word in PLAIN]
