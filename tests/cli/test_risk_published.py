"""``discreet risk --frequency``: uniqueness from published tables, and groups of people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.risks.uniqueness import GroupSize, Uniqueness
from discreet.risks.value_frequencies import Aggregated, ValueFrequencies

COUNTS = [40, 10, 30, 20, 5, 15]


@pytest.fixture
def ages(tmp_path: Path) -> Path:
    """People by age and sex; ages are in order."""
    path = tmp_path / "ages.csv"
    lines = [f"{20 + i // 2},{'mf'[i % 2]},{number}" for i, number in enumerate(COUNTS)]
    path.write_text("\n".join(["age,sex,people", *lines]) + "\n")
    return path


def facts_of(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_published_table_is_as_good_as_the_people(run: Any, ages: Path) -> None:
    facts = facts_of(run("risk", ages, "--frequency", "people", "--json"))
    known = ValueFrequencies.of(COUNTS)
    assert facts["columns"] == ["age", "sex"]
    assert facts["people"] == 120
    assert facts["uniqueness"]["kappa"] == pytest.approx(known.kappa)
    assert facts["uniqueness"]["group_size"] == GroupSize()(known)


def test_any_set_of_its_columns_is_added_up(run: Any, ages: Path) -> None:
    facts = facts_of(run("risk", ages, "--frequency", "people", "-q", "sex", "--json"))
    assert facts["uniqueness"]["kappa"] == pytest.approx(ValueFrequencies.of([75, 45]).kappa)


def test_tables_of_single_columns_give_a_range_of_kappa(
    run: Any, ages: Path, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("job,people\nx,90\ny,30\n")
    flags = ("--frequency", "people", "-q", "age", "--with", jobs)
    facts = facts_of(run("risk", ages, *flags, "--json"))
    known = Aggregated((ValueFrequencies.of([50, 50, 20]), ValueFrequencies.of([90, 30])))
    assert facts["columns"] == ["age", "job"]
    assert facts["aggregated"]["kappa_independent"] == pytest.approx(known.kappa)
    assert facts["aggregated"]["kappa_most"] == pytest.approx(known.kappa_most)
    assert facts["uniqueness"]["kappa"] == pytest.approx(known.kappa)
    shown = run("risk", ages, *flags).stdout
    assert "do not say how their columns go together" in shown
    assert "add up" not in shown


def test_neighbouring_values_are_published_as_one(run: Any, ages: Path) -> None:
    flags = ("--frequency", "people", "-q", "age", "--width", 2)
    facts = facts_of(run("risk", ages, *flags, "--json"))
    single = ValueFrequencies.of([50, 50, 20])
    assert facts["uniqueness"]["values"] == 2
    assert facts["uniqueness"]["kappa"] == pytest.approx(ValueFrequencies.of([100, 20]).kappa)
    assert facts["grouped"]["kappa"] == pytest.approx(single.kappa)
    assert facts["grouped"]["kappa_from_groups"] == pytest.approx(single.spread(2).kappa)
    assert "groups of 2" in run("risk", ages, *flags).stdout


def test_the_chance_of_one_group_is_exact_and_drawn(run: Any, ages: Path) -> None:
    flags = ("--frequency", "people", "--group", 3, "--simulate", "--seed", 5)
    at = facts_of(run("risk", ages, *flags, "--json"))["uniqueness"]["at"]
    exact = Uniqueness(3)(ValueFrequencies.of(COUNTS)).exact
    assert at["exact"] == pytest.approx(exact)
    assert at["simulated"]["reached"]
    assert at["simulated"]["interval"][0] < exact < at["simulated"]["interval"][1]
    shown = run("risk", ages, *flags).stdout
    assert "Of 3 people everybody differs" in shown
    assert "were all different" in shown
    assert shown == run("risk", ages, *flags).stdout


def test_a_table_of_people_can_be_drawn_from_too(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "".join(f"{n % 6}\n" for n in range(60)))
    facts = facts_of(run("risk", path, "-q", "age", "--simulate", "--json"))
    at = facts["uniqueness"]["at"]
    assert at["group"] == facts["uniqueness"]["group_size"]
    assert at["simulated"]["value"] == pytest.approx(at["exact"], rel=0.2)


def test_what_is_too_rare_to_be_drawn_is_said(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "skewed.csv"
    path.write_text("age,people\n" + "".join(f"{n},{10**9 if n == 0 else 1}\n" for n in range(9)))
    shown = run("risk", path, "--frequency", "people", "--group", 9, "--simulate").stdout
    assert "0 of 1,000,000 groups" in shown
    assert "too rare" in shown


def test_strong_skew_is_said_to_be_badly_approximated(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "skewed.csv"
    lines = [f"{n},{10**6 // n}" for n in range(1, 2001)]
    path.write_text("\n".join(["value,people", *lines]) + "\n")
    found = facts_of(run("risk", path, "--frequency", "people", "--json"))["uniqueness"]
    assert found["says"] == "poor"
    assert found["worst_error"] > 2 * found["worst_error_formula_3"] > 1
    assert "use the exact value" in run("risk", path, "--frequency", "people").stdout


def test_the_curve_of_published_tables_is_drawn(run: Any, ages: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    assert run("risk", ages, "--frequency", "people", "--picture", picture).exit_code == 0
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--frequency", "poeple"), "Did you mean 'people'"),
        (("--frequency", "sex"), "not all of its values are numbers"),
        (("--frequency", "people", "-q", "people"), "counts people"),
        (("--frequency", "people", "--width", "2"), "one column"),
        (("--frequency", "people", "-q", "age", "--width", "1"), "two or more"),
        (("--frequency", "people", "--population", "500"), "Leave out --population"),
        (("--frequency", "people", "--rows", "r.csv"), "Leave out --rows"),
        (("--with", "ages.csv", "-q", "age"), "Give --frequency COLUMN"),
        (("--width", "2", "-q", "age"), "Give --frequency COLUMN"),
        (("--frequency", "people", "--group", "0"), "--group 0"),
        (("--frequency", "people", "--seed", "-1"), "--seed -1"),
    ],
)
def test_what_cannot_be_is_refused(run: Any, ages: Path, flags: tuple[str, ...], told: str) -> None:
    result = run("risk", ages, *flags)
    assert result.exit_code == 2
    assert told in result.stderr


def test_tables_that_share_a_column_do_not_go_together(run: Any, ages: Path) -> None:
    result = run("risk", ages, "--frequency", "people", "--with", ages)
    assert result.exit_code == 2
    assert "a column in common" in result.stderr


def test_tables_of_different_people_are_noticed(run: Any, ages: Path, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("job,people\nx,90\n")
    shown = run("risk", ages, "--frequency", "people", "-q", "age", "--with", jobs).stdout
    assert "do not add up to the same number" in shown
