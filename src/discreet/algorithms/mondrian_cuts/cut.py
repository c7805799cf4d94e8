"""What is cut along one column, and what comes of it."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import Codes

NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Side:
    """Some classes seen along one column.

    ``rank`` and ``rows`` are those of their parts, ``place`` is the class of each part, rising;
    ``low`` and ``high`` are the first and last rank of each class, never the same.
    """

    rank: Codes
    rows: Ints
    place: Ints
    low: Ints
    high: Ints


@dataclass(frozen=True, eq=False)
class Cut:
    """The child that each part goes to.

    Parts in ``divided`` leave ``stay`` of their rows in child 0, the others go to child 1.
    """

    child: Ints
    divided: Ints = field(default_factory=lambda: NONE)
    stay: Ints = field(default_factory=lambda: NONE)
