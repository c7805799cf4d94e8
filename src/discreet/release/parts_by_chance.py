"""Which rows of a class go to which of its parts, where only the number of each is set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


class PartsByChance:
    """Deals the rows of some classes to their parts at random, as the rows come by.

    ``shares`` has, for each class, how many rows each of its parts takes.
    """

    def __init__(
        self, shares: Mapping[int, npt.NDArray[np.int64]], random: np.random.Generator
    ) -> None:
        self._dealt = {
            group: random.permutation(np.repeat(np.arange(len(sizes)), sizes))
            for group, sizes in shares.items()
        }
        self._classes = np.array(sorted(self._dealt), dtype=np.int64)
        self._met = dict.fromkeys(self._dealt, 0)

    def of(
        self, group: npt.NDArray[Any]
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """For each class met in a batch: which rows are of it, and the part that each goes to."""
        if not len(self._classes):
            return
        inside = np.nonzero(np.isin(group, self._classes))[0]
        order = inside[np.argsort(group[inside], kind="stable")]
        ends = np.nonzero(np.diff(group[order]))[0] + 1
        for here in np.split(order, ends):
            if len(here):
                own = int(group[here[0]])
                met = self._met[own]
                self._met[own] = met + len(here)
                yield here, self._dealt[own][met : met + len(here)]
