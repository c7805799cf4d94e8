"""Ended in the middle: one plain line, code 2, no release and nothing left over."""

from __future__ import annotations

import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from discreet.cli.failure import explain
from discreet.cli.target import Target
from discreet.errors import WriteError
from discreet.ledger.ledger import Ledger
from discreet.table import atomic

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fdinfo").is_dir(), reason="a run is watched through Linux's /proc"
)

OLDER = b"an older release\n"
LINE = "discreet: interrupted; nothing was written"
POLICY = """\
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  zip: {role: quasi, hierarchy: {prefix: [4, 3, 2]}}
  birth: {role: quasi, hierarchy: {dates: [month, year, 5 years, 10 years]}}
  sex: {role: quasi}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 5}
  - l_diversity: {column: disease, ell: 3}
suppress: 0.1
"""


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 300,000 rows and its policy."""
    return made(tmp_path_factory.mktemp("private"), 300_000)


def made(folder: Path, count: int) -> Path:
    """The folder, with a private table of so many rows and its policy."""
    draw = random.Random(7).randrange
    rows = (
        f"{draw(100)},{draw(10_000, 11_000)},{draw(1920, 2010)}-{draw(1, 13):02}-{draw(1, 29):02},"
        f"{'FM'[draw(2)]},d{draw(31)}\n"
        for _ in range(count)
    )
    (folder / "private.csv").write_text("age,zip,birth,sex,disease\n" + "".join(rows))
    (folder / "policy.yml").write_text(POLICY)
    return folder


class Run:
    """``discreet anonymize`` in a process of its own, with a terminal for its progress."""

    def __init__(self, private: Path, folder: Path) -> None:
        self.private, self.folder = private / "private.csv", folder
        self.out = folder / "out.csv"
        self.out.write_bytes(OLDER)
        command = [sys.executable, "-m", "discreet", "anonymize", str(self.private), "--force"]
        command += ["--policy", str(private / "policy.yml"), "-o", str(self.out)]
        self.terminal, end = pty.openpty()
        os.set_blocking(self.terminal, False)
        self.told = b""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end)
        os.close(end)

    def wait_for(self, moment: Callable[[Run], bool]) -> None:
        """Come back as soon as the run is at this moment."""
        limit = time.monotonic() + 120
        while not moment(self):
            assert self.process.poll() is None, f"ended before: {self.told.decode()}"
            assert time.monotonic() < limit
            self.read()
            time.sleep(0.001)

    def read(self) -> None:
        """Take up what the run has written to its terminal."""
        try:
            self.told += os.read(self.terminal, 1 << 16)
        except OSError:
            return

    def ended(self) -> tuple[int, str, str]:
        """Exit code, standard output, and what stays on the terminal."""
        output, _ = self.process.communicate(timeout=120)
        self.read()
        lines = self.told.decode().replace("\r\n", "\n").split("\x1b[K")
        return self.process.returncode, output.decode(), lines[-1].strip()

    def files(self) -> Iterator[tuple[str, bool]]:
        """Every file that the run has open, and whether for reading only."""
        for link in Path(f"/proc/{self.process.pid}/fd").glob("*"):
            try:
                name = str(link.readlink())
                info = Path(str(link).replace("/fd/", "/fdinfo/")).read_text()
            except OSError:
                continue
            flags = next(line for line in info.splitlines() if line.startswith("flags"))
            yield name, int(flags.split()[1], 8) & os.O_ACCMODE == os.O_RDONLY

    def left_over(self) -> list[str]:
        """What is in the folder besides the older release, which must be as it was."""
        assert self.out.read_bytes() == OLDER
        return [path.name for path in self.folder.iterdir() if path != self.out]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


@pytest.fixture
def started(private: Path, tmp_path: Path) -> Iterator[Run]:
    run = Run(private, tmp_path)
    yield run
    run.close()


def starting(run: Run) -> bool:
    """The libraries are being loaded."""
    maps = Path(f"/proc/{run.process.pid}/maps").read_text()
    return "pyarrow" in maps or "_multiarray" in maps


def counting(run: Run) -> bool:
    return any(name == str(run.private) for name, _ in run.files())


def searching(run: Run) -> bool:
    return b"searching" in run.told


def writing(run: Run) -> bool:
    return any(path.stat().st_size for path in run.folder.glob(".discreet-*"))


def verifying(run: Run) -> bool:
    hidden = str(run.folder / ".discreet-")
    return any(name.startswith(hidden) and reading for name, reading in run.files())


INT, TERM = signal.SIGINT, signal.SIGTERM


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        (starting, INT),
        (starting, TERM),
        (counting, INT),
        (counting, TERM),
        (searching, INT),
        (searching, TERM),
        (writing, TERM),
        (verifying, INT),
    ],
)
def test_a_run_that_is_told_to_end_leaves_nothing(
    started: Run, moment: Callable[[Run], bool], number: signal.Signals
) -> None:
    started.wait_for(moment)
    started.process.send_signal(number)
    code, out, err = started.ended()
    assert (code, out, err) == (2, "", LINE), err
    assert started.left_over() == []


def test_ctrl_c_while_the_program_loads_ends_it_without_a_word(tmp_path: Path) -> None:
    """A library that never finishes loading: what the program could say is not there yet."""
    (tmp_path / "click.py").write_text("import sys, time\nprint(flush=True)\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "discreet", "inspect", "private.csv", "--write-policy", "p"]
    there = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=there
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (-signal.SIGINT, b"", b"")  # 130 in a shell
    assert [path.name for path in tmp_path.iterdir()] == ["click.py"]


def test_asking_twice_does_not_stop_the_cleaning_up(started: Run) -> None:
    started.wait_for(writing)
    for _ in range(20):
        started.process.send_signal(signal.SIGINT)
        time.sleep(0.002)
    code, out, err = started.ended()
    assert (code, out, err) == (2, "", LINE), err
    assert started.left_over() == []


def test_nobody_need_read_what_an_interrupted_run_says(private: Path, tmp_path: Path) -> None:
    """Ctrl-C reaches a whole pipeline, so the reader of standard error may be gone by then."""
    command = [sys.executable, "-m", "discreet", "anonymize", str(private / "private.csv")]
    command += ["--policy", str(private / "policy.yml"), "-o", str(tmp_path / "out.csv")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        run.stderr.close()
        while not Path(f"/proc/{run.pid}/maps").read_text().count("pyarrow"):
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=120) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_killed_run_leaves_no_release_and_the_next_run_removes_the_rest(
    started: Run, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    started.wait_for(writing)
    started.process.kill()
    assert started.ended()[0] == -signal.SIGKILL
    assert all(name.startswith(".discreet-") for name in started.left_over())
    again = Run(made(tmp_path_factory.mktemp("small"), 1_000), tmp_path)
    try:
        code, told, _ = again.ended()
    finally:
        again.close()
    assert code == 0
    assert f"Written to {again.out}." in told
    assert list(tmp_path.iterdir()) == [again.out]


STRUCK = """
import os, signal, sys
from discreet.cli.main import main
from discreet.table import atomic
moment, out = sys.argv.pop(1), sys.argv.pop(1)
real, check = atomic.take_name, None
def take(hidden, target, replace):
    if target.name != out:
        return real(hidden, target, replace)
    if moment == "before":
        os.kill(os.getpid(), signal.SIGTERM)
    if moment == "refused":
        os.kill(os.getpid(), signal.SIGTERM)
        raise OSError(5, "Input/output error")
    real(hidden, target, replace)
    if moment == "after":
        os.kill(os.getpid(), signal.SIGTERM)
atomic.take_name = take
main()
"""


@pytest.mark.parametrize("moment", ["before", "after", "refused"])
def test_an_interrupted_run_says_what_is_on_disk_and_so_does_its_ledger(
    tmp_path: Path, moment: str
) -> None:
    made(tmp_path, 300)
    out, ledger = tmp_path / "out.csv", tmp_path / "L"
    command = [sys.executable, "-c", STRUCK, moment, "out.csv", "anonymize"]
    command += ["private.csv", "--policy", "policy.yml", "-o", "out.csv"]
    command += ["--ledger", "L", "--to", "public"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    found = Ledger.read(ledger)
    if moment == "refused":
        assert done.stderr == f"{LINE}\n"
        assert not out.exists()
        assert found.releases() == ()
    else:
        assert done.stderr == "discreet: interrupted after out.csv was written and complete\n"
        assert out.exists()
        assert [one.file for one in found.releases()] == ["out.csv"]
    assert found.unconfirmed == frozenset()
    assert not list(tmp_path.glob(".discreet-*"))


def test_two_runs_with_one_target_do_not_replace_each_other(tmp_path: Path) -> None:
    made(tmp_path, 2_000)
    command = [sys.executable, "-m", "discreet", "anonymize", "private.csv"]
    command += ["--policy", "policy.yml", "-o", "out.csv", "--json"]
    runs = [
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    told = [run.communicate(timeout=120) for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 2]
    ((_, loser),) = [told[n] for n, run in enumerate(runs) if run.returncode]
    assert "created this in the meantime" in loser or "exists already" in loser
    assert not list(tmp_path.glob(".discreet-*"))


def test_a_killed_scrub_of_a_folder_leaves_nothing_after_the_next_run(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(400):
        (texts / f"{number}.txt").write_text("Mary Miller was seen on 5 May 2011 in Boston. " * 40)
    command = [sys.executable, "-m", "discreet", "scrub", "texts", "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as run:
        limit = time.monotonic() + 120
        while not list(tmp_path.glob(".discreet-*.folder/*")):
            assert run.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.001)
        run.kill()
    (left,) = tmp_path.glob(".discreet-*")
    assert left.stat().st_mode & 0o777 == 0o700
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.txt").write_text("Mary Miller was seen.")
    command[4] = "one"
    assert subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "out", "texts"]


@pytest.mark.parametrize(
    ("written", "target", "error", "told"),
    [
        ((), None, KeyboardInterrupt(), "interrupted; nothing was written"),
        (("out",), "out", KeyboardInterrupt(), "interrupted after out was written and complete"),
        (
            ("page.html", "facts.csv"),
            "out",
            KeyboardInterrupt(),
            "interrupted after page.html and facts.csv were written and complete; "
            "out was not written",
        ),
        ((), "out", WriteError("out", "no", "Fix."), "out: no. Fix. Nothing was written."),
        (
            ("page.html",),
            "out",
            WriteError("out", "no", "Fix."),
            "out: no. Fix. Written before that, and complete: page.html.",
        ),
        (
            ("out",),
            "out",
            MemoryError(),
            "out is written and complete, but showing the result failed "
            "MemoryError at an unknown place",
        ),
    ],
)
def test_no_message_says_that_nothing_was_written_where_something_was(
    monkeypatch: pytest.MonkeyPatch,
    written: tuple[str, ...],
    target: str | None,
    error: BaseException,
    told: str,
) -> None:
    monkeypatch.setattr(atomic, "written", [Path(name) for name in written])
    state = {} if target is None else {"target": Target(Path(target))}
    assert explain(error, state) == told
