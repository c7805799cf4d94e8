"""Commands that write, killed, asked to end, out of disk space, or two at once, at any moment.

What is checked afterwards is read off the folder with plain Python: the target is absent, the older
one as it was, or a new one whole; nobody said that nothing was written where something was; the
ledger knows what is out; what is left hidden is for its owner alone and holds nothing private; the
next run works and removes it.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from soak.part import Part, ProductError

K = 3
MARK = "zq7private"
"""In every private value that no release may hold."""
OLDER = b"an older file\n"
QUASI = ("age", "zip", "sex")
POLICY = f"""\
columns:
  who: {{role: identifier}}
  age: {{role: quasi, hierarchy: {{intervals: [5, 10, 20]}}}}
  zip: {{role: quasi, hierarchy: {{prefix: [4, 3]}}}}
  sex: {{role: quasi}}
  ill: {{role: sensitive}}
require:
  - k_anonymity: {{k: {K}}}
suppress: 0.2
seed: 5
"""
PEOPLE = f"""\
people: {{column: who}}
columns:
  sex: {{role: quasi}}
  zip: {{role: quasi, hierarchy: {{prefix: [4, 3]}}}}
  ill: {{role: sensitive}}
require:
  - k_anonymity: {{k: {K}}}
suppress: 0.9
seed: 5
"""
TOGETHER = f"""\
people: {{column: who}}
columns:
  patients.sex: {{role: quasi}}
  visits.zip: {{role: quasi, hierarchy: {{prefix: [4, 3]}}}}
  visits.ill: {{role: sensitive}}
require:
  - k_anonymity: {{k: {K}}}
suppress: 0.9
seed: 5
"""
ENCRYPTED = """\
columns:
  who: {role: identifier, replace: {encrypt: {key: people.key}}}
  sex: {role: quasi}
require:
  - k_anonymity: {k: 2}
suppress: 0.5
order: keep
"""
LIMIT = 120
"""Seconds after which a run is taken to hang."""
usual: dict[str, float] = {}
"""How long each command took when it was last left alone."""


@dataclass(frozen=True)
class Command:
    """A command that writes, its target in the folder ``out``, and what makes the target whole."""

    args: tuple[str, ...]
    target: str
    check: Callable[[Path], None]
    again: tuple[str, ...] = ("--force",)
    """What lets the next run write to the same target; without it another target is named."""
    private: bool = False
    """The target itself is as private as the input."""
    repeats: bool = True
    """The next run writes the same bytes."""
    setup: tuple[tuple[str, ...], ...] = ()
    flag: tuple[str, ...] = ("-o",)
    after: tuple[str, ...] = ()
    """What follows the target on the command line."""
    goes_on: bool = False
    """A run takes what an earlier one wrote and goes on from it: two at once both end well."""
    copied: tuple[str, ...] = ()
    """Files of the set-up that the command finds beside its target."""
    files: tuple[str, ...] = ()
    """What a target that is filled file by file has in the end."""


def _rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a released table of any kind."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute("SELECT * FROM release")]
    if path.suffix == ".parquet":
        import pyarrow.parquet

        return [dict(row) for row in pyarrow.parquet.read_table(path).to_pylist()]
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            sheet = book.read("xl/worksheets/sheet1.xml").decode()
        cells = [
            re.findall(r"<c [^>]*?(?:/>|>.*?</c>)", row, re.DOTALL)
            for row in re.findall(r"<row.*?</row>", sheet, re.DOTALL)
        ]
        texts = [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells]
        return [dict(zip(texts[0], row, strict=True)) for row in texts[1:]]
    return list(csv.DictReader(io.StringIO(data.decode())))


def check_release(path: Path) -> None:
    """A whole release: only its columns, and k rows alike on the quasi columns."""
    rows = _rows_of(path)
    _expect(rows and set(rows[0]) == {*QUASI, "ill"}, "a release lacks rows or columns")
    counts = Counter(tuple(row[name] for name in QUASI) for row in rows)
    _expect(min(counts.values()) >= K, f"a class of a release has fewer than {K} rows")


def check_people(path: Path) -> None:
    """A whole release of people: k people with the same rows."""
    _check_records({"": _rows_of(path)}, ("sex", "zip"))


def check_together(path: Path) -> None:
    """A whole folder: both tables, and k people with the same rows in both."""
    names = sorted(one.name for one in path.iterdir())
    _expect(names == ["patients.csv", "visits.csv"], f"a release together has the files {names}")
    _check_records({name: _rows_of(path / name) for name in names}, ("sex", "zip"))


def _check_records(tables: dict[str, list[dict[str, str]]], quasi: tuple[str, ...]) -> None:
    records: dict[str, list[str]] = {}
    for name, rows in tables.items():
        for row in rows:
            shown = "|".join(row.get(one) or "" for one in quasi)
            records.setdefault(row["who"], []).append(f"{name}|{shown}")
    counts = Counter(tuple(sorted(record)) for record in records.values())
    _expect(not counts or min(counts.values()) >= K, f"a record has fewer than {K} people")


def check_scrubbed(path: Path) -> None:
    """Whole scrubbed text: its last line is there, and no marked address."""
    for one in [path] if path.is_file() else [path / name for name in ("a.txt", "b.txt", "c.csv")]:
        text = one.read_text()
        _expect(text.rstrip().endswith("the end"), f"{one.suffix} text is not whole")
        _expect(MARK not in text, "a marked address was not scrubbed")


def check_policy(path: Path) -> None:
    """A whole policy names every column, and has what follows them."""
    text = path.read_text()
    _expect(all(f"{name}:" in text for name in (*QUASI, "ill", "require")), "a policy is cut off")


def check_key(path: Path) -> None:
    """A whole key, for its owner alone."""
    _expect(re.fullmatch(r"[0-9a-f]{64}\n", path.read_text()) is not None, "a key is not whole")
    _expect(stat.S_IMODE(path.stat().st_mode) == 0o600, "a key can be read by others")


def check_certificate(path: Path) -> None:
    """A whole envelope, with its signature."""
    signed = json.loads(path.read_text())
    _expect(bool(signed["payload"] and signed["signatures"][0]["sig"]), "a certificate is cut off")


def check_restored(path: Path) -> None:
    """All identifiers are back, for their owner alone."""
    _expect(all(MARK in row["who"] for row in _rows_of(path)), "an identifier was not restored")
    _expect(stat.S_IMODE(path.stat().st_mode) == 0o600, "restored rows can be read by others")


def check_demo(path: Path) -> None:
    """Each file that is there is whole, and the release is k-anonymous."""
    for one in path.glob("[!.]*"):
        _expect(one.read_bytes().endswith(b"\n"), f"{one.name} of the demo is cut off")
    if (path / "release.csv").exists():
        rows = _rows_of(path / "release.csv")
        quasi = ("birth", "sex", "zip", "race")
        counts = Counter(tuple(row[name] for name in quasi) for row in rows)
        _expect(min(counts.values()) >= 5, "a class of the demo has fewer than 5 rows")


ENDS = {".svg": b"</svg>", ".png": b"IEND\xaeB`\x82", ".pdf": b"%%EOF"}


def check_picture(path: Path) -> None:
    """A picture has its end."""
    _expect(path.read_bytes().rstrip().endswith(ENDS[path.suffix]), "a picture is cut off")


def check_report(path: Path) -> None:
    """A report has its end."""
    _expect(path.read_bytes().rstrip().endswith(b"</html>"), "a report is cut off")


def check_metadata(path: Path) -> None:
    """Each file that is there is whole."""
    for one in path.glob("[!.]*"):
        _expect(one.read_bytes().endswith(b"\n"), f"{one.name} of the metadata is cut off")


def check_likelihoods(path: Path) -> None:
    """Trained likelihoods are whole, and hold no text."""
    _expect(json.loads(path.read_text())["language"] == "en", "likelihoods are cut off")
    _expect(MARK not in path.read_text(), "a text is in the likelihoods")


def check_facts(path: Path) -> None:
    """A line for each text, for its owner alone."""
    with path.open(newline="") as opened:
        lines = list(csv.reader(opened))
    _expect(len(lines) > 3 and len({len(line) for line in lines}) == 1, "facts are cut off")
    _expect(stat.S_IMODE(path.stat().st_mode) == 0o600, "private facts can be read by others")


def check_audience(path: Path) -> None:
    """The release is still in the ledger; a line that is whole is one of both kinds."""
    text = path.read_text()
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    _expect("file_hash" in lines[0], "the ledger lost a release")
    members = [line["includes"] for line in lines[1:]]
    _expect(all(one == ["clinic"] for one in members), "the ledger holds another audience")


def check_risk(path: Path) -> None:
    """A line for each row of the private table."""
    rows = _rows_of(path)
    _expect([row["row"] for row in rows] == [str(n + 1) for n in range(ROWS)], "rows are missing")


def check_page(path: Path) -> None:
    """A whole page, for its owner alone."""
    _expect("</html>" in path.read_text()[-200:], "a page is cut off")
    _expect(stat.S_IMODE(path.stat().st_mode) == 0o600, "a private page can be read by others")


ROWS = 90
_TABLE = ("anonymize", "in/private.csv", "--policy", "in/policy.yml")
_SCRUB = ("--key", "in/people.key", "--jobs", "1")
_LEDGER = ("--ledger", "out/L", "--to", "public")

COMMANDS = {
    **{
        f"anonymize {kind}": Command(_TABLE, f"release.{kind}", check_release)
        for kind in ("csv", "csv.gz", "parquet", "xlsx", "sqlite")
    },
    "anonymize --ledger": Command(
        (*_TABLE, *_LEDGER), "release.csv", check_release, repeats=False
    ),
    "anonymize people": Command(
        ("anonymize", "in/visits.csv", "--policy", "in/people.yml"), "release.csv", check_people,
        repeats=False,
    ),
    "together": Command(
        ("together", "in/patients.csv", "in/visits.csv", "--policy", "in/together.yml"),
        "release", check_together, again=(), repeats=False,
    ),
    "scrub file": Command(("scrub", "in/texts/a.txt", *_SCRUB), "a.txt", check_scrubbed),
    "scrub table": Command(("scrub", "in/texts/c.csv", *_SCRUB), "c.csv", check_scrubbed),
    "scrub folder": Command(("scrub", "in/texts", *_SCRUB), "texts", check_scrubbed),
    "scrub --review": Command(
        ("scrub", "in/texts", *_SCRUB), "page.html", check_page, private=True, flag=("--review",)
    ),
    "inspect --write-policy": Command(
        ("inspect", "in/private.csv"), "policy.yml", check_policy, flag=("--write-policy",)
    ),
    "risk --rows": Command(
        ("risk", "in/private.csv", "-q", "age", "-q", "zip"), "rows.csv", check_risk,
        flag=("--rows",),
    ),
    "demo": Command(
        ("demo", "--quiet"), "demo", check_demo, again=(), flag=("--folder",), goes_on=True,
        repeats=False,
        files=("certificate.json", "hospital.csv", "policy.yaml", "release.csv",
               "report-outside.html", "report.html", "signing.key", "signing.key.pub",
               "voters.csv"),
    ),
    "hipaa --write-policy": Command(
        ("hipaa", "in/private.csv", "--as-of", "2026-11-17"), "policy.yml", check_policy,
        flag=("--write-policy",),
    ),
    "identify --picture": Command(
        ("identify", "in/private.csv"), "keys.svg", check_picture, flag=("--picture",)
    ),
    "risk --picture": Command(
        ("risk", "in/private.csv", "-q", "age", "-q", "zip"), "unique.png", check_picture,
        flag=("--picture",),
    ),
    "risk --map": Command(
        ("risk", "in/private.csv", "-q", "age", "-q", "zip", "--alpha", "0.5", "--population",
         "1000"),
        "map.pdf", check_picture, flag=("--map",),
    ),
    "levels --picture": Command(
        ("levels", "in/private.csv", "-q", "age", "-q", "zip"), "levels.svg", check_picture,
        flag=("--picture",),
    ),
    "compare --picture": Command(
        ("compare", "in/private.csv", "--policy", "in/policy.yml", "-a", "datafly", "-a", "local"),
        "compared.svg", check_picture, flag=("--picture",),
    ),
    "compare --report": Command(
        ("compare", "in/private.csv", "--policy", "in/policy.yml", "-a", "datafly", "-a", "local"),
        "compared.html", check_report, flag=("--report",), repeats=False,
    ),
    "anonymize --report": Command(
        (*_TABLE, "-o", "in/reported.csv", "--force"), "report.html", check_report,
        flag=("--report",), repeats=False, again=(),
    ),
    "report": Command(
        ("report", "in/released.csv", "--policy", "in/policy.yml", "--original", "in/private.csv"),
        "report.html", check_report, repeats=False,
        setup=((*_TABLE, "-o", "in/released.csv"),),
    ),
    "report --metadata": Command(
        ("report", "in/released.csv", "--policy", "in/policy.yml"), "metadata", check_metadata,
        flag=("--metadata",), repeats=False, setup=((*_TABLE, "-o", "in/released.csv"),),
        files=("croissant.json", "dictionary.csv", "dictionary.md", "dpia.md", "methods.txt"),
    ),
    "scrub --train": Command(
        ("scrub", "--train", "in/gold.jsonl"), "ours.json", check_likelihoods,
        flag=("--likelihoods",),
    ),
    "scrub --facts": Command(
        ("scrub", "in/texts", *_SCRUB), "facts.csv", check_facts, private=True, flag=("--facts",)
    ),
    "scrub --key": Command(
        ("scrub", "in/texts/a.txt", "--jobs", "1", "-o", "-"), "new.key", check_key, again=(),
        private=True, flag=("--key",), goes_on=True,
    ),
    "ledger audience": Command(
        ("ledger", "audience"), "L", check_audience, again=(), repeats=False, flag=(),
        after=("lab", "--includes", "clinic"), goes_on=True,
        setup=((*_TABLE, "--ledger", "in/L", "--to", "lab", "-o", "in/first.csv"),),
        copied=("L", "L.key"),
    ),
    "key": Command(("key",), "new.key", check_key, again=(), private=True, repeats=False, flag=()),
    "certify": Command(
        ("certify", "in/released.csv", "--policy", "in/policy.yml", "--key", "in/signing.key"),
        "certificate.json", check_certificate, repeats=False,
        setup=((*_TABLE, "-o", "in/released.csv"), ("key", "--signing", "in/signing.key")),
    ),
    "restore": Command(
        ("restore", "in/encrypted.csv", "--column", "who", "--key", "in/people.key"),
        "restored.csv", check_restored, private=True,
        setup=(("anonymize", "in/private.csv", "--policy", "in/encrypted.yml",
                "-o", "in/encrypted.csv"),),
    ),
}  # fmt: skip

READ = {
    **{
        f"{name} file": "the table or release that the command is about"
        for name in (
            *("inspect", "identify", "mask", "risk", "levels", "hipaa", "anonymize", "compare"),
            *("techniques", "verify", "attack", "restore", "advise", "certify", "report", "web"),
        )
    },
    "* --policy": "a policy",
    "* --register": "a register of people",
    "* --earlier": "a release that is out",
    "* --summary": "published counts",
    "* --original": "the private table",
    "together files": "the tables",
    "risk --with": "one more table of frequencies",
    "hipaa --zip-table": "people by ZIP prefix",
    "verify --certificate": "the certificate to be checked",
    "verify --key": "public keys of those who should have signed",
    "verify --also": "more files that a certificate is about",
    "certify --key": "signing keys, which must be there",
    "certify --facts": "what was printed of a release and of attacks",
    "certify --also": "more files to sign",
    "certify --ledger": "the ledger that has the release",
    "certify --add-to": "a certificate, replaced as the target of -o is",
    "report --facts": "what was printed of a release and of attacks",
    "report --ledger": "the ledger that has the release",
    "restore --key": "the key of the pseudonyms, which must be there",
    "scrub paths": "the documents",
    "scrub --people": "names that are known",
    "scrub --evaluate": "marked text",
    "scrub --decisions": "what was decided on the page",
    "ledger --file": "a release to look up",
}
"""Paths of the command line that are read only, and what they are.

Every other one is written to and belongs to a command above.
"""


@dataclass
class Trial:
    """One command in one folder, before and after something happened to it."""

    folder: Path
    name: str
    command: Command
    older: bytes | None = None
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def target(self) -> Path:
        return self.out / self.command.target

    def args(self, again: bool = False, target: Path | None = None) -> list[str]:
        """The command line."""
        force = self.command.again if again or self.older is not None else ()
        named = (*self.command.flag, str(target or self.target), *self.command.after)
        return [*self.command.args, *named, *force]

    def state(self) -> dict[str, str] | None:
        """Every file of the target by its hash; None if there is no target, or only its folder."""
        if not os.path.lexists(self.target):
            return None
        paths = [self.target] if self.target.is_file() else sorted(self.target.rglob("*"))
        found = {
            str(path.relative_to(self.out)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in paths
            if path.is_file() and not path.name.startswith(".discreet-")
        }
        return None if self.command.files and not found else found


def run_case(draw: random.Random, folder: Path) -> Counter[str]:
    """Let something happen to one command, and look at what it leaves."""
    name = draw.choice(list(COMMANDS))
    trial = Trial(folder, name, COMMANDS[name])
    _make_inputs(draw, folder)
    _run_setup(trial)
    if trial.command.again and draw.random() < 0.3 and trial.command.target != "texts":
        trial.older = OLDER
    event = draw.choice(("SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "full disk", "two writers"))
    with _small_disk(trial.out, draw if event == "full disk" else None) as full:
        if trial.older is not None:
            try:
                trial.target.write_bytes(trial.older)
            except OSError:  # not even the older file has room
                trial.target.unlink(missing_ok=True)
                trial.older = None
        if not _copy_files(trial):
            return Counter({"no room for the set-up": 1})
        before = trial.state()
        if event == "two writers":
            _two_writers(trial)
        else:
            limit = _limit_files(draw) if event == "full disk" and full is None else None
            code, told = _strike(draw, trial, event, limit)
            _check_after(trial, before, code, told)
            _check_left_over(trial)
        if full is not None:
            full.unlink(missing_ok=True)
        _check_next_run(trial)
    trial.counts.update({"runs ended": 1, event: 1})
    return trial.counts


def _make_inputs(draw: random.Random, folder: Path) -> None:
    private = folder / "in"
    (private / "texts").mkdir(parents=True)
    (folder / "out").mkdir(exist_ok=True)
    lines = [
        f"{MARK}{n},{draw.randrange(20, 60)},{draw.randrange(2130, 2150):05},{draw.choice('fm')},"
        f"d{draw.randrange(5)}"
        for n in range(ROWS)
    ]
    (private / "private.csv").write_text("who,age,zip,sex,ill\n" + "\n".join(lines) + "\n")
    people = [f"{MARK}{n},{'fm'[n % 2]}" for n in range(30)]
    visits = [f"{MARK}{n},{'fm'[n % 2]},0213{draw.randrange(2)},d{n % 4}" for n in range(30)]
    (private / "patients.csv").write_text("who,sex\n" + "\n".join(people) + "\n")
    (private / "visits.csv").write_text("who,sex,zip,ill\n" + "\n".join(visits) + "\n")
    policies = {"policy": POLICY, "people": PEOPLE, "together": TOGETHER, "encrypted": ENCRYPTED}
    for name, text in policies.items():
        (private / f"{name}.yml").write_text(text)
    address = f"Write to mary.{MARK}@mail.example or call 617-555-0199.\n"
    length = draw.randrange(1, 400)
    for name in ("a.txt", "b.txt"):
        (private / "texts" / name).write_text(address * length + "the end\n")
    cells = "".join(f"{address.strip()}\n" for _ in range(length))
    (private / "texts" / "c.csv").write_text(f"note\n{cells}the end\n")
    start = address.index("mary")
    marked = {"start": start, "end": address.index(" or"), "label": "EMAIL"}
    line = json.dumps({"text": address, "spans": [marked]})
    (private / "gold.jsonl").write_text(f"{line}\n" * 20)
    key = private / "people.key"
    key.write_text(f"{draw.randbytes(32).hex()}\n")
    key.chmod(0o600)


def _run_setup(trial: Trial) -> None:
    for args in trial.command.setup:
        done = subprocess.run(
            [sys.executable, "-m", "discreet", *args],
            cwd=trial.folder, capture_output=True, timeout=LIMIT, check=False,
        )  # fmt: skip
        _expect(done.returncode == 0, f"setting up {trial.name} failed: {done.stderr.decode()}")


def _copy_files(trial: Trial) -> bool:
    """Put files of the set-up beside the target, if there is room for them."""
    try:
        for name in trial.command.copied:
            shutil.copy2(trial.folder / "in" / name, trial.out / name)
    except OSError:
        return False
    return True


@contextmanager
def _small_disk(out: Path, draw: random.Random | None) -> Iterator[Path | None]:
    """Put the folder on a small disk that is nearly full, if this is allowed; gives the filler."""
    if draw is None:
        yield None
        return
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "none", str(out)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        yield None
        return
    try:
        filler = out / "filler"
        pages = draw.choice((1, 2, 3, 4, 6, 8, 12, 40, 1100))  # the demo takes 1,250
        filler.write_bytes(bytes((16 << 20) - 4096 * pages))
        yield filler
    finally:
        _unmount(out)


def _unmount(out: Path) -> None:
    """Take the small disk away; the kernel may still be closing files of a killed program."""
    for _ in range(100):
        if subprocess.run(["umount", str(out)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise AssertionError("a killed program still holds the disk that it wrote to")


def _limit_files(draw: random.Random) -> int:
    return draw.choice((0, 1, 10, 100, 1_000, 4_000))


def _start(trial: Trial, args: list[str], limit: int | None = None) -> subprocess.Popen[bytes]:
    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whatever whoever runs this ignores
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "discreet", *args],
        cwd=trial.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare,
    )  # fmt: skip


def _strike(draw: random.Random, trial: Trial, event: str, limit: int | None) -> tuple[int, str]:
    """Run the command and let it happen; gives the exit code and what was said."""
    with _start(trial, trial.args(), limit) as run:
        if event.startswith("SIG"):
            _wait(draw, trial, run)
            run.send_signal(getattr(signal, event))
        try:
            out, err = run.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            run.kill()
            raise ProductError(f"{trial.name}: does not end after {event}") from None
    return run.returncode, (out + err).decode(errors="replace")


def _wait(draw: random.Random, trial: Trial, run: subprocess.Popen[bytes]) -> None:
    """Wait for a random part of the usual time, or a little longer than for a hidden file."""
    if draw.random() < 0.4:
        time.sleep(draw.random() * 1.1 * usual.get(trial.name, 2.0))
        return
    limit = time.monotonic() + LIMIT
    while run.poll() is None and time.monotonic() < limit:
        if any(path.name.startswith(".discreet-") for path in trial.out.iterdir()):
            time.sleep(draw.random() ** 3 * 0.3)
            return
        time.sleep(0.0005)


def _check_after(trial: Trial, before: dict[str, str] | None, code: int, told: str) -> None:
    """The target is as it was, or new and whole; what was said and entered is true."""
    after, known = trial.state(), {0, 2, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT}
    _expect(code in known, f"{trial.name}: ended with {code}: {told}")
    starting = code == -signal.SIGINT and after == before  # Python itself was, and says so
    _expect("Traceback" not in told or starting, f"{trial.name}: a traceback, {code}: {told}")
    _expect(MARK not in told, f"{trial.name}: a private value was said")
    new = after != before
    if new:
        trial.command.check(trial.target)
        trial.counts["targets whole"] += 1
    says_nothing = "nothing was" in told.lower() or "No policy was written" in told
    _expect(not (new and says_nothing), f"{trial.name}: it is there, but: {told}")
    if code == 0:
        _expect(new or trial.older is not None, f"{trial.name}: ended well without a target")
        _check_files(trial)
    elif new and code == 2 and not trial.command.files:
        said = "written" in told or "what was printed" in told  # a key is made on the way
        _expect(said, f"{trial.name}: it is there, and was not said to be: {told}")
    if "--ledger" in trial.command.args:
        _check_ledger(trial, trial.out / "L", after if new else None)
    trial.counts["messages true"] += 1


def _check_ledger(trial: Trial, ledger: Path, written: dict[str, str] | None) -> None:
    """What is out is in the ledger; what is only in the ledger is marked as unconfirmed."""
    key_file = ledger.with_name("L.key") if ledger.name == "L" else Path(f"{ledger}.key")
    if not ledger.exists() or not key_file.exists():
        _expect(written is None, f"{trial.name}: released without a ledger")
        return
    text = ledger.read_text()
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    withdrawn = {line["withdraws"] for line in lines if "withdraws" in line}
    entries = {
        line["number"]: line["file_hash"]
        for line in lines
        if "file_hash" in line and line["number"] not in withdrawn
    }
    key = json.loads(key_file.read_text())
    doubtful = {*key.get("unconfirmed", ()), *(n for n in entries if n > key["count"])}
    out = set(written.values()) if written else set()
    _expect(out <= set(entries.values()), f"{trial.name}: released, and not in the ledger")
    wrong = [n for n, digest in entries.items() if digest not in out and n not in doubtful]
    _expect(not wrong, f"{trial.name}: the ledger confirms a release that is not there")
    trial.counts["ledgers right"] += 1


def _check_files(trial: Trial) -> None:
    """A target that is filled file by file has all of them once a run ended well."""
    if trial.command.files:
        found = sorted(path.name for path in trial.target.glob("[!.]*"))
        _expect(found == list(trial.command.files), f"{trial.name}: has the files {found}")


def _check_left_over(trial: Trial) -> None:
    """What is left hidden is for its owner alone, and holds nothing that is not to be released."""
    expected = {trial.command.target, "L", "L.key", "filler"}
    inside = trial.target.rglob(".discreet-*") if trial.target.is_dir() else ()
    for path in (*trial.out.iterdir(), *inside):
        if path.name in expected:
            continue
        hidden = path.name.startswith(".discreet-")
        _expect(hidden, f"{trial.name}: left {path.name}")
        rights = stat.S_IMODE(path.lstat().st_mode)
        _expect(rights & 0o077 == 0, f"{trial.name}: others can read what is left ({rights:o})")
        files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
        if not trial.command.private:
            held = any(MARK.encode() in one.read_bytes() for one in files)
            _expect(not held, f"{trial.name}: a private value is in what is left")
        trial.counts["left-overs checked"] += 1


def _check_next_run(trial: Trial) -> None:
    """The next run works, sweeps, and writes what an ended run wrote if that was complete."""
    before = trial.state()
    other = trial.out / f"second-{trial.command.target}"
    free = trial.command.again or trial.command.goes_on or before is None
    started = time.monotonic()
    with _start(trial, trial.args(again=True, target=None if free else other)) as run:
        out, err = run.communicate(timeout=LIMIT)
    usual[trial.name] = time.monotonic() - started
    told = (out + err).decode(errors="replace")
    _expect(run.returncode == 0, f"{trial.name}: the next run ended with {run.returncode}: {told}")
    trial.command.check(trial.target if free else other)
    _check_files(trial)
    hidden = [path.name for path in trial.out.rglob(".discreet-*")]
    _expect(not hidden, f"{trial.name}: the next run left {hidden}")
    after = trial.state()
    older = hashlib.sha256(OLDER).hexdigest()
    if trial.command.repeats and before is not None and older not in before.values():
        if trial.command.files:  # those that were there already
            after = {name: digest for name, digest in (after or {}).items() if name in before}
        _expect(before == after, f"{trial.name}: another run with the same seed differs")
        trial.counts["repeated byte for byte"] += 1
    trial.counts["next runs"] += 1


def _two_writers(trial: Trial) -> None:
    """Of two runs with one target, one writes it and the other says so, or with force both do."""
    args = trial.args()
    lines = [args, [*args]]
    if "--ledger" in args:
        lines[1][lines[1].index("out/L")] = "out/M"
    before = trial.state()
    runs = [_start(trial, line) for line in lines]
    told = [b"".join(run.communicate(timeout=LIMIT)).decode(errors="replace") for run in runs]
    codes = [run.returncode for run in runs]
    forced = trial.older is not None or trial.command.goes_on
    waits = trial.command.goes_on and any("is using it" in one for one in told)
    wanted = [0, 0] if forced and not waits else [0, 2]
    _expect(sorted(codes) == wanted, f"{trial.name}: {codes} {told}")
    _expect(trial.state() != before, f"{trial.name}: nobody wrote")
    trial.command.check(trial.target)
    if not forced:
        loser = told[codes.index(2)]
        known = ("in the meantime", "exists already", "is there already", "not empty")
        _expect(any(one in loser for one in known), f"{trial.name}: the loser said: {loser}")
        if "--ledger" in args:
            for code, name in zip(codes, ("L", "M"), strict=True):
                _check_ledger(trial, trial.out / name, trial.state() if code == 0 else None)
    if "--ledger" in args:
        for path in trial.out.glob("M*"):
            path.unlink()
    trial.counts["two writers, one target"] += 1


def _expect(holds: object, what: str) -> None:
    if not holds:
        raise ProductError(what)


PART = Part("kills", run_case)
