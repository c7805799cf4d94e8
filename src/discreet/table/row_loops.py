"""Compiled loops over the rows of large tables, and how all compiled loops are made.

Loaded where there are rows enough for it: numba takes longer to load than a small table to release.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compile_loop(*signature: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function, kept for the next run where there is a place for it.

    An installation that nobody may write to, used by someone without a home, has none; then the
    function is compiled in every run.
    """

    def compile_function(function: Callable[..., Any]) -> Any:
        try:
            return njit(*signature, cache=True, **options)(function)
        except RuntimeError:
            return njit(*signature, **options)(function)

    return compile_function


@compile_loop(nogil=True)
def count_numbers(counts: Any, numbers: Any) -> None:
    """Count each number at its place."""
    for i in range(len(numbers)):
        counts[numbers[i]] += 1
