"""How much time is left, and who is told how far the search has come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from discreet.display import dataclass

Result = TypeVar("Result")

EVERY = 0.1
"""Seconds between two looks at whether the solver is done."""


@dataclass
class Clock:
    """Time that runs from ``start``; ``told`` gets bound and best cost at times, and may raise."""

    seconds: float
    told: Callable[[float, float | None], None]
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.start + self.seconds - time.monotonic()

    @property
    def out(self) -> bool:
        """Whether time is up."""
        return self.left <= 0

    def run(self, work: Callable[[], Result], bound: float, best: float | None) -> Result:
        """Do long work of the solver beside this thread, so that Ctrl-C is heard meanwhile."""
        results: list[Result] = []
        failures: list[BaseException] = []

        def target() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001  handed on below
                failures.append(error)

        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(EVERY)
            self.told(bound, best)
        if failures:
            raise failures[0]
        return results[0]
