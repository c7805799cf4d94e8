"""Every command has a public function of the same name that returns the same facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from discreet.errors import ArgumentError, DiscreetError

SECRET = "secretvalue"
"""A cell of the table: no repr and no message may hold it."""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    pairs = ["30,m"] * 4 + ["30,f"] * 3 + ["40,m"] * 2 + ["40,f", "50,m", f"{SECRET},f"]
    lines = [f"{pair},10,{'flu' if n % 2 else 'gout'}" for n, pair in enumerate(pairs)]
    path.write_text("\n".join(["age,sex,weight,disease", *lines]) + "\n")
    return path


@pytest.fixture
def command() -> Callable[..., dict[str, Any]]:
    """The facts that a command prints."""

    def run(*args: Any) -> dict[str, Any]:
        done = CliRunner().invoke(app, [*map(str, args), "--json"])
        assert done.exit_code in (0, 1), done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run


def as_json(result: Any) -> Any:
    """The facts of a result as JSON has them; neither repr shows a value."""
    html = result._repr_html_()
    assert html.startswith("<table>")
    for shown in (repr(result), html):
        assert SECRET not in shown
    assert len(repr(result)) < 200
    return json.loads(json.dumps(result.facts(), default=lambda one: one.item()))


# risk


def test_risk_gives_the_facts_of_the_command(
    people: Path, command: Callable[..., dict[str, Any]]
) -> None:
    found = discreet.risk(people, quasi=["age", "sex"], population=60, alpha=0.2, set_=[["age"]])
    options = ["-q", "age", "-q", "sex", "--population", 60, "--alpha", 0.2, "--set", "age"]
    assert as_json(found) == command("risk", people, *options)


def test_risk_of_published_frequencies_gives_the_facts_of_the_command(
    tmp_path: Path, command: Callable[..., dict[str, Any]]
) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,people\n30,5\n31,7\n32,9\n")
    found = discreet.risk(path, frequency="people", group=2)
    assert as_json(found) == command("risk", path, "--frequency", "people", "--group", 2)


def test_risk_takes_a_policy_as_an_object_a_dict_or_a_file(people: Path, tmp_path: Path) -> None:
    keys = {"columns": {"age": {"role": "quasi"}}, "require": [{"k_anonymity": {"k": 3}}]}
    policy = discreet.Policy(**keys)
    file = tmp_path / "policy.yaml"
    file.write_text(policy.to_yaml())
    found = [discreet.risk(people, one).facts() for one in (policy, keys, file, str(file))]
    assert found[0]["columns"] == ["age"]
    assert all(one == found[0] for one in found)


def test_the_risk_of_each_row_is_written_once(people: Path, tmp_path: Path) -> None:
    found = discreet.risk(people, quasi=["age", "sex"])
    found.write_rows(tmp_path / "rows.csv")
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert len(lines) == 13
    with pytest.raises(DiscreetError, match="is not replaced"):
        found.write_rows(tmp_path / "rows.csv")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "quasi: no quasi column is named. Give quasi=COLUMN, or policy=FILE."),
        ({"quasi": ["age"], "alpha": 0.2}, "alpha: .* Give population=N."),
        ({"quasi": ["age"], "register": pa.table({"age": ["30"]}), "weight": "weight"}, "register"),
        ({"quasi": ["age"], "max_size": -1}, "max_size=-1: a set has at least one column"),
        ({"quasi": ["age"], "group": 0}, "group=0: a group has at least one person"),
        ({"quasi": ["age"], "policy": {}}, "policy, quasi, k: "),
    ],
)
def test_risk_names_the_parameter_that_is_wrong(
    people: Path, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError, match=told):
        discreet.risk(people, **arguments)


# identify


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ({}, []),
        (
            {"all_": True, "max_size": 2, "weight": {"age": 2.0}},
            ["--all", "--max-size", 2, "--weight", "age=2"],
        ),
        ({"separation": 0.5, "epsilon": 0.1, "seed": 3, "sample_only": True},
         ["--separation", 0.5, "--epsilon", 0.1, "--seed", 3, "--sample-only"]),
    ],
)  # fmt: skip
def test_identify_gives_the_facts_of_the_command(
    people: Path,
    command: Callable[..., dict[str, Any]],
    arguments: dict[str, Any],
    options: list[Any],
) -> None:
    columns = {"quasi": ["age", "sex", "disease"], "drop_duplicates": "epsilon" not in arguments}
    flags = ["-q", "age", "-q", "sex", "-q", "disease"]
    flags += ["--drop-duplicates"] if columns["drop_duplicates"] else []
    found = discreet.identify(people, **columns, **arguments)  # type: ignore[arg-type]
    assert as_json(found) == command("identify", people, *flags, *options)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"distinct": 0.5, "separation": 0.5}, "distinct, separation: a set has both ratios"),
        ({"distinct": 2.0}, "distinct=2: it is not a share. Give a number above 0 and at most 1."),
        ({"delta": 0.1}, "delta: without epsilon all rows are used. Give epsilon as well"),
        ({"sample_only": True}, "sample_only: the rows are read once and not kept. Add epsilon=E."),
        ({"max_size": 0}, "max_size=0: no set is that small"),
    ],
)
def test_identify_names_the_parameter_that_is_wrong(
    people: Path, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError, match=told):
        discreet.identify(people, **arguments)


# mask


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ({"distinct": 0.5}, ["--distinct", 0.5]),
        (
            {"separation": 0.6, "exact": True, "publish": ["sex"], "below": True},
            ["--separation", 0.6, "--exact", "--publish", "sex", "--below"],
        ),
        (
            {"distinct": 0.5, "sample": 99, "seed": 3},
            ["--distinct", 0.5, "--sample", 99, "--seed", 3],
        ),
    ],
)
def test_mask_gives_the_facts_of_the_command(
    people: Path,
    command: Callable[..., dict[str, Any]],
    arguments: dict[str, Any],
    options: list[Any],
) -> None:
    assert as_json(discreet.mask(people, **arguments)) == command("mask", people, *options)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "distinct, separation: exactly one of the two is needed. Say distinct=0.5"),
        ({"distinct": 0.5, "sample": 0}, "sample=0: no sample is that small"),
        ({"distinct": 0.5, "publish": ["age"], "withhold": ["age"]}, "publish, withhold: 'age'"),
    ],
)
def test_mask_names_the_parameter_that_is_wrong(
    people: Path, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError, match=told):
        discreet.mask(people, **arguments)


# levels, hipaa, delta, restore


@pytest.fixture
def policy() -> dict[str, Any]:
    """The keys of a policy for the table of people."""
    return {
        "columns": {
            "age": {"role": "quasi"},
            "sex": {"role": "quasi"},
            "disease": {"role": "sensitive"},
        },
        "require": [{"k_anonymity": {"k": 2}}],
        "suppress": 0.5,
        "seed": 1,
    }


@pytest.fixture
def policy_file(policy: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(discreet.Policy(**policy).to_yaml())
    return path


def test_levels_gives_the_facts_of_the_command(
    people: Path, command: Callable[..., dict[str, Any]]
) -> None:
    found = discreet.levels(people, quasi=["weight"], with_=["sex"], at=[0.7, 0.3])
    options = ["-q", "weight", "--with", "sex", "--at", "0.3,0.7"]
    assert as_json(found) == command("levels", people, *options)


def test_levels_takes_hierarchies_as_a_policy_has_them(
    people: Path, command: Callable[..., dict[str, Any]]
) -> None:
    found = discreet.levels(
        people, quasi=["weight"], together=True, hierarchy={"weight": {"intervals": [20, 40]}}
    )
    options = ["-q", "weight", "--together", "--hierarchy", "weight={intervals: [20, 40]}"]
    assert as_json(found) == command("levels", people, *options)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "quasi: no column is named. Give quasi=COLUMN, or policy=FILE."),
        ({"quasi": ["age"], "at": [2]}, "at: 2 is not an anonymity level"),
        ({"quasi": ["age"], "with_": ["age"]}, "quasi, with_: 'age' is named"),
        ({"quasi": ["age"], "hierarchy": {"ages": {}}}, "hierarchy: 'ages' is not one of"),
    ],
)
def test_levels_names_the_parameter_that_is_wrong(
    people: Path, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError, match=told):
        discreet.levels(people, **arguments)


def test_hipaa_gives_the_facts_of_the_command(
    people: Path, policy_file: Path, command: Callable[..., dict[str, Any]]
) -> None:
    options = ["--as-of", "2026-11-16", "--code", "weight"]
    found = discreet.hipaa(people, as_of="2026-11-16", code=["weight"])
    assert as_json(found) == command("hipaa", people, *options)
    found = discreet.hipaa(people, policy_file, as_of="2026-11-16")
    assert as_json(found) == command("hipaa", people, *options[:2], "--policy", policy_file)


def test_hipaa_writes_a_policy_and_not_over_another(people: Path, tmp_path: Path) -> None:
    found = discreet.hipaa(people)
    found.write_policy(tmp_path / "ready.yaml")
    assert discreet.Policy.load(tmp_path / "ready.yaml").columns
    with pytest.raises(DiscreetError, match="exists already"):
        found.write_policy(tmp_path / "ready.yaml")


def test_hipaa_refuses_what_is_no_day(people: Path) -> None:
    with pytest.raises(ArgumentError, match="as_of: this is not a date"):
        discreet.hipaa(people, as_of="yesterday")


def test_delta_gives_the_facts_of_the_command(command: Callable[..., dict[str, Any]]) -> None:
    found = discreet.delta(4000, 100_000, prior=0.07, cost=100, damage=10_000)
    options = ["--rows", 4000, "--population", 100_000, "--prior", 0.07]
    assert as_json(found) == command("delta", *options, "--cost", 100, "--damage", 10_000)


def test_restore_gives_the_facts_of_the_command(
    people: Path, tmp_path: Path, command: Callable[..., dict[str, Any]]
) -> None:
    key = tmp_path / "people.key"
    CliRunner().invoke(app, ["key", str(key)])
    policy = {
        "columns": {
            "age": {"role": "identifier", "replace": {"encrypt": {"key": str(key)}}},
            "sex": {"role": "quasi"},
        },
        "require": [{"k_anonymity": {"k": 2}}],
    }
    release = tmp_path / "release.csv"
    discreet.anonymize(people, policy).write(release)
    found = discreet.restore(release, column=["age"], key=key)
    out = tmp_path / "private.csv"
    told = command("restore", release, "--column", "age", "--key", key, "-o", out)
    assert as_json(found) == {**told, "out": None}
    found.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()
    assert (tmp_path / "again.csv").stat().st_mode & 0o077 == 0
    assert SECRET in out.read_text()


# What takes a policy takes an object, a dict or a path, and says when the two are swapped.

TAKES_A_POLICY = ["anonymize", "compare", "verify", "attack", "levels", "risk", "hipaa"]


@pytest.mark.parametrize("name", TAKES_A_POLICY)
def test_a_policy_is_an_object_a_dict_or_a_path(
    name: str, people: Path, policy: dict[str, Any], policy_file: Path
) -> None:
    function = getattr(discreet, name)
    given = (discreet.Policy(**policy), policy, policy_file, str(policy_file))
    found = [function(people, one) for one in given]
    assert len({type(one) for one in found}) == 1


@pytest.mark.parametrize("name", TAKES_A_POLICY)
def test_swapped_arguments_are_reported(
    name: str, people: Path, policy: dict[str, Any], policy_file: Path
) -> None:
    function = getattr(discreet, name)
    for swapped in (
        (discreet.Policy(**policy), pa.table({"age": ["1"]})),
        (policy_file, people),
        (str(policy_file), str(people)),
    ):
        with pytest.raises(ArgumentError, match="the table and the policy are swapped"):
            function(*swapped)


@pytest.mark.parametrize("name", TAKES_A_POLICY)
def test_what_is_not_a_policy_is_named(name: str, people: Path) -> None:
    with pytest.raises(ArgumentError, match="policy: this is a Table, not a policy"):
        getattr(discreet, name)(people, pa.table({"age": [SECRET]}))


def test_keys_of_a_dict_that_are_no_keys_of_a_policy_are_reported(
    people: Path, policy: dict[str, Any]
) -> None:
    for wrong in ({1: 2}, {"source": "x"}, {"colums": {}}):
        with pytest.raises(DiscreetError, match="is not a key here"):
            discreet.anonymize(people, {**policy, **wrong})


def test_a_policy_is_saved_as_a_file_that_means_the_same(
    policy: dict[str, Any], tmp_path: Path
) -> None:
    made = discreet.Policy(**policy)
    made.save(tmp_path / "saved.yaml")
    assert discreet.Policy.load(tmp_path / "saved.yaml").to_yaml() == made.to_yaml()


def test_a_policy_is_saved_over_another_only_if_asked(
    policy: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "saved.yaml"
    path.write_text("mine")
    with pytest.raises(DiscreetError, match="exists already"):
        discreet.Policy(**policy).save(path)
    assert path.read_text() == "mine"
    discreet.Policy(**policy).save(path, replace=True)
    assert discreet.Policy.load(path).seed == 1


def test_compare_techniques_gives_the_facts_of_the_command(
    people: Path, command: Callable[..., dict[str, Any]]
) -> None:
    found = discreet.compare_techniques(people, column=["weight"], seed=3)
    assert as_json(found) == command("techniques", people, "-c", "weight", "--seed", 3)
