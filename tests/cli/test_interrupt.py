"""A request to end stops the run, whatever the run is doing at that moment."""

from __future__ import annotations

import signal
import time
from typing import Any

import numpy as np
import pytest

from discreet.cli.interrupt import NAMES, heeded
from discreet.frequency import kernels


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_stops_the_run_and_is_remembered(name: str) -> None:
    with pytest.raises(KeyboardInterrupt), heeded() as ending:
        signal.raise_signal(getattr(signal, name))
    assert ending.asked


def test_afterwards_signals_do_what_they_did() -> None:
    numbers = [getattr(signal, name) for name in NAMES]
    before = [signal.getsignal(number) for number in numbers]
    with heeded():
        assert [signal.getsignal(number) for number in numbers] != before
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with heeded() as ending:
            signal.raise_signal(signal.SIGHUP)
        assert not ending.asked
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_request_leaves_the_cleaning_up_alone() -> None:
    cleaned = False
    with pytest.raises(KeyboardInterrupt), heeded():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGTERM)
            cleaned = True
    assert cleaned


class Dropped:
    """Python drops what is raised when an object goes."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_a_request_that_python_drops_is_made_again(capfd: Any) -> None:
    with pytest.raises(KeyboardInterrupt), heeded():
        Dropped()
        time.sleep(5)
    assert capfd.readouterr().err == ""


def test_a_request_during_a_kernel_stops_its_caller() -> None:
    """numba crashes if its handing back of a result is interrupted."""
    owner = np.zeros(100_000, dtype=np.int32)
    entries = (owner, owner, np.ones(len(owner), dtype=np.int64), owner, 1)
    kernels.roll_up_values(*entries)
    for _ in range(20):
        with pytest.raises(KeyboardInterrupt), heeded():
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            until = time.monotonic() + 5
            while time.monotonic() < until:
                kernels.roll_up_values(*entries)
