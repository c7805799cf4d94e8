"""What can be said of one column by asking the recognizers about its name and its values."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from discreet.display import dataclass
from discreet.identify.column_name import joined, phrases
from discreet.identify.kind import Kind, kind_of, share
from discreet.identify.profile import Profile
from discreet.identify.recognizers import ALL, Recognizer
from discreet.identify.row_sample import LONGEST
from discreet.table.role import Role

LOOKED_AT = 1000
"""Different values of a column that the recognizers look at."""
FIRST = 20
"""Values that decide whether it is worth looking at the others."""
AGREES = 0.5
"""The share of values that must fit what the name of the column says."""
LUCK = 1e-4
"""How likely at most may all check digits be right by chance."""
FEW_ROWS = 10
"""In fewer rows all values may differ by chance."""


@dataclass(frozen=True, repr=False)
class Evidence:
    """What a judge sees of one column: its name, its counts and a part of its values."""

    profile: Profile
    values: tuple[str, ...] = field(init=False)
    kind: Kind = field(init=False)

    def __post_init__(self) -> None:
        marks = self.profile.marks
        plain = [value[:LONGEST].strip() for value in self.profile.values if value not in marks]
        step = max(1, len(plain) // LOOKED_AT)
        looked_at = tuple(value for value in plain[::step] if value)[: 2 * LOOKED_AT]
        object.__setattr__(self, "values", looked_at)
        kind = kind_of(looked_at, self.profile.distinct, self.profile.filled)
        object.__setattr__(self, "kind", kind)

    def fitting(self, recognizer: Recognizer) -> float:
        """The share of values that may stand under a name that the recognizer knows."""
        return share(self.values, recognizer.accepts)

    def proven(self, recognizer: Recognizer) -> float:
        """The share of values that the recognizer knows without help; 0 when that proves little."""
        proof = recognizer.proof
        if proof is None or share(self.values[:FIRST], proof) < recognizer.share / 2:
            return 0.0
        found = share(self.values, proof)
        lucky = recognizer.chance ** (found * len(self.values))
        enough = found >= recognizer.share and (not recognizer.chance or lucky <= LUCK)
        return found if enough and len(self.values) >= recognizer.least else 0.0

    @cached_property
    def named(self) -> list[Recognizer]:
        """The recognizers that know the name of the column, the longest phrase first."""
        known = phrases(self.profile.name)
        lengths = [(max((known.get(joined(n), 0) for n in r.names), default=0), r) for r in ALL]
        return [r for length, r in sorted(lengths, key=lambda pair: -pair[0]) if length]

    def contradicts(self, recognizer: Recognizer) -> bool:
        """Whether the values cannot be what the name of the column says."""
        if recognizer.role is Role.identifier and self.profile.distinct <= 2:
            return self.profile.filled >= FEW_ROWS
        if recognizer.role is Role.text:
            return self.kind not in (Kind.text, Kind.free_text)
        return self.fitting(recognizer) < AGREES
