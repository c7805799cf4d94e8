"""What the choice of a release tells, against worlds that are enumerated with the whole program."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.attacks import minimality
from discreet.attacks.minimality import Minimality, promised_belief
from discreet.attacks.run import attack
from discreet.errors import BlindChoiceError, DiscreetError, PolicyError
from discreet.frequency.classes import Reference
from discreet.models import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from tests.attacks.made import table

COLUMNS = {
    "zip": {"role": "quasi", "hierarchy": {"prefix": [1]}},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
HIV = table("sex ill", "m hiv, m hiv, f flu, f gout, f cold")

PROMISES: dict[str, dict[str, Any]] = {
    "distinct": {"l_diversity": {"column": "ill", "ell": 2}},
    "entropy": {"l_diversity": {"column": "ill", "ell": 1.7, "kind": "entropy"}},
    "recursive": {"l_diversity": {"column": "ill", "ell": 2, "kind": "recursive", "c": 2}},
    "closeness": {"t_closeness": {"column": "ill", "t": 0.35}},
    "likeness": {"beta_likeness": {"column": "ill", "beta": 1}},
    "disclosure": {"delta_disclosure": {"column": "ill", "delta": 1.2}},
}


def policy(promise: dict[str, Any], columns: Any = None, **settings: Any) -> Policy:
    return Policy(columns=columns or COLUMNS, require=[promise], **settings)


def drawn(seed: int, rows: int = 6, ills: str = "abc") -> pa.Table:
    """A small random table whose sensitive values go with the quasi values a little."""
    rnd = random.Random(seed)
    zips = [rnd.choice(["11", "12", "21"]) for _ in range(rows)]
    sexes = [rnd.choice("fm") for _ in range(rows)]
    values = [z[0] if rnd.random() < 0.3 else rnd.choice(ills) for z in zips]
    return pa.table({"zip": zips, "sex": sexes, "ill": values})


def deals(values: Counter[str], size: int) -> Iterator[list[str]]:
    """Every different order of some values."""
    if not size:
        yield []
    for value in sorted(values):
        if values[value]:
            values[value] -= 1
            for rest in deals(values, size - 1):
                yield [value, *rest]
            values[value] += 1


def seen(people: pa.Table, how: Policy) -> Counter[tuple[str, ...]] | None:
    """The release as anybody sees it: its rows, in no order."""
    try:
        made: Any = anonymize(people, how)
    except DiscreetError:
        return None
    return Counter(rows_of(made))


def rows_of(made: Any) -> list[tuple[str, ...]]:
    """The released rows, without the second count of what is written, which takes long."""
    with made._recoder().reader() as rows:
        released = rows.read_all()
    return [tuple(row.values()) for row in released.select(list(made.policy.columns)).to_pylist()]


def beliefs(people: pa.Table, how: Policy) -> list[dict[str, Fraction]]:
    """For each person the share of all worlds with the same release in which they have a value.

    Knows nothing of classes or nodes: all ways to deal the values of the whole table are tried,
    each by running the whole program.
    """
    wanted, counts, fitting = seen(people, how), [Counter() for _ in range(people.num_rows)], 0
    assert wanted is not None
    for values in deals(Counter(people.column("ill").to_pylist()), people.num_rows):
        world = people.set_column(people.column_names.index("ill"), "ill", pa.array(values))
        if seen(world, how) == wanted:
            fitting += 1
            for one, value in zip(counts, values, strict=True):
                one[value] += 1
    return [{v: Fraction(n, fitting) for v, n in one.items()} for one in counts]


def shares(people: pa.Table, how: Policy) -> list[dict[str, Fraction]]:
    """For each person the share of each value in their class; empty for those left out."""
    made: Any = anonymize(people, how)
    classes: dict[Any, Counter[str]] = defaultdict(Counter)
    for *texts, value in rows_of(made):
        classes[tuple(texts)][value] += 1
    found = []
    for row in people.to_pylist():
        label = []
        for hierarchy in made.problem.lattice.hierarchies:
            level = made.levels[hierarchy.column]
            ground = hierarchy.labels[0].index(row[hierarchy.column])
            label.append(hierarchy.labels[level][hierarchy.maps[level][ground]])
        inside = classes[tuple(label)]
        found.append({v: Fraction(n, inside.total()) for v, n in inside.items()})
    return found


def worst(found: list[dict[str, Fraction]]) -> float:
    return float(max(max(one.values()) for one in found if one))


def test_two_men_are_certain_though_sex_is_released_as_a_star() -> None:
    how = policy(PROMISES["distinct"], {n: COLUMNS[n] for n in ("sex", "ill")})
    made = anonymize(HIV, how)
    assert made.levels == {"sex": 1}
    found = Minimality()(made)
    assert found.breaks
    assert (found.rows_exposed, found.earlier_rows) == (2, (1, 2))
    facts = found.found["columns"]["ill"]
    assert (facts["worst_belief"], facts["by_class"], facts["promised"]) == (1, 0.4, 0.5)
    assert facts["rows_certain"] == 2
    assert found.found["method"] == "exact"


def generalized(promise: str, number: int, rows: int = 5, **settings: Any) -> list[Any]:
    """The first random tables that have to be generalized, with the policy and the release."""
    found: list[Any] = []
    for seed in range(200):
        suppress = (0.0, 0.2)[seed % 2] if settings.get("choice") is None else 0.0
        how = policy(PROMISES[promise], **{"suppress": suppress, "seed": 1, **settings})
        people = drawn(seed, rows)
        try:
            made: Any = anonymize(people, how)
        except DiscreetError:
            continue
        if made.rows and made.levels != {"zip": 0, "sex": 0}:
            found.append((people, how, made))
        if len(found) == number:
            break
    return found


CASES = [("optimal", promise) for promise in PROMISES]
CASES += [("datafly", "distinct"), ("spalm", "closeness")]


@pytest.mark.parametrize(("algorithm", "promise"), CASES)
def test_beliefs_are_those_of_all_worlds_run_through_the_whole_program(
    algorithm: str, promise: str
) -> None:
    cases = generalized(promise, 3, algorithm=algorithm)
    assert len(cases) == 3
    for people, how, made in cases:
        found = Minimality()(made)
        assert found.applies, found.note
        assert found.found["method"] == "exact"
        classes = shares(people, how)
        expected = [one for one, own in zip(beliefs(people, how), classes, strict=True) if own]
        facts = found.found["columns"]["ill"]
        assert facts["worst_belief"] == pytest.approx(worst(expected))
        sure = [one for one in expected if worst([one]) == 1]
        known = [one for one in classes if len(one) == 1]
        assert facts["rows_certain"] == len(sure) - len(known)
