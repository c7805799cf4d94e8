"""The frequency list of a small file, in one pass."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import SourceError, TooLargeError, UnknownColumnError
from discreet.frequency import count as count_module
from discreet.frequency import memory
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.table import table as table_module
from discreet.table.read import read

PEOPLE = """zip,sex,disease,weight
02138,m,flu,1
02138,m,gout,2.5
02139,f,flu,1
02138,m,flu,0
,f,flu,1
,f,,3
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def tuples(frequency: FrequencyList) -> dict[tuple[str | None, ...], int]:
    values = [frequency.values[name] for name in frequency.columns]
    rows = zip(*frequency.codes, strict=True)
    return {
        tuple(v[c] for v, c in zip(values, row, strict=True)): int(n)
        for row, n in zip(rows, frequency.rows, strict=True)
    }


def test_each_combination_comes_once_with_its_rows(people: Path) -> None:
    frequency = count(read(people), ["zip", "sex"]).frequency
    assert tuples(frequency) == {("02138", "m"): 3, ("02139", "f"): 1, (None, "f"): 2}
    assert (len(frequency), frequency.total) == (3, 6)


def test_the_order_of_columns_is_that_asked_for(people: Path) -> None:
    assert count(read(people), ["sex", "zip"]).frequency.columns == ("sex", "zip")


def test_an_empty_field_is_a_missing_value(people: Path) -> None:
    frequency = count(read(people), ["zip"]).frequency
    assert frequency.values["zip"] == ("02138", "02139", None)
    assert frequency.rows.tolist() == [3, 1, 2]


def test_sensitive_values_are_counted_by_tuple(people: Path) -> None:
    frequency = count(read(people), ["sex"], ["disease"]).frequency
    entries, values = frequency.sensitive["disease"], frequency.values
    found = {
        (values["sex"][frequency.codes[0][owner]], values["disease"][value]): n
        for owner, value, n in zip(
            entries.owner, entries.value, entries.count.tolist(), strict=True
        )
    }
    assert found == {("m", "flu"): 2, ("m", "gout"): 1, ("f", "flu"): 2, ("f", None): 1}


def test_several_sensitive_columns_are_counted_apart(people: Path) -> None:
    frequency = count(read(people), ["sex"], ["disease", "weight"]).frequency
    assert set(frequency.sensitive) == {"disease", "weight"}
    assert all(e.count.sum() == 6 for e in frequency.sensitive.values())
    assert tuples(frequency) == {("m",): 3, ("f",): 3}


def test_row_weights_are_added_up_by_tuple(people: Path) -> None:
    frequency = count(read(people), ["sex"], ["disease"], weight="weight").frequency
    assert frequency.tallies["weight"].tolist() == [3.5, 5]
    assert frequency.rows.tolist() == [3, 3]


@pytest.mark.parametrize("cell", ["heavy", "-1", "nan", "inf", ""])
def test_a_weight_that_is_no_number_of_0_or_more_is_refused(people: Path, cell: str) -> None:
    people.write_text(PEOPLE + f"02138,m,flu,{cell}\n")
    with pytest.raises(SourceError, match="column 'weight' is to weigh rows") as caught:
        count(read(people), ["sex"], weight="weight")
    assert "heavy" not in str(caught.value)


def test_an_unknown_column_is_refused(people: Path) -> None:
    with pytest.raises(UnknownColumnError, match="no column 'zipp'"):
        count(read(people), ["zipp"])


def test_progress_is_told_in_rows(people: Path) -> None:
    seen: list[int] = []
    count(read(people), ["zip"], progress=seen.append)
    assert seen[-1] == 6


def test_a_table_of_many_tuples_outgrows_its_first_room(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    numbers = np.random.default_rng(0).integers(20_000, size=50_000)
    path.write_text("a,b\n" + "".join(f"{n},{n % 7}\n" for n in numbers))
    frequency = count(read(path), ["a", "b"]).frequency
    expected = np.bincount(numbers)
    assert tuples(frequency) == {
        (str(n), str(n % 7)): int(expected[n]) for n in np.unique(numbers).tolist()
    }


def test_a_table_without_rows_counts_to_nothing() -> None:
    table = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.string())})
    frequency = count(read(table), ["a"], ["b"]).frequency
    assert (len(frequency), frequency.total) == (0, 0)


def test_weights_that_are_all_zero_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("zip,weight\n02138,0\n02139,0.0\n")
    with pytest.raises(SourceError, match=r"'weight' .* none is above 0"):
        count(read(path), ["zip"], weight="weight")


@pytest.mark.parametrize("columns", [2, 7])
def test_long_lists_are_counted_by_sorting_alike(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """New values come late, so that keys outgrow their bits, and with seven columns their word."""
    random = np.random.default_rng(3)
    rows = 6000
    most = np.linspace(3, 3000, rows)
    names = [f"c{number}" for number in range(columns)]
    table = read(
        pa.table({name: (random.random(rows) * most).astype(int).astype(str) for name in names})
    )
    wanted = count(table, names[:-1], names[-1:]).frequency
    monkeypatch.setattr(count_module, "SORTED", 500)
    monkeypatch.setattr(count_module, "BLOCK", 700)
    monkeypatch.setattr(table_module, "FEWEST", 64)
    monkeypatch.setattr(table_module, "CELLS", 64)
    found = count(table, names[:-1], names[-1:]).frequency
    assert tuples(found) == tuples(wanted)
    assert entries(found) == entries(wanted)


def entries(frequency: FrequencyList) -> set[tuple[object, ...]]:
    name, found = next(iter(frequency.sensitive.items()))
    columns = [frequency.values[c] for c in frequency.columns]
    codes = np.stack(frequency.codes)
    return {
        (
            tuple(v[c] for v, c in zip(columns, codes[:, o], strict=True)),
            frequency.values[name][v],
            n,
        )
        for o, v, n in zip(found.owner, found.value, found.count, strict=True)
    }


def test_a_list_that_will_not_fit_is_refused_before_memory_runs_out(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "LARGE", 0)
    monkeypatch.setattr(memory, "find_free_memory", lambda: 100)
    monkeypatch.setattr(count_module, "SORTED", 1)
    monkeypatch.setattr(table_module, "FEWEST", 2)
    monkeypatch.setattr(table_module, "CELLS", 2)
    with pytest.raises(
        TooLargeError, match=r"people.csv: .* GB are free. Name fewer quasi columns"
    ):
        count(read(people), ["zip", "sex"])
    monkeypatch.setattr(memory, "find_free_memory", lambda: None)
    assert count(read(people), ["zip", "sex"]).total == 6
