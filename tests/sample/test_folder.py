"""The demo writes its own files and leaves others alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import ArgumentError, WriteError
from discreet.sample.folder import POLICY, Folder
from discreet.sample.story import tell

COLUMNS = ("a", "b")


def prepare(path: Path) -> Folder:
    folder = Folder(path)
    folder.prepare(dict.fromkeys((folder.voters, folder.hospital, folder.release), COLUMNS))
    return folder


def test_the_folder_is_made(tmp_path: Path) -> None:
    folder = prepare(tmp_path / "new" / "demo")
    folder.put(folder.voters, b"a,b\n1,2\n")
    assert [file.name for file in folder.path.iterdir()] == ["voters.csv"]


def test_its_own_files_are_written_over(tmp_path: Path) -> None:
    (tmp_path / "voters.csv").write_text("a,b\n1,2\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    prepare(tmp_path)


@pytest.mark.parametrize(
    "name", ["voters.csv", "policy.yaml", "report.html", "signing.key", "certificate.json"]
)
def test_a_foreign_file_is_not_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine,\xff\n")
    with pytest.raises(ArgumentError, match=f"{name} there was not written by the demo"):
        prepare(tmp_path)
    assert (tmp_path / name).read_bytes() == b"mine,\xff\n"


def test_an_edited_policy_is_kept(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY.replace("k: 5", "k: 7"))
    with pytest.raises(ArgumentError, match="was changed since"):
        prepare(tmp_path)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("a,b\n")
    (tmp_path / "voters.csv").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArgumentError):
        prepare(tmp_path)


def test_a_file_where_the_folder_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")
    with pytest.raises(WriteError, match="where a folder is needed"):
        prepare(tmp_path / "demo")


def test_other_files_in_the_folder_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    prepare(tmp_path)


def test_a_demo_that_fails_half_way_says_what_it_has_written(tmp_path: Path, monkeypatch) -> None:
    folder = Folder(tmp_path)
    whole = Folder.put

    def put_until_full(self: Folder, file: Path, content: bytes) -> None:
        if file == self.policy:
            raise WriteError(file, "No space left on device", "Name another folder.")
        whole(self, file, content)

    monkeypatch.setattr(Folder, "put", put_until_full)
    with pytest.raises(WriteError) as caught:
        tell(folder, 0, lambda _: None)
    assert "Nothing was written" not in str(caught.value)
    assert "voters.csv and hospital.csv" in str(caught.value)


def test_a_demo_that_fails_at_once_says_that_nothing_was_written(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")
    with pytest.raises(WriteError, match="Nothing was written"):
        tell(Folder(tmp_path / "demo"), 0, lambda _: None)
