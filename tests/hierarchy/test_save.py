from __future__ import annotations

import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import HierarchyError
from discreet.hierarchy import File, Flat, Intervals, Prefix, complete, save


def same(one, other):
    return (
        one.labels == other.labels
        and one.leaf_count == other.leaf_count
        and all(map(np.array_equal, one.maps, other.maps))
        and all(map(np.array_equal, one.leaves, other.leaves))
    )


texts = st.one_of(
    st.none(), st.text(min_size=1), st.text(alphabet=';,\t"\r\n *ab\ufeff', min_size=1)
)


@given(values=st.lists(texts, min_size=1, unique=True), keep=st.integers(1, 4))
def test_a_saved_hierarchy_is_read_back_the_same(tmp_path_factory, values, keep):
    path = tmp_path_factory.mktemp("saved") / "values.csv"
    for builder in (Flat(), Prefix(range(keep, 0, -1))):
        built = builder.build("x", values)
        save(built, path)
        assert same(built, File(path).build("x", values))


@given(values=st.lists(st.integers(-200, 200), min_size=1, unique=True), missing=st.booleans())
def test_saved_intervals_are_read_back_the_same(tmp_path_factory, values, missing):
    path = tmp_path_factory.mktemp("saved") / "values.csv"
    written = [*map(str, values), *([None] if missing else [])]
    built = Intervals([5, 10, 20], bottom=-50, top=90).build("x", written)
    save(built, path)
    assert same(built, File(path).build("x", written))


def test_a_saved_file_is_for_its_owner_only(tmp_path):
    path = tmp_path / "zip.csv"
    path.write_text("old")
    path.chmod(0o644)
    save(Flat().build("x", ["a"]), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "a;*\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(HierarchyError, match="cannot be written"):
        save(Flat().build("x", ["a"]), tmp_path / "no" / "zip.csv")


@pytest.mark.parametrize("lines", ["a;x;*\nb;y;*\n", "a;x\nb;y\n", "a\nb\n"])
def test_a_completed_file_covers_the_data(tmp_path, lines):
    (tmp_path / "old.csv").write_text(lines)
    added = complete(File(tmp_path / "old.csv"), ["a", "c", None], tmp_path / "new.csv")
    built = File(tmp_path / "new.csv").build("x", ["a", "c", None])
    assert added == 1
    assert built.labels[-1] == ("*",)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o600
