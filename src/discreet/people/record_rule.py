"""What becomes of the number of rows a person has, which tells people apart by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints

Kind = Literal["keep", "ignore", "cap", "group"]
OWNER = "records"
MOST = 1_000_000_000
WANTED = "keep, ignore, {cap: 5} or {group: [1, 2, 5, 10]}"


@dataclass(frozen=True)
class RecordRule:
    """How many rows of each person are released, and whether that number counts as known.

    Parameters
    ----------
    kind
        ``keep`` releases all rows, and people are alike only if they have as many. ``ignore``
        releases all and takes their number for unknown. ``cap`` leaves out, at random, what is
        beyond a number; ``group`` what is beyond the next lower of some numbers.
    numbers
        The number of a cap; the numbers of groups, from low to high.

    Examples
    --------
    >>> RecordRule("group", (1, 2, 5)).allowed(np.array([1, 4, 5, 9])).tolist()
    [1, 2, 5, 5]
    >>> RecordRule("cap", (3,)).allowed(np.array([1, 4])).tolist()
    [1, 3]

    Notes
    -----
    [Sweeney2001]_, sec. 6.2: "the number of occurrences [...] can combine to reveal sensitive
    information". *Departures*: the thesis names the danger and no rule. *Cost*: one look-up a
    person.
    """

    kind: Kind = "keep"
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ParameterError(OWNER, OWNER, WANTED)
        range_ = f"from 1 to {MOST:,}"
        wanted = {"cap": f"a whole number {range_}", "group": f"rising whole numbers {range_}"}
        if self.kind in wanted and not self._right():
            raise ParameterError(OWNER, self.kind, wanted[self.kind])

    def _right(self) -> bool:
        whole = all(type(n) is int and 0 < n <= MOST for n in self.numbers)
        many = len(self.numbers) == 1 if self.kind == "cap" else len(self.numbers) >= 1
        return whole and many and all(np.diff(self.numbers) > 0)

    @property
    def counts(self) -> bool:
        """Whether people are alike only if they have as many rows."""
        return self.kind != "ignore"

    def allowed(self, rows: Ints) -> Ints:
        """How many rows each person may keep, of those there are; 0 where the rule leaves none."""
        if self.kind == "cap":
            return np.minimum(rows, self.numbers[0])
        if self.kind == "group":
            steps = np.array((0, *self.numbers), dtype=np.int64)
            found: Ints = steps[np.searchsorted(steps, rows, side="right") - 1]
            return found
        return rows

    def drawn(
        self, person: npt.NDArray[np.int32], people: int, random: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        """Which rows stay; ``person`` says whose each is, and chance decides between them."""
        rows = np.bincount(person, minlength=people).astype(np.int64)
        allowed = self.allowed(rows)
        if np.array_equal(allowed, rows):
            return np.ones(len(person), dtype=np.bool_)
        order = np.lexsort((random.random(len(person)), person))
        first = np.cumsum(rows) - rows
        place = np.arange(len(person)) - first[person[order]]
        stays = np.empty(len(person), dtype=np.bool_)
        stays[order] = place < allowed[person[order]]
        return stays

    def spec(self) -> Any:
        """What a policy file says of it."""
        if self.kind == "cap":
            return {"cap": self.numbers[0]}
        return {"group": list(self.numbers)} if self.kind == "group" else self.kind

    def consequence(self) -> str:
        """What the rule means for those who get the release, and for those who are in it."""
        if self.kind == "keep":
            return "the number of rows of a person counts as known: people alike have as many"
        if self.kind == "ignore":
            return (
                "the number of rows of a person counts as unknown: whoever knows how many somebody "
                "has can tell people apart who are alike here"
            )
        if self.kind == "cap":
            cap = self.numbers[0]
            return (
                f"nobody has more than {cap:,} row{'s'[: cap != 1]}; rows beyond that were left "
                "out at random, so sums and counts of rows are too low"
            )
        *most, last = (f"{n:,}" for n in self.numbers)
        listed = f"{', '.join(most)} or {last} rows" if most else f"{last} row{'s'[: last != '1']}"
        return (
            f"everybody has {listed}; rows beyond the next lower number were left out at random, "
            "so sums and counts of rows are too low"
        )


def record_rule(value: Any) -> RecordRule:
    """The rule that a policy writes under ``records``."""
    if isinstance(value, RecordRule):
        return value
    if value in ("keep", "ignore"):
        return RecordRule(value)
    if isinstance(value, Mapping) and len(value) == 1:
        ((kind, numbers),) = value.items()
        if kind in ("cap", "group"):
            listed = isinstance(numbers, list | tuple)
            if listed == (kind == "group"):
                return RecordRule(kind, tuple(numbers) if listed else (numbers,))
            wanted = "a list of numbers" if kind == "group" else "one number"
            raise ParameterError(OWNER, kind, wanted)
    raise ParameterError(OWNER, OWNER, WANTED)
