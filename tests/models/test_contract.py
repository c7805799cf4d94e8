"""What every model owes: its limit, its sentence, the smallest class, and a check of the file."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from discreet import models
from discreet.errors import InternalError
from discreet.frequency.classes import Classes, Histogram, Reference
from discreet.models.model import require_members
from discreet.models.requirement import Requirement
from discreet.pipeline.promise import state_promises

REGISTER = Path("people.csv")
EXAMPLES: dict[str, list[Any]] = {
    "k_anonymity": [models.KAnonymity(3)],
    "l_diversity": [
        models.LDiversity("ill", 2),
        models.LDiversity("ill", 1.5, "entropy"),
        models.LDiversity("ill", 2, "recursive", 4.0),
    ],
    "t_closeness": [models.TCloseness("ill", 0.3)],
    "delta_disclosure": [models.DeltaDisclosure("ill", 1.2)],
    "beta_likeness": [models.BetaLikeness("ill", 1.5)],
    "largest_risk": [models.LargestRisk(0.4)],
    "average_risk": [models.AverageRisk(0.4)],
    "sample_uniques": [models.SampleUniques(0.1), models.SampleUniques(0)],
    "safe_harbor": [models.SafeHarbor("2026-11-16")],
    "k_map": [models.KMap(k=3, register=REGISTER)],
    "delta_presence": [models.DeltaPresence(REGISTER, 0.1, 0.6)],
    "probabilistic": [models.ProbabilisticAnonymity(population=1000, k=20)],
}
EVERY = [model for several in EXAMPLES.values() for model in several]


def named(model: Any) -> str:
    return f"{model.name}-{getattr(model, 'kind', '')}".rstrip("-")


def classes(model: Any) -> Classes:
    """Two classes of 3 and 4 rows, with two values of a sensitive column."""
    owner, value = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    reference = Reference("ill", np.array([3, 4]))
    histogram = Histogram(owner, value, np.array([1, 2, 2, 2]), reference)
    rows = np.array([3, 4])
    tallies = {model.tally: np.array([9.0, 9.0])} if hasattr(model, "tally") else {}
    return Classes(rows, {"ill": histogram}, tallies)


def test_every_model_has_an_example_here() -> None:
    assert {cls.name for cls in models.ALL} == EXAMPLES.keys()


@pytest.mark.parametrize("model", EVERY, ids=named)
def test_the_limit_of_a_model_is_finite_and_that_of_its_verdict(model: Any) -> None:
    assert math.isfinite(model.limit)
    assert model.judge_classes(classes(model), ("zip",)).limit == model.limit


@pytest.mark.parametrize("model", EVERY, ids=named)
def test_the_sentence_of_a_model_is_more_than_its_name(model: Any) -> None:
    assert model.name not in model.promise
    assert len(model.promise.split()) > 3
    assert not model.promise.endswith(".")


@pytest.mark.parametrize("model", EVERY, ids=named)
def test_no_class_below_the_smallest_that_a_model_states_passes(model: Any) -> None:
    assert isinstance(model.least_rows, int)
    assert model.least_rows >= 1
    if isinstance(model, models.ClassModel) and model.least_rows > 1:
        reference = Reference("ill", np.array([1]))
        one = np.array([model.least_rows - 1])
        histogram = Histogram(np.array([0]), np.array([0]), one, reference)
        assert model.fails(Classes(one, {"ill": histogram})).all()


@pytest.mark.parametrize("cls", models.ALL)
def test_every_model_says_how_the_released_file_is_checked(cls: Any) -> None:
    assert "check" in vars(cls)


def test_a_second_opinion_uses_nothing_of_the_search() -> None:
    checked = 0
    for file in sorted(Path(models.__file__).parent.glob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        searching = {
            name.asname or name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and "frequency" in (node.module or "")
            for name in node.names
        } - {"Floats", "Ints", "Mask"}
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        waiting = [name for name in functions if name.startswith("check_")]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for node in ast.walk(functions[name]):
                if isinstance(node, ast.Name):
                    assert node.id not in searching, f"{file.name}: {name} uses {node.id}"
                    waiting += [node.id] if node.id in functions else []
                elif isinstance(node, ast.Attribute):
                    searched = {"fails", "keepable", "least_class", "histograms"}
                    assert node.attr not in searched, f"{file.name}: {name} uses {node.attr}"
        checked += len(seen)
    assert checked > len(models.ALL)


@dataclass(frozen=True)
class Bare:
    """A model whose author forgot what it owes."""

    columns: tuple[str, ...] | None = None
    name: ClassVar[str] = "bare"

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> models.Verdict:
        return models.Verdict(self.name, True, 0, 0, 0)


def test_a_model_without_limit_and_sentence_fails_where_models_are_listed() -> None:
    with pytest.raises(
        InternalError, match="Bare lacks sensitive, limit, promise, least_rows, check"
    ):
        require_members((*models.ALL, Bare))


def test_a_model_of_neither_shape_is_not_left_out_of_the_search_in_silence() -> None:
    bare: Any = Bare()
    with pytest.raises(InternalError, match="Bare"):
        Requirement([models.KAnonymity(2), bare], ("zip",))


def test_the_promise_of_a_policy_is_made_of_the_sentences_of_its_models(tmp_path: Path) -> None:
    from discreet import Policy

    policy = Policy(
        columns={"zip": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        require=[models.KAnonymity(3), models.LDiversity("ill", 2)],
    )
    for model in policy.require:
        assert model.promise in state_promises(policy)
