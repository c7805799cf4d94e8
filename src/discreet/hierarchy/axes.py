"""Chooses the axis that reads the texts of a column, from its policy or from its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.hierarchy import Cuts, Dates, File, Flat, Hierarchy, Intervals, Prefix, Tree, propose
from discreet.hierarchy.date_formats import (
    FORMATS,
    MONTHS,
    WEEKDAYS,
    decide_formats,
    read_format,
)
from discreet.hierarchy.dates import read_dates
from discreet.hierarchy.flat import WithSuppression
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.numbers import NumberReader, read_number
from discreet.hierarchy.places import (
    HIGH,
    LOW,
    Axis,
    Cut,
    Place,
    cut_before,
    cut_behind,
    join_positions,
    place_at,
)
from discreet.hierarchy.ranges import OTHER, Span, read_span
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError
from discreet.hierarchy.tree import list_leaves

# Columns of codes: a code is a point, a code with masked last characters is a stretch.


LAST = chr(0x10FFFF)


def is_masked(text: str, mask: str = "*") -> bool:
    """Whether a text is a code with its last characters masked: 0213*, but not ``*``."""
    return text.endswith(mask) and text.rstrip(mask) != "" and mask not in text.rstrip(mask)


@dataclass(frozen=True)
class CodeAxis:
    """Reads texts as they are, and masked ones as all texts of that length with that beginning.

    A ``builder`` that gives the length of a code puts codes with a suffix under the same
    beginnings, and may have a rest.
    """

    mask: str = "*"
    builder: Prefix | None = None

    def place(self, text: str) -> Place | None:
        """The place of a text or a masked text."""
        if not is_masked(text, self.mask):
            if self.builder is None or self.builder.code is None:
                return place_at((len(text), text))
            if self.builder.has_code(text):
                return place_at((self.builder.code, text))
            if self.builder.others == "group":
                return place_rest(text)
            return place_at((len(text), text))
        kept = text.rstrip(self.mask)
        return Place(((cut_before((len(text), kept)), cut_behind((len(text), kept + LAST))),))


# The rest of a column, after the line: values in no group, which are released as one.


REST, END = (2,), (3,)
Stretches = tuple[tuple[Cut, Cut], ...]


def place_rest(text: str, ranges: Stretches = ()) -> Place:
    """The place of a value that cannot be read; the label of the rest covers all of them.

    ``ranges`` are stretches of the line that also belong to the rest.
    """
    if text == OTHER:
        return Place((*ranges, (REST, END)))
    return Place((((2, text, 0), (2, text, 1)),))


def join_stretches(stretches: Iterable[tuple[Cut, Cut]]) -> Stretches:
    """The same stretches in rising order, adjacent and overlapping ones merged."""
    joined: list[tuple[Cut, Cut]] = []
    for low, high in sorted(stretches):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return tuple(joined)


# Columns of numbers: values are points, ranges are stretches.


NUMBER = r"\d+(?:\.\d+)?"
SIGNED = rf"-?{NUMBER}"
RANGE = re.compile(rf"({NUMBER})-({NUMBER})|({SIGNED}) to (<?)({SIGNED})", re.ASCII)
OPEN = re.compile(rf"(<=|>=|<|>)\s?({SIGNED})", re.ASCII)


def read_range(text: str) -> tuple[Cut, Cut] | None:
    """The two ends of a range as written by our hierarchies and by Mondrian, or None.

    >>> read_range("20-24"), read_range("20 to <25")[1], read_range("30-20")
    (((0, Decimal('20'), 0), (0, Decimal('24'), 1)), (0, Decimal('25'), 0), None)
    """
    if half := OPEN.fullmatch(text):
        end = Decimal(half[2])
        sides = {
            "<": (LOW, cut_before(end)),
            "<=": (LOW, cut_behind(end)),
            ">=": (cut_before(end), HIGH),
            ">": (cut_behind(end), HIGH),
        }
        return sides[half[1]]
    match = RANGE.fullmatch(text)
    if match is None:
        return None
    low = Decimal(match[1] or match[3])
    high = Decimal(match[2] or match[5])
    ends = cut_before(low), cut_before(high) if match[4] else cut_behind(high)
    return ends if ends[0] < ends[1] else None


@dataclass(frozen=True, eq=False)
class NumberAxis:
    """Reads numbers and ranges of them.

    ``known`` means that the policy declares the column as numbers: then ``7`` covers every way of
    writing seven, since that is how ranges of one number are released. Otherwise a number is just
    its text. ``rest`` are ranges that are released together with unreadable values; None if there
    is no rest.
    """

    known: bool
    reader: NumberReader
    rest: Stretches | None = None

    @classmethod
    def of(cls, values: Sequence[str], builder: Intervals | Cuts | None) -> NumberAxis:
        """The axis for a column with these values as found."""
        if builder is None:
            return cls(False, NumberReader(values))
        reader = NumberReader(values, builder.decimal)
        if builder.others == "refuse":
            return cls(True, reader)
        spans = join_stretches(map(_cut_span, builder.find_rest(values)))
        return cls(True, reader, spans)

    def place(self, text: str) -> Place | None:
        """The place of a number or a range."""
        number = self.reader.read(text)
        if number is not None:
            return place_at(number, exact=not (self.known and text == _write_number(number)))
        ends = read_range(text)
        if ends is None and self.rest is not None:
            span = read_span(text, self.reader)
            ends = None if span is None else _cut_span(span)
        if ends is not None:
            return Place((ends,))
        return None if self.rest is None else place_rest(text, self.rest)


def _cut_span(span: Span) -> tuple[Cut, Cut]:
    return (
        LOW if span.low is None else cut_before(span.low),
        HIGH if span.high is None else cut_before(span.high),
    )


def _write_number(number: Decimal) -> str:
    """A number in the form of a range of one number."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Columns with an explicit hierarchy: leaves are points, labels cover their leaves.


@dataclass(frozen=True, eq=False)
class LeafAxis:
    """Knows each label of a hierarchy and the leaves under it, in the data or not.

    A text that is a leaf means that leaf, whatever else it names; a label of several levels means
    all of them. A range of numbers that is not a label means the leaves in it, because Mondrian's
    ranges do not follow the hierarchy.
    """

    ranks: Mapping[str, tuple[int, ...]]
    numbers: tuple[tuple[Decimal, int], ...]
    over_missing: frozenset[str | None]

    @classmethod
    def of(cls, hierarchy: Hierarchy, strays: Iterable[str]) -> LeafAxis:
        """Rank the leaves so that those under one label are adjacent; strays come last."""
        leaves = hierarchy.labels[0]
        order = sorted(
            range(len(leaves)),
            key=lambda leaf: [int(codes[leaf]) for codes in hierarchy.maps[::-1]],
        )
        ranks: dict[str, set[int]] = {}
        over_missing: set[str | None] = set()
        own = {leaf for leaf in leaves if leaf is not None}
        for rank, leaf in enumerate(order):
            for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
                label = labels[codes[leaf]]
                if label in own and label != leaves[leaf]:
                    continue
                if leaves[leaf] is None:
                    over_missing.add(label)
                elif label is not None:
                    ranks.setdefault(label, set()).add(rank)
        for text in strays:
            if text not in ranks and read_range(text) is None:
                ranks[text] = {len(order) + len(ranks)}
        known = {label: tuple(sorted(under)) for label, under in ranks.items()}
        return cls(known, tuple(_list_numbers(known)), frozenset(over_missing))

    def place(self, text: str) -> Place | None:
        """The place of a leaf, a label or a range."""
        if text in self.ranks or text in self.over_missing:
            place = join_positions(self.ranks.get(text, ()))
            return place._replace(missing=text in self.over_missing)
        ends = read_range(text)
        if ends is None:
            return None
        inside = [
            rank
            for number, rank in self.numbers
            if ends[0] <= cut_before(number) and cut_behind(number) <= ends[1]
        ]
        return join_positions(inside) if inside else None


def _list_numbers(ranks: Mapping[str, tuple[int, ...]]) -> Iterable[tuple[Decimal, int]]:
    for label, under in ranks.items():
        number = read_number(label) if len(under) == 1 else None
        if number is not None:
            yield number, under[0]


def build_written_down(
    column: str, builder: File | Tree, ground: Sequence[str]
) -> tuple[Hierarchy, Sequence[str]]:
    """The hierarchy over all its own leaves, and the values of the data that it lacks."""
    leaves = builder.read()[1] if isinstance(builder, File) else list_leaves(builder)
    known = set(leaves)
    stray = [text for text in ground if text not in known]
    rooted = isinstance(builder, File) and builder.uncovered == "root"
    every = [*leaves, *stray] if rooted else [*leaves]
    try:
        built = builder.build(column, every if None in known else [*every, None])
    except DiscreetError:  # it has no place for a missing value
        built = builder.build(column, every)
    return built, () if rooted else stray


# Columns of dates: days are points; months, years and groups of years are stretches.


EPOCH = date(1970, 1, 1).toordinal()
SAMPLE = 1000
PERIOD = re.compile(
    r"(?P<from>\d{4})-(?P<until>\d{4,9})"
    r"|(?P<first>\d{4}-(?:0[1-9]|1[0-2])) to (?P<last>\d{4}-(?:0[1-9]|1[0-2]))|(?P<year>\d{4})"
    r"(?:-(?:(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?|W(?P<week>\d\d)|"
    r"(?P<part>Q[1-4]|H[12])))?",
    re.ASCII,
)
LONGEST = {"Q": 3, "H": 6}


def _number_day(year: int, month: int, day: int = 1) -> int:
    return date(year, month, day).toordinal() - EPOCH


def _find_month_span(year: int, month: int, count: int) -> tuple[int, int]:
    """First and last day of ``count`` months; the year 9999 ends where the calendar does."""
    end = year * 12 + month - 1 + count
    last = (
        date.max.toordinal() - EPOCH
        if end // 12 > 9999
        else _number_day(end // 12, end % 12 + 1) - 1
    )
    return _number_day(year, month), last


def read_period(text: str) -> tuple[int, int] | None:
    """First and last day, counted from 1970, of a period as written by our hierarchies, or None.

    >>> read_period("1970-01"), read_period("1970-W01"), read_period("1969-1960")
    ((0, 30), (-3, 3), None)
    """
    match = PERIOD.fullmatch(text)
    if match is None:
        return None
    try:
        return _read_period(match)
    except ValueError:
        return None


def _read_period(match: re.Match[str]) -> tuple[int, int] | None:
    if match["from"]:
        # Groups of years begin in year 0 and may end after 9999, neither of which the calendar has.
        first = _number_day(max(int(match["from"]), 1), 1)
        last = _find_month_span(min(int(match["until"]), 9999), 1, 12)[1]
        return (first, last) if first < last else None
    if match["first"]:
        (year, month), (end, until) = (map(int, match[key].split("-")) for key in ("first", "last"))
        count = 12 * (end - year) + until - month + 1
        return _find_month_span(year, month, count) if count > 1 else None
    year = int(match["year"])
    if match["day"]:
        day = _number_day(year, int(match["month"]), int(match["day"]))
        return day, day
    if match["month"]:
        return _find_month_span(year, int(match["month"]), 1)
    if match["week"]:
        monday = date.fromisocalendar(year, int(match["week"]), 1)
        return monday.toordinal() - EPOCH, (monday + timedelta(6)).toordinal() - EPOCH
    if match["part"]:
        length = LONGEST[match["part"][0]]
        return _find_month_span(year, (int(match["part"][1]) - 1) * length + 1, length)
    return _find_month_span(year, 1, 12)


def read_repeating(text: str) -> Callable[[date], bool] | None:
    """The days that belong to a weekday, a month of any year or a quarter of any year."""
    if text in WEEKDAYS:
        weekday = WEEKDAYS.index(text)
        return lambda day: day.weekday() == weekday
    if text in MONTHS:
        month = MONTHS.index(text) + 1
        return lambda day: day.month == month
    if re.fullmatch("Q[1-4]", text):
        quarter = int(text[1]) - 1
        return lambda day: (day.month - 1) // 3 == quarter
    return None


@dataclass(frozen=True, eq=False)
class DateAxis:
    """Knows the dates of a column, all in one format, and the periods our hierarchies write.

    ``known`` means that the policy declares the column as dates: then ``1965-09-20`` is that day
    however it is written. Otherwise a date is just its text.
    """

    known: bool
    days: Mapping[str, tuple[int, int]]
    rest: Stretches | None = None

    def __repr__(self) -> str:
        return f"DateAxis({len(self.days)} dates and periods)"

    @classmethod
    def of(
        cls, ground: Sequence[str], texts: Sequence[str], builder: Dates | None
    ) -> DateAxis | None:
        """Find how the dates of a column are written and read them; None if that is unclear."""
        pivot = builder.pivot if builder else Dates.pivot
        given = builder.formats if builder else ()
        every = list(dict.fromkeys([*ground, *texts]))
        forms = given or find_formats(ground or texts, pivot, builder is not None)
        days: dict[str, tuple[int, int]] = {}
        for form in forms:
            left = [text for text in every if text not in days]
            days |= read_days(left, form, pivot, found=not given)
        for text in every:
            period = None if text in days else read_period(text)
            if period is not None and (builder is not None or period[0] < period[1]):
                days[text] = period
        if not forms and not (builder and days):
            return None
        return cls(builder is not None, days, _find_rest(builder, ground or every, days))

    def place(self, text: str) -> Place | None:
        """The place of a date or a period; a weekday covers every such day."""
        belongs = read_repeating(text)
        if belongs is not None and self.days:
            return join_positions(
                day for day in self._find_span() if belongs(date.fromordinal(day + EPOCH))
            )
        span = self.days.get(text)
        if span is None:
            return None if self.rest is None else place_rest(text, self.rest)
        label = read_period(text) == span and (self.known or span[0] < span[1])
        return Place(((cut_before(span[0]), cut_behind(span[1])),), exact=not label)

    def _find_span(self) -> range:
        """All days from the first known one to the last."""
        spans = self.days.values()
        return range(min(span[0] for span in spans), max(span[1] for span in spans) + 1)


def read_days(
    texts: Sequence[str], form: str, pivot: int, *, found: bool
) -> dict[str, tuple[int, int]]:
    """First and last day of each text that is a date in this format."""
    read = read_format(texts, form, pivot, found=found)
    right = [text for text, wrong in zip(texts, read.wrong, strict=True) if not wrong]
    starts: list[int] = read.days[~read.wrong].tolist()
    if read.precision == "day":
        return {text: (day, day) for text, day in zip(right, starts, strict=True)}
    count = 1 if read.precision == "month" else 12
    firsts = [date.fromordinal(day + EPOCH) for day in starts]
    return {
        text: _find_month_span(first.year, first.month, count)
        for text, first in zip(right, firsts, strict=True)
    }


def _find_rest(
    builder: Dates | None, values: Sequence[str], days: Mapping[str, tuple[int, int]]
) -> Stretches | None:
    """The days of dates that are released together with unreadable values."""
    if builder is None or builder.others == "refuse":
        return None
    try:
        kinds = builder.sort_values("", values)
    except AmbiguousDatesError:  # only among released texts, as a table with such dates is refused
        return ()
    rest = [text for text, kind in zip(values, kinds, strict=True) if kind == "other"]
    spans = [days[text] for text in rest if text in days]
    return join_stretches((cut_before(first), cut_behind(last)) for first, last in spans)


def find_formats(texts: Sequence[str], pivot: int, known: bool) -> tuple[str, ...]:
    """The formats of the dates; a column that is ``known`` to be dates may have several."""
    form = find_format(texts, pivot)
    if not known or not texts:
        return () if form is None else (form,)
    if form is not None and not read_format(texts, form, pivot, found=True).wrong.any():
        return (form,)
    return tuple(decide_formats(texts, pivot).formats)


def find_format(texts: Sequence[str], pivot: int) -> str | None:
    """The format of the dates, or that of most of them; None if several are possible."""
    if not texts:
        return None
    try:
        return read_dates("", texts, pivot)[0]
    except AmbiguousDatesError:
        return None
    except UnreadableValuesError:
        sample = list(texts)[:SAMPLE]
    reads = {form: read_format(sample, form, pivot, found=True) for form in FORMATS}
    counts = sorted(
        ((int((~read.wrong).sum()), form) for form, read in reads.items()), reverse=True
    )
    if counts[0][0] == 0 or any(a == b for a, b in pairwise(count for count, _ in counts[:2])):
        return None
    return counts[0][1]


def choose_axis(
    column: str,
    builder: Builder | None,
    ground: Sequence[str],
    texts: Sequence[str],
    missing: bool,
) -> Axis:
    """The axis for a column: ``ground`` are values as found, ``texts`` those and released ones.

    ``missing`` says whether some are missing.
    """
    while isinstance(builder, WithSuppression):
        builder = builder.builder
    match builder:
        case Intervals() | Cuts():
            return NumberAxis.of(ground or texts, builder)
        case Dates():
            return DateAxis.of(ground, texts, builder) or CodeAxis()
        case Prefix(_, mask):
            return CodeAxis(mask, builder)
        case File() | Tree():
            return LeafAxis.of(*build_written_down(column, builder, ground))
        case Flat():
            return CodeAxis()
    if builder is None:
        return _guess_axis(ground, texts)
    if type(builder).__name__ == "Auto":  # from the layer above, not importable here
        proposed = getattr(builder, "proposed", None)
        if proposed is not None:
            return choose_axis(column, proposed, ground, texts, missing)
        proposed = propose(column, ground).builder
        dates = DateAxis.of(ground, texts, proposed) if isinstance(proposed, Dates) else None
        return dates or _guess_axis(ground, texts)
    built: Hierarchy = builder.build(column, [*ground, *([None] if missing else [])])
    return LeafAxis.of(built, ())


def _guess_axis(ground: Sequence[str], texts: Sequence[str]) -> Axis:
    """The axis that fits the values as found, or the released texts if there are none."""
    released = [text for text in texts if text != "*"]
    if any(map(is_masked, released)):
        return CodeAxis()
    values = ground or released
    numbers = NumberAxis.of(values, None)
    if not all(map(_may_be_day, values)) and _is_numeric(ground, released, numbers.reader):
        return numbers
    dated = any(sign.isdecimal() for text in values for sign in text)
    return (DateAxis.of(ground, released, None) if dated else None) or CodeAxis()


def _may_be_day(text: str) -> bool:
    """Whether a text of digits is a day of the last or this century, such as 19650920."""
    return len(text) == 8 and text.isdecimal() and text[:2] in ("19", "20")


def _is_numeric(ground: Sequence[str], released: Sequence[str], reader: NumberReader) -> bool:
    """Whether ranges mean ranges: the values as found include numbers and no such texts.

    Without values as found all released texts must be numbers or ranges.
    """
    if ground:
        read = any(reader.read(text) is not None for text in ground)
        return read and all(read_range(text) is None for text in ground)
    return all(reader.read(text) is not None or read_range(text) is not None for text in released)
