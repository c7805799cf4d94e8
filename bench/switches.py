"""Counts how far one ``anonymize`` of the demo's hospital file is spread over the source.

``python -m bench.switches [POLICY.yaml]`` runs ``discreet anonymize`` with that policy, or the
demo's own, twice in one new process: the first run loads modules and compiled kernels, the second
is counted. Counted are calls of functions of the product's own modules (`sys.setprofile`); the
bodies of modules and classes are not functions.

- functions, modules: how many different ones run;
- pairs of functions: from a function of one module to one of another, each pair counted once: what
  a reader has to follow from one file to another, whatever the size of the table;
- pairs that are steps: the same without properties, which a reader takes for plain attributes;
- pairs of modules: the pairs of functions by module;
- calls: how often a call leaves its module, each time counted; grows with the table.

A call through a library (a callback of DuckDB or click, a decorator) counts as one from the
product's function that is next below on the stack. Other threads are not seen. Comprehensions and
lambdas belong to the function around them.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cached_property
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Function = tuple[str, str]
"""A module and the name of a function in it."""


class Trace:
    """Which functions of the product ran, and which called which across modules."""

    def __init__(self, root: Path) -> None:
        self.functions: set[Function] = set()
        self.switches: Counter[tuple[Function, Function]] = Counter()
        self._root = f"{root}/"
        self._names: dict[CodeType, Function | None] = {}

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        """Take one event of `sys.setprofile`."""
        if event != "call":
            return
        called = self._name(frame)
        if called is None:
            return
        self.functions.add(called)
        caller = self._caller(frame)
        if caller is not None and caller[0] != called[0]:
            self.switches[caller, called] += 1

    def count_steps(self) -> int:
        """How many pairs of functions do not end at a property."""
        return sum(not _is_property(called) for _, called in self.switches)

    def _caller(self, frame: FrameType) -> Function | None:
        below = frame.f_back
        while below is not None:
            found = self._name(below)
            if found is not None:
                return found
            below = below.f_back
        return None

    def _name(self, frame: FrameType) -> Function | None:
        code = frame.f_code
        if code not in self._names:
            self._names[code] = self._read_name(code)
        return self._names[code]

    def _read_name(self, code: CodeType) -> Function | None:
        if not code.co_filename.startswith(self._root) or code.co_name == "<module>":
            return None
        if not code.co_flags & 0x2:  # CO_NEWLOCALS: the body of a class has none
            return None
        module = code.co_filename.removeprefix(self._root).removesuffix(".py").replace("/", ".")
        around = code.co_qualname.split(".<locals>.<")[0].removesuffix(".<lambda>")
        return module, around


def _is_property(function: Function) -> bool:
    """Whether a function is what a property of a class calls."""
    found: Any = sys.modules.get(f"discreet.{function[0]}")
    *around, name = function[1].split(".")
    for part in around:
        found = getattr(found, part, None)
    held = vars(found).get(name) if isinstance(found, type) else None
    return isinstance(held, property | cached_property)


def count_here(table: Path, policy: Path, folder: Path) -> None:
    """Run the command twice in this process and print what the second run did."""
    import discreet
    from discreet.cli.main import app

    trace = Trace(Path(discreet.__file__).parent)
    for run in range(2):
        args = ["anonymize", table, "--policy", policy, "-o", folder / f"out{run}.csv", "--json"]
        with contextlib.redirect_stdout(io.StringIO()):
            if run:
                sys.setprofile(trace.see)
            code = app(args=[str(arg) for arg in args], standalone_mode=False)
            sys.setprofile(None)
        if code:
            raise SystemExit(f"anonymize ended with {code}")
    modules = {module for module, _ in trace.functions}
    pairs = {(caller[0], called[0]) for caller, called in trace.switches}
    print(f"{'functions':40} {len(trace.functions):8,}")
    print(f"{'modules':40} {len(modules):8,}")
    print(f"{'switches: pairs of functions':40} {len(trace.switches):8,}")
    print(f"{'switches: pairs that are steps':40} {trace.count_steps():8,}")
    print(f"{'switches: pairs of modules':40} {len(pairs):8,}")
    print(f"{'switches: calls':40} {sum(trace.switches.values()):8,}")


def main() -> None:
    """Make the demo's town and count one release of its hospital file."""
    if len(sys.argv) == 5 and sys.argv[1] == "--here":
        count_here(*(Path(one) for one in sys.argv[2:]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [sys.executable, "-m", "discreet", "demo", "--folder", str(folder / "town")]
        subprocess.run([*made, "--quiet"], check=True)
        counted = [sys.executable, "-m", "bench.switches", "--here"]
        town = folder / "town"
        policy = town / "policy.yaml" if len(sys.argv) < 2 else Path(sys.argv[1])
        paths = [town / "hospital.csv", policy, folder]
        subprocess.run([*counted, *map(str, paths)], check=True)


if __name__ == "__main__":
    main()
