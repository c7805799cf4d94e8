"""Whether the values that were released before still become the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discreet.display import dataclass
from discreet.errors import EarlierReleaseError
from discreet.hierarchy import Flat
from discreet.hierarchy.axes import build_written_down
from discreet.hierarchy.file import File, make_file_error
from discreet.hierarchy.flat import WithSuppression
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.known import Known, hash_edition
from discreet.hierarchy.proposals import propose
from discreet.hierarchy.spec import write_spec
from discreet.hierarchy.tree import Tree
from discreet.input_file import HIERARCHY, UnfitFileError, read_input
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import hash_generalizations
from discreet.ledger.key import Key
from discreet.policy.parts import Auto
from discreet.policy.policy import Policy


@dataclass(frozen=True, eq=False)
class HierarchiesNow:
    """The hierarchies of a new release, to be compared with those of earlier ones.

    A hierarchy may have grown, by values and by levels on top. What the table held then must become
    the same, from the released level up. A value that the table has lost is searched in the
    hierarchy, if that is a file or a tree.

    Notes
    -----
    *Cost*: none for a hierarchy whose hash is the same; otherwise a hash for each of its values.
    """

    key: Key
    table: str
    policy: Policy
    hierarchies: Mapping[str, Hierarchy]
    hashes: Mapping[str, str]

    def refuse_changed(self, releases: Sequence[Entry]) -> None:
        """Refuse the first column of an earlier release that has another meaning now."""
        for entry in releases:
            for name, level in entry.levels.items():
                if not self._is_same(name, level, entry.columns[name]):
                    raise _make_changed_error(entry, name)

    def _is_same(self, name: str, level: int, then: Mapping[str, Any]) -> bool:
        if level > self.hierarchies[name].height:
            return False
        if self.hashes[name] == then["hierarchy"]:
            return True
        return "becomes" in then and self._holds(name, level, set(then["becomes"]))

    def _holds(self, name: str, level: int, then: set[str]) -> bool:
        """Whether all that values became then they become now."""
        lacking = then - hash_generalizations(self.key, self.table, self.hierarchies[name], level)
        if not lacking:
            return True
        whole = self._find_whole(name)
        return whole is not None and lacking <= hash_generalizations(
            self.key, self.table, whole, level
        )

    def _find_whole(self, name: str) -> Hierarchy | None:
        """The hierarchy with the values that the table lacks, if somebody wrote them down."""
        builder = self.policy.columns[name].hierarchy
        inner = builder.builder if isinstance(builder, WithSuppression) else builder
        if not isinstance(inner, File | Tree):
            return None
        ground = [value for value in self.hierarchies[name].labels[0] if value is not None]
        whole = build_written_down(name, inner, ground)[0]
        return whole.with_suppression() if inner is not builder else whole


def _make_changed_error(entry: Entry, name: str) -> EarlierReleaseError:
    what = f"the hierarchy of '{name}' is not the one that was used then"
    if "becomes" not in entry.columns[name]:
        fix = (
            "Use the one of the earlier release (discreet ledger show); write proposed hierarchies "
            "to a file."
        )
    else:
        fix = (
            "Values may be added, but each value that the table had must be generalized as before, "
            f"from level {entry.levels[name]} up: restore those (discreet ledger show prints the "
            "policy); write proposed hierarchies to a file."
        )
    return EarlierReleaseError([entry.number], what, fix)


# Whether a hierarchy is still the one that an earlier release was made with.


def hash_hierarchies(policy: Policy, hierarchies: Iterable[Hierarchy]) -> dict[str, str]:
    """The hash of each of a policy's hierarchies, as built for the values of a table."""
    return {
        one.column: hash_hierarchy(policy.columns[one.column].hierarchy, one.column, one.labels[0])
        for one in hierarchies
    }


def hash_hierarchy(builder: Any, column: str, values: Sequence[str | None]) -> str:
    """A hash of all that decides what a value becomes: the settings, and the file if there is one.

    A proposed hierarchy counts as what was proposed for these values, so that a proposal that
    changes with the data is noticed.
    """
    if builder is None:
        builder = Flat()
    if isinstance(builder, Auto):
        builder = builder.proposed or propose(column, values).builder
    return hashlib.sha256(
        json.dumps(_describe_builder(builder), sort_keys=True).encode()
    ).hexdigest()


def _describe_builder(builder: Any) -> Any:
    match builder:
        case WithSuppression(inner):
            return {"top": "*", "of": _describe_builder(inner)}
        case File(path, uncovered):
            try:
                content = read_input(path, HIERARCHY)
            except UnfitFileError as error:
                raise make_file_error(path, error.what, error.fix) from None
            except OSError:
                raise make_file_error(path, "it cannot be read", "Check the path.") from None
            return {"file": hashlib.sha256(content).hexdigest(), "uncovered": uncovered}
        case Known(name):
            return {**write_spec(builder), "edition": hash_edition(name)}
    return write_spec(builder)
