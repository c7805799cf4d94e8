"""Guesses the role of a column from its name and its values.

Conclusive values (check digits, unique forms) outrank the name; next comes a name that agrees with
the values; then values that only resemble something; then the mere fact that a column distinguishes
rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property

from discreet.display import dataclass
from discreet.identification.kind import Kind, find_kind, measure_share
from discreet.identification.person_key import PEOPLE, WITH_NUMBER, find_key_kind
from discreet.identification.profile import Profile
from discreet.kinds.catalogue import ALL, Item, NameMatch, Recognizer, Special, match_name
from discreet.kinds.column_name import split_name, split_words
from discreet.table.row_sample import LONGEST
from discreet.table.table import Role

# What the recognizers say about the name and the values of one column.


LOOKED_AT = 1000
"""Most distinct values of a column that the recognizers check."""
FIRST = 20
"""Values that decide whether the others are worth checking."""
AGREES = 0.5
"""The share of values that must fit what the name of the column says."""
LUCK = 1e-4
"""Largest probability that all check digits are right by chance."""
MOST_DIFFER = 0.5
"""If this share of values is distinct under a name that says number, they number the rows."""
FEW_ROWS = 10
"""In fewer rows all values may differ by chance."""


@dataclass(frozen=True, repr=False)
class Evidence:
    """The evidence on one column: its name, its counts and some of its values."""

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
        """The share of values that are possible under a name known to the recognizer."""
        return measure_share(self.values, recognizer.accepts)

    def proven(self, recognizer: Recognizer) -> float:
        """The share of values that the recognizer knows by themselves; 0 if that proves little."""
        proof = recognizer.proof
        if proof is None or measure_share(self.values[:FIRST], proof) < recognizer.share / 2:
            return 0.0
        found = measure_share(self.values, proof)
        lucky = recognizer.chance ** (found * len(self.values))
        enough = found >= recognizer.share and (not recognizer.chance or lucky <= LUCK)
        return found if enough and len(self.values) >= recognizer.least else 0.0

    @cached_property
    def matches(self) -> list[NameMatch]:
        """The recognizers that know the name of the column, the longest phrase first."""
        return match_name(self.profile.name)

    @property
    def named(self) -> list[Recognizer]:
        """The same, including those that need a table about people."""
        return [found.recognizer for found in self.matches]

    def contradicts(self, recognizer: Recognizer) -> bool:
        """Whether the values cannot be what the name of the column says."""
        if recognizer.role is Role.identifier and self.profile.distinct <= 2:
            return self.profile.filled >= FEW_ROWS
        if recognizer.role is Role.text:
            return self.kind not in (Kind.text, Kind.free_text)
        if recognizer.role is Role.sensitive and self._is_date_or_key(recognizer):
            return True
        return self.measure_fitting(recognizer) < AGREES

    def _is_date_or_key(self, recognizer: Recognizer) -> bool:
        """Days are known to others whatever they are about; distinct numbers identify rows."""
        seen = self.profile
        if self.kind is Kind.date:
            return True
        if seen.filled < 2 * FEW_ROWS or self.proven(recognizer):
            return False
        if _says_number(seen.name) and seen.distinct >= MOST_DIFFER * seen.filled:
            return True
        return seen.all_differ and self.kind is Kind.code


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
    special: Special | None = None


def judge_columns(evidences: Sequence[Evidence]) -> list[Suspicion]:
    """The role of every column; a vague name counts only in a table about people.

    A result, a cost or a condition is sensitive next to an age or a patient, but not in a table of
    products or sensor readings.
    """
    found = [judge(one, about_people=False) for one in evidences]
    if is_about_people(evidences, found):
        return [
            judge(one) if _needs_people(one) else first
            for one, first in zip(evidences, found, strict=True)
        ]
    return list(map(_doubt_vague_name, evidences, found))


PERSONAL = frozenset(
    ("age", "sex", "race", "marital status", "birth date", "birth year", "given name", "surname",
     "medical record", "patient number", "health plan")
)  # fmt: skip
"""Kinds of columns that only tables about people have."""
PERSONAL_FAMILIES = ("national", "secrets")
PEOPLE_WORDS = split_words(
    "patient patienten proband probanden respondent participant teilnehmer employee mitarbeiter "
    "student pupil schuler inmate prisoner defendant donor worker citizen applicant voter enrollee "
    "mother father child"
)
"""Words in a column name that show that the table is about people."""
FAMILIES = {one.kind: one.family for one in ALL}


def is_about_people(evidences: Sequence[Evidence], found: Sequence[Suspicion]) -> bool:
    """Whether a table has a column that only tables about people have."""
    return any(map(_is_personal, evidences, found))


def _is_personal(evidence: Evidence, found: Suspicion) -> bool:
    words = split_name(evidence.profile.name)
    if found.recognized in PERSONAL or not PEOPLE_WORDS.isdisjoint(words):
        return True
    if FAMILIES.get(found.recognized or "") in PERSONAL_FAMILIES:
        return True
    key = find_key_kind(evidence.profile.name)
    named = key.kind == "person" or not (PEOPLE | WITH_NUMBER).isdisjoint(words)
    return key.rank is not None and key.unit == "people" and named


def _needs_people(evidence: Evidence) -> bool:
    """Whether the column is judged differently in a table about people."""
    vague = any(found.vague for found in evidence.matches)
    return vague or any(r.vague_proof and evidence.proven(r) for r in ALL)


def _doubt_vague_name(evidence: Evidence, found: Suspicion) -> Suspicion:
    believed = _find_believed(evidence, about_people=True)
    if found.doubt or believed is None or believed is _find_believed(evidence, about_people=False):
        return found
    return replace(found, doubt=f"{_name_says(believed)}, but nothing else here is about people")


def _find_believed(evidence: Evidence, about_people: bool) -> Recognizer | None:
    """The recognizer of the longest phrase in the name that the values do not contradict."""
    named = (one.recognizer for one in evidence.matches if about_people or not one.vague)
    return next((one for one in named if not evidence.contradicts(one)), None)


def judge(evidence: Evidence, about_people: bool = True) -> Suspicion:
    """The role that a column seems to have, with the reasons in words."""
    if evidence.kind is Kind.empty:
        return Suspicion(Role.other, ("it holds no value at all",))
    believed = _find_believed(evidence, about_people)
    found = (
        _judge_by_proof(evidence, believed)
        or _judge_by_name(evidence, believed)
        or _judge_by_likeness(evidence, about_people)
    )
    if found is not None:
        return _add_doubt(evidence, _judge_prose(evidence, found))
    return _add_doubt(evidence, next(_judge_by_counts(evidence)))


def _judge_by_proof(evidence: Evidence, believed: Recognizer | None) -> Suspicion | None:
    """Judge by conclusive values, whatever the name."""
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
    """Judge by a name that the values do not contradict."""
    if believed is None:
        return None
    found = evidence.proven(believed) or (
        evidence.measure_fitting(believed) if believed.checks_values else 0
    )
    reasons = [_name_says(believed), _fit(found)] if found else [_name_says(believed)]
    return _make_suspicion(believed, *reasons)


def _judge_by_likeness(evidence: Evidence, about_people: bool) -> Suspicion | None:
    """Judge by values that resemble something, if the name says nothing."""
    weak = (r for r in ALL if r.weak and (about_people or not r.vague_proof))
    scores = [(evidence.proven(r), r) for r in weak]
    found, recognizer = max(scores, key=lambda pair: pair[0])
    if not found:
        return None
    doubt = "only the values say so, not its name"
    return replace(_make_suspicion(recognizer, _look_like(recognizer, found)), doubt=doubt)


def _judge_by_counts(evidence: Evidence) -> Iterator[Suspicion]:
    """Judge by how well the column distinguishes rows, whatever it means."""
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
    """Whether values can name a person: codes and texts can, amounts cannot."""
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


def _says_number(name: str) -> bool:
    """Whether a name says that the values number something; a code may be that of an illness."""
    words = split_name(name)
    return _ends_in_id_word(name) and words[-1] != "code"


def _say_all_differ(seen: Profile) -> str:
    if seen.exact:
        return "all values are distinct"
    return f"all values of the {len(seen.values):,} rows checked are distinct"


def _judge_prose(evidence: Evidence, found: Suspicion) -> Suspicion:
    """Treat sentences as text, since they may hold names whatever they are about."""
    if evidence.kind is not Kind.free_text or found.role in (Role.identifier, Role.text):
        return found
    return Suspicion(Role.text, (*found.reasons, "the values are sentences"), "free text")


def _add_doubt(evidence: Evidence, found: Suspicion) -> Suspicion:
    """Note a doubt if the name of the column contradicts its values."""
    denied = [r for r in evidence.named if evidence.contradicts(r)]
    if found.doubt or not denied or found.recognized in [r.kind for r in evidence.named[:1]]:
        return found
    return replace(found, doubt=f"{_name_says(denied[0])}, but the values do not fit")


def _make_suspicion(recognizer: Recognizer, *reasons: str) -> Suspicion:
    return Suspicion(
        recognizer.role, reasons, recognizer.kind, recognizer.item, special=recognizer.special
    )


def _name_says(recognizer: Recognizer) -> str:
    return f"its name says '{recognizer.kind}'"


def _fit(found: float) -> str:
    return f"{format_percent(found)} of the values fit"


def _look_like(recognizer: Recognizer, found: float) -> str:
    return f"{format_percent(found)} of the values look like {recognizer.words}"


def format_percent(part: float) -> str:
    """A share in words; only all is 100 %, and only none is 0 %."""
    if 0 < part < 0.01:
        return "less than 1 %"
    return f"{math.floor(100 * part + 1e-9)} %"
