"""Errors: how a message is built, which classes there are, and who may name the options."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import discreet
from discreet.algorithms.claims import HeuristicError
from discreet.cli.failure import format_error_json
from discreet.errors import (
    DiscreetError,
    EmptyTableError,
    LedgerError,
    SourceError,
    TooLargeError,
    WriteError,
    argument,
)

SOURCE = Path(discreet.__file__).parent
FLAG = re.compile(r"(^|[\s('\"`])--?[a-z][a-z-]*\b")
NOT_FLAGS = {"-plus", "-journal", "-wal", "-shm", "-ln", "-sum", "-hierarchies"}
"""Endings of words and file names, and a minus sign in formulas."""
NAMED_ONLY = {"EarlierReleaseError", "PartError", "PolicyFileError", "TogetherError"}
"""Classes that nobody catches, and that many places raise with one subject."""


Trees = dict[Path, ast.Module]


@pytest.fixture(scope="module")
def trees() -> Trees:
    """Every module of the package; only for the tests that read them, as it takes seconds."""
    return {path.relative_to(SOURCE): ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")}


def docstrings(tree: ast.AST) -> set[ast.expr]:
    """Texts that stand alone as statements."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def find_flags(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Options of the command line that a text of the source names, docstrings aside."""
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            for found in FLAG.finditer(node.value):
                flag = found[0].lstrip(" \n('\"`")
                if flag not in NOT_FLAGS:
                    yield node.lineno, flag


def test_a_flag_in_a_text_is_found_and_one_in_a_docstring_is_not() -> None:
    tree = ast.parse('def f():\n    """Like --this."""\n    return f"Give {1} (--that 3) or -q."\n')
    assert [flag for _, flag in find_flags(tree)] == ["--that", "-q"]


OTHER_DASHES = {
    "reporting/browser.py": "options of Chromium",
    "reporting/charts/canvas.py": "endings of names inside a picture",
    "schemas/schemas.py": "names the answer after the option that prints it",
    "reporting/page.py": "a page has no options: it shows the commands that check a release again",
}
"""Modules with words that begin with a dash and are not our options, or have to be."""


def test_only_the_command_line_names_options(trees: Trees) -> None:
    named = [
        f"{path}:{line}: {flag}"
        for path, tree in trees.items()
        if path.parts[0] not in ("cli", "web")  # the app shows the commands that do the same
        and path.as_posix() not in OTHER_DASHES
        and path.parts[:2] != ("kinds", "secrets")  # endings of words
        for line, flag in find_flags(tree)
    ]
    assert named == [], "use errors.argument(name), which the command line puts its option for"


def read_classes(trees: Trees) -> dict[str, str]:
    """The base of every exception class of the package."""
    return {
        node.name: ast.unparse(node.bases[0])
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error") and node.bases
    }


def read_caught(trees: Trees) -> set[str]:
    """Names in an except, a case, or a question about the class."""
    found: set[str] = set()
    for tree in trees.values():
        for node in ast.walk(tree):
            match node:
                case ast.ExceptHandler(type=ast.expr() as asked):
                    found |= _names(asked)
                case ast.MatchClass(cls=asked):
                    found |= _names(asked)
                case ast.Call(func=ast.Name(id="isinstance" | "suppress"), args=args):
                    found |= set().union(*map(_names, args))
    return found


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def is_ours(name: str, bases: dict[str, str]) -> bool:
    return name == "DiscreetError" or (name in bases and is_ours(bases[name], bases))


def test_a_class_of_its_own_is_one_that_somebody_catches(trees: Trees) -> None:
    bases, caught = read_classes(trees), read_caught(trees)
    special = {
        name for name, base in bases.items() if base != "DiscreetError" and is_ours(name, bases)
    }
    assert "UnreachableError" in special
    assert special - caught == NAMED_ONLY


def test_families_stand_in_one_module(trees: Trees) -> None:
    bases = read_classes(trees)
    own = {
        node.name
        for node in trees[Path("errors.py")].body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
    }
    families = {name for name, base in bases.items() if base == "DiscreetError"}
    assert families - own == {"BusyError", "FlagError", "WhereError", "WorkError"}
    assert len(families & own) <= 18


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DiscreetError("whole."), "whole."),
        (DiscreetError("a.csv", "it is empty"), "a.csv: it is empty."),
        (DiscreetError("a.csv", "it is empty", "Fill it."), "a.csv: it is empty. Fill it."),
        (DiscreetError("", "nothing fits", "Ask for less."), "nothing fits. Ask for less."),
        (DiscreetError("", "no number", column="age"), "column 'age': no number."),
        (LedgerError(Path("a"), "it is gone", "Look."), "ledger a: it is gone. Look."),
        (WriteError("a", "it is full", "Look."), "a: it is full. Look. Nothing was written."),
        (DiscreetError(f"Give {argument('k', '5')}."), "Give k=5."),
        (
            TooLargeError.for_algorithm("exact", "rows", 1_000, 0, "local"),
            "the table is too large for the algorithm exact: it has 1,000 rows, and exact can do "
            "none. Use the algorithm local.",
        ),
    ],
)
def test_a_message_is_built_from_its_subject_what_is_wrong_and_what_to_do(
    error: DiscreetError, said: str
) -> None:
    assert str(error) == said


def test_a_family_survives_the_way_between_processes() -> None:
    back = pickle.loads(pickle.dumps(SourceError("a.csv", "it is empty", "Fill it.")))
    assert (type(back), str(back)) == (SourceError, "a.csv: it is empty. Fill it.")


@pytest.mark.parametrize(
    ("error", "kind"),
    [(EmptyTableError("a"), "source"), (HeuristicError("datafly"), "release")],
)
def test_the_kind_of_a_special_error_is_its_family(error: DiscreetError, kind: str) -> None:
    assert f'"kind": "{kind}"' in format_error_json(error, str(error), {})
