"""The anonymity level of Datafly: one number from 0 to 1, and the k that it means for a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import TooFewRowsError, did_you_mean
from discreet.models.k_anonymity import KAnonymity
from discreet.number_range import SHARE, NumberRange, is_number, within
from discreet.policy.messages import describe_value, hint_percent, hint_unquoted, make_mistake
from discreet.policy.policy_file import Key

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


LEAST = 2
"""The k of any level above 0: one that protects nobody would be a level 0 by another name."""

MOST = 10**15
"""No table has more rows than this, and no class."""

ROWS = NumberRange(least=1, most=MOST, whole=True)
LEVEL_SCHEMA = {
    "description": "The anonymity level, from 0 (as it is) to 1 (the most general release).",
    "type": "number",
    **SHARE.schema,
}
ANONYMITY_SCHEMA: dict[str, Any] = {
    "anyOf": [
        LEVEL_SCHEMA,
        {
            "type": "object",
            "properties": {
                "level": LEVEL_SCHEMA,
                "k": {
                    "description": "The institution's map from levels to k: {0.3: 5, 1.0: 100}.",
                    "type": "object",
                    "additionalProperties": {"type": "integer", **ROWS.schema},
                    "minProperties": 1,
                },
                "rows": {
                    "description": "Rows of the private table, where they are known.",
                    "anyOf": [
                        {"type": "integer", **ROWS.schema},
                        {"type": "null"},
                    ],
                },
            },
            "required": ["level"],
            "additionalProperties": False,
        },
        {"type": "null"},
    ]
}
"""What a policy may say under ``anonymity``; see :func:`parse_anonymity`."""

KEYS = tuple(ANONYMITY_SCHEMA["anyOf"][1]["properties"])

EXAMPLE = "Write anonymity: 0.7, or {level: 0.7, k: {0.3: 5, 0.7: 20, 1.0: 100}}."


@dataclass(frozen=True)
class Anonymity:
    """How anonymous a release must be, from 0 (as it is) to 1 (the most general there is).

    Parameters
    ----------
    level
        The anonymity level A.
    points
        The institution's own map, as pairs of a level and its k, both rising; empty for the
        default.
    rows
        The number of rows eligible for release, once it is known.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1, fig. 38. The k of that figure is ``floor(A * N / 100)`` for the
    54,805 voters of Cambridge, at each of its levels; this is the default map. Level 0 is k = 1,
    which promises nothing; level 1 is the most general release, all rows alike. An institution may
    give a map of its own, which then wins, at 0 and at 1 too: a level between two of its points
    takes the k of the next point above, and one above all points takes level 1.

    *Departures*: k is at least 2 above level 0, so that a small table is not left unprotected
    by rounding. *Cost*: none.

    >>> Anonymity(0.7).find_k(54805), Anonymity(0.7, ((0.5, 5), (0.9, 50))).find_k(54805)
    (383, 50)
    """

    level: float
    points: tuple[tuple[float, int], ...] = ()
    rows: int | None = None

    @property
    def most_general(self) -> bool:
        """Whether every quasi column goes to its top: level 1, or one above the map's last."""
        return self._find_point() is None and (self.level == 1 or bool(self.points and self.level))

    @property
    def fixed(self) -> bool:
        """Whether k is the same for tables of any size."""
        return self._find_point() is not None or self.level == 0

    def find_k(self, rows: int) -> int:
        """The smallest class that this level allows in a table of ``rows`` rows."""
        point = self._find_point()
        if point is not None:
            return point
        if self.level == 0:
            return 1
        if self.most_general:
            return max(LEAST, rows)
        exact = Decimal(str(self.level)) * rows / 100
        return max(LEAST, int(exact.to_integral_value(ROUND_FLOOR)))

    def _find_point(self) -> int | None:
        """The k of the first point at this level or above; level 0 is a point only if named."""
        if self.level == 0 and (not self.points or self.points[0][0] > 0):
            return None
        return next((k for level, k in self.points if level >= self.level), None)

    def write_spec(self, folder: Path | None = None) -> Any:
        """The level as a policy writes it."""
        more: dict[str, Any] = {"k": dict(self.points)} if self.points else {}
        if self.rows is not None:
            more["rows"] = self.rows
        return {"level": self.level, **more} if more else self.level

    def facts(self, assumed: bool = False) -> dict[str, Any]:
        """The level and what it came to, as plain data; the rows may be the most there can be."""
        return {
            "level": self.level,
            "rows": self.rows,
            "assumed": assumed,
            "k": None if self.rows is None else self.find_k(self.rows),
            "most_general": self.most_general,
            "map": [{"level": level, "k": k} for level, k in self.points] or None,
        }


def parse_anonymity(value: Any) -> Anonymity:
    """What a policy says of the anonymity level: a number, or a mapping with the map to k."""
    if isinstance(value, Anonymity):
        value = value.write_spec()  # made in Python, so it is checked as if it were read
    if not isinstance(value, Mapping):
        return Anonymity(_parse_level(value))
    for key in value:
        if key not in KEYS:
            raise make_mistake(f"is not a key here. {did_you_mean(key, KEYS)}", (str(key),))
    if "level" not in value:
        raise make_mistake(f"'level' is missing. {EXAMPLE}")
    level = _parse_level(value["level"], ("level",))
    rows = value.get("rows")
    if rows is not None:
        rows = _check_whole(rows, 1, ("rows",))
    return Anonymity(level, _parse_points(value["k"]) if "k" in value else (), rows)


def _parse_level(value: Any, key: Key = ()) -> float:
    """A number from 0 to 1; people write percent, so say what that would be."""
    if not is_number(value):
        what = (
            f"needs a number from 0 to 1, there is {describe_value(value)}.{hint_unquoted(value)}"
        )
        raise make_mistake(f"{what} {EXAMPLE}", key)
    if not SHARE.contains(value):
        what = f"must be from 0 (as it is) to 1 (most general), there is {describe_value(value)}."
        raise make_mistake(f"{what}{hint_percent(value)}", key)
    return float(value)


def _parse_points(value: Any) -> tuple[tuple[float, int], ...]:
    """The institution's map in the order of its levels, whose k must never fall."""
    if not isinstance(value, Mapping) or not value:
        what = f"needs a k for each of some levels, there is {describe_value(value or None)}."
        raise make_mistake(f"{what} Write k: {{0.3: 5, 0.7: 20, 1.0: 100}}.", ("k",))
    found: dict[float, tuple[Any, int]] = {}
    for written, k in value.items():
        level = _parse_level(_read_number(written), ("k", str(written)))
        if level in found:
            what = f"level {level:g} is given twice. Remove one."
            raise make_mistake(what, ("k", str(written)))
        found[level] = written, _check_whole(k, LEAST if level else 1, ("k", str(written)))
    points = tuple((level, found[level][1]) for level in sorted(found))
    for (_, below), (level, k) in pairwise(points):
        if k < below:
            what = f"k falls from {below} to {k}: a higher level may not protect less."
            raise make_mistake(f"{what} Raise it to {below} or more.", ("k", str(found[level][0])))
    return points


def _read_number(written: Any) -> Any:
    """A level as it stands in a map; keys of a policy file are text."""
    try:
        return float(written) if isinstance(written, str) else written
    except ValueError:
        return written


def _check_whole(value: Any, least: int, key: Key) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        most = f" to {MOST:,}" if isinstance(value, int) and value > MOST else ""
        what = f"needs a whole number from {least}{most}, there is {describe_value(value)}."
        raise make_mistake(f"{what}{hint_unquoted(value)}", key)
    return value


# A policy with an anonymity level, once the size of the table says what k it means.


UNKNOWN = 2**62
"""Stands for a k that is not known yet: no class is as large, so that nothing passes by it."""

SLACK = 1e-6
"""Against shares that are not whole in binary: one row more only makes the check stricter."""

AS_IS = (
    "anonymity level 0: NO k IS PROMISED; quasi columns may be released unchanged, and anyone who "
    "knows them may find anybody"
)
ASK = "give their number (option rows)"
NO_K = "anonymity level 0: no k is promised, so nothing is checked here"
MOST_GENERAL = (
    "anonymity level 1: every quasi column is released at its top level, so all rows are equal"
)


@dataclass(frozen=True)
class KOfLevel(KAnonymity):
    """k-anonymity whose k follows from the policy's anonymity level and the table's size.

    This is what ``k_anonymity`` without a ``k`` means in a policy that has an anonymity level.

    >>> KOfLevel(columns=("zip",)).columns
    ('zip',)
    """

    k: int = field(default=UNKNOWN, init=False, repr=False, metadata=within(1, whole=True))


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
            if rows is not None and model.k < level.find_k(rows):
                yield (*here, "k"), _write_contradiction(policy, model.k, rows)


def fill_in_k(policy: Policy, rows: int, table: str) -> Policy:
    """The policy with every k that its anonymity level leaves open filled in for ``rows`` rows.

    ``rows`` are those counted: after sampling and after what a recipient did not ask for. A policy
    that says itself how many are eligible keeps its number, as one for a part does, unless there
    are more: k would be too small for them. A policy without a level is returned unchanged.
    """
    if policy.anonymity is None:
        return policy
    level = replace(policy.anonymity, rows=max(policy.anonymity.rows or 0, rows))
    assert level.rows is not None
    k = level.find_k(level.rows)
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
        rows, note = released, f"the file has more rows than the {rows:,} that were given"
    if level.fixed:
        rows = rows or max(1, released)
    elif rows is None:
        rows = _find_most_rows(policy, released)
        if rows > released:
            many = f"at most {rows:,}" if rows < MOST else "an unknown number"
            note = (
                f"k follows from the rows of the private table: {many}, because the policy allows "
                f"rows to be left out; {ASK}"
            )
    k = level.find_k(rows)
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
    return (AS_IS,) if level.find_k(level.rows) == 1 else ()


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
    what = f"anonymity {level.level:g} asks for a k of at least {level.find_k(rows):,}"
    size = "" if level.fixed else f" in {rows:,} rows"
    return f"{what}{size}, and there is {k:,}. Remove k here, or remove anonymity."
