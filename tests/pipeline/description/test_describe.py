"""What a report says of a release, and what it refuses to say."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest

import discreet
from discreet.errors import ArgumentError, SourceError
from discreet.models import ALL
from discreet.pipeline.description.describe import BrokenReleaseError
from discreet.pipeline.description.words import ATTACKS, MODELS

POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [10, 40]}},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
        "disease": {"role": "sensitive"},
        "pay": {"role": "other"},
        "name": {"role": "identifier"},
    },
    "require": [{"k_anonymity": {"k": 3}}],
    "suppress": 0.2,
    "seed": 5,
}
NAMES = ["name", "age", "zip", "disease", "pay"]
ODD = ("Hal", "88", "10000", "flu", "80")
ROWS = [
    ("Ann", "31", "02138", "flu", "10"),
    ("Bob", "36", "02139", "cough", "20"),
    ("Cid", "34", "02138", "flu", "30"),
    ("Dot", "62", "02141", "asthma", "40"),
    ("Eve", "68", "02142", "asthma", "50"),
    ("Fay", "65", "02141", "flu", "60"),
    ("Gil", "9", "99999", "gout", "70"),
]


@pytest.fixture
def private() -> pa.Table:
    return pa.table([pa.array(column) for column in zip(*ROWS, strict=True)], names=NAMES)


def find_column(report: Any, name: str) -> Any:
    return next(one for one in report.data.columns if one.name == name)


def test_facts_fit_the_published_schema_in_both_editions(private: pa.Table) -> None:
    made = discreet.anonymize(private, POLICY)
    schema = discreet.report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    untried = {"rows": made.rows, "attacks": []}
    for edition, facts in (("inside", ()), ("outside", untried)):
        jsonschema.validate(made.report(edition=edition, facts=facts).facts(), schema)


def test_a_release_says_who_was_suppressed_and_at_which_level(private: pa.Table) -> None:
    report = discreet.anonymize(private, POLICY).report()
    age = find_column(report, "age")
    assert (age.level, age.released_as) == (1, "level 1 of 3 (intervals of 10)")
    assert [(one.label, one.suppressed) for one in age.suppression if one.suppressed] == [
        ("0-9", 1)
    ]
    assert (report.data.suppression.rows, report.data.rows_before) == (1, 7)
    assert find_column(report, "name").technique == "masking (attribute removed)"
    assert find_column(report, "pay").numbers_after.mean == 35


def test_the_file_alone_gives_the_same_levels_as_the_run(private: pa.Table, tmp_path: Path) -> None:
    made = discreet.anonymize(private, POLICY)
    file = tmp_path / "release.csv"
    made.write(file)
    alone = discreet.report(file, POLICY, original=private)
    known = discreet.report(made, written=file)
    assert alone.data.files[0].sha256 == known.data.files[0].sha256
    assert alone.data.columns == known.data.columns
    assert (alone.data.search, known.data.sources.run) == (None, True)


def test_suppressed_cells_of_a_file_are_not_taken_for_suppressed_rows(private: pa.Table) -> None:
    columns = {"age": {"role": "quasi"}, "zip": {"role": "quasi"}, "disease": {"role": "sensitive"}}
    policy = {**POLICY, "columns": columns, "algorithm": "suppress", "suppress": 0.0}
    released = discreet.anonymize(private, policy).to_arrow()
    report = discreet.report(released, policy, original=private)
    assert find_column(report, "age").suppressed_cells > 0
    assert report.data.suppression.rows == 0


def test_rows_of_stars_are_suppressed_rows(private: pa.Table) -> None:
    odd = pa.table({name: [cell] for name, cell in zip(NAMES, ODD, strict=True)})
    table = pa.concat_tables([private, private, odd, odd])
    policy = {**POLICY, "suppressed_rows": "keep", "suppress": 0.3}
    made = discreet.anonymize(table, policy)
    report = discreet.report(made.to_arrow(), policy, original=table)
    assert (report.data.suppression.rows, report.data.rows_after) == (4, 16)
    assert find_column(report, "age").level == made.levels["age"]


def test_without_the_private_table_nothing_is_said_about_before(private: pa.Table) -> None:
    released = discreet.anonymize(private, POLICY).to_arrow()
    report = discreet.report(released, POLICY)
    assert report.data.rows_before is None
    assert report.data.risks.before is None
    assert find_column(report, "age").released_as == "recoded by its hierarchy"
    assert all(one.before is None for c in report.data.columns for one in c.values)


def test_a_release_that_no_longer_verifies_is_refused_by_name(private: pa.Table) -> None:
    released = discreet.anonymize(private, POLICY).to_arrow()
    fewer = released.slice(0, released.num_rows - 1)
    with pytest.raises(BrokenReleaseError, match="k_anonymity"):
        discreet.report(fewer, POLICY)
    told = discreet.report(fewer, POLICY, broken=True)
    assert not told.data.holds
    assert "FAILS" in repr(told)


def test_facts_of_another_run_are_refused(private: pa.Table, tmp_path: Path) -> None:
    made = discreet.anonymize(private, POLICY)
    released, facts = made.to_arrow(), made.facts()
    file = tmp_path / "run.json"
    file.write_text(json.dumps(facts))
    found = discreet.report(released, POLICY, facts=file).data.search
    assert found is not None
    assert (found.proven, found.algorithm) == (True, "optimal")
    wrong = [
        ({**facts, "rows_released": 5}, "5 released rows"),
        ({**facts, "levels": {"age": 1}}, "quasi columns"),
        ({**facts, "verdicts": []}, "smallest classes"),
        ({"rows": 2, "attacks": []}, "other rows"),
        ({"other": 1}, "neither"),
        ({**facts, "optimal": None}, "not as anonymize"),
    ]
    for given, what in wrong:
        with pytest.raises(ArgumentError, match=what):
            discreet.report(released, POLICY, facts=given)


def test_another_private_table_is_refused(private: pa.Table) -> None:
    made = discreet.anonymize(private, POLICY)
    released = made.to_arrow()
    with pytest.raises(ArgumentError, match="4 rows, and the release has 6"):
        discreet.report(released, POLICY, original=private.slice(0, 4))
    changed = private.set_column(1, "age", pa.array(["31", "36", "64", "62", "68", "65", "9"]))
    with pytest.raises(ArgumentError, match="more rows than this table has there"):
        discreet.report(released, POLICY, original=changed)


def test_tables_in_a_database_are_described_by_their_counts(
    private: pa.Table, tmp_path: Path
) -> None:
    released = discreet.anonymize(private, POLICY).to_arrow()
    path = tmp_path / "people.db"
    with sqlite3.connect(path) as database:
        for name, table in (("people", private), ("release", released)):
            database.execute(f"create table {name} ({', '.join(table.column_names)})")
            marks = ", ".join("?" * table.num_columns)
            rows = [tuple(row.values()) for row in table.to_pylist()]
            database.executemany(f"insert into {name} values ({marks})", rows)
    there, before = f"sqlite:///{path}#release", f"sqlite:///{path}#people"
    found = discreet.report(there, POLICY, original=before).data
    known = discreet.report(released, POLICY, original=private).data
    for key in ("classes_before", "classes_after", "risks", "suppression", "dependence"):
        assert getattr(found, key) == getattr(known, key), key
    assert [one.values for one in found.columns] == [one.values for one in known.columns]
    assert (found.attacks, found.files[0].name) == ([], "release")
    assert any("rows stay in the database" in note for note in found.notes)
    with pytest.raises(ArgumentError, match="attacks to be tried"):
        discreet.report(there, POLICY, edition="outside")


def test_a_folder_of_tables_is_refused_with_what_takes_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="discreet certify; both take the folder"):
        discreet.report(tmp_path, POLICY)


def test_people_are_described_by_their_records() -> None:
    rows = [(person, "31", "flu") for person in "abc" for _ in range(2)]
    rows += [(person, "65", "gout") for person in "def"]
    table = pa.table([pa.array(c) for c in zip(*rows, strict=True)], names=["id", "age", "ill"])
    policy = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
            "ill": {"role": "sensitive"},
        },
        "require": [{"k_anonymity": {"k": 3}}],
        "people": {"column": "id"},
        "seed": 1,
    }
    report = discreet.anonymize(table, policy).report()
    after = report.data.classes_after
    assert (report.data.people, after.rows, after.classes, after.smallest) == (6, 6, 2, 3)
    assert find_column(report, "id").technique == "pseudonymization"
    assert any("whole records" in note for note in report.data.notes)


def test_a_register_is_counted_at_the_released_level(private: pa.Table) -> None:
    people = [(age, code) for _, age, code, *_ in ROWS] * 3
    register = pa.table([pa.array(c) for c in zip(*people, strict=True)], names=["age", "zip"])
    risks = discreet.anonymize(private, POLICY).report(register=register).data.risks
    assert risks.before is not None
    assert (risks.before.journalist_method, risks.before.journalist_highest) == ("register", 1 / 3)
    assert (risks.after.journalist_method, risks.after.journalist_highest) == ("register", 1 / 9)


def test_values_changed_by_chance_are_not_compared(private: pa.Table) -> None:
    columns = {
        **POLICY["columns"],
        "pay": {"role": "other", "technique": {"noise": {"amount": 0.1}}},
    }
    made = discreet.anonymize(private, {**POLICY, "columns": columns, "seed": None})
    report = discreet.report(made.to_arrow(), made.policy, original=private)
    assert find_column(report, "pay").numbers_before is None
    assert any("pay" in note for note in report.data.notes)


def test_every_model_and_attack_has_words(private: pa.Table) -> None:
    assert {model.name for model in ALL} <= set(MODELS)
    tried = discreet.anonymize(private, POLICY).report().data.attacks
    assert {one.attack for one in tried} == set(ATTACKS)


def test_the_repr_of_facts_shows_no_value(private: pa.Table) -> None:
    report = discreet.anonymize(private, POLICY).report()
    for shown in (repr(report), repr(report.data), repr(report.data.columns)):
        assert "flu" not in shown


def test_scrubbed_columns_say_what_was_replaced_if_the_run_said_so() -> None:
    notes = ["Seen by Dr Smith on 3 May 2021.", "Phone 617-555-0123, Dr Smith.", None, "Well."]
    table = pa.table({"age": ["30"] * 4, "note": notes, "more": ["Ann Lee", None, None, None]})
    text = {"role": "text", "scrub": {"style": "tag"}}
    columns = {"age": {"role": "quasi"}, "note": text, "more": text}
    policy = {"columns": columns, "require": [{"k_anonymity": {"k": 2}}], "seed": 1}
    made = discreet.anonymize(table, policy)
    found = {one.column: one.findings for one in made.report().data.text}
    released = made.to_arrow()
    shown = released.column("note").to_pylist()
    assert found["note"] == {
        kind: sum((cell or "").count(f"[{kind}") for cell in shown) for kind in found["note"]
    }
    assert (sum(found["note"].values()), sum(found["more"].values())) == (4, 1)
    alone = discreet.report(released, policy, original=table).data.text
    assert [one.findings for one in alone] == [None, None]
