"""Safe harbor in a policy: refused by name before anything is counted, and verified anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.algorithms import ALL
from discreet.errors import PolicyError, ReleaseError
from discreet.pipeline.prepare import prepare_table
from discreet.policy.policy import Policy
from discreet.pseudonyms.key import create_key
from discreet.safe_harbor.check import PSEUDONYM
from tests.safe_harbor.made import DAY, many, numbered

COLUMNS: dict[str, Any] = {
    "ssn": {"role": "identifier"},
    "zip": {"role": "quasi", "technique": "zip3", "hierarchy": {"prefix": [2, 1]}},
    "birth": {"role": "quasi", "technique": {"year": {"as_of": DAY}}},
    "age": {
        "role": "quasi",
        "technique": {"top_code": {"at": 90}},
        "hierarchy": {"intervals": {"widths": [5, 10, 20], "top": 90}},
    },
    "diagnosis": {"role": "sensitive"},
}


def patients(rows: int = 60) -> pa.Table:
    return pa.table(
        {
            "ssn": numbered("123-45-{}", 1000, rows),
            "zip": many("02138", "02139", "03601", "2140", rows=rows),
            "birth": many("1930-05-06", "3/17/1950", "7 May 1951", rows=rows),
            "age": many("96", "76", "75", rows=rows),
            "diagnosis": many("flu", "cough", rows=rows),
        }
    )


def policy(columns: dict[str, Any] | None = None, *more: Any, **settings: Any) -> Policy:
    harbor = {"safe_harbor": {"as_of": DAY}}
    return Policy(columns=columns or COLUMNS, require=[harbor, *more], **settings)


def without(column: str, key: str) -> dict[str, Any]:
    rest = {name: said for name, said in COLUMNS[column].items() if name != key}
    return {**COLUMNS, column: rest}


def test_alone_it_generalizes_nothing_beyond_the_rules() -> None:
    release = discreet.anonymize(patients(), policy())
    assert set(release.levels.values()) == {0}
    rows = release.to_arrow()
    assert set(rows["zip"].to_pylist()) == {"021", "000"}
    assert set(rows["birth"].to_pylist()) == {"1936 or before", "1950", "1951"}
    assert set(rows["age"].to_pylist()) == {"90", "76", "75"}


@pytest.mark.parametrize("algorithm", [one.name for one in ALL])
def test_every_algorithm_keeps_it_beside_k_anonymity(algorithm: str) -> None:
    promises = policy(None, {"k_anonymity": {"k": 2}}, suppress=0.5, seed=1)
    release = discreet.anonymize(patients(20), promises.replace(algorithm=algorithm))
    assert discreet.verify(release.to_arrow(), promises).holds


@pytest.mark.parametrize(
    ("column", "rule", "fix"),
    [("zip", "B", "zip3"), ("birth", "C", "year"), ("age", "C", "top_code")],
)
def test_a_column_that_breaks_a_rule_is_refused_with_the_way_out(
    column: str, rule: str, fix: str
) -> None:
    with pytest.raises(ReleaseError, match=rf"{column}, rule \({rule}\).*technique: .*{fix}"):
        discreet.anonymize(patients(), policy(without(column, "technique")))


def test_the_refusal_quotes_no_value() -> None:
    columns = {name: {"role": "quasi"} for name in COLUMNS}
    with pytest.raises(ReleaseError, match="safe harbor") as refused:
        discreet.anonymize(patients(), policy(columns))
    named = re.findall(r"^  (\w+), rule", str(refused.value), re.MULTILINE)
    assert set(named) == {"ssn", "zip", "birth", "age"}
    cells = {cell for column in patients().columns for cell in column.to_pylist() if len(cell) > 3}
    assert [cell for cell in cells if cell in str(refused.value)] == []


def test_intervals_that_would_tell_90_to_94_are_refused() -> None:
    columns = {**COLUMNS, "age": {**COLUMNS["age"], "hierarchy": {"intervals": [5, 10]}}}
    with pytest.raises(ReleaseError, match="90-94"):
        discreet.anonymize(patients(), policy(columns))


def test_compare_refuses_too() -> None:
    with pytest.raises(ReleaseError, match=r"rule \(B\)"):
        discreet.compare(patients(), policy(without("zip", "technique")))


@pytest.mark.parametrize(
    ("column", "value"),
    [("zip", "02138"), ("zip", "036"), ("birth_date", "1950-03-17"), ("birth_date", "1935"),
     ("age", "91"), ("diagnosis", "someone@example.org"), ("diagnosis", "123-45-6789"),
     ("diagnosis", "3/17/2020")],
)  # fmt: skip
def test_verify_finds_one_value_that_breaks_a_rule(column: str, value: str) -> None:
    rows = {"zip": "021", "birth_date": "1950", "age": "50", "diagnosis": "flu"}
    made = Policy(
        columns={name: {"role": "quasi"} for name in rows},
        require=[{"safe_harbor": {"as_of": DAY}}],
    )
    good = pa.table({name: [cell] * 20 for name, cell in rows.items()})
    assert discreet.verify(good, made).holds
    bad = pa.table({n: [c] * 19 + [value if n == column else c] for n, c in rows.items()})
    found = discreet.verify(bad, made)
    assert not found.holds
    assert (found.verdicts[0].columns, found.verdicts[0].rows_at_risk) == ((column,), 1)
    assert value not in str(found.facts())


@pytest.mark.parametrize(
    ("column", "values"),
    [("patient_zip", ("02138", "2138", "0213*", "02138.0", "021 38", "036xx", "K1A 0B1")),
     ("ageAtVisit", ("93", "93.5", "90.5", "90-94", "85-94", "[85,95)", "93 years", ">92")),
     ("area", ("02138",)),
     ("birth", ("1931", "1930-1934", "6.5.1931", "6 May 1931", "19310506", "1985-05", "5/6/31"))],
)  # fmt: skip
def test_verify_finds_each_such_value_however_the_column_is_called(
    column: str, values: tuple[str, ...]
) -> None:
    rows = {"patient_zip": "021", "area": "021", "birth": "1950", "ageAtVisit": "50"}
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in rows}
    made = policy({**columns, "area": {"role": "quasi", "technique": "zip3"}})
    bad = {
        n: [c] * 20 + list(values if n == column else [c] * len(values)) for n, c in rows.items()
    }
    found = discreet.verify(pa.table(bad), made).verdicts[0]
    assert (found.holds, found.columns, found.rows_at_risk) == (False, (column,), len(values))


VALUES = st.sampled_from(
    ["02138", "021", "036", "2138", "1950", "1930", "1950-03-17", "3/17/1950", "45", "91", "90+",
     "a@b.org", "a@b..c", "999-99-9999", "http://x/a.b", "299.1.1.1", "1.2.3.4", "MA", "flu",
     "617-555-0100", "*", "unknown", "1990-1930", "95 apples", "2020-01-01 x", None, "21", "<95",
     "85-90", "1935-1939", "<1937", "89.95", "606xx", "123456789012"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["zip", "age", "birth_date", "dob", "state", "hospital", "city", "token", "note", "visit",
     "zip_known", "birth_order", "home_plz", "age_at_visit"]
)  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(st.dictionaries(NAMES, st.lists(VALUES, min_size=6, max_size=6), min_size=1, max_size=3))
def test_what_is_not_refused_is_verified(table: dict[str, list[str | None]]) -> None:
    frame = pa.table({name: pa.array(cells, pa.string()) for name, cells in table.items()})
    columns = {name: {"role": "quasi"} for name in table}
    try:
        released = discreet.anonymize(frame, policy(columns)).to_arrow()
    except ReleaseError as error:
        assert "safe harbor" in str(error)
        return
    assert released.num_rows == 6


def test_a_policy_file_names_its_own_table_of_areas(tmp_path: Path) -> None:
    areas = "# source: made\n# date: 2030\nzip3,population\n036,30000\n"
    (tmp_path / "areas.csv").write_text(areas)
    (tmp_path / "p.yaml").write_text(
        "columns:\n"
        "  zip: {role: quasi, technique: {zip3: {zip_table: areas.csv}}}\n"
        f"require:\n  - safe_harbor: {{as_of: {DAY}, zip_table: areas.csv}}\n"
    )
    made = Policy.load(tmp_path / "p.yaml")
    (tmp_path / "again.yaml").write_text(made.to_yaml(tmp_path))
    assert Policy.load(tmp_path / "again.yaml") == made
    released = discreet.anonymize(pa.table({"zip": many("03601", "02138")}), made).to_arrow()
    assert set(released["zip"].to_pylist()) == {"036", "000"}


@pytest.mark.parametrize(
    "said",
    ["{}", "{as_of: soon}", f"{{as_of: {DAY}, zip_table: none.csv}}", f"{{as_of: {DAY}, code: a}}",
     f"{{as_of: {DAY}, codes: token}}", f"{{as_of: {DAY}, zip_table: 7}}"],
)  # fmt: skip
def test_mistakes_in_a_policy_are_named_with_their_line(tmp_path: Path, said: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(f"columns:\n  zip: {{role: quasi}}\nrequire:\n  - safe_harbor: {said}\n")
    with pytest.raises(PolicyError, match=r"p\.yaml, line 4"):
        Policy.load(path)


def test_a_pseudonym_is_refused_and_the_reason_is_exact(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    hidden = {"pseudonym": {"key": "people.key"}}
    columns = {**COLUMNS, "ssn": {"role": "identifier", "replace": hidden}}
    made = Policy(folder=tmp_path, columns=columns, require=[{"safe_harbor": {"as_of": DAY}}])
    with pytest.raises(ReleaseError, match="safe harbor") as refused:
        discreet.anonymize(patients(), made)
    assert PSEUDONYM in str(refused.value)


@pytest.mark.parametrize(
    ("scrub", "refused"), [(True, True), ({"dates": "year"}, False), ({"style": "tag"}, False)]
)
def test_scrubbed_text_must_not_keep_the_months_of_dates(scrub: Any, refused: bool) -> None:
    frame = patients().append_column("notes", [many("seen on March 3, 1994, well", rows=60)])
    made = policy({**COLUMNS, "notes": {"role": "text", "scrub": scrub}})
    if not refused:
        assert prepare_table(discreet.read(frame), made).columns
        return
    with pytest.raises(ReleaseError, match=r"notes, rule \(C\).*dates: year"):
        prepare_table(discreet.read(frame), made)


def test_a_released_column_that_a_person_must_look_at_is_named_in_a_note() -> None:
    frame = patients().append_column("hospital", [many("North", "South", "West", rows=60)])
    made = policy({**COLUMNS, "hospital": {"role": "other"}})
    notes = discreet.anonymize(frame, made).facts()["notes"]
    assert any("check column 'hospital' yourself, rule (B)" in note for note in notes)
