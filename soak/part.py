"""What a part of the soak is, and what it says when the product is wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class ProductError(Exception):
    """The product broke a promise. The message says which one and how; all data are synthetic."""


@dataclass(frozen=True)
class Part:
    """One family of trials: each case is made from its own random numbers in an empty folder.

    ``run_case`` counts what it checked (``{"releases": 1, "k checked": 3}``) and raises
    :class:`ProductError` where the product is wrong. The same random numbers give the same case.
    """

    name: str
    run_case: Callable[[random.Random, Path], Counter[str]]
    share: int = 1
    """How many cases of this part are run for each case of a part with share 1."""


def make_random(seed: int, part: str, case: int) -> random.Random:
    """The random numbers of one case, which depend on nothing but its name."""
    return random.Random(f"{seed}/{part}/{case}")
