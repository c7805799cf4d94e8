"""What a benchmark measures, and how a case reports it."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class Skip(Exception):
    """A case that cannot run here, with the reason."""


@dataclass(frozen=True)
class Measured:
    """The figures of one case; seconds are of CPU time unless they are called wall.

    ``compared`` is what ``peer_seconds`` is held against: the same kind of time of the same work.
    ``recorded`` is ARX's CPU time from the project's notes, measured elsewhere.
    """

    search: float | None
    whole: float
    wall: float
    peak: int
    checked: int | None = None
    nodes: int | None = None
    result: str = ""
    peer: str = ""
    peer_seconds: float | None = None
    compared: float | None = None
    recorded: str = ""

    @property
    def ratio(self) -> float | None:
        """Our time over the peer's: below 1, we are faster."""
        if not self.peer_seconds or self.compared is None:
            return None
        return self.compared / self.peer_seconds


@dataclass(frozen=True)
class Case:
    """One line of a benchmark; a ``large`` one takes minutes or gigabytes and is asked for."""

    name: str
    run: Callable[[], Measured]
    large: bool = False


@dataclass(frozen=True)
class Benchmark:
    """Cases that belong together, and what the reader must know to read their figures."""

    name: str
    about: str
    cases: tuple[Case, ...]


class Watch:
    """CPU and wall seconds of a part of a case."""

    cpu = wall = 0.0

    def __enter__(self) -> Watch:
        self._started = time.process_time(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.cpu = time.process_time() - self._started[0]
        self.wall = time.perf_counter() - self._started[1]


def own_peak() -> int:
    """The most memory this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def plain(measured: Measured) -> dict[str, Any]:
    """The figures as plain data, to be handed from one process to another."""
    return dict(vars(measured))


def from_plain(facts: Mapping[str, Any]) -> Measured:
    """The figures that another process handed over."""
    return Measured(**facts)
