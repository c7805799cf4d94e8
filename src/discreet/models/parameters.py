"""Checks of model parameters, so that every model refuses nonsense in the same words."""

from __future__ import annotations

import math
from pathlib import Path

from discreet.errors import ParameterError

LARGEST = 2**62
"""Counts and codes have 64 bits; a larger number would overflow them."""


def require_whole(model: str, key: str, value: object, least: int, most: int = LARGEST) -> None:
    """Refuse anything but a whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(model, key, f"a whole number of at least {least}")
    if value > most:
        raise ParameterError(model, key, f"a whole number of at most {most:,}")


def is_number(value: object) -> bool:
    """Whether a value is a finite number that calculations can take.

    >>> [is_number(one) for one in (2, 0.5, True, float("inf"), 10**400, "2")]
    [True, True, False, False, False, False]
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST if isinstance(value, int) else math.isfinite(value)


def require_real(model: str, key: str, value: object, above: float, most: float = math.inf) -> None:
    """Refuse anything but a number above ``above`` and at most ``most``."""
    if not is_number(value) or not above < float(value) <= most:  # type: ignore[arg-type]
        ceiling = "" if math.isinf(most) else f" and at most {most:g}"
        finite = "finite " if value in (math.inf, -math.inf) else ""
        raise ParameterError(model, key, f"a {finite}number above {above:g}{ceiling}")


def require_share(model: str, key: str, value: object) -> None:
    """Refuse anything but a number from 0 to 1, both included."""
    if not is_number(value) or not 0 <= float(value) <= 1:  # type: ignore[arg-type]
        raise ParameterError(model, key, "a number from 0 to 1")


def require_choice(model: str, key: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse anything but one of the named choices."""
    if value not in choices:
        raise ParameterError(model, key, f"one of {', '.join(choices)}")


def require_file(model: str, key: str, value: object) -> None:
    """Refuse anything but the path of a file."""
    if not isinstance(value, str | Path) or not str(value).strip():
        raise ParameterError(model, key, "the path of a file")


def require_names(model: str, key: str, value: object) -> None:
    """Refuse anything but other names of columns, each for a name of the table."""
    if value is None:
        return
    told = isinstance(value, dict) and all(
        isinstance(name, str) and isinstance(other, str) for name, other in value.items()
    )
    if not told:
        raise ParameterError(model, key, "other names by column, such as {zip: postcode}")
