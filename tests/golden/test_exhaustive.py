"""The optimum on adult and cup is the best of all nodes, whatever the measure and the model."""

from __future__ import annotations

from functools import cache
from math import floor
from typing import Any

import pytest

from discreet.algorithms import Optimal, Solution
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LDiversity,
    TCloseness,
)
from discreet.pipeline.plan import plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.golden import every_node as every
from tests.shared_data import shared

SECRET = "occupation"
MODELS: dict[str, tuple[Any, every.Keeps]] = {
    "k = 5": (KAnonymity(5), every.k_anonymous(5)),
    "k = 60": (KAnonymity(60), every.k_anonymous(60)),
    "distinct l = 6": (LDiversity(SECRET, 6), every.distinct(6)),
    "entropy l = 6.5": (LDiversity(SECRET, 6.5, "entropy"), every.entropy(6.5)),
    "recursive (3, 4)": (LDiversity(SECRET, 4, "recursive", c=3), every.recursive(4, 3)),
    "t = 0.3": (TCloseness(SECRET, 0.3), every.close(0.3)),
    "delta = 3": (DeltaDisclosure(SECRET, 3), every.delta_disclosed(3)),
    "beta = 2": (BetaLikeness(SECRET, 2), every.beta_like(2, enhanced=False)),
    "enhanced beta = 3": (BetaLikeness(SECRET, 3, "enhanced"), every.beta_like(3, enhanced=True)),
    "average risk 0.01": (AverageRisk(0.01), every.average_risk(0.01)),
}
MEASURES = ("loss", "precision", "discernibility", "non_uniform_entropy")
SHARES = (0.0, 0.1)

Allowed = dict[every.Levels, tuple[float, int]]


@cache
def adult() -> every.Table:
    path = shared("data", "adult", "adult_arx.csv")
    return every.Table(path, ["sex", "age", "marital-status", "education", "workclass"], SECRET)


@cache
def cup() -> every.Table:
    path = shared("data", "cup", "cup.csv")
    return every.Table(path, ["AGE", "GENDER", "INCOME", "NGIFTALL"])


TABLES = {"adult": adult, "cup": cup}


@cache
def scores(name: str) -> every.Scored:
    keeps = {model: keep for model, (_, keep) in MODELS.items()}
    if name == "adult":
        return every.scores(adult(), keeps)
    return every.scores(cup(), {"k = 5": keeps["k = 5"]})


def allowed(name: str, measure: str, model: str, suppress: float) -> Allowed:
    limit = floor(suppress * TABLES[name]().rows + 1e-9)
    nodes = scores(name)[measure, model].items()
    return {node: found for node, found in nodes if found[1] <= limit}


@cache
def counted(name: str) -> FrequencyList:
    table = TABLES[name]()
    return count(read(table.path), table.quasi, (SECRET,) if table.sensitive else ()).frequency


def optimum(name: str, model: Any, measure: str, suppress: float) -> Solution:
    table = TABLES[name]()
    columns: dict[str, Any] = {
        quasi: {"role": "quasi", "hierarchy": {"file": str(table.file(quasi))}}
        for quasi in table.quasi
    }
    if table.sensitive:
        columns[table.sensitive] = {"role": "sensitive"}
    policy = Policy(columns=columns, require=[model], measure=measure, suppress=suppress)
    return Optimal()(plan_problem(policy, counted(name)))


def check(found: Solution, measure: str, nodes: Allowed) -> None:
    measured = found.measures[measure]
    score = 1 - measured if measure == "precision" else measured
    best = pytest.approx(min(score for score, _ in nodes.values()), rel=1e-9, abs=1e-9)
    assert (score, nodes[found.node][0]) == (best, best)
    assert found.suppressed == nodes[found.node][1]
    assert found.search.proven


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("suppress", SHARES)
@pytest.mark.parametrize("measure", MEASURES)
def test_no_node_of_adult_is_better(measure: str, suppress: float, model: str) -> None:
    found = optimum("adult", MODELS[model][0], measure, suppress)
    check(found, measure, allowed("adult", measure, model, suppress))


@pytest.mark.parametrize("suppress", SHARES)
@pytest.mark.parametrize("measure", MEASURES)
def test_no_node_of_cup_is_better(measure: str, suppress: float) -> None:
    found = optimum("cup", KAnonymity(5), measure, suppress)
    check(found, measure, allowed("cup", measure, "k = 5", suppress))
