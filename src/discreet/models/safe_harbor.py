"""Safe harbor of HIPAA: none of eighteen identifiers is released."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.input_file import ZIP_TABLE, read_input
from discreet.kinds.written_years import write_iso_day
from discreet.kinds.zip_area import ZipTable
from discreet.models.parameters import require_file
from discreet.models.verdict import Unchecked, Verdict

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence, Session
    from discreet.table.table import Table


@dataclass(frozen=True)
class SafeHarbor:
    """The released columns meet the rules about the eighteen identifiers of HIPAA.

    It asks nothing of classes, so no row is generalized or suppressed for it: the columns must meet
    the rules before rows are counted, or the release is refused by name.

    Parameters
    ----------
    as_of
        The day on which ages over 89 are checked, such as 2026-11-16.
    zip_table
        People by three-digit ZIP prefix; the table of the package if not given.
    codes
        Columns that are codes assigned at random, not derived from the person (164.514(c)).

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2). *Departures*: what columns hold is judged by their names and
    values; that the data holder has no actual knowledge that the rest could identify somebody
    (ii) cannot be checked. *Cost*: none for classes; two passes over the rows when they are
    prepared, one when the release is verified.

    >>> SafeHarbor(as_of="2026-11-16").fails(Classes(np.array([1, 5]))).tolist()
    [False, False]
    """

    as_of: str
    zip_table: Path | None = None
    codes: tuple[str, ...] = ()

    name: ClassVar[str] = "safe_harbor"
    hereditary: ClassVar[bool] = True
    columns: ClassVar[None] = None
    sensitive: ClassVar[None] = None
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "as_of", write_iso_day(self.as_of, self.name))
        if self.zip_table is not None:
            require_file(self.name, "zip_table", self.zip_table)
            object.__setattr__(self, "zip_table", Path(self.zip_table))
        ZipTable.load(self.zip_table)
        named = isinstance(self.codes, tuple) and all(isinstance(one, str) for one in self.codes)
        if not named:
            raise ParameterError(self.name, "codes", "a list of column names")

    def fails(self, classes: Classes) -> Mask:
        """No class fails: the rules are about columns."""
        return np.zeros(len(classes), dtype=np.bool_)

    def count_keepable(self, classes: Classes) -> Floats:
        """Every row may be released."""
        return classes.rows.astype(np.float64)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return 0

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            "as far as column names and values show, no column contains one of the eighteen "
            f"identifiers of HIPAA, as of {self.as_of}"
        )

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_safe_harbor(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """It holds: a table whose columns break a rule is refused before it is counted."""
        note = f"no rule is broken, as of {self.as_of}; it promises no k"
        return Verdict(self.name, True, 0, 0, 0, columns, note)


# Second opinion on safe harbor: no released value has the form of an identifier.
#
# Forms, words and the reading of the ZIP table are written again here, not taken from the catalogue
# of kinds: this check verifies what that catalogue let through, so a mistake in the catalogue must
# not be repeated by it. Only the file of ZIP areas, a fact and no rule, is the same.


OWN = Path(__file__).parents[1] / "kinds" / "data" / "zip3_2020.csv"
LARGE = 20_000
ANYWHERE = (
    r"[^@\s]+@[^@\s]+\.[^@\s]+",
    r"\d{3}-\d\d-\d{4}",
    r"(\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}",
    r"https?://\S+\.\S+",
    r"(1?\d?\d|2[0-4]\d|25[0-5])(\.(1?\d?\d|2[0-4]\d|25[0-5])){3}",
    r"(18|19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([ T]\d\d:\d\d.*)?",
    r"(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])/(18|19|20)\d\d",
    r"\d{5}-\d{4}",
)
"""E-mail, social security and telephone numbers, web and network addresses, days, ZIP+4."""
ZIPS = re.compile(
    r"(.* )?(zip|zip ?codes?|zip ?[359]|postal ?codes?|post ?codes?|plz|postleitzahl|code postal"
    r"|codigo postal)"
)
AGES = re.compile(r"(.* )?(age|ages|alter|leeftijd|edad)( at .*| years| in years| group)?")
DATES = re.compile(
    r"(.* )?(birth|dob|yob|birth ?(date|day|year)|(date|year) of birth|born|geburts(datum|jahr)"
    r"|geboorte(datum|jaar)|naissance|nacimiento|(admission|discharge) date)"
)
"""Names of columns, which may begin with other words."""
SHOWN_BY = {"zip3": "zip", "year": "date"}
"""The kind of a column to which the policy applies one of these techniques, whatever its name."""

MORE_THAN_ZIP3 = (
    r".*\d{4}.*",
    r"\d{2}",
    r"[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}|[a-z]\d[a-z]\d[a-z]\d",
)
"""With spaces and a last .0 taken away: more than three digits, lost zeros, letters of abroad."""
AN_AGE = (
    r"[\[(]?(>=?|≥|over|above)? ?\d{1,3}(\.\d+)?(( ?[-–,;] ?| to <?)\d{1,3}(\.\d+)?)?[\])]?"
    r"( ?\+| ?(y|yrs?|years?)( old)?| ?(or|and) (older|over))?"
)
_YEAR, _MON = r"(18|19|20)\d\d", "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
MORE_THAN_A_YEAR = (
    rf"{_YEAR}[-/.](0?[1-9]|1[0-2])",
    rf"(0?[1-9]|1[0-2])[-/.]{_YEAR}",
    rf"{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}([T ].*)?",
    rf"\d{{1,2}}[-/. ]\d{{1,2}}[-/. ](\d\d|{_YEAR})([T ].*)?",
    rf"{_YEAR}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])",
    rf"(\d{{1,2}}[-. ]*)?{_MON}[-., ]*(\d{{1,2}}[, ]+)?{_YEAR}",
    rf"{_YEAR}[ -]?(Q[1-4]|H[12]|W\d\d)",
)
"""Days and months as they are written in a column of dates."""


def check_safe_harbor(model: SafeHarbor, evidence: Evidence) -> Verdict:
    """Count released values that look like an identifier, in one pass over the file.

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i). *Departures*: forms of values decide, and the names of
    columns where a form alone does not tell; a name or a code cannot be seen so, which the check
    before the release looks for. Scrubbed text is left out. *Cost*: one pass, hardly any memory.
    """
    if evidence.file is None:
        raise Unchecked("the released file is not at hand")
    columns = [name for name in evidence.file.columns if name not in evidence.texts]
    done = evidence.techniques
    tests = [
        _write_broken_test(model, name, place, _find_kinds(name, done.get(name, ())))
        for place, name in enumerate(columns)
    ]
    parts = [f"count(*) FILTER ({test})" for test in tests]
    fields = ", ".join(f"c{place}" for place in range(len(columns)))
    counts: tuple[int, ...] = ()
    if columns:
        counts = _count_from_values(evidence.file, evidence.session, columns, tests)
    if columns and not counts:
        reader = evidence.file.scan(text=columns)
        evidence.session.connection.register("released", _rename_columns(reader, len(columns)))
        counts = evidence.session.row(
            f"SELECT {', '.join(parts)} FROM (SELECT {fields} FROM released)"
        )
        evidence.session.connection.unregister("released")
    found = {name: int(count) for name, count in zip(columns, counts, strict=True) if count}
    told = ", ".join(f"{name} ({count:,} rows)" for name, count in found.items())
    note = f"values look like identifiers in {told}" if found else _note(model)
    at_risk = max(found.values(), default=0)
    return Verdict(model.name, not found, len(found), 0, at_risk, tuple(found), note)


def _count_from_values(
    table: Table, session: Session, columns: Sequence[str], tests: Sequence[str]
) -> tuple[int, ...]:
    """The rows of each column that fail its test, if the table counts its values itself."""
    found = []
    for place, (name, test) in enumerate(zip(columns, tests, strict=True)):
        values = table.count_rows([name])
        if values is None:
            return ()
        counted = values.read_all().rename_columns([f"c{place}", "n"])
        session.connection.register("released", counted)
        found.append(
            int(session.row(f"SELECT coalesce(sum(n) FILTER ({test}), 0) FROM released")[0])
        )
        session.connection.unregister("released")
    return tuple(found)


def _note(model: SafeHarbor) -> str:
    return f"no value has the form of an identifier, as of {model.as_of}; it promises no k"


def _rename_columns(reader: pa.RecordBatchReader, width: int) -> pa.RecordBatchReader:
    """Columns by position, since a name may need quotes."""
    names = [f"c{place}" for place in range(width)]
    schema = pa.schema([pa.field(name, pa.string()) for name in names])

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in reader:
            texts = [column.cast(pa.string()) for column in batch.columns]
            yield pa.RecordBatch.from_arrays(texts, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _write_broken_test(model: SafeHarbor, name: str, place: int, kinds: Collection[str]) -> str:
    """SQL that says of a value of one column whether it breaks a rule."""
    value = f"trim(c{place})"
    tests = [_has(value, form) for form in ANYWHERE]
    if "zip" in kinds:
        tests.extend(_write_zip_tests(value, model))
    if "age" in kinds:
        whole = rf"regexp_replace({value}, '\.\d+', '', 'g')"
        most = rf"list_max(regexp_extract_all({whole}, '\d{{1,3}}')::INTEGER[])"
        tests.append(f"({_has(value, AN_AGE)} AND {most} > 90)")
        tests.append(_has(value, r"90\.0*[1-9]\d*"))
    if "date" in kinds:
        oldest = datetime.date.fromisoformat(model.as_of).year - 90
        last = rf"regexp_extract({value}, '^(?:\d{{4}}-)?((?:1[5-9]|20)\d\d)(?:\.0)?$', 1)"
        tests.append(f"coalesce(try_cast({last} AS INTEGER) <= {oldest}, false)")
        tests.extend(_has(value, form) for form in MORE_THAN_A_YEAR)
    return "WHERE " + " OR ".join(tests)


def _has(value: str, form: str) -> str:
    return f"regexp_full_match({value}, '{form}', 'i')"


def _write_zip_tests(value: str, model: SafeHarbor) -> list[str]:
    digits = rf"replace(regexp_replace({value}, '\.0$', ''), ' ', '')"
    kept = ", ".join(f"'{prefix}'" for prefix in _read_large_prefixes(model.zip_table or OWN))
    three = _has(digits, r"\d{3}(\*\*|xx|##|--)?")
    return [
        *(_has(digits, form) for form in MORE_THAN_ZIP3),
        f"({three} AND substr({digits}, 1, 3) NOT IN ('000', {kept}))",
    ]


def _find_kinds(name: str, techniques: Collection[str]) -> set[str]:
    """What a column holds, by the words of its name and by what the policy does with it."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    said = re.sub(r"[^a-z0-9]+", " ", apart.casefold()).strip()
    named = {"zip": ZIPS, "age": AGES, "date": DATES}
    found = {kind for kind, words in named.items() if words.fullmatch(said)}
    return found | {SHOWN_BY[one] for one in techniques if one in SHOWN_BY}


def _read_large_prefixes(path: Path) -> list[str]:
    """The prefixes with more than 20,000 people, read from the file again."""
    lines = read_input(path, ZIP_TABLE).decode("utf-8-sig").splitlines()
    pairs = [line.split(",") for line in lines if re.match(r"\s*\d{3}\s*,", line)]
    return [prefix.strip() for prefix, people in pairs if int(people) > LARGE]
