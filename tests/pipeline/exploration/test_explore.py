"""A table counted once says what a release at any node would be."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.errors import ArgumentError, DiscreetError, ReleaseError
from discreet.table.table import Table

RANDOM = np.random.default_rng(5)
ROWS = pa.table({
    "age": [str(n) for n in RANDOM.integers(20, 60, 300)],
    "zip": [f"0{n}" for n in RANDOM.integers(2080, 2160, 300)],
    "sex": RANDOM.choice(["f", "m"], 300).tolist(),
    "job": RANDOM.choice(["nurse", "cook", "clerk"], 300).tolist(),
    "ill": RANDOM.choice(["flu", "cold", "cough", "none"], 300).tolist(),
})  # fmt: skip
POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
        "sex": {"role": "quasi"},
        "job": {"role": "other"},
        "ill": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 5}}, {"l_diversity": {"column": "ill", "ell": 2}}],
    "suppress": 0.1,
    "seed": 3,
}


class CountingSource:
    """The rows of a table, and how many passes were made over them."""

    def __init__(self, source: Any) -> None:
        self.source, self.passes = source, 0

    def scan(self, *given: Any) -> Any:
        self.passes += 1
        return self.source.scan(*given)


@pytest.fixture(scope="module")
def explored() -> discreet.Exploration:
    return discreet.explore(ROWS, POLICY)


def watch() -> tuple[Table, CountingSource]:
    table = discreet.read(ROWS)
    source = CountingSource(table.source)
    return replace(table, source=source), source


def test_rows_are_read_once_whatever_is_asked() -> None:
    table, source = watch()
    asked = discreet.explore(table, POLICY)
    for view in (asked.best(), asked.node([0, 0, 0]), asked.around(), asked.nearest()):
        view.facts()
    asked.risk(["job", "zip"])
    asked.cost_of_k((2, 3))
    asked.hierarchy("age")
    weaker = {**POLICY, "require": [{"k_anonymity": {"k": 2}}]}
    roles = {**POLICY["columns"], "job": {"role": "quasi"}, "sex": {"role": "other"}}
    asked.change(weaker).best()
    asked.change({**POLICY, "columns": roles}).best()
    assert source.passes == 1


def test_the_best_node_is_that_of_anonymize(explored: discreet.Exploration) -> None:
    best, release = explored.best().facts(), discreet.anonymize(ROWS, POLICY).facts()
    assert best["levels"] == release["levels"]
    assert best["measures"] == release["measures"]
    assert best["rows_suppressed"] == release["rows_suppressed"]
    assert best["optimal"] == release["optimal"]
    assert [{**one, "rows_failing": 0} for one in release["verdicts"]] == [
        {**one, "rows_failing": 0} for one in best["verdicts"]
    ]


@pytest.mark.parametrize("node", [(0, 0, 0), (2, 1, 1), (3, 3, 0), (4, 2, 1), (4, 3, 1)])
def test_a_node_is_what_a_release_at_these_levels_is(
    explored: discreet.Exploration, node: tuple[int, ...]
) -> None:
    facts = explored.node(node).facts()
    fixed = {**POLICY, "algorithm": facts["policy"]["algorithm"]}
    if not facts["allowed"]:
        with pytest.raises(ReleaseError, match=f"{facts['rows_suppressed']:,} of 300 rows"):
            discreet.anonymize(ROWS, fixed)
        with pytest.raises(ReleaseError):
            explored.release(node)
        return
    release = discreet.anonymize(ROWS, fixed)
    told = release.facts()
    for key in ("levels", "measures", "rows_suppressed", "classes", "smallest_class"):
        assert facts[key] == told[key]
    assert explored.release(node).to_arrow().equals(release.to_arrow())


def test_what_was_clicked_runs_the_same_from_a_policy_file(
    explored: discreet.Exploration, tmp_path: Path
) -> None:
    explored.policy_at([3, 2, 1]).save(tmp_path / "policy.yaml")
    explored.release([3, 2, 1]).write(tmp_path / "clicked.csv")
    discreet.anonymize(ROWS, tmp_path / "policy.yaml").write(tmp_path / "run.csv")
    assert (tmp_path / "clicked.csv").read_bytes() == (tmp_path / "run.csv").read_bytes()


def test_a_changed_policy_gets_the_answers_of_a_new_count(explored: discreet.Exploration) -> None:
    roles = {
        **POLICY["columns"],
        "job": {"role": "quasi"},
        "sex": {"role": "sensitive"},
        "ill": {"role": "other"},
    }
    require = [{"k_anonymity": {"k": 4}}, {"l_diversity": {"column": "sex", "ell": 2}}]
    other = {**POLICY, "columns": roles, "require": require}
    changed, fresh = explored.change(other), discreet.explore(ROWS, other)
    assert changed.best().facts() == fresh.best().facts()
    assert changed.release().to_arrow().equals(discreet.anonymize(ROWS, other).to_arrow())


def test_values_that_are_read_otherwise_are_counted_again(explored: discreet.Exploration) -> None:
    missing = {**POLICY, "missing": {"values": ["f"]}}
    sizes = [
        one.node([4, 3, 0]).facts()["class_sizes"]
        for one in (explored.change(missing), discreet.explore(ROWS, missing))
    ]
    assert sizes[0] == sizes[1]
    assert None in explored.change(missing).counted.frequency.values["sex"]


def test_the_map_has_every_level_of_two_columns(explored: discreet.Exploration) -> None:
    facts = explored.around([2, 1, 0], columns=("age", "zip")).facts()
    assert [(*one["levels"].values(),) for one in facts["cells"]] == [*product(range(5), range(4))]
    for cell in facts["cells"]:
        node = explored.node(cell["node"]).facts()
        assert cell["node"]["sex"] == 0
        assert cell["allowed"] == node["allowed"]
        assert cell["rows_suppressed"] == node["rows_suppressed"]
        assert cell["score"] == (pytest.approx(node["score"]) if node["allowed"] else None)
    assert [cell["levels"] for cell in facts["cells"] if cell["here"]] == [{"age": 2, "zip": 1}]


def test_the_nearest_nodes_are_the_allowed_ones_by_distance(
    explored: discreet.Exploration,
) -> None:
    here = (1, 1, 0)
    allowed = {
        node: sum(abs(a - b) for a, b in zip(node, here, strict=True))
        for node in product(range(5), range(4), range(2))
        if explored.node(node).facts()["allowed"] and node != here
    }
    found = explored.nearest(here, most=100).facts()
    assert {(*one["levels"].values(),): one["distance"] for one in found["nodes"]} == allowed
    distances = [one["distance"] for one in found["nodes"]]
    assert distances == sorted(distances)
    assert found["complete"]


def test_filters_limit_levels_and_suppressed_rows(explored: discreet.Exploration) -> None:
    every = explored.nearest(most=100).facts()["nodes"]
    found = explored.nearest(most=100, at_most={"age": 3}, at_least={"zip": 2}, suppressed=5)
    nodes = found.facts()["nodes"]
    assert nodes
    assert all(one["levels"]["age"] <= 3 and one["levels"]["zip"] >= 2 for one in nodes)
    assert all(one["rows_suppressed"] <= 5 for one in nodes)
    best = explored.best().facts()["levels"]
    assert {str(one["levels"]) for one in nodes} == {
        str(one["levels"])
        for one in every
        if one["levels"]["age"] <= 3 and one["levels"]["zip"] >= 2 and one["rows_suppressed"] <= 5
        and one["levels"] != best
    }  # fmt: skip


def test_few_checks_are_said_to_be_incomplete(explored: discreet.Exploration) -> None:
    facts = explored.nearest([0, 0, 0], checks=3).facts()
    assert (facts["checked"], facts["complete"]) == (3, False)


@pytest.mark.parametrize("quasi", [("age", "zip", "sex"), ("job",), ("ill", "age"), ("zip", "job")])
def test_the_risk_of_other_roles_is_that_of_a_count(
    explored: discreet.Exploration, quasi: tuple[str, ...]
) -> None:
    facts, counted = explored.risk(quasi).facts(), discreet.risk(ROWS, quasi=quasi).facts()
    assert facts == {key: counted[key] for key in facts}


def test_a_column_that_was_no_candidate_is_counted_when_asked_for() -> None:
    table, source = watch()
    asked = discreet.explore(table, POLICY, candidates=["sex"])
    assert "job" not in asked.candidates
    counted = discreet.risk(ROWS, quasi=["job", "age"]).facts()
    for _ in range(2):
        assert asked.risk(["job", "age"]).facts()["uniques"] == counted["uniques"]
    assert source.passes == 2


def test_a_candidate_that_is_released_no_more_is_no_hindrance_next_to_techniques() -> None:
    asked = discreet.explore(ROWS, POLICY, candidates=["job"])
    columns = {**POLICY["columns"], "job": {"role": "identifier"}}
    columns["age"] = {**columns["age"], "technique": {"top_code": {"at": 50}}}
    changed = asked.change({**POLICY, "columns": columns})
    assert "job" not in changed.candidates
    release = discreet.anonymize(ROWS, {**POLICY, "columns": columns}).facts()
    assert changed.best().facts()["levels"] == release["levels"]


def test_the_cost_of_each_k_is_that_of_its_best_release(explored: discreet.Exploration) -> None:
    costs = explored.cost_of_k((2, 20, 290)).facts()["costs"]
    assert [one["k"] for one in costs] == [2, 5, 20, 290]
    assert [one["chosen"] for one in costs] == [False, True, False, False]
    for one in costs[:3]:
        require = [{"k_anonymity": {"k": one["k"]}}, POLICY["require"][1]]
        release = discreet.anonymize(ROWS, {**POLICY, "require": require}).facts()
        assert one["levels"] == release["levels"]
        assert one["score"] == release["measures"]["loss"]
        assert one["granularity"] == release["measures"]["granularity"]
        assert one["rows_suppressed"] == release["rows_suppressed"]


def test_a_class_size_that_cannot_be_reached_says_why() -> None:
    asked = discreet.explore(ROWS, {**POLICY, "suppress": 0})
    cost = asked.cost_of_k((400,)).facts()["costs"][-1]
    assert not cost["reachable"] and cost["levels"] is None
    assert "no release meets this policy" in cost["why_not"]


def test_parts_of_a_hierarchy_lie_under_their_parents(explored: discreet.Exploration) -> None:
    facts = explored.hierarchy("age").facts()
    assert facts["private"] is True
    edges = [{round(part["start"], 9) for part in one["parts"]} | {1.0} for one in facts["levels"]]
    assert all(upper <= lower for upper, lower in pairwise(edges))
    for one in facts["levels"]:
        assert sum(part["rows"] for part in one["parts"]) == 300
        assert sum(part["others"] or 1 for part in one["parts"]) == one["labels"]
    ages = {part["label"]: part["rows"] for part in facts["levels"][-1]["parts"]}
    assert ages == {age: ROWS["age"].to_pylist().count(age) for age in ages}


def test_rare_labels_are_added_up(explored: discreet.Exploration) -> None:
    levels = explored.hierarchy("age", most=4).facts()["levels"]
    ground = levels[-1]["parts"]
    assert sum(not part["others"] for part in ground) == 4
    assert all(part["label"] is None for part in ground if part["others"])
    assert sum(part["others"] or 1 for part in ground) == levels[-1]["labels"]


def test_people_are_explored_by_their_records() -> None:
    table = ROWS.append_column("who", pa.array([f"p{n // 2}" for n in range(300)]))
    people = {**POLICY, "people": {"column": "who"}, "require": [{"k_anonymity": {"k": 3}}]}
    asked = discreet.explore(table, people)
    best, release = asked.best().facts(), discreet.anonymize(table, people).facts()
    assert best["levels"] == release["levels"] and best["unit"] == "people"
    assert "150 people" in repr(asked)
    assert asked.release().facts()["people_suppressed"] == release["people_suppressed"]
    with pytest.raises(ArgumentError, match="people are counted"):
        asked.risk()


def test_a_policy_that_cannot_be_kept_is_explored_all_the_same() -> None:
    require = [{"l_diversity": {"column": "ill", "ell": 5}}]  # there are four values
    asked = discreet.explore(ROWS, {**POLICY, "require": require})
    with pytest.raises(ReleaseError, match="no release meets this policy"):
        asked.best()
    facts = asked.node([4, 3, 1]).facts()
    assert not facts["allowed"] and facts["risk"] is None
    assert facts["why_not"].startswith("300 rows would have to be suppressed")


@pytest.mark.parametrize(
    "ask",
    [
        lambda one: one.node([0]),
        lambda one: one.node({"age": 0, "zip": 0}),
        lambda one: one.node({"age": 0, "zip": 0, "job": 0}),
        lambda one: one.node([9, 0, 0]),
        lambda one: one.around(columns=("age", "job")),
        lambda one: one.around(columns=("age", "age")),
        lambda one: one.nearest(at_most={"job": 1}),
        lambda one: one.risk(["jop"]),
        lambda one: one.risk([]),
        lambda one: one.hierarchy("job"),
        lambda one: one.nearest().svg(),
        lambda one: discreet.explore(ROWS, POLICY, candidates=["jop"]),
    ],
)
def test_questions_that_make_no_sense_are_refused(explored: Any, ask: Any) -> None:
    with pytest.raises(DiscreetError):
        ask(explored)


def list_views(explored: discreet.Exploration) -> list[discreet.View]:
    return [
        explored.best(),
        explored.node([0, 0, 0]),
        explored.around(),
        explored.around(columns=("sex",)),
        explored.nearest(),
        explored.risk(),
        explored.cost_of_k((2, 290)),
        explored.hierarchy("zip"),
    ]


def test_every_answer_is_plain_data_a_frame_and_a_picture(explored: discreet.Exploration) -> None:
    for view in list_views(explored):
        assert json.loads(json.dumps(view.facts(), allow_nan=False)) == view.facts()
        assert len(view.to_pandas()) == len(view.to_polars()) > 0
        assert view._repr_html_().startswith("<table>")
        if view.kind != "nearest":
            assert view.svg().endswith("</svg>\n")


def test_a_repr_shows_no_value(explored: discreet.Exploration) -> None:
    assert repr(explored) == "Exploration(300 rows, 3 quasi columns, 40 nodes)"
    assert repr(explored.around()) == "View(around: 20 cells)"
    assert repr(explored.hierarchy("zip")) == "View(hierarchy: 4 levels)"
