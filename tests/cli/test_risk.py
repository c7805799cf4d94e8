"""``discreet risk``: tables, JSON and the picture, and what bad input gets."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import shared

ALPHA = ("--population", "100", "--alpha", "0.2")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Twelve rows, three of them unique by age and sex; weights that add up to 120."""
    path = tmp_path / "people.csv"
    pairs = ["30,m"] * 4 + ["30,f"] * 3 + ["40,m"] * 2 + ["40,f", "50,m", "secretvalue,f"]
    path.write_text("age,sex,weight\n" + "".join(f"{pair},10\n" for pair in pairs))
    return path


def facts_of(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_has_the_keys_of_the_design(run: Any, people: Path) -> None:
    facts = facts_of(run("risk", people, "-q", "age", "-q", "sex", "--json"))
    assert (facts["rows"], facts["classes"], facts["uniques"]) == (12, 6, 3)
    assert facts["prosecutor"]["highest"] == 1.0
    assert facts["prosecutor"]["average"] == 0.5
    assert facts["prosecutor"]["rows_at_risk"] == 12
    assert facts["journalist"].keys() >= {"highest", "average", "rows_at_risk"}
    assert facts["marketer"] == 0.5
    assert facts["population"] is None
    assert facts["uniqueness"]["values"] == 6
    assert facts["special_uniques"]["minimal_uniques"] == {"1": 2, "2": 1}


def test_the_quasi_columns_of_a_policy_are_taken(run: Any, table: Path, policy: Path) -> None:
    facts = facts_of(run("risk", table, "--policy", policy, "--population", 60, "--json"))
    assert facts["columns"] == ["age", "zip"]
    assert facts["population"]["k_map"][0]["k"] == 3


def test_a_population_gives_estimates_or_reasons(run: Any, people: Path) -> None:
    facts = facts_of(run("risk", people, "-q", "age", "-q", "sex", "--population", 40, "--json"))
    population = facts["population"]
    assert population["size"] == 40
    assert population["sampling_fraction"] == pytest.approx(0.3)
    assert list(population["uniques"]) == ["zayatz", "snb", "pitman", "dankar"]
    for one in population["uniques"].values():
        assert (one["uniques"] is None) is (not one["applies"])
        assert one["applies"] or one["reason"]
    assert 3 <= population["uniques_at_most"] <= 31
    assert facts["journalist"]["highest"] < 1


def test_a_register_is_counted(run: Any, people: Path, tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    lines = people.read_text().splitlines()
    register.write_text("\n".join([lines[0], *lines[1:] * 2, "99,m,10"]) + "\n")
    facts = facts_of(
        run("risk", people, "-q", "age", "-q", "sex", "--register", register, "--json")
    )
    assert facts["journalist"]["highest"] == 0.5
    assert facts["marketer"] == pytest.approx(0.25)
    assert facts["population"]["size"] == 25
    assert facts["population"]["uniques"]["register"]["uniques"] == 1
    assert facts["register"]["rows_not_found"] == 0


def test_weights_stand_for_people(run: Any, people: Path) -> None:
    weighed = facts_of(
        run("risk", people, "-q", "age", "-q", "sex", "--weight", "weight", "--json")
    )
    plain = facts_of(run("risk", people, "-q", "age", "-q", "sex", "--population", 120, "--json"))
    assert weighed["population"]["size"] == 120
    assert weighed["marketer"] == pytest.approx(plain["marketer"])


def test_people_see_risk_without_a_value_of_the_file(run: Any, people: Path) -> None:
    result = run("risk", people, "-q", "age", "-q", "sex", "--population", 40)
    assert result.exit_code == 0
    for told in ("prosecutor", "journalist", "marketer", "dankar", "k-map", "Special uniques"):
        assert told in result.stdout
    assert "secretvalue" not in result.stdout + result.stderr


def test_quiet_prints_nothing(run: Any, people: Path) -> None:
    assert run("risk", people, "-q", "age", "--quiet").stdout == ""


def test_special_uniques_can_be_left_out(run: Any, people: Path) -> None:
    facts = facts_of(run("risk", people, "-q", "age", "--max-size", 0, "--json"))
    assert facts["special_uniques"] is None


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_drawn(run: Any, people: Path, tmp_path: Path, ending: str) -> None:
    picture = tmp_path / f"curve.{ending}"
    result = run("risk", people, "-q", "age", "-q", "sex", "--picture", picture)
    assert result.exit_code == 0, result.stderr
    assert f"Drawn to {picture}." in result.stdout
    assert picture.read_bytes()[:5] in {b"<?xml", b"\x89PNG\r", b"%PDF-"}


def test_a_picture_shows_the_curves_of_the_facts(run: Any, people: Path) -> None:
    from discreet.reporting.pictures import LINES, list_uniqueness_lines, plot_uniqueness

    facts = facts_of(run("risk", people, "-q", "age", "-q", "sex", "--json"))
    drawn = plot_uniqueness(facts).render("", "")
    curves = {line.label: line for line in list_uniqueness_lines(facts)}
    for key, label, number in LINES:
        shown = [one[key] for one in facts["uniqueness"]["curve"] if one[key] is not None]
        assert [y for _, y in curves[label].points] == shown
        assert drawn.count(f'class="l{number}"') == 2  # the curve, and its key in the legend
        assert label in drawn


def test_the_same_facts_give_the_same_picture(run: Any, people: Path, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        run("risk", people, "-q", "age", "--picture", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-q", "aeg"), "'aeg'"),
        (("-q", "age", "--population", "11"), "at least 12"),
        (("-q", "age", "--population", "0"), "population"),
        (("-q", "age", "--threshold", "0"), "threshold"),
        (("-q", "age", "--level", "2"), "level"),
        (("-q", "age", "--max-size", "-1"), "--max-size -1"),
        (("-q", "age", "--weight", "sex"), "sex"),
        (("-q", "age", "--weight", "nothing"), "nothing"),
        (("-q", "age", "--register", "nowhere.csv"), "nowhere.csv"),
        (("-q", "age", "--picture", "p.gif"), "the ending '.gif' is not known"),
        (("-q", "age", "--rows", "rows.txt"), "the ending '.txt' is not known"),
        (("-q", "age", "--population", "100000000000"), "population"),
        ((), "quasi"),
    ],
)
def test_what_cannot_be_is_refused(
    run: Any, people: Path, options: tuple[str, ...], told: str
) -> None:
    result = run("risk", people, *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert "secretvalue" not in result.stderr


@pytest.mark.parametrize("other", [("--population", "50"), ("--weight", "weight")])
def test_a_register_says_by_itself_how_many_people_there_are(
    run: Any, people: Path, other: tuple[str, str]
) -> None:
    result = run("risk", people, "-q", "age", "--register", people, *other)
    assert result.exit_code == 2
    assert other[0] in result.stderr


@pytest.mark.parametrize("rows", ["1\n", "1\n1\n1\n", '""\n""\n'], ids=["one", "equal", "missing"])
def test_odd_tables_have_an_answer(run: Any, tmp_path: Path, rows: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("age\n" + rows)
    facts = facts_of(run("risk", path, "-q", "age", "--population", 100, "--json"))
    assert facts["classes"] == 1


def test_a_table_without_rows_is_refused(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("age,sex\n")
    result = run("risk", path, "-q", "age")
    assert result.exit_code == 2
    assert "rows" in result.stderr


def test_a_hundred_columns_are_counted_and_not_searched(run: Any, tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(100)]
    path = tmp_path / "wide.csv"
    lines = [",".join(str((i * j) % 7) for j in range(100)) for i in range(20)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n")
    chosen = [part for name in names for part in ("-q", name)]
    facts = facts_of(run("risk", path, *chosen, "--json"))
    assert facts["rows"] == 20
    assert facts["special_uniques"] is None
    assert "100 quasi columns" in facts["notes"][0]


def test_sets_of_columns_are_tested_for_being_quasi_identifiers(run: Any, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    rows = [f"{n % 2},{n % 7},{n}" for n in range(60)]
    table.write_text("\n".join(["sex,zip,name", *rows]) + "\n")
    flags = ("-q", "sex", "-q", "name", "--population", "100", "--alpha", "0.2")
    result = run("risk", table, *flags, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)["alpha"]
    told = {tuple(one["columns"]): one["suspected"] for one in found["sets"]}
    assert told == {("sex",): False, ("name",): True, ("sex", "name"): True}
    shown = run("risk", table, *flags, "--map", tmp_path / "map.svg")
    assert "not expected" in shown.stdout
    assert "if the population has more" in shown.stdout
    assert (tmp_path / "map.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--alpha", "0.5"), "Give --population N"),
        (("--map", "m.svg"), "Give --alpha 0.5"),
        (("--set", "sex"), "Give --alpha 0.5"),
        (("--domain", "sex=3"), "Give --alpha 0.5"),
        ((*ALPHA, "--set", "sex,age"), "'age' is not among the quasi columns: sex, zip"),
        ((*ALPHA, "--set", "sex,sex"), "each once"),
        ((*ALPHA, "--picture", "a.svg", "--map", "a.svg"), "both name one file"),
        ((*ALPHA, "--domain", "sex"), "--domain age=100"),
        ((*ALPHA, "--domain", "sex=0"), "at least 1"),
        ((*ALPHA, "--domain", "sxe=3"), "'sxe' is not among"),
    ],
)
def test_an_alpha_test_that_cannot_be_is_refused(
    run: Any, tmp_path: Path, flags: tuple[str, ...], told: str
) -> None:
    table = tmp_path / "people.csv"
    table.write_text("sex,zip\nm,1\nf,2\n")
    result = run("risk", table, "-q", "sex", "-q", "zip", *flags)
    assert result.exit_code == 2
    assert told in result.stderr


def test_domains_and_sets_are_those_that_were_named(run: Any, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text('sex,"age, years"\n' + "".join(f"{n % 2},{n % 5}\n" for n in range(20)))
    flags = ("-q", "sex", "-q", "age, years", *ALPHA, "--domain", "age, years=90")
    flags += ("--domain", "sex=3", "--set", 'sex,"age, years"')
    found = facts_of(run("risk", table, *flags, "--json"))["alpha"]
    assert [one["columns"] for one in found["sets"]] == [["sex", "age, years"]]
    assert found["sets"][0]["multiplied"] == 270
    assert found["domains"] == {"sex": 3, "age, years": 90}
    assert found["domains_too_small"] == []
    result = run("risk", table, "-q", "sex", *ALPHA, "--domain", "sex=1")
    assert result.exit_code == 2
    assert "--domain sex=1: the table alone has 2 values of this column" in result.stderr


def test_figure_3_of_lodha_and_thomas_by_the_command(run: Any) -> None:
    """With the file's own values where the paper counts fewer: 60 ages of 73, for instance."""
    from discreet.frequency.count import count
    from discreet.table.read import read
    from tests.papers.test_lodha_thomas import COLUMNS, DOMAINS, FIGURE_3, US, marked

    flags = [part for name in COLUMNS for part in ("-q", name)]
    adult = read(shared("data", "adult", "adult.csv"))
    there = dict(
        zip(COLUMNS, map(len, count(adult, COLUMNS).frequency.values.values()), strict=True)
    )
    sizes = {name: max(size, there[name]) for name, size in DOMAINS.items()}
    flags += [part for name, size in sizes.items() for part in ("--domain", f"{name}={size}")]
    flags += [part for row in FIGURE_3 for part in ("--set", ",".join(marked(row[0])))]
    flags += ["--population", US, "--alpha", 0.2, "--max-size", 0, "--json"]
    found = facts_of(run("risk", shared("data", "adult", "adult.csv"), *flags))["alpha"]["sets"]
    for one, (_, uniques, share, multiplied, most, people) in zip(found, FIGURE_3, strict=True):
        more = math.prod(sizes[name] / DOMAINS[name] for name in one["columns"])
        assert one["uniques"] == uniques
        assert one["share_of_table"] == pytest.approx(share, rel=0.05)
        assert one["multiplied"] == pytest.approx(multiplied * more, rel=0.03)
        if more == 1:
            assert one["most_uniques"] == pytest.approx(most, rel=0.035)
            assert one["k"] == pytest.approx(people, rel=0.12)


def test_the_risk_of_each_row_is_written_without_values(
    run: Any, people: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rows.csv"
    flags = ("-q", "age", "-q", "sex", "--population", 40, "--rows", out)
    result = run("risk", people, *flags)
    assert result.exit_code == 0, result.stderr
    assert "for your own eyes" in result.stdout
    lines = [line.split(",") for line in out.read_text().splitlines()]
    heads = ["row", "class_rows", "prosecutor", "journalist", "special_score"]
    assert lines[0] == [*heads, "special_columns", "dis_score"]
    assert [line[0] for line in lines[1:]] == [str(n) for n in range(1, 13)]
    assert [line[1] for line in lines[1:]] == list("444433322111")
    assert lines[1][2] == "0.25"
    assert [line[5] for line in lines[1:]] == ["0"] * 9 + ["2", "1", "1"]
    assert "secretvalue" not in out.read_text()
    again = run("risk", people, *flags)
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    assert run("risk", people, *flags, "--force").exit_code == 0


def test_one_row_is_not_called_rows(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("age\n1\n")
    shown = run("risk", path, "-q", "age").stdout
    assert "one.csv by age: 1 row, 1 class, 1 unique row\n" in shown


def test_how_much_of_a_register_matched_is_said(run: Any, people: Path, tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    register.write_text("age,sex\n" + "30,m\n" * 8 + "40,f\n99,f\n")
    result = run("risk", people, "-q", "age", "-q", "sex", "--register", register)
    assert result.exit_code == 0, result.stderr
    assert "9 of them match a row of the file." in result.stdout
    assert "Values of the file that are in the register: age 2 of 4." in result.stdout
    assert "7 rows of the file match nobody" in result.stdout


def test_a_register_that_nobody_fits_is_an_error(run: Any, people: Path, tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    register.write_text("age,sex\n30-39,m\n")
    result = run("risk", people, "-q", "age", "-q", "sex", "--register", register)
    assert result.exit_code == 2
    assert "age 0 of 4, sex 1 of 2" in result.stderr
    assert "secretvalue" not in result.stderr


def test_a_marketer_who_is_not_known_is_told_at_most(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "fine.csv"
    path.write_text("age\n" + "".join(f"{n}\n" for n in range(50)))
    shown = run("risk", path, "-q", "age", "--population", 5000).stdout
    assert "as prosecutor, the most it can be" in shown
    assert "is right for at most 50 of them" in shown
    assert "The journalist's average is from 0." in shown
    assert "From 0 to 5,000 people fit FILE, with about 95 % confidence" in shown


def test_one_row_fits_and_two_rows_fit(run: Any, tmp_path: Path) -> None:
    table, register = tmp_path / "few.csv", tmp_path / "register.csv"
    table.write_text("age\n30\n40\n40\n50\n")
    register.write_text("age\n30\n40\n40\n")
    shown = run("risk", table, "-q", "age", "--register", register).stdout
    assert "1 row of the file matches only one person." in shown
    assert "1 row of the file matches nobody in the register" in shown


def test_columns_that_the_policy_changes_are_named_beside_a_register(
    run: Any, people: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "p.yaml"
    policy.write_text(
        "columns:\n  age: {role: quasi, technique: {round_values: {base: 10}}}\n"
        "  sex: {role: quasi}\nrequire: [k_anonymity: {k: 2}]\n"
    )
    done = run("risk", people, "--policy", policy, "--register", people, "--json")
    assert any(
        "age (rounded to multiples of 10)" in note and "use attack with the register" in note
        for note in json.loads(done.stdout)["notes"]
    )
