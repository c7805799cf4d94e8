"""The random policies of the soak meet everything that a policy can name."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from discreet import algorithms, measures, models, techniques
from discreet.hierarchy.spec import KINDS
from soak.part import make_random
from soak.policies import Draft, make_draft

DRAFTS = 1_000
KEYS = Path(__file__).parents[2] / "docs" / "reference" / "policy-keys.md"
EXCLUDED = {
    "top about": "changes nothing in a release; tests of the key",
    "profiles quasi_identifiers": "sets of columns beside those at 1; tests of profiles",
    "profiles audience": "the part ledgers has it",
    "profiles includes": "the part ledgers has it",
    "columns repair": "ZIP codes are whole here; tests of cleaning",
}
"""Keys of a policy that the random policies lack, and why."""
EXCLUDED_PARAMETERS = {
    "safe_harbor zip_table": "a file in place of the package's table",
    "delta_presence key": "needs a register with a key of the private table",
    "probabilistic beta": "a probability of error, which one release cannot show",
    "mpalm priority": "an order of columns, as columns_by is",
    "suppress_values drop": "is for Python",
    "shuffle given": "keeps rank correlations only approximately",
    "zip3 zip_table": "a file in place of the package's table",
    "shift_dates key": "that of people",
    "shift_dates formats": "dates are written one way here; tests of dates",
    "shift_dates domain": "refuses only",
    "relative_dates formats": "dates are written one way here; tests of dates",
    "add_tuples classes": "is refused in a policy",
}
"""Parameters that the random policies lack, and why."""


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    """What the first cases release."""
    found = []
    for number in range(DRAFTS):
        with tempfile.TemporaryDirectory() as folder:
            found.append(make_draft(make_random(0, "releases", number), Path(folder)))
    return found


@pytest.fixture(scope="module")
def generated(drafts: list[Draft]) -> Counter[str]:
    """How often each name is in a policy."""
    return sum((draft.names() for draft in drafts), Counter())


@pytest.mark.parametrize("name", [model.name for model in models.ALL])
def test_every_model_is_required_by_some_policy(generated: Counter[str], name: str) -> None:
    assert generated[f"model {name}"] > 0


@pytest.mark.parametrize("name", [algorithm.name for algorithm in algorithms.ALL])
def test_every_algorithm_is_named_by_some_policy(generated: Counter[str], name: str) -> None:
    assert generated[f"algorithm {name}"] > 0


@pytest.mark.parametrize("name", [measure.name for measure in measures.ALL])
def test_every_measure_is_named_by_some_policy(generated: Counter[str], name: str) -> None:
    assert generated[f"measure {name}"] > 0


@pytest.mark.parametrize("name", [technique.name for technique in techniques.ALL])
def test_every_technique_is_named_by_some_policy(generated: Counter[str], name: str) -> None:
    assert generated[f"technique {name}"] > 0


@pytest.mark.parametrize("kind", [*(kind for kind in KINDS if kind != "known"), "auto"])
def test_every_kind_of_hierarchy_is_named_by_some_policy(
    generated: Counter[str], kind: str
) -> None:
    assert generated[f"hierarchy {kind}"] > 0


@pytest.fixture(scope="module")
def keys(drafts: list[Draft]) -> set[str]:
    """Every key of the generated policies as ``section key``, every parameter as ``name key``."""
    found: set[str] = set()
    for policy in (draft.policy for draft in drafts):
        found |= {f"top {key}" for key in policy}
        for said in policy["columns"].values():
            found |= {f"columns {key}" for key in said}
            found |= set(name_parameters(said.get("technique", ())))
            found |= set(name_parameters(said.get("replace", ())))
        for said in policy.get("profiles", {}).values():
            found |= {f"profiles {key}" for key in said}
        for key in ("require", "techniques", "algorithm"):
            found |= set(name_parameters(policy.get(key, ())))
    return found


def name_parameters(said: Any) -> Iterator[str]:
    """The parameters of everything that is named in a part of a policy."""
    for one in said if isinstance(said, list) else [said]:
        if isinstance(one, dict):
            for name, parameters in one.items():
                yield from (f"{name} {key}" for key in parameters or ())


def list_keys() -> Iterator[str]:
    """The keys of the tables of the reference in which a line is a key."""
    section = ""
    for line in KEYS.read_text().splitlines():
        if line.startswith("## "):
            section = {"Top level": "top"}.get(line[3:], line[3:])
        found = re.match(r"\| `(\w+)` \|", line)
        if found and section in ("top", "columns", "profiles"):
            yield f"{section} {found[1]}"


def list_parameters() -> Iterator[str]:
    """The parameters of all models, techniques and algorithms."""
    for one in (*models.ALL, *techniques.ALL, *algorithms.ALL):
        yield from (f"{one.name} {field.name}" for field in fields(one) if field.name != "columns")


@pytest.mark.parametrize("key", list(list_keys()))
def test_every_key_of_a_policy_is_generated_or_excluded_with_a_reason(
    keys: set[str], key: str
) -> None:
    assert (key in keys) != (key in EXCLUDED)


@pytest.mark.parametrize("parameter", sorted(set(list_parameters())))
def test_every_parameter_is_generated_or_excluded_with_a_reason(
    keys: set[str], parameter: str
) -> None:
    assert (parameter in keys) != (parameter in EXCLUDED_PARAMETERS)


def test_what_is_excluded_is_there() -> None:
    assert set(EXCLUDED) <= set(list_keys())
    assert set(EXCLUDED_PARAMETERS) <= set(list_parameters())
