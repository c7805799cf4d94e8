"""The compiled loops of microaggregation: which rows go together.

One file on purpose: the cache of compiled code looks only at the file of a function.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.compiled import compile_loop


@compile_loop(nogil=True)
def best_cuts(values: Any, k: Any) -> Any:
    """The groups of k to 2k - 1 neighbours with the least squared error; `values` are sorted.

    Gives the number of the group of each value. [HansenMukherjee2003]_: the shortest path over
    the sorted values. Sums are taken from the last value of a group on, so that they stay small.
    """
    n = len(values)
    best = np.full(n + 1, np.inf)
    start = np.zeros(n + 1, np.int64)
    best[0] = 0.0
    for end in range(k, n + 1):
        last, total, squares = values[end - 1], 0.0, 0.0
        for size in range(1, min(2 * k - 1, end) + 1):
            off = values[end - size] - last
            total += off
            squares += off * off
            if size >= k:
                error = best[end - size] + squares - total * total / size
                if error < best[end]:
                    best[end] = error
                    start[end] = end - size
    groups = np.empty(n, np.int64)
    end, number = n, 0
    while end > 0:
        groups[start[end] : end] = number
        number += 1
        end = start[end]
    return groups


@compile_loop(inner=True)
def _measure_distance(numbers: Any, labels: Any, row: Any, centre: Any, mode: Any) -> Any:
    """The squared distance of a row from a point; different labels count 1."""
    distance = 0.0
    for column in range(numbers.shape[1]):
        off = numbers[row, column] - centre[column]
        distance += off * off
    for column in range(labels.shape[1]):
        if labels[row, column] != mode[column]:
            distance += 1.0
    return distance


@compile_loop(inner=True)
def _find_middle(numbers: Any, labels: Any, rows: Any, seen: Any) -> Any:
    """Means of the numbers and most frequent labels of some rows; `seen` is zeros, and stays so."""
    centre = np.zeros(numbers.shape[1])
    for row in rows:
        for column in range(numbers.shape[1]):
            centre[column] += numbers[row, column]
    mode = np.zeros(labels.shape[1], labels.dtype)
    for column in range(labels.shape[1]):
        most = 0
        for row in rows:
            label = labels[row, column]
            seen[label] += 1
            if seen[label] > most:
                most, mode[column] = seen[label], label
        for row in rows:
            seen[labels[row, column]] = 0
    return centre / len(rows), mode


@compile_loop(inner=True)
def _take(numbers: Any, labels: Any, rows: Any, left: Any, seed: Any, k: Any, away: Any) -> Any:
    """Move the k rows nearest to a row to the end of those that are left; `away` is room."""
    for place in range(left):
        away[place] = _measure_distance(numbers, labels, rows[place], numbers[seed], labels[seed])
    for taken in range(k):
        nearest = 0
        last = left - 1 - taken
        for place in range(1, last + 1):
            if away[place] < away[nearest]:
                nearest = place
        rows[nearest], rows[last] = rows[last], rows[nearest]
        away[nearest], away[last] = away[last], away[nearest]
    return left - k


@compile_loop(inner=True)
def _take_many(
    numbers: Any, labels: Any, rows: Any, left: Any, seed: Any, k: Any, away: Any
) -> Any:
    """As `_take`, by sorting: faster for large groups."""
    for place in range(left):
        away[place] = -_measure_distance(numbers, labels, rows[place], numbers[seed], labels[seed])
    rows[:left] = rows[:left][np.argsort(away[:left], kind="mergesort")]
    return left - k


@compile_loop(inner=True)
def _find_farthest(numbers: Any, labels: Any, rows: Any, centre: Any, mode: Any) -> Any:
    found, most = rows[0], -1.0
    for row in rows:
        distance = _measure_distance(numbers, labels, row, centre, mode)
        if distance > most:
            found, most = row, distance
    return found


@compile_loop(inner=True)
def _find_nearest(numbers: Any, labels: Any, rows: Any, centre: Any, mode: Any, but: Any) -> Any:
    """The place of the row nearest to a point, other than the place `but`, and its distance."""
    found, least = 0, np.inf
    for place in range(len(rows)):
        distance = _measure_distance(numbers, labels, rows[place], centre, mode)
        if distance < least and place != but:
            found, least = place, distance
    return found, least


@compile_loop(inner=True)
def _extend(numbers: Any, labels: Any, rows: Any, left: Any, k: Any, seen: Any) -> Any:
    """Let the group `rows[left:]` take in rows nearer to its middle than to any row left."""
    while len(rows) - left < 2 * k - 1 and left > k:
        centre, mode = _find_middle(numbers, labels, rows[left:], seen)
        near, inside = _find_nearest(numbers, labels, rows[:left], centre, mode, -1)
        row = rows[near]
        _, outside = _find_nearest(numbers, labels, rows[:left], numbers[row], labels[row], near)
        if inside >= outside:
            break
        left -= 1
        rows[near], rows[left] = rows[left], rows[near]
    return left


@compile_loop(nogil=True)
def mdav(
    numbers: Any, labels: Any, order: Any, starts: Any, k: Any, variable: Any, kinds: Any
) -> Any:
    """Maximum distance to average, within each block of rows: the number of each row's group.

    Block b is `order[starts[b] : starts[b + 1]]`. Groups of `variable` size may
    grow to 2k - 1 rows. `kinds` is how many labels there are.
    """
    groups = np.full(len(numbers), -1, np.int64)
    seen = np.zeros(kinds, np.int64)
    number = 0
    for block in range(len(starts) - 1):
        rows = order[starts[block] : starts[block + 1]].copy()
        away = np.empty(len(rows))
        left = len(rows)
        while left >= 2 * k:
            centre, mode = _find_middle(numbers, labels, rows[:left], seen)
            seed = _find_farthest(numbers, labels, rows[:left], centre, mode)
            for _ in range(2):
                if left < 2 * k:
                    break
                end = left
                if k > 16:
                    left = _take_many(numbers, labels, rows, left, seed, k, away)
                else:
                    left = _take(numbers, labels, rows, left, seed, k, away)
                if variable:
                    left = _extend(numbers, labels, rows[:end], left, k, seen)
                for place in range(left, end):
                    groups[rows[place]] = number
                number += 1
                seed = _find_farthest(numbers, labels, rows[:left], numbers[seed], labels[seed])
        for place in range(left):
            groups[rows[place]] = number
        number += left > 0
    return groups
