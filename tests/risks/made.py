"""Populations whose uniques are known, made by models and against them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from discreet.risks.class_sizes import ClassSizes

PEOPLE = 100_000


def slide(seed: int, classes: int, alpha: float, beta: float) -> Any:
    """Class sizes of one and a negative binomial number."""
    return 1 + np.random.default_rng(seed).negative_binomial(alpha, beta, classes)


@cache
def process(seed: int, theta: float, alpha: float, people: int = PEOPLE) -> Any:
    """Class sizes of Pitman's process, person by person."""
    random = np.random.default_rng(seed)
    coin, pick, keep = random.random(people), random.random(people), random.random(8 * people)
    label, opener = np.zeros(people, dtype=np.int64), np.zeros(people, dtype=bool)
    classes = tried = 0
    for i in range(people):
        if coin[i] * (theta + i) < theta + classes * alpha:
            label[i], opener[i] = classes, True
            classes += 1
            continue
        other = int(pick[i] * i)
        while opener[other] and keep[tried] < alpha:
            tried += 1
            other = int(keep[tried] * 1e6 * i) % i
            tried += 1
        tried += 1
        label[i] = label[other]
    return np.bincount(label)


def drawn(seed: int, shares: Any, people: int = PEOPLE) -> Any:
    """Class sizes of people who choose a class by these shares."""
    counts = np.random.default_rng(seed).multinomial(people, shares / shares.sum())
    return counts[counts > 0]


def sample(seed: int, population: Any, share: float) -> ClassSizes:
    """A simple random sample."""
    rows = round(share * int(population.sum()))
    found = np.random.default_rng(seed).multivariate_hypergeometric(population, rows)
    return ClassSizes.of(found[found > 0])


def uniques(population: Any) -> int:
    return int((population == 1).sum())
