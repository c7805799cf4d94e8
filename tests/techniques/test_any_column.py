"""What every technique for any column and for rows promises."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, ParameterError, SourceError, UnknownColumnError
from discreet.table.read import read
from discreet.techniques.arrow_rows import read_rows
from discreet.techniques.change_rows import AddTuples, SampleRows, Scramble
from discreet.techniques.substitute import Pram, Substitute
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import RankSwap, Shuffle, Swap
from tests.techniques.made_table import column, people, rows

JOBS = {"nurse": "care", "clerk": "desk", "cook": "care", "judge": "desk"}
TECHNIQUES: list[Any] = [
    SuppressValues(("job",), share=0.3),
    Swap(("zip", "age"), within=("region",)),
    Swap(("zip", "job"), unit=False),
    RankSwap(("age", "pay")),
    Pram(("job", "zip"), share=0.2),
    Substitute(("job",), categories=JOBS),
    SampleRows(0.3),
    SampleRows(0.3, within=("zip",)),
    AddTuples(0.2),
    AddTuples(0.2, classes=("zip",)),
    Scramble(),
    Shuffle(("job",)),
    Shuffle(("pay",), given=("age",)),
]
NAMED = [technique for technique in TECHNIQUES if technique.columns]
TABLE = people()


def _id(technique: Any) -> str:
    return str(technique.name)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=_id)
def test_the_same_seed_gives_the_same_table_and_another_seed_another(technique: Any) -> None:
    assert rows(technique(TABLE, 3)) == rows(technique(TABLE, 3))
    assert rows(technique(TABLE, 3)) != rows(technique(TABLE, 4))


@pytest.mark.parametrize("technique", TECHNIQUES, ids=_id)
def test_columns_and_types_stay_and_the_input_is_left_alone(technique: Any) -> None:
    before = rows(TABLE)
    after = technique(TABLE, 3)
    kinds = [TABLE.scan(native=TABLE.columns).schema, after.scan(native=after.columns).schema]
    assert kinds[0] == kinds[1]
    assert rows(TABLE) == before


@pytest.mark.parametrize("technique", NAMED, ids=_id)
def test_other_columns_stay_as_they_are(technique: Any) -> None:
    after = technique(TABLE, 3)
    for name in set(TABLE.columns) - set(technique.columns):
        assert column(after, name) == column(TABLE, name)


@pytest.mark.parametrize(
    "technique", [part for part in NAMED if part.name != "suppress_values"], ids=_id
)
def test_missing_cells_stay_missing_and_no_others_become_so(technique: Any) -> None:
    after = technique(TABLE, 3)
    for name in technique.columns:
        missing = [value is None for value in column(TABLE, name)]
        assert [value is None for value in column(after, name)] == missing
        said = f"column '{name}'" in " ".join(after.notices)
        assert said == any(missing)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=_id)
def test_a_table_without_rows_is_refused(technique: Any) -> None:
    kinds = TABLE.scan(native=TABLE.columns).schema
    with pytest.raises(EmptyTableError):
        technique(read(kinds.empty_table()), 3)


@pytest.mark.parametrize("technique", NAMED, ids=_id)
def test_a_column_of_missing_cells_and_a_table_of_one_row_stay(technique: Any) -> None:
    one = read(read_rows(TABLE).slice(0, 1))
    if technique.name != "substitute":
        assert rows(technique(one, 3)) == rows(one)
    kinds = read_rows(TABLE).schema
    blank = read(pa.table([pa.nulls(30, field.type) for field in kinds], schema=kinds))
    assert rows(technique(blank, 3)) == rows(blank)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=_id)
def test_a_file_of_text_is_changed_as_text(technique: Any, tmp_path: Any) -> None:
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in rows(TABLE)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join([",".join(TABLE.columns), *lines[:300]]) + "\n", encoding="utf-8")
    found = technique(read(path), 3)
    texts = found.scan(text=found.columns).read_all()
    assert {field.type for field in texts.schema} == {pa.string()}
    assert set(texts.column("region").to_pylist()) == {"east", "west"}
    assert all(zip_.startswith("021") for zip_ in texts.column("zip").to_pylist())


@pytest.mark.parametrize(
    "make",
    [
        SuppressValues,
        Swap,
        RankSwap,
        lambda columns: Pram(columns, share=0.1),
        lambda columns: Substitute(columns, replacements={"a": "b"}),
        lambda columns: SampleRows(0.5, within=columns),
        lambda columns: AddTuples(0.5, classes=columns),
        Shuffle,
        lambda columns: Swap(("zip",), within=columns),
        lambda columns: Shuffle(("age",), given=columns),
    ],
)
def test_wrong_names_are_refused(make: Any) -> None:
    with pytest.raises(UnknownColumnError, match=r"'agee'.*'age'"):
        make(("agee",))(TABLE, 1)
    with pytest.raises(ParameterError):
        make("age")
    with pytest.raises(ParameterError):
        make(("age", "age"))


@pytest.mark.parametrize("technique", NAMED, ids=_id)
@pytest.mark.parametrize("kind", [pa.list_(pa.int64()), pa.struct({"a": pa.int64()})])
def test_lists_and_structures_are_refused_by_name(technique: Any, kind: pa.DataType) -> None:
    found = read_rows(TABLE).slice(0, 3)
    place = found.column_names.index(technique.columns[0])
    nested = found.set_column(place, technique.columns[0], pa.nulls(3, kind))
    with pytest.raises(SourceError, match=f"column '{technique.columns[0]}' holds"):
        technique(read(nested), 1)


def test_columns_that_no_one_asked_for_may_be_lists_and_texts_may_be_views() -> None:
    given = pa.table({"x": pa.array(["a", "b"]).cast(pa.string_view()), "y": [[1], [2]]})
    for technique in (Swap(("x",)), Scramble(), AddTuples(1.0), Pram(("x",), share=0.5)):
        assert set(column(technique(read(given), 1), "x")) <= {"a", "b"}


@pytest.mark.parametrize("technique", TECHNIQUES, ids=_id)
@pytest.mark.parametrize("seed", [-1, 1.5, None, True])
def test_a_seed_must_be_a_whole_number(technique: Any, seed: Any) -> None:
    with pytest.raises(ParameterError, match="seed"):
        technique(TABLE, seed)


@pytest.mark.parametrize("share", [0, -0.1, 1.1, "1", True, float("nan")])
@pytest.mark.parametrize(
    "make",
    [
        lambda share: SuppressValues(("age",), share=share),
        lambda share: Swap(("age",), share=share),
        lambda share: Pram(("age",), share=share),
        SampleRows,
    ],
)
def test_a_share_must_lie_between_0_and_1(make: Any, share: Any) -> None:
    with pytest.raises(ParameterError, match="share"):
        make(share)
