"""A policy with an anonymity level, once the size of the table says what k it means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import TooFewRowsError
from discreet.models.k_anonymity import KAnonymity
from discreet.policy.anonymity_level import MOST, Anonymity
from discreet.policy.policy_file import Key

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


UNKNOWN = 2**62
"""Stands for a k that is not known yet: no class is as large, so that nothing passes by it."""

SLACK = 1e-6
"""Against shares that are not whole in binary: one row more only makes the check stricter."""

AS_IS = (
    "anonymity level 0: NO k IS PROMISED, the quasi columns may be released as they are; whoever "
    "knows them may find anybody"
)
ASK = "say how many (option rows)"
NO_K = "anonymity level 0: no k is promised, so nothing is checked here"
MOST_GENERAL = "anonymity level 1: every quasi column is released at its top, all rows alike"


@dataclass(frozen=True)
class KOfLevel(KAnonymity):
    """k-anonymity whose k follows from the policy's anonymity level and the table's size.

    This is what ``k_anonymity`` without a ``k`` means in a policy that has an anonymity level.

    >>> KOfLevel(columns=("zip",)).columns
    ('zip',)
    """

    k: int = field(default=UNKNOWN, init=False, repr=False)


def add_k_of_level(data: dict[str, Any]) -> dict[str, Any]:
    """What a policy says, with the k-anonymity that its anonymity level stands for.

    It holds for all quasi columns, unless the policy says what the level holds for. A promise that
    has columns and a k of its own says nothing of that, and stands beside it.
    """
    level, require = data.get("anonymity"), data.get("require") or ()
    if level is None or isinstance(require, str) or not isinstance(require, Sequence):
        return data
    known = isinstance(level, Anonymity) and level.rows is not None
    if known or any(_is_of_level(one) for one in require):
        return data
    return {**data, "require": [KOfLevel(), *require]}


def _is_of_level(said: Any) -> bool:
    """Whether this is k-anonymity without columns or without k, as an object or as in a file."""
    if isinstance(said, KAnonymity):
        return said.columns is None or said.k == UNKNOWN
    if not isinstance(said, Mapping):
        return bool(said == KAnonymity.name)
    given = said.get(KAnonymity.name) or {}
    own = isinstance(given, Mapping) and given.get("columns") and "k" in given
    return KAnonymity.name in said and not own


def find_level_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    """A k without a level that it could follow from, and a k that the level does not allow."""
    level = policy.anonymity
    for number, model in enumerate(policy.require):
        here: Key = ("require", number, model.name)
        if isinstance(model, KAnonymity) and model.k == UNKNOWN:
            if level is None:
                what = "'k' is missing. Write k_anonymity: {k: ...}"
                yield here, f"{what}, or give the policy an anonymity level."
        elif level is not None and isinstance(model, KAnonymity):
            rows = 0 if level.fixed and level.rows is None else level.rows
            if rows is not None and model.k < level.k_for(rows):
                yield (*here, "k"), _write_contradiction(policy, model.k, rows)


def fill_in_k(policy: Policy, rows: int, table: str) -> Policy:
    """The policy with every k that its anonymity level leaves open filled in for so many rows.

    ``rows`` are those counted: after sampling and after what a recipient did not ask for. A policy
    that says itself how many are eligible keeps its number, as one for a part does, unless there
    are more: k would be too small for them. A policy without a level is returned unchanged.
    """
    if policy.anonymity is None:
        return policy
    level = replace(policy.anonymity, rows=max(policy.anonymity.rows or 0, rows))
    assert level.rows is not None
    k = level.k_for(level.rows)
    if k > rows:
        raise TooFewRowsError(table, rows, k)
    changes: dict[str, Any] = {"anonymity": level, "require": _fill_in_models(policy, k)}
    if level.most_general:
        # One node is left, and any algorithm would have to end there.
        changes |= {"algorithm": "optimal", "suppress": 0.0}
    return policy.replace(**changes)


def fill_in_released_k(
    policy: Policy, released: int, private: int | None = None
) -> tuple[Policy, str]:
    """The policy with k for a released file, and how far that k can be trusted.

    The rows of the private table say what k was promised. Where nobody tells them, they are at
    most so many that the rows which the policy allows to leave out were left out; the k of that
    many is at least the one that was promised.
    """
    level = policy.anonymity
    if level is None:
        return policy, ""
    rows, note = level.rows or private, ""
    if rows is not None and rows < released:
        # No table is smaller than its release, so the k that was promised is that of more rows.
        rows, note = released, f"the file has more rows than the {rows:,} that are told"
    if level.fixed:
        rows = rows or max(1, released)
    elif rows is None:
        rows = _find_most_rows(policy, released)
        if rows > released:
            many = f"at most {rows:,}" if rows < MOST else "nobody knows how many"
            note = (
                f"k follows from the rows of the private table: {many}, since the policy lets rows "
                f"be left out; {ASK}"
            )
    k = level.k_for(rows)
    # A smaller k beside the level is refused where the rows are known; here they may be guessed.
    require = [_raise_k(model, k) for model in _fill_in_models(policy, k)]
    made = policy.replace(anonymity=replace(level, rows=rows), require=require)
    return made, note if k > 1 else NO_K


def note_level(policy: Policy) -> tuple[str, ...]:
    """What to say aloud of the two ends of the scale."""
    level = policy.anonymity
    if level is None or level.rows is None:
        return ()
    if level.most_general:
        return (MOST_GENERAL,)
    return (AS_IS,) if level.k_for(level.rows) == 1 else ()


def _fill_in_models(policy: Policy, k: int) -> list[Any]:
    return [
        KAnonymity(k, model.columns)
        if isinstance(model, KAnonymity) and model.k == UNKNOWN
        else model
        for model in policy.require
    ]


def _raise_k(model: Any, k: int) -> Any:
    return replace(model, k=max(k, model.k)) if isinstance(model, KAnonymity) else model


def _find_most_rows(policy: Policy, released: int) -> int:
    """The largest table of which the policy may release so many rows."""
    if not policy.suppress or policy.anonymity.most_general:
        return max(1, released)
    kept = 1 - policy.suppress
    return max(1, min(MOST, math.floor(released / kept + SLACK))) if kept > 0 else MOST


def _write_contradiction(policy: Policy, k: int, rows: int) -> str:
    level = policy.anonymity
    what = f"anonymity {level.level:g} asks for a k of at least {level.k_for(rows):,}"
    size = "" if level.fixed else f" in {rows:,} rows"
    return f"{what}{size}, and there is {k:,}. Remove k here, or remove anonymity."
