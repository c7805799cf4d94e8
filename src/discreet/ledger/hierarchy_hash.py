"""Whether a hierarchy is still the one that an earlier release was made with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from discreet.errors import HierarchyFileError
from discreet.hierarchy import Flat
from discreet.hierarchy.file import File
from discreet.hierarchy.propose import propose
from discreet.hierarchy.spec import to_spec
from discreet.hierarchy.with_suppression import WithSuppression
from discreet.release.auto import Auto


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
                content = path.read_bytes()
            except OSError:
                raise HierarchyFileError(path, "it cannot be read", "Check the path.") from None
            return {"file": hashlib.sha256(content).hexdigest(), "uncovered": uncovered}
    return to_spec(builder)
