"""What the search relies on: bounds for finer nodes, and that passing classes can be joined."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from discreet.models import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from tests.models.hand import COLUMN, classes

VALUES = "abc"
TABLE = "aaaaabbbcc"
LEVELS = [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
MODELS = (
    LDiversity(COLUMN, 2),
    LDiversity(COLUMN, 3),
    LDiversity(COLUMN, 1.7, "entropy"),
    LDiversity(COLUMN, 2.6, "entropy"),
    LDiversity(COLUMN, 2, "recursive", c=0.9),
    LDiversity(COLUMN, 2, "recursive", c=2),
    LDiversity(COLUMN, 3, "recursive", c=3),
    TCloseness(COLUMN, 0.15),
    TCloseness(COLUMN, 0.35),
    TCloseness(COLUMN, 0.2, "ordered"),
    TCloseness(COLUMN, 0.2, "hierarchical"),
    DeltaDisclosure(COLUMN, 0.4),
    DeltaDisclosure(COLUMN, 1),
    BetaLikeness(COLUMN, 0.3),
    BetaLikeness(COLUMN, 1),
    BetaLikeness(COLUMN, 1, "enhanced"),
)
MOST = 5

Counts = tuple[int, ...]
EVERY = [counts for counts in product(range(MOST + 1), repeat=len(VALUES)) if any(counts)]


def made(*all_counts: Counts):
    texts = ["".join(v * n for v, n in zip(VALUES, c, strict=True)) for c in all_counts]
    return classes(*texts, table=TABLE, order="bac", levels=LEVELS)


def passing(model) -> dict[Counts, bool]:
    return dict(zip(EVERY, (~model.fails(made(*EVERY))).tolist(), strict=True))


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_no_part_of_a_class_that_passes_is_larger_than_what_can_be_kept(model) -> None:
    """Rows kept at a finer node are a union of passing classes, which passes too."""
    passes = passing(model)
    kept = model.count_keepable(made(*EVERY))
    for counts, bound in zip(EVERY, kept.tolist(), strict=True):
        parts = product(*(range(n + 1) for n in counts))
        best = max((sum(part) for part in parts if passes.get(part)), default=0)
        assert bound >= best - 1e-6, counts


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_class_that_passes_can_be_kept_whole(model) -> None:
    good = [counts for counts, passes in passing(model).items() if passes]
    kept = model.count_keepable(made(*good))
    assert kept.tolist() == [sum(counts) for counts in good]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_two_classes_that_pass_also_pass_together(model) -> None:
    good = [counts for counts, passes in passing(model).items() if passes]
    pairs = np.random.default_rng(0).integers(len(good), size=(2000, 2)).tolist()
    sums = [tuple(map(sum, zip(good[i], good[j], strict=True))) for i, j in pairs]
    assert not model.fails(made(*sums)).any()


@pytest.mark.parametrize("model", [m for m in MODELS if m.hereditary], ids=repr)
def test_every_part_of_a_failing_class_fails_where_the_model_says_so(model) -> None:
    passes = passing(model)
    for counts in EVERY:
        parts = product(*(range(n + 1) for n in counts))
        assert passes[counts] or not any(passes.get(part) for part in parts)
