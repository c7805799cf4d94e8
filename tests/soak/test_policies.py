"""The random policies of the soak meet everything that a policy can name."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest

from discreet import algorithms, measures, models, techniques
from discreet.hierarchy.spec import KINDS
from soak.part import make_random
from soak.policies import make_draft

DRAFTS = 400


@pytest.fixture(scope="module")
def generated() -> Counter[str]:
    """How often each name is in a policy."""
    found: Counter[str] = Counter()
    for number in range(DRAFTS):
        with tempfile.TemporaryDirectory() as folder:
            found.update(make_draft(make_random(0, "releases", number), Path(folder)).names())
    return found


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


@pytest.mark.parametrize("kind", [*KINDS, "auto"])
def test_every_kind_of_hierarchy_is_named_by_some_policy(
    generated: Counter[str], kind: str
) -> None:
    assert generated[f"hierarchy {kind}"] > 0
