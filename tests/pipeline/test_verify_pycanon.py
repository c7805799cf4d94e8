"""verify against pycanon and against definitions written out over rows, on random tables.

Where pycanon (1.0) means something else, it is not the judge:

- entropy l-diversity is cut to a whole number, so that rounding can lose one;
- recursive (c,l)-diversity sorts the counts upwards, so that its r1 is the rarest value;
- delta-disclosure leaves out the values that a class lacks, which by definition are infinite;
- enhanced beta-likeness gives one number from the largest gain and the rarest value, not a bound
  for each value;
- rows with a missing quasi value are dropped; the ordered distance divides by 0 for one value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pycanon import anonymity

from discreet.hierarchy import Tree
from discreet.models import (
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LargestRisk,
    LDiversity,
    TCloseness,
)
from discreet.pipeline.verify import verify
from tests.pipeline.promises import only_verdict, promise, released

Row = tuple[str | None, str | None, str | None]
NEAR = pytest.approx


def tables(missing: bool = False) -> st.SearchStrategy[list[Row]]:
    gap = [None] if missing else []
    cell = st.sampled_from(["x", "y", "z", *gap])
    row = st.tuples(cell, cell, st.sampled_from(["1", "2", "3", "10", *gap]))
    return st.lists(row, min_size=1, max_size=24)


def measure(rows: list[Row], model: Any, **more: Any) -> float:
    policy = promise(model, quasi="a b", sensitive="s", **more)
    return only_verdict(released("a b s", rows), policy).measured


def frame(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["a", "b", "s"], dtype=object)


def own_classes(rows: list[Row]) -> list[Counter[str | None]]:
    found: dict[tuple[str | None, str | None], Counter[str | None]] = {}
    for a, b, s in rows:
        found.setdefault((a, b), Counter())[s] += 1
    return list(found.values())


@pytest.mark.parametrize(
    ("model", "theirs"),
    [
        (KAnonymity(2), lambda data: anonymity.k_anonymity(data, ["a", "b"])),
        (LDiversity("s", 2), lambda data: anonymity.l_diversity(data, ["a", "b"], ["s"])),
        (TCloseness("s", 0.5), lambda data: anonymity.t_closeness(data, ["a", "b"], ["s"])),
        (
            BetaLikeness("s", 1),
            lambda data: anonymity.basic_beta_likeness(data, ["a", "b"], ["s"]),
        ),
    ],
    ids=["k", "distinct", "t equal", "basic beta"],
)
@settings(max_examples=20, deadline=None)
@given(rows=tables())
def test_pycanon_agrees(
    model: Any, theirs: Callable[[pd.DataFrame], float], rows: list[Row]
) -> None:
    assert measure(rows, model) == NEAR(theirs(frame(rows)), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(rows=tables())
def test_pycanon_agrees_on_the_whole_part_of_entropy(rows: list[Row]) -> None:
    mine = measure(rows, LDiversity("s", 2, kind="entropy"))
    theirs = anonymity.entropy_l_diversity(frame(rows), ["a", "b"], ["s"])
    assert theirs in {math.floor(mine - 1e-9), math.floor(mine + 1e-9)}


@settings(max_examples=20, deadline=None)
@given(rows=tables())
def test_pycanon_agrees_on_ordered_distance(rows: list[Row]) -> None:
    data = frame(rows)
    assume(data["s"].nunique() > 1)
    theirs = anonymity.t_closeness(data.assign(s=data["s"].astype(int)), ["a", "b"], ["s"])
    assert measure(rows, TCloseness("s", 0.5, distance="ordered")) == NEAR(theirs, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(rows=tables())
def test_pycanon_agrees_on_delta_where_no_class_lacks_a_value(rows: list[Row]) -> None:
    values = {s for _, _, s in rows}
    mine = measure(rows, DeltaDisclosure("s", 1))
    if all(len(own) == len(values) for own in own_classes(rows)):
        assert mine == NEAR(anonymity.delta_disclosure(frame(rows), ["a", "b"], ["s"]), abs=1e-9)
    else:
        assert mine == math.inf


@settings(max_examples=30, deadline=None)
@given(rows=tables(missing=True), ell=st.integers(1, 4), c=st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_recursive_diversity_is_its_definition(rows: list[Row], ell: int, c: float) -> None:
    at_risk = 0
    for own in own_classes(rows):
        counts = sorted(own.values(), reverse=True)
        at_risk += 0 if counts[0] < c * sum(counts[ell - 1 :]) else sum(counts)
    model = LDiversity("s", ell, kind="recursive", c=c)
    policy = promise(model, quasi="a b", sensitive="s")
    verdict = only_verdict(released("a b s", rows), policy)
    assert (verdict.rows_at_risk, verdict.holds) == (at_risk, at_risk == 0)


@settings(max_examples=30, deadline=None)
@given(rows=tables(missing=True), beta=st.sampled_from([0.1, 0.5, 1.0, 5.0]))
def test_enhanced_beta_is_its_definition(rows: list[Row], beta: float) -> None:
    whole = Counter(s for _, _, s in rows)
    at_risk = 0
    for own in own_classes(rows):
        size = sum(own.values())
        for value, number in own.items():
            q = whole[value] / len(rows)
            gain = (number / size - q) / q
            if gain > 0 and gain > min(beta, -math.log(q)) + 1e-9:
                at_risk += size
                break
    policy = promise(BetaLikeness("s", beta, kind="enhanced"), quasi="a b", sensitive="s")
    assert only_verdict(released("a b s", rows), policy).rows_at_risk == at_risk


TREE = Tree({"*": {"low": {"one": ["1"], "two": ["2"]}, "high": {"many": ["3", "10"]}}})
BRANCHES = [str, lambda s: {"1": "one", "2": "two"}.get(s, "many"),
            lambda s: "low" if s in {"1", "2"} else "high"]  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(rows=tables())
def test_hierarchical_distance_is_the_mean_equal_distance_of_the_levels(rows: list[Row]) -> None:
    """On a tree whose leaves are all H deep, moved mass crosses edges of weight 1/(2H)."""
    farthest = 0.0
    for own in own_classes(rows):
        size, levels = sum(own.values()), []
        for up in BRANCHES:
            gain: Counter[str] = Counter()
            for value, number in own.items():
                gain[up(value)] += number / size
            for _, _, value in rows:
                gain[up(value)] -= 1 / len(rows)
            levels.append(sum(map(abs, gain.values())) / 2)
        farthest = max(farthest, float(np.mean(levels)))
    model = TCloseness("s", 0.5, distance="hierarchical")
    assume({s for _, _, s in rows} == {"1", "2", "3", "10"})
    assert measure(rows, model, hierarchies={"s": TREE}) == NEAR(farthest, abs=1e-9)


def matching(rows: list[Row]) -> list[list[Row]]:
    """Each row's class by the definition: all rows that agree where neither is missing."""

    def agree(one: Row, other: Row) -> bool:
        return all(one[at] is None or one[at] == other[at] or other[at] is None for at in (0, 1))

    return [[other for other in rows if agree(row, other)] for row in rows]


@settings(max_examples=30, deadline=None)
@given(rows=tables(missing=True))
def test_wildcards_match_by_definition(rows: list[Row]) -> None:
    classes, table = matching(rows), released("a b s", rows)
    whole = Counter(s for _, _, s in rows)
    far = []
    for matched in classes:
        own = Counter(s for _, _, s in matched)
        far.append(sum(abs(own[v] / len(matched) - whole[v] / len(rows)) for v in whole) / 2)
    models = {
        KAnonymity(3): [len(own) < 3 for own in classes],
        LargestRisk(0.5): [len(own) < 2 for own in classes],
        LDiversity("s", 2): [len({s for _, _, s in own}) < 2 for own in classes],
        TCloseness("s", 0.3): [distance > 0.3 + 1e-9 for distance in far],
    }
    policy = promise(*models, quasi="a b", sensitive="s", missing="wildcard")
    at_risk = [verdict.rows_at_risk for verdict in verify(table, policy).verdicts]
    assert at_risk == [sum(failing) for failing in models.values()]


def test_many_classes_are_measured_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.models import t_closeness

    rng = np.random.default_rng(5)
    rows = [(str(q), "b", str(s)) for q, s in rng.integers(0, 30, (900, 2))]
    model = TCloseness("s", 0.5, distance="ordered")
    whole = measure(rows, model)
    monkeypatch.setattr(t_closeness, "BLOCK", 70)
    assert measure(rows, model) == whole


def test_pandas_and_arrow_frames_give_the_same_verdict() -> None:
    rows: list[Row] = [("x", None, "1"), ("x", None, "2"), ("y", "z", "3")]
    policy = promise(KAnonymity(2), quasi="a b", sensitive="s")
    assert only_verdict(frame(rows), policy) == only_verdict(released("a b s", rows), policy)
    assert isinstance(released("a b s", rows), pa.Table)
