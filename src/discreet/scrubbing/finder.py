"""Searches many texts on all cores; the findings do not depend on the number of cores.

Texts of one person are searched together and twice: findings in the last help with the first.
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

WORTH_IT = 20_000
"""Characters searched before a second core is used: forked processes share what was learnt."""
BATCH = 8_000
"""Characters that a process is sent at a time, so that sending short texts costs little."""
NEAR = 0.25
"""How far below the threshold a finding still counts as doubtful."""
_SHORTEST = 3


@safe_repr
class Work(NamedTuple):
    """Texts to search: of one ``person``, or each on its own; ``known`` are values to find.

    ``tag`` is handed back to the caller with the findings.
    """

    texts: tuple[str, ...]
    person: str | None = None
    known: tuple[tuple[str, ...], ...] = ()
    tag: Any = None


@safe_repr
class WorkFindings(NamedTuple):
    """The findings and the doubtful findings for each text."""

    findings: list[list[Finding]]
    doubtful: list[list[Finding]]


@dataclass(frozen=True)
class Finder:
    """Scrubbers on up to ``jobs`` cores; with ``doubtful``, also findings below the threshold.

    ``start`` is how processes are started: ``fork`` is quick, but unsafe in a program with threads.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    jobs: int | None = None
    doubtful: bool = False
    start: str = "fork"

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, WorkFindings]]:
        """Each piece of work with its findings, in the given order.

        Only a few pieces are in progress at a time, so memory does not grow with their number.
        """
        works = iter(works)
        jobs = self.jobs or len(os.sched_getaffinity(0))
        searcher = _Searcher(self.settings, self.doubtful)
        length = 0
        for work in works:
            yield work, searcher(work)
            length += sum(map(len, work.texts))
            if jobs > 1 and length > WORTH_IT:
                break
        rest = list(islice(works, 2))
        if len(rest) > 1:
            yield from self._look_on_cores(searcher, chain(rest, works), jobs)
        else:
            yield from ((work, searcher(work)) for work in rest)

    def _look_on_cores(
        self, searcher: _Searcher, works: Iterable[Work], jobs: int
    ) -> Iterator[tuple[Work, WorkFindings]]:
        """The same on several cores; forked processes know what the searcher has learnt."""
        context = get_context(self.start)
        known = searcher if self.start == "fork" else None
        with ProcessPoolExecutor(
            jobs, context, _start, (self.settings, self.doubtful, known)
        ) as pool:
            under_way: deque[tuple[list[Work], Future[list[WorkFindings]]]] = deque()
            try:
                for batch in batch_works(works):
                    sent = [work._replace(tag=None) for work in batch]
                    under_way.append((batch, pool.submit(_look, sent)))
                    if len(under_way) > 2 * jobs:
                        done, looked = under_way.popleft()
                        yield from zip(done, looked.result(), strict=True)
                while under_way:
                    done, looked = under_way.popleft()
                    yield from zip(done, looked.result(), strict=True)
            except BrokenProcessPool:
                raise InternalError("a process that searches texts ended unexpectedly") from None
            finally:
                pool.shutdown(cancel_futures=True)


def batch_works(works: Iterable[Work], size: int = BATCH) -> Iterator[list[Work]]:
    """Consecutive works together until they have ``size`` characters; a longer one is alone.

    Examples
    --------
    >>> works = [Work((text,)) for text in ("one", "two", "three and four", "five")]
    >>> [[work.texts[0] for work in batch] for batch in batch_works(works, size=6)]
    [['one', 'two'], ['three and four'], ['five']]
    """
    batch: list[Work] = []
    length = 0
    for work in works:
        own = sum(map(len, work.texts))
        if batch and length + own > size:
            yield batch
            batch, length = [], 0
        batch.append(work)
        length += own
    if batch:
        yield batch


class _Searcher:
    """Searches pieces of work with one scrubber."""

    def __init__(self, settings: Mapping[str, Any], doubtful: bool) -> None:
        self.scrubber = Scrubber(**settings)
        self.nearly = None
        if doubtful:
            lower = max(self.scrubber.threshold - NEAR, 0.0)
            self.nearly = Scrubber(**{**settings, "threshold": lower})

    def __call__(self, work: Work) -> WorkFindings:
        findings = self._find(self.scrubber, work)
        if self.nearly is None:
            return WorkFindings(findings, [[] for _ in work.texts])
        near = self._find(self.nearly, work)
        doubtful = [
            _drop_overlapping(more, sure) for more, sure in zip(near, findings, strict=True)
        ]
        return WorkFindings(findings, doubtful)

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
    """The findings, plus every occurrence of a known value in the text, in any case.

    A finding that a known value partly covers keeps the rest; one that has a known value inside (12
    Rebecca Lane) is replaced as a whole.

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
    """The spans in order, with overlapping spans and words separated by a space merged."""
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
    """The findings that overlap none of the others, which are sorted and disjoint."""
    ends = [other.end for other in others]
    kept = []
    for finding in findings:
        place = bisect_right(ends, finding.start)
        if place == len(others) or others[place].start >= finding.end:
            kept.append(finding)
    return kept


_searcher: _Searcher | None = None


def _start(settings: Mapping[str, Any], doubtful: bool, known: _Searcher | None) -> None:
    """Set up a process; it ends when its parent does."""
    global _searcher
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent has ended, and so does this process
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _searcher = known or _Searcher(settings, doubtful)
    gc.freeze()  # memory inherited from the parent stays shared with it
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(2)


def _look(works: list[Work]) -> list[WorkFindings]:
    if _searcher is None:
        raise InternalError("a process was not set up")
    return list(map(_searcher, works))
