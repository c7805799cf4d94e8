"""Ctrl-C while all sets are looked for: those found so far are shown."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

from discreet.identify.minimal.watch import OutOfTime

Progress = Callable[[str, float | None], None]

NOTE = (
    "interrupted: no part of a set shown will do, but there may be more sets; give fewer columns "
    "or a largest size"
)


class Interrupted:
    """While this is open the first Ctrl-C ends the search, and the second the program."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.asked = self.ended = False
        self.before: Any = None

    def __enter__(self) -> Self:
        if self.wanted and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._restore()

    def watched(self, progress: Progress) -> Progress:
        """The same progress, which ends the search once Ctrl-C was pressed."""

        def step(text: str, share: float | None = None) -> None:
            if self.asked:
                self.ended = True
                raise OutOfTime
            progress(text, share)

        return step

    def tell(self, facts: dict[str, Any]) -> None:
        """Say in the facts that there may be more sets, if the search was ended."""
        if self.ended:
            facts["notes"].append(NOTE)
            facts.update(exact=False, complete=False)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
            self.before = None
