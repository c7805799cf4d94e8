"""The loops for long lists give what a plain count gives."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.frequency import class_counter, long_lists
from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.frequency.count import fit_in_word
from discreet.frequency.frequency_list import Packing
from tests.frequency.test_class_counter import TABLES

KEYS = st.lists(st.integers(0, 12), max_size=40)


@settings(max_examples=25, deadline=None)
@given(known=KEYS, more=KEYS)
def test_sorted_keys_are_merged_in_place(known: list[int], more: list[int]) -> None:
    before = Counter(known)
    keys = np.array(sorted(before), dtype=np.uint64)
    rows = np.array([before[key] for key in sorted(before)], dtype=np.int64)
    added = np.array(sorted(more), dtype=np.uint64)
    counts = np.empty(len(added), dtype=np.int32)
    found = long_lists.count_runs(added, counts)
    added, counts = added[:found], counts[:found]
    size = len(keys) + long_lists.count_new(keys, added)
    merged, total = np.resize(keys, size), np.resize(rows, size)
    long_lists.merge_runs(merged, total, len(keys), added, counts)
    expected = sorted((Counter(known) + Counter(more)).items())
    assert list(zip(merged.tolist(), total.tolist(), strict=True)) == expected


def list_groups(groups: Groups) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Each class with its rows and its sensitive values, in the order of their keys."""
    entries = groups.entries["d"]
    held: list[list[tuple[int, int]]] = [[] for _ in range(len(groups))]
    for owner, value, number in zip(entries.owner, entries.value, entries.count, strict=True):
        held[owner].append((int(value), int(number)))
    found = zip(groups.keys[0].tolist(), groups.rows.tolist(), map(sorted, held), strict=True)
    return sorted(found)


def test_cells_are_counted_as_classes_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def count_anew() -> list[object]:
        counter = ClassCounter(TABLES.frequency, TABLES.lattice, TABLES.counter.references)
        groups = [counter.groups(node, remember=False) for node in TABLES.lattice]
        parts, inverse = counter.project(groups[1], [0])
        return [*map(list_groups, groups), parts.rows[inverse].tolist()]

    expected = count_anew()
    monkeypatch.setattr(class_counter, "LONG", 1)
    seen = []
    dense = long_lists.roll_up_dense
    monkeypatch.setattr(
        long_lists, "roll_up_dense", lambda *given: (seen.append(1), dense(*given))[1]
    )
    assert count_anew() == expected
    assert len(seen) > 5


def test_columns_that_outgrow_their_bits_still_share_a_word_if_they_can() -> None:
    fitting = fit_in_word([1 << 30, 1 << 30, 1 << 20], [1 << 20, 3, 1 << 19])
    assert Packing.of(fitting).words == 1
    assert all(size >= need for size, need in zip(fitting, [1 << 20, 3, 1 << 19], strict=True))
    assert fit_in_word([1 << 40, 1 << 40], [1 << 33, 1 << 33]) == [1 << 40, 1 << 40]
    assert fit_in_word([256, 256], [3, 4]) == [256, 256]
