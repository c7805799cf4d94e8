"""``discreet anonymize --where --columns``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.ledger.entry import parse_line
from discreet.ledger.ledger import Ledger


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    rows = ["name,age,zip,disease"]
    rows += [f"n{n},{20 + n % 20},0213{n % 3},{'flu' if n % 2 else 'gout'}" for n in range(60)]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def ask(run: Any, table: Path, policy: Path, tmp_path: Path) -> Any:
    """Ask for a part of the table through a ledger."""

    def make(name: str, *more: Any) -> Any:
        target = ("-o", tmp_path / name, "--ledger", tmp_path / "ledger", "--to", "lab")
        return run("anonymize", table, "--policy", policy, *target, *more)

    return make


def test_a_part_is_written_and_entered(ask: Any, run: Any, tmp_path: Path) -> None:
    where = "age >= 30 AND zip IN ('02130', '02131')"
    done = ask("out.csv", "--where", where, "--columns", "zip, disease", "--json")
    facts = json.loads(done.stdout)
    assert facts["part"] == {"where": where, "columns": ["zip", "disease"]}
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "zip,disease"
    assert {line[:5] for line in lines[1:]} <= {"02130", "02131"}
    shown = json.loads(run("ledger", "show", tmp_path / "ledger", "--json").stdout)
    assert shown["part"] == facts["part"]
    told = run("ledger", "show", tmp_path / "ledger").stdout
    assert f"rows asked for      {where}" in told
    assert "columns asked for   zip, disease" in told
    assert run("ledger", "check", tmp_path / "ledger").exit_code == 0


def test_a_part_that_differs_by_few_rows_from_an_earlier_one_is_not_written(
    ask: Any, tmp_path: Path
) -> None:
    assert ask("first.csv", "--where", "age < 30", "--columns", "age").exit_code == 0
    second = ask("second.csv", "--where", "age < 30 AND NOT (age = 25 AND zip = '02130')")
    assert second.exit_code == 2
    assert "would be distinguishable, fewer than 3 in some class" in second.stderr.replace(
        "\n", " "
    )
    assert not (tmp_path / "second.csv").exists()
    assert len(Ledger.read(tmp_path / "ledger").lines) == 1


def test_a_part_is_written_only_beside_a_ledger(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    asked = ("anonymize", table, "--policy", policy, "--where", "age > 25")
    refused = run(*asked, "-o", tmp_path / "out.csv")
    assert refused.exit_code == 2
    assert "--where: a part can be written only with a ledger" in refused.stderr
    assert not (tmp_path / "out.csv").exists()
    tried = run(*asked)
    assert tried.exit_code == 0
    assert "Nothing was written: give -o OUT." in tried.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", "age >"), "condition: at the end: expected a number"),
        (("--where", "disease = 'flu'"), "which is sensitive"),
        (("--where", "age > 99"), "fewer than 3 rows meet the condition"),
        (("--columns", "age,,zip"), "names of columns with commas between them"),
        (("--columns", ""), "names of columns with commas between them"),
        (("--columns", "name"), "the policy does not release it"),
        (("--where", "age > 25", "--interactive"), "it works only on the whole table"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    run: Any, table: Path, policy: Path, options: tuple[str, ...], said: str
) -> None:
    done = run("anonymize", table, "--policy", policy, *options)
    assert done.exit_code == 2
    assert said in done.stderr.replace("\n", " ")


def test_columns_may_be_named_one_by_one_and_with_commas_in_them(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text('"age, years",sex,job\n' + "30,f,a\n" * 5)
    simple = ("-q", "age, years", "-q", "sex", "-s", "job", "-k", "2")
    names = ("--columns", '"age, years"', "--columns", "job")
    facts = json.loads(run("anonymize", path, *simple, *names, "--json").stdout)
    assert facts["part"]["columns"] == ["age, years", "job"]
    assert list(facts["levels"]) == ["age, years"]


def test_a_part_can_be_attacked_before_it_is_written(ask: Any) -> None:
    done = ask("out.csv", "--where", "age >= 30", "--attack", "--json")
    assert json.loads(done.stdout)["withstands"] is True


def test_entries_of_whole_tables_are_written_as_they_always_were(ask: Any, tmp_path: Path) -> None:
    assert ask("whole.csv").exit_code == 0
    assert ask("part.csv", "--columns", "zip").exit_code == 0
    whole, part = (tmp_path / "ledger").read_text().splitlines()
    assert '"part"' not in whole
    assert '"part":{"where":null,"columns":["zip"]}' in part
    found = parse_line(whole)
    assert found is not None
    assert found[0].part is None  # type: ignore[union-attr]
