"""Promises about sensitive values count people, as plain Python counts them by hand."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.errors import PolicyError, ReleaseError
from discreet.pipeline.promise import state_promises
from discreet.policy.policy import Policy
from tests.pipeline.people.made_people import at, loss, policy_of

ROW = st.tuples(
    st.sampled_from(["11", "12", "21"]),
    st.sampled_from(["f", "m"]),
    st.sampled_from(["flu", "hiv", "rash", None]),
)
VISITS = st.lists(st.lists(ROW, min_size=1, max_size=3), min_size=4, max_size=9)
Visits = Sequence[Sequence[tuple[Any, ...]]]
Held = Mapping[Any, set[Any]]
"""The values of each person of a class."""


def table_of(people: Visits) -> pa.Table:
    rows = [(f"p{n}", *row) for n, record in enumerate(people) for row in record]
    rows.sort(key=lambda row: str(row[1:]))
    names = ("who", "zip", "sex", "ill")
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns})


def policy_for(model: Mapping[str, Any], k: int = 2, **more: Any) -> Policy:
    return policy_of(k, require=[{"k_anonymity": {"k": k}}, model], **more)


# The definitions, from the page that explains them.


def diversity(held: Held) -> float:
    """The largest ell: one more than the values whose people, added up, are fewer than all."""
    counts = sorted(Counter(v for own in held.values() for v in own).values(), reverse=True)
    ell = 1
    while sum(counts[:ell]) < len(held):
        ell += 1
    return ell


def head_over_rest(held: Held, ell: int) -> float:
    counts = sorted(Counter(v for own in held.values() for v in own).values(), reverse=True)
    rest = len(held) - sum(counts[: ell - 1])
    return counts[0] / rest if rest > 0 else math.inf


def distance(held: Held, everybody: Held) -> float:
    def share(people: Held, value: Any) -> float:
        return sum(value in own for own in people.values()) / len(people)

    values = {value for own in everybody.values() for value in own}
    gaps = [share(held, value) - share(everybody, value) for value in values]
    return max(sum(g for g in gaps if g > 0), -sum(g for g in gaps if g < 0))


Passes = Callable[[Held, Held], bool]
MODELS: dict[str, tuple[Mapping[str, Any], Passes]] = {
    "distinct 2": (
        {"l_diversity": {"column": "ill", "ell": 2}},
        lambda held, _: diversity(held) >= 2,
    ),
    "distinct 3": (
        {"l_diversity": {"column": "ill", "ell": 3}},
        lambda held, _: diversity(held) >= 3,
    ),
    "recursive": (
        {"l_diversity": {"column": "ill", "ell": 2, "kind": "recursive", "c": 2}},
        lambda held, _: head_over_rest(held, 2) < 2,
    ),
    "closeness": (
        {"t_closeness": {"column": "ill", "t": 0.5}},
        lambda held, everybody: distance(held, everybody) <= 0.5 + 1e-9,
    ),
}


def classes_of(rows: Sequence[Mapping[str, Any]], once: bool) -> list[dict[Any, set[Any]]]:
    """The people of each class of a release with their values, from its rows alone."""
    records, values = defaultdict(list), defaultdict(set)
    for row in rows:
        records[row["who"]].append((str(row["zip"]), str(row["sex"])))
        values[row["who"]].add(row["ill"])
    found: dict[Any, dict[Any, set[Any]]] = defaultdict(dict)
    for who, record in records.items():
        shape = tuple(sorted(set(record) if once else record))
        found[shape][who] = values[who]
    return list(found.values())


def group_alike(people: Visits, once: bool) -> dict[int, dict[int, set[Any]]]:
    """Whom each person is compared with: all who have as many rows, or all at all."""
    kinds = [0 if once else len(record) for record in people]
    values = [{row[2] for row in record} for record in people]
    return {
        n: {m: values[m] for m, other in enumerate(kinds) if other == kind}
        for n, kind in enumerate(kinds)
    }


def best(
    people: Visits, hierarchies: Any, k: int, passes: Passes, share: float, once: bool
) -> float | None:
    """The least loss of all nodes at which few enough people are in classes that do not pass."""
    quasi = [[row[:2] for row in record] for record in people]
    compared = group_alike(people, once)
    found = []
    for node in product(*(range(hierarchy.height + 1) for hierarchy in hierarchies)):
        shapes = [at(record, hierarchies, node) for record in quasi]
        keys = [tuple(sorted(set(s)) if once else s) for s in shapes]
        kept = []
        for n, key in enumerate(keys):
            own = {m: {r[2] for r in people[m]} for m, other in enumerate(keys) if other == key}
            kept.append(len(own) >= k and passes(own, compared[n]))
        if len(people) - sum(kept) <= math.floor(share * len(people) + 1e-9):
            found.append(loss(quasi, hierarchies, node, kept))
    return min(found, default=None)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=25, deadline=None)
@given(VISITS, st.booleans(), st.sampled_from([0.0, 0.4]))
def test_the_best_release_is_the_one_that_brute_force_finds(
    name: str, people: Visits, once: bool, share: float
) -> None:
    model, passes = MODELS[name]
    rule = {"column": "who", "records": "ignore" if once else "keep"}
    policy = policy_for(model, people=rule, suppress=share)
    try:
        release = discreet.anonymize(table_of(people), policy)
    except ReleaseError:
        release = None
    builders = {name: policy.columns[name].hierarchy for name in policy.quasi}
    values = {
        name: tuple(dict.fromkeys(row[place] for record in people for row in record))
        for place, name in enumerate(policy.quasi)
    }
    hierarchies = [
        (builders[name] or discreet.hierarchy.Flat()).build(name, values[name])
        for name in policy.quasi
    ]
    expected = best(people, hierarchies, 2, passes, share, once)
    assert (release is None) == (expected is None)
    if release is None or expected is None:
        return
    assert release.solution.measures["loss"] == pytest.approx(expected)
    rows = release.to_arrow().to_pylist()
    for held in classes_of(rows, once):
        assert len(held) >= 2
        if "closeness" not in name:
            assert passes(held, held)


@settings(max_examples=40, deadline=None)
@given(VISITS, st.booleans(), st.integers(2, 3))
def test_the_check_measures_what_is_counted_by_hand(people: Visits, once: bool, ell: int) -> None:
    rule = {"column": "who", "records": "ignore" if once else "keep"}
    table = table_of(people)
    recursive = {"column": "ill", "ell": ell, "kind": "recursive", "c": 2}
    policy = policy_of(
        1,
        people=rule,
        require=[
            {"k_anonymity": {"k": 1}},
            {"l_diversity": {"column": "ill", "ell": ell}},
            {"l_diversity": recursive},
            {"t_closeness": {"column": "ill", "t": 0.3}},
        ],
    )
    classes = classes_of(table.to_pylist(), once)
    compared = group_alike(people, once)
    _, distinct, second, close = discreet.verify(table, policy, table).verdicts[:4]
    assert distinct.measured == min(diversity(held) for held in classes)
    assert distinct.holds == (distinct.measured >= ell)
    assert second.measured == pytest.approx(max(head_over_rest(held, ell) for held in classes))
    far = [distance(held, compared[int(next(iter(held))[1:])]) for held in classes]
    assert close.measured == pytest.approx(max(far))
    assert close.holds == (max(far) <= 0.3 + 1e-9)
    failing = [held for held in classes if diversity(held) < ell]
    at_risk = {who for held in failing for who in held}
    assert distinct.rows_at_risk == sum(row["who"] in at_risk for row in table.to_pylist())


@settings(max_examples=60)
@given(st.lists(st.sets(st.integers(0, 4), min_size=1, max_size=3), min_size=1, max_size=7))
def test_a_class_of_ell_values_leaves_somebody_without_any_fewer(values: list[set[int]]) -> None:
    held = dict(enumerate(values))
    ell = int(min(diversity(held), 5))
    for chosen in combinations(range(5), ell - 1):
        assert any(not own & set(chosen) for own in values)


def test_a_value_that_everybody_has_is_not_hidden_behind_others() -> None:
    people = [[("11", "f", "hiv"), ("11", "f", other)] for other in ("flu", "rash", "cough")]
    table = table_of(people)
    policy = policy_for({"l_diversity": {"column": "ill", "ell": 2}})
    rows_only = Policy(columns=dict(policy.columns), require=policy.require)
    assert discreet.verify(table.drop_columns(["who"]), rows_only).holds
    found = discreet.verify(table, policy)
    assert [(v.model, v.holds, v.measured) for v in found.verdicts] == [
        ("k_anonymity", True, 3),
        ("l_diversity", False, 1),
    ]
    with pytest.raises(ReleaseError, match="l_diversity fails for 3 of 3 people"):
        discreet.anonymize(table, policy)


@pytest.mark.parametrize("records", [{"cap": 1}, {"cap": 2}, {"group": [1, 3]}], ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_rows_that_are_left_out_are_not_counted(name: str, records: Any) -> None:
    random = np.random.default_rng(5)
    ills = ["flu", "hiv", "rash", "cough", "cold"]
    people = [
        [("11", "f", ills[random.integers(5)]) for _ in range(random.integers(1, 5))]
        for _ in range(120)
    ]
    policy = policy_for(MODELS[name][0], people={"column": "who", "records": records}, suppress=0.5)
    release = discreet.anonymize(table_of(people), policy)
    rows = release.to_arrow().to_pylist()
    assert release.holds and release.people
    if "closeness" not in name:
        assert all(MODELS[name][1](held, held) for held in classes_of(rows, once=False))


def test_shares_are_compared_with_what_a_cap_leaves_on_average() -> None:
    people = [[("11", "f", "flu"), ("11", "f", "hiv")]] * 400
    policy = policy_for(
        {"t_closeness": {"column": "ill", "t": 0.2}},
        people={"column": "who", "records": {"cap": 1}},
    )
    table = table_of(people)
    release = discreet.anonymize(table, policy)
    measured = release.verdicts[1].measured
    flu = sum(row["ill"] == "flu" for row in release.to_arrow().to_pylist()) / 400
    assert measured == pytest.approx(abs(flu - 0.5))
    again = discreet.verify(release.to_arrow(), policy, table)
    assert again.verdicts[1].measured == pytest.approx(measured)


def test_entropy_is_promised_where_everybody_has_one_row() -> None:
    people = [[("11", "f", ill)] * 2 for ill in ("flu", "flu", "hiv", "hiv")]
    model = {"l_diversity": {"column": "ill", "ell": 1.9, "kind": "entropy"}}
    with pytest.raises(PolicyError, match=r"entropy is that of one value per person.*cap: 1"):
        policy_for(model)
    policy = policy_for(model, people={"column": "who", "records": {"cap": 1}})
    release = discreet.anonymize(table_of(people), policy)
    found = discreet.verify(release.to_arrow(), policy)
    assert release.verdicts[1].measured == pytest.approx(2)
    assert found.verdicts[1].measured == pytest.approx(2)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ({"beta_likeness": {"column": "ill", "beta": 1}}, "use l_diversity or t_closeness"),
        ({"average_risk": {"max": 0.2}}, "With 'people' use k_anonymity"),
        ({"t_closeness": {"column": "ill", "t": 0.2, "distance": "ordered"}}, "distance: equal"),
    ],
    ids=str,
)
def test_what_cannot_be_promised_of_people_says_what_can(model: Any, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        policy_for(model)


def test_the_promise_says_what_it_means_for_people() -> None:
    distinct = state_promises(policy_for({"l_diversity": {"column": "ill", "ell": 3}}))
    assert "for any 2 values of ill, every class has somebody who has none of them" in distinct
    close = state_promises(policy_for({"t_closeness": {"column": "ill", "t": 0.2}}))
    assert "within 0.2 of those of all people with as many rows" in close


def test_values_of_one_of_several_tables_are_those_of_its_people() -> None:
    persons = pa.table({"who": ["a", "b", "c", "d", "e", "f"], "sex": ["f"] * 4 + ["m"] * 2})
    stays = pa.table({"who": ["a", "b", "b", "c", "d"], "ill": ["flu", "hiv", "flu", "flu", "flu"]})
    policy = {
        "people": {"column": "who", "records": "ignore"},
        "columns": {"persons.sex": {"role": "quasi"}, "stays.ill": {"role": "sensitive"}},
        "require": [
            {"k_anonymity": {"k": 2}},
            {"l_diversity": {"column": "stays.ill", "ell": 2}},
        ],
        "seed": 1,
    }
    tables = {"persons": persons, "stays": stays}
    with pytest.raises(ReleaseError, match="l_diversity fails for 4 of 6 people"):
        discreet.together(tables, policy)
    others = stays.set_column(1, "ill", pa.array(["flu", "hiv", "hiv", "flu", "flu"]))
    release = discreet.together({"persons": persons, "stays": others}, policy)
    assert release.people == 6
    assert discreet.verify_together(release.to_arrow(), policy).holds
    swapped = {**release.to_arrow()}
    swapped["stays"] = swapped["stays"].set_column(
        swapped["stays"].column_names.index("ill"), "ill", pa.array(["flu"] * 5)
    )
    assert not discreet.verify_together(swapped, policy).holds


def test_two_words_for_missing_are_one_value_in_tables_released_together() -> None:
    persons = pa.table({"who": ["a", "b"], "sex": ["f", "f"]})
    stays = pa.table({"who": ["a", "b"], "ill": ["NA", "?"]})
    policy = {
        "people": {"column": "who"},
        "missing": {"values": ["NA", "?"]},
        "columns": {"persons.sex": {"role": "quasi"}, "stays.ill": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "stays.ill", "ell": 2}}],
    }
    found = discreet.verify_together({"persons": persons, "stays": stays}, policy)
    assert [(v.model, v.holds) for v in found.verdicts] == [
        ("k_anonymity", True),
        ("l_diversity", False),
    ]
