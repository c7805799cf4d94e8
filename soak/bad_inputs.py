"""Bad inputs of every sort: an answer in time and memory, without a traceback or a private value.

A case makes a sound table, policy, hierarchy, register, key, ledger and document, spoils some of
them, and calls a command on them. Every private cell carries a mark, which no failing run prints.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from soak.part import Part, ProductError

MARK = "Zq7"
"""Every private cell holds it, and nothing else does."""

SECONDS, KILOBYTES = 60, 2_000_000
ENDINGS = ("csv", "tsv", "csv.gz", "csv.zst", "parquet", "feather", "arrow", "xlsx", "sqlite")
NUMBERS = (
    "0", "-1", "1", "2", ".inf", "-.inf", ".nan", "1e308", "1e-320", "9" * 30, "9" * 5000, "true",
    "'5'", "text", "[]", "{}", "~", "[1, 2]", "0.5", "1.5", "99999999999999", "2001-02-03", "''",
)  # fmt: skip
ODD_PATHS = (
    ".", "/", "", "/dev/null", "/dev/zero", "/dev/urandom", "/etc/passwd", "/proc/self/mem",
    "/proc/kmsg", "nowhere/x.csv", "fifo", "socket", "loop", "folder", "nul\0byte.csv", "~", "-",
    "x" * 300, "postgresql://u:secret@h/d", "empty", "C:\\x.csv",
)  # fmt: skip


class Ran(NamedTuple):
    """How a call of the command ended."""

    code: int
    out: str
    error: str


class Made(NamedTuple):
    """The files of a case."""

    folder: Path
    table: Path
    policy: Path
    hierarchy: Path
    register: Path
    key: Path
    ledger: Path
    document: Path
    gold: Path


def run_case(random: random.Random, folder: Path) -> Counter[str]:
    """Make files, spoil some, call a command, and check what it said."""
    made = make_files(random, folder)
    counts: Counter[str] = Counter()
    for spoil in random.choices(SPOILS, k=random.choice((0, 1, 1, 1, 2))):
        spoil(random, made)
    args = random.choice(CALLS)(random, made)
    if random.random() < 0.25:
        args = with_odd_path(random, args)
    in_child = random.random() < 0.15 and not any("\0" in arg for arg in args)
    before = measure_memory()
    ran = run_child(args, folder) if in_child else run_here(args, folder)
    check(ran, args)
    if not in_child and measure_memory() - before > KILOBYTES:
        raise ProductError(f"more than 2 GB: {args}")
    counts["in a process of their own" if in_child else "in this process"] += 1
    counts[f"ended with {ran.code}"] += 1
    return counts


def check(ran: Ran, args: list[str]) -> None:
    """Code 0, 1 or 2; no traceback; no bug; no private cell where it failed."""
    told = ran.out + ran.error
    if ran.code not in (0, 1, 2):
        raise ProductError(f"ended with {ran.code}: {args}\n{told[-2000:]}")
    for sign in ("Traceback (most recent", "internal error", "bug in discreet"):
        if sign in told:
            raise ProductError(f"{sign!r}: {args}\n{told[-2000:]}")
    is_explained = any(line.startswith("discreet: ") for line in ran.error.splitlines())
    if ran.code == 2 and not is_explained:
        raise ProductError(f"no message: {args}\n{told[-2000:]}")
    if ran.code == 2 and MARK in told:
        raise ProductError(f"a private cell was printed: {args}\n{told[-2000:]}")


def run_here(args: list[str], folder: Path) -> Ran:
    """Call the command in this process, which is fast."""
    from typer.testing import CliRunner

    from discreet.cli.main import app

    def too_long(*_: object) -> None:
        raise ProductError(f"took more than {SECONDS} s: {args}")

    can_alarm = threading.current_thread() is threading.main_thread()
    if can_alarm:  # CPU time, since the machine may be busy; and a limit for what waits for ever
        signal.signal(signal.SIGALRM, too_long)
        signal.signal(signal.SIGPROF, too_long)
        signal.alarm(10 * SECONDS)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    place = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(app, args, input="")
    finally:
        os.chdir(place)
        if can_alarm:
            signal.alarm(0)
            signal.setitimer(signal.ITIMER_PROF, 0)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise ProductError(f"raised {result.exception!r}: {args}") from result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def run_child(args: list[str], folder: Path) -> Ran:
    """Call the command as a user does, with limits on time and memory."""
    program = (
        "import resource, sys; from discreet.cli.app import app; "
        "code = app(standalone_mode=False); sys.stdout.flush(); "
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
        "sys.stderr.write(f'\\npeak {peak}'); sys.exit(code)"
    )
    # `app` is a typer application; the group that it becomes gives back the code.
    program = program.replace("app(standalone_mode", "typer.main.get_command(app)(standalone_mode")
    program = "import typer; " + program
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, *args],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10 * SECONDS,
            preexec_fn=limit_cpu,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ProductError(f"took more than {SECONDS} s: {args}") from None
    error = done.stderr.decode(errors="replace")
    error, _, peak = error.rpartition("\npeak ")
    if peak.isdecimal() and int(peak) > KILOBYTES:
        raise ProductError(f"took {int(peak):,} kB: {args}")
    return Ran(done.returncode, done.stdout.decode(errors="replace"), error or peak)


def limit_cpu() -> None:
    """End a process that needs more CPU time than an answer may take."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def measure_memory() -> int:
    """The most memory this process ever had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# --- sound files ----------------------------------------------------------------------------------

ILLNESSES = tuple(f"{MARK}{name}" for name in ("flu", "gout", "measles"))
ZIPS = tuple(f"{MARK}{n:03d}" for n in range(8))


def make_files(random: random.Random, folder: Path) -> Made:
    """Sound files of every kind that the command reads."""
    made = Made(
        folder,
        folder / f"patients.{random.choice(ENDINGS)}",
        folder / "policy.yml",
        folder / "zip.csv",
        folder / "register.csv",
        folder / "people.key",
        folder / "releases.ledger",
        folder / "letter.txt",
        folder / "gold.jsonl",
    )
    rows = random.choice((0, 1, 2, 12, 12, 12, 40))
    write_table(random, made.table, rows)
    made.policy.write_text(make_policy(random))
    lines = [f"{code};{MARK}{n % 2};*" for n, code in enumerate(ZIPS)]
    made.hierarchy.write_text("\n".join(lines) + "\n")
    write_table(random, made.register, 2 * rows + 4)
    made.key.write_text("ab" * 32 + "\n")
    made.key.chmod(0o600)
    made.document.write_text(f"Dear {MARK}ann Smith, born 3 May 1961, call 617-555-0123.\n")
    span = {"start": 5, "end": 12, "label": "NAME"}
    made.gold.write_text(json.dumps({"text": made.document.read_text(), "spans": [span]}) + "\n")
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    os.mkfifo(folder / "fifo")
    (folder / "loop").symlink_to("loop")
    return made


def make_rows(random: random.Random, rows: int) -> list[list[str]]:
    """Cells, each private one with the mark, some of them nasty."""
    nasty = ("", "=1+1", '"', "\n", ";", "\u2028", "é", "*", "0007", "+7", "-5", "NaN", "\t")
    found = []
    for number in range(rows):
        ill = random.choice(ILLNESSES) + (random.choice(nasty) if random.random() < 0.1 else "")
        age = str(random.randrange(20, 60)) if random.random() < 0.9 else random.choice(nasty)
        found.append([f"{MARK}n{number}", age, random.choice(ZIPS), ill])
    return found


HEAD = ["name", "age", "zip", "disease"]


def write_table(random: random.Random, path: Path, rows: int) -> None:
    """A table in the format of its ending, written without the product."""
    import csv

    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    cells = make_rows(random, rows)
    ending = path.name.partition(".")[2]
    if ending in ("csv", "tsv", "csv.gz", "csv.zst"):
        text = io.StringIO()
        writer = csv.writer(text, delimiter="\t" if ending == "tsv" else ",")
        writer.writerows([HEAD, *cells])
        raw = text.getvalue().encode()
        packed = {"csv.gz": gzip.compress, "csv.zst": lambda data: pa.compress(data, "zstd", True)}
        path.write_bytes(packed.get(ending, bytes)(raw))
        return
    if ending == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in [HEAD, *cells]:
            book.active.append([re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", cell) for cell in row])
        book.save(path)
        return
    if ending == "sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE people (name, age, zip, disease)")
            connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", cells)
        connection.close()
        return
    columns = [list(column) for column in zip(*cells, strict=True)] or [[]] * len(HEAD)
    table = pa.table(
        {name: pa.array(c, pa.string()) for name, c in zip(HEAD, columns, strict=True)}
    )
    if ending == "parquet":
        pa.parquet.write_table(table, path)
    else:
        packing = random.choice(("uncompressed", "lz4"))
        pa.feather.write_feather(table, path, compression=packing)


MODELS = (
    "k_anonymity: {{k: {n}}}", "l_diversity: {{column: disease, ell: {n}}}",
    "l_diversity: {{column: disease, ell: {n}, kind: entropy}}",
    "l_diversity: {{column: disease, ell: {n}, kind: recursive, c: {m}}}",
    "t_closeness: {{column: disease, t: {m}}}", "delta_disclosure: {{column: disease, delta: {m}}}",
    "beta_likeness: {{column: disease, beta: {m}}}", "largest_risk: {{max: {m}}}",
    "average_risk: {{max: {m}}}", "sample_uniques: {{max: {m}}}",
    "k_map: {{k: {n}, register: register.csv}}",
    "delta_presence: {{public: register.csv, min: {m}, max: {n}}}",
    "probabilistic_anonymity: {{k: {n}}}",
)  # fmt: skip
ALGORITHMS = (
    "optimal", "datafly", "mu-argus", "k-similar", "exact", "local", "suppress", "mondrian",
    "probabilistic", "spalm", "mpalm", "fixed", "nothing",
)  # fmt: skip
HIERARCHIES = (
    "{{intervals: [{n}, {m}]}}", "{{cuts: [{n}, {m}]}}",
    "{{intervals: {{widths: [5], origin: {n}, top: {m}}}}}",
    "{{prefix: [{n}, {m}]}}", "{{file: zip.csv}}", "{{dates: [month, year]}}", "auto",
    "{{tree: {{all: {{a: [1], b: [{n}]}}}}}}", "{{flat: {m}}}",
    "{{prefix: {{lengths: [2], mask: {n}}}}}",
)  # fmt: skip


def make_policy(random: random.Random) -> str:
    """A policy that is mostly sound, with a bad number here and there."""

    def number(usual: str) -> str:
        return random.choice(NUMBERS) if random.random() < 0.25 else usual

    def some(texts: tuple[str, ...], first: str) -> str:
        text = first if random.random() < 0.5 else random.choice(texts)
        return text.format(n=number("2"), m=number("0.5"))

    lines = [
        "columns:",
        f"  age: {{role: quasi, weight: {number('1')}, "
        f"hierarchy: {some(HIERARCHIES, '{{intervals: [5, 10]}}')}}}",
        f"  zip: {{role: quasi, hierarchy: {some(HIERARCHIES, '{{file: zip.csv}}')}}}",
        "  disease: {role: sensitive}",
        "  name: {role: identifier, replace: {hash: {key: people.key}}}"
        if random.random() < 0.2
        else "  name: {role: identifier}",
        "require:",
        f"  - {some(MODELS, MODELS[0])}",
    ]
    extra = (
        ("suppress", "0.5"), ("seed", "7"), ("time_limit", "5"), ("missing", "wildcard"),
        ("algorithm", random.choice(ALGORITHMS)), ("measure", random.choice(("precision", "loss"))),
        ("prefer", "[age]"), ("anonymity", "0.5"), ("row_weight", "age"),
    )  # fmt: skip
    for key, usual in random.sample(extra, random.choice((0, 1, 2, 3))):
        lines.append(f"{key}: {number(usual)}")
    return "\n".join(lines) + "\n"


# --- spoiling -------------------------------------------------------------------------------------


def damage(random: random.Random, path: Path) -> None:
    """Cut a file, flip bytes of it, or repeat, remove or insert a part."""
    data = bytearray(path.read_bytes())
    if not data:
        return
    at, to = sorted(random.randrange(len(data) + 1) for _ in range(2))
    match random.randrange(6):
        case 0:
            del data[at:]
        case 1:
            for _ in range(random.choice((1, 3, 30))):
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        case 2:
            data[at:at] = data[at:to]
        case 3:
            del data[at:to]
        case 4:
            data[at:at] = random.choice((b"\0", b"\xff\xfe", b'"', b"\n" * 9, b"[" * 9, b"&a *a"))
        case 5:
            data[at:to] = bytes(random.randrange(256) for _ in range(min(to - at, 200)))
    path.write_bytes(bytes(data))


def spoil_file(random: random.Random, made: Made) -> None:
    """Damage one of the files."""
    path = random.choice(made[1:])
    if path.is_file():
        damage(random, path)


def spoil_member(random: random.Random, made: Made) -> None:
    """Damage what is inside a workbook, or leave it out: the zip file itself stays sound."""
    if made.table.suffix != ".xlsx" or not zipfile.is_zipfile(made.table):
        return
    with zipfile.ZipFile(made.table) as old:
        members = {name: old.read(name) for name in old.namelist()}
    name = random.choice(list(members))
    inside = made.folder / "member"
    inside.write_bytes(members.pop(name))
    swaps = (
        (rb'r="A1"', b'r="ZZZ1"'), (rb'r="[A-D]2"', b'r="XFE2"'),
        (rb'<row r="2"', b'<row r="9999999"'),
        (rb'<row r="2"', b'<row r="-3"'), (rb't="s"', b't="d"'), (rb"<v>1</v>", b"<v>99999</v>"),
        (rb"<v>[^<]*</v>", b"<v>1e999</v>"), (rb"sheet1", b"sheet9"), (rb'Id="rId1"', b'Id="x"'),
        (rb"\?>", b'?><!DOCTYPE a [<!ENTITY b "c">]>'), (rb"UTF-8", b"UTF-99"),
    )  # fmt: skip
    if random.random() < 0.5:
        pattern, new = random.choice(swaps)
        inside.write_bytes(re.sub(pattern, new, inside.read_bytes()))
    else:
        damage(random, inside)
    if random.random() < 0.8:
        members[name] = inside.read_bytes()
    with zipfile.ZipFile(made.table, "w", zipfile.ZIP_DEFLATED) as new_book:
        for member, data in members.items():
            new_book.writestr(member, data)


def spoil_policy(random: random.Random, made: Made) -> None:
    """Put something hostile into the policy."""
    text = made.policy.read_text(errors="replace")
    bomb = "a0: &a0 {x: 1, y: 2}\n" + "".join(
        f"a{n}: &a{n} {{b: *a{n - 1}, c: *a{n - 1}}}\n" for n in range(1, 30)
    )
    deep = random.choice((50, 300, 5000))
    text = random.choice(
        (
            lambda: bomb + text.replace("{file: zip.csv}", "{tree: *a29}"),
            lambda: text.replace(
                "{file: zip.csv}", "{tree: " + "{a: " * deep + "1" + "}" * deep + "}"
            ),
            lambda: text + "x: " + "[" * deep + "]" * deep + "\n",
            lambda: text + f"prefer: [{', '.join(f'c{n}' for n in range(20_000))}]\n",
            lambda: text + "seed: !!python/object/apply:os.system ['false']\n",
            lambda: text + text,
            lambda: text + "<<: *nothing\n",
            lambda: text + "x: &x [*x]\n",
            lambda: text.replace("age", "a" * 100_000),
            lambda: text.replace("zip.csv", random.choice(ODD_PATHS).replace("\0", "")),
            lambda: text.replace("register.csv", random.choice(ODD_PATHS).replace("\0", "")),
            lambda: text.replace("people.key", random.choice(ODD_PATHS).replace("\0", "")),
            lambda: text.replace("zip.csv", '"a\\0b"'),
            lambda: "\n".join(random.sample(text.splitlines(), len(text.splitlines()))),
            lambda: text.replace("role: quasi", "role: sensitive", 1),
            lambda: "\ufeff" + text.replace("\n", "\r\n"),
            lambda: text.replace(": ", ":\t"),
        )
    )()
    made.policy.write_text(text)


def spoil_hierarchy(random: random.Random, made: Made) -> None:
    """Make the hierarchy contradict itself, or the table."""
    lines = made.hierarchy.read_text(errors="replace").splitlines() or [""]
    kind = random.randrange(6)
    if kind == 0:
        lines.append(lines[0] + ";more")
    elif kind == 1:
        lines = [line.replace(f"{MARK}1", ZIPS[3]) for line in lines]
    elif kind == 2:
        lines.append(f"{ZIPS[0]};{MARK}9;*")
    elif kind == 3:
        lines = [line.partition(";")[0] for line in lines]
    elif kind == 4:
        lines = [line + ";" * 500 for line in lines]
    else:
        lines = ["value;level", *lines]
    made.hierarchy.write_text("\n".join(lines))


def spoil_table(random: random.Random, made: Made) -> None:
    """Give the table another shape."""
    if not made.table.name.endswith(".csv"):
        return
    text = made.table.read_text(errors="replace")
    text = random.choice(
        (
            lambda: text.replace("name", "age", 1),
            lambda: text.partition("\n")[2],
            lambda: text + ",,,,,,,,\n",
            lambda: text + '"' + text,
            lambda: ",".join(f"c{n}" for n in range(3000)) + "\n" + "1," * 2999 + "1\n",
            lambda: "a" * 200_000 + "," + text,
            lambda: text.replace("\n", "\r"),
            lambda: text.replace(",", "|"),
            lambda: "\n" * 1000 + text,
            lambda: text.encode("utf-16").decode("latin-1"),
            lambda: text.replace(MARK, MARK + "\0"),
            lambda: "age,zip,disease,name\n" + "0001-01-01,0000,0000-13-45,99999-01-01\n" * 9,
        )
    )()
    made.table.write_text(text)


def spoil_ledger(random: random.Random, made: Made) -> None:
    """Put something else in the place of the ledger or its key."""
    beside = made.ledger.with_name(made.ledger.name + ".key")
    made.ledger.write_text(random.choice(("", "{}\n", "[" * 5000 + "\n", f"{MARK}\n", "\0" * 99)))
    kept = {
        "key": "ab" * random.choice((1, 32)),
        "count": random.choice((0, -1, 1e999)),
        "head": "",
    }
    beside.write_text(random.choice((json.dumps(kept), "{}", "[" * 5000, f"{MARK}")))
    beside.chmod(random.choice((0o600, 0o600, 0o644)))


def spoil_rights(random: random.Random, made: Made) -> None:
    """Let others read the key, or let nobody."""
    made.key.chmod(random.choice((0o644, 0o000, 0o777)))


SPOILS: tuple[Callable[[random.Random, Made], None], ...] = (
    spoil_file, spoil_file, spoil_file, spoil_member, spoil_member, spoil_policy, spoil_policy,
    spoil_hierarchy, spoil_table, spoil_ledger, spoil_rights,
)  # fmt: skip


# --- calls ----------------------------------------------------------------------------------------


def _anonymize(random: random.Random, made: Made) -> list[str]:
    out = f"out.{random.choice(ENDINGS)}"
    args = ["anonymize", str(made.table), "--policy", str(made.policy), "-o", out]
    if random.random() < 0.3:
        args += ["--ledger", str(made.ledger), "--to", "ward"]
    return args


def _call(*words: str) -> Callable[[random.Random, Made], list[str]]:
    """A call in which names of fields of the case stand for their paths."""

    def fill(random: random.Random, made: Made) -> list[str]:
        paths: dict[str, Any] = made._asdict()
        args = [str(paths[word[1:]]) if word[0] == "@" else word for word in words]
        return args + (["--json"] if random.random() < 0.3 else [])

    return fill


CALLS = (
    _anonymize, _anonymize, _anonymize, _anonymize, _anonymize,
    _call("inspect", "@table"),
    _call("inspect", "@table", "--write-policy", "first.yml"),
    _call("verify", "@table", "--policy", "@policy"),
    _call("risk", "@table", "-q", "age", "-q", "zip"),
    _call("identify", "@table", "--minimum"),
    _call("mask", "@table", "--distinct", "0.5"),
    _call("compare", "@table", "--policy", "@policy", "-a", "datafly"),
    _call("levels", "@table", "--policy", "@policy"),
    _call("hipaa", "@table"),
    _call("techniques", "@table", "-q", "age"),
    _call("attack", "@table", "--policy", "@policy", "--register", "@register"),
    _call("key", "@key", "--check"),
    _call("ledger", "list", "@ledger"),
    _call("ledger", "check", "@ledger", "--file", "@table"),
    _call("scrub", "@document", "-o", "scrubbed.txt", "--key", "@key"),
    _call("scrub", "@document", "--people", "@hierarchy"),
    _call("scrub", "@table", "-o", "scrubbed.csv"),
    _call("scrub", "--evaluate", "@gold"),
    _call("restore", "@table", "-c", "name", "--key", "@key", "-o", "restored.csv"),
)  # fmt: skip


def with_odd_path(random: random.Random, args: list[str]) -> list[str]:
    """The same call with another thing in the place of one of its paths."""
    places = [n for n, arg in enumerate(args) if "/" in arg or "." in arg]
    if not places:
        return args
    changed = list(args)
    changed[random.choice(places)] = random.choice(ODD_PATHS)
    return changed


PART = Part("bad_inputs", run_case, share=2)
