"""One level of a hierarchy while it is being built: what each leaf is released as there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Level:
    """What every leaf becomes at one level, as codes into a list of labels.

    A label of ``None`` is the missing value, released as missing.
    """

    codes: Codes
    labels: tuple[str | None, ...]

    def __repr__(self) -> str:
        return f"Level({len(self.codes)} leaves, {len(self.labels)} labels)"

    @classmethod
    def of_texts(cls, texts: Sequence[str | None]) -> Level:
        """Make a level from the text that each leaf is released as; the same text is one label."""
        labels = tuple(dict.fromkeys(texts))
        code = {label: number for number, label in enumerate(labels)}
        codes = np.fromiter(map(code.__getitem__, texts), np.int32, len(texts))
        return cls(codes, labels)

    @classmethod
    def of_keys(
        cls, keys: NDArray[Any], missing: NDArray[np.bool_], label: Callable[[Any], str]
    ) -> Level:
        """Make a level from a number per present leaf, such as the interval that it falls in.

        `missing` marks the leaves that have no value; `keys` holds the others, in leaf order.
        """
        distinct, inverse = np.unique(keys, return_inverse=True)
        labels: tuple[str | None, ...] = tuple(label(key) for key in distinct.tolist())
        if not missing.any():
            return cls(inverse.astype(np.int32), labels)
        codes = np.full(len(missing), len(labels), dtype=np.int32)
        codes[~missing] = inverse
        return cls(codes, (*labels, None))

    @classmethod
    def single(cls, leaves: int, label: str) -> Level:
        """Make a level where every leaf has the same label: a root."""
        return cls(np.zeros(leaves, dtype=np.int32), (label,))

    def take(self, leaves: NDArray[np.intp]) -> Level:
        """Keep the chosen leaves only, in the order given; the labels stay as they are."""
        return Level(self.codes[leaves], self.labels)

    def with_leaf(self, label: str | None) -> Level:
        """Add one leaf at the end that has this label here, which may be a new one."""
        return self.with_leaves(1, label)

    def with_leaves(self, number: int, label: str | None) -> Level:
        """Add leaves at the end that all have this label here, which may be a new one."""
        labels = self.labels if label in self.labels else (*self.labels, label)
        added = np.full(number, labels.index(label), dtype=np.int32)
        return Level(np.concatenate([self.codes, added]), labels)

    def several_parents(self, above: Level) -> NDArray[np.intp]:
        """Find leaves whose label here has more than one parent in the level above."""
        parent = np.empty(len(self.labels), dtype=np.int32)
        parent[self.codes] = above.codes
        return np.flatnonzero(parent[self.codes] != above.codes)
