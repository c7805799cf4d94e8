"""Several rows per person: the column that says so, and what a cap on the rows costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.identification import profile
from discreet.identification.inspect import inspect
from discreet.identification.inspection import Inspection
from discreet.identification.rows_of_people import PeopleProposal
from discreet.policy.people import parse_people
from discreet.table import row_sample
from discreet.table.read import read

Look = Callable[..., Inspection]


def make_visits(people: int = 100, seed: int = 1) -> dict[str, list[Any]]:
    draws = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), draws.geometric(0.4, people))
    draws.shuffle(who)
    return {
        "patient_id": [f"P{n:05d}" for n in who],
        "sex": ["MF"[n % 2] for n in who],
        "problem": [f"#{n}" for n in draws.integers(0, 5, len(who))],
    }


def count_dropped(keys: list[str], cap: int) -> int:
    """By counting in plain Python."""
    return sum(max(0, rows - cap) for rows in Counter(keys).values())


def propose(found: Inspection) -> PeopleProposal:
    assert found.people is not None
    return found.people


@pytest.mark.parametrize("seed", range(3))
def test_the_cost_of_each_cap_is_what_counting_gives(look_at_table: Look, seed: int) -> None:
    table = make_visits(seed=seed)
    people = propose(look_at_table(table))
    keys = table["patient_id"]
    assert (people.column, people.people, people.rows) == ("patient_id", 100, len(keys))
    assert people.most_rows == max(Counter(keys).values())
    assert people.caps
    for cost in people.caps:
        assert cost.rows_dropped == count_dropped(keys, cost.cap)
        assert cost.share_dropped == pytest.approx(count_dropped(keys, cost.cap) / len(keys))


def test_the_proposed_cap_is_the_smallest_that_leaves_out_few_rows(look_at_table: Look) -> None:
    table = make_visits(400)
    people = propose(look_at_table(table))
    keys, cap = table["patient_id"], people.cap
    assert cap is not None
    assert count_dropped(keys, cap) <= 0.05 * len(keys) < count_dropped(keys, cap - 1)
    assert people.spec == {"column": "patient_id", "records": {"cap": cap}}


def test_the_proposal_is_one_that_a_policy_takes(look_at_table: Look, tmp_path: Path) -> None:
    spec = propose(look_at_table(make_visits())).spec
    assert parse_people(spec, tmp_path).write_spec() == spec


def test_people_who_all_have_as_many_rows_need_no_cap(look_at_table: Look) -> None:
    table = {"patient_id": [f"P{n // 3:05d}" for n in range(90)], "sex": ["M", "F"] * 45}
    people = propose(look_at_table(table))
    assert (people.cap, people.spec) == (None, {"column": "patient_id"})
    assert [cost.cap for cost in people.caps] == [1, 2]


def test_one_row_each_gives_no_proposal(look_at_table: Look) -> None:
    table = {"patient_id": [f"P{n:05d}" for n in range(90)], "sex": ["M", "F"] * 45}
    assert look_at_table(table).people is None


def test_a_certain_key_outranks_names_that_repeat(look_at_table: Look) -> None:
    table = {
        "mrn": [f"MRN-{n:05d}" for n in range(90)],
        "patient_name": ["Maria Smith", "John Miller", "Anna Koch"] * 30,
        "sex": ["M", "F"] * 45,
    }
    assert look_at_table(table).people is None


@pytest.mark.parametrize("key", ["id", "device_id", "station", "order_no", "sku", "name"])
def test_things_with_several_rows_are_not_people(look_at_table: Look, key: str) -> None:
    table = {key: [f"S{n % 30:04d}" for n in range(90)], "pressure": [f"{n}.5" for n in range(90)]}
    assert look_at_table(table).people is None


def test_cases_are_said_to_be_cases(look_at_table: Look) -> None:
    table = {"case_id": [f"C{n % 30:04d}" for n in range(90)], "age": [n % 80 for n in range(90)]}
    assert propose(look_at_table(table)).unit == "cases"


def test_of_many_people_a_sample_of_rows_estimates_the_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_sample, "SAMPLE", 2000)
    monkeypatch.setattr(profile, "LIMIT_BYTES", 10_000)
    table = make_visits(6000)
    keys = table["patient_id"]
    people = propose(inspect(read(pa.table(table))))
    assert not people.exact
    assert people.people == pytest.approx(6000, rel=0.05)
    for cost in people.caps[:4]:
        assert cost.share_dropped == pytest.approx(
            count_dropped(keys, cost.cap) / len(keys), abs=0.03
        )
    assert "about" in people.reason


def test_facts_name_no_person(look_at_table: Look) -> None:
    found = look_at_table(make_visits())
    assert found.facts()["people"]["spec"] == propose(found).spec
    assert "P00001" not in str(found.facts()["people"])
