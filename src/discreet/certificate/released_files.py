"""The released files that a certificate is about: their digests, and a count of their promises."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.certificate.statement import Statement, list_names
from discreet.display import dataclass
from discreet.errors import ArgumentError, CertificateError
from discreet.input_file import hash_regular, refuse_address
from discreet.pipeline.people.together import VerifiedTogether, list_tables, verify_together
from discreet.pipeline.verify import Verification, verify
from discreet.policy.policy import Policy
from discreet.table.read import read
from discreet.table.table import Table


@dataclass(frozen=True)
class ReleasedFiles:
    """One released file, or the folder of tables that were released together.

    The file is opened by ``open_table`` only after its bytes are known to be the right ones.
    """

    path: Path
    files: tuple[Path, ...]
    open_table: Callable[[], Table]

    @classmethod
    def find(
        cls,
        release: Any,
        reading: Mapping[str, Any] | None = None,
        open_table: Callable[[], Table] | None = None,
    ) -> ReleasedFiles:
        """The files of a release that is named by its path; a certificate is about bytes.

        ``reading`` has settings for :func:`discreet.read`.
        """
        if not isinstance(release, str | os.PathLike):
            what = f"a certificate is about a file, and this is a {type(release).__name__}"
            raise ArgumentError("release", what, "Give the path of the released file.")
        refuse_address(release, "release")
        path = Path(release)
        opened = open_table or (lambda: read(path, **(reading or {})))
        if path.is_dir():
            return cls(path, tuple(list_tables(path).values()), opened)
        return cls(path, (path,), opened)

    def hash(self) -> dict[str, str]:
        """The SHA-256 of each file by its name."""
        return hash_files(self.files)

    def are_certified(self, statement: Statement, digests: Mapping[str, str]) -> bool:
        """Whether these digests of the files are those that a certificate is about.

        A single file may have another name now; tables of a folder are told apart by theirs.
        """
        wanted = {name: statement.digests[name] for name in statement.predicate.release}
        if self.path.is_dir():
            return dict(digests) == wanted
        return list(digests.values()) == list(wanted.values())

    def count(
        self, policy: Policy, original: Any = None
    ) -> tuple[Verification | VerifiedTogether, dict[str, str]]:
        """A verdict on every promise, counted anew, and the digests of what was counted."""
        before = self.hash()
        found: Verification | VerifiedTogether
        if self.path.is_dir() and policy.people is not None:
            found = verify_together(self.path, policy)
        else:
            found = verify(self.open_table(), policy, original)
        if self.hash() != before:
            what = "the file changed while it was counted"
            raise CertificateError(self.path, what, "Run again when nobody writes to it.")
        return found, before


def hash_files(files: Sequence[Path]) -> dict[str, str]:
    """The SHA-256 of each file by its name; the names must differ."""
    found: dict[str, str] = {}
    for file in files:
        if file.name in found:
            what = "two files have this name, and a certificate names files without their folders"
            raise CertificateError(file.name, what, "Rename one of them.")
        found[file.name] = hash_regular(file, CertificateError)
    return found


def describe_broken(found: Verification | VerifiedTogether) -> str:
    """The promises that do not hold, by name."""
    broken = list(dict.fromkeys(one.model for one in found.verdicts if not one.holds))
    return f"{list_names(broken)} {'does' if len(broken) == 1 else 'do'} not hold"
