"""Classes as linked lists of parts, in arrays that the compiled loops change in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discreet.algorithms.local_recoding.ground import Ground
from discreet.display import safe_repr
from discreet.frequency.classes import Floats, Ints

SOURCES = 12
"""How many classes near by are asked for rows when a new class is formed."""

CANDIDATES = 160
LONGEST = 1024
"""Rows can be moved in at most so many steps before a change is judged as a whole."""


@safe_repr
class Parts(NamedTuple):
    """Parts (some rows of a tuple) and the classes that they are in.

    ``owner`` is the tuple of each part and ``home`` its class; ``head`` and ``next`` list the parts
    of each class. A class has ``size`` rows of ``mass``, a ``member`` and a ``level`` for each
    column, and is ``worth`` so much a row. ``free`` are numbers of classes that are empty; ``used``
    has how many parts, classes and free numbers there are, and how long the log of changes is.
    """

    owner: Ints
    rows: Ints
    home: Ints
    next: Ints
    head: Ints
    size: Ints
    mass: Floats
    level: npt.NDArray[np.int64]
    worth: Floats
    member: Ints
    free: Ints
    used: Ints


@safe_repr
class Spare(NamedTuple):
    """Room for one step: classes with rows to spare, their parts, rows to be had and taken."""

    home: Ints
    worth: Floats
    part: Ints
    able: Ints
    taken: Ints
    level: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    used: Ints


def parts_of(ground: Ground, owner: Ints, rows: Ints, home: Ints) -> Parts:
    """Put parts into the classes that ``home`` names, numbered from 0 without gaps."""
    from discreet.algorithms.local_recoding import kernels

    columns, used = ground.codes.shape[1], len(owner)
    classes = int(home.max(initial=-1)) + 1
    room, class_room = used + used // 2 + 2 * LONGEST, classes + classes // 2 + 256

    def filled(values: Ints) -> Ints:
        found = np.zeros(room, dtype=np.int64)
        found[:used] = values
        return found

    parts = Parts(
        filled(owner),
        filled(rows),
        filled(home),
        np.full(room, -1),
        np.full(class_room, -1),
        np.zeros(class_room, dtype=np.int64),
        np.zeros(class_room),
        np.zeros((class_room, columns), dtype=np.int64),
        np.zeros(class_room),
        np.zeros(class_room, dtype=np.int64),
        np.zeros(class_room, dtype=np.int64),
        np.array([used, classes, 0, 0]),
    )
    kernels.set_up(ground, parts)
    return parts


def spare_room(columns: int) -> Spare:
    """Room for one step."""
    return Spare(
        np.zeros(SOURCES, dtype=np.int64),
        np.zeros(SOURCES),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def losses(ground: Ground, parts: Parts) -> Floats:
    """What each class loses a row, on average over its mass."""
    used, classes = int(parts.used[0]), int(parts.used[1])
    owner = parts.owner[:used]
    full = np.bincount(
        parts.home[:used],
        weights=parts.rows[:used] * ground.unit[owner] * ground.whole[owner],
        minlength=classes,
    )
    mass = np.maximum(parts.mass[:classes], 1e-300)
    return np.where(parts.size[:classes] > 0, full / mass - parts.worth[:classes], 0.0)
