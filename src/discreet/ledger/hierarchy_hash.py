"""Whether a hierarchy is still the one that an earlier release was made with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from discreet.errors import HierarchyFileError, UnfitFileError
from discreet.hierarchy import Flat
from discreet.hierarchy.file import File
from discreet.hierarchy.propose import propose
from discreet.hierarchy.spec import to_spec
from discreet.hierarchy.with_suppression import WithSuppression
from discreet.input_file import HIERARCHY, read_input
from discreet.release.auto import Auto

if TYPE_CHECKING:
    from discreet.hierarchy.hierarchy import Hierarchy
    from discreet.release.policy import Policy


def hierarchy_hashes(policy: Policy, hierarchies: Iterable[Hierarchy]) -> dict[str, str]:
    """The hash of each of a policy's hierarchies, as built for the values of a table."""
    return {
        one.column: hierarchy_hash(policy.columns[one.column].hierarchy, one.column, one.labels[0])
        for one in hierarchies
    }


def hierarchy_hash(builder: Any, column: str, values: Sequence[str | None]) -> str:
    """A hash of all that decides what a value becomes: the settings, and the file if there is one.

    A proposed hierarchy counts as what was proposed for these values, so that a proposal that
    changes with the data is noticed.
    """
    if builder is None:
        builder = Flat()
    if isinstance(builder, Auto):
        builder = propose(column, values)
    return hashlib.sha256(json.dumps(_said(builder), sort_keys=True).encode()).hexdigest()


def _said(builder: Any) -> Any:
    match builder:
        case WithSuppression(inner):
            return {"top": "*", "of": _said(inner)}
        case File(path, uncovered):
            try:
                content = read_input(path, HIERARCHY)
            except UnfitFileError as error:
                raise HierarchyFileError(path, error.what, error.fix) from None
            except OSError:
                raise HierarchyFileError(path, "it cannot be read", "Check the path.") from None
            return {"file": hashlib.sha256(content).hexdigest(), "uncovered": uncovered}
    return to_spec(builder)
