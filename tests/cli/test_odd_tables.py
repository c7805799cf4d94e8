"""Tables as people have them: odd names, odd values, every kind of file in and out."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

NAMES = [
    'a"b',
    "x.y",
    "emoji 😀",
    "select",
    "age; drop table t",
    "größe",
    "it's",
    " lead",
    "n" * 300,
]
KINDS = ("csv", "tsv", "csv.gz", "csv.zst", "parquet", "feather", "xlsx", "sqlite")


def saved(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]], **more: Any) -> Path:
    with path.open("w", newline="", encoding=more.pop("encoding", "utf-8")) as file:
        csv.writer(file, **more).writerows([names, *rows])
    return path


def rows(columns: int, count: int = 24) -> list[list[str]]:
    """Values that are unlike each other in the first columns only."""
    return [[f"0213{row % (column + 2)}" for column in range(columns)] for row in range(count)]


def facts_of(result: Any) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def flags(names: Sequence[str], k: int = 2) -> list[str]:
    return [*(word for name in names for word in ("-q", name)), "-k", str(k)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_written_and_read_again(run: Any, tmp_path: Path, kind: str) -> None:
    source = saved(tmp_path / "it's a table ü.csv", NAMES, rows(len(NAMES)))
    out = tmp_path / f'rele\'ase "ü".{kind}'
    policy = tmp_path / "policy.yml"
    columns = {name: {"role": "quasi"} for name in NAMES}
    said = {"columns": columns, "require": [{"k_anonymity": {"k": 2}}]}
    policy.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    assert run("anonymize", source, "--policy", policy, "-o", out).exit_code == 0
    checked = run("verify", out, "--policy", policy, "--json")
    assert facts_of(checked)["rows"] == 24
    again = run("anonymize", out, "--policy", policy, "-o", tmp_path / "again.csv", "--json")
    assert facts_of(again)["rows"] == 24


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz"])
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "utf-16", "utf-8-sig"])
def test_a_release_in_the_encoding_of_its_source_passes_its_check(
    run: Any, tmp_path: Path, encoding: str, kind: str
) -> None:
    names, ills = ["größe", "übel"], ["Übelkeit", "Gürtelrose", "é"]
    made = [[str(n % 2), ills[n % 3]] for n in range(24)]
    source = saved(tmp_path / "private.csv", names, made, encoding=encoding, delimiter=";")
    policy = tmp_path / "policy.yml"
    policy.write_text(
        "columns: {größe: {role: quasi}, übel: {role: sensitive}}\n"
        "require: [{t_closeness: {column: übel, t: 0.1}}]\n",
        encoding="utf-8",
    )
    out = tmp_path / f"out.{kind}"
    common = ("--policy", policy, "--encoding", encoding, "--json")
    assert facts_of(run("anonymize", source, *common, "-o", out))["rows"] == 24
    assert facts_of(run("verify", out, *common, "--original", source))["holds"]


def test_values_with_separators_quotes_and_line_ends_survive(run: Any, tmp_path: Path) -> None:
    notes = ["a;b,c", 'say "no"', "two\nlines", "*", " 7 "]
    source = saved(tmp_path / "t.csv", ["note", "zip"], [[n, "02138"] for n in notes for _ in "12"])
    out = tmp_path / "out.csv"
    policy = tmp_path / "p.yml"
    policy.write_text(
        "columns: {note: {role: other}, zip: {role: quasi}}\nrequire: [{k_anonymity: {k: 10}}]\n"
    )
    assert run("anonymize", source, "--policy", policy, "-o", out).exit_code == 0
    with out.open(newline="") as file:
        found = sorted(row["note"] for row in csv.DictReader(file))
    assert found == sorted(notes * 2)


def test_columns_that_differ_by_case_are_different(run: Any, tmp_path: Path) -> None:
    source = saved(tmp_path / "t.csv", ["Age", "age", "AGE"], rows(3))
    out = tmp_path / "out.csv"
    facts = facts_of(run("anonymize", source, "-q", "Age", "-q", "age", "-k", "2", "--json"))
    assert set(facts["levels"]) == {"Age", "age"}
    assert run("anonymize", source, *flags(["Age", "AGE"]), "-o", out).exit_code == 0
    assert out.read_text().splitlines()[0] == "Age,AGE"


def test_three_hundred_columns_are_released(run: Any, tmp_path: Path) -> None:
    names = [f"c{n}" for n in range(300)]
    source = saved(tmp_path / "t.csv", names, [["1"] * 300, ["2"] * 300] * 3)
    facts = facts_of(run("anonymize", source, *flags(names), "--json", "--time-limit", "2"))
    assert (facts["classes"], facts["smallest_class"]) == (2, 3)


@pytest.mark.parametrize(
    ("names", "made", "k"),
    [
        (["age"], [["36"]], 1),
        (["age"], [["36"], ["41"]], 2),
        (["age", "zip"], [["", ""]] * 4, 4),
        (["age", "zip"], [["", "x"], ["", ""]] * 3, 6),
    ],
    ids=["one cell", "one column", "all missing", "one column missing"],
)
def test_the_smallest_tables_are_released(
    run: Any, tmp_path: Path, names: list[str], made: list[list[str]], k: int
) -> None:
    source, out = saved(tmp_path / "t.csv", names, made), tmp_path / "out.csv"
    facts = facts_of(run("anonymize", source, *flags(names, k), "-o", out, "--json"))
    assert facts["rows_suppressed"] == 0
    assert facts_of(run("verify", out, *flags(names, k), "--json"))["rows"] == len(made)


def test_all_rows_may_be_suppressed(run: Any, tmp_path: Path) -> None:
    source = saved(tmp_path / "t.csv", ["zip", "ill"], [["02138", "flu"], ["02139", "flu"]])
    policy, out = tmp_path / "p.yml", tmp_path / "out.csv"
    policy.write_text(
        "columns: {zip: {role: quasi}, ill: {role: sensitive}}\n"
        "require: [{l_diversity: {column: ill, ell: 2}}]\nsuppress: 1\n"
    )
    facts = facts_of(run("anonymize", source, "--policy", policy, "-o", out, "--json"))
    assert (facts["rows_suppressed"], facts["rows_released"]) == (2, 0)
    assert out.read_text() == "zip,ill\n"
    assert run("verify", out, "--policy", policy).exit_code == 0


def test_control_characters_of_a_name_do_not_reach_the_terminal(run: Any, tmp_path: Path) -> None:
    source = saved(tmp_path / "t.csv", ["\x1b[31mred", "zip"], rows(2))
    for result in (run("inspect", source), run("anonymize", source, *flags(["\x1b[31mred"]))):
        assert result.exit_code == 0
        assert "\x1b" not in result.stdout
