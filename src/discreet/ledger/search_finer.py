"""A release that tells more than those to a wider audience, to a recipient who may know more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.display import dataclass
from discreet.hierarchy.lattice import Node
from discreet.ledger.entry import Entry
from discreet.ledger.key import Key
from discreet.ledger.known import has_same_rows
from discreet.ledger.search import SIZE_NAMES, SIZES
from discreet.policy.policy import Policy


@dataclass(frozen=True, eq=False)
class Finer:
    """Finds the best release from which every known one could be made, if there is one.

    The known releases then tell nothing that the new one does not tell: its promises hold beside
    them as they hold for it alone. That asks for a table with exactly the rows that each of them
    released, for no row left out, for no column finer than the new one has it, and for the columns
    that they released as they are. Those to a wider audience may be coarser; others are repeated.
    Only beside promises about numbers of rows: others could not be renewed later to those who hold
    a finer release.

    Parameters
    ----------
    key, name
        Of the ledger and the table.
    policy
        Made for a recipient's profile: without one, nobody has said that this audience may know
        more than the wider one.
    problem
        The problem as it is without the known releases.
    wider
        The audiences that include the recipient.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2: of two releases, one must be a generalization of the other.
    *Departures*: here it is the earlier. *Cost*: one roll-up for each node below the known ones.
    """

    key: Key
    name: str
    policy: Policy
    problem: Problem
    wider: Collection[str]

    def find(self, known: Sequence[Entry]) -> Solution | None:
        """The best such release; None if there is none, or if it was not requested."""
        profile = self.policy.recipient.name is not None
        sizes = all(isinstance(model, SIZES) for model in self.policy.require)
        if not profile or not sizes or not any(entry.to in self.wider for entry in known):
            return None
        if not all(self._is_made_from(entry) for entry in known):
            return None
        return self._find_best(known)

    def _is_made_from(self, entry: Entry) -> bool:
        """Whether a release could be made from the table, and all of its columns from this one."""
        frequency, hierarchies = self.problem.frequency, self.problem.lattice.hierarchies
        return (
            entry.promises <= SIZE_NAMES
            and set(entry.levels) == set(frequency.columns)
            and set(entry.raw) <= set(self.policy.released)
            and has_same_rows(self.key, self.name, frequency, hierarchies, entry)
        )

    def _find_best(self, known: Sequence[Entry]) -> Solution | None:
        columns, counter = self.problem.frequency.columns, self.problem.counter
        nodes = [tuple(entry.levels[name] for name in columns) for entry in known]
        most = [min(levels) for levels in zip(*nodes, strict=True)]
        repeated = [
            node for node, one in zip(nodes, known, strict=True) if one.to not in self.wider
        ]
        least = [max(levels) for levels in zip(*repeated, strict=True)] or [0] * len(columns)
        best: tuple[float, Node] | None = None
        checked = 0
        for node in product(*(range(low, high + 1) for low, high in zip(least, most, strict=True))):
            checked += 1
            groups = counter.groups(node)
            if self.problem.requirement.judge(counter, groups).suppressed:
                continue
            score = self.problem.score(self.problem.measure, groups, np.zeros_like(groups.rows))
            if best is None or score < best[0]:
                best = score, node
        if best is None:
            return None
        search = Search(False, None, self.problem.lattice.nodes, checked)
        nothing = np.zeros_like(counter.groups(best[1]).rows)
        return build_solution_at(self.problem, self.policy.algorithm.name, best[1], nothing, search)

    @staticmethod
    def notes(known: Sequence[Entry]) -> tuple[str, ...]:
        """Notes on such a release."""
        *most, last = (str(entry.number) for entry in known)
        which = f"releases {', '.join(most)} and {last} are" if most else f"release {last} is"
        they = "they reveal" if most else "it reveals"
        return (
            f"{which} known to the recipient of this one, and made for a wider audience; {they} "
            "nothing that this one does not",
        )
