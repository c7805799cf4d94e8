"""Looks up the class of a row by its packed key."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.frequency import kernels


class KeyIndex:
    """Finds keys among the distinct keys of a node's classes."""

    def __init__(self, keys: npt.NDArray[np.uint64]) -> None:
        size = 4
        while size < 2 * keys.shape[1]:
            size *= 2
        self._keys = keys
        self._slots = np.full(size, kernels.EMPTY, dtype=np.int32)
        kernels.index(self._slots, keys, keys.shape[1])

    def find(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """The class of each key, or -1 for a key that no class has."""
        found: npt.NDArray[np.int32] = kernels.find(self._slots, self._keys, keys)
        return found
