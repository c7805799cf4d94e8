"""Inputs made to exhaust the machine get a message, within a minute of CPU and 2 GB of memory."""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from discreet import input_file
from tests.cli.starter import Starter

SECONDS, BYTES = 60, 2 << 30
PRIVATE = "Zq7marker"
TABLE = f"age,zip,who\n31,02138,{PRIVATE}\n31,02138,{PRIVATE}\n"
POLICY = "columns:\n  age: {role: quasi}\nrequire:\n  - k_anonymity: {k: 2}\n"
ANONYMIZE = ("anonymize", "table.csv", "--policy", "policy.yaml", "-o", "out.csv")
WIDE = 40_000


def policy_with(more: str) -> Callable[[Path], None]:
    return lambda folder: (folder / "policy.yaml").write_text(more) and None


def alias_bomb(folder: Path) -> None:
    lines = ["a0: &a0 [x, y, z, x2, y2, z2, x3, y3, z3]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    tree = "\n".join(f"      {line}" for line in lines)
    (folder / "policy.yaml").write_text(
        f"columns:\n  age:\n    role: quasi\n    hierarchy:\n     tree:\n{tree}\n"
        "require:\n  - k_anonymity: {k: 2}\n"
    )


def deep_tree(folder: Path) -> None:
    deep = "{a: " * 30_000 + "[x]" + "}" * 30_000
    text = POLICY.replace("{role: quasi}", f"{{role: quasi, hierarchy: {{tree: {deep}}}}}")
    (folder / "policy.yaml").write_text(text)


def long_line(folder: Path) -> None:
    """Members of a gz file that unpack to one line of 1.5 GB."""
    member = gzip.compress(b"a" * (16 << 20))
    (folder / "table.csv.gz").write_bytes(gzip.compress(b"age,zip\n") + member * 96)


def workbook(folder: Path) -> None:
    sheet = b"<worksheet><sheetData>" + b"<row/>" * (40 << 20)
    with zipfile.ZipFile(folder / "table.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")
        book.writestr("xl/worksheets/sheet1.xml", sheet)


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def document(start: bytes, body: bytes, times: int = 1) -> Callable[[Path], None]:
    """A document with a text that unpacks to far more than its size."""

    def make(folder: Path) -> None:
        head = start + f'<w:document xmlns:w="{WORD}"><w:body>'.encode()
        with (
            zipfile.ZipFile(
                folder / "note.docx", "w", zipfile.ZIP_DEFLATED, compresslevel=1
            ) as new,
            new.open("word/document.xml", "w") as text,
        ):
            text.write(head)
            for _ in range(times):
                text.write(body)
            text.write(b"</w:body></w:document>")

    return make


PARAGRAPH = b"<w:p><w:r><w:t>aaaa</w:t></w:r></w:p>"
ENTITIES = (
    b'<!DOCTYPE a [<!ENTITY a0 "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    + b"]>"
)


def wide_table(folder: Path) -> None:
    rows = [
        [f"c{n}" for n in range(WIDE)],
        *([str((n + r) % 7) for n in range(WIDE)] for r in (1, 1)),
    ]
    (folder / "wide.csv").write_text("\n".join(",".join(row) for row in rows) + "\n")


def repeated_value(folder: Path) -> None:
    """A Parquet file of 2 MB in which one value of 2,000 letters has 10 million rows."""
    codes = pa.array(np.zeros(1_000_000, dtype=np.int32))
    rows = pa.table({"note": pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 2_000]))})
    with pq.ParquetWriter(folder / "table.parquet", rows.schema) as file:
        for _ in range(10):
            file.write_table(rows)


def absurd_lengths(folder: Path) -> None:
    """A Feather file whose packed columns say that each unpacks to a terabyte."""
    path = folder / "table.feather"
    feather.write_feather(pa.table({"age": [PRIVATE] * 1_000}), path, compression="zstd")
    raw, magic = bytearray(path.read_bytes()), b"\x28\xb5\x2f\xfd"
    place = raw.find(magic)
    assert place > 0
    while place > 0:
        raw[place - 8 : place] = (1 << 40).to_bytes(8, "little")
        place = raw.find(magic, place + 1)
    path.write_bytes(raw)


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


def nothing(folder: Path) -> None:
    pass


def with_file(key: str) -> Callable[[Path], None]:
    """A policy that names an endless file under a key of its column or promise."""
    return policy_with({
        "hierarchy": POLICY.replace(
            "{role: quasi}", "{role: quasi, hierarchy: {file: /dev/zero}}"
        ),
        "register": POLICY + "  - k_map: {k: 2, register: /dev/zero}\n",
        "key": POLICY.replace(
            "require:",
            "  who: {role: identifier, replace: {pseudonym: {key: /dev/zero}}}\nrequire:",
        ),
    }[key])  # fmt: skip


CASES: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "aliases": (alias_bomb, ANONYMIZE),
    "a deep tree": (deep_tree, ANONYMIZE),
    "prefer": (policy_with(POLICY + f"prefer: [{', '.join(['age'] * 300_000)}]\n"), ANONYMIZE),
    "a long line": (long_line, ("inspect", "table.csv.gz")),
    "a packed workbook": (workbook, ("inspect", "table.xlsx")),
    "zeros as table": (nothing, ("inspect", "/dev/zero")),
    "noise as table": (nothing, ("risk", "/dev/urandom", "-q", "age")),
    "zeros as policy": (nothing, ("verify", "table.csv", "--policy", "/dev/zero")),
    "zeros as hierarchy": (with_file("hierarchy"), ANONYMIZE),
    "zeros as register": (with_file("register"), ANONYMIZE),
    "zeros as key": (with_file("key"), ANONYMIZE),
    "zeros as ledger": (nothing, (*ANONYMIZE, "--ledger", "/dev/zero", "--to", "public")),
    "zeros as names": (nothing, ("scrub", "table.csv", "--people", "/dev/zero", "-o", "out.csv")),
    "a pipe as policy": (pipe, ("anonymize", "table.csv", "--policy", "pipe", "-o", "out.csv")),
    "a pipe as ledger": (pipe, (*ANONYMIZE, "--ledger", "pipe", "--to", "public")),
    "a packed document": (
        document(b"", PARAGRAPH * 30_000, 250),
        ("scrub", "note.docx", "-o", "out.docx"),
    ),
    "entities in a document": (
        document(ENTITIES, b"<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>"),
        ("scrub", "note.docx", "-o", "out.docx"),
    ),
    "a repeated value": (repeated_value, ("inspect", "table.parquet")),
    "absurd lengths": (absurd_lengths, ("inspect", "table.feather")),
    "columns, inspected": (wide_table, ("inspect", "wide.csv")),
    "columns, identified": (wide_table, ("identify", "wide.csv")),
    "columns, masked": (wide_table, ("mask", "wide.csv", "--distinct", "0.5")),
    "columns, under HIPAA": (wide_table, ("hipaa", "wide.csv")),
    "columns, techniques": (wide_table, ("techniques", "wide.csv")),
    "columns, attacked with an earlier release": (
        wide_table,
        ("attack", "wide.csv", "-q", "c1", "--earlier", "wide.csv"),
    ),
    "columns, attacked with the private table": (
        wide_table,
        ("attack", "wide.csv", "-q", "c1", "--original", "wide.csv"),
    ),
    "columns, scrubbed": (wide_table, ("scrub", "wide.csv", "-o", "out.csv")),
}


def test_the_peak_of_a_command_is_its_own_however_large_the_tests_have_grown(
    tmp_path: Path,
) -> None:
    grown = np.ones(64 << 20)
    starter = Starter()
    try:
        ended = starter.run(tmp_path, ["--version"])
    finally:
        starter.close()
    assert ended.code == 0
    assert 32 << 20 < ended.peak < grown.nbytes


@pytest.mark.parametrize("case", CASES)
def test_what_is_made_to_exhaust_the_machine_gets_a_message(
    case: str, tmp_path: Path, starter: Starter
) -> None:
    make, arguments = CASES[case]
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "policy.yaml").write_text(POLICY)
    make(tmp_path)
    before = set(tmp_path.iterdir())
    ended = starter.run(tmp_path, arguments)
    said = ended.err
    assert ended.code == 2, said
    assert ended.cpu < SECONDS and ended.peak < BYTES, ended
    assert said.startswith("discreet: ") or "\ndiscreet: " in said
    assert not any(word in said for word in ("Traceback", "internal error", PRIVATE))
    assert {path for path in tmp_path.iterdir() if path.name.startswith("out")} <= before


def test_a_table_of_very_many_columns_is_released_and_verified(
    tmp_path: Path, starter: Starter
) -> None:
    wide_table(tmp_path)
    flags = ("-q", "c1", "-s", "c2", "-k", "1")
    for expected, arguments in (
        (0, ("anonymize", "wide.csv", *flags, "-o", "out.csv")),
        (0, ("verify", "out.csv", *flags)),
        (1, ("verify", "wide.csv", *flags)),  # it has columns that nobody said may leave
        (0, ("levels", "wide.csv", "-q", "c1")),
    ):
        ended = starter.run(tmp_path, arguments)
        assert ended.code == expected, ended
        assert ended.cpu < SECONDS and ended.peak < BYTES, ended


def test_a_table_of_very_many_columns_is_attacked_and_compared(
    tmp_path: Path, starter: Starter
) -> None:
    wide_table(tmp_path)
    flags = ("-q", "c1", "-s", "c2")
    for arguments in (("attack", "wide.csv", *flags), ("compare", "wide.csv", *flags, "-k", "2")):
        ended = starter.run(tmp_path, arguments)
        assert ended.code in (0, 1), ended
        assert ended.cpu < SECONDS and ended.peak < BYTES, ended


@pytest.mark.parametrize(("ending", "most"), [("csv", 6_000), ("parquet", 20_000)])
def test_more_columns_than_can_be_written_are_refused_before_any_work(
    ending: str,
    most: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., Any],
) -> None:
    names = [f"c{n}" for n in range(most + 1)]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    roles = "".join(f"  {name}: {{role: other}}\n" for name in names[1:])
    text = POLICY.replace("age", "c0").replace("require:", f"{roles}require:")
    (tmp_path / "policy.yaml").write_text(text)
    monkeypatch.setattr(
        "discreet.cli.commands.anonymize._make", lambda *_: pytest.fail("work was done")
    )
    out = tmp_path / f"out.{ending}"
    ledger = tmp_path / "ledger"
    table, policy = tmp_path / "wide.csv", tmp_path / "policy.yaml"
    found = run(
        "anonymize", table, "--policy", policy, "-o", out, "--ledger", ledger, "--to", "public"
    )
    assert found.exit_code == 2, found.output
    assert f"{most + 1:,} columns; at most {most:,} can be written" in found.stderr
    assert not out.exists() and not ledger.exists()


def test_the_limit_of_columns_is_named_and_can_be_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starter: Starter
) -> None:
    columns = input_file.MOST_COLUMNS + 1
    (tmp_path / "wide.csv").write_text(",".join(f"c{n}" for n in range(columns)) + "\n")
    for command in ("inspect", "hipaa", "identify"):
        assert "DISCREET_MAX_COLUMNS" in starter.run(tmp_path, (command, "wide.csv")).err
    monkeypatch.setenv("DISCREET_MAX_COLUMNS", str(columns))
    said = starter.run(tmp_path, ("identify", "wide.csv")).err
    assert "at most" not in said
    assert "no rows" in said
