"""What a model says can be kept of a class, against every part of the class that there is."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.frequency.classes import Classes, Histogram, Reference
from discreet.measures import Loss
from discreet.models import AverageRisk, KAnonymity, LargestRisk, LDiversity, SampleUniques
from tests.properties.reference import FAILS, HOLDS, Case, Ladder
from tests.properties.strategies import Drawn, Labels, examples, ladders, models, policy_of

VALUES = ("flu", "gout", "hiv", "cold")
COUNTS = st.lists(st.integers(0, 4), min_size=4, max_size=4)
NOISE = 1e-6


def one_class(own: list[int], others: list[int], up: dict[Any, Any], model: Any) -> Drawn:
    """A table in which the rows of one class, with counts ``own``, come before all others."""
    ill = [v for n, v in zip([*own, *others], VALUES * 2, strict=True) for _ in range(n)]
    q = ["in"] * sum(own) + ["out"] * sum(others)
    ladder = Ladder({"in": ("in", "*"), "out": ("out", "*")}, tuple(dict.fromkeys(q)))
    tree = Ladder(up, tuple(dict.fromkeys(ill)))
    case = Case({"q": q, "ill": ill}, {"q": ladder}, (model,), Loss(), trees={"ill": tree})
    return Drawn(case, policy_of(case, {"q": (None, ladder), "ill": (Labels(up), tree)}))


@examples(200)
@given(
    model=models(["q"], ["ill"], ["ill"], kind="sensitive"),
    own=COUNTS.filter(any),
    others=st.lists(st.integers(0, 9), min_size=4, max_size=4),
    up=ladders("ill", VALUES),
)
def test_no_part_of_a_class_passes_with_more_rows_than_keepable(
    model: Any, own: list[int], others: list[int], up: dict[Any, Any]
) -> None:
    drawn = one_class(own, others, up, model)
    counter = drawn.problem().counter
    classes, _ = counter.project(counter.groups((0,)), [0])
    kept = float(model.count_keepable(classes)[0])
    passing = 0
    for part in product(*(range(n + 1) for n in own)):
        if sum(part) > passing:
            histogram = Counter({v: n for v, n in zip(VALUES, part, strict=True) if n})
            if not FAILS[model.name](drawn.case, model, histogram):
                passing = sum(part)
    assert passing <= kept + NOISE
    assert kept <= sum(own)
    assert model.fails(classes)[0] == (passing < sum(own))


@examples(100)
@given(
    model=st.one_of(
        st.builds(AverageRisk, st.sampled_from([0.15, 0.25, 0.3, 0.5, 0.7, 1.0])),
        st.builds(SampleUniques, st.sampled_from([0, 0.05, 0.1, 0.3, 0.5, 1])),
    ),
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=5),
    data=st.data(),
)
def test_no_part_of_a_table_passes_with_more_rows_than_keepable(
    model: Any, sizes: list[int], data: st.DataObject
) -> None:
    """Each class is cut into parts, and some parts are kept: with luck, the promise holds."""
    parts = []
    for size in sizes:
        cuts = data.draw(st.sets(st.integers(1, size)))
        edges = sorted({0, size, *cuts})
        parts += [b - a for a, b in pairwise(edges)]
    alone = data.draw(st.integers(0, len(parts)))
    kept = sorted(parts, reverse=True)[: len(parts) - alone]
    if HOLDS[model.name](model, kept):
        assert sum(kept) <= model.count_keepable(np.array(sizes))
    least = model.find_least_class(np.array(sizes))
    assert HOLDS[model.name](model, [size for size in sizes if size >= least])
    finer = [m for m in range(1, least) if HOLDS[model.name](model, [s for s in sizes if s >= m])]
    assert not [m for m in finer if min(s for s in sizes if s >= m) < least]


@examples(30)
@given(k=st.integers(1, 7), sizes=st.lists(st.integers(1, 8), min_size=1))
def test_small_classes_have_only_small_parts(k: int, sizes: list[int]) -> None:
    classes = Classes(np.array(sizes))
    for model in (KAnonymity(k), LargestRisk(1 / k)):
        assert model.fails(classes).tolist() == [size < k for size in sizes]
        assert model.count_keepable(classes).tolist() == [
            size if size >= k else 0 for size in sizes
        ]


@examples(40)
@given(order=st.permutations([9, *[1] * 9]))
def test_entropy_at_its_limit_does_not_depend_on_the_order_of_values(order: list[int]) -> None:
    """Half of the rows and nine times an eighteenth: the entropy is ln 6, give or take a digit."""

    def fails(counts: list[int]) -> bool:
        value = np.arange(10, dtype=np.int32)
        whole = Reference("ill", np.array(counts))
        histogram = Histogram(np.zeros(10, dtype=np.int32), value, np.array(counts), whole)
        classes = Classes(np.array([sum(counts)]), {"ill": histogram})
        return bool(LDiversity("ill", 6, kind="entropy").fails(classes)[0])

    assert fails(order) == fails(sorted(order)) == fails([2 * count for count in order])
