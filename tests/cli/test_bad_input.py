"""What bad input gets: a message with the place and the fix, code 2, no file, no private value."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

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
        "Mend the first line",
    ),
    "missing name": (
        TABLE.replace("age", "", 1).encode(),
        "column 2 without a name",
        "Mend the first line",
    ),
    "no line of names": ((ROWS + ROWS).encode(),),
    "ragged rows": (
        (TABLE + "Lovelace,36,02138\n" + ROWS + "Grisel,41,02139,measles,syphilis\n").encode(),
        "lines 6, 11 do not have the 4 fields",
        "Mend these lines",
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
        ("policy.yml", ("policy.yml: you may not read this file", "Check its permissions")),
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
    tiny_disk: Path, large: Path, ending: str
) -> None:
    out = tiny_disk / f"out.{ending}"
    out.write_text("an older release\n")
    flags = ("-q", "age", "-s", "disease", "-k", "2", "--force")
    done = discreet("anonymize", large, *flags, "-o", out)
    assert done.returncode == 2
    check_told(done.stderr, (str(tiny_disk), "the disk is full", "Make room"))
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
