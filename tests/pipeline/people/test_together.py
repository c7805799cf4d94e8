"""Several tables about the same people are released together: one person, one class, one folder."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.algorithms.claims import UnreachableError
from discreet.errors import InternalError, PolicyError, TogetherError, WriteError
from discreet.pipeline.people.together import ReleaseTogether, together, verify_together
from discreet.policy.policy import Policy
from discreet.policy.table_policies import name_table, split_policy
from discreet.pseudonyms.key import create_key

COLUMNS: dict[str, Any] = {
    "patients.sex": {"role": "quasi"},
    "patients.city": {"role": "other"},
    "visits.zip": {"role": "quasi", "hierarchy": {"prefix": [1]}},
    "visits.ill": {"role": "sensitive"},
}
PERSON = st.tuples(
    st.lists(st.sampled_from("fm"), max_size=1),
    st.lists(st.sampled_from(["11", "12", "21"]), max_size=3),
).filter(any)


def policy_of(k: int, **more: Any) -> Policy:
    given: dict[str, Any] = {
        "columns": COLUMNS,
        "require": [{"k_anonymity": {"k": k}}],
        "people": {"column": "who"},
        "seed": 1,
    }
    return Policy(**{**given, **more})


def tables_of(people: Any) -> dict[str, pa.Table]:
    patients = [(f"p{n}", sex) for n, (own, _) in enumerate(people) for sex in own]
    visits = [(f"p{n}", code) for n, (_, own) in enumerate(people) for code in own]
    return {
        "patients": _columns(patients, ("who", "sex"), "city"),
        "visits": _columns(visits[::-1], ("who", "zip"), "ill"),
    }


def _columns(rows: list[tuple[str, str]], names: tuple[str, str], last: str) -> pa.Table:
    cells = [pa.array([row[i] for row in rows], pa.string()) for i in range(2)]
    return pa.table([*cells, pa.array(["x"] * len(rows), pa.string())], names=[*names, last])


def smallest(tables: dict[str, pa.Table]) -> int:
    records: Any = defaultdict(list)
    for name, column in (("patients", "sex"), ("visits", "zip")):
        for row in tables[name].to_pylist():
            records[row["who"]].append((name, row[column]))
    return min(Counter(tuple(sorted(rows)) for rows in records.values()).values(), default=0)


TOWN = [("f", ["11", "12"]), ("f", ["12", "11"]), ("m", []), ("m", []), ("", ["21"]), ("", ["22"])]


@settings(max_examples=10)
@given(st.lists(PERSON, min_size=4, max_size=9), st.integers(1, 3), st.sampled_from([0, 0.5]))
def test_people_are_alike_in_all_tables_together(people: Any, k: int, suppress: float) -> None:
    tables = tables_of(people)
    if not all(table.num_rows for table in tables.values()):
        return
    policy = policy_of(k, suppress=suppress)
    try:
        release = together(tables, policy)
    except UnreachableError:
        return
    released = release.to_arrow()
    kept = {row["who"] for table in released.values() for row in table.to_pylist()}
    assert not kept or smallest(released) >= k
    found = verify_together(released, policy)
    assert (found.holds, found.people) == (True, len(kept))
    assert len(people) - len(kept) == release.facts()["people_suppressed"]
    assert len(people) - len(kept) <= suppress * len(people) + 1e-9


def test_people_alike_in_each_table_alone_may_differ_in_both() -> None:
    people = [("f", ["11"]), ("f", ["21"]), ("m", ["11"]), ("m", ["21"])]
    with pytest.raises(UnreachableError, match="people"):
        together(tables_of([*people, ("f", [])]), policy_of(5))
    facts = together(tables_of(people), policy_of(2)).facts()
    assert sum(facts["levels"].values()) > 0


def test_people_of_one_table_only_are_a_class_of_their_own() -> None:
    release = together(tables_of(TOWN), policy_of(2))
    facts = release.facts()
    assert (facts["people"], facts["people_suppressed"], facts["classes"]) == (6, 0, 3)
    assert facts["tables"]["patients"]["rows"] == 4
    assert facts["tables"]["visits"]["rows_released"] == 6


def test_a_pseudonym_means_the_same_person_in_all_tables() -> None:
    released = together(tables_of(TOWN), policy_of(2)).to_arrow()
    inside = {name: set(table["who"].to_pylist()) for name, table in released.items()}
    assert len(inside["patients"] & inside["visits"]) == 2
    assert len(inside["patients"] | inside["visits"]) == 6


def test_a_suppressed_person_leaves_all_tables() -> None:
    people = [*TOWN, ("f", ["11"] * 3)]
    release = together(tables_of(people), policy_of(2, suppress=0.2))
    assert release.facts()["people_suppressed"] == 1
    released = release.to_arrow()
    assert (released["patients"].num_rows, released["visits"].num_rows) == (4, 6)


def test_the_folder_appears_whole_and_is_verified(tmp_path: Path) -> None:
    policy = policy_of(2)
    together(tables_of(TOWN), policy).write(tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["patients.csv", "visits.csv"]
    found = verify_together(tmp_path / "out", policy)
    assert (found.holds, found.rows) == (True, {"patients": 4, "visits": 6})


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [*TOWN, ("f", ["11"] * 3)]
    release = together(tables_of(people), policy_of(2, suppress=0.2))
    monkeypatch.setattr(release.answer.kept, "kept", np.ones(7, dtype=np.bool_))
    with pytest.raises(InternalError, match="does not keep k_anonymity"):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(WriteError, match="exists already"):
        together(tables_of(TOWN), policy_of(2)).write(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_one_table_with_a_row_less_breaks_the_promise_of_all() -> None:
    released = together(tables_of(TOWN), policy_of(2)).to_arrow()
    assert verify_together(released, policy_of(2)).holds
    released["patients"] = released["patients"].slice(1)
    assert not verify_together(released, policy_of(2)).holds


def test_a_column_that_may_not_leave_is_seen_in_its_table() -> None:
    released = together(tables_of(TOWN), policy_of(2)).to_arrow()
    released["visits"] = released["visits"].append_column("name", pa.array(["x"] * 6))
    found = verify_together(released, policy_of(2))
    assert [v.note for v in found.verdicts if not v.holds] == [
        "visits: the policy does not release name"
    ]


def test_a_table_without_quasi_columns_still_tells_how_many_rows_people_have() -> None:
    columns = {k: v for k, v in COLUMNS.items() if k != "visits.zip"}
    people = [("f", ["11"]), ("f", ["11"]), ("f", []), ("f", [])]
    facts = together(tables_of(people), policy_of(2, columns=columns)).facts()
    assert (facts["classes"], facts["smallest_class"]) == (2, 2)


def test_dates_move_by_the_same_days_in_all_tables(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    shift = {"shift_dates": {"entity": "who", "days": 300}}
    columns = {
        "patients.sex": {"role": "quasi"},
        "patients.came": {"role": "other", "technique": shift},
        "visits.day": {"role": "other", "technique": shift},
    }
    people = {"column": "who", "key": str(tmp_path / "people.key")}
    who = ["a", "b", "c", "d"]
    tables = {
        "patients": pa.table({"who": who, "sex": ["f"] * 4, "came": ["2020-02-01"] * 4}),
        "visits": pa.table({"who": who[::-1], "day": ["2020-02-01"] * 4}),
    }
    policy = policy_of(2, columns=columns, people=people)
    released = together(tables, policy).to_arrow()
    came = {row["who"]: row["came"] for row in released["patients"].to_pylist()}
    assert came == {row["who"]: row["day"] for row in released["visits"].to_pylist()}
    assert len(set(came.values())) > 1
    with pytest.raises(TogetherError, match="Name a key file"):
        together(tables, policy_of(2, columns=columns))


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"zip": {"role": "quasi"}}, "column 'zip' of the policy belongs to no table"),
        ({"visit.zip": {"role": "quasi"}}, "column 'visit.zip' of the policy belongs to no table"),
        ({"visits.zip": {"role": "quasi"}}, "names no column of table 'patients'"),
        ({**COLUMNS, "visits.who": {"role": "quasi"}}, "'visits.who' tells people apart"),
        (
            {**COLUMNS, "visits.": {"role": "other"}},
            "column 'visits.' of the policy belongs to no table",
        ),
    ],
    ids=str,
)
def test_a_policy_that_does_not_fit_the_tables_is_refused(columns: Any, told: str) -> None:
    with pytest.raises(TogetherError, match=told):
        split_policy(policy_of(2, columns=columns), ["patients", "visits"])


def test_a_column_that_could_be_in_two_tables_is_refused() -> None:
    policy = policy_of(2, columns={"a.b.c": {"role": "quasi"}})
    with pytest.raises(TogetherError, match=r"could be in a or a\.b"):
        split_policy(policy, ["a", "a.b"])


def test_a_table_may_have_its_own_name_for_the_column_of_people() -> None:
    tables = tables_of(TOWN)
    tables["patients"] = tables["patients"].rename_columns(["id", "sex", "city"])
    policy = policy_of(2, people={"column": "who", "names": {"patients": "id"}})
    released = together(tables, policy).to_arrow()
    assert released["patients"].column_names == ["id", "sex", "city"]
    assert (
        len({*released["patients"]["id"].to_pylist(), *released["visits"]["who"].to_pylist()}) == 6
    )
    assert verify_together(released, policy).holds
    other = policy_of(2, people={"column": "who", "names": {"patient": "id"}})
    with pytest.raises(TogetherError, match=r"people\.names has a table 'patient'"):
        together(tables, other)


def test_tables_without_people_are_not_released_together() -> None:
    policy = Policy(columns=COLUMNS, require=[{"k_anonymity": {"k": 2}}])
    with pytest.raises(TogetherError, match="the policy has no 'people'"):
        together(tables_of(TOWN), policy)
    with pytest.raises(TogetherError, match="there is one table"):
        together({"patients": tables_of(TOWN)["patients"]}, policy_of(2))


def test_a_table_that_lacks_a_column_is_refused_by_name() -> None:
    tables = tables_of(TOWN)
    tables["visits"] = tables["visits"].drop_columns(["who"])
    with pytest.raises(PolicyError, match="has no column 'who'"):
        together(tables, policy_of(2))


def test_packed_files_have_the_name_of_their_table() -> None:
    assert [name_table(Path(n)) for n in ("a.csv", "a.b.csv.gz", "a")] == ["a", "a.b", "a"]


def test_the_release_is_of_its_own_kind() -> None:
    assert isinstance(together(tables_of(TOWN), policy_of(2)), ReleaseTogether)
