"""Commands run in processes of their own: seconds of CPU and wall, and the peak of memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

DISCREET = (sys.executable, "-m", "discreet")


@dataclass(frozen=True)
class Ran:
    """What one process took, and what it printed."""

    cpu: float
    wall: float
    peak: int
    printed: str


def run(command: Sequence[str], **settings: str) -> Ran:
    """Run a command to its end; one that fails ends the case with the last line that it said.

    Modules that Python has compiled are kept for the next run, whatever the environment says;
    ``settings`` are further variables of the environment.
    """
    settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **settings}
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings
    ) as process:
        assert process.stdout and process.stderr
        printed, said = process.stdout.read().decode(), process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        last = (said.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"exit {process.returncode}: {last}")
    return Ran(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, printed)


def run_python(code: str, *arguments: str) -> Ran:
    """Run some lines of Python in a new process."""
    return run([sys.executable, "-c", code, *arguments])
