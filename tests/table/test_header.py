"""A first line that is a row about somebody is not taken for names of columns, and not shown."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from discreet.sample.town import make
from discreet.table.header import looks_like_row
from discreet.table.read import read
from tests.shared_data import shared

FIRST = ("Mary", "John", "Ann", "Peter", "Wanda", "Quirin", "Tessa", "Obi")
LAST = ("Miller", "Smith", "Brown", "Ward", "Ostrowski", "Lane", "Price", "Nkemelu")
CITIES = ("Boston", "Denver", "Chicago", "Salem", "Austin")
STREETS = ("Oak Street", "Main Street", "Elm Road", "Hill Lane")
ILLS = ("flu", "gout", "asthma", "migraine")


def people(rows: int = 40) -> list[dict[str, str]]:
    drawn = random.Random(7)
    return [
        {
            "first": drawn.choice(FIRST),
            "name": f"{drawn.choice(FIRST)} {drawn.choice(LAST)}",
            "last": drawn.choice(LAST),
            "age": str(drawn.randrange(18, 90)),
            "born": f"{drawn.randrange(1930, 2010)}-0{drawn.randrange(1, 9)}-1{drawn.randrange(9)}",
            "day": f"{drawn.randrange(1, 28)} Mar {drawn.randrange(1930, 2010)}",
            "zip": f"0{drawn.randrange(1000, 9999)}",
            "city": drawn.choice(CITIES),
            "street": f"{drawn.randrange(1, 99)} {drawn.choice(STREETS)}",
            "sex": drawn.choice("FM"),
            "ill": drawn.choice(ILLS),
            "code": f"E{drawn.randrange(10, 99)}.{drawn.randrange(9)}",
            "mail": f"p{drawn.randrange(999)}@example.org",
            "note": f"came back {drawn.randrange(9)} days later with a bad {drawn.choice(ILLS)}",
        }
        for _ in range(rows)
    ]


ALL = tuple(people(1)[0])
SETS = [
    ("name", "city"), ("name", "ill"), ("first", "last"), ("first", "last", "city"), ("name",),
    ("age",), ("zip", "born", "sex"), ("sex",), ("name", "street"), ("day", "ill"), ("code",),
    ("mail", "first"), ("note",), ("name", "note"), ("name", "age", "zip", "ill"), ALL,
]  # fmt: skip


@pytest.mark.parametrize("columns", SETS, ids=" ".join)
def test_a_first_row_is_recognized(columns):
    rows = [[person[name] for name in columns] for person in people()]
    assert looks_like_row(rows[0], rows[1:])
    assert looks_like_row(rows[0], rows[1:6])


@pytest.mark.parametrize("names", [("Mary Miller", "Boston"), ("Miller", "Mary"), ("Wanda", "F")])
def test_a_row_of_words_alone_is_recognized(names):
    rows = [["John Smith", "Denver"], ["Ann Brown", "Salem"], ["Peter Clark", "Austin"]]
    if names[0] == "Miller":
        rows = [row[0].split()[::-1] for row in rows]
    if names[0] == "Wanda":
        rows = [["John", "M"], ["Ann", "F"], ["Peter", "M"]]
    assert looks_like_row(names, rows)


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["Mary Miller", "12 Oak Street"], [["John Smith", "3 Elm Road"]]),
        (["Mary Price", "wage dispute"], [["John Smith", "divorce"]]),
        (["Zbigniew Ostrowski", "mumps"], [["Mary Miller", "gout"], ["Ann Brown", "flu"]]),
        (["1971", "3"], [["1983", "4"], ["1965", "1"]]),
        (["1980-02-03", "4"], [["1977-01-09", "5"], ["1969-12-30", "4"]]),
    ],
)  # fmt: skip
def test_a_row_with_words_of_columns_or_rare_names_is_recognized(names, rows):
    assert looks_like_row(names, rows)


def called(name: str, style: str) -> str:
    words = {"first": "first name", "last": "last name", "born": "date of birth"}.get(name, name)
    match style:
        case "Title Case":
            return words.title()
        case "UPPER":
            return words.upper().replace(" ", "_")
        case "camelCase":
            first, *more = words.split()
            return first + "".join(map(str.title, more))
    return words.replace(" ", "_")


@pytest.mark.parametrize("style", ["snake_case", "Title Case", "UPPER", "camelCase"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_line_of_names_is_taken_for_a_row(style, size):
    body = people()
    for columns in itertools.combinations(ALL, size):
        rows = [[person[name] for name in columns] for person in body]
        names = [called(name, style) for name in columns]
        assert not looks_like_row(names, rows), names


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["name", "city", "county"], [["Ann", "Salem", "Essex"], ["Bob", "Lynn", "Essex"]]),
        (["country", "2019", "2020"], [["Chad", "3", "4"], ["Peru", "5", "6"]]),
        (["0", "1", "2"], [["3", "4", "5"], ["6", "7", "8"]]),
        (["id", "Asthma", "Gout"], [["1", "Asthma", ""], ["2", "", "Gout"], ["3", "Asthma", ""]]),
        (["Asthma", "Gout"], [["Asthma", ""], ["", "Gout"], ["Asthma", ""]]),
        (["x1", "x2"], [["0.5", "1.5"], ["0.1", "7"]]),
        (["a", "b"], [["1", "2"]]),
        (["a", "b"], []),
        (["Grace", "Mark"], [["12", "3"], ["14", "2"]]),
        (["a", "b"], [["a", "b"], ["x", "y"], ["z", "y"]]),
        (["What do you like best about it, in your own words?"], [["the long way home in spring"]]),
        (["Ward"], [["North"], ["South"], ["North"]]),
        (["2019", "2021", "2023"], [["3", "4", "1"], ["5", "6", "2"]]),
        (["2019-01-01", "2019-02-01"], [["1", "2"], ["3", "4"]]),
        (["18-24", "25-34"], [["1", "2"], ["3", "4"]]),
        (["Q1", "Q2", "Q3"], [["A1", "B2", "C1"], ["A2", "B1", "C3"]]),
        (["Attending Physician"], [["Mary Miller"], ["John Smith"], ["Ann Brown"]]),
    ],
)  # fmt: skip
def test_plausible_names_stay_names(names, rows):
    assert not looks_like_row(names, rows)


@pytest.mark.parametrize("file", ["adult/adult.csv", "adult/adult_arx.csv", "cup/cup.csv"])
def test_public_tables_keep_their_names_and_lose_them_with_their_first_line(file, tmp_path):
    path = shared("data", *file.split("/"))
    assert not any("looks like a row" in said for said in read(path).notices)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    bare = tmp_path / "bare.csv"
    bare.write_text("".join(lines[1:3000]), encoding="utf-8")
    if len(set(lines[1].split(","))) == len(lines[1].split(",")):
        assert read(bare).columns[0] == "column 1"


def test_the_synthetic_town_keeps_its_names():
    town = make(seed=1)
    for table in (town.voters, town.patients):
        rows = list(zip(*(column[:500] for column in table.values()), strict=True))
        assert not looks_like_row(list(table), rows)
        assert looks_like_row(rows[0], rows[1:])


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A file without a line of names and without a number."""
    path = tmp_path / "people.csv"
    rows = [
        "Zora Miller,Salemtown,F,goutish",
        "John Smith,Denver,M,flu",
        "Ann Brown,Lynn,F,goutish",
    ]
    path.write_text("\n".join([*rows, "Peter Clark,Denver,M,flu"]) + "\n")
    return path


FIRST_LINE = ("Zora", "Miller", "Salemtown", "goutish")
COMMANDS: list[tuple[str, ...]] = [
    ("inspect",), ("inspect", "--json"), ("identify",), ("mask", "--distinct", "0.5"), ("hipaa",),
    ("risk", "-q", "age"), ("risk", "-q", "column 3"), ("anonymize", "-q", "age", "-k", "2"),
    ("anonymize", "-q", "column 3", "-k", "2", "--json"), ("levels", "-q", "age"), ("techniques",),
    ("compare", "-q", "name", "-k", "2"), ("verify", "-q", "age", "-k", "2"),
    ("attack", "-q", "age"), ("restore", "--column", "name", "--key", "k", "-o", "o.csv"),
]  # fmt: skip


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_no_command_shows_a_first_row_and_all_say_what_to_do(bare, args, monkeypatch):
    monkeypatch.chdir(bare.parent)
    result: Any = CliRunner().invoke(app, [args[0], str(bare), *args[1:]])
    assert not [word for word in FIRST_LINE if word in result.stdout + result.stderr]
    if args[0] != "restore":
        assert result.stderr.startswith("The first line of people.csv looks like a row")
        assert result.stderr.count("put a line of names above it") == 1


OTHER_FILES: list[tuple[str, ...]] = [
    ("verify", "good.csv", "-q", "sex", "-k", "2", "--original", "people.csv"),
    *(("attack", "good.csv", "-q", "sex", option, "people.csv")
      for option in ("--register", "--earlier", "--summary", "--original")),
    ("anonymize", "good.csv", "-q", "sex", "-k", "2", "--attack", "--register", "people.csv"),
    ("together", "people.csv", "good.csv", "--policy", "people.yml"),
    ("verify", "folder", "--policy", "people.yml"),
    ("scrub", "people.csv", "-o", "out.csv"), ("scrub", "people.csv", "-o", "out.csv", "--json"),
    ("advise", "people.csv", "--policy", "rows.yml"),
]  # fmt: skip


@pytest.mark.parametrize("args", OTHER_FILES, ids=" ".join)
def test_no_file_beside_the_first_shows_its_first_row(bare, args, monkeypatch):
    monkeypatch.chdir(bare.parent)
    Path("good.csv").write_text("sex,who\nF,p1\nF,p2\nM,p3\nM,p4\n")
    sex, require = "sex: {role: quasi}", "require: [{k_anonymity: {k: 2}}]"
    Path("rows.yml").write_text(f"columns: {{{sex}}}\n{require}\n")
    people = "people: {column: who}\ncolumns:\n"
    Path("people.yml").write_text(f"{people}  good.{sex}\n  people.{sex}\n{require}\n")
    Path("folder").mkdir()
    for name in ("good.csv", "people.csv"):
        Path("folder", name).write_text(Path(name).read_text())
    result: Any = CliRunner().invoke(app, args)
    said = result.stdout + result.stderr
    assert "looks like a row" in said or "check its first line" in " ".join(said.split())
    assert not [word for word in FIRST_LINE if word in said]
    if Path("out.csv").exists():
        assert not [word for word in FIRST_LINE[:2] if word in Path("out.csv").read_text()]


def test_a_first_policy_for_such_a_file_does_not_hold_the_row(bare, tmp_path):
    CliRunner().invoke(app, ["inspect", str(bare), "--write-policy", str(tmp_path / "p.yml")])
    text = (tmp_path / "p.yml").read_text()
    assert "column 1" in text and not [word for word in FIRST_LINE if word in text]


def test_the_data_holder_can_say_that_the_line_holds_names(bare):
    assert read(bare).columns == ("column 1", "column 2", "column 3", "column 4")
    assert read(bare, header=True).columns[1] == "Salemtown"
    assert not read(bare, header=True).notices
    result = CliRunner().invoke(app, ["inspect", str(bare), "--header"])
    assert "Salemtown" in result.stdout and "looks like a row" not in result.stderr


def test_quiet_says_nothing(bare):
    result = CliRunner().invoke(app, ["inspect", str(bare), "--quiet"])
    assert (result.stdout, result.stderr) == ("", "")


def test_the_first_row_of_a_pipe_is_refused_and_not_shown(bare):
    args = ["identify", "-", "--minimum", "--epsilon", "0.1"]
    result = CliRunner().invoke(app, args, input=bare.read_bytes())
    assert result.exit_code == 2 and "looks like a row" in result.stderr
    assert not [word for word in FIRST_LINE if word in result.stdout + result.stderr]


def test_the_first_row_of_a_sheet_is_not_shown_either(bare, tmp_path):
    book = openpyxl.Workbook()
    for line in bare.read_text().splitlines():
        book.active.append(line.split(","))
    book.save(tmp_path / "people.xlsx")
    found = read(tmp_path / "people.xlsx")
    assert found.columns[0] == "column 1" and "looks like a row" in found.notices[0]
    assert read(tmp_path / "people.xlsx", header=True).columns[0] == "Zora Miller"


def test_a_release_is_checked_with_the_names_it_was_written_with(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("F,M\n" + "F,M\nM,F\n" * 4)
    table = read(path, header=True)
    policy = discreet.Policy.from_flags(["F", "M"], k=4)
    discreet.anonymize(table, policy).write(tmp_path / "release.csv")
    assert (tmp_path / "release.csv").read_text().startswith("F,M\n")


@pytest.fixture
def first_names(tmp_path: Path) -> Path:
    """A sound file whose names of columns are like its values."""
    path = tmp_path / "places.csv"
    path.write_text("Grace,Paris,who\n" + "Mary,London,x1\nJohn,Rome,x2\n" * 3)
    assert read(path).columns[0] == "column 1"
    return path


def test_a_line_that_has_the_columns_of_the_policy_holds_names(first_names, tmp_path):
    roles = {"Grace": {"role": "quasi"}, "Paris": {"role": "quasi"}, "who": {"role": "identifier"}}
    policy = discreet.Policy(columns=roles, require=[{"k_anonymity": {"k": 3}}])
    for source in (first_names, read(first_names)):
        release = discreet.anonymize(source, policy)
        assert release.to_arrow().column_names == ["Grace", "Paris"]
        assert not any("looks like a row" in said for said in release.table.notices)
    release.write(tmp_path / "out.csv")
    assert discreet.verify(tmp_path / "out.csv", policy, original=first_names).holds
    assert discreet.compare(first_names, policy, ["optimal"]).releases


@pytest.mark.parametrize("command", ["anonymize", "risk", "compare", "levels", "verify"])
def test_columns_named_by_options_settle_what_the_line_holds(first_names, command):
    args = [command, str(first_names), "-q", "Grace", "-q", "Paris", "-k", "3"]
    result: Any = CliRunner().invoke(app, args[: -2 if command in ("risk", "levels") else None])
    assert result.exit_code == (command == "verify"), result.stderr  # a column without a policy
    assert "looks like a row" not in result.stdout + result.stderr


def test_a_policy_file_settles_what_the_line_holds(first_names, tmp_path):
    policy = tmp_path / "p.yml"
    policy.write_text("columns: {Grace: {role: quasi}}\nrequire: [{k_anonymity: {k: 3}}]\n")
    args = ["anonymize", str(first_names), "--policy", str(policy)]
    result: Any = CliRunner().invoke(app, args)
    assert result.exit_code == 0 and "looks like a row" not in result.stderr


def test_columns_that_are_not_all_in_the_line_settle_nothing(bare):
    with pytest.raises(discreet.errors.PolicyError) as caught:
        discreet.anonymize(bare, discreet.Policy.from_flags(["Salemtown", "age"], k=2))
    assert "goutish" not in str(caught.value)


def test_a_register_with_the_columns_of_the_policy_is_read(first_names):
    model = {"k_map": {"k": 3, "register": str(first_names)}}
    roles = {"Grace": {"role": "quasi"}, "Paris": {"role": "quasi"}, "who": {"role": "identifier"}}
    policy = discreet.Policy(columns=roles, require=[model])
    release = discreet.anonymize(first_names, policy)
    assert discreet.verify(release.to_arrow(), policy).holds


@pytest.mark.parametrize("more", [("--header",), ("--column", "Grace")])
def test_scrub_keeps_names_that_the_data_holder_vouches_for(first_names, tmp_path, more):
    out = tmp_path / "out.csv"
    result: Any = CliRunner().invoke(app, ["scrub", str(first_names), "-o", str(out), *more])
    assert result.exit_code == 0 and "looks like a row" not in result.stdout + result.stderr
    assert out.read_text().splitlines()[0] == "Grace,Paris,who"
