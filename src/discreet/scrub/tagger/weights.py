"""The weights of a tagger, as fitted and as stored.

Cost: reading takes some hundredths of a second; a casing is read when a text of it is met.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.scrub.alphabet import LOWER, NORMAL, UPPER
from discreet.scrub.page_format import FORMATS
from discreet.scrub.tagger.claims import CLAIMS
from discreet.scrub.tagger.observer import LETTERS
from discreet.scrub.tagger.word_class import CLASSES

REACH = 3
"""Neighbours that are looked at on each side."""

LABELS = ("", "NAME", "ORGANIZATION", "STREET", "LOCATION", "ID")
"""What a token can be part of; the first is nothing."""

CASINGS = (NORMAL, UPPER, LOWER)
_NEGLIGIBLE = 0.03

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Layout:
    """Where the weights of each sort of observation are, for a number of features and words."""

    features: int
    words: int

    @property
    def shared(self) -> int:
        """How many observations count for neighbours too."""
        return self.features + self.words

    @property
    def letters(self) -> int:
        """The first of letters in a row, after the shared ones of each place in reach."""
        return self.shared * (2 * REACH + 1)

    @property
    def classes(self) -> int:
        """The first of classes: of a token, the one before and the one after, together."""
        return self.letters + LETTERS

    @property
    def claims(self) -> int:
        """The first of claims, by place from two before to two after."""
        return self.classes + len(CLASSES) ** 3

    @property
    def claimed(self) -> int:
        """The first of a claim and a class together."""
        return self.claims + 5 * CLAIMS

    @property
    def before(self) -> int:
        """The first of a class and the usual word before it."""
        return self.claimed + CLAIMS * len(CLASSES)

    @property
    def after(self) -> int:
        """The first of a class and the usual word after it."""
        return self.before + (self.words + 1) * len(CLASSES)

    @property
    def formats(self) -> int:
        """The first of a class and the format of the document."""
        return self.after + (self.words + 1) * len(CLASSES)

    @property
    def always(self) -> int:
        """The observation that every token has."""
        return self.formats + len(FORMATS) * len(CLASSES)

    @property
    def size(self) -> int:
        """How many observations there are."""
        return self.always + 1


class Weights:
    """A weight for each observation and label, by casing of the text."""

    def __init__(
        self, features: tuple[str, ...], words: tuple[str, ...], by_casing: dict[str, Floats]
    ) -> None:
        self.features, self.words = features, words
        self.layout = Layout(len(features), len(words))
        self._by_casing = by_casing

    def of(self, casing: str) -> Floats:
        """The weights for texts of a casing: one row an observation, one column a label."""
        return self._by_casing[casing]

    def save(self, path: Path) -> None:
        """Write to a file, rows of hardly any weight left out."""
        stored: dict[str, Any] = {
            "features": np.array(self.features),
            "words": np.array(self.words),
        }
        for casing, weights in self._by_casing.items():
            rows = np.flatnonzero(np.abs(weights).max(axis=1) > _NEGLIGIBLE)
            stored[casing + "_rows"] = rows.astype(np.int32)
            stored[casing] = weights[rows].astype(np.float16)
        np.savez_compressed(path, **stored)

    @classmethod
    def read(cls, path: Traversable) -> Weights:
        """Read what ``save`` wrote."""
        stored = np.load(BytesIO(path.read_bytes()), allow_pickle=False)
        features, words = (tuple(stored[part].tolist()) for part in ("features", "words"))
        size = Layout(len(features), len(words)).size
        return cls(features, words, _Stored(stored, size))


@safe_repr
class _Stored(dict[str, Floats]):
    """Weights by casing, unpacked when asked for."""

    def __init__(self, stored: Any, size: int) -> None:
        super().__init__()
        self._stored, self._size = stored, size

    def __missing__(self, casing: str) -> Floats:
        weights = np.zeros((self._size, len(LABELS)), dtype=np.float32)
        weights[self._stored[casing + "_rows"]] = self._stored[casing]
        self[casing] = weights
        return weights
