"""Techniques in a release: run before counting, seeded, told, and refused where they must be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.errors import PolicyError, ReleaseError, TechniqueError
from discreet.pipeline.prepare import prepare_table
from discreet.policy.changed_table import ChangedTable
from discreet.policy.policy import Policy
from discreet.techniques.arrow_rows import read_rows

ROWS = 400
NOISE = {"noise": {"amount": 0.2, "domain": [0, None], "outside": "clip"}}


def people() -> discreet.Table:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 60, ROWS)
    return discreet.read(
        pa.table(
            {
                "name": [f"secret {n}" for n in range(ROWS)],
                "age": age,
                "zip": [f"021{n:02d}" for n in rng.integers(0, 4, ROWS)],
                "income": 100 + 50 * age + rng.integers(0, 900, ROWS),
                "hours": rng.integers(0, 60, ROWS),
                "job": rng.choice(["nurse", "clerk", "cook"], ROWS),
                "unnamed": rng.integers(0, 9, ROWS),
            }
        )
    )


TABLE = people()


def policy(*techniques: Any, k: int = 3, seed: int | None = 7, **columns: Any) -> Policy:
    roles = {"name": "identifier", "age": "quasi", "zip": "quasi", "income": "sensitive"}
    roles |= {"hours": "other", "job": "sensitive"}
    made: dict[str, Any] = {name: {"role": role} for name, role in roles.items()}
    made["age"]["hierarchy"] = {"intervals": [5, 10, 20]}
    for name, more in columns.items():
        made[name] |= more
    require = [{"k_anonymity": {"k": k}}, {"t_closeness": {"column": "job", "t": 0.9}}]
    return Policy(columns=made, require=require, techniques=list(techniques), seed=seed)


def released(made: Policy) -> pa.Table:
    return discreet.anonymize(TABLE, made).to_arrow()


def test_what_is_released_was_changed_and_keeps_the_promises() -> None:
    made = policy({"top_code": {"columns": ["hours"], "at": 40}}, income={"technique": NOISE})
    release = discreet.anonymize(TABLE, made)
    rows = release.to_arrow()
    assert max(rows["hours"].to_pylist()) == 40
    incomes = set(read_rows(TABLE)["income"].to_pylist())
    assert sum(value in incomes for value in rows["income"].to_pylist()) < ROWS / 2
    assert release.holds and discreet.verify(rows, made, original=release.table).holds


def test_promises_are_counted_on_what_techniques_left() -> None:
    """Cut at 20, all ages are alike, so they can be released as they are."""
    cut = discreet.anonymize(TABLE, policy(age={"technique": {"top_code": {"at": 20}}}))
    plain = discreet.anonymize(TABLE, policy())
    assert (cut.levels["age"], plain.levels["age"]) == (0, 1)
    assert cut.holds and set(cut.to_arrow()["age"].to_pylist()) == {20}


@pytest.mark.parametrize(
    "technique",
    [
        {"round_values": {"columns": ["age"], "base": 5, "how": "random"}},
        {"bottom_code": {"columns": ["age"], "quantile": 0.3, "put": "mean"}},
        {"microaggregate": {"columns": ["age", "zip"], "k": 4, "categories": ["zip"]}},
        {"suppress_values": {"columns": ["age", "zip"], "share": 0.2}},
        {"swap": {"columns": ["age", "zip"], "share": 0.5}},
        {"sample_rows": {"share": 0.3, "within": ["zip"]}},
    ],
    ids=lambda one: str(next(iter(one))),
)
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_promises_hold_whatever_made_the_quasi_columns_coarser(
    technique: Any, algorithm: str
) -> None:
    made = policy(technique).replace(algorithm=algorithm, suppress=0.1)
    made = made.replace(require=[{"k_anonymity": {"k": 3}}])
    release = discreet.anonymize(TABLE, made)
    rows = release.to_arrow()
    found = rows.group_by(["age", "zip"]).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert release.holds and min(found) >= 3 and sum(found) == release.rows


def test_one_seed_gives_one_release_and_no_seed_another_each_time() -> None:
    chance = ({"sample_rows": {"share": 0.5}}, {"pram": {"columns": ["job"], "share": 0.3}})
    first = released(policy(*chance, income={"technique": NOISE}))
    assert released(policy(*chance, income={"technique": NOISE})) == first
    assert released(policy(*chance, income={"technique": NOISE}, seed=8)) != first
    drawn = [prepare_table(TABLE, policy(*chance, seed=None)) for _ in range(2)]
    assert read_rows(drawn[0]) != read_rows(drawn[1])


def test_every_step_draws_numbers_of_its_own() -> None:
    twin = discreet.read(pa.table({"age": list(range(50)), "a": range(50), "b": range(50)}))
    shuffles = [{"shuffle": {"columns": [name]}} for name in ("a", "b")]
    columns = {"age": {"role": "quasi"}, "a": {"role": "other"}, "b": {"role": "other"}}
    made = Policy(columns=columns, require=[{"k_anonymity": {"k": 1}}], techniques=shuffles, seed=1)
    rows = read_rows(prepare_table(twin, made))
    assert rows["a"].to_pylist() != rows["b"].to_pylist()


def test_only_what_is_released_or_looked_at_is_held() -> None:
    found = prepare_table(TABLE, policy({"sample_rows": {"share": 0.5}}))
    assert isinstance(found, ChangedTable)
    assert found.columns == ("age", "zip", "income", "hours", "job")
    beside = prepare_table(TABLE, policy({"sample_rows": {"share": 0.5, "within": ["unnamed"]}}))
    assert beside.columns == (*found.columns, "unnamed")
    assert "secret" not in str(read_rows(beside).to_pydict())
    assert prepare_table(TABLE, policy()) is TABLE


def test_the_column_of_weights_is_held_and_the_result_counts_with_it() -> None:
    made = policy({"sample_rows": {"share": 0.5}}).replace(row_weight="unnamed")
    release = discreet.anonymize(TABLE, made)
    assert "unnamed" in release.table.columns
    assert "unnamed" not in release.to_arrow().column_names


def test_the_key_of_people_moves_the_dates_of_a_person_alike_in_every_run(tmp_path: Path) -> None:
    key = tmp_path / "people.key"
    key.write_text("0123456789abcdef" * 4 + "\n")  # a key by which nobody's shift is another's
    key.chmod(0o600)
    rows = {"who": ["a", "b", "c"] * 4, "age": [30] * 12, "day": ["2024-05-06"] * 12}
    shift = {"shift_dates": {"entity": "who"}}
    columns: dict[str, Any] = {"who": {"role": "identifier"}, "age": {"role": "quasi"}}
    columns["day"] = {"role": "other", "technique": shift}
    people = {"column": "who", "key": "people.key"}
    k = [{"k_anonymity": {"k": 2}}]
    made = Policy(columns=columns, require=k, people=people, folder=tmp_path)
    first, second = (
        read_rows(prepare_table(discreet.read(pa.table(rows)), made)) for _ in range(2)
    )
    assert first["day"].to_pylist() == second["day"].to_pylist()
    assert len(set(first["day"].to_pylist())) == 3


def test_a_column_that_is_looked_at_is_not_released() -> None:
    rows = released(policy({"swap": {"columns": ["hours"], "within": ["unnamed"]}}))
    assert "unnamed" not in rows.column_names and "name" not in rows.column_names


def test_a_column_that_the_table_lacks_is_named() -> None:
    with pytest.raises(PolicyError, match="no column 'regoin'"):
        prepare_table(TABLE, policy({"sample_rows": {"share": 0.5, "within": ["regoin"]}}))


def test_rows_are_chosen_first_and_moved_last() -> None:
    made = policy(
        "scramble", {"pram": {"columns": ["job"], "share": 0.1}}, {"sample_rows": {"share": 0.5}}
    )
    facts = discreet.anonymize(TABLE, made).facts()["techniques"]
    assert [one["technique"] for one in facts] == ["sample_rows", "pram", "scramble"]
    assert [one["utility"]["rows_before"] for one in facts] == [400, 200, 200]


def test_noise_that_goes_below_zero_is_refused_unless_it_may() -> None:
    with pytest.raises(
        TechniqueError, match=r"noise: column 'hours' has no number below zero.*domain"
    ):
        prepare_table(TABLE, policy(hours={"technique": {"noise": {"amount": 0.5}}}))
    clipped = {"noise": {"amount": 0.5, "domain": [0, None], "outside": "clip"}}
    hours = read_rows(prepare_table(TABLE, policy(hours={"technique": clipped})))["hours"]
    assert min(hours.to_pylist()) == 0
    free = {"noise": {"amount": 0.5, "domain": [None, None]}}
    hours = read_rows(prepare_table(TABLE, policy(hours={"technique": free})))["hours"]
    assert min(hours.to_pylist()) < 0


def test_perturbed_numbers_below_zero_are_told() -> None:
    found = prepare_table(TABLE, policy(hours={"technique": "perturb"}))
    assert any("values of 'hours' are below zero" in notice for notice in found.notices)


def test_a_sample_below_k_is_refused() -> None:
    with pytest.raises(ReleaseError, match=r"sample_rows: 4 of 400 rows.*have 5.*0\.0125"):
        discreet.anonymize(TABLE, policy({"sample_rows": {"share": 0.01}}, k=5))


def test_a_column_of_the_wrong_kind_is_refused_without_a_value() -> None:
    with pytest.raises(TechniqueError, match="noise: column 'job' is not one of numb") as told:
        discreet.anonymize(TABLE, policy(job={"technique": {"noise": {"amount": 0.1}}}))
    assert "nurse" not in str(told.value)


def test_facts_say_what_each_technique_cost_without_a_value() -> None:
    made = policy({"swap": {"columns": ["job"], "share": 0.5}}, income={"technique": NOISE})
    noise, swap = discreet.anonymize(TABLE, made).facts()["techniques"]
    assert (noise["technique"], noise["columns"]) == ("noise", ["income"])
    assert noise["protection"] == "null-map" and not noise["truthful"]
    assert 0 < noise["utility"]["distortion"] < 1
    assert noise["utility"]["columns"][0]["loss"] == pytest.approx(0.04, abs=0.02)
    assert len(swap["utility"]["pairs"]) == 4
    assert all("job" in pair["columns"] for pair in swap["utility"]["pairs"])
    text = json.dumps([noise, swap])
    assert "nurse" not in text and "secret" not in text and "02101" not in text


def test_a_policy_without_techniques_has_none_in_its_facts() -> None:
    assert discreet.anonymize(TABLE, policy()).facts()["techniques"] == []


def notes(*techniques: Any, **more: Any) -> str:
    return " ".join(prepare_table(TABLE, policy(*techniques, **more)).notices)


@pytest.mark.parametrize(
    ("techniques", "says"),
    [
        ([{"top_code": {"columns": ["age"], "at": 50}}], "formed on 'age' as changed by top_code"),
        ([{"sample_rows": {"share": 0.5}}], "promises are counted on the rows of the sample"),
        ([{"shuffle": {"columns": ["job"]}}], "t_closeness is measured on 'job' as shuffle left"),
        ([{"shuffle": {"columns": ["job"]}}], "job may be wrong for individual people (shuffle)"),
        ([{"shuffle": {"columns": ["job"]}}], "who knows the seed can undo part of shuffle"),
        (
            [{"swap": {"columns": ["age", "zip"]}}],
            "t_closeness is measured on 'job' as swap left it",
        ),
        (["scramble"], "scramble changes nothing"),
        (
            [
                {"top_code": {"columns": ["income"], "at": 3000}},
                {"noise": {"columns": ["income"], "amount": 0.01}},
            ],
            "noise after top_code on income makes of equal numbers different ones again",
        ),
        (
            [
                {"noise": {"columns": ["income"], "amount": 0.01}},
                {"shuffle": {"columns": ["income"]}},
            ],
            "shuffle after noise on income gives the changed numbers to other rows",
        ),
        (
            [{"shuffle": {"columns": ["income"]}}, {"shuffle": {"columns": ["income"]}}],
            "shuffle after shuffle on income: the second can undo part of the first",
        ),
    ],
)  # fmt: skip
def test_notes_say_what_to_know(techniques: list[Any], says: str) -> None:
    assert says in notes(*techniques)


def test_a_sample_of_people_with_many_rows_is_told_to_be_one_of_rows() -> None:
    k = [{"k_anonymity": {"k": 2}}]
    made = policy({"sample_rows": {"share": 0.5}}).replace(people={"column": "name"}, require=k)
    assert "draws rows, not people" in " ".join(prepare_table(TABLE, made).notices)


def test_nothing_is_said_of_what_is_not_there() -> None:
    told = notes({"round_values": {"columns": ["hours"], "base": 5}})
    assert "counted on" not in told and "seed" not in told and "people" not in told
    assert "seed" not in notes({"shuffle": {"columns": ["job"]}}, seed=None)


def test_the_same_comes_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    discreet.anonymize(TABLE, Policy(
        columns={name: {"role": "quasi"} for name in TABLE.columns},
        require=[{"k_anonymity": {"k": 1}}], order="keep")).write(file)  # fmt: skip
    made = policy({"sample_rows": {"share": 0.5}}, income={"technique": NOISE}, seed=3)
    from_file = discreet.anonymize(file, made).to_arrow().to_pylist()
    as_text = [{n: str(v) for n, v in row.items()} for row in released(made).to_pylist()]
    assert sorted(map(str, from_file)) == sorted(map(str, as_text))


def test_a_ledger_and_a_comparison_see_the_changed_table(tmp_path: Path) -> None:
    made = policy({"sample_rows": {"share": 0.5}}, income={"technique": NOISE})
    with discreet.Ledger.open(tmp_path / "ledger.jsonl") as ledger:
        release = discreet.anonymize_again(TABLE, made, ledger, to="lab")
        assert release.facts()["rows"] == 200
        assert "average" not in str(release.facts()["notes"])
        release.write(tmp_path / "first.csv")
        again = discreet.anonymize_again(TABLE, made, ledger, to="lab")
        assert "noise on income is drawn anew" in str(again.facts()["notes"])
    found = discreet.compare(TABLE, made, ["optimal", "datafly"])
    assert [one["rows"] for one in found.facts()["results"]] == [200, 200]


def test_moments_between_two_steps_do_not_tell_the_few_cells_that_one_changed() -> None:
    top = {"top_code": {"at": int(np.sort(read_rows(TABLE)["income"].to_numpy())[-2])}}
    made = policy(
        {"sample_rows": {"share": 1}}, income={"technique": [{"round_values": {"base": 1}}, top]}
    )
    for one in discreet.anonymize(TABLE, made).facts()["techniques"]:
        income = next(part for part in one["utility"]["columns"] if part["column"] == "income")
        assert (income["before"], income["after"], income["loss"]) == (None, None, None)
        pairs = [part for part in one["utility"]["pairs"] if "income" in part["columns"]]
        assert {part["correlation_before"] for part in pairs} == {None}
