"""Conditions: what they find, what they refuse, and where."""

from __future__ import annotations

import sqlite3

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import UnknownColumnError
from discreet.pipeline.part import restrict_table
from discreet.table.read import read
from discreet.table.where import Where, WhereError
from tests.properties.strategies import examples

CELLS = {
    "age": pa.array(["41", "39", None, "x", "007", " 40 ", "4e1"]),
    "zip": pa.array(["02138", "2138", "0213", None, "02_", "a'b", "a\\b"]),
    "born on": pa.array(
        ["1964-09-20", "1964-09-20 11:00", "20.9.1964", None, "1964", "1963-12-31", "1965-01-01"]
    ),
}


def _found(text: str) -> list[int]:
    return [place for place, met in enumerate(Where(text)(CELLS)) if met]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("age >= 40", [0, 5, 6]),
        ("age = 40", [5, 6]),
        ("age < 40", [1, 4]),
        ("NOT age >= 40", [1, 4]),
        ("age != 39", [0, 4, 5, 6]),
        ("age <> 39.0", [0, 4, 5, 6]),
        ("age = -1", []),
        ("age IN (41, +7, 'x')", [0, 3, 4]),
        ("age NOT IN (41, 7)", [1, 5, 6]),
        ("age between 39 and 40", [1, 5, 6]),
        ("age NOT BETWEEN 39 AND 40", [0, 4]),
        ("age IS NULL", [2]),
        ("age is not null", [0, 1, 3, 4, 5, 6]),
        ("zip = '02138'", [0]),
        ("zip = 2138", [0, 1]),
        ("zip != '02138'", [1, 2, 4, 5, 6]),
        ("zip LIKE '02%'", [0, 2, 4]),
        ("zip LIKE '021_8'", [0]),
        ("zip NOT LIKE '%1%'", [4, 5, 6]),
        ("zip = 'a''b'", [5]),
        (r"zip LIKE 'a\b'", [6]),
        (r"zip LIKE 'a\%'", [6]),
        (r"zip LIKE '%\b'", [6]),
        ("\"born on\" = '1964-09-20'", [0]),
        ("\"born on\" > '1964-09-19'", [0, 1, 6]),
        ("\"born on\" BETWEEN '1964-01-01' AND '1964-09-20'", [0, 1]),
        ("age = 41 OR age = 39 AND zip = '02138'", [0]),
        ("(age = 41 OR age = 39) AND zip = '2138'", [1]),
        ("NOT age = 41 AND NOT NOT zip = '2138'", [1]),
        ("NOT (age = 41 OR zip = '2138')", [4, 5, 6]),
        ("age IS NULL OR age = 'x'", [2, 3]),
        ("age=41 or zip is null", [0, 3]),
    ],
)
def test_a_condition_finds_the_rows_that_meet_it(text: str, rows: list[int]) -> None:
    assert _found(text) == rows


def test_a_day_that_no_calendar_has_is_no_day() -> None:
    days = ["1964-02-29", "1965-02-29", "1964-13-01", "1964-00-10", "1964-04-31T10:00", None]
    for text in ("d >= '1900-01-01'", "d < '2000-01-01'", "NOT d < '1900-01-01'"):
        assert Where(text)({"d": pa.array(days)}).tolist() == [True] + [False] * 5


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", None, "the condition is empty"),
        ("age", 4, "at the end: expected a comparison"),
        ("age >", 6, "at the end: expected a number, or a text in single quotes"),
        ("age > zip", 7, "position 7: expected a number.*bare words name columns"),
        ("age > 'x'", 7, "only numbers and days have an order"),
        ("b > '1964-02-30'", 5, "only numbers and days have an order"),
        ("(age = 1", 9, "the bracket opened at 1 to be closed"),
        ("age = 1)", 8, "position 8: expected no closing bracket"),
        ("age = 1 AND", 12, "at the end: expected a column"),
        ("age = 1 zip = 2", 9, "position 9: expected AND, OR"),
        ("40 < age", 1, "The column comes first"),
        ("'age' = 1", 1, "column names have double quotes"),
        ('zip LIKE "02%"', 10, "a text has single quotes"),
        ("zip = 'a", 7, "the quote of a text is not closed"),
        ('"zip = 3', 1, "the quote of a column name is not closed"),
        ("age = NULL", 7, "Use IS NULL"),
        ("zip = ''", 7, "an empty text is a missing value"),
        ("zip IN ('a', '')", 14, "an empty text is a missing value"),
        ("age = 1; DROP TABLE t", 8, "a condition has no second statement"),
        ("age IN ()", 9, "expected a number"),
        ("age IN (1 2)", 11, "expected a comma or a closing bracket"),
        ("age = 1234567890123456", 7, "at most 15 digits"),
        ("age = 1e999", 7, "at most 15 digits"),
        ("age BETWEEN 3", 14, "expected AND and the upper end"),
        ("age IS 3", 8, "expected NULL or NOT NULL"),
        ("age LIKE 3", 10, "expected a text in single quotes"),
        ("between = 3", 1, "A column of that name needs double quotes"),
        ("zip = 02a", 7, "this is not a number"),
        ("lower(zip) = 'a'", 6, "expected a comparison.*There are no functions"),
        ("age = 1 -- all", 9, "a condition has no comments"),
        ("age = 1 /* all */", 9, "a condition has no comments"),
        ("age = ?", 7, "a condition has no parameters"),
        ("age = $1", 7, "a condition has no parameters"),
        ("age = :age", 7, "a condition has no parameters"),
        ("zip::int = 2138", 4, "a condition has no casts"),
        ("* = 1", 1, "a condition has no stars"),
        ("COLUMNS(*) = 1", 9, "a condition has no stars"),
        ("age = (SELECT 1)", 7, "expected a number"),
        ("age IN (SELECT 1)", 9, "expected a number.*There are no subqueries"),
        ("t.age = 1", 2, "this is not a number"),
        ("born > DATE '2020-01-01'", 8, "expected a number"),
        ("zip = E'a'", 7, "expected a number"),
        ("zip = $$a$$", 7, "a condition has no parameters"),
        ("zip = 'a'\n'b'", 11, "expected AND, OR"),
        ("zip LIKE 'a' ESCAPE '!'", 14, "expected AND, OR"),
        ("age = 1_000", 7, "this is not a number"),
        ("age = 0x1F", 7, "this is not a number"),
        ("age = 1 LIMIT 3", 9, "expected AND, OR"),
        ("age = 1 UNION SELECT 2", 9, "expected AND, OR"),
        ("age IN (12345678901234567, '')", 9, "at most 15 digits"),
        ("zip = '\udcff'", 8, "this is not a character"),
        ('"\udcff" = 1', 2, "this is not a character"),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(
    text: str, place: int | None, said: str
) -> None:
    with pytest.raises(WhereError, match=said) as caught:
        Where(text)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "text", ["(" * 20_000 + "age = 41" + ")" * 20_000, "NOT " * 2_000 + "age = 41"]
)
def test_no_nesting_is_too_deep(text: str) -> None:
    assert _found(text) == [0]


def test_a_condition_that_is_too_long_is_refused() -> None:
    with pytest.raises(WhereError, match="at most 100,000 characters"):
        Where("age = 1 OR " * 10_000 + "age = 2")
    with pytest.raises(WhereError, match="at most 1,000 tests"):
        Where("age = 1 OR " * 1_000 + "age = 2")
    with pytest.raises(WhereError, match="a pattern has at most 1,000 characters"):
        Where("zip LIKE '" + "_%" * 40_000 + "'")


@pytest.mark.parametrize("name", ["group", "order", "end", "left", "true", "default", "select"])
def test_words_that_sql_reserves_name_columns(name: str) -> None:
    assert Where(f"{name} = 1 AND {name} IS NOT NULL").columns == (name,)


@pytest.mark.parametrize("text", ["age!=-1", "age\u2003!=\u00a0+1", "age\x1c<>\u3000-1"])
def test_signs_and_spaces_are_read_alike_everywhere(text: str) -> None:
    assert Where(text)({"age": pa.array(["-1", "1", "2"])}).tolist()[2]
    assert Where(text).columns == ("age",)


@examples(100)
@given(st.text(alphabet="ageANDORNOTIS( )=<>'\"%_,.0123-+eLKINULbw\n", max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        where = Where(text)
    except WhereError:
        return
    assert len(where(dict.fromkeys(where.columns, CELLS["age"]))) == len(CELLS["age"])


atoms = st.sampled_from(
    (
        "a = 1",
        "a <> 2",
        "b = 'x'",
        "b IS NULL",
        "a IN (1, 3)",
        "b NOT LIKE 'x%'",
        "a BETWEEN 1 AND 2",
    )
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        inner.map("NOT {}".format),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from(("AND", "OR")), inner).map(" ".join),
    ),
    max_leaves=6,
)


@examples(60)
@given(conditions)
def test_missing_cells_and_joins_mean_what_they_mean_in_sql(text: str) -> None:
    pairs = [(a, b) for a in (None, 1, 2, 3) for b in (None, "x", "xy", "z")]
    base = sqlite3.connect(":memory:")
    base.execute("PRAGMA case_sensitive_like = on")
    base.execute("CREATE TABLE t (a, b)")
    base.executemany("INSERT INTO t VALUES (?, ?)", pairs)
    wanted = [row[0] - 1 for row in base.execute(f"SELECT rowid FROM t WHERE {text}")]
    cells = {
        "a": pa.array([None if a is None else str(a) for a, _ in pairs]),
        "b": pa.array([b for _, b in pairs], pa.string()),
    }
    found = [place for place, met in enumerate(Where(text)(cells)) if met]
    assert found == sorted(wanted)


def test_a_part_has_the_rows_only_and_their_own_types() -> None:
    table = read(pa.table({"zip": ["02138", "", "10001"], "age": [31, 45, 67]}))
    part = restrict_table(table, Where("zip IS NOT NULL AND age > 40"))
    assert part.scan(text=["zip"], native=["age"]).read_all().to_pydict() == {
        "zip": ["10001"],
        "age": [67],
    }
    assert restrict_table(table, Where("age > 99")).scan(text=["zip"]).read_all().num_rows == 0
    assert table.scan(text=["zip"]).read_all().num_rows == 3


def test_a_part_can_be_taken_of_a_part() -> None:
    table = read(pa.table({"a": list(range(400_000))}))
    part = restrict_table(restrict_table(table, Where("a >= 100000")), Where("a < 300000"))
    assert part.scan(text=["a"]).read_all().num_rows == 200_000


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownColumnError, match="agee"):
        restrict_table(read(pa.table({"age": ["1"]})), Where("agee = 1"))
