"""Attacks, risks, comparisons and parts count people, as plain Python counts them by hand."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.attacks.outcome import Outcome
from discreet.errors import (
    ArgumentError,
    EarlierReleaseError,
    PartError,
    ReleaseError,
    UnknownColumnError,
)
from discreet.pipeline.attack import Attacked
from tests.pipeline.people.made_people import policy_of
from tests.pipeline.people.test_people_values import VISITS, Visits, classes_of, table_of

DIVERSE = [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "ill", "ell": 2}}]


def outcome_of(found: Attacked, name: str) -> Outcome:
    return next(one for one in found.outcomes if one.attack == name)


def records_of(table: pa.Table, columns: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for row in table.to_pylist():
        found[row["who"]].append(tuple(str(row[name]) for name in columns))
    return {who: sorted(rows) for who, rows in found.items()}


def count_like(records: Mapping[str, Any]) -> dict[str, int]:
    return {who: sum(own == other for other in records.values()) for who, own in records.items()}


@settings(max_examples=30, deadline=None)
@given(VISITS, st.booleans())
def test_a_value_is_known_of_people_whose_whole_class_has_it(people: Visits, once: bool) -> None:
    table = table_of(people)
    rule = {"column": "who", "records": "ignore" if once else "keep"}
    found = discreet.attack(table, policy_of(2, people=rule, require=DIVERSE))
    known = {
        who: set.intersection(*held.values())
        for held in classes_of(table.to_pylist(), once)
        for who in held
    }
    one = outcome_of(found, "homogeneity")
    if len({row["ill"] for row in table.to_pylist()}) == 1:
        assert not one.applies
        return
    assert one.people_exposed == sum(bool(values) for values in known.values())
    assert one.rows_exposed == sum(row["ill"] in known[row["who"]] for row in table.to_pylist())
    assert one.breaks == (one.people_exposed > 0)


REGISTER = st.lists(
    st.tuples(st.sampled_from(["11", "12", "21"]), st.sampled_from(["f", "m"])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=30, deadline=None)
@given(VISITS, REGISTER, st.integers(2, 4))
def test_people_are_named_by_entries_that_all_their_rows_fit(
    people: Visits, entries: list[tuple[str, str]], k: int
) -> None:
    table = table_of(people)
    register = pa.table({"zip": [zip_ for zip_, _ in entries], "sex": [sex for _, sex in entries]})
    found = discreet.attack(table, policy_of(k), register=register)
    records = records_of(table, ("zip", "sex"))
    like, exposed = count_like(records), 0
    for who, rows in records.items():
        fitting = sum(all(row == entry for row in rows) for entry in entries)
        exposed += 0 < max(fitting, like[who]) < k and fitting > 0
    assert outcome_of(found, "linking").people_exposed == exposed


@settings(max_examples=25, deadline=None)
@given(VISITS, st.data())
def test_an_earlier_release_with_the_same_pseudonyms_is_joined_by_them(
    people: Visits, data: st.DataObject
) -> None:
    table = table_of(people)
    order = data.draw(st.permutations(range(len(people))))
    other = table_of([people[n] for n in order])  # the same pseudonyms with others' records
    found = outcome_of(discreet.attack(table, policy_of(3), earlier=[other]), "complementary")
    own, then = (records_of(one, ("zip", "sex")) for one in (table, other))
    before = count_like(own)
    both = count_like({who: (own[who], then[who]) for who in own})
    assert found.people_exposed == sum(both[who] < min(3, before[who]) for who in own)


def test_releases_without_common_pseudonyms_are_not_said_to_be_safe() -> None:
    table = table_of([[("11", "f", "flu")]] * 4)
    who = pa.array([f"x{n}" for n in range(4)])
    found = discreet.attack(table, policy_of(2), earlier=[table.set_column(0, "who", who)])
    assert found.holds is None
    assert [one.attack for one in found.undecided] == ["complementary"]


def test_counts_that_give_away_the_rows_of_one_person_go_too_far() -> None:
    table = table_of([[("11", "f", "flu")]] * 2 + [[("22", "m", "flu")] * 4])
    released = table.filter(pa.compute.equal(table["zip"], "11"))
    counts = pa.table({"column": ["zip", "zip"], "value": ["11", "22"], "count": ["2", "4"]})
    rows_only = discreet.attack(
        released.drop_columns(["who"]), quasi=["zip", "sex"], k=2, summary=counts
    )
    assert not outcome_of(rows_only, "summary").breaks  # four rows, which may be four people
    assert outcome_of(discreet.attack(released, policy_of(2), summary=counts), "summary").breaks


def test_a_release_without_the_column_of_people_is_refused() -> None:
    table = table_of([[("11", "f", "flu")]] * 2).drop_columns(["who"])
    with pytest.raises(UnknownColumnError, match="who"):
        discreet.attack(table, policy_of(2))


def test_what_a_choice_tells_is_not_known_unless_it_was_blind() -> None:
    people = [[("11", "f", ill), ("12", "f", ill)] for ill in ("flu", "flu", "hiv", "rash")]
    table = table_of(people)
    best = policy_of(2, require=DIVERSE)
    made = discreet.anonymize(table, best)
    found = discreet.attack(made.to_arrow(), best, original=table)
    assert found.holds is None and not outcome_of(found, "minimality").decided
    blind = policy_of(2, require=DIVERSE, choice="blind")
    made = discreet.anonymize(table, blind)
    assert made.holds and made.people == 4
    assert discreet.attack(made.to_arrow(), blind, original=table).holds


def test_a_blind_choice_that_breaks_the_promise_is_refused() -> None:
    people = [
        [("11", "f", "flu")],
        [("11", "f", "flu")],
        [("22", "m", "hiv")],
        [("22", "m", "rash")],
    ]
    policy = policy_of(2, require=DIVERSE, choice="blind")
    with pytest.raises(ReleaseError, match=r"choice: blind.*larger k"):
        discreet.anonymize(table_of(people), policy)


@settings(max_examples=25, deadline=None)
@given(VISITS)
def test_risks_are_those_of_whole_records(people: Visits) -> None:
    table = table_of(people)
    like = count_like(records_of(table, ("zip", "sex")))
    facts = discreet.risk(table, policy_of(2)).facts()
    assert (facts["unit"], facts["rows"], facts["rows_in_file"]) == (
        "people",
        len(people),
        table.num_rows,
    )
    assert facts["uniques"] == sum(size == 1 for size in like.values())
    assert facts["prosecutor"]["highest"] == pytest.approx(1 / min(like.values()))
    average = sum(1 / size for size in like.values()) / len(like)
    assert facts["prosecutor"]["average"] == pytest.approx(average)


def test_the_risk_of_each_row_is_that_of_its_person(tmp_path: Path) -> None:
    table = table_of([[("11", "f", "flu")] * 3] * 2 + [[("11", "f", "flu")]])
    found = discreet.risk(table, policy_of(2))
    found.write_rows(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open() as file:
        sizes = [int(line["class_people"]) for line in csv.DictReader(file)]
    own = {"p0": 2, "p1": 2, "p2": 1}
    assert sizes == [own[row["who"]] for row in table.to_pylist()]
    assert repr(found) == "Risk(3 people, 2 classes, 1 unique)"


@pytest.mark.parametrize(
    "more", [{"register": pa.table({"zip": ["11"], "sex": ["f"]})}, {"max_size": 2}], ids=str
)
def test_risks_of_rows_are_refused_where_people_are_counted(more: Any) -> None:
    with pytest.raises(ArgumentError, match="people"):
        discreet.risk(table_of([[("11", "f", "flu")]] * 3), policy_of(2), **more)


def test_algorithms_are_compared_by_what_they_do_to_people() -> None:
    people = [[("11", "f", "flu"), ("12", "f", "hiv")]] * 5 + [[("22", "m", "rash")] * 3]
    policy = policy_of(2, suppress=0.4)
    facts = discreet.compare(table_of(people), policy).facts()
    assert [one["title"] for one in facts["results"]] == ["optimal", "datafly"]
    first = facts["results"][0]
    assert (first["people"], first["people_suppressed"], first["holds"]) == (6, 1, True)
    exposed = {one["attack"]: one["rows_exposed"] for one in first["attacks"]}
    assert (exposed["unsorted"], exposed["summary"], exposed["homogeneity"]) == (0, 3, 10)
    found = discreet.compare(table_of(people), policy, ["optimal", "mondrian"])
    assert list(found.releases) == ["optimal"]
    assert "cannot count people" in found.refused["mondrian"]


def test_a_part_has_the_people_who_have_rows_in_it() -> None:
    people = [
        [("11", "f", "flu"), ("21", "f", "hiv")],
        [("11", "f", "rash"), ("12", "m", "hiv")],
        [("22", "m", "flu")],
    ]
    part = discreet.Part(where="zip = '11'")
    release = discreet.anonymize(table_of(people), policy_of(2, require=DIVERSE), part=part)
    rows = release.to_arrow().to_pylist()
    assert (release.people, len(rows)) == (2, 2)
    assert {row["ill"] for row in rows} == {"flu", "rash"}


@pytest.mark.parametrize(
    ("where", "more"),
    [
        ("zip = '22'", {}),
        ("zip = '33'", {}),
        ("zip = '11'", {"people": {"column": "who", "records": {"group": [3]}}}),
    ],
)
def test_a_part_that_is_refused_says_no_number_of_people(where: str, more: Any) -> None:
    people = [[("11", "f", "flu"), ("21", "f", "hiv")]] * 7 + [[("22", "m", "flu")]] * 3
    with pytest.raises(PartError) as refused:
        discreet.anonymize(table_of(people), policy_of(4, **more), part=discreet.Part(where=where))
    assert not {"7", "10"} & set(str(refused.value).replace(",", " ").replace(".", " ").split())
    assert "1 person" not in str(refused.value) and "3 people" not in str(refused.value)


@pytest.mark.parametrize("second", ["people", "rows", "part"])
def test_a_ledger_lets_each_hand_hold_one_release_about_people(tmp_path: Path, second: str) -> None:
    table, policy = table_of([[("11", "f", "flu"), ("12", "f", "hiv")]] * 4), policy_of(2)
    rows = policy.replace(people=None) if second == "rows" else policy
    part = discreet.Part(where="sex = 'f'") if second == "part" else None
    with discreet.Ledger.open(tmp_path / "ledger") as ledger:
        first = discreet.anonymize_again(table, policy, ledger, "partner")
        first.write(tmp_path / "first.csv")
        (entry,) = ledger.releases()
        assert (entry.unit, entry.rows, entry.facts()["smallest_class"]) == ("people", 4, 4)
        with pytest.raises(EarlierReleaseError, match=r"earlier release 1: .*only one release"):
            discreet.anonymize_again(table, rows, ledger, "partner", part=part)
        other = discreet.anonymize_again(table, rows, ledger, "somebody else", part=part)
        other.write(tmp_path / "other.csv")
    with discreet.Ledger.open(tmp_path / "ledger") as ledger:
        assert [one.unit for one in ledger.releases()] == [
            "people",
            None if second == "rows" else "people",
        ]


def test_people_are_not_counted_beside_a_release_of_rows(tmp_path: Path) -> None:
    table = table_of([[("11", "f", "flu")]] * 4)
    with discreet.Ledger.open(tmp_path / "ledger") as ledger:
        rows = discreet.anonymize_again(table, policy_of(2).replace(people=None), ledger, "partner")
        rows.write(tmp_path / "rows.csv")
        with pytest.raises(EarlierReleaseError, match="only one release"):
            discreet.anonymize_again(table, policy_of(2), ledger, "public")
