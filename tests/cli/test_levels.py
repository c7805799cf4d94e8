"""``discreet levels``: what each anonymity level takes; and the level as an option of others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """600 people, ten a month over five years, one older; half of them of each sex."""
    path = tmp_path / "people.csv"
    rows = ["birth,sex,pay,town,note"]
    for n in range(599):
        month = n % 60
        rows.append(
            f"{1990 + month // 12}-{month % 12 + 1:02}-{1 + n // 60:02},{'FM'[n // 60 % 2]},"
        )
        rows[-1] += f"{n / 4},t{n % 2},"
    rows.append("1930-01-01,F,9999.5,t0,secret")
    path.write_text("\n".join(rows) + "\n")
    return path


def facts(done: Any) -> dict[str, Any]:
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def only(done: Any) -> dict[str, Any]:
    (table,) = facts(done)["tables"]
    found: dict[str, Any] = table
    return found


def test_each_level_has_its_k_its_width_and_its_share(run: Run, people: Path) -> None:
    table = only(run("levels", people, "-q", "birth", "--at", "0.5,0.9", "--json"))
    assert (table["columns"], table["rows"], table["most_dropped"]) == (["birth"], 600, 0.08)
    low, high = table["levels"]
    assert (low["k"], low["width"]["birth"]["name"], low["rows_dropped"]) == (3, "month", 1)
    assert high["k"] == 5
    assert high["share_dropped"] == 1 / 600
    assert low["average_class_size"] == pytest.approx(599 / 60)


def test_no_row_may_be_dropped_if_so_asked(run: Run, people: Path) -> None:
    table = only(
        run("levels", people, "-q", "birth", "--at", "0.5", "--most-dropped", "0", "--json")
    )
    assert table["levels"][0]["width"]["birth"]["name"] == "one value for all"
    assert table["levels"][0]["rows_dropped"] == 0


def test_columns_that_are_known_too_split_the_classes(run: Run, people: Path) -> None:
    alone = only(run("levels", people, "-q", "birth", "--json"))["widths"]
    both = only(run("levels", people, "-q", "birth", "--with", "sex", "--json"))["widths"]
    year = {one["name"]: one for one in both}["12 months"]
    assert (year["classes"], year["average_class_size"]) == (11, 600 / 11)
    assert all(one["classes"] <= two["classes"] for one, two in zip(alone, both, strict=True))


def test_the_two_ends_are_as_it_is_and_most_general(run: Run, people: Path) -> None:
    for more in ([], ["--together"]):
        table = only(run("levels", people, "-q", "birth", "--at", "0,1", "--json", *more))
        low, high = table["levels"]
        assert (low["k"], low["width"]["birth"]["name"]) == (1, "as found")
        assert (high["k"], high["width"]["birth"]["name"]) == (600, "one value for all")


def test_several_columns_are_one_table_each_or_one_together(run: Run, people: Path) -> None:
    names = ["-q", "birth", "-q", "sex", "--at", "0.9", "--json"]
    each = facts(run("levels", people, *names))["tables"]
    assert [one["columns"] for one in each] == [["birth"], ["sex"]]
    table = only(run("levels", people, *names, "--together"))
    (line,) = table["levels"]
    assert set(line["width"]) == {"birth", "sex"}
    assert line["share_dropped"] <= 0.08


def test_a_policy_brings_its_columns_hierarchies_and_map(
    run: Run, people: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text(
        "columns: {birth: {role: quasi, hierarchy: {dates: [2 months, year]}}}\n"
        "anonymity: {level: 0.5, k: {0.5: 7, 1.0: 40}}\n"
    )
    table = only(run("levels", people, "--policy", policy, "--at", "0.1,0.6,1", "--json"))
    assert [one["k"] for one in table["levels"]] == [7, 40, 40]
    assert [one["name"] for one in table["widths"]] == [
        *("as found", "2 months", "year", "one value for all")
    ]
    assert [one["size"] for one in table["widths"]] == [None, 2, 12, None]


def test_an_option_brings_a_hierarchy(run: Run, people: Path) -> None:
    table = only(run("levels", people, "-q", "town", "--hierarchy", "town={prefix: [1]}", "--json"))
    assert [one["name"] for one in table["widths"]] == ["as found", "first 1 characters"]


def test_numbers_get_intervals_that_fit_their_range(run: Run, people: Path) -> None:
    table = only(run("levels", people, "-q", "pay", "--json"))
    sizes = [one["size"] for one in table["widths"]]
    assert sizes[0] is sizes[-1] is None
    assert sizes[1:-1] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]


def test_a_map_that_asks_for_more_than_all_rows_is_never_reached(
    run: Run, people: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text("columns: {birth: {role: quasi}}\nanonymity: {level: 1, k: {1.0: 601}}\n")
    for more in ([], ["--together"]):
        args = ["levels", people, "--policy", policy, "--at", "1", *more]
        (line,) = only(run(*args, "--json"))["levels"]
        assert (line["width"], line["share_dropped"]) == (None, 1.0)
        assert "none is enough" in run(*args).stdout


def test_people_see_tables_without_a_value(run: Run, people: Path) -> None:
    done = run("levels", people, "-q", "note", "-q", "birth")
    assert done.exit_code == 0
    assert "people.csv: birth, 600 rows" in done.stdout
    assert "the finest width that leaves out at most 8 % of the rows" in done.stdout
    assert not any(value in done.stdout for value in ("secret", "1930", "1990"))


def test_quiet_prints_nothing(run: Run, people: Path) -> None:
    done = run("levels", people, "-q", "birth", "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "-q: no column is named"),
        (["-q", "brith"], "there is no column 'brith'"),
        (["-q", "birth", "--with", "sec"], "there is no column 'sec'"),
        (["-q", "birth", "--with", "birth"], "named as a column to make coarser and"),
        (["-q", "birth", "--with", "sex", "--together"], "Name them all with -q"),
        (["-q", "birth", "--at", "0.5,1.2"], "'1.2' is not an anonymity level"),
        (["-q", "birth", "--at", "nan"], "'nan' is not an anonymity level"),
        (["-q", "birth", "--at", "a lot"], "'a lot' is not an anonymity level"),
        (["-q", "birth", "--at", ""], "is not an anonymity level"),
        (["-q", "birth", "--most-dropped", "8"], "this is not a share of rows"),
        (["-q", "birth", "--most-dropped", "nan"], "this is not a share of rows"),
        (["-q", "birth", "--hierarchy", "birth"], "begin with one of the -q columns"),
        (["-q", "birth", "--hierarchy", "sex={flat: true}"], "begin with one of the -q"),
        (["-q", "birth", "--hierarchy", "birth={dates: [5 months]}"], "5 months"),
        (["-q", "birth", "--hierarchy", "birth={dates: ["], "it is not a mapping"),
        (["-q", "birth", "--hierarchy", "birth="], "it must name one kind"),
        (["-q", "birth", "--hierarchy", "birth={tree: {a: [b]}}"], "birth"),
    ],
)
def test_a_wrong_request_is_refused_by_name(
    run: Run, people: Path, args: list[str], told: str
) -> None:
    done = run("levels", people, *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert "1990" not in done.stderr


def test_a_table_without_rows_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("birth,sex\n")
    done = run("levels", tmp_path / "none.csv", "-q", "birth")
    assert done.exit_code == 2
    assert "no rows" in done.stderr


def test_a_column_of_missing_values_is_one_value(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text("birth,sex\n,F\n,M\n,F\n")
    table = only(run("levels", tmp_path / "gaps.csv", "-q", "birth", "--at", "0.5", "--json"))
    assert table["levels"][0]["rows_dropped"] == 0


def test_anonymize_takes_a_level_instead_of_k(run: Run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    args = ["anonymize", people, "-q", "birth", "--anonymity", "0.9", "--suppress", "0.08"]
    found = facts(run(*args, "-o", out, "--json"))
    assert found["anonymity"]["k"] == found["verdicts"][0]["limit"] == 5
    done = run("verify", out, "-q", "birth", "--anonymity", "0.9", "--rows", "600")
    assert done.exit_code == 0
    assert "Anonymity level 0.9 of 600 rows: k is 5." in done.stdout


def test_people_are_told_what_the_level_came_to(run: Run, people: Path) -> None:
    done = run("anonymize", people, "-q", "birth", "--anonymity", "0.9")
    assert "Anonymity level 0.9 of 600 rows: k is 5." in done.stdout
    assert "every row matches at least 4 other rows" in done.stdout
    done = run("anonymize", people, "-q", "birth", "--anonymity", "0")
    assert "NO k IS PROMISED" in done.stdout


def test_options_win_over_the_level_of_a_policy(run: Run, people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text(
        "columns: {birth: {role: quasi}}\nanonymity: {level: 0.2, k: {0.5: 7, 1: 9}}\n"
    )
    args = ["anonymize", people, "--policy", policy]
    done = run(*args, "-k", "4", "--json")
    assert json.loads(done.stdout)["verdicts"][0]["limit"] == 4
    assert json.loads(done.stdout)["anonymity"] is None
    assert "k of anonymity 0.2 -> 4" in done.stderr
    done = run(*args, "--anonymity", "0.6", "--json")
    assert json.loads(done.stdout)["verdicts"][0]["limit"] == 9
    assert "anonymity 0.2 -> 0.6" in done.stderr


def test_a_level_wins_over_the_k_of_a_policy(run: Run, people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text("columns: {birth: {role: quasi}}\nrequire: [{k_anonymity: {k: 2}}]\n")
    found = facts(
        run("compare", people, "--policy", policy, "--anonymity", "0.9", "-a", "local", "--json")
    )
    assert {one["verdicts"][0]["limit"] for one in found["results"]} == {5}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--anonymity", "0.5", "-k", "3"], "both say how large classes must be"),
        (["--anonymity", "high"], "the text 'high'"),
        (["--anonymity", "nan"], "needs a number from 0 to 1"),
        (["--anonymity", "50"], "Did you mean 0.5?"),
    ],
)
def test_a_wrong_level_is_refused(run: Run, people: Path, args: list[str], told: str) -> None:
    done = run("anonymize", people, "-q", "birth", *args)
    assert done.exit_code == 2
    assert told in done.stderr


def test_more_rows_than_any_table_has_are_refused(run: Run, people: Path) -> None:
    done = run("verify", people, "-q", "birth", "--anonymity", "0.5", "--rows", 10**60)
    assert done.exit_code == 2
    assert "--rows: needs a whole number from 1 to" in done.stderr


def test_rows_go_with_a_level_only(run: Run, people: Path) -> None:
    done = run("verify", people, "-q", "birth", "-k", "2", "--rows", "600")
    assert done.exit_code == 2
    assert "the policy has no anonymity level" in done.stderr


def test_a_picture_is_drawn_and_never_over_another_file(
    run: Run, people: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "levels.svg"
    args = ["levels", people, "-q", "birth", "-q", "sex", "--at", "0.5,0.9", "--picture", picture]
    done = run(*args)
    assert done.exit_code == 0
    assert f"Drawn to {picture}." in done.stdout
    drawn = picture.read_text()
    assert "1930" not in drawn
    assert run(*args).exit_code == 2
    assert run(*args, "--force").exit_code == 0
    assert picture.read_text() == drawn


def test_a_picture_has_a_bar_a_level_and_its_k_and_width(run: Run, people: Path) -> None:
    from discreet.reporting.pictures import plot_levels

    found = facts(run("levels", people, "-q", "birth", "--at", "0.5,0.9", "--json"))
    drawn = plot_levels(found).render("", "")
    assert len(re.findall(r'<rect [^>]*class="s0"', drawn)) == 2 + 1  # and that of the legend
    assert drawn.count(">0.2 %</text>") >= 2
    assert ">A = 0.5, k = 3: month</text>" in drawn


def test_what_is_counted_is_the_table_after_the_techniques_of_the_policy(
    run: Run, people: Path, tmp_path: Path
) -> None:
    (tmp_path / "p.yaml").write_text(
        "columns: {pay: {role: quasi, technique: {top_code: {at: 100}}}}\n"
        "techniques: [{sample_rows: {share: 0.5}}]\nanonymity: 0.5\nrequire: [k_anonymity]\n"
    )
    table = only(run("levels", people, "--policy", tmp_path / "p.yaml", "--json"))
    assert table["rows"] == 300
    assert table["widths"][0]["classes"] < 300
