"""A release about people: k counts people, the best levels are found, and verify counts again."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.algorithms.claims import UnreachableError
from discreet.errors import InternalError, PolicyError, ReleaseError, SourceError
from discreet.pipeline import anonymize as pipeline
from discreet.pipeline.people.people import PeopleAnswer
from discreet.pseudonyms.key import create_key
from tests.pipeline.people.made_people import (
    COLUMNS,
    PEOPLE,
    ROW,
    Record,
    best,
    policy_of,
    smallest,
    table_of,
)

QUASI = ("zip", "sex")
RULES = st.sampled_from(["keep", "ignore", {"cap": 1}, {"cap": 2}, {"group": [1, 3]}])
TOWN = [[("11", "f")] * 2, [("11", "f")] * 2, [("12", "f"), ("11", "m")], [("21", "m")]] * 2


def made(town: list[Record], k: int, /, **more: Any) -> discreet.Release:
    release = discreet.anonymize(table_of(town), policy_of(k, **more))
    assert isinstance(release.answer, PeopleAnswer)
    return release


@settings(max_examples=15)
@given(
    PEOPLE,
    st.integers(1, 4),
    st.sampled_from([0, 0.3, 0.6]),
    RULES,
    st.sampled_from(["optimal", "datafly", {"datafly": {"heuristic": "minimal"}}]),
)
def test_every_person_released_has_k_minus_one_others_with_the_same_record(
    people: list[Record], k: int, suppress: float, rule: Any, algorithm: Any
) -> None:
    policy = policy_of(
        k, suppress=suppress, people={"column": "who", "records": rule}, algorithm=algorithm
    )
    try:
        release = discreet.anonymize(table_of(people), policy)
    except ReleaseError:
        return
    rows = release.to_arrow()
    facts = release.facts()
    if rows.num_rows:
        assert smallest(rows.to_pylist(), QUASI, once=rule == "ignore") >= k
        assert facts["smallest_class"] == smallest(rows.to_pylist(), QUASI, rule == "ignore")
    found = discreet.verify(rows, policy)
    assert found.holds
    assert found.people == len(set(rows["who"].to_pylist())) == facts["people_released"]
    assert facts["people_suppressed"] <= suppress * len(people) + 1e-9
    assert facts["rows_released"] == rows.num_rows
    assert facts["rows"] == sum(map(len, people))


@settings(max_examples=30)
@given(PEOPLE, st.integers(2, 3), st.sampled_from([0, 0.34]), st.booleans())
def test_the_levels_are_the_best_that_brute_force_finds(
    people: list[Record], k: int, suppress: float, once: bool
) -> None:
    records = "ignore" if once else "keep"
    try:
        release = made(people, k, suppress=suppress, people={"column": "who", "records": records})
    except UnreachableError as error:
        assert "people" in str(error)
        return
    hierarchies = release.answer.problem.lattice.hierarchies
    least = best(people, hierarchies, k, suppress, once)
    assert release.facts()["measures"]["loss"] == pytest.approx(least, abs=1e-9)


def test_rows_of_a_person_have_one_pseudonym_and_no_two_people_share_one() -> None:
    rows = made(TOWN, 2).to_arrow().to_pylist()
    records = defaultdict(list)
    for row in rows:
        records[row["who"]].append((row["zip"], row["sex"]))
    assert sorted(map(len, records.values())) == sorted(map(len, TOWN))
    assert not {f"p{n}" for n in range(len(TOWN))} & set(records)


def test_columns_and_sensitive_values_of_a_row_stay_together() -> None:
    people = [[("11", "f")] * 3] * 4
    table = table_of(people)
    released = made(people, 2, people={"column": "who"}).to_arrow()
    assert sorted(released["ill"].to_pylist()) == sorted(table["ill"].to_pylist())
    assert released.column_names == ["who", "zip", "sex", "ill"]


def test_a_column_that_is_not_named_is_not_released() -> None:
    table = table_of(TOWN).append_column("name", pa.array(["x"] * 14))
    assert "name" not in discreet.anonymize(table, policy_of(2)).to_arrow().column_names


def test_a_key_file_gives_the_same_pseudonyms_in_two_releases(tmp_path: Path) -> None:
    create_key(tmp_path / "one.key")
    create_key(tmp_path / "two.key")

    def whom(key: str) -> set[str]:
        people = {"column": "who", "key": str(tmp_path / key)}
        return set(made(TOWN, 2, people=people).to_arrow()["who"].to_pylist())

    assert whom("one.key") == whom("one.key")
    assert not whom("one.key") & whom("two.key")


def test_the_same_seed_and_key_give_the_same_file(tmp_path: Path) -> None:
    create_key(tmp_path / "a.key")
    people = {"column": "who", "key": str(tmp_path / "a.key"), "records": {"cap": 1}}
    for name in ("one.csv", "two.csv"):
        made(TOWN, 2, people=people, suppress=0.5).write(tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_cap_leaves_rows_out_by_chance_and_says_so() -> None:
    people = [[("11", "f"), ("12", "f"), ("21", "m")]] * 40
    release = made(people, 2, people={"column": "who", "records": {"cap": 1}}, suppress=0.1)
    facts = release.facts()
    assert facts["records"] == {"rule": {"cap": 1}, "rows_left_out": 80}
    assert len({row["zip"] for row in release.to_arrow().to_pylist()}) > 1
    assert any("left out at random" in note for note in facts["notes"])


def test_people_below_the_smallest_group_are_suppressed_and_counted() -> None:
    people = [[("11", "f")]] + [[("11", "f")] * 2] * 3 + [[("11", "f")] * 4] * 3
    rule = {"column": "who", "records": {"group": [2, 3]}}
    facts = made(people, 3, people=rule, suppress=0.2).facts()
    assert (facts["people"], facts["people_suppressed"]) == (7, 1)
    assert (facts["rows"], facts["rows_released"], facts["rows_suppressed"]) == (19, 15, 1)
    assert facts["records"]["rows_left_out"] == 3
    with pytest.raises(ReleaseError, match="1 of 7 people have fewer than 2 rows"):
        made(people, 3, people=rule)
    with pytest.raises(ReleaseError, match="nobody would be left"):
        made([[("11", "f")]] * 3, 2, people=rule, suppress=1.0)


def test_the_share_that_may_be_suppressed_is_one_of_people() -> None:
    people = [[("11", "f")]] * 9 + [[("22", "m")] * 50]
    facts = made(people, 2, suppress=0.1).facts()
    assert (facts["people_suppressed"], facts["rows_suppressed"]) == (1, 50)
    assert facts["levels"] == {"zip": 0, "sex": 0}


def test_several_quasi_identifiers_hold_for_people() -> None:
    require = [{"k_anonymity": {"k": 2}}, {"k_anonymity": {"k": 4, "columns": ["sex"]}}]
    release = made(TOWN, 2, require=require, suppress=0.5)
    rows = release.to_arrow().to_pylist()
    assert smallest(rows, QUASI) >= 2
    assert smallest(rows, ("sex",)) >= 4


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("keep", "all people of a class have the same number"),
        ("ignore", "is assumed to be unknown"),
        ({"group": [1]}, "everybody has 1 row;"),
    ],
)
def test_notes_state_what_follows_from_the_rule(records: Any, said: str) -> None:
    notes = made(TOWN, 1, people={"column": "who", "records": records}).facts()["notes"]
    assert any(said in note for note in notes)


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_a_row_that_does_not_say_whose_it_is_is_refused(blank: str | None) -> None:
    table = table_of(TOWN)
    cells = [blank, *table["who"].to_pylist()[1:]]
    broken = table.set_column(0, "who", pa.array(cells, pa.string()))
    with pytest.raises(SourceError, match="1 row has no value in 'who'"):
        discreet.anonymize(broken, policy_of(2))


def test_more_than_there_are_people_cannot_be_alike() -> None:
    with pytest.raises(ReleaseError, match="8 people, fewer than k = 9"):
        made(TOWN, 9)


def test_a_table_that_changes_between_the_passes_is_not_released(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(table_of(TOWN), path)
    release = discreet.anonymize(path, policy_of(2))
    cells = table_of(TOWN)["zip"].to_pylist()
    pq.write_table(table_of(TOWN).set_column(1, "zip", pa.array(cells[::-1])), path)
    with pytest.raises(SourceError, match="changed while it was being read"):
        release.write(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_release_that_misses_its_promise_is_never_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = made([[("11", "f")]] * 3 + [[("22", "m")]], 2, suppress=0.25)
    monkeypatch.setattr(release.answer.kept, "kept", np.ones(4, dtype=np.bool_))
    with pytest.raises(InternalError, match="does not keep k_anonymity"):
        release.write(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(
        pipeline, "check_promises", lambda *_: discreet.Verification((), 4, "value")
    )
    with pytest.raises(InternalError, match="4 rows of None people"):
        release.to_arrow()


def test_a_number_that_is_left_as_it_is_keeps_its_type(tmp_path: Path) -> None:
    table = pa.table({"who": [1, 1, 2, 2], "age": [30, 31, 30, 31]})
    policy = policy_of(2, columns={"age": {"role": "quasi"}})
    released = discreet.anonymize(table, policy).to_arrow()
    assert released.schema.field("age").type == pa.int64()
    assert released.schema.field("who").type == pa.string()


def test_all_people_may_be_suppressed_where_the_policy_allows_it() -> None:
    people = [[("11", "f")], [("11", "f")] * 2, [("11", "f")] * 3]
    release = made(people, 2, suppress=1.0)
    assert release.to_arrow().num_rows == 0
    assert release.facts()["smallest_class"] is None


def test_a_release_shows_no_cell_in_its_words() -> None:
    release = made(TOWN, 2)
    assert "p0" not in repr(release.facts())


def test_the_facts_are_those_of_any_release_and_more() -> None:
    rows = policy_of(1, people=None)
    plain = discreet.anonymize(table_of(TOWN), rows).facts()
    assert set(plain) <= set(made(TOWN, 1).facts())


def test_a_replacement_that_the_policy_names_decides(tmp_path: Path) -> None:
    create_key(tmp_path / "a.key")
    replace = {"pseudonym": {"key": str(tmp_path / "a.key"), "format": "shape"}}
    who = {"who": {"role": "identifier", "replace": replace}}
    release = made(TOWN, 2, columns={**COLUMNS, **who})
    found = set(release.to_arrow()["who"].to_pylist())
    assert len(found) == 8
    assert {len(one) for one in found} == {2}
    assert not any("drawn for this run" in note for note in release.facts()["notes"])


def test_dates_of_a_person_are_moved_alike_before_people_are_counted() -> None:
    shift = {"shift_dates": {"entity": "who", "days": 900}}
    columns = {"sex": {"role": "quasi"}, "day": {"role": "other", "technique": shift}}
    who = [f"p{n % 20}" for n in range(40)]
    table = pa.table({"who": who, "sex": ["f"] * 40, "day": ["2020-06-01"] * 40})
    release = discreet.anonymize(table, policy_of(2, columns=columns))
    assert [one["technique"] for one in release.facts()["techniques"]] == ["shift_dates"]
    days = defaultdict(set)
    for row in release.to_arrow().to_pylist():
        days[row["who"]].add(row["day"])
    assert [len(found) for found in days.values()] == [1] * 20
    assert len({day for found in days.values() for day in found}) > 1


def test_days_since_the_first_are_counted_in_records() -> None:
    since = {"relative_dates": {"entity": "who"}}
    columns = {"day": {"role": "quasi", "hierarchy": {"intervals": [10]}, "technique": since}}
    days = ["2020-06-01", "2020-06-04", "2021-01-01", "2021-01-04", "2020-03-01", "2020-03-08"]
    table = pa.table({"who": ["a", "a", "b", "b", "c", "c"], "day": days})
    release = discreet.anonymize(table, policy_of(2, columns=columns, suppress=0.34))
    facts = release.facts()
    assert (facts["levels"], facts["people_suppressed"]) == ({"day": 0}, 1)
    assert sorted(release.to_arrow()["day"].to_pylist()) == [0, 0, 3, 3]


@settings(max_examples=15)
@given(st.lists(ROW, min_size=4, max_size=12), st.sampled_from([0, 0.25]))
def test_where_everybody_has_one_row_the_answer_is_that_of_rows(
    rows: list[Any], suppress: float
) -> None:
    people = [[row] for row in rows]
    plain = policy_of(2, people=None, suppress=suppress)
    try:
        by_rows = discreet.anonymize(table_of(people), plain).facts()
    except UnreachableError:
        with pytest.raises(UnreachableError):
            made(people, 2, suppress=suppress)
        return
    by_people = made(people, 2, suppress=suppress).facts()
    for key in ("levels", "measures", "classes", "smallest_class", "rows_suppressed"):
        assert by_people[key] == pytest.approx(by_rows[key]), key


def test_safe_harbor_is_promised_of_columns_beside_k_of_people() -> None:
    columns = {**COLUMNS, "zip": {"role": "quasi", "technique": "zip3"}}
    people = [[("02138", "f")] * 2] * 3
    harbor = {"safe_harbor": {"as_of": "2026-11-16", "codes": ["who"]}}
    policy = policy_of(2, columns=columns, require=[{"k_anonymity": {"k": 2}}, harbor])
    released = discreet.anonymize(table_of(people), policy).to_arrow()
    assert [v.model for v in discreet.verify(released, policy).verdicts] == [
        "k_anonymity",
        "safe_harbor",
    ]
    days = released.set_column(1, "zip", pa.array(["2001-01-01"] * 6))
    broken = [v.model for v in discreet.verify(days, policy).verdicts if not v.holds]
    assert broken == ["safe_harbor"]


def test_a_promise_about_columns_alone_is_not_enough() -> None:
    with pytest.raises(PolicyError, match="nothing is promised about people"):
        policy_of(2, require=[{"safe_harbor": {"as_of": "2026-11-16"}}])
