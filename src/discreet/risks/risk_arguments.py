"""Which parameters of a risk go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import (
    ArgumentError,
    argument,
)


def check_risk_arguments(given: Mapping[str, Any]) -> None:
    """Refuse parameters that do not go together; ``given`` has those that were given."""
    asked = [name for name, value in given.items() if is_given(value)]
    _require_apart(
        asked,
        "register",
        ("population", "weight"),
        "the register is the whole population, and says how many people there are",
    )
    _require_apart(
        asked,
        "frequency",
        ("population", "register", "weight", "rows", "alpha", "max_size"),
        "a table of frequencies has no rows of people, and nothing is known but how many",
    )
    _require_other(asked, "alpha", "population", "the test is about people in the population", "N")
    for name in ("map_", "set_", "domain"):
        _require_other(asked, name, "alpha", f"this is about what {argument('alpha')} tests", "0.5")
    for name in ("with_", "width"):
        _require_other(asked, name, "frequency", "this is about a table of frequencies", "COLUMN")


def is_given(value: Any) -> bool:
    """Whether a parameter was given; the truth of a frame cannot be asked for."""
    empty = isinstance(value, list | tuple | dict) and not value
    return value is not None and value is not False and not empty


def _require_apart(asked: Sequence[str], name: str, others: Sequence[str], what: str) -> None:
    if name in asked:
        for other in others:
            if other in asked:
                fix = f"Leave out {argument(other)} or {argument(name)}."
                raise ArgumentError((name, other), what, fix)


def _require_other(asked: Sequence[str], name: str, other: str, what: str, value: str) -> None:
    if name in asked and other not in asked:
        raise ArgumentError(name, what, f"Give {argument(other, value)}.")


def check_numbers(max_size: int | None, group: int | None, seed: int) -> None:
    """Refuse numbers that cannot be."""
    if max_size is not None and max_size < 0:
        fix = "Give 1 or more, or 0 to search none."
        raise ArgumentError("max_size", "a set has at least one column", fix, f"{max_size}")
    if group is not None and group < 1:
        what = "a group has at least one person"
        raise ArgumentError("group", what, "Give 1 or more.", f"{group}")
    if seed < 0:
        raise ArgumentError("seed", "a seed is 0 or more", "Give another number.", f"{seed}")
