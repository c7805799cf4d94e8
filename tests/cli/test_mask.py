"""``discreet mask``: what can be published, as a table and as JSON."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.identification.keys.coded_table import CodedTable

Run = Callable[..., Any]


@pytest.fixture
def five(tmp_path: Path) -> Path:
    """Table 1 of Motwani and Xu."""
    path = tmp_path / "five.csv"
    path.write_text("age,sex,state\n20,F,CA\n30,F,CA\n40,F,TX\n20,M,NY\n40,M,CA\n")
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.csv"
    rows = "".join(f"{n},{n % 2},{n % 5}\n" for n in range(3000))
    path.write_text("id,sex,day\n" + rows)
    return path


def facts(done: Any) -> dict[str, Any]:
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_json_says_what_to_publish_and_what_to_withhold(run: Run, five: Path) -> None:
    found = facts(run("mask", five, "--distinct", "0.8", "--json"))
    assert (found["publish"], found["withhold"]) == (["sex", "state"], ["age"])
    assert (found["distinct_ratio"], found["separation_ratio"]) == (0.8, 0.9)
    assert found["exact"] is False


def test_exact_is_proven(run: Run, five: Path) -> None:
    found = facts(run("mask", five, "--separation", "0.8", "--exact", "--json"))
    assert (len(found["publish"]), found["exact"]) == (1, True)


def test_people_see_a_table_without_values(run: Run, five: Path) -> None:
    done = run("mask", five, "--distinct", "0.8")
    assert done.exit_code == 0
    assert "five.csv: 2 of 3 columns can be published" in done.stdout
    assert "rows are still unique" in done.stdout
    assert "TX" not in done.stdout


def test_columns_can_be_demanded_refused_and_weighed(run: Run, five: Path) -> None:
    found = facts(run("mask", five, "--separation", "0.8", "--publish", "age", "--json"))
    assert found["publish"] == ["age"]
    found = facts(run("mask", five, "--distinct", "0.8", "--withhold", "sex", "--json"))
    assert "sex" in found["withhold"]
    found = facts(run("mask", five, "--distinct", "0.8", "--weight", "age=5", "--exact", "--json"))
    assert (found["publish"], found["weight"]) == (["age"], 5)


@pytest.mark.parametrize("how", [["--sample", "800"], ["--epsilon", "0.3", "--delta", "0.1"]])
@pytest.mark.parametrize(
    ("kind", "publish", "classes"),
    [("--distinct", ["sex", "day"], 10), ("--separation", ["sex"], 2)],
)
def test_a_sample_makes_a_promise_and_its_choice_is_counted_on_all_rows(
    run: Run, many: Path, kind: str, publish: list[str], classes: int, how: list[str]
) -> None:
    found = facts(run("mask", many, kind, "0.9", *how, "--json", "--seed", "3"))
    assert found["promise"]["at_most"] == 0.9
    assert "id" in found["withhold"]
    assert (found["exact"], found["rows"]) == (False, 3000)
    assert found["publish"] == publish
    assert found["distinct_ratio"] == pytest.approx(classes / 3000)
    assert found[f"{kind.removeprefix('--')}_ratio"] <= 0.9


def test_a_pipe_is_sampled(run: Run, many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.cli.commands import mask

    class Fake:
        stdin = io.StringIO(many.read_text())

    monkeypatch.setattr(mask, "sys", Fake)
    found = facts(run("mask", "-", "--distinct", "0.5", "--sample", "800", "--json"))
    assert found["publish"] == ["sex", "day"]
    assert found["distinct_ratio"] is None
    assert sys.stdin is not Fake.stdin


def test_a_pipe_without_a_sample_is_read_whole() -> None:
    text = "sex,day\n" + "".join(f"{n % 2},{n}\n" for n in range(20))
    done = CliRunner().invoke(app, ["mask", "-", "--distinct", "0.5", "--json"], input=text)
    assert facts(done)["publish"] == ["sex"]


def test_duplicates_can_be_counted_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("a,b\n1,1\n1,1\n2,1\n3,1\n")
    assert facts(run("mask", path, "--distinct", "0.8", "--json"))["publish"] == ["a", "b"]
    once = facts(run("mask", path, "--distinct", "0.8", "--drop-duplicates", "--json"))
    assert (once["publish"], once["rows"]) == (["b"], 3)


def test_quiet_prints_nothing(run: Run, five: Path) -> None:
    assert run("mask", five, "--distinct", "0.8", "--quiet").stdout == ""


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ([], "exactly one of the two"),
        (["--distinct", "0.5", "--separation", "0.5"], "exactly one of the two"),
        (["--distinct", "0"], "--distinct 0: "),
        (["--distinct", "1.5"], "above 0 and at most 1"),
        (["--separation", "-1"], "--separation -1: "),
        (["--separation", "nan"], "--separation nan: "),
        (["--distinct", "0.5", "--epsilon", "0"], "--epsilon 0: "),
        (["--distinct", "0.5", "--epsilon", "0.1", "--delta", "0"], "--delta 0: "),
        (["--distinct", "0.5", "--sample", "0"], "--sample 0: "),
        (["--separation", "0.5", "--sample", "1000000000000"], "is too large; at most 100,000,000"),
        (["--separation", "0.5", "--epsilon", "1e-200"], "allow a larger epsilon"),
        (["--separation", "1e-320", "--sample", "10"], "too small"),
        (["--distinct", "0.5", "--sample", "9", "--epsilon", "0.1"], "one of the two"),
        (["--distinct", "0.5", "--publish", "zip"], "five.csv: there is no column 'zip'"),
        (["--distinct", "0.5", "--weight", "age=inf"], "above 0"),
        (["--distinct", "0.5", "--sample", "2"], "at least"),
        (["--distinct", "0.5", "--publish", "agee"], "Did you mean 'age'"),
        (["--distinct", "0.5", "--withhold", "zip"], "no column 'zip'"),
        (["--distinct", "0.5", "--weight", "zip=2"], "no column 'zip'"),
        (["--distinct", "0.5", "--weight", "age"], "--weight age=2"),
        (["--distinct", "0.5", "--weight", "age=-1"], "above 0"),
        (["--distinct", "0.5", "--publish", "age", "--withhold", "age"], "'age'"),
        (["--distinct", "0.1", "--publish", "age"], "must be published"),
    ],
)
def test_requests_that_cannot_be_met_end_with_2(
    run: Run, five: Path, flags: list[str], said: str
) -> None:
    done = run("mask", five, *flags)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_one_row_is_answered(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a,b\n1,2\n")
    done = run("mask", path, "--distinct", "0.5")
    assert done.exit_code == 0
    assert "0 of 2 columns" in done.stdout
    assert "Together" not in done.stdout
    assert "one row" in done.stderr
    sampled = run("mask", path, "--separation", "0.5", "--sample", "10")
    assert sampled.exit_code == 0
    assert "one row" in sampled.stderr


@pytest.mark.parametrize("flags", [(), ("--epsilon", "0.5")])
def test_five_thousand_columns_are_answered(run: Run, tmp_path: Path, flags: tuple[str]) -> None:
    path = tmp_path / "wide.csv"
    names = ",".join(f"c{n}" for n in range(5000))
    rows = [
        ",".join(row) for row in np.random.default_rng(0).integers(0, 4, (20, 5000)).astype(str)
    ]
    path.write_text("\n".join([names, *rows]) + "\n")
    found = facts(run("mask", path, "--distinct", "0.5", *flags, "--json"))
    assert len(found["publish"]) + len(found["withhold"]) == 5000
    assert found["distinct_ratio"] <= 0.5


def test_all_missing_is_answered(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("a,b\n,\n,\n,\n")
    found = facts(run("mask", path, "--separation", "0.5", "--json"))
    assert (found["publish"], found["separation_ratio"]) == (["a", "b"], 0)


def test_at_most_is_as_printed_and_below_leaves_nothing_for_identify(run: Run, five: Path) -> None:
    """Table 1: 0.8-distinct masking publishes sex and state, which are 0.8-distinct."""
    most = facts(run("mask", five, "--distinct", "0.8", "--json"))
    assert (most["publish"], most["strict"]) == (["sex", "state"], False)
    assert "(below)" in most["notes"][0]
    less = facts(run("mask", five, "--distinct", "0.8", "--below", "--exact", "--json"))
    assert (len(less["publish"]), less["strict"], less["notes"]) == (1, True, [])
    for found, exit_code in ((most, 0), (less, 2)):
        asked = [flag for column in found["publish"] for flag in ("-q", column)]
        done = run("identify", five, "--all", "--distinct", "0.8", *asked)
        assert done.exit_code == exit_code


def test_a_ratio_that_was_printed_is_met_when_it_is_asked_for_again(run: Run, many: Path) -> None:
    printed = facts(run("mask", many, "--separation", "0.85", "--json"))["separation_ratio"]
    again = facts(run("mask", many, "--separation", repr(printed), "--json"))
    assert again["separation_ratio"] == printed
    below = facts(run("mask", many, "--separation", repr(printed), "--below", "--json"))
    assert below["separation_ratio"] < printed


def test_a_sample_of_a_wide_table_does_not_hold_its_rows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*_: Any) -> None:
        raise AssertionError("all rows were held")

    path = tmp_path / "wide.parquet"
    same = np.arange(60) % 2
    columns = {f"c{n}": same for n in range(1100)}
    parquet.write_table(pa.table({**columns, "id": np.arange(60)}), path)
    monkeypatch.setattr(CodedTable, "of", held)
    flags = ("--separation", "0.9", "--sample", "60000", "--json")
    found = facts(run("mask", path, *flags))
    assert found["withhold"] == ["id"]
    assert found["separation_ratio"] == pytest.approx(30 / 59)


def test_one_of_something_is_written_in_the_singular(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("a\n1\n1\n2\n")
    shown = run("mask", path, "--distinct", "0.7").stdout
    assert "1 of 1 column can be published" in shown
    assert "1 of 3 rows is still unique" in shown
    done = run("mask", path, "--distinct", "0.5", "--publish", "b")
    assert "among its 1 column." in done.stderr


def test_an_exact_search_that_ran_out_of_time_says_so(
    run: Run, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.identification.keys import masking
    from discreet.identification.keys.cover import Best

    monkeypatch.setattr(masking, "find_most_exactly", lambda *_: Best([1], False, 2.0))
    shown = run("mask", five, "--distinct", "0.8", "--exact").stdout
    assert "Time ran out" in shown
    assert "no choice is worth more than 2" in shown


def test_a_note_is_shown_once_where_the_sample_is_the_whole_table(run: Run, five: Path) -> None:
    found = facts(run("mask", five, "--distinct", "0.8", "--epsilon", "1e-200", "--json"))
    assert (found["publish"], found["promise"]) == (["sex", "state"], None)
    assert len(found["notes"]) == 1


@pytest.mark.parametrize("beta", ["0.05", "1"])
def test_nothing_and_everything_need_no_search_to_be_proven(
    run: Run, five: Path, beta: str
) -> None:
    found = facts(run("mask", five, "--distinct", beta, "--json"))
    assert found["exact"]
    assert found["weight"] == found["bound"] == len(found["publish"])


def test_too_many_columns_for_exact_are_told_what_to_leave_out(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = [f"c{n}" for n in range(120)]
    path.write_text("\n".join([",".join(names), *(",".join([v] * 120) for v in "0123")]) + "\n")
    result = run("mask", path, "--distinct", "0.5", "--exact")
    assert result.exit_code == 2
    assert "--exact: there are 120 columns to choose from" in result.stderr
    assert "Leave --exact out" in result.stderr
