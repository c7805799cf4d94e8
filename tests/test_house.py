"""The layout of the source gets no worse: cycles and imports against the direction may not grow.

The ceilings are in `bench.house`. ``make house`` prints all counts, ``make house ARGS=--all`` every
place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.house import CEILINGS, count_house, find_cycles, is_allowed, read_house


@pytest.fixture(scope="module")
def counts() -> dict[str, int]:
    return count_house(read_house())


@pytest.mark.parametrize("what", CEILINGS)
def test_there_are_no_more_than_there_were(what: str, counts: dict[str, int]) -> None:
    assert counts[what] <= CEILINGS[what], (
        f"{what}: {counts[what]}, and there were {CEILINGS[what]}. python -m bench.house --all "
        "shows where; move what both need to a part below them, or pass it as an argument."
    )


@pytest.mark.parametrize("what", CEILINGS)
def test_a_ceiling_is_lowered_when_the_count_has_gone_down(
    what: str, counts: dict[str, int]
) -> None:
    assert counts[what] >= CEILINGS[what], (
        f"in bench/house.py, lower CEILINGS[{what!r}] to {counts[what]}"
    )


def _write(folder: Path, modules: dict[str, str]) -> Path:
    for name, text in {"__init__": "", **modules}.items():
        path = folder / "house" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_cycle_that_an_import_inside_a_function_closes_is_counted_apart(tmp_path: Path) -> None:
    modules = {
        "a": "from house.b import f\n",
        "b": "def f():\n    from house import a\n",
        "c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import d\n",
        "d": "from . import c\n",
    }
    house = read_house(_write(tmp_path, modules), "house")
    assert house.cycles(inside_functions=False) == []
    assert house.cycles(inside_functions=True) == [["house.a", "house.b"]]
    assert [(one.source, one.line) for one in house.in_functions()] == [("house.b", 2)]
    assert house.imported_once() == ["house.a", "house.b", "house.c", "house.d"]


def test_imports_inside_functions_are_for_the_command_line_and_for_extras(tmp_path: Path) -> None:
    inner = "import os\n\n\ndef f():\n    {}\n"
    modules = {
        "cli/__init__": inner.format("import numpy"),
        "models/__init__": inner.format("import scipy.stats"),
        "models/k": inner.format("from . import cli"),
        "reporting/__init__": inner.format("from resvg_py import svg_to_bytes"),
    }
    house = read_house(_write(tmp_path, modules), "house")
    assert [(one.source, one.line) for one in house.avoidable()] == [
        ("house.models", 5),
        ("house.models.k", 5),
    ]


def test_an_import_of_a_part_above_is_against_the_direction(tmp_path: Path) -> None:
    modules = {
        "models/__init__": "",
        "models/k": "from house.cli import run\nfrom house.table import read\n",
        "cli/__init__": "from house.models import k\n",
        "table/__init__": "",
        "scrubbing/__init__": "from house.models import k\nfrom house import table\n",
    }
    house = read_house(_write(tmp_path, modules), "house")
    against = [(one.source, one.target) for one in house.imports if not is_allowed(one)]
    assert sorted(against) == [
        ("house.models.k", "house.cli"),
        ("house.scrubbing", "house.models.k"),
    ]


def test_a_part_that_the_house_style_does_not_know_is_against_the_direction(tmp_path: Path) -> None:
    modules = {"attic/__init__": "from house import table\n", "table/__init__": ""}
    house = read_house(_write(tmp_path, modules), "house")
    assert [one.source for one in house.against_direction()] == ["house.attic"]


def test_cycles_are_sets_of_nodes_that_reach_each_other() -> None:
    edges = {("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "f"), ("f", "e"), ("d", "e")}
    assert find_cycles(dict.fromkeys("abcdef"), edges) == [["a", "b", "c"], ["e", "f"]]
