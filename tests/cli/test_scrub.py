"""``discreet scrub``: what it writes, what it says, what it refuses, and what it never shows."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest
from openpyxl import Workbook

NOTE = "Dr. Frank Graves wrote to Mrs. Mary Miller on March 3, 1994.\n"
PRIVATE = ("Frank", "Graves", "Mary", "Miller")
Run = Callable[..., Any]


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return path


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text(NOTE)
    (folder / "more" / "b.html").write_text(f"<p>{NOTE}</p>")
    return folder


def test_a_document_is_scrubbed_to_a_file(run: Run, note: Path, tmp_path: Path) -> None:
    done = run("scrub", note, "-o", tmp_path / "out.txt")
    assert done.exit_code == 0, done.stderr
    text = (tmp_path / "out.txt").read_text()
    assert text.startswith("Dr. ")
    assert "March 1, 1994" in text
    for word in PRIVATE:
        assert word not in text
        assert word not in done.stdout + done.stderr
    assert "not anonymous" in done.stdout
    assert "drawn for this run" in done.stdout


def test_json_has_the_counts(run: Run, notes: Path, tmp_path: Path) -> None:
    (notes / "c.txt").write_bytes(b"\x81\x8d Dr. Frank Graves")
    done = run("scrub", notes, "-o", tmp_path / "out", "--json")
    facts = json.loads(done.stdout)
    assert facts["documents"] == 3
    assert facts["findings"]["NAME"] == 5
    assert facts["unprocessed"] == 2
    assert done.exit_code == 0


def test_a_folder_comes_out_as_a_folder(run: Run, notes: Path, tmp_path: Path) -> None:
    done = run("scrub", notes, "-o", tmp_path / "out", "--style", "tag")
    assert done.exit_code == 0
    assert (
        (tmp_path / "out" / "a.txt").read_text().startswith("Dr. [NAME 1] wrote to Mrs. [NAME 2]")
    )
    page = (tmp_path / "out" / "more" / "b.html").read_text()
    assert page.startswith("<p>Dr. [NAME 1]")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".discreet")] == []


def test_what_cannot_be_read_is_counted_and_the_code_is_1(
    run: Run, notes: Path, tmp_path: Path
) -> None:
    (notes / "scan.pdf").write_bytes(b"%PDF Frank")
    done = run("scrub", notes, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "documents left out" in done.stdout
    assert not (tmp_path / "out" / "scan.pdf").exists()
    assert (tmp_path / "out" / "a.txt").exists()


def test_a_named_document_that_cannot_be_read_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\x00b\x01")
    done = run("scrub", tmp_path / "a.txt", "-o", tmp_path / "out.txt")
    assert done.exit_code == 2
    assert "not a text file" in done.stderr
    assert not (tmp_path / "out.txt").exists()


def test_the_same_key_gives_the_same_text_and_another_key_does_not(
    run: Run, note: Path, tmp_path: Path
) -> None:
    texts = []
    for name, key in (("1", "a"), ("2", "a"), ("3", "b")):
        done = run("scrub", note, "-o", tmp_path / name, "--key", tmp_path / f"{key}.key")
        assert done.exit_code == 0, done.stderr
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1] != texts[2]
    assert stat.S_IMODE((tmp_path / "a.key").stat().st_mode) == 0o600


def test_a_key_that_could_not_be_stored_is_not_said_to_be(
    run: Run, note: Path, tmp_path: Path
) -> None:
    done = run("scrub", note, "-o", tmp_path / "1", "--key", tmp_path / "nowhere" / "a.key")
    assert done.exit_code == 2
    assert done.stderr.startswith("discreet: replacement key")
    assert "Name a file in a folder that exists" in done.stderr
    assert "is stored" not in done.stderr
    done = run("scrub", note, "-o", tmp_path / "1", "--key", tmp_path / "a.key")
    assert "A new key is stored in" in done.stderr


def test_people_of_a_list_are_found(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a kuntzenhof or two")
    (tmp_path / "people.txt").write_text("Anna Kuntzenhof\n\nBo Vix\n")
    args = ("scrub", tmp_path / "a.txt", "--json")
    assert json.loads(run(*args).stdout)["findings"] == {}
    found = json.loads(run(*args, "--people", tmp_path / "people.txt").stdout)
    assert found["findings"] == {"NAME": 1}


def test_without_an_output_it_is_only_counted(run: Run, note: Path, tmp_path: Path) -> None:
    done = run("scrub", note)
    assert "Nothing was written" in done.stdout
    assert list(tmp_path.iterdir()) == [note]


def test_kinds_and_threshold_limit_what_is_found(run: Run, note: Path) -> None:
    found = json.loads(run("scrub", note, "--json", "--kinds", "date").stdout)["findings"]
    assert found == {"DATE": 1}
    found = json.loads(run("scrub", note, "--json", "--threshold", "1").stdout)["findings"]
    assert found == {}


def test_columns_of_a_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('who,note\nFrank Graves,"Dr. Frank Graves, seen"\n')
    done = run("scrub", tmp_path / "a.csv", "-o", tmp_path / "b.csv", "--column", "note",
               "--person", "who", "--known", "who", "--style", "blank")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "b.csv").read_text() == ('who,note\nFrank Graves,"Dr. ************, seen"\n')


def test_what_was_decided_on_the_page_is_done(run: Run, note: Path, tmp_path: Path) -> None:
    from discreet.scrubbing.review.decisions import FORMAT, hash_text

    one = {"digest": hash_text(NOTE), "start": 4, "end": 16, "do": "keep", "kind": "NAME"}
    two = {**one, "start": 17, "end": 22, "do": "replace"}
    file = tmp_path / "d.json"
    file.write_text(json.dumps({"format": FORMAT, "decisions": [one, two]}))
    out = tmp_path / "out.txt"
    done = run("scrub", note, "-o", out, "--decisions", file, "--style", "blank", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["decisions"] == {"kept": 1, "replaced": 1}
    assert out.read_text().startswith("Dr. Frank Graves ***** to Mrs. *****")


def test_a_decision_about_another_text_stops_the_release(
    run: Run, note: Path, tmp_path: Path
) -> None:
    from discreet.scrubbing.review.decisions import FORMAT, hash_text

    one = {"digest": hash_text(NOTE + " "), "start": 4, "end": 16, "do": "replace", "kind": "NAME"}
    file = tmp_path / "d.json"
    file.write_text(json.dumps({"format": FORMAT, "decisions": [one]}))
    done = run("scrub", note, "-o", tmp_path / "out.txt", "--decisions", file)
    assert done.exit_code == 2
    assert not (tmp_path / "out.txt").exists()
    assert "not here or were changed: 1." in done.stderr
    done = run("scrub", note, "-o", "-", "--decisions", file)
    assert done.exit_code == 2
    assert done.stdout == ""


def test_the_review_shows_all_and_only_to_its_owner(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"<script>alert(1)</script> {NOTE}")
    page = tmp_path / "review.html"
    done = run("scrub", tmp_path / "a.txt", "--review", page)
    assert done.exit_code == 0, done.stderr
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    text = page.read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert text.count("<script") == 1
    assert 'title="NAME, 0.' in text
    assert ">Frank Graves</mark>" in text
    assert text.index("<h2>Doubtful") < text.index("<h2>Documents")
    assert "private" in done.stdout


def test_evaluate_prints_recall_and_precision(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    span = {"start": 4, "end": 16, "label": "NAME"}
    gold.write_text(json.dumps({"text": "Dr. Frank Graves slept.", "spans": [span]}) + "\n")
    facts = json.loads(run("scrub", "--evaluate", gold, "--json").stdout)
    assert (facts["recall"], facts["precision"]) == (1.0, 1.0)
    assert "100.0 %" in run("scrub", "--evaluate", gold).stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "nothing to scrub"),
        (("{note}", "-o", "{note}"), "this is the file that is read"),
        (("{tmp}", "-o", "{tmp}/out"), "lies in a folder that is read"),
        (("{note}", "-o", "{tmp}/no/out"), "folder does not exist"),
        (("{note}", "-o", "-", "--json"), "both print"),
        (("{tmp}/none.txt",), "no such file"),
        (("{note}", "--style", "pseudo"), "one of pseudonym"),
        (("{note}", "--kinds", "NAMES"), "Did you mean 'NAME'"),
        (("{note}", "--threshold", "7"), "from 0 to 1"),
        (("{note}", "--language", "xx"), "one of de, en"),
        (("{note}", "--review", "page.txt"), "the ending '.txt' is not known"),
        (("{note}", "--jobs", "0"), "there must be a core"),
        (("{note}", "--evaluate", "{note}"), "measured, not scrubbed"),
        (("{note}", "{note}", "-o", "{tmp}/out"), "have the name of another"),
    ],
)
def test_wrong_requests_end_with_2_and_say_why(
    run: Run, note: Path, tmp_path: Path, args: tuple[str, ...], told: str
) -> None:
    done = run("scrub", *(arg.format(note=note, tmp=tmp_path) for arg in args))
    assert done.exit_code == 2, done.stdout
    assert told in done.stderr
    assert list(tmp_path.iterdir()) == [note]


def test_what_exists_is_replaced_only_by_force(run: Run, notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    (out / "a.txt").write_text("old")
    assert "not empty" in run("scrub", notes, "-o", out).stderr
    assert run("scrub", notes, "-o", out, "--force").exit_code == 0
    assert (out / "mine.txt").read_text() == "mine"
    assert (out / "a.txt").read_text().startswith("Dr. ")


def test_nothing_is_written_when_something_fails(
    run: Run, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.scrubbing.replace.replacer import Replacer

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("Frank Graves")

    monkeypatch.setattr(Replacer, "apply", fail)
    done = run("scrub", notes, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "Graves" not in done.stderr
    assert list(tmp_path.iterdir()) == [notes]


def test_a_pipe_goes_in_and_out() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "discreet", "scrub", "-", "-o", "-", "--style", "tag"],
        input=NOTE.encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(b"Dr. [NAME 1] wrote to Mrs. [NAME 2]")
    assert b"1 document" in done.stderr


def test_the_command_replaces_listed_and_known_names_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "people.txt").write_text("Rebecca Lane\n")
    (tmp_path / "note.txt").write_text("Rebecca Lane was admitted to Rebecca Lane Hospital.\n")
    (tmp_path / "rows.csv").write_text(
        'first,last,note\nRebecca,Lane,"Rebecca Lane was admitted."\nTom,Church,"to Tom Church"\n'
    )
    people = ("--people", tmp_path / "people.txt")
    done = run("scrub", tmp_path / "note.txt", *people, "-o", tmp_path / "new.txt")
    assert done.exit_code == 0 and "Lane" not in (tmp_path / "new.txt").read_text()
    out = tmp_path / "out.csv"
    asked = ("--column", "note", "--known", "first", "--known", "last", "-o", out, "--json")
    done = run("scrub", tmp_path / "rows.csv", *asked)
    assert json.loads(done.stdout)["documents"] == 2
    notes = [line.split(",", 2)[2] for line in out.read_text().splitlines()]
    assert "Lane" not in notes[1] and "Church" not in notes[2]


ROWS = "id,note\n" + '1,"Dr. Frank Graves, seen"\n' * 300
DAMAGE = {
    "cut": lambda data: data[: len(data) * 2 // 3],
    "changed": lambda data: data[: len(data) // 3] + b"\0\xff" * 40 + data[len(data) // 3 + 80 :],
    "empty": lambda data: b"",
    "zeros": lambda data: bytes(len(data)),
}


def make_sound(folder: Path) -> dict[str, bytes]:
    """A document of every format that can be damaged, as bytes by its ending."""
    rows = pa.table({"id": ["1"] * 300, "note": ["Dr. Frank Graves"] * 300})
    parquet.write_table(rows, folder / "a.parquet")
    feather.write_feather(rows, folder / "a.feather")
    with sqlite3.connect(folder / "a.sqlite") as database:
        database.execute("CREATE TABLE t (id TEXT, note TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [("1", "Dr. Frank Graves")] * 300)
    book = Workbook()
    for row in (["id", "note"], ["1", "Dr. Frank Graves"]):
        book.active.append(row)
    book.save(folder / "a.xlsx")
    docx = io.BytesIO()
    with zipfile.ZipFile(docx, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/document.xml", f"<w:p><w:r><w:t>{NOTE}</w:t></w:r></w:p>")
    sound = {path.suffix: path.read_bytes() for path in folder.iterdir()}
    for path in list(folder.iterdir()):
        path.unlink()
    return sound | {".docx": docx.getvalue(), ".csv.gz": gzip.compress(ROWS.encode(), mtime=0)}


@pytest.mark.parametrize("asked", [(), ("--column", "note")], ids=["all", "column"])
@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_documents_of_every_format_are_left_out_and_sound_ones_are_not(
    run: Run, tmp_path: Path, how: str, asked: tuple[str, ...]
) -> None:
    folder, out = tmp_path / "notes", tmp_path / "out"
    folder.mkdir()
    sound = make_sound(folder)
    for ending, data in sound.items():
        (folder / f"a{ending}").write_bytes(DAMAGE[how](data))
        (folder / f"b{ending}").write_bytes(data)
    (folder / "c.txt").write_text(NOTE)
    done = run("scrub", folder, "-o", out, "--jobs", 1, "--json", *asked)
    assert done.exit_code == 1, done.stderr
    facts = json.loads(done.stdout)
    there = {path.name for path in out.iterdir()}
    assert there >= {"c.txt", *(f"b{ending}" for ending in sound)}
    readable = len([name for name in there if name.startswith("a")])
    assert facts["left_out"] == len(sound) - readable
    assert readable == 0 or (how == "changed" and readable < len(sound) / 2)
    assert facts["documents"] == 3 * 300 + 300 + 1 + 1 + 1 or readable
    assert {path.name for path in tmp_path.iterdir()} == {"notes", "out"}
    for word in PRIVATE:
        assert word not in done.stdout + done.stderr
        assert all(word.encode() not in path.read_bytes() for path in out.iterdir())


def test_a_broken_csv_of_which_a_column_is_asked_for_is_left_out(run: Run, tmp_path: Path) -> None:
    folder, out = tmp_path / "notes", tmp_path / "out"
    folder.mkdir()
    (folder / "a.csv").write_text('id,note\n1,2,3,"Dr. Frank Graves\n')
    (folder / "b.csv").write_text(ROWS)
    done = run("scrub", folder, "-o", out, "--column", "note", "--json")
    assert done.exit_code == 1, done.stderr
    assert [path.name for path in out.iterdir()] == ["b.csv"]
    assert json.loads(done.stdout)["left_out"] == 1


def test_a_program_that_catches_what_is_printed_gets_the_text(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from discreet.cli.main import app

    (tmp_path / "note.txt").write_text("Seen by Dr. Rebecca Miller today.\n")
    done = CliRunner().invoke(app, ["scrub", str(tmp_path / "note.txt"), "-o", "-", "--quiet"])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Seen by")
    assert "Miller" not in done.stdout


@pytest.mark.parametrize("flag", ["--facts", "--review"])
def test_a_run_that_writes_facts_or_a_page_does_not_say_that_nothing_was_written(
    run: Any, tmp_path: Path, flag: str
) -> None:
    text = tmp_path / "note.txt"
    text.write_text("Write to mary@mail.example.\n")
    target = tmp_path / ("facts.csv" if flag == "--facts" else "page.html")
    ended = run("scrub", text, flag, target, "--jobs", "1")
    assert ended.exit_code == 0
    assert target.exists()
    assert "Nothing was written" not in ended.stdout
    assert "No scrubbed text was written: give -o to scrub." in ended.stdout


GERMAN = "Patient klagt über Schmerzen im Knie, die Wunde ist gut verheilt."


def test_documents_in_another_language_are_counted_and_their_text_is_not_shown(
    run: Run, notes: Path, tmp_path: Path
) -> None:
    (notes / "c.txt").write_text(GERMAN)
    (notes / "d.txt").write_text("El paciente refiere dolor en la rodilla desde hace dos semanas.")
    (notes / "e.jsonl").write_text(json.dumps({"note": GERMAN}))
    done = run("scrub", notes, "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert "2 of 5 documents (c.txt; e.jsonl, line 1) look German, not English" in done.stderr
    assert "with --language de." in done.stderr
    assert "1 of 5 documents (d.txt) looks Spanish" in done.stderr
    assert "check them by hand" in done.stderr
    assert "Knie" not in done.stdout + done.stderr
    facts = json.loads(run("scrub", notes, "--json").stdout)
    assert facts["languages"]["suspected"] == {"de": 2, "es": 1}
    assert facts["language"] == "en"


def test_columns_in_another_language_are_counted_by_column(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(f'id,note,about\n1,"{GERMAN}",ok\n2,{NOTE.strip()!r},\n3,"{GERMAN}",fine\n')
    facts = json.loads(run("scrub", table, "--json").stdout)
    assert facts["languages"]["columns"] == {"note": {"de": 2}}
    assert facts["languages"]["suspected"] == {"de": 2}
    german = json.loads(run("scrub", table, "--language", "de", "--json").stdout)
    assert german["languages"]["suspected"] == {"en": 1}
