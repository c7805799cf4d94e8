"""The compiled loops: grouping packed keys, rolling classes up, pricing suppressed classes.

Everything here works on integers that stand for values. All kernels release the interpreter lock,
so two nodes can be counted at the same time; small tables are counted by their twins in
:mod:`discreet.frequency.plain`. One file on purpose: the cache of compiled code looks only at the
file of a function, so kernels that call each other must change together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.frequency import plain
from discreet.frequency.compiled import compile_loop, take_plain

Keys = npt.NDArray[np.uint64]

EMPTY = np.int32(-1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@compile_loop("uint64(uint64)", inner=True)
def _mix(x: Any) -> Any:
    x = (x ^ (x >> _SHIFT)) * _MIX
    return x ^ (x >> np.uint64(29))


_ROLL_UP = (
    "Tuple((uint64[:,::1], int64[::1], int32[::1]))(uint64[:,::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], uint64[::1], int64[::1], int64, boolean)"
)

FIRST_ROOM = 1 << 13
"""Classes that a table has room for at first: it stays within the processor's cache."""

GROWTH = 4


@compile_loop(inner=True)
def _make_slots(room: Any) -> Any:
    """An empty slot table that is at most half full with ``room`` classes, and its size's log."""
    log_size = 12
    while (1 << log_size) < 2 * room:
        log_size += 1
    return np.full(1 << log_size, EMPTY, np.int32), log_size


@compile_loop(inner=True)
def _find_more_room(room: Any, most: Any, done: Any, found: Any) -> Any:
    """Room for as many classes as the repeats met so far let expect, at most for ``most``.

    Among ``done`` draws from G equally likely classes about ``done**2 / 2 G`` are repeats; classes
    that are not equally likely are more than that.
    """
    expected = GROWTH * done * done // (2 * (done - found) + 1)
    return max(room + 1, min(most, max(room * GROWTH, expected)))


@compile_loop(inner=True)
def _resize(old: Any, room: Any) -> Any:
    new = np.zeros(room, old.dtype)
    for i in range(min(len(old), room)):
        new[i] = old[i]
    return new


@compile_loop(inner=True)
def _resize_keys(old: Any, room: Any) -> Any:
    new = np.empty((old.shape[0], room), np.uint64)
    for w in range(old.shape[0]):
        for i in range(min(old.shape[1], room)):
            new[w, i] = old[w, i]
    return new


@compile_loop(inner=True)
def _merge_narrow(
    keys: Any,
    rows: Any,
    shift: Any,
    masks: Any,
    table: Any,
    start: Any,
    slots: Any,
    log_size: Any,
    out: Any,
    out_rows: Any,
    inverse: Any,
    done: Any,
    found: Any,
) -> Any:
    """Merge from class ``done`` on until all are merged or there is no room for another."""
    down, last = np.uint64(64 - log_size), np.uint64((1 << log_size) - 1)
    fields, room, wanted = len(shift), out.shape[1], len(inverse) > 0
    untouched = ~np.uint64(0)
    for j in range(fields):
        untouched &= ~(masks[j] << np.uint64(shift[j]))
    for i in range(done, keys.shape[1]):
        old = keys[0, i]
        key = old & untouched
        for j in range(fields):
            s = np.uint64(shift[j])
            key |= table[start[j] + np.int64((old >> s) & masks[j])] << s
        slot = ((key ^ (key >> _SHIFT)) * _MIX) >> down
        while True:
            group = slots[slot]
            if group == EMPTY:
                if found == room:
                    return i, found
                slots[slot] = found
                group = found
                out[0, found] = key
                found += 1
                break
            if out[0, group] == key:
                break
            slot = (slot + np.uint64(1)) & last
        if wanted:
            inverse[i] = group
        out_rows[group] += rows[i]
    return keys.shape[1], found


LARGE = 1 << 20
"""Classes from which on a table of those found would leave the processor's cache."""

MANY = 1 << 20
"""Classes to be expected that are too many for the cache."""

LOG_PART = 14
"""Classes of a part, as a power of 2: its table stays within the cache."""

MOST_PARTS = 11
"""Parts at most, as a power of 2: each is written to at the same time."""


@compile_loop(inner=True)
def _recode_narrow(old: Any, untouched: Any, shift: Any, masks: Any, table: Any, start: Any) -> Any:
    key = old & untouched
    for j in range(len(shift)):
        s = np.uint64(shift[j])
        key |= table[start[j] + np.int64((old >> s) & masks[j])] << s
    return key


@compile_loop(_ROLL_UP, nogil=True)
def roll_up_parts(
    keys: Any,
    rows: Any,
    word: Any,
    shift: Any,
    bits: Any,
    table: Any,
    start: Any,
    most: Any,
    wanted: Any,
) -> Any:
    """:func:`roll_up` for many keys of a single word that give many classes.

    Keys are dealt into parts by their hash, and each part is merged alone, in place: its table
    fits in the processor's cache, where a table of all classes would miss it for every key.
    """
    n = keys.shape[1]
    log_parts = 1
    while log_parts < MOST_PARTS and (n >> LOG_PART) >> log_parts:
        log_parts += 1
    masks = np.empty(len(bits), np.uint64)
    untouched = ~np.uint64(0)
    for j in range(len(bits)):
        masks[j] = ~np.uint64(0) >> np.uint64(64 - bits[j])
        untouched &= ~(masks[j] << np.uint64(shift[j]))
    part_of = np.uint64(64 - log_parts)
    ends = np.zeros((1 << log_parts) + 1, np.int64)
    for i in range(n):
        key = _recode_narrow(keys[0, i], untouched, shift, masks, table, start)
        ends[np.int64((_mix(key) * _MIX) >> part_of) + 1] += 1
    slots, _ = _make_slots(np.int64(ends.max()))
    for p in range(1 << log_parts):
        ends[p + 1] += ends[p]
    out, out_rows = np.empty((1, n), np.uint64), np.empty(n, np.int64)
    places = np.empty(n if wanted else 0, np.int32)
    at = ends[:-1].copy()
    for i in range(n):
        key = _recode_narrow(keys[0, i], untouched, shift, masks, table, start)
        part = np.int64((_mix(key) * _MIX) >> part_of)
        out[0, at[part]], out_rows[at[part]] = key, rows[i]
        if wanted:
            places[at[part]] = i
        at[part] += 1
    inverse = np.empty(n if wanted else 0, np.int32)
    found = 0
    for p in range(1 << log_parts):
        size = ends[p + 1] - ends[p]
        log_size = 4
        while (1 << log_size) < 2 * size:
            log_size += 1
        last, first = np.int64((1 << log_size) - 1), found
        slots[: last + 1] = EMPTY
        for i in range(ends[p], ends[p + 1]):
            key, number = out[0, i], out_rows[i]
            slot = np.int64(_mix(key)) & last
            while True:
                group = slots[slot]
                if group == EMPTY:
                    slots[slot] = found - first
                    group = found
                    out[0, found], out_rows[found] = key, 0  # never beyond what is read
                    found += 1
                    break
                group += first
                if out[0, group] == key:
                    break
                slot = (slot + 1) & last
            out_rows[group] += number
            if wanted:
                inverse[places[i]] = group
    return _resize_keys(out, found), _resize(out_rows, found), inverse


@compile_loop(_ROLL_UP, nogil=True)
def roll_up_narrow(
    keys: Any,
    rows: Any,
    word: Any,
    shift: Any,
    bits: Any,
    table: Any,
    start: Any,
    most: Any,
    wanted: Any,
) -> Any:
    """:func:`roll_up` for keys of a single word."""
    n = keys.shape[1]
    room = min(most, FIRST_ROOM)
    slots, log_size = _make_slots(room)
    out = np.empty((1, room), np.uint64)
    out_rows = np.zeros(room, np.int64)
    inverse = np.empty(n if wanted else 0, np.int32)
    masks = np.empty(len(bits), np.uint64)
    for j in range(len(bits)):
        masks[j] = ~np.uint64(0) >> np.uint64(64 - bits[j])
    done, found = 0, 0
    while True:
        done, found = _merge_narrow(
            keys, rows, shift, masks, table, start, slots, log_size, out, out_rows, inverse,
            done, found,
        )  # fmt: skip
        if done == n:
            break
        room = _find_more_room(room, most, done, found)
        if n >= LARGE and room >= MANY:
            return roll_up_parts(keys, rows, word, shift, bits, table, start, most, wanted)
        out, out_rows = _resize_keys(out, room), _resize(out_rows, room)
        slots, log_size = _make_slots(room)
        down, last = np.uint64(64 - log_size), np.uint64((1 << log_size) - 1)
        for group in range(found):
            key = out[0, group]
            slot = ((key ^ (key >> _SHIFT)) * _MIX) >> down
            while slots[slot] != EMPTY:
                slot = (slot + np.uint64(1)) & last
            slots[slot] = group
    return _resize_keys(out, found), _resize(out_rows, found), inverse


@compile_loop(inner=True)
def _merge_wide(
    keys: Any,
    rows: Any,
    word: Any,
    shift: Any,
    masks: Any,
    table: Any,
    start: Any,
    slots: Any,
    out: Any,
    out_rows: Any,
    inverse: Any,
    done: Any,
    found: Any,
) -> Any:
    """Merge from class ``done`` on until all are merged or there is no room for another."""
    words, n = keys.shape
    last, room, wanted = len(slots) - 1, out.shape[1], len(inverse) > 0
    key = np.empty(words, np.uint64)
    untouched = np.full(words, ~np.uint64(0), np.uint64)
    first = np.zeros(words + 1, np.int64)  # fields come in the order of their words
    for j in range(len(word)):
        untouched[word[j]] &= ~(masks[j] << np.uint64(shift[j]))
        for w in range(word[j], words):
            first[w + 1] = j + 1
    for i in range(done, n):
        h = np.uint64(0)
        for w in range(words):
            old = keys[w, i]
            new = old & untouched[w]
            for j in range(first[w], first[w + 1]):
                s = np.uint64(shift[j])
                new |= table[start[j] + np.int64((old >> s) & masks[j])] << s
            key[w] = new
            h = new if w == 0 else _mix(h) + new
        slot = np.int64(_mix(h) & np.uint64(last))
        while True:
            group = slots[slot]
            if group == EMPTY:
                if found == room:
                    return i, found
                slots[slot] = found
                group = found
                for w in range(words):
                    out[w, found] = key[w]
                found += 1
                break
            same = True
            for w in range(words):
                if out[w, group] != key[w]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
        if wanted:
            inverse[i] = group
        out_rows[group] += rows[i]
    return n, found


@compile_loop(nogil=True)
def roll_up_wide(
    keys: Any,
    rows: Any,
    word: Any,
    shift: Any,
    bits: Any,
    table: Any,
    start: Any,
    most: Any,
    wanted: Any,
) -> Any:
    """:func:`roll_up` for keys of any number of words."""
    words, n = keys.shape
    room = min(most, FIRST_ROOM)
    slots, _ = _make_slots(room)
    out = np.empty((words, room), np.uint64)
    out_rows = np.zeros(room, np.int64)
    inverse = np.empty(n if wanted else 0, np.int32)
    masks = np.empty(len(bits), np.uint64)
    for j in range(len(bits)):
        masks[j] = ~np.uint64(0) >> np.uint64(64 - bits[j])
    done, found = 0, 0
    while True:
        done, found = _merge_wide(
            keys, rows, word, shift, masks, table, start, slots, out, out_rows, inverse,
            done, found,
        )  # fmt: skip
        if done == n:
            break
        room = _find_more_room(room, most, done, found)
        out, out_rows = _resize_keys(out, room), _resize(out_rows, room)
        slots, _ = _make_slots(room)
        last = len(slots) - 1
        for group in range(found):
            h = out[0, group]
            for w in range(1, words):
                h = _mix(h) + out[w, group]
            slot = np.int64(_mix(h) & np.uint64(last))
            while slots[slot] != EMPTY:
                slot = (slot + 1) & last
            slots[slot] = group
    return _resize_keys(out, found), _resize(out_rows, found), inverse


def roll_up(keys: Keys, *arguments: Any) -> Any:
    """Merge the classes of a node into those of a coarser one.

    Arguments are keys, rows, then ``word``, ``shift`` and ``bits``, which say where the changed
    fields sit in the packed keys, ``table`` and ``start``, so that ``table[start[j] + old]`` is the
    new content of field ``j``, ``most``, a bound on the number of classes, and ``wanted``, whether
    the coarser class of each finer one is asked for. Returns keys and rows of the coarser classes,
    and that list (else an empty one).

    Tables start small and grow with the classes that are found: most nodes have few, and then
    everything stays in the processor's cache.
    """
    if take_plain(keys):
        return plain.roll_up(keys, *arguments)
    return (roll_up_narrow if len(keys) == 1 else roll_up_wide)(keys, *arguments)


@compile_loop(plain=plain.roll_up_tallies, nogil=True)
def roll_up_tallies(tallies: Any, inverse: Any, classes: Any) -> Any:
    """Add further sums up by coarser class."""
    out = np.zeros((tallies.shape[0], classes), np.float64)
    for t in range(tallies.shape[0]):
        for i in range(len(inverse)):
            out[t, inverse[i]] += tallies[t, i]
    return out


@compile_loop(
    "void(uint64[::1], int64[::1], int64[::1], uint64[::1], int64[::1])",
    plain=plain.compose,
    nogil=True,
)
def compose(table: Any, shift: Any, bits: Any, maps: Any, start: Any) -> None:
    """Fill ``table`` with the new content of a field that several columns share.

    ``shift`` and ``bits`` place the columns within the field; ``maps[start[c] + code]`` is the new
    code of column ``c``, for codes up to ``start[c + 1] - start[c]``.
    """
    for old in range(len(table)):
        new = np.uint64(0)
        for c in range(len(shift)):
            s = np.uint64(shift[c])
            mask = ~np.uint64(0) >> np.uint64(64 - bits[c])
            code = np.int64((np.uint64(old) >> s) & mask)
            if code < start[c + 1] - start[c]:
                new |= maps[start[c] + code] << s
        table[old] = new


@compile_loop(inner=True)
def _find_value_slot(group: Any, value: Any, values: Any, slots: Any) -> Any:
    h = _mix(np.uint64(group) * np.uint64(values) + np.uint64(value))
    return np.int64(h & np.uint64(len(slots) - 1))


@compile_loop(inner=True)
def _merge_values(
    owner: Any,
    value: Any,
    count: Any,
    inverse: Any,
    values: Any,
    slots: Any,
    out_owner: Any,
    out_value: Any,
    out_count: Any,
    done: Any,
    found: Any,
) -> Any:
    """Merge from entry ``done`` on until all are merged or there is no room for another."""
    last, room = len(slots) - 1, len(out_owner)
    for i in range(done, len(owner)):
        group, v = inverse[owner[i]], value[i]
        slot = _find_value_slot(group, v, values, slots)
        while True:
            entry = slots[slot]
            if entry == EMPTY:
                if found == room:
                    return i, found
                slots[slot] = found
                entry = found
                out_owner[found] = group
                out_value[found] = v
                found += 1
                break
            if out_owner[entry] == group and out_value[entry] == v:
                break
            slot = (slot + 1) & last
        out_count[entry] += count[i]
    return len(owner), found


@compile_loop(plain=plain.roll_up_values, nogil=True)
def roll_up_values(owner: Any, value: Any, count: Any, inverse: Any, values: Any) -> Any:
    """Merge (class, value, rows) entries after their classes were merged by ``inverse``."""
    n = len(owner)
    room = min(n, FIRST_ROOM)
    slots, _ = _make_slots(room)
    out_owner = np.zeros(room, np.int32)
    out_value = np.zeros(room, np.int32)
    out_count = np.zeros(room, np.int64)
    done, found = 0, 0
    while True:
        done, found = _merge_values(
            owner, value, count, inverse, values, slots, out_owner, out_value, out_count,
            done, found,
        )  # fmt: skip
        if done == n:
            break
        room = _find_more_room(room, n, done, found)
        out_owner, out_value = _resize(out_owner, room), _resize(out_value, room)
        out_count = _resize(out_count, room)
        slots, _ = _make_slots(room)
        for entry in range(found):
            slot = _find_value_slot(out_owner[entry], out_value[entry], values, slots)
            while slots[slot] != EMPTY:
                slot = (slot + 1) & (len(slots) - 1)
            slots[slot] = entry
    return _resize(out_owner, found), _resize(out_value, found), _resize(out_count, found)


@compile_loop(
    "float64[::1](uint64[:,::1], float64[::1], int64[::1], int64[::1], int64[::1], float64[::1],"
    " int64[::1])",
    plain=plain.price,
    nogil=True,
)
def price(keys: Any, mass: Any, word: Any, shift: Any, bits: Any, table: Any, start: Any) -> Any:
    """Sum ``mass * table[start[c] + code]`` over the classes, for each column."""
    columns = len(word)
    total = np.zeros(columns, np.float64)
    for i in range(keys.shape[1]):
        if mass[i] != 0.0:
            for c in range(columns):
                mask = ~np.uint64(0) >> np.uint64(64 - bits[c])
                code = (keys[word[c], i] >> np.uint64(shift[c])) & mask
                total[c] += mass[i] * table[start[c] + np.int64(code)]
    return total


@compile_loop("void(int32[::1], int64[::1], uint64[:,::1], int64)", inner=True)
def _index(slots: Any, indexed: Any, store: Any, found: Any) -> None:
    """Add those of the first ``found`` keys of ``store`` to the slots that are not there yet."""
    last = len(slots) - 1
    for g in range(indexed[0], found):
        h = store[0, g]
        for w in range(1, store.shape[0]):
            h = _mix(h) + store[w, g]
        slot = np.int64(_mix(h)) & last
        while slots[slot] != EMPTY:
            slot = (slot + 1) & last
        slots[slot] = g
    indexed[0] = found


@compile_loop(
    "int64(int32[::1], int64[::1], uint64[:,::1], int64[::1], float64[:,::1], int64,"
    " uint64[:,::1], float64[:,::1])",
    plain=plain.tally,
    nogil=True,
)
def tally(
    slots: Any,
    indexed: Any,
    store: Any,
    rows: Any,
    tallies: Any,
    found: Any,
    batch: Any,
    amounts: Any,
) -> Any:
    """Count a batch of rows into a growing hash table; returns the number of distinct keys.

    ``indexed`` holds how many keys of ``store`` are in the slots.
    """
    _index(slots, indexed, store, found)
    words, n = batch.shape
    last = len(slots) - 1
    for i in range(n):
        h = batch[0, i]
        for w in range(1, words):
            h = _mix(h) + batch[w, i]
        slot = np.int64(_mix(h)) & last
        while True:
            group = slots[slot]
            if group == EMPTY:
                slots[slot] = found
                group = found
                for w in range(words):
                    store[w, found] = batch[w, i]
                found += 1
                break
            same = True
            for w in range(words):
                if store[w, group] != batch[w, i]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
        rows[group] += 1
        for t in range(amounts.shape[0]):
            tallies[t, group] += amounts[t, i]
    indexed[0] = found
    return found


@compile_loop(
    "int32[::1](int32[::1], int64[::1], uint64[:,::1], uint64[:,::1])",
    plain=plain.find,
    nogil=True,
)
def find(slots: Any, indexed: Any, store: Any, batch: Any) -> Any:
    """The place in ``store`` of each key of a batch, or EMPTY."""
    _index(slots, indexed, store, store.shape[1])
    words, n = batch.shape
    last = len(slots) - 1
    found = np.empty(n, np.int32)
    for i in range(n):
        h = batch[0, i]
        for w in range(1, words):
            h = _mix(h) + batch[w, i]
        slot = np.int64(_mix(h)) & last
        while True:
            group = slots[slot]
            if group == EMPTY:
                break
            same = True
            for w in range(words):
                if store[w, group] != batch[w, i]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
        found[i] = group
    return found
