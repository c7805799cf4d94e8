"""What each technique promises of a column, held against the written cells; plain Python.

A release shows the changed columns of some rows. ``whole`` says that these are all the rows that
the technique was given; only then do counts, totals and means say something.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from soak.part import ProductError
from soak.tables import Cell

Cells = Mapping[str, Sequence[Cell]]


@dataclass(frozen=True, eq=False)
class Change:
    """One technique of a policy: its parameters and the columns that it changes."""

    name: str
    settings: Mapping[str, Any]
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Changed:
    """The rows of a release before and after a technique, by column."""

    change: Change
    before: Cells
    after: Cells
    whole: bool
    private: Cells | None
    """All rows before; None where a sample was drawn first, which is not known here."""

    def require(self, holds: bool, what: str) -> None:
        """Say that the technique broke its promise unless something holds."""
        if not holds:
            raise ProductError(f"{self.change.name} {dict(self.change.settings)}: {what}")

    def pairs(self, column: str) -> list[tuple[Cell, Cell]]:
        """Each cell with what became of it."""
        return list(zip(self.before[column], self.after[column], strict=True))

    def numbers(self, column: str) -> list[tuple[float, float]]:
        """Each number with what became of it."""
        return [(float(b), float(a or 0)) for b, a in self.pairs(column) if b is not None]

    def known(self, column: str) -> list[float]:
        """The numbers of all rows, in order."""
        cells = self.before[column] if self.private is None else self.private[column]
        return sorted(float(cell) for cell in cells if cell is not None)

    def by(self, names: Sequence[str]) -> list[tuple[Cell, ...]]:
        """The group of each row: its cells in some columns that no technique changes."""
        return [tuple(self.before[n][row] for n in names) for row in range(self.rows)]

    @property
    def rows(self) -> int:
        return len(self.before[self.change.columns[0]])


def check_change(changed: Changed) -> None:
    """Check a technique on each of its columns, and on all of them together."""
    name = changed.change.name
    if name != "suppress_values" and changed.change.settings.get("others") != "suppress":
        for column in changed.change.columns:
            if name == "swap":
                continue  # a missing cell moves with its unit
            same = all((b is None) == (a is None) for b, a in changed.pairs(column))
            changed.require(same, "a missing cell did not stay missing, or another became so")
    CHECKS[name](changed)


def _near(one: float, other: float, slack: float = 1e-6) -> bool:
    return math.isclose(one, other, rel_tol=slack, abs_tol=slack)


def _check_suppressed(changed: Changed) -> None:
    share, rare = changed.change.settings.get("share", 1), changed.change.settings.get("rarer_than")
    for column in changed.change.columns:
        pairs = changed.pairs(column)
        changed.require(all(b == a or a is None for b, a in pairs), "a cell was changed")
        if rare is not None and changed.private is not None:
            counts = Counter(changed.private[column])
            blank = [(b, a) for b, a in pairs if b is not None and counts[b] < rare]
            kept = all(a == b for b, a in pairs if b is not None and counts[b] >= rare)
            changed.require(kept, "a frequent value was blanked")
            changed.require(all(a is None for _, a in blank), "a rare value was not blanked")
        elif rare is None and share == 1:
            changed.require(all(a is None for _, a in pairs), "a cell was not blanked")
        elif rare is None and changed.whole:
            known = sum(b is not None for b, _ in pairs)
            blanked = sum(b is not None and a is None for b, a in pairs)
            changed.require(abs(blanked - share * known) <= 0.5, f"{blanked} of {known} blanked")


def _check_substituted(changed: Changed) -> None:
    settings = changed.change.settings
    others = settings.get("others", "refuse")
    for column in changed.change.columns:
        for before, after in changed.pairs(column):
            if before is None:
                continue
            listed = settings.get("replacements") or settings["categories"]
            if before not in listed:
                changed.require(after == (before if others == "keep" else None), "another value")
            elif "replacements" in settings:
                changed.require(after == listed[before], "another value than listed")
            else:
                changed.require(listed.get(after) == listed[before], "another category")


def _check_counts(changed: Changed) -> None:
    """The values stay, each as often as before, in each group of rows that exchange."""
    if not changed.whole:
        return
    settings = changed.change.settings
    groups = changed.by(settings.get("within", ()))
    units = [changed.change.columns]
    if changed.change.name != "swap" or not settings.get("unit", True):
        units = [(column,) for column in changed.change.columns]
    for unit in units:
        rows = range(changed.rows)
        was = Counter((groups[r], tuple(changed.before[c][r] for c in unit)) for r in rows)
        now = Counter((groups[r], tuple(changed.after[c][r] for c in unit)) for r in rows)
        changed.require(was == now, "values are not there as often as before")


def _check_swapped(changed: Changed) -> None:
    _check_counts(changed)
    settings = changed.change.settings
    sizes = Counter(changed.by(settings.get("within", ())))
    if not changed.whole or settings.get("share", 1) < 1:
        return
    column = changed.change.columns[0]
    cells = changed.before[column]
    if None in cells or len(set(cells)) < len(cells):
        return
    groups = changed.by(settings.get("within", ()))
    for (before, after), group in zip(changed.pairs(column), groups, strict=True):
        changed.require(before != after or sizes[group] == 1, "a row kept a value of its own")


def _check_ranks(changed: Changed) -> None:
    """With different values, none moves further than p per cent of the ranks."""
    _check_counts(changed)
    for column in changed.change.columns:
        numbers = changed.known(column)
        if changed.private is None or len(set(numbers)) < len(numbers):
            continue
        rank = {number: place for place, number in enumerate(numbers)}
        reach = changed.change.settings.get("p", 5) * len(numbers) / 100
        for before, after in changed.numbers(column):
            changed.require(abs(rank[before] - rank[after]) <= reach, "a value moved too far")


def _check_drawn(changed: Changed) -> None:
    """Post-randomization gives values of the column, and none that the matrix rules out."""
    settings = changed.change.settings
    for column in changed.change.columns:
        pairs = [(b, a) for b, a in changed.pairs(column) if b is not None]
        if changed.private is not None:
            matrix = changed.change.settings.get("matrix") or {}
            listed = {value for row in matrix.values() for value in row}
            known = set(changed.private[column]) | listed
            changed.require({a for _, a in pairs} <= known, "a new value")
        if "matrix" in settings and not settings.get("invariant", True):
            possible = all(settings["matrix"][b].get(a, 0) > 0 for b, a in pairs)
            changed.require(possible, "a value of probability 0 was drawn")
            sure = all(a == b for b, a in pairs if settings["matrix"][b].get(b) == 1)
            changed.require(sure, "a value of probability 1 was not kept")


def _spread(numbers: Sequence[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((n - mean) ** 2 for n in numbers) / max(1, len(numbers) - 1))


def _check_noise(changed: Changed) -> None:
    settings = changed.change.settings
    for column in changed.change.columns:
        numbers = changed.numbers(column)
        whole_numbers = all(b is None or re.fullmatch(r"-?\d+", b) for b in changed.before[column])
        if whole_numbers:
            shape = all(a is None or re.fullmatch(r"-?\d+", a) for a in changed.after[column])
            changed.require(shape, "whole numbers became others")
        least, most = settings.get("domain", {}).get(column, (None, None))
        for _, after in numbers:
            changed.require(least is None or after >= least, "a number below the domain")
            changed.require(most is None or after <= most, "a number above the domain")
        if changed.private is None or len(numbers) < 8:
            continue
        deviation = settings.get("amount", 0.1) * _spread(changed.known(column))
        same = sum(_near(b, a, 1e-12) for b, a in numbers)
        edges = sum(after in (least, most) for _, after in numbers)
        if deviation >= 5:
            changed.require(same <= len(numbers) / 2, f"{same} of {len(numbers)} numbers are kept")
        if not edges:
            far = all(abs(a - b) <= 8 * deviation + 1 for b, a in numbers)
            changed.require(far, "noise of more than eight standard deviations")


def _moments(rows: Sequence[Sequence[float]]) -> list[float]:
    """Means and covariances of columns of numbers."""
    count = len(rows[0])
    means = [sum(column) / count for column in rows]
    found = list(means)
    for i, one in enumerate(rows):
        for j, other in enumerate(rows[: i + 1]):
            pairs = zip(one, other, strict=True)
            found.append(sum((x - means[i]) * (y - means[j]) for x, y in pairs) / count)
    return found


def _check_perturbed(changed: Changed) -> None:
    """Means and covariances stay; the correlation with the private column is the similarity."""
    columns = changed.change.columns
    if not changed.whole or any(None in changed.before[c] for c in columns) or not changed.rows:
        return
    before = [[b for b, _ in changed.numbers(c)] for c in columns]
    after = [[a for _, a in changed.numbers(c)] for c in columns]
    scale = max(1.0, max(abs(n) for column in before for n in column)) ** 2
    for was, now in zip(_moments(before), _moments(after), strict=True):
        changed.require(abs(was - now) <= 1e-6 * scale, "a mean or covariance moved")
    for one, other in zip(before, after, strict=True):
        spread = _spread(one)
        if spread > 0:
            _, _, variance, covariance, _ = _moments([one, other])
            similar = changed.change.settings.get("similarity", 0.5)
            near = abs(covariance / variance - similar) <= 1e-5
            changed.require(near, f"correlation {covariance / variance}")


def _check_rounded(changed: Changed) -> None:
    settings = changed.change.settings
    base, how = settings["base"], settings.get("how", "plain")
    for column in changed.change.columns:
        numbers = changed.numbers(column)
        for before, after in numbers:
            times = after / base
            changed.require(_near(times, round(times)), "not a multiple of the base")
            if how == "plain":
                changed.require(_near(after, round(before / base) * base), "not the nearest")
            else:
                changed.require(abs(after - before) < base, "moved by the base or more")
        if how == "controlled" and changed.whole and numbers:
            groups: dict[Any, float] = defaultdict(float)
            by = changed.by(settings.get("within", ()))
            for group, (b, a) in zip(by, changed.pairs(column), strict=True):
                groups[group] += float(a or 0) - float(b or 0)
            off = abs(sum(groups.values()))
            changed.require(off <= base / 2 + 1e-6, f"the total is off by {off}")
            near = all(abs(one) <= base + 1e-6 for one in groups.values())
            changed.require(near, "the total of a group is off by more than the base")


def _check_cut(changed: Changed) -> None:
    """Nothing beyond the limit is left, and all else is as it was."""
    settings, sign = changed.change.settings, 1 if changed.change.name == "top_code" else -1
    for column in changed.change.columns:
        if changed.private is None:
            continue
        known = changed.known(column)
        if not known:
            continue
        limit = settings.get("at")
        if limit is None:
            limit = _cut_limit(changed, column, known, sign)
        cut = [n for n in known if sign * (n - limit) > 0]
        put, whole = limit, all(n == int(n) for n in known)
        if settings.get("put") == "mean" and cut:
            put = sum(cut) / len(cut)
        slack = 0.5 if settings.get("put") == "mean" and whole else 0
        for before, after in changed.numbers(column):
            if sign * (before - limit) > 0:
                changed.require(abs(after - put) <= slack + 1e-6, f"cut to {after}, not {put}")
            else:
                changed.require(_near(before, after), "a number within the limit moved")


def _cut_limit(changed: Changed, column: str, known: Sequence[float], sign: int) -> float:
    """The limit by a quantile: a number that somebody has, with about that share within it."""
    share = changed.change.settings["quantile"]
    place = share * (len(known) - 1)
    there = {known[math.floor(place)], known[math.ceil(place)], known[round(place)]}
    kept = [b for b, a in changed.numbers(column) if _near(a, b)]
    fitting = [n for n in there if all(sign * (b - n) <= 0 for b in kept)]
    changed.require(bool(fitting), "numbers beyond the quantile are there")
    return min(fitting, key=lambda n: sign * n)


def _check_zip(changed: Changed) -> None:
    """Three digits; 000 for what few people share, and for what is not a ZIP code."""
    for column in changed.change.columns:
        for before, after in changed.pairs(column):
            if before is not None:
                five = re.fullmatch(r"(\d{4,5})(?:-\d{4})?", before)
                wanted = five[1].zfill(5)[:3] if five else "000"
                wanted = "000" if wanted in ("036", "753") else wanted
                changed.require(after == wanted, f"{before} became {after}")


def _check_year(changed: Changed) -> None:
    last = int(str(changed.change.settings["as_of"])[:4]) - 90
    for column in changed.change.columns:
        for before, after in changed.pairs(column):
            if before is not None:
                year = int(before[:4])
                wanted = f"{last} or before" if year <= last else before[:4]
                changed.require(after == wanted, f"{before} became {after}")


def _check_outliers(changed: Changed) -> None:
    for column in changed.change.columns:
        known = changed.known(column)
        if changed.private is None or not known:
            continue
        low, high = _quartile(known, 0.25), _quartile(known, 0.75)
        reach = changed.change.settings.get("fence", 1.5) * (high - low)
        median = known[(len(known) - 1) // 2]
        for before, after in changed.numbers(column):
            if min(abs(before - low + reach), abs(before - high - reach)) < 1e-9:
                continue  # on the fence, to the last digit
            outside = not low - reach <= before <= high + reach
            wanted = median if outside else before
            changed.require(_near(after, wanted), f"{before} became {after}, not {wanted}")


def _quartile(known: Sequence[float], share: float) -> float:
    """A quartile between two numbers, as statistics programs have it (Hyndman and Fan's type 7)."""
    place = share * (len(known) - 1)
    low = math.floor(place)
    high = min(low + 1, len(known) - 1)
    return known[low] + (known[high] - known[low]) * (place - low)


def _check_groups(changed: Changed) -> None:
    """Groups of k rows or more have their mean; those of one column are the best there are."""
    settings, columns = changed.change.settings, changed.change.columns
    words = set(settings.get("categories", ()))
    if not changed.whole or not changed.rows:
        return
    groups: dict[Any, list[int]] = defaultdict(list)
    for row in range(changed.rows):
        groups[tuple(changed.after[c][row] for c in columns)].append(row)
    for rows in groups.values():
        changed.require(len(rows) >= settings["k"], f"a group of {len(rows)} rows")
        for column in columns:
            cells = [changed.before[column][row] for row in rows]
            new = changed.after[column][rows[0]]
            if new is None:
                continue
            if column in words:
                changed.require(new in cells, "a category that nobody in the group has")
            else:
                mean = sum(float(cell or 0) for cell in cells) / len(cells)
                changed.require(_near(float(new), mean), f"{new} is not the mean {mean}")
    (first, *others) = columns
    variable = settings.get("size", "variable") == "variable"
    if variable and not others and first not in words and None not in changed.before[first]:
        error = sum((b - a) ** 2 for b, a in changed.numbers(first))
        best = _least_error(sorted(b for b, _ in changed.numbers(first)), settings["k"])
        changed.require(error <= best * (1 + 1e-6) + 1e-6, f"squared error {error}, best {best}")


def _least_error(numbers: Sequence[float], k: int) -> float:
    """The least squared error of groups of k or more, over all ways to cut the sorted numbers."""
    best = [0.0, *[math.inf] * len(numbers)]
    for end in range(k, len(numbers) + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            part = numbers[start:end]
            mean = sum(part) / len(part)
            best[end] = min(best[end], best[start] + sum((n - mean) ** 2 for n in part))
    return best[-1]


def _day(cell: str) -> date:
    return date.fromisoformat(cell[:10])


def _check_shifted(changed: Changed) -> None:
    """All dates of a person move alike, no further than was said, and keep their form."""
    settings = changed.change.settings
    days = settings.get("days", 180)
    least, most = (-days, days) if isinstance(days, int) else days
    moved: dict[Cell, set[timedelta]] = defaultdict(set)
    for column in changed.change.columns:
        people = changed.before[settings["entity"]]
        for person, (before, after) in zip(people, changed.pairs(column), strict=True):
            if before is None or after is None:
                continue
            changed.require(re.fullmatch(r"\d{4}-\d\d-\d\d", after) is not None, "another form")
            moved[person].add(_day(after) - _day(before))
    for shifts in moved.values():
        changed.require(len(shifts) == 1, "the dates of a person moved by different days")
        (shift,) = shifts
        changed.require(least <= shift.days <= most, f"moved by {shift.days} days")
        if settings.get("weeks"):
            changed.require(shift.days % 7 == 0, "moved by a part of a week")
    if len(moved) >= 12 and most - least >= 30 and not settings.get("weeks"):
        different = {shift for shifts in moved.values() for shift in shifts}
        changed.require(len(different) > 2, "nearly everybody moved by the same days")


def _check_relative(changed: Changed) -> None:
    """Days since the first date that the person has in any of the columns."""
    settings, columns = changed.change.settings, changed.change.columns
    if changed.private is None:
        return
    first: dict[Cell, date] = {}
    for column in columns:
        for person, cell in zip(
            changed.private[settings["entity"]], changed.private[column], strict=True
        ):
            if cell is not None:
                first[person] = min(first.get(person, date.max), _day(cell))
    for column in columns:
        people = changed.before[settings["entity"]]
        for person, (before, after) in zip(people, changed.pairs(column), strict=True):
            if before is not None:
                wanted = (_day(before) - first[person]).days
                changed.require(after == str(wanted), f"{after} days, not {wanted}")


CHECKS: dict[str, Callable[[Changed], None]] = {
    "suppress_values": _check_suppressed,
    "substitute": _check_substituted,
    "swap": _check_swapped,
    "rank_swap": _check_ranks,
    "shuffle": _check_counts,
    "pram": _check_drawn,
    "noise": _check_noise,
    "perturb": _check_perturbed,
    "round_values": _check_rounded,
    "top_code": _check_cut,
    "bottom_code": _check_cut,
    "zip3": _check_zip,
    "year": _check_year,
    "outliers_to_median": _check_outliers,
    "microaggregate": _check_groups,
    "shift_dates": _check_shifted,
    "relative_dates": _check_relative,
}
