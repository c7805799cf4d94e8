"""Looks at many texts on all cores; what is found does not depend on how many there are.

Texts of one person are looked at together and twice: what is found in the last helps the first.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import field
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import InternalError
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.known_names import NAMED_KINDS, KnownNames, cover_known, mark_words
from discreet.scrubbing.machine import Scrubber

WORTH_IT = 100_000
"""Characters before a second core is asked for: what they teach, all processes then know."""
NEAR = 0.25
"""How far below the threshold a doubtful finding may be."""
_SHORTEST = 3


@safe_repr
class Work(NamedTuple):
    """Texts to look at: of one ``person``, or each on its own; ``known`` are values to look for.

    ``tag`` is what the asker wants back with the findings.
    """

    texts: tuple[str, ...]
    person: str | None = None
    known: tuple[tuple[str, ...], ...] = ()
    tag: Any = None


@safe_repr
class Looked(NamedTuple):
    """For each text what was found, and what was nearly found."""

    findings: list[list[Finding]]
    doubtful: list[list[Finding]]


@dataclass(frozen=True)
class Finder:
    """Scrubbers on up to ``jobs`` cores; with ``doubtful``, also what is below the threshold.

    ``start`` is how processes come to be: ``fork`` is quick, but not for a program with threads.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    jobs: int | None = None
    doubtful: bool = False
    start: str = "fork"

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, Looked]]:
        """Each piece of work with what was found in it, in the order given.

        A few pieces are under way at a time, so memory does not grow with their number.
        """
        works = iter(works)
        jobs = self.jobs or len(os.sched_getaffinity(0))
        looker = _Looker(self.settings, self.doubtful)
        length = 0
        for work in works:
            yield work, looker(work)
            length += sum(map(len, work.texts))
            if jobs > 1 and length > WORTH_IT:
                break
        rest = list(islice(works, 2))
        if len(rest) > 1:
            yield from self._look_on_cores(looker, chain(rest, works), jobs)
        else:
            yield from ((work, looker(work)) for work in rest)

    def _look_on_cores(
        self, looker: _Looker, works: Iterable[Work], jobs: int
    ) -> Iterator[tuple[Work, Looked]]:
        """The same on more cores; processes that are forks know what the looker has learnt."""
        context = get_context(self.start)
        known = looker if self.start == "fork" else None
        with ProcessPoolExecutor(
            jobs, context, _start, (self.settings, self.doubtful, known)
        ) as pool:
            under_way: deque[tuple[Work, Future[Looked]]] = deque()
            try:
                for work in works:
                    under_way.append((work, pool.submit(_look, work._replace(tag=None))))
                    if len(under_way) > 2 * jobs:
                        done, looked = under_way.popleft()
                        yield done, looked.result()
                while under_way:
                    done, looked = under_way.popleft()
                    yield done, looked.result()
            except BrokenProcessPool:
                raise InternalError("a process that looks at texts ended by itself") from None
            finally:
                pool.shutdown(cancel_futures=True)


class _Looker:
    """A scrubber for pieces of work."""

    def __init__(self, settings: Mapping[str, Any], doubtful: bool) -> None:
        self.scrubber = Scrubber(**settings)
        self.nearly = None
        if doubtful:
            lower = max(self.scrubber.threshold - NEAR, 0.0)
            self.nearly = Scrubber(**{**settings, "threshold": lower})

    def __call__(self, work: Work) -> Looked:
        findings = self._find(self.scrubber, work)
        if self.nearly is None:
            return Looked(findings, [[] for _ in work.texts])
        near = self._find(self.nearly, work)
        doubtful = [
            _drop_overlapping(more, sure) for more, sure in zip(near, findings, strict=True)
        ]
        return Looked(findings, doubtful)

    def _find(self, scrubber: Scrubber, work: Work) -> list[list[Finding]]:
        found: list[list[Finding]] = []
        rounds = 2 if work.person is not None and len(work.texts) > 1 else 1
        for _ in range(rounds):
            found = [
                self._find_one(scrubber, text, work, place) for place, text in enumerate(work.texts)
            ]
        scrubber.forget(work.person or "")
        return found

    @staticmethod
    def _find_one(scrubber: Scrubber, text: str, work: Work, place: int) -> list[Finding]:
        known = work.known[place] if work.known else ()
        if not known:
            return scrubber.find(text, work.person)
        person = work.person or "the row"
        for value in known:
            scrubber.post(value, person)
        found = add_known(text, scrubber.find(text, person), known)
        if not work.person:
            scrubber.forget(person)
        return found


def add_known(text: str, findings: list[Finding], known: Iterable[str]) -> list[Finding]:
    """The findings, and every place where a known value stands in the text, in any case.

    A finding that a known value covers in part keeps the rest; of one that has a known value
    inside (12 Rebecca Lane) nothing is kept when it is replaced.

    Examples
    --------
    >>> found = add_known("chart of 4711, seen", [], ["4711"])
    >>> [(f.start, f.end, f.reason) for f in found]
    [(9, 13, 'value of the same row')]
    """
    wanted = {value.strip() for value in known}
    names = KnownNames(value for value in wanted if not any(map(str.isdigit, value)))
    longer = [value for value in wanted if len(value) >= _SHORTEST]
    spans = names.find(text, small=text.islower())
    if longer:
        either = "|".join(re.escape(value) for value in sorted(longer, key=len, reverse=True))
        anywhere = re.finditer(rf"(?<!\w)(?:{either})(?!\w)", text, re.IGNORECASE)
        spans = _merge_spans([*spans, *(found.span() for found in anywhere)], text)
    covered = cover_known(text, findings, spans, "value of the same row")
    return mark_words(text, covered, names.words, NAMED_KINDS)


def _merge_spans(spans: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """The spans in order, those that overlap as one, and words with a space between them."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and (start < joined[-1][1] or _are_words(text, joined[-1], (start, end))):
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _are_words(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    is_near = text[left[1] : right[0]] == " "
    return is_near and not any(map(str.isdigit, text[left[0] : right[1]]))


def _drop_overlapping(findings: Iterable[Finding], others: list[Finding]) -> list[Finding]:
    """The findings that overlap none of the others, which are in order and apart."""
    ends = [other.end for other in others]
    kept = []
    for finding in findings:
        place = bisect_right(ends, finding.start)
        if place == len(others) or others[place].start >= finding.end:
            kept.append(finding)
    return kept


_looker: _Looker | None = None


def _start(settings: Mapping[str, Any], doubtful: bool, known: _Looker | None) -> None:
    """Set a process up; it ends when its parent does."""
    global _looker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends, and this with it
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _looker = known or _Looker(settings, doubtful)
    gc.freeze()  # what the parent has stays shared with it
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(2)


def _look(work: Work) -> Looked:
    if _looker is None:
        raise InternalError("a process was not set up")
    return _looker(work)
