"""Checks of model parameters, so that every model refuses nonsense in the same words."""

from __future__ import annotations

import math
from pathlib import Path

from discreet.errors import ParameterError
from discreet.number_range import LARGEST, NumberRange


def require_whole(model: str, key: str, value: object, least: int, most: int = LARGEST) -> None:
    """Refuse anything but a whole number from ``least`` to ``most``."""
    if isinstance(value, int) and value > most:
        raise ParameterError(model, key, f"a whole number of at most {most:,}")
    NumberRange(least=least, whole=True).check(model, key, value)


def require_real(model: str, key: str, value: object, above: float, most: float = math.inf) -> None:
    """Refuse anything but a number above ``above`` and at most ``most``."""
    NumberRange(above=above, most=None if math.isinf(most) else most).check(model, key, value)


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
