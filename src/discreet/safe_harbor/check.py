"""Says of each column which rule of safe harbor it falls under, and whether it meets it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ReleaseError, UnknownColumnError
from discreet.identification.judge import Evidence, Suspicion, judge
from discreet.identification.kind import Kind
from discreet.identification.profile import profile
from discreet.kinds.catalogue import ALL, Item, Recognizer
from discreet.kinds.column_name import join_phrase, list_phrases
from discreet.kinds.places import FACILITY_NAMES
from discreet.kinds.tally import Reader, read_counted
from discreet.kinds.written_years import tally_dates
from discreet.kinds.zip_codes import tally_zips
from discreet.safe_harbor.checked import Checked, ColumnStanding, Question, Standing
from discreet.safe_harbor.tallies import tally_ages, tally_places, tally_strays
from discreet.table.read import read
from discreet.table.table import CountsRows, Role, Source, Table

# Everything known about a column when it is judged.


YEARS = ("birth date", "birth year", "date")
READ = ("postal code", "age", *YEARS)
"""Kinds of columns of which each value is read."""
NUMBER = re.compile(r"\d\d")
DROP = "Give it role: identifier"


@dataclass(frozen=True, repr=False)
class Seen:
    """Everything known about a column: name, sampled values, suspicion, and counted rows."""

    evidence: Evidence
    suspicion: Suspicion
    recognizer: Recognizer | None
    tally: Counter[str]
    strays: Counter[str]

    @property
    def filled(self) -> int:
        """Rows that have a value."""
        return self.evidence.profile.filled

    def make_standing(
        self, standing: Standing, item: Item | None, why: str, fix: str = ""
    ) -> ColumnStanding:
        """The finding about this column."""
        letter = None if item is None else item.value[1]
        counts = {"rows": self.evidence.profile.rows, "filled": self.filled, **self.tally}
        kind = "" if self.recognizer is None else self.recognizer.kind
        return ColumnStanding(self.evidence.profile.name, letter, standing, why, fix, kind, counts)


def find_recognizer(evidence: Evidence, suspicion: Suspicion) -> Recognizer | None:
    """The assumed kind of the column: the recognized one, else what its name alone says.

    A column that is called a ZIP code, an age or a date is read as one, whatever most values are.
    """
    known = list_phrases(evidence.profile.name)
    for recognizer in ALL:
        if any(join_phrase(name) in known for name in recognizer.safe_harbor_names):
            return recognizer
    found = next((one for one in ALL if one.kind == suspicion.recognized), None)
    if not evidence.named:
        return found
    named = evidence.named[0]
    reads = named.kind in READ and suspicion.role is not Role.identifier
    if evidence.profile.distinct <= 2:  # a column such as zip_known, unless it tells numbers
        return named if reads and any(map(NUMBER.search, evidence.values)) else found
    return named if found is None or reads else found


def is_certain_identifier(found: Suspicion) -> bool:
    """Whether a column is one of the identifiers that must go, with nothing against it."""
    return found.role is Role.identifier and found.item is not None and found.doubt is None


def format_row_count(count: int) -> str:
    """A number of rows, in words."""
    return f"{count:,} row{'' if count == 1 else 's'}"


# Columns that are judged by what they are recognized as: identifiers, places, texts.


CODE = (
    "Leave it out; or, if the codes were assigned at random and not derived from the person, name "
    "it under codes of safe_harbor"
)


def judge_other_column(seen: Seen) -> ColumnStanding:
    """Columns that are no ZIP codes, ages or dates."""
    found, recognizer = seen.suspicion, seen.recognizer
    item = found.item or (recognizer.item if recognizer else None)
    if _is_part_of_ssn(seen):
        why = "its name says social security numbers, of which a part counts too"
        return seen.make_standing(Standing.breaks, Item.SSN, why, DROP)
    if is_certain_identifier(found):
        return _judge_identifier(seen, found)
    if set(FACILITY_NAMES) & set(list_phrases(seen.evidence.profile.name)):
        return _judge_facility(seen)
    if recognizer is not None and recognizer.kind in ("city", "state"):
        return _judge_place(seen, recognizer)
    if found.role is Role.text or seen.evidence.kind is Kind.free_text:
        why = "free text may hold any of the eighteen identifiers"
        return seen.make_standing(
            Standing.look, Item.OTHER, why, "Leave it out, or scrub it and read it"
        )
    if item is None:
        return judge_strays(seen)
    if found.item is None:
        why = f"its name says {item.value[4:]}, and its values do not"
        return seen.make_standing(Standing.look, item, why, DROP)
    return _judge_identifier(seen, found)


def _is_part_of_ssn(seen: Seen) -> bool:
    """Whether a column so named holds digits, such as the last four."""
    named = seen.evidence.named
    says = bool(named) and named[0].item is Item.SSN and seen.evidence.profile.distinct > 2
    return says and seen.evidence.kind in (Kind.number, Kind.code)


def _judge_identifier(seen: Seen, found: Suspicion) -> ColumnStanding:
    """A column that must be removed, or in doubt reviewed by a person."""
    item, why = found.item, "; ".join(found.reasons)
    fix = CODE if item is Item.OTHER else DROP
    if found.doubt and not _is_proven(seen):
        return seen.make_standing(Standing.look, item, f"{why}; in doubt: {found.doubt}", fix)
    return seen.make_standing(Standing.breaks, item, why, fix)


def _judge_facility(seen: Seen) -> ColumnStanding:
    if seen.evidence.profile.distinct <= 2:
        return judge_strays(seen)
    why = "it may name a place smaller than a state, or an employer, or only their kind"
    return seen.make_standing(
        Standing.look, Item.PLACES, why, f"{DROP}, unless it names kinds only"
    )


def _judge_place(seen: Seen, recognizer: Recognizer) -> ColumnStanding:
    met = seen.tally
    if not met["other"]:
        return seen.make_standing(Standing.meets, Item.PLACES, "states, countries or larger places")
    why = f"{format_row_count(met['other'])} name something else than a state or a country"
    if recognizer.kind == "state":
        return seen.make_standing(Standing.look, Item.PLACES, why, DROP)
    return seen.make_standing(
        Standing.breaks, Item.PLACES, f"its name says city or county; {why}", DROP
    )


def judge_strays(seen: Seen) -> ColumnStanding:
    """A column that is none of the eighteen, but for values that are."""
    letters = {item.value[1]: item for item in Item}
    worst = max(seen.strays, key=lambda letter: seen.strays[letter], default="")
    if worst and seen.strays[worst]:
        item = letters[worst]
        why = f"{format_row_count(seen.strays[worst])} look like {item.value[4:]}"
        return seen.make_standing(Standing.breaks, item, why, DROP)
    why = "none of the eighteen, as far as its name and values show"
    return seen.make_standing(Standing.meets, None, why)


def _is_proven(seen: Seen) -> bool:
    one = seen.recognizer
    return one is not None and not one.weak and seen.evidence.proven(one) > 0


# Columns of which each value is read: ZIP codes, ages and dates.


ZIP3 = "Give it technique: zip3"
AGE = "Give it technique: {top_code: {at: 90}}"


def judge_zip_column(seen: Seen) -> ColumnStanding:
    """Rule (B): three digits of areas with enough people, or 000."""
    met, place = seen.tally, Item.PLACES
    long = met["five"] + met["plus four"] + met["zeros lost"]
    parts = [
        _describe_part(met["five"] + met["plus four"], "more than three digits of a ZIP code"),
        _describe_part(
            met["zeros lost"], "a ZIP code whose leading zeros a spreadsheet has dropped"
        ),
        _describe_part(
            met["small"], "three digits where 20,000 or fewer people live, instead of 000"
        ),
        _describe_part(met["other"], "no ZIP code of the United States, so no exception applies"),
    ]
    if long or met["small"] or met["other"]:
        return seen.make_standing(Standing.breaks, place, _join_parts(parts), ZIP3)
    return seen.make_standing(
        Standing.meets, place, "three digits of areas with more people, or 000"
    )


def judge_age_column(seen: Seen, capped: bool) -> ColumnStanding:
    """Rule (C): no age over 89; ``capped`` if 90 stands for 90 or older."""
    met, dates = seen.tally, Item.DATES
    over = met["over"] + (met["beyond"] if capped else met["reaching"])
    if over:
        why = f"{format_row_count(over)} show an age over 89 other than as 90 or older"
        return seen.make_standing(Standing.breaks, dates, why, AGE)
    if met["ninety"] and not capped:
        why = f"{format_row_count(met['ninety'])} say 90, and none more: does 90 mean 90 or older?"
        return seen.make_standing(Standing.look, dates, why, f"{AGE}, or write 90+")
    if met["other"]:
        why = f"{format_row_count(met['other'])} could not be read as ages"
        return seen.make_standing(Standing.look, dates, why, "Write ages in years, as numbers")
    return seen.make_standing(
        Standing.meets, dates, "no age over 89, or all of them as 90 or older"
    )


def judge_date_column(seen: Seen, question: Question) -> ColumnStanding:
    """Rule (C): years only, and none that shows an age over 89."""
    met, dates = seen.tally, Item.DATES
    fix = f"Give it technique: {{year: {{as_of: '{question.cutoff.day}'}}}}"
    parts = [
        _describe_part(met["day"] + met["two-digit year"], "a day"),
        _describe_part(met["month"], "a month, a quarter, a week or a weekday"),
        _describe_part(met["old"], f"{question.cutoff.year} or an earlier year, so an age over 89"),
    ]
    if any(parts):
        return seen.make_standing(Standing.breaks, dates, _join_parts(parts), fix)
    kind = "" if seen.recognizer is None else seen.recognizer.kind
    if met["two digits"] and kind in ("birth date", "birth year"):
        why = f"{format_row_count(met['two digits'])} show two digits, which may be those of a year"
        return seen.make_standing(Standing.look, dates, why, "Write years with four digits")
    if met["reaching"]:
        why = (
            f"{format_row_count(met['reaching'])} show a span of years that may reveal "
            "an age over 89"
        )
        return seen.make_standing(Standing.look, dates, why, fix)
    if met["other"]:
        why = f"{format_row_count(met['other'])} could not be read as dates or years"
        return seen.make_standing(Standing.look, dates, why, f"{fix}, or leave it out")
    return seen.make_standing(
        Standing.meets, dates, "years only, and none that shows an age over 89"
    )


def _describe_part(count: int, what: str) -> str:
    return f"{format_row_count(count)} {'shows' if count == 1 else 'show'} {what}" if count else ""


def _join_parts(parts: list[str]) -> str:
    return "; ".join(part for part in parts if part)


# From what was counted in a column to how it stands with its rule.


PSEUDONYM = (
    "a keyed pseudonym is derived from the value that it stands for, and 164.514(c)(1) permits "
    "only codes that are not derived from or related to information about the person"
)
EXPERT = (
    "Leave it out; codes derived from identifiers need an expert's determination, 164.514(b)(1)"
)


def judge_column(seen: Seen, question: Question) -> ColumnStanding:
    """How a column stands with its rule: values decide, and a few that break it are enough."""
    found = _judge_by_kind(seen, question)
    if found.standing is Standing.breaks or not seen.strays.total():
        return found
    return judge_strays(seen)


def _judge_by_kind(seen: Seen, question: Question) -> ColumnStanding:
    name, kind = seen.evidence.profile.name, seen.recognizer.kind if seen.recognizer else ""
    if name in question.replaced:
        return seen.make_standing(Standing.breaks, Item.OTHER, PSEUDONYM, EXPERT)
    if seen.evidence.kind is Kind.empty:
        return seen.make_standing(Standing.meets, None, "it holds no value")
    if name in question.codes:
        why = "a code that is not derived from the person, by your word (164.514(c))"
        return seen.make_standing(Standing.meets, Item.OTHER, why)
    if kind == "postal code":
        return judge_zip_column(seen)
    if kind == "age":
        return judge_age_column(seen, name in question.capped)
    if kind in YEARS or seen.evidence.kind is Kind.date:
        return judge_date_column(seen, question)
    return judge_other_column(seen)


def check_safe_harbor(table: Any, question: Question | None = None) -> Checked:
    """Check the columns of a table against the eighteen identifiers of HIPAA's safe harbor.

    Takes a Table, or whatever `discreet.read` does. Without a question the day is today, the ZIP
    table that of the package, and every column is released.

    >>> frame = pa.table({"zip": ["02138", "02139"] * 10, "sex": ["F", "M"] * 10})
    >>> [(one.rule, one.standing.value) for one in check_safe_harbor(frame).columns]
    [('B', 'breaks'), (None, 'meets')]

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i). *Departures*: what a column is can only be guessed from
    its name and values; where that does not tell, a person must look. *Cost*: two passes over the
    columns that are released, in memory that does not grow with the rows.
    """
    table = table if isinstance(table, Table) else read(table)
    question = question or Question.on()
    for name in question.codes:
        if name not in table.columns:
            raise UnknownColumnError(table.name, name, table.columns)
    looked_at = [one for one in table.columns if _is_checked(one, question)]
    seen = {one.evidence.profile.name: one for one in _read_columns(table, looked_at, question)}
    columns = tuple(
        judge_column(seen[name], question) if name in seen else _judge_unseen(name, question)
        for name in table.columns
    )
    rows = max((one.evidence.profile.rows for one in seen.values()), default=0)
    return Checked(table.name, rows, question, columns, tuple(table.notices))


def _is_checked(column: str, question: Question) -> bool:
    """Whether a column is checked: it is released and is not scrubbed text."""
    released = question.released is None or column in question.released
    return released and column not in question.scrubbed


def _judge_unseen(column: str, question: Question) -> ColumnStanding:
    if column in question.dated:
        why = "its text is scrubbed so that dates keep more than the year"
        fix = "Write scrub: {dates: year}"
        return ColumnStanding(column, Item.DATES.value[1], Standing.breaks, why, fix)
    if column in question.scrubbed:
        why = "text that is scrubbed; no program finds all, so read some of it"
        return ColumnStanding(column, Item.OTHER.value[1], Standing.look, why)
    return ColumnStanding(column, None, Standing.meets, "it is not released")


def _read_columns(table: Table, columns: list[str], question: Question) -> list[Seen]:
    if not columns:
        return []
    part = _read_batch(table, columns)
    evidences = [Evidence(one) for one in profile(part)]
    suspicions = [judge(one) for one in evidences]
    kinds = [find_recognizer(*pair) for pair in zip(evidences, suspicions, strict=True)]
    readers = [_choose_reader(*pair, question) for pair in zip(evidences, kinds, strict=True)]
    tallies: list[Counter[str]] = [Counter() for _ in columns]
    strays: list[Counter[str]] = [Counter() for _ in columns]
    for place, values, rows in _read_values(part):
        reader = readers[place]
        if reader is not None:
            tallies[place] += read_counted(values, rows, reader)
        if not is_certain_identifier(suspicions[place]):
            strays[place] += read_counted(values, rows, tally_strays)
    return [Seen(*one) for one in zip(evidences, suspicions, kinds, tallies, strays, strict=True)]


def _read_values(table: Table) -> Iterator[tuple[int, pa.Array, pa.Array]]:
    """The values of each column with their rows, counted by the engine or read."""
    for place, name in enumerate(table.columns):
        counted = table.count_rows([name])
        if counted is None:
            break
        for batch in counted:
            yield place, batch.column(0), batch.column(1).cast(pa.int64())
    else:
        return
    for batch in table.scan(text=table.columns):
        for place, column in enumerate(batch.columns):
            found = column.drop_null().value_counts()
            yield place, found.field("values"), found.field("counts")


def _choose_reader(
    evidence: Evidence, kind: Recognizer | None, question: Question
) -> Reader | None:
    """The counter for the values of a column of this kind."""
    name = "" if kind is None else kind.kind
    if name == "postal code":
        return partial(tally_zips, table=question.zip_table)
    if name == "age":
        return tally_ages
    if name in YEARS or evidence.kind is Kind.date:
        return partial(tally_dates, cutoff=question.cutoff)
    return tally_places if name in ("city", "state") else None


@dataclass(frozen=True)
class _Columns:
    """Some columns of a source."""

    source: Source
    places: tuple[int, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        texts, natives = ([self.places[one] for one in part] for part in (text, native))
        return self.source.scan(texts, natives, rows_per_batch)

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """The rows counted by the engine; None if that is not possible."""
        own = [self.places[one] for one in places]
        return self.source.count_rows(own) if isinstance(self.source, CountsRows) else None


def _read_batch(table: Table, columns: list[str]) -> Table:
    place = {column: number for number, column in enumerate(table.columns)}
    places = tuple(place[column] for column in columns)
    return Table(table.name, tuple(columns), _Columns(table.source, places))


def make_rules_error(table: str, broken: Sequence[tuple[str, str, str, str]]) -> ReleaseError:
    """Columns that a policy releases break rules: each column with the rule, why and a fix."""
    lines = "".join(
        f"\n  {column}, rule ({letter}): {why}. {fix}" for column, letter, why, fix in broken
    )
    return ReleaseError(
        f"{table}: safe harbor (45 CFR 164.514(b)(2)) is not kept by what the policy "
        f"releases:{lines}"
    )
