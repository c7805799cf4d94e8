"""What commands print as JSON fits the published schemas: nothing lacks, nothing is besides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.app import COMMANDS, WITH_SCHEMA
from discreet.cli.main import app
from discreet.errors import ParameterError
from discreet.schemas.schemas import ANSWERS, DOCUMENTS, ERROR
from tests.net.frozen import FOLDER
from tests.net.run import RUN_DEPENDENT

GONE = 2
"""The exit code of a request that was wrong, whose answer is an error."""


def close_shape(shape: Any) -> Any:
    """The schema with no other keys than those it names, and no value that a run alone decides."""
    if isinstance(shape, list):
        return [close_shape(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    made = {key: close_shape(one) for key, one in shape.items()}
    if "properties" in shape:
        made["additionalProperties"] = False
        made["properties"] |= {key: {} for key in RUN_DEPENDENT if key in made["properties"]}
    return made


@cache
def make_validator(command: str) -> Any:
    schema = discreet.facts_schema(command)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(close_shape(schema))


def list_faults(validator: Any, answer: Any) -> list[str]:
    """Where an answer does not fit, in the alternative that it comes nearest to."""
    found: list[Any] = list(validator.iter_errors(answer))
    if len(found) == 1 and found[0].validator == "anyOf" and not found[0].path:
        ways: dict[int, list[Any]] = {}
        for error in found[0].context:
            ways.setdefault(error.schema_path[0], []).append(error)
        found = min(ways.values(), key=len)
    return [f"{one.json_path}: {one.message[:200]}" for one in found]


def list_frozen_answers() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.json")):
        found = {}
        for one in json.loads(path.read_text(encoding="utf-8"))["answers"]:
            command = one["command"].split()[0]
            schema = "--schema" in one["command"] or command in DOCUMENTS
            if "facts" in one and command in WITH_SCHEMA and not schema:
                found.setdefault(command, []).append(one)
        for command, answers in found.items():
            yield pytest.param(command, answers, id=f"{path.stem}-{command}")


@pytest.mark.parametrize(("command", "answers"), [*list_frozen_answers()])
def test_frozen_answers_fit_the_schema(command: str, answers: list[dict[str, Any]]) -> None:
    wrong = jsonschema.Draft202012Validator(close_shape(ERROR))
    for one in answers:
        validator = wrong if one["exit"] == GONE else make_validator(command)
        assert list_faults(validator, put_timings(one["facts"])) == [], one["command"]


def put_timings(facts: Any) -> Any:
    """Frozen facts with the times of a release's stages, which are never frozen."""
    if isinstance(facts, list):
        return [put_timings(one) for one in facts]
    if not isinstance(facts, dict):
        return facts
    found = {key: put_timings(value) for key, value in facts.items()}
    is_release = {"algorithm", "levels", "verdicts", "seconds"} <= found.keys()
    return {**found, "timings": dict.fromkeys(STAGES)} if is_release else found


STAGES = ("prepare", "count", "plan", "search", "recode", "write", "verify")

PEOPLE = "\n".join(
    ["age,sex,town,note", *(f"{20 + n % 7},{'mf'[n % 2]},{n % 20},Ann {n}" for n in range(40))]
)
POLICY = """columns: {age: {role: quasi, hierarchy: {intervals: [5, 10]}}, sex: {role: quasi},
  town: {role: sensitive}}
require: [{k_anonymity: {k: 2}}]
"""
QUASI = ("-q", "age", "-q", "sex")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "inspect": [("people.csv", "--write-policy", "p.yaml"), ("people.csv", "--tree", "age")],
    "identify": [("people.csv", "--minimum"), ("people.csv", "--all", "--picture", "s.svg")],
    "mask": [("people.csv", "--distinct", "0.5")],
    "risk": [
        ("people.csv", *QUASI),
        ("people.csv", *QUASI, "--register", "people.csv"),
        ("people.csv", *QUASI, "--population", "200", "--alpha", "0.2", "--simulate"),
        ("counts.csv", "--frequency", "people", "-q", "age", "--with", "jobs.csv"),
        ("counts.csv", "--frequency", "people", "-q", "age", "--width", "2"),
    ],
    "levels": [("people.csv", *QUASI), ("people.csv", *QUASI, "--together")],
    "hipaa": [("people.csv",)],
    "techniques": [(), ("people.csv", "-c", "age", "--seed", "1")],
    "anonymize": [
        ("people.csv", "--policy", "policy.yaml", "--attack"),
        ("people.csv", *QUASI, "-k", "2"),
    ],
    "compare": [("people.csv", "--policy", "policy.yaml", "-a", "optimal", "-a", "mondrian")],
    "advise": [("people.csv", "--policy", "policy.yaml")],
    "verify": [("people.csv", "--policy", "policy.yaml")],
    "attack": [("people.csv", "--policy", "policy.yaml", "--register", "people.csv")],
    "scrub": [("note.txt",), ("note.txt", "-o", "clean.txt")],
    "report": [("release.csv", "--policy", "policy.yaml", "--original", "people.csv")],
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE + "\n")
    Path("counts.csv").write_text("age,people\n20,5\n21,9\n22,4\n")
    Path("jobs.csv").write_text("job,people\nx,8\ny,10\n")
    Path("policy.yaml").write_text(POLICY)
    Path("note.txt").write_text("Seen by Dr Smith on 3 May 2021.\n")
    discreet.anonymize("people.csv", "policy.yaml").write("release.csv")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", CALLS)
def test_what_a_command_prints_fits_its_schema(command: str) -> None:
    for call in CALLS[command]:
        done = CliRunner().invoke(app, [command, *call, "--json"])
        assert done.exit_code in (0, 1), done.stderr
        assert list_faults(make_validator(command), json.loads(done.stdout)) == [], call


@pytest.mark.usefixtures("files")
def test_every_command_has_a_schema_and_an_answer_that_is_tried() -> None:
    assert {*ANSWERS, *DOCUMENTS} == WITH_SCHEMA
    frozen = {one.values[0] for one in list_frozen_answers()}
    assert WITH_SCHEMA - {*CALLS, *frozen} == {"certify"}  # its predicate: see tests/certificate


@pytest.mark.parametrize("command", sorted(WITH_SCHEMA))
def test_the_option_schema_needs_nothing_else(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--schema"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == discreet.facts_schema(command)


def test_an_unknown_command_is_named_with_those_that_there_are() -> None:
    with pytest.raises(ParameterError, match="inspect, identify"):
        discreet.facts_schema("ledger")
    assert set(COMMANDS) >= WITH_SCHEMA
