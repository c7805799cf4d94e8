"""The compiled loops of local recoding: walking nodes, and moving rows between classes.

One file on purpose: the cache of compiled code looks only at the file of a function, so kernels
that call each other must change together. Each takes a :class:`Ground`; those that change classes
take a :class:`Parts` as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.compiled import compile_loop
from discreet.frequency.plain import number_values

_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
LEAST_GAIN = 1e-9
"""Changes that gain less are not made, so that rounding cannot go on for ever."""

WALK = 1 << 22
"""Tuples that are visited before the caller may look at the clock."""

WORTHWHILE = 0.02
"""Changes that cannot gain as much are not tried; a row as it is is worth about 1."""

SMALL = 8
"""Classes of up to so many times the least size are dissolved or exchange rows."""

LARGE = 64
"""Classes of more than so many times the least size give nothing away: each part costs a look."""

# Of fixed types: a loop is compiled once more for each literal that it is called with.
NONE: Any = np.int64(-1)
FREE, TAKEN = np.bool_(True), np.bool_(False)
IMPOSSIBLE = -1e300


@compile_loop()
def group(ground: Any, live: Any, count: Any, node: Any, slots: Any, keys: Any, out: Any) -> Any:
    """Number the groups that ``count`` live tuples form at a node; returns how many there are."""
    columns, last = ground.codes.shape[1], len(slots) - 1
    base = ground.start + node * ground.size
    slots[:] = NONE
    found = 0
    for i in range(count):
        key = np.uint64(0)
        for c in range(columns):
            key += ground.key[base[c] + ground.codes[live[i], c]]
        slot = np.int64(((key ^ (key >> _HALF)) * _MIX) >> _HALF) & last
        while slots[slot] != NONE and keys[slots[slot]] != key:
            slot = (slot + 1) & last
        if slots[slot] == NONE:
            slots[slot] = found
            keys[found] = key
            found += 1
        out[i] = slots[slot]
    return found


@compile_loop()
def table_size(count: Any) -> Any:
    """The size of a slot table that is at most half full."""
    size = 64
    while size < 2 * count:
        size *= 2
    return size


@compile_loop(nogil=True)
def walk(
    ground: Any, nodes: Any, first: Any, least: Any, live: Any, home: Any, classes: Any
) -> Any:
    """Visit nodes from ``first`` on; groups of ``least`` live rows become classes in ``home``.

    Returns how many tuples are still live, how many classes there are, and the next node. Stops
    now and then, so that the caller can look at the clock.
    """
    count, steps = len(live), 0
    slots = np.empty(table_size(count), np.int32)
    keys, out = np.empty(count, np.uint64), np.empty(count, np.int32)
    rows, number = np.empty(count, np.int64), np.empty(count, np.int32)
    at = first
    while at < len(nodes) and count > 0 and steps < WALK:
        size = table_size(count)
        found = group(ground, live, count, nodes[at], slots[:size], keys, out)
        at, steps = at + 1, steps + count
        rows[:found] = 0
        for i in range(count):
            rows[out[i]] += ground.rows[live[i]]
        before = classes
        for j in range(found):
            number[j] = NONE
            if rows[j] >= least:
                number[j] = classes
                classes += 1
        if classes > before:
            left = 0
            for i in range(count):
                if number[out[i]] == NONE:
                    live[left] = live[i]
                    left += 1
                else:
                    home[live[i]] = number[out[i]]
            count = left
    return count, classes, at


@compile_loop(inner=True)
def join_worth(ground: Any, level: Any, member: Any, other: Any) -> Any:
    """What a row is worth in a class with ``member`` and ``level`` once ``other`` joins it."""
    worth = 0.0
    for c in range(ground.codes.shape[1]):
        step, mine, its = ground.size[c], ground.codes[member, c], ground.codes[other, c]
        at = ground.start[c] + level[c] * step
        if mine != its:
            while ground.up[at + mine] != ground.up[at + its]:
                at += step
        worth += ground.worth[at + mine]
    return worth


@compile_loop(inner=True)
def join(ground: Any, level: Any, member: Any, other: Any) -> Any:
    """Raise ``level`` until ``other`` fits; returns what a row is worth then."""
    worth = 0.0
    for c in range(ground.codes.shape[1]):
        step, mine, its = ground.size[c], ground.codes[member, c], ground.codes[other, c]
        at = ground.start[c] + level[c] * step
        if mine != its:
            while ground.up[at + mine] != ground.up[at + its]:
                at += step
                level[c] += 1
        worth += ground.worth[at + mine]
    return worth


@compile_loop(inner=True)
def tighten(ground: Any, parts: Any, a: Any) -> None:
    """Lower the levels of class ``a`` to what its members have in common."""
    p = parts.head[a]
    parts.worth[a] = 0.0
    if p == NONE:
        return
    first = parts.owner[p]
    parts.member[a] = first
    parts.level[a, :] = 0
    worth = ground.whole[first]
    p = parts.next[p]
    while p != NONE:
        if parts.owner[p] != first:
            worth = join(ground, parts.level[a], first, parts.owner[p])
        p = parts.next[p]
    parts.worth[a] = worth


@compile_loop(nogil=True)
def set_up(ground: Any, parts: Any) -> None:
    """Link parts to their classes, and work out rows, mass, levels and worth of each class."""
    for p in range(parts.used[0]):
        a = parts.home[p]
        parts.next[p] = parts.head[a]
        parts.head[a] = p
        parts.size[a] += parts.rows[p]
        parts.mass[a] += parts.rows[p] * ground.unit[parts.owner[p]]
    for a in range(parts.used[1]):
        tighten(ground, parts, a)


@compile_loop(inner=True)
def unlink(parts: Any, p: Any) -> None:
    """Take a part out of its class's list."""
    a = parts.home[p]
    before = parts.head[a]
    if before == p:
        parts.head[a] = parts.next[p]
        return
    while parts.next[before] != p:
        before = parts.next[before]
    parts.next[before] = parts.next[p]


@compile_loop(inner=True)
def transfer(ground: Any, parts: Any, p: Any, rows: Any, b: Any, log: Any) -> Any:
    """Move so many rows of part ``p`` to class ``b``; returns what that gains."""
    a, t = parts.home[p], parts.owner[p]
    gain = -parts.mass[a] * parts.worth[a] - parts.mass[b] * parts.worth[b]
    moved, source = p, NONE
    if rows == parts.rows[p]:
        unlink(parts, p)
    else:
        moved, source = parts.used[0], p
        parts.used[0] += 1
        parts.owner[moved] = t
        parts.rows[moved] = rows
        parts.rows[p] -= rows
    parts.size[a] -= rows
    parts.mass[a] -= rows * ground.unit[t]
    if source == NONE:
        tighten(ground, parts, a)
    parts.next[moved] = parts.head[b]
    parts.head[b] = moved
    parts.home[moved] = b
    parts.size[b] += rows
    parts.mass[b] += rows * ground.unit[t]
    if parts.size[b] == rows:
        tighten(ground, parts, b)
    else:
        parts.worth[b] = join(ground, parts.level[b], parts.member[b], t)
    n = parts.used[3]
    log[n, 0], log[n, 1], log[n, 2] = moved, source, a
    parts.used[3] += 1
    return gain + parts.mass[a] * parts.worth[a] + parts.mass[b] * parts.worth[b]


@compile_loop(inner=True)
def take_back(ground: Any, parts: Any, log: Any) -> None:
    """Undo every transfer since the log was empty."""
    for i in range(parts.used[3] - 1, -1, -1):
        p, source, a = log[i]
        b, rows = parts.home[p], parts.rows[p]
        mass = rows * ground.unit[parts.owner[p]]
        unlink(parts, p)
        parts.size[b] -= rows
        parts.mass[b] -= mass
        tighten(ground, parts, b)
        if parts.size[b] == 0:
            parts.mass[b] = 0.0
            parts.free[parts.used[2]] = b
            parts.used[2] += 1
        if source == NONE:
            parts.next[p] = parts.head[a]
            parts.head[a] = p
            parts.home[p] = a
        else:
            parts.rows[source] += rows
            parts.used[0] -= 1
        parts.size[a] += rows
        parts.mass[a] += mass
        tighten(ground, parts, a)
    parts.used[3] = 0


@compile_loop(inner=True)
def best_join(ground: Any, parts: Any, p: Any, rows: Any, near: Any, least: Any, spare: Any) -> Any:
    """The class near by that is the best home for rows of a part, and what they are worth there.

    Fills ``spare`` with the nearest classes that can do without a row, nearest first.
    """
    t, a = parts.owner[p], parts.home[p]
    mass, best, home, count = rows * ground.unit[parts.owner[p]], IMPOSSIBLE, NONE, 0
    most = len(spare.home)
    for b in near:
        if parts.size[b] == 0 or b == a:
            continue
        limit = min(parts.worth[b], ground.reach[t])
        spares = parts.size[b] > least and (count < most or limit > spare.worth[most - 1])
        if mass * limit <= best and not spares:
            continue
        worth = join_worth(ground, parts.level[b], parts.member[b], t)
        value = mass * worth + parts.mass[b] * (worth - parts.worth[b])
        if value > best:
            best, home = value, b
        if spares and (count < most or worth > spare.worth[most - 1]):
            count = min(count + 1, most)
            i = count - 1
            while i > 0 and spare.worth[i - 1] < worth:
                spare.worth[i], spare.home[i] = spare.worth[i - 1], spare.home[i - 1]
                i -= 1
            spare.worth[i], spare.home[i] = worth, b
    spare.used[0] = count
    return best, home


@compile_loop(inner=True)
def candidates(parts: Any, p: Any, free: Any, least: Any, spare: Any) -> Any:
    """List the parts that could join ``p`` in a new class, and how many rows of each."""
    n, most, a = 0, len(spare.part), parts.home[p]
    y = parts.head[a] if free else NONE
    while y != NONE and n < most:
        if y != p:
            spare.part[n], spare.able[n] = y, parts.size[a]
            n += 1
        y = parts.next[y]
    for i in range(spare.used[0]):
        y = parts.head[spare.home[i]]
        while y != NONE and n < most:
            spare.part[n], spare.able[n] = y, parts.size[spare.home[i]] - least
            n += 1
            y = parts.next[y]
    spare.taken[:n] = 0
    return n


@compile_loop(inner=True)
def grow(
    ground: Any, parts: Any, p: Any, rows: Any, n: Any, worth_before: Any, least: Any, divide: Any,
    spare: Any,
) -> Any:  # fmt: skip
    """Choose candidates for a new class around rows of ``p``; returns what the class gains.

    A candidate from the class that ``p`` leaves is at ``worth_before``; others leave classes that
    keep at least ``least`` rows.
    """
    t, a = parts.owner[p], parts.home[p]
    level = spare.level
    level[:] = 0
    mass, size, worth, lost = rows * ground.unit[t], rows, ground.whole[t], 0.0
    while size < least:
        best, chosen, amount = IMPOSSIBLE, NONE, 0
        for i in range(n):
            y = spare.part[i]
            b, other = parts.home[y], parts.owner[y]
            if spare.taken[i] > 0:
                continue
            before = worth_before if b == a else parts.worth[b]
            able = min(parts.rows[y], spare.able[i])
            if divide:
                able = min(able, least - size)
            elif able < parts.rows[y]:
                continue
            if able <= 0 or ground.unit[other] * (worth - before) <= best:
                continue
            joined = join_worth(ground, level, t, other)
            value = ground.unit[other] * (joined - before) + mass * (joined - worth) / able
            if value > best:
                best, chosen, amount = value, i, able
        if chosen == NONE:
            return IMPOSSIBLE
        other = parts.owner[spare.part[chosen]]
        b = parts.home[spare.part[chosen]]
        worth = join(ground, level, t, other)
        spare.taken[chosen] = amount
        for i in range(n):
            if b != a and parts.home[spare.part[i]] == b:
                spare.able[i] -= amount
        size += amount
        mass += amount * ground.unit[other]
        before = worth_before if b == a else parts.worth[b]
        lost += amount * ground.unit[other] * before
    return mass * worth - lost


@compile_loop(inner=True)
def relocate(
    ground: Any, parts: Any, p: Any, rows: Any, free: Any, worth_before: Any, near: Any, least: Any,
    divide: Any, spare: Any, log: Any,
) -> Any:  # fmt: skip
    """Move rows of a part to the best class near by or to a new one; returns what that gains."""
    joined, home = best_join(ground, parts, p, rows, near, least, spare)
    n, grown = 0, IMPOSSIBLE
    if joined < rows * ground.unit[parts.owner[p]] * ground.reach[parts.owner[p]] - LEAST_GAIN:
        n = candidates(parts, p, free, least, spare)
        grown = grow(ground, parts, p, rows, n, worth_before, least, divide, spare)
    if grown <= IMPOSSIBLE and home == NONE:
        return IMPOSSIBLE
    if joined >= grown:
        return transfer(ground, parts, p, rows, home, log)
    if parts.used[2] > 0:
        parts.used[2] -= 1
        b = parts.free[parts.used[2]]
    else:
        b = parts.used[1]
        parts.used[1] += 1
    gain = transfer(ground, parts, p, rows, b, log)
    for i in range(n):
        if spare.taken[i] > 0:
            gain += transfer(ground, parts, spare.part[i], spare.taken[i], b, log)
    return gain


@compile_loop(inner=True)
def bound_class_gain(ground: Any, parts: Any, a: Any) -> Any:
    """What the members of a class could gain if each were in the best group there is for it."""
    lost, p = 0.0, parts.head[a]
    while p != NONE:
        t = parts.owner[p]
        lost += parts.rows[p] * ground.unit[t] * (ground.reach[t] - parts.worth[a])
        p = parts.next[p]
    return lost


@compile_loop(inner=True)
def dissolve(
    ground: Any, parts: Any, a: Any, near: Any, least: Any, divide: Any, spare: Any, log: Any
) -> Any:
    """Find every member of a class a better home, or leave all as it was; returns the gain."""
    gain, worth = 0.0, parts.worth[a]
    parts.used[3] = 0
    while parts.head[a] != NONE:
        p = parts.head[a]
        step = relocate(
            ground, parts, p, parts.rows[p], FREE, worth, near, least, divide, spare, log
        )
        if step > IMPOSSIBLE:
            gain += step
        hopeless = step <= IMPOSSIBLE or gain + bound_class_gain(ground, parts, a) < LEAST_GAIN
        if hopeless or parts.used[3] + least + 2 > len(log):
            break
    if parts.head[a] != NONE or gain < LEAST_GAIN:
        take_back(ground, parts, log)
        return 0.0
    parts.mass[a] = 0.0
    parts.free[parts.used[2]] = a
    parts.used[2] += 1
    return gain


@compile_loop(inner=True)
def leave_part_out(ground: Any, parts: Any, p: Any, level: Any) -> Any:
    """A member, the levels and the worth of a class once a part has left it."""
    member, worth = NONE, 0.0
    level[:] = 0
    y = parts.head[parts.home[p]]
    while y != NONE:
        if y != p:
            t = parts.owner[y]
            if member == NONE:
                member, worth = t, ground.whole[t]
            elif t != member:
                worth = join(ground, level, member, t)
        y = parts.next[y]
    return member, worth


@compile_loop(inner=True)
def release_spare(
    ground: Any, parts: Any, a: Any, near: Any, least: Any, divide: Any, spare: Any, log: Any
) -> Any:
    """Move rows that a class can do without to where they lose less; returns the gain."""
    total, p = 0.0, parts.head[a]
    while p != NONE and parts.size[a] > least:
        after, t = parts.next[p], parts.owner[p]
        rows = min(parts.size[a] - least, parts.rows[p])
        mass = rows * ground.unit[t]
        hope = mass * (ground.reach[t] - parts.worth[a])
        if rows == parts.rows[p]:
            _, worth = leave_part_out(ground, parts, p, spare.level)
            hope += (parts.mass[a] - mass) * (worth - parts.worth[a])
        elif not divide:
            hope = 0.0
        if hope > WORTHWHILE:
            parts.used[3] = 0
            gain = relocate(ground, parts, p, rows, TAKEN, 0.0, near, least, divide, spare, log)
            if gain > LEAST_GAIN:
                total += gain
            else:
                take_back(ground, parts, log)
        p = after
    return total


@compile_loop(inner=True)
def swap(
    ground: Any, parts: Any, x: Any, near: Any, least: Any, most: Any, spare: Any, log: Any
) -> Any:
    """Exchange a part for the best one of a class near by, if that gains; returns the gain."""
    a, t = parts.home[x], parts.owner[x]
    mine, mass = parts.rows[x], parts.rows[x] * ground.unit[t]
    member, worth = leave_part_out(ground, parts, x, spare.level)
    if member == NONE:
        return 0.0
    hope = parts.mass[a] * (worth - parts.worth[a])
    if hope < LEAST_GAIN:
        return 0.0
    best, chosen, rest, before = (
        LEAST_GAIN,
        NONE,
        parts.mass[a] - mass,
        parts.mass[a] * parts.worth[a],
    )
    for b in near:
        if b == a or parts.size[b] == 0 or parts.size[b] > most:
            continue
        old = parts.mass[b] * parts.worth[b]
        y = parts.head[b]
        while y != NONE:
            other, rows = parts.owner[y], parts.rows[y]
            fits = parts.size[a] - mine + rows >= least and parts.size[b] - rows + mine >= least
            if fits and rows < parts.size[b]:
                amount = rows * ground.unit[other]
                here = (rest + amount) * join_worth(ground, spare.level, member, other) - before
                if here + parts.mass[b] * (ground.whole[t] - parts.worth[b]) > best:
                    stays, _ = leave_part_out(ground, parts, y, spare.other)
                    there = join_worth(ground, spare.other, stays, t)
                    gain = here + (parts.mass[b] - amount + mass) * there - old
                    if gain > best:
                        best, chosen = gain, y
            y = parts.next[y]
    if chosen == NONE:
        return 0.0
    parts.used[3] = 0
    b = parts.home[chosen]
    gain = transfer(ground, parts, x, mine, b, log)
    return gain + transfer(ground, parts, chosen, parts.rows[chosen], a, log)


@compile_loop(nogil=True)
def improve(
    ground: Any, parts: Any, order: Any, near: Any, low: Any, high: Any, least: Any, divide: Any,
    exchange: Any, spare: Any, log: Any,
) -> Any:  # fmt: skip
    """Try to dissolve and to relieve each class in ``order``; returns what that gains.

    ``near[low[a] : high[a]]`` are the classes that class ``a`` may give rows to or take them from.
    """
    total, most = 0.0, SMALL * least
    for a in order:
        if parts.size[a] == 0:
            continue
        if parts.used[0] + len(log) > len(parts.owner) or parts.used[1] + 64 > len(parts.head):
            break
        around = near[low[a] : high[a]]
        hope = bound_class_gain(ground, parts, a)
        if hope > WORTHWHILE and parts.size[a] <= most:
            gain = dissolve(ground, parts, a, around, least, divide, spare, log)
            total += gain
            if gain > 0.0:
                continue
        if parts.size[a] <= LARGE * least:
            total += release_spare(ground, parts, a, around, least, divide, spare, log)
        if exchange and parts.size[a] <= most:
            x = parts.head[a]
            while x != NONE:
                after = parts.next[x]
                total += swap(ground, parts, x, around, least, most, spare, log)
                x = after
    return total


@compile_loop(inner=True)
def count_crowds(
    ground: Any, live: Any, count: Any, node: Any, slots: Any, keys: Any, out: Any
) -> Any:
    """Group the first ``count`` live tuples at a node, then count all rows in those groups."""
    found = group(ground, live, count, node, slots, keys, out)
    columns, last = ground.codes.shape[1], len(slots) - 1
    base = ground.start + node * ground.size
    rows = np.zeros(found, np.int64)
    for i in range(count):
        rows[out[i]] += ground.rows[live[i]]
    for i in range(count, len(live)):
        key = np.uint64(0)
        for c in range(columns):
            key += ground.key[base[c] + ground.codes[live[i], c]]
        slot = np.int64(((key ^ (key >> _HALF)) * _MIX) >> _HALF) & last
        while slots[slot] != NONE and keys[slots[slot]] != key:
            slot = (slot + 1) & last
        if slots[slot] != NONE:
            rows[slots[slot]] += ground.rows[live[i]]
    return rows


def _raise_best_plain(
    ground: Any, nodes: Any, top: Any, first: Any, least: Any, live: Any, best: Any
) -> Any:
    n, steps, at = len(live), 0, first
    count = n
    columns = range(ground.codes.shape[1])
    while at < len(nodes) and steps < WALK:
        front = live[:count]
        can = best[front] < ground.whole[front] + top[at] - LEAST_GAIN
        live[:count] = np.concatenate([front[can], front[~can]])
        count = int(np.count_nonzero(can))
        if count == 0:
            break
        base = ground.start + nodes[at] * ground.size
        front = live[:count]
        worth = np.zeros(count)
        for c in columns:
            worth += ground.worth[base[c] + ground.codes[front, c]]
        better = worth > best[front]
        steps += count
        if better.any():
            key = np.zeros(n, np.uint64)
            for c in columns:
                key += ground.key[base[c] + ground.codes[live, c]]
            number, _ = number_values(key)
            rows = np.bincount(number, weights=ground.rows[live])
            better &= rows[number[:count]] >= least
            best[front[better]] = worth[better]
            steps += n
        at += 1
    return at, count


@compile_loop(plain=_raise_best_plain, weight=32, nogil=True)
def raise_best(
    ground: Any, nodes: Any, top: Any, first: Any, least: Any, live: Any, best: Any
) -> Any:
    """Find the most that a row of each tuple can be worth in a group of ``least`` rows.

    ``top[v]`` is the most that any row is worth at node v, and falls. Tuples at the front of
    ``live`` can still do better. Returns the next node and how many of them there are; stops now
    and then, so that the caller can look at the clock.
    """
    n, steps, at = len(live), 0, first
    count = n
    slots, here = np.empty(table_size(n), np.int32), np.empty(n)
    keys, out = np.empty(n, np.uint64), np.empty(n, np.int32)
    while at < len(nodes) and steps < WALK:
        left = 0
        for i in range(count):
            t = live[i]
            if best[t] < ground.whole[t] + top[at] - LEAST_GAIN:
                live[i], live[left] = live[left], t
                left += 1
        count, some = left, 0
        if count == 0:
            break
        base = ground.start + nodes[at] * ground.size
        for i in range(count):
            worth, t = 0.0, live[i]
            for c in range(ground.codes.shape[1]):
                worth += ground.worth[base[c] + ground.codes[t, c]]
            if worth > best[t]:
                live[i], live[some] = live[some], t
                here[some] = worth
                some += 1
        steps += count
        if some > 0:
            rows = count_crowds(ground, live, some, nodes[at], slots[: table_size(some)], keys, out)
            for i in range(some):
                if rows[out[i]] >= least:
                    best[live[i]] = here[i]
            steps += n
        at += 1
    return at, count


@compile_loop(inner=True)
def keep_least(values: Any, value: Any, times: Any) -> None:
    """Put a value as often as it occurs among the least values so far, which rise."""
    last = len(values) - 1
    for _ in range(times):
        if value >= values[last]:
            return
        j = last
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


@compile_loop(nogil=True)
def room_below(
    ground: Any, nodes: Any, first: Any, least: Any, dual: Any, share: Any, room: Any
) -> Any:
    """How far each tuple's dual can fall before some group of ``least`` rows gains by it.

    The dual of a row is what it must be worth at most. In every group the ``least`` lowest duals
    must add up to what as many rows are worth there. ``room`` is lowered to what is left of that.
    With a ``share`` (not empty) each row gets its part of it, so that all can fall at once.
    Returns the next node; stops now and then, so that the caller can look at the clock.
    """
    n, at, steps, shared = len(ground.rows), first, 0, len(share) > 0
    every, slots = np.arange(n), np.empty(table_size(n), np.int32)
    keys, out = np.empty(n, np.uint64), np.empty(n, np.int32)
    low, high = np.empty((n, least)), np.empty((n if shared else 0, least))
    rows, first_of = np.empty(n, np.int64), np.empty(n, np.int64)
    while at < len(nodes) and steps < WALK:
        found = group(ground, every, n, nodes[at], slots, keys, out)
        base = ground.start + nodes[at] * ground.size
        rows[:found] = 0
        low[:found] = 1e300
        if shared:
            high[:found] = 0.0
        for t in range(n):
            g, times = out[t], min(least, ground.rows[t])
            first_of[g] = t
            rows[g] += ground.rows[t]
            keep_least(low[g], dual[t], times)
            if shared:
                keep_least(high[g], -share[t], times)
        for t in range(n):
            g = out[t]
            if rows[g] < least or (shared and share[t] <= 0.0):
                continue
            worth = 0.0
            for c in range(ground.codes.shape[1]):
                worth += ground.worth[base[c] + ground.codes[first_of[g], c]]
            left = max(low[g, least - 1], dual[t]) - least * worth
            for j in range(least - 1):
                left += low[g, j]
            if shared:
                left *= share[t] / -high[g].sum()
            room[t] = min(room[t], left)
        at, steps = at + 1, steps + n
    return at


@compile_loop(nogil=True)
def merged_values(ground: Any, parts: Any, a: Any, member: Any) -> Any:
    """What every class gains when class ``a`` joins it, as ``a`` is worth nothing by itself."""
    value = np.empty(parts.used[1])
    level = np.empty(ground.codes.shape[1], np.int64)
    for b in range(parts.used[1]):
        level[:] = np.maximum(parts.level[a], parts.level[b])
        worth = join_worth(ground, level, member, parts.member[b])
        value[b] = (parts.mass[a] + parts.mass[b]) * worth - parts.mass[b] * parts.worth[b]
    return value


@compile_loop(nogil=True)
def list_partners(
    ground: Any, parts: Any, order: Any, near: Any, low: Any, high: Any, partner: Any, loss: Any
) -> None:
    """Find the classes near by that lose least if each class in ``order`` joins them.

    ``partner`` and ``loss`` have a row for each class in ``order``, cheapest first, and keep what
    they have if it is cheaper.
    """
    level, most = np.empty(ground.codes.shape[1], np.int64), partner.shape[1]
    for i in range(len(order)):
        a = order[i]
        own = parts.mass[a] * parts.worth[a]
        for b in near[low[a] : high[a]]:
            mass, before = parts.mass[a] + parts.mass[b], own + parts.mass[b] * parts.worth[b]
            best = min(parts.worth[a], parts.worth[b])
            if b == a or parts.size[b] == 0 or before - mass * best >= loss[i, most - 1]:
                continue
            level[:] = np.maximum(parts.level[a], parts.level[b])
            lost = before - mass * join_worth(ground, level, parts.member[a], parts.member[b])
            known = False
            for j in range(most):
                known = known or partner[i, j] == b
            if known or lost >= loss[i, most - 1]:
                continue
            j = most - 1
            while j > 0 and loss[i, j - 1] > lost:
                partner[i, j], loss[i, j] = partner[i, j - 1], loss[i, j - 1]
                j -= 1
            partner[i, j], loss[i, j] = b, lost


@compile_loop(nogil=True)
def outliers(ground: Any, parts: Any, least: Any) -> Any:
    """For each class the part that is best left out: its number, its rows, and the gain."""
    classes = parts.used[1]
    part, rows, gain = np.zeros(classes, np.int64), np.ones(classes, np.int64), np.zeros(classes)
    level = np.empty(ground.codes.shape[1], np.int64)
    for a in range(classes):
        p = parts.head[a] if parts.size[a] <= LARGE * least else NONE
        while p != NONE:
            number, mass = parts.rows[p], parts.rows[p] * ground.unit[parts.owner[p]]
            if parts.size[a] - number >= least:
                _, worth = leave_part_out(ground, parts, p, level)
                value = (parts.mass[a] - mass) * worth - parts.mass[a] * parts.worth[a]
                if value * rows[a] > gain[a] * number:
                    part[a], rows[a], gain[a] = p, number, value
            p = parts.next[p]
    return part, rows, gain


@compile_loop(nogil=True)
def remove(ground: Any, parts: Any, p: Any, rows: Any) -> None:
    """Leave a part out: it is in no class any more."""
    a = parts.home[p]
    unlink(parts, p)
    parts.home[p] = NONE
    parts.size[a] -= rows
    parts.mass[a] -= rows * ground.unit[parts.owner[p]]
    tighten(ground, parts, a)
