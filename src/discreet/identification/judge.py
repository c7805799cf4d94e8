"""Weighs what the name of a column says against what its values look like.

Values that prove themselves (check digits, forms that nothing else has) outrank the name; a name
that the values agree with comes next; then values that only resemble something; then the bare
fact that a column tells rows apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property

from discreet.display import dataclass
from discreet.identification.kind import Kind, find_kind, measure_share
from discreet.identification.profile import Profile
from discreet.kinds.catalogue import ALL, Item, Recognizer
from discreet.kinds.column_name import join_phrase, list_phrases, split_name
from discreet.table.row_sample import LONGEST
from discreet.table.table import Role

# What can be said of one column by asking the recognizers about its name and its values.


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
        kind = find_kind(looked_at, self.profile.distinct, self.profile.filled)
        object.__setattr__(self, "kind", kind)

    def measure_fitting(self, recognizer: Recognizer) -> float:
        """The share of values that may stand under a name that the recognizer knows."""
        return measure_share(self.values, recognizer.accepts)

    def proven(self, recognizer: Recognizer) -> float:
        """The share of values that the recognizer knows without help; 0 when that proves little."""
        proof = recognizer.proof
        if proof is None or measure_share(self.values[:FIRST], proof) < recognizer.share / 2:
            return 0.0
        found = measure_share(self.values, proof)
        lucky = recognizer.chance ** (found * len(self.values))
        enough = found >= recognizer.share and (not recognizer.chance or lucky <= LUCK)
        return found if enough and len(self.values) >= recognizer.least else 0.0

    @cached_property
    def named(self) -> list[Recognizer]:
        """The recognizers that know the name of the column, the longest phrase first."""
        known = list_phrases(self.profile.name)
        lengths = [
            (max((known.get(join_phrase(n), 0) for n in r.names), default=0), r) for r in ALL
        ]
        return [r for length, r in sorted(lengths, key=lambda pair: -pair[0]) if length]

    def contradicts(self, recognizer: Recognizer) -> bool:
        """Whether the values cannot be what the name of the column says."""
        if recognizer.role is Role.identifier and self.profile.distinct <= 2:
            return self.profile.filled >= FEW_ROWS
        if recognizer.role is Role.text:
            return self.kind not in (Kind.text, Kind.free_text)
        return self.measure_fitting(recognizer) < AGREES


ID_WORDS = (
    "id",
    "nr",
    "no",
    "num",
    "number",
    "key",
    "code",
    "nummer",
    "numero",
    "ref",
    "reference",
)


@dataclass(frozen=True)
class Suspicion:
    """The role that a column seems to have, and why."""

    role: Role
    reasons: tuple[str, ...]
    recognized: str | None = None
    item: Item | None = None
    doubt: str | None = None


def judge(evidence: Evidence) -> Suspicion:
    """The role that a column seems to have, with the reasons in words."""
    if evidence.kind is Kind.empty:
        return Suspicion(Role.other, ("it holds no value at all",))
    believed = next((r for r in evidence.named if not evidence.contradicts(r)), None)
    for judgement in (_judge_by_proof, _judge_by_name, _judge_by_likeness):
        found = judgement(evidence, believed)
        if found is not None:
            return _add_doubt(evidence, _judge_prose(evidence, found))
    return _add_doubt(evidence, next(_judge_by_counts(evidence)))


def _judge_by_proof(evidence: Evidence, believed: Recognizer | None) -> Suspicion | None:
    """Values that prove themselves, whatever the column is called."""
    for recognizer in ALL:
        if recognizer.weak or (found := evidence.proven(recognizer)) == 0:
            continue
        if believed is not None and believed.family == recognizer.family:
            return _make_suspicion(believed, _name_says(believed), _fit(found))
        doubt = None
        if believed is not None:
            doubt = _name_says(believed)
        return replace(_make_suspicion(recognizer, _look_like(recognizer, found)), doubt=doubt)
    return None


def _judge_by_name(evidence: Evidence, believed: Recognizer | None) -> Suspicion | None:
    """A name that the values do not contradict."""
    if believed is None:
        return None
    found = evidence.proven(believed) or (
        evidence.measure_fitting(believed) if believed.checks_values else 0
    )
    reasons = [_name_says(believed), _fit(found)] if found else [_name_says(believed)]
    return _make_suspicion(believed, *reasons)


def _judge_by_likeness(evidence: Evidence, believed: Recognizer | None) -> Suspicion | None:
    """Values that resemble something, in a column whose name says nothing."""
    scores = [(evidence.proven(r), r) for r in ALL if r.weak]
    found, recognizer = max(scores, key=lambda pair: pair[0])
    if not found:
        return None
    doubt = "only the values say so, not its name"
    return replace(_make_suspicion(recognizer, _look_like(recognizer, found)), doubt=doubt)


def _judge_by_counts(evidence: Evidence) -> Iterator[Suspicion]:
    """How well the column tells rows apart, whatever it means."""
    seen, kind = evidence.profile, evidence.kind
    other = Item.OTHER
    if seen.counts_up:
        reason = "the values count the rows"
        yield Suspicion(Role.identifier, (reason,), "row number", other)
    if kind is Kind.free_text:
        yield Suspicion(Role.text, ("the values are sentences",), "free text")
    if seen.all_differ and _may_be_id(evidence):
        doubt = "the table is too small to be sure" if seen.filled < FEW_ROWS else None
        yield Suspicion(Role.identifier, (_say_all_differ(seen),), "unique code", other, doubt)
    nearly = seen.distinct >= 0.9 * seen.filled and seen.filled >= FEW_ROWS
    if nearly and kind in (Kind.code, Kind.text):
        reason = f"{format_percent(seen.distinct / seen.filled)} of the values differ"
        yield Suspicion(Role.identifier, (reason,), "unique code", other, "some values repeat")
    if (
        _ends_in_id_word(seen.name)
        and seen.exact
        and seen.distinct >= 0.5 * seen.filled >= FEW_ROWS / 2
    ):
        reason = "its name says number or code, and most values differ"
        yield Suspicion(Role.identifier, (reason,), "unique code", other, "many values repeat")
    yield Suspicion(Role.other, ("nothing points at a person",))


def _may_be_id(evidence: Evidence) -> bool:
    """Codes and texts can name a person; amounts that happen to differ cannot."""
    if evidence.kind is Kind.number:
        lengths = {len(value) for value in evidence.values}
        whole = all(value.isdecimal() for value in evidence.values)
        return whole and (
            (len(lengths) == 1 and min(lengths) >= 4) or _ends_in_id_word(evidence.profile.name)
        )
    return evidence.kind in (Kind.code, Kind.text, Kind.category)


def _ends_in_id_word(name: str) -> bool:
    words = split_name(name)
    return bool(words) and words[-1] in ID_WORDS


def _say_all_differ(seen: Profile) -> str:
    if seen.exact:
        return "all values are distinct"
    return f"all values of the {len(seen.values):,} rows checked are distinct"


def _judge_prose(evidence: Evidence, found: Suspicion) -> Suspicion:
    """Sentences may hold names, whatever they are about."""
    if evidence.kind is not Kind.free_text or found.role in (Role.identifier, Role.text):
        return found
    return Suspicion(Role.text, (*found.reasons, "the values are sentences"), "free text")


def _add_doubt(evidence: Evidence, found: Suspicion) -> Suspicion:
    """Say where the name of the column claims what its values deny."""
    denied = [r for r in evidence.named if evidence.contradicts(r)]
    if found.doubt or not denied or found.recognized in [r.kind for r in evidence.named[:1]]:
        return found
    return replace(found, doubt=f"{_name_says(denied[0])}, but the values do not fit")


def _make_suspicion(recognizer: Recognizer, *reasons: str) -> Suspicion:
    return Suspicion(recognizer.role, reasons, recognizer.kind, recognizer.item)


def _name_says(recognizer: Recognizer) -> str:
    return f"its name says '{recognizer.kind}'"


def _fit(found: float) -> str:
    return f"{format_percent(found)} of the values fit"


def _look_like(recognizer: Recognizer, found: float) -> str:
    return f"{format_percent(found)} of the values look like {recognizer.words}"


def format_percent(part: float) -> str:
    """A share as people read it; only a whole is 100 %, and only nothing is 0 %."""
    if 0 < part < 0.01:
        return "less than 1 %"
    return f"{math.floor(100 * part + 1e-9)} %"
