"""The table of people by three-digit ZIP prefix."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import SourceError
from discreet.kinds.zip_area import ZipTable

HEAD = "# source: made\n# date: 2030-04-01\n"
SMALL_2020 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"
"""As HRSA lists them for its reporting of 2024."""


def test_the_table_of_the_package_has_the_eighteen_small_areas_of_2020() -> None:
    table = ZipTable.load()
    assert [one for one in table.populations if not table.keeps(one)] == SMALL_2020.split()
    assert sum(table.populations.values()) == 334_726_586  # the states, DC and Puerto Rico
    assert "2020" in table.describe_source()
    assert "newer" in table.describe_source()


def test_another_table_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "areas.csv"
    path.write_text(f"{HEAD}zip3,population\n036,20001\n021,20000\n")
    table = ZipTable.load(path)
    assert (table.keeps("036"), table.keeps("021"), table.keeps("606")) == (True, False, False)
    assert (table.date, table.source) == ("2030-04-01", "made")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("zip3,population\n021,5\n", "source"),
        ("# source: x\nzip3,population\n021,5\n", "date"),
        (f"{HEAD}zip,people\n021,5\n", "zip3,population"),
        (f"{HEAD}zip3,population\n21,5\n", "three digits"),
        (f"{HEAD}zip3,population\n021,many\n", "three digits"),
        (f"{HEAD}zip3,population\n021,5\n021,6\n", "before"),
        (f"{HEAD}zip3,population\n", "no prefix"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "areas.csv"
    path.write_text(text)
    with pytest.raises(SourceError, match=what):
        ZipTable.load(path)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"areas\.csv"):
        ZipTable.load(tmp_path / "areas.csv")
