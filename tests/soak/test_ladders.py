"""The product's hierarchies and the soak's own ladders say the same of values that do not fit."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from discreet.hierarchy import make_builder
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.ranges import OTHER
from soak.ladders import build_ladder
from soak.policies import _KINDS
from soak.tables import ODD_KINDS, pick_column


def make_case(kind: str, seed: int):
    """A column of a kind with its hierarchy, and its different values."""
    random = Random(f"{kind} {seed}")
    column = pick_column(random, kind, 30, random.choice((0, 0.1)))
    spec = _KINDS[kind](random, "column", column, Path())
    return spec, list(dict.fromkeys(column.cells))


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_the_product_and_the_ladder_agree_on_every_level(kind):
    others = 0
    for seed in range(150):
        spec, values = make_case(kind, seed)
        built = make_builder(spec).build("column", values)
        ladder = build_ladder(spec, values, Path())
        for level, (codes, labels) in enumerate(zip(built.maps, built.labels, strict=True)):
            told = {value: labels[code] for value, code in zip(values, codes, strict=True)}
            wanted = {value: ladder.up[value][level] for value in values}
            assert told == wanted, (spec, level)
        assert built.height == ladder.height
        others += any(OTHER in labels for labels in built.labels[1:])
    assert others > 10


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_every_label_can_stand_for_every_value_under_it(kind):
    for seed in range(60):
        spec, values = make_case(kind, seed)
        builder = make_builder(spec)
        built = builder.build("column", values)
        released = {label for labels in built.labels for label in labels}
        atoms = Atoms.of("column", released, builder, values)
        for codes, labels in zip(built.maps, built.labels, strict=True):
            for value, code in zip(values, codes, strict=True):
                assert atoms.fits(labels[code], value), (spec, labels[code])
