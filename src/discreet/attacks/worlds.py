"""Possible worlds: all assignments of sensitive values that are consistent with a release."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.attacks.coded_rows import CodedRows, number_rows
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.frequency.frequency_list import Entries, KeyIndex

LEFT_OUT = -1
"""The released value of a suppressed row."""

MOST_TUPLES = 200
"""Different tuples of a class with several values of which all worlds are listed."""

DENSE = 20
"""Pairs of a tuple and a value for each person up to which worlds are counted in a dense array."""

AT_ONCE = 200
"""Worlds that are tried together."""


@dataclass(frozen=True, eq=False)
class World:
    """A possible world: ``count`` people of tuple ``owner`` have a combination of values."""

    owner: Ints
    combination: Ints
    count: Ints


@dataclass(frozen=True, eq=False)
class People:
    """Everybody in the private table, with what the release shows about them.

    Parameters
    ----------
    tuple_of
        The distinct tuple of quasi values that each person has.
    class_of
        The released class of each person; people who are left out are one class of their own.
    left_out
        Who is left out.
    value_of
        The combination of sensitive values that each person has, as a number.
    values
        For each sensitive column, the code of its value in each combination.
    """

    tuple_of: Ints
    class_of: Ints
    left_out: Any
    value_of: Ints
    values: Mapping[str, Ints]

    @classmethod
    def of(cls, table: Any, problem: Problem, shown: Ints) -> People:
        """From the private table and the released values of each of its distinct tuples."""
        frequency = problem.frequency
        rows = CodedRows.of(table, [*frequency.columns, *frequency.sensitive])
        codes = {name: _recode_column(rows, name, frequency.values[name]) for name in rows.columns}
        keys = problem.counter.packing.pack([codes[name] for name in frequency.columns], rows.rows)
        owner = KeyIndex(problem.counter.base.keys).find(keys).astype(np.int64)
        together = number_rows([codes[name] for name in frequency.sensitive], rows.rows)
        first = np.unique(together, return_index=True)[1]
        values = {name: codes[name][first] for name in frequency.sensitive}
        seen = number_rows([column - LEFT_OUT for column in shown.T], len(shown))
        left_out = (shown == LEFT_OUT).all(axis=1)
        return cls(owner, seen[owner], left_out[owner], together, values)

    def make_world(self, value_of: Ints) -> World:
        """How many people of each tuple have each combination, if people had these values."""
        number = len(next(iter(self.values.values())))
        pairs = self.tuple_of * number + value_of
        if self._tuples * number <= DENSE * len(pairs):  # counting is quicker than sorting
            dense = np.bincount(pairs)
            pair = np.nonzero(dense)[0]
            return World(pair // number, pair % number, dense[pair])
        pair, count = np.unique(pairs, return_counts=True)
        return World(pair // number, pair % number, count)

    def entries(self, world: World) -> dict[str, Entries]:
        """A world as the search counts it: how often each value goes with each tuple."""
        found = {}
        for name, codes in self.values.items():
            size = int(codes.max()) + 1
            pairs = world.owner * size + codes[world.combination]
            pair, where = np.unique(pairs, return_inverse=True)
            summed = np.bincount(where, weights=world.count, minlength=len(pair))
            found[name] = Entries(
                (pair // size).astype(np.int32),
                (pair % size).astype(np.int32),
                summed.astype(np.int64),
            )
        return found

    def shuffle_values(self, random: np.random.Generator) -> Ints:
        """Sensitive values shuffled among the people of each class, uniformly."""
        by_class, sorted_class = self._by_class
        # Numbers of one class all lie between two whole numbers, so one sort deals all classes.
        order = np.argsort(sorted_class + random.random(len(sorted_class)))
        values = np.empty_like(self.value_of)
        values[by_class] = self.value_of[by_class][order]
        return values

    @cached_property
    def _by_class(self) -> tuple[Ints, Floats]:
        """The people one class after the other, and the class of each."""
        order = np.argsort(self.class_of, kind="stable")
        return order, self.class_of[order].astype(np.float64)

    @cached_property
    def _tuples(self) -> int:
        return int(self.tuple_of.max()) + 1


def _recode_column(rows: CodedRows, name: str, values: Sequence[str | None]) -> Ints:
    """A column in the codes of the frequency list."""
    code = {value: number for number, value in enumerate(values)}
    table = np.array([code.get(text, -1) for text in rows.texts[name]], dtype=np.int64)
    return table[rows.codes[name]]


Fits = Callable[[Sequence[World]], Mask]
"""Says of worlds whether the program would have made the same release."""


def take_batches(worlds: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of at most ``size`` each."""
    source = iter(worlds)
    while batch := list(islice(source, size)):
        yield batch


@dataclass(frozen=True, eq=False)
class Tallied:
    """How often people of each tuple have each combination, over the worlds that fit.

    ``mean[tuple, combination]`` is the belief of somebody who holds all worlds that fit for equally
    likely; ``walks`` are the means of the single walks, if it is theirs.
    """

    mean: Floats
    tried: int
    fitting: int
    walks: Floats | None = None


def list_every_world(people: People, limit: int) -> list[list[tuple[Any, int]]] | None:
    """For each class, every assignment of its sensitive values to its tuples, with its weight.

    People who share all quasi values are not distinguished: the weight counts equivalent
    assignments. None if there are more than ``limit`` worlds.
    """
    found, number = [], 1
    for one in np.unique(people.class_of):
        inside = people.class_of == one
        owners, rows = np.unique(people.tuple_of[inside], return_counts=True)
        values, counts = np.unique(people.value_of[inside], return_counts=True)
        if len(values) > 1 and (
            len(owners) > MOST_TUPLES or bound_ways(len(owners), counts) > limit // number
        ):
            return None
        dealt = list(islice(_list_deals(rows.tolist(), counts.tolist()), limit // number + 1))
        number *= len(dealt)
        if number > limit:
            return None
        ways = math.prod(math.factorial(size) for size in rows.tolist())
        found.append(
            [
                (
                    (owners, values, np.array(table, dtype=np.int64)),
                    ways // math.prod(math.factorial(x) for row in table for x in row),
                )
                for table in dealt
            ]
        )
    return found


def bound_ways(tuples: int, counts: Ints) -> int:
    """At least this many ways there are to deal values, so that they need not be listed to count.

    One person of each tuple is looked at, the others are dealt anything: of these people m have
    some value and the rest another, in as many ways as m tuples can be chosen.
    """
    total, found = int(counts.sum()), 1
    for count in counts.tolist():
        least, most = max(0, tuples - (total - count)), min(count, tuples)
        found = max(found, math.comb(tuples, min(max(tuples // 2, least), most)))
    return found


def _list_deals(rows: list[int], counts: list[int]) -> Iterator[list[list[int]]]:
    """All tables of whole numbers with these sums of rows and of columns."""
    if len(counts) == 1:
        yield [[size] for size in rows]
        return
    if len(rows) == 1:
        yield [counts]
        return
    for first in _list_draws(rows[0], counts):
        left = [have - taken for have, taken in zip(counts, first, strict=True)]
        for rest in _list_deals(rows[1:], left):
            yield [first, *rest]


def _list_draws(size: int, counts: list[int]) -> Iterator[list[int]]:
    """All ways to draw ``size`` values, each at most as often as it is there."""
    if len(counts) == 1:
        if size <= counts[0]:
            yield [size]
        return
    for taken in range(max(0, size - sum(counts[1:])), min(size, counts[0]) + 1):
        for rest in _list_draws(size - taken, counts[1:]):
            yield [taken, *rest]


def tally_every_world(people: People, worlds: list[list[tuple[Any, int]]], fits: Fits) -> Tallied:
    """Try every world, and weigh those that fit."""
    total, mass, tried, fitting = 0, np.zeros(_measure_shape(people)), 0, 0
    scale = math.prod(sum(weight for _, weight in one) for one in worlds)
    for batch in take_batches(product(*worlds), AT_ONCE):
        counts = np.zeros((len(batch), *mass.shape), dtype=np.int64)
        for place, world in enumerate(batch):
            for (owners, values, table), _ in world:
                counts[place][np.ix_(owners, values)] = table
        good = fits([_make_world(one) for one in counts])
        for place in np.nonzero(good)[0]:
            weight = math.prod(weight for _, weight in batch[place])
            mass += counts[place] * (weight / scale)
            total += weight
        tried, fitting = tried + len(batch), fitting + int(good.sum())
    rows = np.bincount(people.tuple_of)[:, None]
    return Tallied(mass / rows / (total / scale), tried, fitting)


def _make_world(counts: Ints) -> World:
    """A world from a table of tuples by combinations."""
    owner, combination = np.nonzero(counts)
    return World(owner, combination, counts[owner, combination])


def tally_sampled_worlds(
    people: People, samples: int, random: np.random.Generator, fits: Fits, few: int, most: int
) -> Tallied:
    """Try worlds that are drawn, each as likely as any other, and count those that fit.

    Where fewer than ``few`` of the first ``samples`` fit, but some do, more are drawn until as many
    fit or ``most`` were drawn. Stopping depends on how many fit and not on their values, so those
    that fit are still a fair sample.
    """
    mass, fitting, tried = np.zeros(_measure_shape(people)), 0, 0
    while tried < samples or (0 < fitting < few and tried < most):
        drawn = min(AT_ONCE, (samples if tried < samples else most) - tried)
        worlds = [people.make_world(people.shuffle_values(random)) for _ in range(drawn)]
        for world, fit in zip(worlds, fits(worlds), strict=True):
            if fit:
                mass[world.owner, world.combination] += world.count
                fitting += 1
        tried += drawn
    rows = np.bincount(people.tuple_of)[:, None]
    return Tallied(mass / rows / max(1, fitting), tried, fitting)


def tally_walks(
    people: People, walks: int, steps: int, random: np.random.Generator, fits: Fits
) -> Tallied:
    """Walk from the true table through worlds that fit, exchanging values within classes.

    Each step shuffles the values of a few people of one class and is undone if another release
    would be made, so all reachable worlds are equally likely in the end. The first half of each
    walk is not counted.
    """
    classes = [np.nonzero(people.class_of == one)[0] for one in np.unique(people.class_of)]
    mixed = [one for one in classes if len(np.unique(people.value_of[one])) > 1]
    chance = np.array([len(one) for one in mixed], dtype=np.float64)
    values = [people.value_of.copy() for _ in range(walks)]
    mass, taken = np.zeros((walks, *_measure_shape(people))), 0
    for step in range(steps):
        proposed = [_exchange_values(one, mixed, chance / chance.sum(), random) for one in values]
        good = fits([people.make_world(one) for one in proposed])
        for walk in range(walks):
            if good[walk]:
                values[walk] = proposed[walk]
            if 2 * step >= steps:
                np.add.at(mass[walk], (people.tuple_of, values[walk]), 1)
        taken += int(good.sum())
    means = mass / np.bincount(people.tuple_of)[:, None] / (steps - (steps + 1) // 2)
    return Tallied(means.mean(axis=0), walks * steps, taken, means)


def _exchange_values(
    value_of: Ints, mixed: list[Ints], chance: Floats, random: np.random.Generator
) -> Ints:
    """The values of a few people of one class dealt anew among them."""
    inside = mixed[random.choice(len(mixed), p=chance)]
    some = random.choice(inside, size=min(len(inside), 1 + random.geometric(0.5)), replace=False)
    found = value_of.copy()
    found[some] = random.permutation(value_of[some])
    return found


def _measure_shape(people: People) -> tuple[int, int]:
    return int(people.tuple_of.max()) + 1, len(next(iter(people.values.values())))
