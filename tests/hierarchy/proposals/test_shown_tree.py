from __future__ import annotations

import stat

from discreet.hierarchy import File, Prefix, Tree
from discreet.hierarchy.proposals import show_tree, write_hierarchy_file

JOBS = Tree({"care, kitchen": {"care": ["nurse", "midwife"], "kitchen": ["cook"]}, "clerk": None})


def test_a_tree_is_shown_with_shares_of_rows():
    lines = show_tree("job", JOBS, ["cook", "nurse", "midwife", "clerk"], [50, 30, 10, 10], 5)
    assert [" ".join(line.split()) for line in lines] == [
        "100.0 % *",
        "90.0 % care, kitchen",
        "50.0 % cook",
        "40.0 % care",
        "30.0 % nurse",
        "10.0 % midwife",
        "10.0 % clerk",
    ]


def test_rare_values_and_rare_groups_are_counted_only():
    values = ["02138", "02139", "02141", "02215", "90210", "90211"]
    lines = show_tree("zip", Prefix([4, 3]), values, [50, 30, 3, 2, 1, 1], 5)
    text = "\n".join(lines)
    assert "02138" in text
    assert "3 rare values" in text
    assert not [word for word in ("02141", "0214*", "022", "9021", "902**") if word in text]


def test_many_values_of_one_group_are_cut_short():
    values = [f"v{n:02}" for n in range(30)]
    lines = show_tree("v", Tree({"one": values, "two": ["w"]}), [*values, "w"], [9] * 31, 5)
    assert len(lines) < 20
    assert any("18 more" in line for line in lines)


def test_a_written_tree_is_a_hierarchy_file_that_only_its_owner_reads(tmp_path):
    path = tmp_path / "job.csv"
    write_hierarchy_file(path, JOBS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().splitlines()[0] == 'nurse;care;"care, kitchen";*'
    values = ["cook", "clerk", None, "new"]
    built = File(path, "root").build("job", values)
    assert built.labels[1] == ("kitchen", "clerk", None, "*")
