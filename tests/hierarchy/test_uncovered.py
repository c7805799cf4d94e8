"""Values of the data that a hierarchy file has no line for."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import File, make_builder, write_spec


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "school.csv"
    path.write_text("9th;school;*\n10th;school;*\nBachelors;college;*\n")
    return path


def test_they_are_refused_by_count(file: Path) -> None:
    with pytest.raises(HierarchyError, match=r"2 of its 3 .* uncovered: root"):
        File(file).build("school", ["9th", "Masters", "PhD"])


def test_on_request_they_go_straight_to_the_root(file: Path) -> None:
    built = File(file, uncovered="root").build("school", ["9th", "Masters", "PhD", None])
    shown = [[built.labels[level][code] for code in built.maps[level]] for level in range(3)]
    assert shown == [
        ["9th", "Masters", "PhD", None],
        ["school", "*", "*", None],
        ["*", "*", "*", "*"],
    ]
    assert built.leaf_count == 6


def test_a_policy_can_ask_for_it(file: Path) -> None:
    said = {"file": {"path": "school.csv", "uncovered": "root"}}
    builder = make_builder(said, file.parent)
    assert builder == File(file, "root")
    assert write_spec(builder, file.parent) == said


@pytest.mark.parametrize("said", [{"path": "x.csv", "uncoverd": "root"}, {"uncovered": "root"}])
def test_a_slip_is_refused(said: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match="key 'file"):
        make_builder({"file": said}, tmp_path)
    with pytest.raises(HierarchyError, match="refuse, or root"):
        File(tmp_path / "x.csv", uncovered="star")  # type: ignore[arg-type]
