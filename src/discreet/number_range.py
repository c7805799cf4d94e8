"""The numbers that a parameter may be, said once: for its check, its message and its schema."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from discreet.display import dataclass
from discreet.errors import ParameterError

LARGEST = 2**62
"""Counts and codes have 64 bits; a larger number would overflow them."""


def is_number(value: object) -> bool:
    """Whether a value is a finite number that calculations can take.

    >>> [is_number(one) for one in (2, 0.5, True, float("inf"), 10**400, "2")]
    [True, True, False, False, False, False]
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST if isinstance(value, int) else math.isfinite(value)


@dataclass(frozen=True)
class NumberRange:
    """Numbers from ``least`` or above ``above``, up to ``most`` or below ``below``.

    >>> NumberRange(above=0, most=1).wanted
    'a number above 0 and at most 1'
    >>> NumberRange(least=0, most=1).wanted, NumberRange(least=1, whole=True).wanted
    ('a number from 0 to 1', 'a whole number of at least 1')
    """

    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    whole: bool = False

    @property
    def wanted(self) -> str:
        """The range in words."""
        noun = "whole number" if self.whole else "number"
        if self.least is not None and self.most is not None:
            return f"a {noun} from {_show(self.least)} to {_show(self.most)}"
        if self.least is not None and self.below is not None:
            return f"a {noun} from {_show(self.least)} to below {_show(self.below)}"
        limits = [
            f"{words} {_show(limit)}"
            for words, limit in (
                ("of at least", self.least),
                ("above", self.above),
                ("at most", self.most),
                ("below", self.below),
            )
            if limit is not None
        ]
        return f"a {noun} {' and '.join(limits)}"

    @property
    def schema(self) -> dict[str, float]:
        """The range in the words of JSON schema."""
        limits = {
            "minimum": self.least,
            "exclusiveMinimum": self.above,
            "maximum": self.most,
            "exclusiveMaximum": self.below,
        }
        return {word: limit for word, limit in limits.items() if limit is not None}

    def contains(self, value: Any) -> bool:
        """Whether a number is in the range."""
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def check(
        self, owner: str, key: str, value: object, accept: Callable[[object], bool] = is_number
    ) -> None:
        """Refuse what is not a number of the range, or is none that calculations ``accept``."""
        if self.whole and (isinstance(value, bool) or not isinstance(value, int)):
            raise ParameterError(owner, key, self.wanted)
        if self.whole and self.contains(value) and not accept(value):
            raise ParameterError(owner, key, f"a whole number of at most {LARGEST:,}")
        if not accept(value) or not self.contains(value):
            finite = "a finite " if value in (math.inf, -math.inf) else "a "
            raise ParameterError(owner, key, self.wanted.replace("a ", finite, 1))


def _show(limit: float) -> str:
    return f"{limit:,}" if isinstance(limit, int) else f"{limit:g}"


SHARE = NumberRange(least=0, most=1)
"""A share or a likelihood, with both ends."""


def within(
    least: float | None = None,
    *,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    whole: bool = False,
) -> dict[str, NumberRange]:
    """What a field says of its numbers: ``k: int = field(metadata=within(1, whole=True))``."""
    return {"range": NumberRange(least, above, most, below, whole)}


def read_ranges(cls: type[Any]) -> dict[str, NumberRange]:
    """The ranges of the fields of a class that say one, by name."""
    return {one.name: one.metadata["range"] for one in fields(cls) if "range" in one.metadata}


def check_range(part: Any, key: str, accept: Callable[[object], bool] = is_number) -> None:
    """Refuse a parameter of a class that is not in the range which its field says."""
    found: NumberRange = type(part).__dataclass_fields__[key].metadata["range"]
    found.check(part.name, key, getattr(part, key), accept)
