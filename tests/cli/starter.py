"""Commands in processes of their own that need not load the package first.

Loading it takes longer than most commands do. One process per session has it loaded and forks; a
command that runs in a child has its own standard streams, folder, environment, CPU time and memory,
and ends as the shell's would. What happens while the package loads is for tests that start Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

FORK = """
import json, os, sys
import discreet
from discreet.cli.main import main
from discreet.cli.app import COMMANDS, app
from discreet.pipeline import anonymize, verify
for line in sys.stdin:
    folder, arguments, environment, streams = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in enumerate(streams, 1):
            os.dup2(os.open(path, os.O_WRONLY), number)
        sys.argv = ["discreet", *arguments]
        main()
    _, status, usage = os.wait4(child, 0)
    used = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    print(json.dumps([os.waitstatus_to_exitcode(status), *used]), flush=True)
"""


class Ended(NamedTuple):
    """How a command ended, what it used, and what it said."""

    code: int
    cpu: float
    peak: int
    out: str
    err: str


class Starter:
    """Runs commands one after the other, each in a child of a process that has them loaded."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> Ended:
        """Run a command in a folder, with the variables of the environment as they are now."""
        there = dict(os.environ if environment is None else environment)
        pipes = self._process.stdin, self._process.stdout
        assert pipes[0] is not None and pipes[1] is not None
        with tempfile.TemporaryDirectory() as place:
            streams = [Path(place, name) for name in ("out", "err")]
            for stream in streams:
                stream.touch()
            asked = [str(folder), list(arguments), there, list(map(str, streams))]
            print(json.dumps(asked), file=pipes[0], flush=True)
            code, cpu, peak = json.loads(pipes[1].readline())
            out, err = (stream.read_text(errors="replace") for stream in streams)
        return Ended(code, cpu, peak, out, err)

    def close(self) -> None:
        self._process.communicate()
