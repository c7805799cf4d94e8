"""``discreet identify``: keys and quasi-identifiers as a table, as JSON and as a picture."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.samples import cover_elements
from discreet.identification.keys.separation import separation_ratio

TABLE_1 = "age,sex,state\n20,Female,CA\n30,Female,CA\n40,Female,TX\n20,Male,NY\n40,Male,CA\n"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """Table 1 of Motwani and Xu."""
    path = tmp_path / "example.csv"
    path.write_text(TABLE_1)
    return path


@pytest.fixture
def repeated(tmp_path: Path) -> Path:
    path = tmp_path / "repeated.csv"
    path.write_text(TABLE_1 + "40,Male,CA\n")
    return path


@pytest.fixture
def long(tmp_path: Path) -> Path:
    draws = np.random.default_rng(0)
    path = tmp_path / "long.csv"
    rows = [",".join(map(str, row)) for row in draws.integers(0, 30, (2000, 6))]
    path.write_text("\n".join(["a,b,c,d,e,f", *rows]) + "\n")
    return path


def facts_of(run: Any, *args: Any) -> dict[str, Any]:
    done = run("identify", *args, "--json")
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_all_minimal_keys_as_json(run: Any, example: Path) -> None:
    facts = facts_of(run, example, "--all")
    assert (facts["rows"], facts["duplicates_removed"], facts["exact"]) == (5, 0, True)
    assert [one["columns"] for one in facts["sets"]] == [["age", "sex"], ["age", "state"]]
    for one in facts["sets"]:
        assert (one["distinct_ratio"], one["separation_ratio"], one["uniques"]) == (1, 1, 5)


@pytest.mark.parametrize("flags", [(), ("--minimum",)])
def test_the_minimum_key_is_what_is_asked_if_nothing_else_is(
    run: Any, example: Path, flags: tuple[str, ...]
) -> None:
    facts = facts_of(run, example, *flags)
    (one,) = facts["sets"]
    assert "age" in one["columns"]
    assert len(one["columns"]) == 2
    assert facts["exact"]


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        (("--distinct", 0.6), [["age"], ["state"]]),
        (("--separation", 0.8), [["age"], ["sex", "state"]]),
        (("--distinct", 0.8), [["age", "sex"], ["age", "state"], ["sex", "state"]]),
        (("--distinct", 0.8, "--max-size", 1), []),
        (("--distinct", 0.8, "-q", "sex", "-q", "state"), [["sex", "state"]]),
    ],
)
def test_quasi_identifiers_of_table_1(
    run: Any, example: Path, flags: tuple[Any, ...], wanted: list[list[str]]
) -> None:
    facts = facts_of(run, example, "--all", *flags)
    assert [one["columns"] for one in facts["sets"]] == wanted


def test_people_see_the_sets_and_how_sure_they_are(run: Any, example: Path) -> None:
    done = run("identify", example, "--all")
    assert done.exit_code == 0
    assert "example.csv: 5 rows, 3 columns" in done.stdout
    assert "age, state" in done.stdout
    assert "2 minimal keys. Exact: counted on all rows." in done.stdout
    for value in ("Female", "TX", "40"):
        assert value not in done.stdout


def test_rows_that_repeat_are_dropped_and_said_unless_they_are_kept(
    run: Any, repeated: Path
) -> None:
    for question in ("--all", "--minimum"):
        done = run("identify", repeated, question)
        assert done.exit_code == 0
        assert "1 of 6 rows repeats another and is left out" in done.stderr
        assert "--keep-duplicates" in done.stderr
        facts = facts_of(run, repeated, question)
        assert (facts["rows"], facts["duplicates_removed"]) == (5, 1)
        assert facts["sets"]
        kept = run("identify", repeated, question, "--keep-duplicates")
        assert kept.exit_code == 2
        assert "1 row repeats another in all columns" in kept.stderr


def test_rows_that_repeat_in_named_columns_only_are_all_counted(run: Any, example: Path) -> None:
    facts = facts_of(run, example, "-q", "sex", "--distinct", 0.1)
    assert (facts["rows"], facts["duplicates_removed"]) == (5, 0)


def test_a_minimum_that_is_too_large_is_not_shown(run: Any, example: Path) -> None:
    facts = facts_of(run, example, "--max-size", 1)
    assert facts["sets"] == []
    assert "the fewest columns are 2" in facts["notes"][-1]
    done = run("identify", example, "--max-size", 1)
    assert done.exit_code == 0
    assert "No key of at most 1 column." in done.stdout


@pytest.mark.parametrize("question", ["--all", "--minimum"])
def test_a_sampled_answer_says_what_it_promises(run: Any, long: Path, question: str) -> None:
    facts = facts_of(run, long, question, "--epsilon", 0.01, "--delta", 0.05)
    assert not facts["exact"]
    assert facts["promise"]["delta"] == 0.05
    assert facts["promise"]["at_least"] >= 0.99
    assert all(one["separation_ratio"] >= 0.99 for one in facts["sets"])
    shown = run("identify", long, question, "--epsilon", 0.01, "--delta", 0.05).stdout
    assert "With probability 0.95" in shown
    assert "a key" in shown
    assert "minimal keys" not in shown
    assert ("contains one that was found" in shown) == (question == "--all")


@pytest.mark.parametrize("question", ["--all", "--minimum"])
def test_a_sample_alone_finds_what_a_sample_of_the_table_does(
    run: Any, long: Path, question: str
) -> None:
    flags = (question, "--epsilon", 0.01, "--sample-only")
    facts = facts_of(run, long, *flags)
    assert facts["rows"] == 2000
    assert facts["promise"]["sampled"] == cover_elements(6, 0.01, 0.01)
    assert all(one["separation_ratio"] is None for one in facts["sets"])
    table = CodedTable.of(long)
    for one in facts["sets"]:
        assert separation_ratio(table, one["columns"]) >= 0.99
    assert "no ratio was counted" in run("identify", long, *flags).stdout


@pytest.mark.parametrize("question", ["--all", "--minimum"])
def test_a_pipe_is_read_once(long: Path, question: str) -> None:
    args = ["identify", "-", question, "--epsilon", "0.01", "--json"]
    done = CliRunner().invoke(app, args, input=long.read_text())
    assert done.exit_code == 0, done.stderr
    alone = CliRunner().invoke(app, ["identify", str(long), *args[2:], "--sample-only"])
    assert json.loads(done.stdout) == json.loads(alone.stdout)


def test_a_pipe_without_rows_is_said() -> None:
    done = CliRunner().invoke(app, ["identify", "-", "--epsilon", "0.1"], input="a,b\n")
    assert done.exit_code == 2
    assert "no rows" in done.stderr


def test_one_seed_gives_one_answer(run: Any, long: Path) -> None:
    flags = (long, "--all", "--epsilon", 0.2, "--separation", 0.99, "--seed", 3)
    assert facts_of(run, *flags) == facts_of(run, *flags)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--all", "--minimum"), "two questions"),
        (("--distinct", 0.5, "--separation", 0.5), "Ask for one"),
        (("--distinct", 0), "--distinct 0"),
        (("--separation", 1.5), "at most 1"),
        (("--separation", "nan"), "--separation nan"),
        (("--epsilon", 0), "--epsilon 0"),
        (("--epsilon", 1e-12), "at most 100,000,000 are drawn"),
        (("--epsilon", 1e-12, "--sample-only"), "at most 100,000,000 are drawn"),
        (("--separation", 1e-300, "--epsilon", 0.5), "at most 100,000,000 are drawn"),
        (("--epsilon", 0.1, "--delta", 1), "--delta 1"),
        (("--delta", 0.1), "without --epsilon"),
        (("--distinct", 0.9, "--epsilon", 0.1), "no sample bounds"),
        (("--max-size", 0), "--max-size 0"),
        (("--time-limit", -1), "--time-limit -1"),
        (("-q", "aeg"), "age"),
        (("--sample-only",), "Add --epsilon"),
        (("--sample-only", "--epsilon", 0.1, "--distinct", 1.0), "Ask for --separation"),
        (("--sample-only", "--epsilon", 0.1, "--drop-duplicates"), "needs all rows"),
        (("--sample-only", "--epsilon", 0.1, "--picture", "out.svg"), "needs all rows"),
        (("--picture", "out.doc"), ".svg"),
        (("--distinct", 1.0, "--all", "-q", "sex"), "--drop-duplicates"),
        (("--separation", 0.99, "--all", "-q", "sex"), "ratio of 0.6,"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(
    run: Any, example: Path, flags: tuple[Any, ...], told: str
) -> None:
    done = run("identify", example, *flags)
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("question", ["--all", "--minimum"])
def test_one_row_is_singled_out_by_nothing_at_all(run: Any, tmp_path: Path, question: str) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a,b\n1,2\n")
    facts = facts_of(run, path, question)
    assert [one["columns"] for one in facts["sets"]] == [[]]
    assert "one row" in facts["notes"][0]
    assert "(none)" in run("identify", path, question).stdout


@pytest.mark.parametrize("question", ["--all", "--minimum"])
def test_rows_that_are_all_equal_or_missing_have_no_key(
    run: Any, tmp_path: Path, question: str
) -> None:
    path = tmp_path / "equal.csv"
    path.write_text("a,b\n,\n,\n,\n")
    done = run("identify", path, question, "--keep-duplicates")
    assert done.exit_code == 2
    assert "2 rows repeat another" in done.stderr
    assert run("identify", path, question).exit_code == 0


def test_five_thousand_columns_are_answered(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = [f"c{number}" for number in range(5000)]
    rows = [[str(row // 4), str(row % 4), *["x"] * 4998] for row in range(12)]
    path.write_text("\n".join(",".join(row) for row in [names, *rows]) + "\n")
    for question in ("--all", "--minimum"):
        facts = facts_of(run, path, question)
        assert [one["columns"] for one in facts["sets"]] == [["c0", "c1"]]


def test_a_sample_of_a_wide_table_is_read_without_holding_its_rows(
    run: Any, tmp_path: Path
) -> None:
    path = tmp_path / "wide.parquet"
    noise = np.random.default_rng(0).integers(0, 2, (1200, 12))
    columns = {f"c{n}": noise[n] for n in range(1200)}
    parquet.write_table(pa.table({**columns, "id": np.arange(12)}), path)
    facts = facts_of(run, path, "--epsilon", 0.4, "--sample-only")
    assert (facts["rows"], facts["columns"]) == (12, 1201)
    assert facts["promise"]["sampled"] == cover_elements(1201, 0.4, 0.01)
    (one,) = facts["sets"]
    assert separation_ratio(CodedTable.of(path), one["columns"]) >= 0.6


def test_a_sample_of_equal_rows_is_not_called_a_candidate(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "equal.csv"
    path.write_text("a,b\n" + "1,2\n" * 9)
    done = run("identify", path, "--epsilon", 0.1, "--keep-duplicates")
    assert "there is no key" in done.stderr
    assert "candidate" not in done.stdout
    assert "parts all pairs that any does" in done.stdout


def test_when_time_runs_out_what_was_found_is_shown(run: Any, tmp_path: Path) -> None:
    draws = np.random.default_rng(0)
    path = tmp_path / "many.csv"
    rows = [",".join(map(str, row)) for row in draws.integers(0, 12, (1000, 40))]
    path.write_text("\n".join([",".join(f"c{n}" for n in range(40)), *rows]) + "\n")
    facts = facts_of(run, path, "--all", "--time-limit", 0.5)
    assert (facts["exact"], facts["complete"]) == (False, False)
    assert "there may be more" in facts["notes"][-1]


def test_many_sets_are_cut_on_the_screen_only(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    names = [f"id{number}" for number in range(50)]
    path.write_text("\n".join(",".join(row) for row in [names, ["1"] * 50, ["2"] * 50]) + "\n")
    assert len(facts_of(run, path, "--all")["sets"]) == 50
    assert "and 10 more" in run("identify", path, "--all").stdout


def test_a_ratio_below_one_is_never_shown_as_one(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "nearly.csv"
    path.write_text("\n".join(["id", "0", *map(str, range(999))]) + "\n")
    done = run("identify", path, "--all", "--separation", 0.9, "--keep-duplicates")
    assert "0.999997" in done.stdout


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_drawn_of_small_sets(
    run: Any, example: Path, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"sets.{ending}"
    facts = facts_of(run, example, "--picture", path)
    sizes = [len(one["columns"]) for one in facts["most_identifying"]]
    assert sizes == [1, 1, 1, 2, 2, 2, 3]
    first = path.read_bytes()
    assert len(first) > 1000
    if ending == "svg":
        text = first.decode()
        assert "age + sex" in text
        assert "Female" not in text
    assert run("identify", example, "--picture", path).exit_code == 2
    assert run("identify", example, "--picture", path, "--force").exit_code == 0
    assert path.read_bytes() == first


def test_odd_column_names_are_drawn_and_shown_as_they_are(run: Any, tmp_path: Path) -> None:
    path, picture = tmp_path / "odd.csv", tmp_path / "odd.svg"
    path.write_text("$a_b$,[red]x[/red],<b>&\n1,2,3\n2,2,3\n")
    done = run("identify", path, "--all", "--picture", picture)
    assert done.exit_code == 0
    assert "$a_b$" in done.stdout
    assert "[red]x[/red]" in picture.read_text()


def test_without_the_extra_a_picture_is_refused_at_once(
    run: Any, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name.split(".")[0] == "resvg_py":
            raise ImportError(name)
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    done = run("identify", example, "--picture", tmp_path / "sets.png")
    assert done.exit_code == 2
    assert "plots" in done.stderr


def test_quiet_prints_nothing(run: Any, example: Path) -> None:
    assert run("identify", example, "--all", "--quiet").stdout == ""


def test_a_column_that_is_hard_to_learn_is_left_out_of_the_cheapest_set(
    run: Any, example: Path
) -> None:
    cheap = facts_of(run, example, "--weight", "sex=5")
    assert [one["columns"] for one in cheap["sets"]] == [["age", "state"]]
    assert (cheap["sets"][0]["weight"], cheap["bound"], cheap["exact"]) == (2, 2, True)
    assert cheap["weights"] == {"sex": 5}
    other = facts_of(run, example, "--weight", "state=3.5")
    assert other["sets"][0]["columns"] == ["age", "sex"]
    assert facts_of(run, example)["weights"] == {}


def test_all_sets_come_cheapest_first_with_what_they_cost(run: Any, example: Path) -> None:
    flags = ("--all", "--weight", "sex=5", "--weight", "state=0.5")
    facts = facts_of(run, example, *flags)
    assert [(one["columns"], one["weight"]) for one in facts["sets"]] == [
        (["age", "state"], 1.5),
        (["age", "sex"], 6),
    ]
    shown = run("identify", example, *flags).stdout
    assert "cost" in shown
    least = run("identify", example, "--weight", "sex=5").stdout
    assert "The cheapest columns that are a key. Exact" in least
    assert "cost" not in run("identify", example).stdout


def test_weights_hold_in_a_sample_and_in_a_pipe(run: Any, long: Path) -> None:
    flags = ("--epsilon", 0.05, "--weight", "a=100", "--weight", "b=100")
    facts = facts_of(run, long, *flags)
    assert not {"a", "b"} & set(facts["sets"][0]["columns"])
    args = ["identify", "-", *map(str, flags), "--json"]
    done = CliRunner().invoke(app, args, input=long.read_text())
    piped = json.loads(done.stdout)["sets"][0]
    assert not {"a", "b"} & set(piped["columns"])
    assert piped["weight"] == len(piped["columns"])


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--weight", "aeg=2"), "Did you mean 'age'"),
        (("--weight", "age=2", "-q", "sex", "-q", "state"), "no column 'age'"),
        (("--weight", "age"), "--weight age=2"),
        (("--weight", "age=0"), "above 0"),
        (("--weight", "age=nan"), "above 0"),
        (("--weight", "age=1", "--weight", "age=2"), "two weights"),
        (("--weight", "age=2", "--max-size", 1), "--all"),
    ],
)
def test_weights_that_cannot_be_are_refused(
    run: Any, example: Path, flags: tuple[Any, ...], told: str
) -> None:
    done = run("identify", example, *flags)
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_name_that_holds_an_equals_sign_can_have_a_weight(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("a=b,c\n1,1\n2,2\n")
    assert facts_of(run, path, "--weight", "a=b=3")["sets"][0]["columns"] == ["c"]


def test_a_ratio_just_below_the_one_asked_for_is_told_apart_from_it(
    run: Any, tmp_path: Path
) -> None:
    path = tmp_path / "nearly.csv"
    path.write_text("\n".join(["id", "0", *map(str, range(3000))]) + "\n")
    done = run("identify", path, "--separation", 0.99999999, "--keep-duplicates")
    assert done.exit_code == 2
    assert "ratio of 0.9999998, below 0.99999999," in done.stderr


def test_one_row_of_a_pipe_is_answered_with_what_to_give() -> None:
    done = CliRunner().invoke(app, ["identify", "-", "--epsilon", "0.1"], input="a,b\n1,2\n")
    assert done.exit_code == 2
    assert "at least two rows" in done.stderr


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["shown", "json"])
def test_ctrl_c_shows_the_sets_found_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    """Pressed once three sets are known, of a table with many more."""
    import os
    import signal

    from discreet.cli import output

    draws = np.random.default_rng(1).integers(0, 3, (60, 16))
    path = tmp_path / "wide.csv"
    rows = [",".join(f"c{n}" for n in range(16)), *(",".join(map(str, row)) for row in draws)]
    path.write_text("\n".join(rows) + "\n")
    before = signal.getsignal(signal.SIGINT)

    def press(self: object, text: str, share: float | None = None) -> None:
        if "searching, 3 sets found" in text:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(output.Progress, "__call__", press)
    result = CliRunner().invoke(app, ["identify", str(path), "--all", "--time-limit", "0", *flags])
    assert result.exit_code == 2
    assert signal.getsignal(signal.SIGINT) is before
    if flags:
        facts = json.loads(result.stdout)
        assert 3 <= len(facts["sets"]) <= 10
        assert (facts["exact"], facts["complete"]) == (False, False)
    else:
        assert "Interrupted: every set shown is minimal" in result.stderr
        assert "there may be more sets." in result.stdout
