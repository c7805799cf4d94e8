"""What a release says beside its promises, counted again in plain Python."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from discreet import Policy, anonymize, compare
from discreet.attacks.linking.columns import ensure_table
from discreet.cli.main import app
from discreet.pipeline.promise import state_limits, state_promises
from discreet.pipeline.several_rows import SeveralRows, count_values
from discreet.pipeline.statements import IdentifyingColumn, UniqueRows
from discreet.pipeline.verify import verify
from discreet.pseudonyms.key import create_key

K5 = [{"k_anonymity": {"k": 5}}]
QUASI = ("zip", "year", "sex")


def visits(people: int = 200, seed: int = 3, most: int = 6) -> list[dict[str, str]]:
    """Visits of patients with a number, a name, quasi values, charges and a diagnosis."""
    draw = random.Random(seed)
    found = []
    for number in range(people):
        own = {
            "patient_id": f"P{number:04}",
            "first_name": draw.choice(["Ann", "Bob", "Cid"]),
            "last_name": f"Name{number // 3}",
            "zip": draw.choice(["02138", "02139", "02141"]),
            "year": str(draw.randint(1950, 1959)),
            "sex": draw.choice("FM"),
        }
        for _ in range(draw.randint(1, most)):
            found.append(
                {**own, "charges": str(draw.randint(1, 10**8)), "ill": draw.choice(["flu", "cold"])}
            )
    draw.shuffle(found)
    return found


def table(rows: list[dict[str, str]]) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in rows[0]})


def policy(require: Any = K5, more: Any = None, **settings: Any) -> Policy:
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in QUASI}
    columns |= {"ill": {"role": "sensitive"}, **(more or {})}
    return Policy(columns=columns, require=require, **{"suppress": 0.2, "seed": 1, **settings})


def classes(release: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(release[name].to_pylist() for name in QUASI), strict=True))


# Columns that were changed are not reported as found.

TECHNIQUES = {
    "year only": ("birth", {"year": {"as_of": "2026-11-16"}}),
    "first three digits": ("zip", "zip3"),
    "noise added": ("charges", {"noise": {"domain": [0, None], "outside": "clip"}}),
    "rounded to multiples of 10": ("charges", {"round_values": {"base": 10}}),
    "top-coded at 90": ("charges", {"top_code": {"at": 90}}),
    "shuffled between rows": ("ill", "shuffle"),
}


@pytest.mark.parametrize("words", TECHNIQUES)
def test_a_changed_column_is_reported_as_what_was_done(words: str) -> None:
    name, technique = TECHNIQUES[words]
    rows = [{**row, "birth": f"{row['year']}-03-04"} for row in visits()]
    quasi = name in ("zip", "birth")
    said = {name: {"role": "quasi" if quasi else "sensitive", "technique": technique}}
    release = anonymize(table(rows), policy([{"k_anonymity": {"k": 1}}], said))
    told = release.facts()["released_as"]
    assert told[name] == (f"level 0 of 1 ({words})" if quasi else words)
    assert told["sex"] == "level 0 of 1 (as found)"


def test_a_coarser_column_names_what_was_done_before() -> None:
    rows = [{**row, "birth": f"{row['year']}-03-04"} for row in visits()]
    year = {"technique": {"year": {"as_of": "2026-11-16"}}}
    said = {"birth": {"role": "quasi", "hierarchy": {"dates": ["10 years"]}, **year}}
    made = policy([{"k_anonymity": {"k": 100}}], said, suppress=0)
    told = anonymize(table(rows), made).facts()["released_as"]["birth"]
    assert "year only" in told and "as found" not in told


def test_scrubbed_texts_are_said_to_be_scrubbed() -> None:
    rows = [{**row, "note": "seen by Dr. Miller"} for row in visits(20)]
    made = policy([{"k_anonymity": {"k": 1}}], {"note": {"role": "text", "scrub": True}})
    assert anonymize(table(rows), made).facts()["released_as"]["note"] == "scrubbed"


def test_a_profile_does_not_call_a_changed_column_released_as_found() -> None:
    said = {"zip": {"role": "quasi", "technique": "zip3"}}
    profiles = {"lab": {"likelihoods": {"zip": 0, "sex": 0}}}
    made = policy(K5, said, profiles=profiles, profile="lab").for_recipient()
    lines = made.recipient.assumes
    assert any("zip" in line and "first three digits" in line for line in lines)
    assert any("sex" in line and "released as found" in line for line in lines)


def test_a_column_whose_values_were_cleaned_is_not_said_to_be_as_found() -> None:
    rows = [
        {**row, "zip": row["zip"].lstrip("0"), "ill": "NA" if row["ill"] == "flu" else row["ill"]}
        for row in visits(40)
    ]
    said = {"zip": {"role": "quasi", "repair": "lost_zeros"}}
    made = policy([{"k_anonymity": {"k": 1}}], said, missing={"values": ["NA"]})
    told = anonymize(table(rows), made).facts()["released_as"]
    assert told["zip"] == "level 0 of 1 (as found, lost zeros put back)"
    assert told["ill"] == "as it is, words for missing made empty"
    assert told["sex"] == "level 0 of 1 (as found)", "it has no such word"


@pytest.mark.parametrize(("k", "told"), [(1, False), (80, True), (2000, False)])
def test_values_in_no_group_are_said_to_be_released_so_only_where_they_are(
    k: int, told: bool
) -> None:
    """At level 0 they are as found, at the top everything is ``*``."""
    rows = [{"age": str(20 + n % 40) if n % 20 else "old", "ill": "flu"} for n in range(2000)]
    age = {"role": "quasi", "hierarchy": {"intervals": {"widths": [10], "others": "group"}}}
    made = Policy(columns={"age": age}, require=[{"k_anonymity": {"k": k}}])
    release = anonymize(table(rows), made)
    written = set(release.to_arrow()["age"].to_pylist())
    assert ("other" in written) is told
    assert any("released as 'other'" in note for note in release.facts()["notes"]) is told


def test_a_promise_about_some_columns_is_not_stated_for_all_of_them() -> None:
    require = [
        {"k_anonymity": {"k": 5, "columns": ["zip", "sex"]}},
        {"l_diversity": {"column": "ill", "ell": 1}},
    ]
    made = policy(require)
    said = state_promises(made)
    assert "against someone who knows only zip and sex: every row matches at least 4" in said
    assert "knows only zip, year and sex: every class has at least 1" in said
    assert "knows more quasi columns than one of these sets" in state_limits(made)


def test_small_classes_without_unique_rows_are_not_called_unique() -> None:
    found = UniqueRows(("zip", "sex"), 20, 0, 6, 3, 1, 5)
    assert found.note.startswith(
        "no row is unique on zip and sex together, but 6 of 20 rows (30 %)"
    )


def test_diversity_of_different_values_is_said_to_promise_no_more_than_classes() -> None:
    require = [*K5, {"l_diversity": {"column": "charges", "ell": 2}}]
    said = {"charges": {"role": "sensitive"}}
    for promises, told in ((require, True), (K5, False)):
        (found,) = anonymize(table(visits()), policy(promises, said)).identifying_columns
        assert ("l_diversity of it says no more than the size of the classes" in found.note) is told


# Rows that are unique on all quasi columns.


def test_unique_rows_are_counted_where_promises_are_about_single_columns() -> None:
    profiles = {"lab": {"preset": "researcher"}}
    release = anonymize(table(visits()), policy(profiles=profiles, profile="lab"))
    written = release.to_arrow()
    sizes = Counter(classes(written))
    found = release.facts()["unique_rows"]
    assert all(verdict["holds"] for verdict in release.facts()["verdicts"])
    assert found["rows_unique"] == sum(size == 1 for size in sizes.values()) > 0
    assert found["rows_below_k"] == sum(size for size in sizes.values() if size < 5)
    assert found["smallest_class"] == min(sizes.values())
    assert found["share"] == found["rows_unique"] / written.num_rows
    assert found["promised"] == 1
    assert f"{found['rows_unique']} of" in found["note"]
    again = verify(written, policy(profiles=profiles, profile="lab")).facts()
    assert again["unique_rows"] == found


@pytest.mark.parametrize(
    "require",
    [
        [{"average_risk": {"max": 0.9}}],
        [{"t_closeness": {"column": "ill", "t": 0.9}}],
        [{"k_anonymity": {"k": 1}}],
        [{"k_anonymity": {"k": 5, "columns": ["zip", "sex"]}}],
    ],
    ids=lambda one: next(iter(one[0])),
)
def test_every_policy_without_a_class_size_for_all_quasi_columns_says_so(require: Any) -> None:
    release = anonymize(table(visits()), policy(require, suppress=0))
    sizes = Counter(classes(release.to_arrow()))
    found = release.facts()["unique_rows"]
    assert found["rows_unique"] == sum(size == 1 for size in sizes.values()) > 0
    assert found["note"]


def test_where_k_holds_for_all_quasi_columns_nothing_more_is_said() -> None:
    found = anonymize(table(visits()), policy()).facts()["unique_rows"]
    assert (found["rows_unique"], found["note"], found["promised"]) == (0, "", 5)


# People with several rows.


def expected(rows: list[dict[str, str]], release: Any, key: Any) -> tuple[int, int, int]:
    """Classes, the fewest people of one, and classes below 5, for releases without suppression."""
    people = defaultdict(set)
    for row in rows:
        people[tuple(row[name] for name in QUASI)].add(key(row))
    sizes = [len(who) for who in people.values()]
    return len(sizes), min(sizes), sum(size < 5 for size in sizes)


@pytest.mark.parametrize("role", [None, "identifier", "other"])
def test_people_are_counted_by_class_where_a_key_repeats(role: str | None) -> None:
    rows = visits()
    said = {} if role is None else {"patient_id": {"role": role}}
    release = anonymize(table(rows), policy([{"largest_risk": {"max": 0.2}}], said, suppress=0.9))
    found = release.facts()["several_rows_per_person"]
    kept = {c for c, n in Counter(tuple(r[q] for q in QUASI) for r in rows).items() if n >= 5}
    mine = [row for row in rows if tuple(row[name] for name in QUASI) in kept]
    assert release.facts()["levels"] == dict.fromkeys(QUASI, 0)
    counts = (found["classes"], found["fewest_people"], found["classes_below_k"])
    assert counts == expected(mine, release, lambda row: row["patient_id"])
    assert found["classes_below_k"] > 0
    assert (found["rows"], found["people"]) == (len(rows), 200)
    assert found["columns"] == ["patient_id"] and "people:" in found["note"]


def test_people_are_counted_after_techniques_scrubbing_and_in_a_part(tmp_path: Path) -> None:
    rows = [{**row, "note": "fine"} for row in visits()]
    more = {
        "note": {"role": "text", "scrub": True},
        "charges": {"role": "other", "technique": {"round_values": {"base": 1000}}},
    }
    plain = anonymize(table(rows), policy()).facts()["several_rows_per_person"]
    found = anonymize(table(rows), policy(K5, more)).facts()["several_rows_per_person"]
    assert found == plain
    sampled = policy(K5, more, techniques=[{"sample_rows": {"share": 0.9}}])
    found = anonymize(table(rows), sampled).facts()["several_rows_per_person"]
    assert found["classes_below_k"] is None and "could not be counted" in found["note"]


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian", "suppress", "datafly"])
def test_people_are_counted_whatever_the_algorithm(algorithm: str) -> None:
    rows = visits(60)
    made = policy(algorithm=algorithm, order="keep", suppressed_rows="keep")
    release = anonymize(table(rows), made)
    written = release.to_arrow()
    found = release.facts()["several_rows_per_person"]
    if written.num_rows == len(rows):
        people = defaultdict(set)
        for key, row in zip(classes(written), rows, strict=True):
            people[key].add(row["patient_id"])
        sizes = [len(who) for who in people.values()]
        assert found["classes"] == len(sizes)
        assert (found["fewest_people"], found["classes_below_k"]) == (
            min(sizes),
            sum(size < 5 for size in sizes),
        )


def test_names_of_people_together_are_a_key_and_alone_are_not() -> None:
    rows = [{k: v for k, v in row.items() if k != "patient_id"} for row in visits()]
    found = anonymize(table(rows), policy()).facts()["several_rows_per_person"]
    assert found["columns"] == ["first_name", "last_name"]
    assert found["people"] == len({(row["first_name"], row["last_name"]) for row in rows})
    alone = [{k: v for k, v in row.items() if k != "first_name"} for row in rows]
    assert anonymize(table(alone), policy()).facts()["several_rows_per_person"] is None


GROUPS = ["visit_id", "doctor_name", "ward", "provider_id"]


@pytest.mark.parametrize("name", GROUPS)
def test_what_repeats_without_being_a_key_of_people_is_not_taken_for_one(name: str) -> None:
    rows = [{k: v for k, v in row.items() if "name" not in k} for row in visits()]
    other = [{name if k == "patient_id" else k: v for k, v in row.items()} for row in rows]
    assert anonymize(table(other), policy()).facts()["several_rows_per_person"] is None
    withheld = policy(more={name: {"role": "identifier"}})
    assert anonymize(table(other), withheld).facts()["several_rows_per_person"] is None


@pytest.mark.parametrize(
    ("name", "unit"),
    [("patnr", "people"), ("subject", "people"), ("case_no", "cases"), ("household", "households")],
)
def test_what_repeats_is_counted_as_what_its_name_says(name: str, unit: str) -> None:
    rows = [{k: v for k, v in row.items() if "name" not in k} for row in visits()]
    other = [{name if k == "patient_id" else k: v for k, v in row.items()} for row in rows]
    found = anonymize(table(other), policy()).facts()["several_rows_per_person"]
    assert (found["columns"], found["unit"], found["people"]) == ([name], unit, 200)
    assert f"{len(rows):,} rows of 200 {unit}" in found["note"]
    assert f"different {unit}" in found["note"] and f"To count {unit}" in found["note"]


def test_people_come_before_the_cases_and_households_they_have() -> None:
    rows = [{**row, "household": row["zip"], "case_no": row["charges"]} for row in visits()]
    found = anonymize(table(rows), policy()).facts()["several_rows_per_person"]
    assert (found["columns"], found["unit"]) == (["patient_id"], "people")


def test_a_column_of_yes_and_no_is_not_taken_for_members() -> None:
    rows = [{k: v for k, v in row.items() if "name" not in k} for row in visits(60)]
    other = [{**row, "member": row["sex"]} for row in rows]
    for row in other:
        del row["patient_id"]
    assert 20 * 2 < len(other) <= 100 * 2
    assert anonymize(table(other), policy(suppress=0.5)).facts()["several_rows_per_person"] is None


def test_one_row_a_person_is_not_reported_even_if_names_repeat() -> None:
    rows = visits(most=1)
    assert len({(row["first_name"], row["last_name"]) for row in rows}) < 0.9 * len(rows)
    assert anonymize(table(rows), policy()).facts()["several_rows_per_person"] is None


def test_verify_counts_people_where_their_pseudonyms_are_released(tmp_path: Path) -> None:
    create_key(tmp_path / "k.key")
    said = {"patient_id": {"role": "identifier", "replace": {"pseudonym": {"key": "k.key"}}}}
    made = policy(K5, said, folder=tmp_path)
    release = anonymize(table(visits()), made)
    found = release.facts()["several_rows_per_person"]
    again = verify(release.to_arrow(), made).facts()["several_rows_per_person"]
    for key in ("classes", "classes_below_k", "fewest_people", "columns"):
        assert again[key] == found[key]


# Columns whose values are as good as a key.


@pytest.mark.parametrize("role", ["sensitive", "other"])
def test_a_column_of_nearly_all_different_values_is_reported(role: str) -> None:
    rows = visits()
    facts = anonymize(table(rows), policy(K5, {"charges": {"role": role}})).facts()
    (found,) = facts["identifying_columns"]
    alone = sum(n == 1 for n in Counter(row["charges"] for row in rows).values())
    assert (found["column"], found["rows_unique"]) == ("charges", alone)
    assert found["share"] == alone / len(rows)
    assert "round" in found["note"]


def test_a_column_that_was_rounded_or_is_not_released_is_not_reported() -> None:
    rows = visits()
    rounded = {"role": "sensitive", "technique": {"round_values": {"base": 10**7}}}
    assert not anonymize(table(rows), policy(K5, {"charges": rounded})).facts()[
        "identifying_columns"
    ]
    assert not anonymize(table(rows), policy()).facts()["identifying_columns"]


def test_releases_compared_say_the_same() -> None:
    made = policy(K5, {"charges": {"role": "sensitive"}})
    for release in compare(table(visits()), made, ["optimal", "datafly"]).releases.values():
        facts = release.facts()
        assert facts["several_rows_per_person"] and facts["identifying_columns"]


def run(*args: Any) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_statements_are_in_the_output_of_anonymize_and_verify(tmp_path: Path) -> None:
    with (tmp_path / "visits.csv").open("w", newline="") as file:
        rows = visits()
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    columns = {n: {"role": "quasi"} for n in QUASI} | {"charges": {"role": "sensitive"}}
    said = {"columns": columns, "require": K5, "suppress": 0.2}
    said["profiles"] = {"lab": {"preset": "researcher"}}
    (tmp_path / "p.yaml").write_text(json.dumps(said))
    flags = ["--policy", tmp_path / "p.yaml", "--profile", "lab"]
    shown = run("anonymize", tmp_path / "visits.csv", *flags, "-o", tmp_path / "out.csv")
    text = shown.stdout
    assert "Warning: charges (sensitive) identifies rows" in text
    assert "unique rows" in text and "NOT PROMISED" in text
    assert "PEOPLE: patient_id (its name says 'medical record') repeats" in text
    checked = run("verify", tmp_path / "out.csv", *flags)
    assert "NOT PROMISED" in checked.stdout


def test_rows_dealt_by_chance_are_dealt_alike_whenever_a_release_is_used() -> None:
    rows = [{**row, "age": str(40 + n % 5)} for n, row in enumerate(visits(60))]
    columns = {"zip": {"role": "quasi"}, "age": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    how = Policy(
        columns=columns,
        require=K5,
        algorithm={"mondrian": {"kind": "relaxed", "ranges": ["age"]}},
        order="keep",
    )
    release = anonymize(table(rows), how)
    assert how.seed is None
    made = [release.to_arrow().to_pydict() for _ in range(3)]
    assert made[0] == made[1] == made[2]
    people = defaultdict(set)
    for row, place, age in zip(rows, made[0]["zip"], made[0]["age"], strict=True):
        people[place, age].add(row["patient_id"])
    told = release.facts()["several_rows_per_person"]
    assert told["fewest_people"] == min(map(len, people.values()))
    assert told["classes_below_k"] == sum(len(one) < 5 for one in people.values())


def test_names_taken_together_do_not_run_into_each_other() -> None:
    rows = [
        {"first_name": first, "last_name": last, "zip": "02138", "year": "1950", "sex": "F"}
        for first, last in [("An", "na"), ("Ann", "a")] * 6
    ]
    rows = [{**row, "ill": "flu"} for row in rows]
    told = anonymize(table(rows), policy()).facts()["several_rows_per_person"]
    assert (told["columns"], told["people"]) == (["first_name", "last_name"], 2)


@pytest.mark.parametrize("promise", [[], [{"l_diversity": {"column": "ill", "ell": 1}}]])
def test_a_sensitive_column_is_counted_alike_with_and_without_a_promise(promise: Any) -> None:
    rows = visits(40)
    for number, row in enumerate(rows):
        row["ill"] = "" if number % 4 == 0 else f"i{number // 2 if number % 3 else number}"
    told = anonymize(table(rows), policy([*K5, *promise])).facts()["identifying_columns"]
    values = Counter(row["ill"] for row in rows if row["ill"])
    alone = sum(n == 1 for n in values.values())
    found = next(one for one in told if one["column"] == "ill")
    assert (found["rows"], found["rows_unique"]) == (sum(values.values()), alone)
    assert found["distinct"] == len(values)


@pytest.mark.parametrize("columns", [1, 3, 12])
def test_values_are_counted_alike_in_few_columns_and_in_many(columns: int) -> None:
    draw = random.Random(columns)
    cells = {
        f"c{n}": [draw.choice([None, "a", "b", str(draw.random())]) for _ in range(50)]
        for n in range(columns)
    }
    found = count_values(ensure_table(pa.table(cells)), [(name,) for name in cells])
    for name, values in cells.items():
        counts = Counter(value for value in values if value is not None)
        alone = sum(n == 1 for n in counts.values())
        assert found[name,] == (counts.total(), alone, len(counts))


@pytest.mark.parametrize(
    ("column", "expected"),
    [("visit_id", "pseudonym"), ("encounterNumber", "pseudonym"), ("charges", "round it")],
)
def test_the_advice_for_a_column_of_ids_is_not_to_round_them(column: str, expected: str) -> None:
    note = IdentifyingColumn(column, "other", 20, 20, 20).note
    assert expected in note
    assert ("round" in note) == (expected == "round it")


def test_a_release_without_rows_says_that_there_are_no_classes_of_people() -> None:
    found = SeveralRows(("patient",), "by its name", 9, 4, 3, classes=0, below=0)
    assert "no row is released" in found.note
    assert found.facts()["fewest_people"] is None
