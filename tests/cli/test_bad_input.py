"""What bad input gets: a message with the place and the fix, code 2, no file, no private value."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from discreet.input_file import Kind
from discreet.table.read import read
from discreet.table.write import write
from tests.cli.starter import Starter

PRIVATE = ("Lovelace", "Grisel", "02138", "02139", "syphilis", "measles")
"""Cells of the tables here; none may ever be told."""

ROWS = "".join(
    f"{name},{age},{code},{ill}\n"
    for name, age, code, ill in (
        ("Lovelace", 36, "02138", "syphilis"),
        ("Grisel", 41, "02139", "measles"),
        ("Lovelace", 38, "02138", "measles"),
        ("Grisel", 43, "02139", "syphilis"),
    )
)
TABLE = "name,age,zip,disease\n" + ROWS
POLICY = """\
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10]}}
  zip: {role: quasi, hierarchy: {prefix: [4]}}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 2}
"""
Refused = Callable[..., str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yml"
    path.write_text(POLICY)
    return path


def there(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder, hidden ones too, with what it holds."""
    found = sorted(folder.rglob("*"))
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}


def check_told(told: str, words: tuple[str, ...]) -> None:
    """One message of ours, with these words and without a cell; of a first line in doubt, two."""
    doubt = "The first line of patients.csv looks like a row "
    message = told.partition("\n")[2] if told.startswith(doubt) else told
    assert message.startswith("discreet: ")
    assert "Traceback" not in told
    assert "internal error" not in told
    assert [word for word in words if word not in told] == []
    assert [cell for cell in PRIVATE if cell in told] == []


@pytest.fixture
def refused(run: Any, tmp_path: Path) -> Refused:
    """Run a command that must be refused with these words, and leave the folder as it was."""

    def call(args: tuple[Any, ...], *words: str) -> str:
        before = there(tmp_path)
        result = run(*args)
        assert result.exit_code == 2, result.stdout
        assert result.stdout == ""
        check_told(result.stderr, words)
        assert there(tmp_path) == before
        return str(result.stderr)

    return call


# --- tables ---------------------------------------------------------------------------------------

TABLES = {
    "empty file": (b"", "the file is empty"),
    "blank lines": (b"\n\n\n", "nothing but blank lines"),
    "header only": (b"name,age,zip,disease\n", "no rows"),
    "duplicate names": (
        TABLE.replace("name,age", "age,age").encode(),
        "columns 1, 2 with the name of another",
        "Fix the first line",
    ),
    "missing name": (
        TABLE.replace("age", "", 1).encode(),
        "column 2 without a name",
        "Fix the first line",
    ),
    "no line of names": ((ROWS + ROWS).encode(),),
    "ragged rows": (
        (TABLE + "Lovelace,36,02138\n" + ROWS + "Grisel,41,02139,measles,syphilis\n").encode(),
        "lines 6, 11 do not have the 4 fields",
        "Fix these lines",
    ),
    "open quote": (
        (TABLE + 'Lovelace,36,02138,"syphilis\n' + ROWS).encode(),
        "line 6: a quote",
        "never closed",
    ),
    "undecodable": (
        TABLE.encode() + b"Lovelace\x81\x8d,36,02138,syphilis\n",
        "line 6 is neither UTF-8 nor Windows-1252 text",
        "--encoding",
    ),
    "binary": (bytes(range(256)) * 99, "not a text file", "CSV, Parquet or Excel"),
    "parquet named csv": (b"PAR1" + b"\x15\x04Lovelace" * 9, "a Parquet file", "ending .parquet"),
    "workbook named csv": (b"PK\x03\x04" + b"syphilis" * 9, "an Excel workbook", "ending .xlsx"),
}


COMMANDS = ("anonymize", "inspect", "verify")
FINE = {("inspect", "no line of names"), ("verify", "no line of names"), ("verify", "header only")}
"""What is not wrong: any first line may be names, and a release may have no rows."""


@pytest.mark.parametrize(
    ("command", "name"), [(c, n) for n in TABLES for c in COMMANDS if (c, n) not in FINE]
)
def test_a_bad_table_is_refused(
    refused: Refused, data: Path, rules: Path, tmp_path: Path, command: str, name: str
) -> None:
    content, *words = TABLES[name]
    data.write_bytes(content)
    args = {
        "anonymize": ("--policy", rules, "-o", tmp_path / "out.csv"),
        "inspect": ("--write-policy", tmp_path / "first.yaml"),
        "verify": ("--policy", rules),
    }[command]
    refused((command, data, *args), "patients.csv", *words)


@pytest.mark.parametrize("ending", ["parquet", "feather", "xlsx", "sqlite", "csv.gz", "csv.zst"])
def test_a_broken_file_of_any_kind_is_refused(
    refused: Refused, tmp_path: Path, rules: Path, ending: str
) -> None:
    path = tmp_path / f"patients.{ending}"
    path.write_bytes(b"Lovelace,36,02138,syphilis" * 40)
    out = tmp_path / "out.csv"
    refused(("anonymize", path, "--policy", rules, "-o", out), path.name)


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("utf-8", ("line 6 is not utf-8 text", "--encoding")),
        ("ascii", ("line 6 is not ascii text", "--encoding")),
        ("utf-16", ("not utf-16 text", "--encoding")),
        ("utf-9", ("the encoding 'utf-9' is not known", "Common ones are utf-8")),
    ],
)
def test_a_wrong_encoding_is_refused(
    refused: Refused, data: Path, rules: Path, encoding: str, words: tuple[str, ...]
) -> None:
    data.write_bytes(TABLE.encode() + "Müller,36,02138,syphilis\n".encode("latin-1"))
    out = data.with_name("out.csv")
    refused(
        ("anonymize", data, "--policy", rules, "--encoding", encoding, "-o", out),
        "patients.csv",
        *words,
    )


def test_a_wrong_separator_is_refused(refused: Refused, data: Path, rules: Path) -> None:
    for separator, told in ((";", "the separator"), (",,", "one plain character")):
        args = ("anonymize", data, "--policy", rules, "--separator", separator)
        refused((*args, "-o", data.with_name("out.csv")), "patients.csv", told)


def test_a_file_that_is_not_there_is_named_with_the_nearest(
    refused: Refused, data: Path, rules: Path
) -> None:
    near = data.with_name("patiens.csv")
    refused(("anonymize", near, "--policy", rules), "no such file", "Did you mean 'patients.csv'?")
    refused(("anonymize", data.parent, "--policy", rules), "a folder, not a file")
    refused(("inspect", data.with_suffix(".docx")), "no such file")
    odd = data.rename(data.with_suffix(".docx"))
    refused(("inspect", odd), "'.docx' is not known", "Known are .csv")


# --- policies -------------------------------------------------------------------------------------

POLICIES = {
    "unknown role": (
        POLICY.replace("role: sensitive", "role: sensetive"),
        "line 4: columns.disease.role: 'sensetive' is not a role",
        "Did you mean 'sensitive'?",
    ),
    "unknown key": (
        POLICY + "supress: 0.1\n",
        "line 7: supress: is not a key here",
        "Did you mean 'suppress'?",
    ),
    "unknown key of a column": (
        POLICY.replace("role: sensitive", "rolle: sensitive"),
        "line 4: columns.disease.rolle: is not a key here",
        "Did you mean 'role'?",
    ),
    "unknown model": (
        POLICY.replace("k_anonymity", "k-anonimity"),
        "line 6: require[0].k-anonimity",
        "Did you mean 'k_anonymity'?",
    ),
    "unknown parameter": (
        POLICY.replace("{k: 2}", "{k: 2, column: [age]}"),
        "line 6: require[0].k_anonymity.column",
        "Did you mean 'columns'?",
    ),
    "unknown hierarchy": (
        POLICY.replace("intervals", "interval"),
        "line 2: columns.age.hierarchy",
        "'intervals'",
    ),
    "unknown column": (
        POLICY.replace("zip", "zipp"),
        "line 3: columns.zipp: patients.csv has no column 'zipp'",
        "Did you mean 'zip'?",
    ),
    "unknown column of a model": (
        POLICY + "  - l_diversity: {column: desease, ell: 2}\n",
        "line 7: require[1].l_diversity.column: the policy has no column 'desease'",
        "Did you mean 'disease'?",
    ),
    "sensitive that is quasi too": (
        POLICY + "  - k_anonymity: {k: 2, columns: [age, disease]}\n",
        "line 7: require[1].k_anonymity.columns",
        "'disease' is sensitive and cannot be quasi as well",
        "set columns.disease.role: quasi",
    ),
    "column given twice": (
        POLICY.replace("require:", "  disease: {role: quasi}\nrequire:"),
        "line 5: columns.disease: given twice, first in line 4",
        "quasi or sensitive, not both",
    ),
    "k above the rows": (
        POLICY.replace("k: 2", "k: 5"),
        "patients.csv has 4 rows, fewer than k = 5",
        "Ask for a smaller k",
    ),
    "share in percent": (POLICY + "suppress: 4\n", "line 7: suppress", "Did you mean 0.04?"),
    "nothing required": (POLICY.split("require")[0], "require: is missing", "k_anonymity: {k: 5}"),
    "no policy at all": (TABLE, "policy.yml"),
    "not YAML": (POLICY + "suppress: [0.1\n", "policy.yml, line", "check brackets"),
    "tabs": (POLICY.replace("  age", "\tage"), "policy.yml, line 2", "use spaces"),
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_bad_policy_is_refused(refused: Refused, data: Path, rules: Path, name: str) -> None:
    content, *words = POLICIES[name]
    rules.write_text(content)
    refused(("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv")), *words)


def test_every_mistake_of_a_policy_is_told_at_once(
    refused: Refused, data: Path, rules: Path
) -> None:
    rules.write_text(POLICY.replace("sensitive", "secret").replace("k: 2", "k: 0"))
    told = refused(("anonymize", data, "--policy", rules), "policy.yml has 2 mistakes:")
    assert told.count("\n  line ") == 2


def test_the_data_given_as_the_policy_are_not_quoted(refused: Refused, data: Path) -> None:
    refused(("anonymize", data, "--policy", data), "patients.csv")
    data.write_text(ROWS)
    refused(("anonymize", data, "--policy", data), "patients.csv")


def test_a_column_that_is_named_as_quasi_and_sensitive_is_refused(
    refused: Refused, data: Path
) -> None:
    flags = ("-q", "age", "-q", "disease", "-s", "disease", "-k", "2")
    refused(("anonymize", data, *flags), "-q, -s: 'disease' is named", "drop one of the two")


def test_a_file_without_names_is_not_quoted_for_want_of_a_column(
    refused: Refused, data: Path
) -> None:
    data.write_text(ROWS)
    flags = ("-q", "age", "-q", "zip", "-k", "2")
    refused(("anonymize", data, *flags), "patients.csv has none of the columns", "its first line")


# --- hierarchies ----------------------------------------------------------------------------------


@pytest.fixture
def codes(rules: Path) -> Path:
    """A hierarchy file for zip that covers both codes."""
    rules.write_text(POLICY.replace("{prefix: [4]}", "{file: codes.csv}"))
    path = rules.with_name("codes.csv")
    path.write_text("02138;Cambridge;*\n02139;Cambridge;*\n")
    return path


def test_a_value_missing_from_a_hierarchy_is_counted_and_the_offered_fix_works(
    run: Any, refused: Refused, data: Path, rules: Path, codes: Path
) -> None:
    codes.write_text("02138;Cambridge;*\n")
    out = data.with_name("out.csv")
    refused(
        ("anonymize", data, "--policy", rules, "-o", out),
        "column 'zip': 1 of its 2 different values are missing from hierarchy file",
        "codes.csv",
        "{file: {path: ..., uncovered: root}}",
    )
    fixed = rules.read_text().replace(
        "{file: codes.csv}", "{file: {path: codes.csv, uncovered: root}}"
    )
    rules.write_text(fixed)
    result = run("anonymize", data, "--policy", rules, "-o", out)
    assert result.exit_code == 0, result.stderr
    assert run("verify", out, "--policy", rules).exit_code == 0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            "02138;Cambridge;East;*\n02139;Cambridge;West;*\n",
            ("column 'zip': the hierarchy is not a tree", "more than one parent", "Give each"),
        ),
        (
            "02138;Cambridge;*\n02138;Boston;*\n02139;Boston;*\n",
            ("lines 1 and 2 have the same value but different parents", "Keep one of them"),
        ),
        (
            "02138;Cambridge;*\n02139;Cambridge;all\n",
            ("column 'zip': the hierarchy has 2 roots", "the same root"),
        ),
        ("02138;Cambridge;*\n02139;*\n", ("codes.csv", "line", "same number of levels")),
        ("", ("codes.csv", "it is empty", "value;level 1;...;top")),
    ],
)
def test_a_hierarchy_that_is_not_a_tree_is_refused(
    refused: Refused, data: Path, rules: Path, codes: Path, lines: str, words: tuple[str, ...]
) -> None:
    codes.write_text(lines)
    args = ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    refused(args, *words)


def test_a_hierarchy_file_that_is_not_there_is_named(
    refused: Refused, data: Path, rules: Path, codes: Path
) -> None:
    codes.rename(codes.with_name("code.csv"))
    refused(("anonymize", data, "--policy", rules), "codes.csv", "Did you mean 'code.csv'?")


def test_values_that_do_not_fit_a_hierarchy_are_counted(
    refused: Refused, data: Path, rules: Path
) -> None:
    data.write_text(TABLE.replace("36", "thirty-six"))
    told = refused(("anonymize", data, "--policy", rules), "column 'age': 1 of its 4", "numbers")
    assert "thirty" not in told


# --- promises that cannot be kept -----------------------------------------------------------------


def test_an_unreachable_promise_is_named_with_the_rows_that_fail_at_the_top(
    refused: Refused, data: Path, rules: Path
) -> None:
    rules.write_text(
        POLICY + "  - l_diversity: {column: disease, ell: 3}\nsuppress: 0.5\n",
    )
    refused(
        ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv")),
        "no release meets this policy",
        "fully generalized: l_diversity fails for 4 of 4 rows",
        "the policy allows 2 to be suppressed",
    )


def test_a_file_that_does_not_hold_ends_with_1_and_tells_no_cell(
    run: Any, data: Path, rules: Path, tmp_path: Path
) -> None:
    before = there(tmp_path)
    result = run("verify", data, "--policy", rules)
    assert result.exit_code == 1
    assert "DOES NOT HOLD" in result.stdout
    assert not any(cell in result.stdout + result.stderr for cell in PRIVATE)
    assert there(tmp_path) == before


# --- targets --------------------------------------------------------------------------------------

TARGETS = {
    "none/out.csv": ("its folder does not exist", "Make the folder first"),
    "patients.csv": ("this is the file that is read", "Name another file"),
    "policy.yml": ("this is the file that is read", "Name another file"),
    "older.csv": ("this file exists already", "--force"),
    "out.docx": ("the ending '.docx' is not known", "Known are .csv"),
    "out": ("the name has no ending", "Known are .csv"),
    "folder.csv": ("this is a folder", "Name a file in it"),
}


@pytest.mark.parametrize("target", TARGETS)
def test_a_bad_target_is_refused(refused: Refused, data: Path, rules: Path, target: str) -> None:
    data.with_name("older.csv").write_text("an older release\n")
    data.with_name("folder.csv").mkdir()
    out = data.with_name(target) if "/" not in target else data.parent / target
    refused(("anonymize", data, "--policy", rules, "-o", out), f"-o {out}", *TARGETS[target])


# --- the system: processes of their own -----------------------------------------------------------


def discreet(*args: Any, before: tuple[str, ...] = (), **more: Any) -> Any:
    command = [*before, sys.executable, "-m", "discreet", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


BOUND = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
"""A root that may only do what the rights of a file say."""


@pytest.fixture(scope="module")
def plain_user() -> tuple[str, ...]:
    """What to put before a command so that rights of files bind it."""
    if os.geteuid() != 0:
        return ()
    drop = (*BOUND, "--inh-caps", "-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"], check=False).returncode:
        pytest.skip("root is not bound by permissions, and setpriv cannot change that here")
    return drop


@pytest.mark.parametrize(
    ("locked", "words"),
    [
        ("patients.csv", ("patients.csv: there is no permission to read it", "Ask its owner")),
        (
            "policy.yml",
            ("policy.yml: you do not have permission to read this file", "Check its permissions"),
        ),
        ("codes.csv", ("codes.csv", "cannot be read", "your permission")),
        ("folder", ("you may not write to its folder", "Name a folder that you may write to")),
        ("sealed", ("permission denied", "Check the path")),
    ],
)
def test_no_permission_is_told(
    plain_user: tuple[str, ...],
    data: Path,
    rules: Path,
    codes: Path,
    tmp_path: Path,
    locked: str,
    words: tuple[str, ...],
) -> None:
    folder = tmp_path / (locked if locked in ("folder", "sealed") else "folder")
    folder.mkdir()
    before = there(tmp_path)
    barred = tmp_path / locked
    barred.chmod({"folder": 0o555}.get(locked, 0))
    try:
        out = folder / "out.csv"
        done = discreet("anonymize", data, "--policy", rules, "-o", out, before=plain_user)
    finally:
        barred.chmod(0o755)
    assert done.returncode == 2
    assert done.stdout == ""
    check_told(done.stderr, words)
    assert there(tmp_path) == before


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose release needs more than a megabyte in any kind of file."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    noise = os.urandom(60_000 * 24).hex()
    rows = (f"{n % 50},02138 {noise[48 * n : 48 * n + 48]}\n" for n in range(60_000))
    path.write_text("age,disease\n" + "".join(rows))
    return path


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a disk that is full, and not everywhere")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx", "sqlite"])
def test_a_full_disk_is_told_and_leaves_an_older_release(
    tiny_disk: Path, large: Path, tmp_path: Path, ending: str, starter: Starter
) -> None:
    out = tiny_disk / f"out.{ending}"
    out.write_text("an older release\n")
    flags = ("-q", "age", "-s", "disease", "-k", "2", "--force")
    done = starter.run(tmp_path, ("anonymize", str(large), *flags, "-o", str(out)))
    assert done.code == 2, done
    check_told(done.err, (str(tiny_disk), "the disk is full", "Make room"))
    assert there(tiny_disk) == {str(out): b"an older release\n"}


def test_a_limit_on_the_size_of_files_is_told(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    flags = ("-q", "age", "-s", "disease", "-k", "2", "-o", out)
    done = discreet("anonymize", large, *flags, preexec_fn=limit)
    assert done.returncode == 2
    check_told(done.stderr, (str(tmp_path), "too large", "Nothing was written"))
    assert there(tmp_path) == {}


# --- bombs, endless inputs and damaged files ------------------------------------------------------


@pytest.fixture
def odd_files(tmp_path: Path) -> dict[str, Path]:
    """Things that are not regular files, or never end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    names = {name: tmp_path / name for name in ("pipe", "loop", "folder")}
    return {**names, "endless": Path("/dev/zero"), "noise": Path("/dev/urandom")}


def calls_on(path: Path, data: Path, rules: Path) -> list[tuple[Any, ...]]:
    """A call for every place where a file is named."""
    out = ("-o", data.with_name("out.csv"))
    document = data.with_name("letter.txt")
    document.write_text("Dear Ann Smith,\n")
    release = ("anonymize", data, "--policy", rules, *out)
    return [
        ("anonymize", data, "--policy", path, *out),
        ("anonymize", path, "--policy", rules, *out),
        ("verify", data, "--policy", path),
        (*release, "--ledger", path, "--to", "ward"),
        ("ledger", "list", path),
        ("ledger", "check", path),
        ("key", "--check", path),
        ("attack", data, "--policy", rules, "--register", path),
        ("scrub", document, "--people", path),
        ("scrub", document, "--key", path, "-o", data.with_name("out.txt")),
        ("scrub", document, "--decisions", path, "-o", data.with_name("out.txt")),
        ("scrub", "--evaluate", path),
        ("scrub", "--train", path),
        ("hipaa", data, "--zip-table", path),
        ("inspect", path),
    ]


@pytest.mark.parametrize("name", ["pipe", "loop", "folder", "endless", "noise"])
def test_what_is_not_a_regular_file_is_refused_without_waiting(
    run: Any, odd_files: dict[str, Path], data: Path, rules: Path, name: str
) -> None:
    for args in calls_on(odd_files[name], data, rules):
        result = run(*args)
        assert result.exit_code == 2, args
        check_told(result.stderr, ())


@pytest.mark.parametrize("where", ["hierarchy", "key", "register"])
@pytest.mark.parametrize("name", ["pipe", "endless", "folder"])
def test_a_policy_cannot_name_what_is_not_a_regular_file(
    refused: Refused, odd_files: dict[str, Path], data: Path, rules: Path, where: str, name: str
) -> None:
    path = odd_files[name]
    text = {
        "hierarchy": POLICY.replace("{prefix: [4]}", f"{{file: {path}}}"),
        "key": POLICY.replace(
            "require:",
            f"  name: {{role: identifier, replace: {{hash: {{key: {path}}}}}}}\nrequire:",
        ),
        "register": POLICY.replace("k_anonymity: {k: 2}", f"k_map: {{k: 2, register: {path}}}"),
    }[where]
    rules.write_text(text)
    refused(("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv")))


def test_a_key_that_is_another_file_is_never_to_be_opened_to_others(
    refused: Refused, data: Path, rules: Path
) -> None:
    other = data.with_name("passwd")
    other.write_text("Lovelace:x:0:0:root:/root:/bin/sh\n")
    other.chmod(0o644)
    told = refused(("key", "--check", other), "this is not a key that discreet made")
    assert "chmod" not in told
    key = f"  name: {{role: identifier, replace: {{hash: {{key: {other}}}}}}}\nrequire:"
    rules.write_text(POLICY.replace("require:", key))
    told = refused(("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv")))
    assert "chmod" not in told


def test_a_nul_in_any_argument_is_refused(refused: Refused, data: Path, rules: Path) -> None:
    refused(("inspect", "a\0b.csv"), "NUL")
    refused(("anonymize", data, "--policy", rules, "-o", "a\0b.csv"), "NUL")
    rules.write_text(POLICY.replace("{prefix: [4]}", '{file: "a\\0b.csv"}'))
    refused(("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv")), "NUL")


@pytest.mark.parametrize("place", [".", "/", ""])
def test_a_ledger_without_a_name_is_refused(
    refused: Refused, data: Path, rules: Path, place: str
) -> None:
    out = data.with_name("out.csv")
    args = ("anonymize", data, "--policy", rules, "-o", out, "--ledger", place, "--to", "ward")
    refused(args, "this is a folder")


def alias_bomb(levels: int) -> str:
    lines = ["a0: &a0 {x: 1, y: 2}"]
    lines += [f"a{n}: &a{n} {{b{n}: *a{n - 1}, c{n}: *a{n - 1}}}" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


POLICY_BOMBS = {
    "aliases under a tree": (
        alias_bomb(40) + POLICY.replace("{prefix: [4]}", "{tree: *a39}"),
        "aliases written out",
    ),
    "a chain of aliases": (
        "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 2000)) + POLICY,
        "nested too deeply",
    ),
    "deep trees": (
        POLICY.replace("{prefix: [4]}", "{tree: " + "{a: " * 150 + "1" + "}" * 150 + "}"),
        "nested too deeply",
    ),
    "deep lists": (POLICY + "x: " + "[" * 50_000, "nested too deeply"),
    "many entries": (POLICY + f"prefer: [{', '.join(['age'] * 21_000)}]\n", "more than 20,000"),
    "a name a hundred times": (POLICY + f"prefer: [{', '.join(['age'] * 9_000)}]\n", "named twice"),
    "a tag": (POLICY + "seed: !!python/object/apply:os.getcwd []\n", "seed"),
    "a huge number": (POLICY + f"seed: {'9' * 5000}\n", "not understood"),
}


@pytest.mark.parametrize("name", POLICY_BOMBS)
def test_a_policy_that_would_grow_without_end_is_refused(
    refused: Refused, data: Path, rules: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.policy.policy_file.ENTRIES", 5_000)
    text, words = POLICY_BOMBS[name]
    rules.write_text(text)
    args = ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    assert len(refused(args, words)) < 20_000


def test_a_large_policy_can_be_allowed(
    run: Any, data: Path, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.policy.policy_file.POLICY", Kind("a policy", 0))
    args = ("verify", data, "--policy", rules)
    told = run(*args).stderr
    assert "more than the 0 MB that a policy may have" in told
    assert "DISCREET_MAX_MB" in told
    monkeypatch.setenv("DISCREET_MAX_MB", "2")
    assert run(*args).exit_code == 1


def test_one_endless_line_in_a_packed_table_is_refused(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "line.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(20):
            file.write(b"a" * (1 << 20))
    refused(("inspect", path), "a line is longer than 8 MB")
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"age,zip\n")
        for _ in range(20):
            file.write(b"1" * (1 << 20))
    refused(("inspect", path), "a line is longer than 8 MB")


def test_a_packed_table_that_unpacks_without_end_is_refused(
    refused: Refused, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.csv.gz"
    block = gzip.compress(b"1,2\n" * (1 << 22), compresslevel=9)
    path.write_bytes(gzip.compress(b"age,zip\n") + block * 20)
    refused(("inspect", path), "unpacks to more than 200 times its size")


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    import openpyxl

    path = tmp_path / "patients.xlsx"
    book = openpyxl.Workbook()
    for line in TABLE.splitlines():
        book.active.append(line.split(","))
    book.save(path)
    return path


def rewrite(path: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    """Write a zip file anew with other members; None leaves one out."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            new = change(name, content)
            if new is not None:
                packed.writestr(name, new)


def in_sheet(old: bytes, new: bytes) -> Callable[[str, bytes], bytes]:
    return lambda name, data: data.replace(old, new) if "sheet1" in name else data


DAMAGES: dict[str, Callable[[str, bytes], bytes | None]] = {
    "a cell beyond the last column": in_sheet(b'r="A3"', b'r="ZZZZ3"'),
    "a row beyond the last": in_sheet(b'<row r="3"', b'<row r="99999999"'),
    "a row that has no number": in_sheet(b'<row r="3"', b'<row r="x"'),
    "half a sheet": lambda name, data: data[: len(data) // 2] if "sheet1" in name else data,
    "no sheet": lambda name, data: None if "sheet1" in name else data,
    "no workbook": lambda name, data: None if name == "xl/workbook.xml" else data,
    "broken styles": lambda name, data: b"<x>" if "styles" in name else data,
    "a bomb": lambda name, data: data + b" " * 150_000_000 if "sheet1" in name else data,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_workbook_is_refused(refused: Refused, workbook: Path, name: str) -> None:
    rewrite(workbook, DAMAGES[name])
    refused(("inspect", workbook), "patients.xlsx")


@pytest.mark.parametrize("ending", ["xlsx", "feather", "parquet", "sqlite", "csv.gz", "csv.zst"])
def test_a_file_that_was_cut_or_changed_gets_an_answer(
    run: Any, tmp_path: Path, data: Path, workbook: Path, ending: str
) -> None:
    path = tmp_path / f"whole.{ending}"
    write(
        read(data).scan(text=["name", "age", "zip", "disease"]),
        path,
        order_key=None,
        check=lambda _: None,
    )
    whole = path.read_bytes()
    for number in range(12):
        spoiled = bytearray(whole)
        if number % 3 == 0:
            del spoiled[len(spoiled) * (number + 1) // 14 :]
        else:
            for step in range(number):
                spoiled[(7919 * (number + 1) * (step + 1)) % len(spoiled)] ^= 0x55
        path.write_bytes(spoiled)
        result = run("inspect", path)
        assert result.exit_code in (0, 2)
        if result.exit_code:
            check_told(result.stderr, (path.name,))


def test_a_table_of_a_hundred_thousand_columns_is_answered_at_once(
    refused: Refused, tmp_path: Path
) -> None:
    path = tmp_path / "wide.csv"
    head = ",".join(f"c{n}" for n in range(100_000))
    path.write_text(f"{head}\n{'1,' * 99_999}1\n")
    refused(("inspect", path), "100,000 columns", "a file of their own")
    refused(("hipaa", path), "100,000 columns")
    refused(("identify", path, "--minimum"), "100,000 columns", "at most 20,000")
    refused(("mask", path, "--distinct", "0.5"), "100,000 columns", "at most 20,000")


@pytest.mark.parametrize("weight", ["1e308", "1e-300", ".inf", ".nan", "-1"])
def test_a_weight_that_cannot_be_added_up_is_refused(
    refused: Refused, data: Path, rules: Path, weight: str
) -> None:
    rules.write_text(POLICY.replace("role: quasi,", f"role: quasi, weight: {weight},"))
    args = ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    refused(args, "columns.age.weight", "columns.zip.weight")


def test_row_weights_that_cannot_be_added_up_are_refused(
    refused: Refused, data: Path, rules: Path
) -> None:
    data.write_text(
        TABLE.replace("name,", "w,").replace("Lovelace", "1e308").replace("Grisel", "1")
    )
    rules.write_text(POLICY + "row_weight: w\n")
    args = ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    refused(args, "column 'w' is to weigh rows")


def test_a_value_that_becomes_another_value_is_refused(
    refused: Refused, data: Path, rules: Path
) -> None:
    other = data.with_name("zip.csv")
    other.write_text("02138;02139;*\n02139;0213*;*\n")
    rules.write_text(POLICY.replace("{prefix: [4]}", "{file: zip.csv}"))
    args = ("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    refused(args, "column 'zip'", "compare lines 1 and 2", "Give groups names")
    rules.write_text(
        POLICY.replace("{prefix: [4]}", "{tree: {all: {'02139': ['02138'], x: ['02139']}}}")
    )
    refused(args, "column 'zip'", "Give groups names")


def test_a_value_may_stay_itself_at_higher_levels(run: Any, data: Path, rules: Path) -> None:
    other = data.with_name("zip.csv")
    other.write_text("02138;02138;*\n02139;02138;*\n")
    rules.write_text(POLICY.replace("{prefix: [4]}", "{file: zip.csv}"))
    result = run("anonymize", data, "--policy", rules, "-o", data.with_name("out.csv"))
    assert result.exit_code == 0
