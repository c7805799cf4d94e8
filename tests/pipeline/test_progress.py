"""Ctrl-C in a program that uses the library."""

from __future__ import annotations

import signal

import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.pipeline.progress import defer_interrupts

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
