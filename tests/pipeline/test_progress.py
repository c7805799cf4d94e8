"""Ctrl-C in a program that uses the library."""

from __future__ import annotations

import signal

import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.pipeline.progress import SearchStep, defer_interrupts

ROWS = pa.table({"age": [str(20 + n % 40) for n in range(400)]})
POLICY = Policy(
    columns={"age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}},
    require=[{"k_anonymity": {"k": 20}}],
)


def test_an_interruption_stops_the_search_and_the_usual_handling_is_back() -> None:
    def interrupt(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        anonymize(ROWS, POLICY, progress=interrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interruption_waits_until_it_is_asked_for() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), defer_interrupts() as check:
        signal.raise_signal(signal.SIGINT)
        reached = True
        check()
    assert reached


def test_a_handling_of_the_program_s_own_is_kept() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with defer_interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert heard == [signal.SIGINT]


class Hearing:
    """Keeps the numbers that a search tells."""

    def __init__(self) -> None:
        self.heard: list[SearchStep] = []

    def __call__(self, step: str, share: float | None = None) -> None:
        if isinstance(step, SearchStep) and step.best is not None:
            self.heard.append(step)


@pytest.mark.parametrize("measure", ["loss", "granularity", "precision"])
@pytest.mark.parametrize("algorithm", ["optimal", "local", {"local": {"consistent": True}}])
def test_a_search_tells_its_best_so_far_and_its_bound(algorithm: object, measure: str) -> None:
    hearing = Hearing()
    policy = POLICY.replace(algorithm=algorithm, measure=measure)
    release = anonymize(ROWS, policy, progress=hearing)
    reached = release.solution.measures[measure]
    worst = min if measure == "loss" else max
    for step in hearing.heard:
        assert step.measure == measure and str(step).startswith("searching, ")
        assert worst(step.best, reached) == pytest.approx(reached)
        assert step.bound is not None and worst(step.bound, reached) == pytest.approx(step.bound)
        assert step.gap == abs(step.best - step.bound)
    assert hearing.heard


def test_a_search_of_a_large_lattice_is_heard_from_the_start() -> None:
    columns = [f"c{n}" for n in range(14)]
    rows = pa.table({name: [str((n * 7 + m) % 13) for n in range(80)] for m, name in
                     enumerate(columns)})  # fmt: skip
    quasi = {"role": "quasi", "hierarchy": {"intervals": [2, 4, 8]}}
    policy = Policy(
        columns=dict.fromkeys(columns, quasi),
        require=[{"k_anonymity": {"k": 3}}],
        time_limit=0.6,
    )
    hearing = Hearing()
    anonymize(rows, policy, progress=hearing)
    assert hearing.heard[0].bound is None  # on the way down, before anything is bounded
    assert hearing.heard[-1].best <= hearing.heard[0].best
