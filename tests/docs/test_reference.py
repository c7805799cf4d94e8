"""The reference pages name everything there is, and nothing there is not."""

from __future__ import annotations

import re
from dataclasses import fields

import click
import pyarrow as pa
import pytest
import typer

import discreet
from discreet import algorithms, measures, models, techniques
from discreet.cli.main import COMMANDS, app
from discreet.hierarchy.spec import KINDS
from discreet.policy import replacement
from discreet.policy.parameter_classes import FOR_PYTHON
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.table.table import Role
from tests.docs import report_facts
from tests.docs.page import ROOT
from tests.docs.policy_keys import PAGE, write_page

REFERENCE = ROOT / "docs" / "reference"
OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)")


def _sections(name: str) -> dict[str, str]:
    text = (REFERENCE / name).read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _code(text: str) -> str:
    """What stands in backticks."""
    return " ".join(re.findall(r"`([^`\n]+)`", text))


def _options(command: str) -> set[str]:
    group = typer.main.get_command(app)
    context = click.Context(group)
    found = group.get_command(context, command)  # type: ignore[attr-defined]
    options = (
        p for p in found.params if isinstance(p, click.Option) or p.param_type_name == "option"
    )
    return {name for option in options for name in (*option.opts, *option.secondary_opts)}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_in_its_section(command: str) -> None:
    documented = set(OPTION.findall(_code(_sections("commands.md")[command])))
    assert _options(command) - {"-h", "--help"} - documented == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_in_a_section_exists(command: str) -> None:
    documented = set(OPTION.findall(_code(_sections("commands.md")[command])))
    assert documented - _options(command) == set()


def test_every_command_has_a_section() -> None:
    assert set(COMMANDS) <= set(_sections("commands.md"))


def test_shared_options_are_explained_once() -> None:
    shared = set(OPTION.findall(_code(_sections("commands.md")[""])))
    everywhere = [_options(command) for command in COMMANDS]
    assert shared - {"--help", "-h", "--version", "--show-completion"} <= set.union(*everywhere)


def test_the_tables_of_policy_keys_are_those_of_the_schema() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == write_page(page), "run python -m tests.docs.policy_keys"


def test_the_tables_of_facts_are_those_of_the_schema() -> None:
    page = report_facts.PAGE.read_text(encoding="utf-8")
    assert page == report_facts.write_page(), "run python -m tests.docs.report_facts"


@pytest.mark.parametrize("key", Policy.model_fields)
def test_policy_keys_are_documented(key: str) -> None:
    assert f"| `{key}` |" in _sections("policy-keys.md")["Top level"]


@pytest.mark.parametrize("key", ColumnPolicy.model_fields)
def test_column_keys_are_documented(key: str) -> None:
    assert f"| `{key}` |" in _sections("policy-keys.md")["columns"]


def test_roles_are_documented() -> None:
    section = _sections("policy-keys.md")["columns"]
    assert [role for role in Role if f"`{role.value}`" not in section] == []


def test_kinds_of_hierarchy_are_documented() -> None:
    section = _sections("policy-keys.md")["hierarchy"]
    assert [kind for kind in (*KINDS, "auto") if f"| `{kind}` |" not in section] == []


SECTIONS = {
    "require": models.ALL,
    "algorithm": algorithms.ALL,
    "techniques": techniques.ALL,
    "measure": measures.ALL,
    "replace": replacement.ALL,
}
PARTS = [pytest.param(name, cls, id=cls.name) for name, of in SECTIONS.items() for cls in of]


@pytest.mark.parametrize(("section", "part"), PARTS)
def test_parts_and_their_parameters_are_documented(section: str, part: type) -> None:
    rows = re.split(r"^\| (?=\S*`)", _sections("policy-keys.md")[section], flags=re.MULTILINE)
    hidden = FOR_PYTHON.get(part.name, ())
    wanted = [one.name for one in fields(part) if one.init and one.name not in hidden]
    if hidden and not wanted:
        return  # it is for Python as a whole
    row = next(row for row in rows if re.match(rf"\[?`{part.name}`", row))
    assert [name for name in wanted if f"| | `{name}` |" not in row] == []


@pytest.mark.parametrize("measure", measures.ALL, ids=lambda measure: measure.name)
def test_measures_are_explained(measure: type) -> None:
    assert f"| `{measure.name}` |" in (ROOT / "docs" / "explain" / "measures.md").read_text("utf-8")


POLICY = Policy(
    columns={"zip": {"role": "quasi"}, "disease": {"role": "sensitive"}},
    require=[{"k_anonymity": {"k": 2}}],
)


def _facts(of: str) -> dict[str, object]:
    frame = pa.table({"zip": ["02138"] * 4, "disease": ["flu", "cough"] * 2})
    match of:
        case "anonymize":
            return discreet.anonymize(frame, POLICY).facts()
        case "verify":
            return discreet.verify(frame, POLICY).facts()
        case "Verdict":
            return dict(discreet.verify(frame, POLICY).facts()["verdicts"][0])
        case _:
            found = discreet.inspect(discreet.read(frame)).facts()
            return {**found, **found["columns"][0]}


@pytest.mark.parametrize("of", ["anonymize", "verify", "Verdict", "inspect"])
def test_keys_of_the_facts_are_documented(of: str) -> None:
    every = _sections("json.md")
    section = every[of] + every["Schemas"]
    assert [key for key in _facts(of) if f"`{key}`" not in section] == []


@pytest.mark.parametrize("of", ["anonymize", "verify", "Verdict"])
def test_documented_keys_are_among_the_facts(of: str) -> None:
    rows = re.findall(r"^\| (`.+?) \|", _sections("json.md")[of], flags=re.MULTILINE)
    keys = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert keys - set(_facts(of)) == set()
