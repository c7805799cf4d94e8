"""Values that are read rather than looked up: ages, times of day, blood groups."""

from __future__ import annotations

import re
from itertools import pairwise

from discreet.hierarchy.known.tree_file import LabelPath

OLDEST = 125
_AGE = re.compile(
    r"(\d{1,3})(?:\s*(?:years?|yrs?|y|y/?o|jahre?|j)(?:\s*(?:old|alt))?)?\.?", re.IGNORECASE
)
_OPEN_AGE = re.compile(
    r"(?:>=\s?|≥\s?)(\d{1,3})|(\d{1,3})\s?(?:\+|and (?:over|older|above)|or (?:over|older|more)|"
    r"plus|und älter)",
    re.IGNORECASE,
)
_AGE_RANGE = re.compile(r"(\d{1,3})\s?(?:-|–|to|bis)\s?(\d{1,3})")
_INFANT = re.compile(r"(?:<|under|unter)\s?1|\d{1,2}\s*(?:months?|mos?|monate?)", re.IGNORECASE)

STAGES = {0: "Children", 15: "Youth", 25: "Adults", 45: "Adults", 65: "Seniors"}
"""Statistics Canada's life cycle groups, with adults divided in two."""

AGE_STARTS: tuple[tuple[int, ...], ...] = (
    tuple(range(0, 95, 5)),
    (0, 15, 25, 35, 45, 55, 65, 75, 85),
    tuple(STAGES),
    (0, 15, 65),
)
"""Where the groups of each level start; the last group of a level is open."""


class Ages:
    """Ages in the groups that statistical offices publish, from five years to working age."""

    levels = ("five years", "ten years", "life stage", "working age")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of an age, an open age such as 90+ or an age group."""
        plain = text.strip()
        if match := _AGE.fullmatch(plain):
            low = high = int(match[1])
        elif match := _OPEN_AGE.fullmatch(plain):
            low, high = int(match[1] or match[2]), OLDEST
        elif match := _AGE_RANGE.fullmatch(plain):
            low, high = int(match[1]), int(match[2])
        elif _INFANT.fullmatch(plain):
            low = high = 0
        else:
            return None
        return self._name(low, high) if low <= high <= OLDEST else None

    find_exact = find

    def _name(self, low: int, high: int) -> LabelPath | None:
        """The groups that contain all the ages; below its own level a group is itself."""
        labels = [_find_age_group(level, low, high) for level in range(len(AGE_STARTS))]
        if labels[-1] is None:
            return None
        own = f"{low}+" if high == OLDEST else f"{low}-{high}"
        return tuple(label or own for label in labels)


def _find_age_group(level: int, low: int, high: int) -> str | None:
    starts = AGE_STARTS[level]
    for start, after in pairwise((*starts, OLDEST + 1)):
        if start <= low and high < after:
            ages = f"{start}+" if after > OLDEST else f"{start}-{after - 1}"
            return f"{STAGES[start]} ({ages})" if level == 2 else ages
    return None


_TIME = re.compile(
    r"(\d{1,2})[:h](\d\d)(?::\d\d(?:[.,]\d+)?)?\s*(?:([ap])\.?m\.?)?(?:\s*Uhr|Z)?", re.IGNORECASE
)
PARTS = (
    "Night (00:00-05:59)",
    "Morning (06:00-11:59)",
    "Afternoon (12:00-17:59)",
    "Evening (18:00-23:59)",
)
HALVES = ("00:00-11:59", "12:00-23:59")


class Times:
    """Times of day: the hour, the part of the day, its half."""

    levels = ("hour", "part of day", "half day")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a time such as 14:35, 2:35 pm or 14:35:07."""
        match = _TIME.fullmatch(text.strip())
        if match is None or int(match[2]) > 59:
            return None
        hour, half = int(match[1]), (match[3] or "").casefold()
        if half:
            if not 1 <= hour <= 12:
                return None
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour > 23:
            return None
        return f"{hour:02d}:00-{hour:02d}:59", PARTS[hour // 6], HALVES[hour // 12]

    find_exact = find


_BLOOD = re.compile(
    r"(AB|A|B|O|0)\s*(?:rh(?:esus)?)?\s*d?[\s(]*(\+|-|−|–|pos(?:itive?)?|neg(?:ative?)?)?\)?",
    re.IGNORECASE,
)


class BloodGroups:
    """Blood groups: with the rhesus factor, then the ABO group."""

    levels = ("group and factor", "group")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a blood group such as A+, 0 neg or AB Rh positive."""
        match = _BLOOD.fullmatch(text.strip())
        if match is None:
            return None
        group = match[1].upper().replace("0", "O")
        factor = (match[2] or "").casefold()
        sign = "" if not factor else "+" if factor.startswith(("+", "pos")) else "-"
        return group + sign, group

    find_exact = find
