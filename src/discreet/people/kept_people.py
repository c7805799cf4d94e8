"""Who is in the release, and under which pseudonym."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from discreet.algorithms.solution import Solution
from discreet.errors import InternalError
from discreet.frequency.classes import Mask
from discreet.people.counted_people import CountedPeople
from discreet.people.people_problem import PeopleProblem
from discreet.people.records import NOBODY
from discreet.replacement_key import ReplacementKey


class KeptPeople:
    """The people that a solution releases; of a class left out in part, chance decides who."""

    def __init__(
        self,
        counted: CountedPeople,
        problem: PeopleProblem,
        solution: Solution,
        random: np.random.Generator,
        key: ReplacementKey,
    ) -> None:
        self._counted, self._key = counted, key
        homes = problem.people.homes(solution.groups)
        if (homes < 0).any():
            raise InternalError("a record is in no class")
        of = counted.records.of
        there = of != NOBODY
        group = np.where(there, homes[of], NOBODY)
        dropped, rows = solution.dropped, solution.groups.rows
        self.kept: Mask = there & (dropped < rows)[group]
        for part in np.nonzero((dropped > 0) & (dropped < rows))[0]:
            members = np.nonzero(group == part)[0]
            self.kept[random.permutation(members)[: dropped[part]]] = False

    @property
    def released(self) -> int:
        """How many people are released."""
        return int(self.kept.sum())

    def rows(self, place: int) -> Mask:
        """Which rows of a table are released."""
        person = self._counted.rows[place].person
        stays: Mask = self._counted.stays[place] & self.kept[person]
        return stays

    @cached_property
    def pseudonyms(self) -> pa.Array:
        """The pseudonym of each person, none of which is an identifier of anybody here."""
        from discreet.pseudonyms.formats.token import Token
        from discreet.pseudonyms.one_way import OneWay

        first = self._counted.rows[0]
        identifiers = pa.array(first.people.values, pa.string())
        return OneWay(self._key, Token())(identifiers, column=first.entity).values
