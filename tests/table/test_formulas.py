"""Cells that a spreadsheet program would run are counted and reported, and quoted if asked."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.errors import LedgerError, PolicyError
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.attack import attack
from discreet.pipeline.people.together import together, verify_together
from discreet.table.formulas import is_formula, quote_formulas

CELLS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\tx", "-5", "+7", "-5 to 4", "--", "a"]
K2 = [{"k_anonymity": {"k": 2}}]


def policy(**more: Any) -> discreet.Policy:
    return discreet.Policy(
        columns={
            "sex": {"role": "quasi"},
            "note": {"role": "sensitive"},
            "@name": {"role": "other"},
        },
        require=[{"k_anonymity": {"k": 5}}],
        **more,
    )


@pytest.fixture
def table() -> Any:
    frame = pa.table({"sex": ["m"] * 5 + ["f"] * 5, "note": CELLS, "@name": ["x"] * 10})
    return discreet.read(frame)


@pytest.fixture
def release(table: Any) -> Any:
    return discreet.anonymize(table, policy())


def cells_of(path: Path, column: str) -> list[str]:
    with path.open(newline="") as file:
        return sorted(row[column] for row in csv.DictReader(file))


def runs(text: str) -> bool:
    """Whether a spreadsheet would run it, told apart from the product."""
    number = r"[-+]?\d+(\.\d+)?"
    return text[:1] in "=+-@\t\r\n" and not re.fullmatch(rf"{number}( to {number})?|[-+]+", text)


@pytest.mark.parametrize("text", CELLS)
def test_numbers_and_ranges_are_not_formulas(text: str) -> None:
    assert is_formula(text) == (CELLS.index(text) < 5)


@pytest.mark.parametrize("text", ["-5\n", "\n=1", "＝1", "＠x", "-5\n=1", "-٣"])
def test_rarer_beginnings_are_formulas(text: str) -> None:
    assert is_formula(text)
    assert quote_formulas(pa.array([text])).to_pylist() == [f"'{text}"]


def test_different_texts_stay_different_when_formulas_are_quoted() -> None:
    texts = [*CELLS, *(f"'{cell}" for cell in CELLS), *(f"''{cell}" for cell in CELLS), None, "'"]
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        quoted = quote_formulas(pa.array(texts, kind)).to_pylist()
        assert len(set(quoted)) == len(texts)
        assert not any(text is not None and runs(text) for text in quoted)
    coded = quote_formulas(pa.array(texts).dictionary_encode())
    assert coded.to_pylist() == quoted


def test_formulas_in_a_csv_release_are_reported(release: Any, tmp_path: Path) -> None:
    assert release.facts()["formulas"] is None
    release.write(tmp_path / "out.csv")
    told = " ".join(release.facts()["notes"])
    assert "5 cells of 1 column (note) start like a formula" in told
    assert "a released column has a name that starts like a formula" in told
    assert "cmd" not in told
    assert release.facts()["formulas"] == {"cells": {"note": 5}, "names": ["@name"]}


def test_a_workbook_holds_them_as_text_and_needs_no_note(release: Any, tmp_path: Path) -> None:
    release.write(tmp_path / "out.xlsx")
    assert "formula" not in " ".join(release.facts()["notes"])
    assert release.facts()["formulas"] is None
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    assert b"<f" not in sheet
    assert b"=cmd" in sheet


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "xlsx"])
def test_formulas_are_quoted_if_the_policy_says_so(table: Any, tmp_path: Path, ending: str) -> None:
    rules = policy(formulas="quote")
    release = discreet.anonymize(table, rules)
    path = tmp_path / f"out.{ending}"
    release.write(path)
    found = discreet.read(path).scan(text=["note"]).read_all().column(0).to_pylist()
    assert sorted(found) == sorted(f"'{cell}" if runs(cell) else cell for cell in CELLS)
    told = " ".join(release.facts()["notes"])
    assert "cells of" not in told
    assert ("has a name that starts like a formula" in told) == (ending != "xlsx")
    assert discreet.verify(path, rules, original=table).holds
    assert discreet.Policy.model_fields["formulas"].default == "keep"
    assert "formulas: quote" in rules.to_yaml()


@pytest.mark.parametrize(
    "model",
    [
        {"t_closeness": {"column": "note", "t": 0.4}},
        {"delta_disclosure": {"column": "note", "delta": 2}},
        {"beta_likeness": {"column": "note", "beta": 2}},
        {"l_diversity": {"column": "note", "ell": 2}},
    ],
)
def test_promises_about_the_whole_table_hold_for_quoted_values(
    model: dict[str, Any], tmp_path: Path
) -> None:
    rows = {"age": ["1", "1", "2", "2"] * 5, "note": ["=a", "'=a", "=a", "b"] * 5}
    table = discreet.read(pa.table(rows))
    rules = discreet.Policy(
        columns={"age": {"role": "quasi"}, "note": {"role": "sensitive"}},
        require=[*K2, model],
        formulas="quote",
    )
    release = discreet.anonymize(table, rules)
    release.write(tmp_path / "out.csv")
    kept = discreet.anonymize(table, rules.replace(formulas="keep"))
    plain = [(one.model, one.measured) for one in kept.verdicts]
    assert [(one.model, one.measured) for one in release.verdicts] == plain
    found = discreet.verify(tmp_path / "out.csv", rules, original=table)
    assert [(one.model, one.measured) for one in found.verdicts] == plain
    assert sorted({*cells_of(tmp_path / "out.csv", "note")}) == ["''=a", "'=a", "b"]


def test_a_register_is_compared_with_quoted_values(tmp_path: Path) -> None:
    rows = {"age": ["=1", "=1", "2", "2", "3"], "note": list("abcde")}
    table = discreet.read(pa.table(rows))
    register = discreet.read(pa.table({"age": ["=1", "2", "3"], "who": ["A", "B", "C"]}))
    found = {}
    for setting in ("keep", "quote"):
        rules = discreet.Policy(
            columns={"age": {"role": "quasi"}, "note": {"role": "sensitive"}},
            require=[{"k_anonymity": {"k": 1}}],
            formulas=setting,
        )
        discreet.anonymize(table, rules).write(tmp_path / f"{setting}.csv")
        release = discreet.read(tmp_path / f"{setting}.csv")
        counts = discreet.read(
            pa.table({"column": ["age"] * 3, "value": ["=1", "2", "3"], "count": list("221")})
        )
        done = attack(release, rules, register=register, original=table, summary=counts)
        found[setting] = {
            one["attack"]: (one["applies"], one["rows_exposed"]) for one in done.facts()["attacks"]
        }
    assert found["quote"] == found["keep"]
    assert found["quote"]["linking"] == (True, 1)
    assert found["quote"]["summary"][0]


def test_quoting_does_not_go_with_a_register_or_a_ledger(table: Any, tmp_path: Path) -> None:
    (tmp_path / "register.csv").write_text("sex\nm\nf\n")
    for model in ({"k_map": {"k": 1, "register": str(tmp_path / "register.csv")}},):
        with pytest.raises(PolicyError, match="formulas"):
            policy(formulas="quote").replace(require=[model])
    with (
        Ledger.open(tmp_path / "ledger.jsonl") as ledger,
        pytest.raises(LedgerError, match="formulas: quote"),
    ):
        anonymize_again(table, policy(formulas="quote"), ledger, to="ward")


def test_formulas_of_people_are_reported_and_quoted(tmp_path: Path) -> None:
    rows = {"who": ["=a", "=a", "=b", "=b"], "sex": list("mmmm"), "note": ["=x", "b", "c", "d"]}
    columns = {"sex": {"role": "quasi"}, "note": {"role": "other"}}
    rules = discreet.Policy(columns=columns, require=K2, people={"column": "who"})
    release = discreet.anonymize(pa.table(rows), rules)
    release.write(tmp_path / "out.csv")
    assert release.facts()["formulas"] == {"cells": {"note": 1}, "names": []}
    assert "1 cell of 1 column (note) start" in " ".join(release.facts()["notes"])
    release = discreet.anonymize(pa.table(rows), rules.replace(formulas="quote"))
    release.write(tmp_path / "out.csv")
    assert release.facts()["formulas"] == {"cells": {}, "names": []}
    assert cells_of(tmp_path / "out.csv", "note") == ["'=x", "b", "c", "d"]
    assert len(set(cells_of(tmp_path / "out.csv", "who"))) == 2


def test_formulas_of_tables_released_together_are_reported_and_quoted(tmp_path: Path) -> None:
    people = {"who": ["1", "2"], "sex": ["m", "m"]}
    visits = {"who": ["1", "1", "2", "2"], "-note": ["=x", "+y", "z", "z"]}
    columns = {"people.sex": {"role": "quasi"}, "visits.-note": {"role": "other"}}
    rules = discreet.Policy(columns=columns, require=K2, people={"column": "who"})
    tables = {"people": pa.table(people), "visits": pa.table(visits)}
    release = together(tables, rules)
    release.write(tmp_path / "plain")
    found = {"cells": {"visits.-note": 2}, "names": ["visits.-note"]}
    assert release.facts()["formulas"] == found
    assert "2 cells of 1 column (visits.-note) start" in " ".join(release.facts()["notes"])
    rules = rules.replace(formulas="quote")
    release = together(tables, rules)
    release.write(tmp_path / "quoted")
    assert release.facts()["formulas"]["cells"] == {}
    assert cells_of(tmp_path / "quoted" / "visits.csv", "-note") == ["'+y", "'=x", "z", "z"]
    assert verify_together(tmp_path / "quoted", rules).holds


def test_pseudonyms_are_not_taken_for_identifiers_where_formulas_are_quoted(
    tmp_path: Path,
) -> None:
    (tmp_path / "table.csv").write_text("id,age,note\na1,31,=x\na2,31,ok\na3,32,=1+1\na4,32,-5\n")
    discreet.ReplacementKey.create(tmp_path / "people.key")
    (tmp_path / "policy.yaml").write_text(
        "columns:\n"
        "  id: {role: identifier, replace: {pseudonym: {key: people.key}}}\n"
        "  age: {role: quasi}\n"
        "  note: {role: sensitive}\n"
        "require:\n  - k_anonymity: {k: 2}\n  - t_closeness: {column: note, t: 0.6}\n"
        "formulas: quote\n"
    )
    said = discreet.Policy.load(tmp_path / "policy.yaml")
    release = discreet.anonymize(discreet.read(tmp_path / "table.csv"), said)
    release.write(tmp_path / "out.csv")
    found = discreet.verify(tmp_path / "out.csv", said, tmp_path / "table.csv")
    assert found.holds
    assert sorted(release.to_pandas()["note"]) == ["'=1+1", "'=x", "-5", "ok"]
