"""The folder that the demo fills: what it may write there, and what it leaves alone."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from discreet.certificate.keys import find_public_path
from discreet.display import dataclass
from discreet.errors import ArgumentError, WriteError, argument
from discreet.table.atomic import open_hidden_file

POLICY = """\
# What leaves the house, and under which promises.
# Columns that are not named here (visit, charge) are not released.
columns:
  record:    {role: identifier}        # never released
  birth:     {role: quasi, hierarchy: {dates: [month, year, 5 years, 10 years, 20 years]}}
  sex:       {role: quasi}             # the value, or *
  zip:       {role: quasi, hierarchy: {prefix: [4, 3]}}
  race:      {role: quasi}
  diagnosis: {role: sensitive}
  drug:      {role: sensitive}
require:
  - k_anonymity: {k: 5}
  - l_diversity: {column: diagnosis, ell: 3}
  - l_diversity: {column: drug, ell: 3}
suppress: 0.025                        # at most this share of the rows is left out
seed: 1997                             # the same file each time; leave out for real data
"""

BEGINNINGS = {
    ".html": (b'<!DOCTYPE html>\n<html lang="en" data-made-by="discreet">',),
    ".key": (b"-----BEGIN PRIVATE KEY-----",),
    ".pub": (b"-----BEGIN PUBLIC KEY-----",),
    ".json": (b'{\n  "payloadType": "application/vnd.in-toto+json"',),
}
"""How files of the demo begin that differ each time."""


@dataclass(frozen=True)
class Folder:
    """The files of the demo, in a folder of their own."""

    path: Path

    @property
    def voters(self) -> Path:
        """The public register, with names."""
        return self.path / "voters.csv"

    @property
    def hospital(self) -> Path:
        """The private table, without names."""
        return self.path / "hospital.csv"

    @property
    def policy(self) -> Path:
        """The files that may be released."""
        return self.path / "policy.yaml"

    @property
    def release(self) -> Path:
        """The hospital file as released."""
        return self.path / "release.csv"

    @property
    def report(self) -> Path:
        """The report on the release, for inside the house."""
        return self.path / "report.html"

    @property
    def report_outside(self) -> Path:
        """The report for recipients."""
        return self.path / "report-outside.html"

    @property
    def certificate(self) -> Path:
        """The signed statement about the release."""
        return self.path / "certificate.json"

    @property
    def key(self) -> Path:
        """The key that signs; a key that is there is used again."""
        return self.path / "signing.key"

    @property
    def files(self) -> tuple[Path, ...]:
        """All of them, in the order of the story."""
        return (
            *(self.voters, self.hospital, self.policy, self.release),
            *(self.report, self.report_outside, self.key, find_public_path(self.key)),
            self.certificate,
        )

    def prepare(self, columns: Mapping[Path, Collection[str]]) -> None:
        """Make the folder; refuse to write over a file that the demo did not write.

        A table of the demo is known by its columns, its policy by every word: whoever has edited
        the policy wants to keep it. Reports, keys and certificates are known by how they begin.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            foreign = [file for file in self.files if not _is_ours(file, columns.get(file))]
        except OSError as error:
            raise _make_write_error(self.path, error) from None
        if foreign:
            what = f"{foreign[0].name} there was not written by the demo, or was changed since"
            fix = f"Name another {argument('folder')}, or remove {foreign[0]}."
            raise ArgumentError("folder", what, fix, str(self.path))

    def name_left(self) -> str:
        """List the files of the demo that exist, if it could not be completed."""
        there = [file.name for file in self.files if os.path.isfile(file)]  # noqa: PTH113 - no error
        if not there:
            return WriteError.NOTHING
        *others, last = there
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"The demo is not complete; its folder has {listed}."

    def put(self, file: Path, content: bytes) -> None:
        """Write one file whole, or not at all."""
        try:
            with open_hidden_file(file, file.suffix) as hidden:
                hidden.write_bytes(content)
        except OSError as error:
            raise _make_write_error(file, error) from None


def _is_ours(file: Path, columns: Collection[str] | None) -> bool:
    if not file.exists() and not file.is_symlink():
        return True
    if not file.is_file() or file.is_symlink():
        return False
    if file.suffix in BEGINNINGS:
        return any(file.read_bytes().startswith(one) for one in BEGINNINGS[file.suffix])
    if columns is None:
        return file.read_bytes() == POLICY.encode()
    with file.open("rb") as opened:
        head = opened.readline(1000).decode("utf-8", "replace")
    return set(head.strip().split(",")) == set(columns)


def _make_write_error(path: Path, error: OSError) -> WriteError:
    what = error.strerror or type(error).__name__
    if isinstance(error, FileExistsError | NotADirectoryError):
        what = "there is a file of that name, where a folder is needed"
    return WriteError(path, what, "Name another folder.")
