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
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.table.table import Role
from tests.docs.page import ROOT

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
    return {name for option in options for name in option.opts}


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
    assert [kind for kind in KINDS if f"| `{kind}` |" not in section] == []


@pytest.mark.parametrize("model", models.ALL, ids=lambda model: model.name)
def test_models_and_their_parameters_are_documented(model: type) -> None:
    section = _sections("policy-keys.md")["require"]
    line = next(line for line in section.splitlines() if f"[`{model.name}`]" in line)
    assert [one.name for one in fields(model) if f"`{one.name}`" not in line] == []


@pytest.mark.parametrize("algorithm", algorithms.ALL, ids=lambda algorithm: algorithm.name)
def test_algorithms_and_their_parameters_are_documented(algorithm: type) -> None:
    section = _sections("policy-keys.md")["algorithm"]
    line = next(line for line in section.splitlines() if f"[`{algorithm.name}`]" in line)
    assert [one.name for one in fields(algorithm) if f"`{one.name}`" not in line] == []


@pytest.mark.parametrize("technique", techniques.ALL, ids=lambda technique: technique.name)
def test_techniques_and_their_parameters_are_documented(technique: type) -> None:
    section = _sections("policy-keys.md")["techniques"]
    line = next(line for line in section.splitlines() if f"[`{technique.name}`]" in line)
    assert [one.name for one in fields(technique) if f"`{one.name}`" not in line] == []


@pytest.mark.parametrize("measure", measures.ALL, ids=lambda measure: measure.name)
def test_measures_and_their_parameters_are_documented(measure: type) -> None:
    name = measure.name
    section = _sections("policy-keys.md")["measure"]
    line = next(line for line in section.splitlines() if f"| `{name}` |" in line)
    assert [one.name for one in fields(measure) if f"`{one.name}`" not in line] == []
    assert f"| `{name}` |" in (ROOT / "docs" / "explain" / "measures.md").read_text("utf-8")


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
    section = _sections("json.md")[of]
    assert [key for key in _facts(of) if f"`{key}`" not in section] == []


@pytest.mark.parametrize("of", ["anonymize", "verify", "Verdict"])
def test_documented_keys_are_among_the_facts(of: str) -> None:
    rows = re.findall(r"^\| (`.+?) \|", _sections("json.md")[of], flags=re.MULTILINE)
    keys = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert keys - set(_facts(of)) == set()
