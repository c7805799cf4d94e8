"""What every release shares, of one table or of several: facts, order of rows, the last check."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InternalError, SourceError
from discreet.models.verdict import Verdict
from discreet.pipeline.rows import RowAnswer
from discreet.pipeline.statements import describe_released_columns
from discreet.policy.policy import Policy
from discreet.table.cleaning import Cleaned
from discreet.table.files.text import Dialect
from discreet.table.read import TEXT, find_ending, read
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.pipeline.people.people import PeopleAnswer


def list_facts(
    policy: Policy,
    answer: RowAnswer | PeopleAnswer,
    people: Sequence[str] = (),
    cleaned: Sequence[Cleaned] | None = None,
) -> dict[str, Any]:
    """What was found, whatever was counted.

    ``people`` are columns that tell people apart, and ``cleaned`` the cells that were read as
    something else, where that may be told.
    """
    solution, sizes = answer.solution, answer.class_sizes
    search, measure = solution.search, answer.problem.measure.name
    heights = {one.column: one.height for one in answer.problem.lattice.hierarchies}
    bound = search.bound
    return {
        "algorithm": solution.algorithm,
        "measure": measure,
        "levels": dict(answer.levels),
        "heights": heights,
        "released_as": describe_released_columns(policy, answer.levels, heights, people, cleaned),
        "cells_suppressed": solution.cells_suppressed,
        "classes": len(sizes),
        "smallest_class": int(sizes.min()) if len(sizes) else None,
        "anonymity": None if policy.anonymity is None else policy.anonymity.facts(),
        "profile": policy.recipient.facts(),
        "choice": policy.choice,
        "replaced": {
            name: column.replace.told
            for name, column in policy.columns.items()
            if column.replace is not None
        },
        "missing": policy.missing.meaning,
        "measures": dict(solution.measures),
        "verdicts": [verdict.facts() for verdict in answer.verdicts],
        "optimal": {
            "proven": search.proven,
            "bound": bound,
            "gap": None if bound is None else abs(solution.measures[measure] - bound),
            "nodes": search.nodes,
            "nodes_checked": search.nodes_checked,
        },
    }


def require_kept(found: Any, promised: Sequence[Verdict] = ()) -> None:
    """Refuse a finished release that breaks a promise, unless it was known to break it."""
    expected = [verdict.model for verdict in promised if not verdict.holds]
    broken = [v.model for v in found.verdicts if not v.holds and v.model not in expected]
    if broken:
        raise InternalError(f"the finished release does not keep {', '.join(broken)}")


def choose_order_key(policy: Policy) -> bytes | None:
    """The key that scrambles the rows, from the seed or the operating system; None keeps them."""
    if policy.order == "keep":
        return None
    if policy.seed is None:
        return secrets.token_bytes(16)
    return hashlib.blake2b(str(policy.seed).encode(), digest_size=16).digest()


TABBED = (".tsv", ".tab")
"""Endings of files whose fields are separated by tabs, whatever the private table has."""


def reopen_written(path: Path, dialect: Dialect | None) -> Table:
    """The written file, read back in the dialect it was written in.

    That is UTF-8 where the encoding of the private table lacks a letter of the release.
    """
    ending = find_ending(path)
    if ending not in TEXT:
        return read(path, header=True)
    dialect = dialect or Dialect()
    separator = "\t" if ending in TABBED else dialect.separator
    quote = dialect.quote or '"'
    try:
        return read(path, separator=separator, quote=quote, encoding="utf-8", header=True)
    except SourceError:
        return read(path, separator=separator, quote=quote, encoding=dialect.encoding, header=True)
