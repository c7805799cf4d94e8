"""Which rows somebody asked for: a small language of conditions, read here and never run as SQL.

The language, with keywords in any case, names in double quotes or bare, texts in single quotes::

    condition = operand { ("AND" | "OR") operand }
    operand   = { "NOT" | "(" } test { ")" }
    test      = column ("=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") value
              | column ["NOT"] "IN" "(" value { "," value } ")"
              | column ["NOT"] "BETWEEN" value "AND" value
              | column ["NOT"] "LIKE" text
              | column "IS" ["NOT"] "NULL"
    value     = number | text

:func:`split_words` finds the words and their positions, :func:`parse_condition` turns them into
steps, and :class:`Where` runs the steps on the cells of a batch. Decision 34 says why this is not
left to an SQL parser.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import date
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import DiscreetError

LONGEST = 100_000
"""Characters of a condition; a longer one is a list that belongs in a file."""
LONGEST_PATTERN = 1_000
"""Characters of a LIKE pattern; matching one of many thousands takes minutes."""
MOST_TESTS = 1_000
DIGITS = 15
"""Digits that a number in memory (a double) keeps, whatever the number is."""

KEYWORDS = ("and", "or", "not", "in", "between", "like", "is", "null")
"""Words that name a column only in double quotes."""


# The tests: true, false or unknown (null) for each cell of a column.


NUMBER = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$"
DAY = r"^\d{4}-\d{2}-\d{2}([T ].*)?$"

COMPARE: dict[str, Callable[..., pa.Array]] = {
    "=": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}
WILDCARDS = {"%": ".*", "_": "."}


class WhereError(DiscreetError):
    """A condition is not understood: where, and what was expected there."""

    def __init__(self, what: str, fix: str, place: int | None = None) -> None:
        self.place = place
        super().__init__("condition", what, fix)


class Column:
    """The cells of one column in a batch, as text, and as numbers or days once a test asks.

    ``texts`` are the cells, null where missing.
    """

    def __init__(self, texts: pa.Array) -> None:
        self.texts = texts

    @cached_property
    def numbers(self) -> pa.Array:
        """The cells as numbers, null where they are not numbers."""
        trimmed = pc.utf8_trim_whitespace(_keep_matches(self.texts, NUMBER))
        return pc.cast(pc.utf8_ltrim(trimmed, characters="+"), pa.float64())

    @cached_property
    def days(self) -> pa.Array:
        """The days of ISO dates and times as text, which sorts like the days; else null."""
        days = pc.utf8_slice_codeunits(_keep_matches(self.texts, DAY), 0, 10)
        parsed = pc.strptime(days, format="%Y-%m-%d", unit="s", error_is_null=True)
        # strptime reads 30 February as 1 March: keep only what reads back as it was written.
        real = pc.equal(pc.strftime(parsed, format="%Y-%m-%d"), days)
        return pc.if_else(real, days, pa.scalar(None, days.type))


def _keep_matches(cells: pa.Array, pattern: str) -> pa.Array:
    matches = pc.match_substring_regex(cells, pattern)
    return pc.if_else(matches, cells, pa.scalar(None, cells.type))


@dataclass(frozen=True)
class Comparison:
    """A cell compared with a value, both read as texts, numbers or days.

    Texts are equal or not, character by character. A cell that cannot be read as a number or a day
    makes the comparison unknown.
    """

    column: str
    sign: str
    value: float | str
    reading: Literal["texts", "numbers", "days"]

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](getattr(column, self.reading), self.value)


@dataclass(frozen=True)
class Among:
    """Whether a cell is one of some numbers or texts."""

    column: str
    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    _sets: tuple[pa.Array, pa.Array] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sets = pa.array(self.numbers, pa.float64()), pa.array(self.texts, pa.string())
        object.__setattr__(self, "_sets", sets)

    def __call__(self, column: Column) -> pa.Array:
        """Look up every cell."""
        numbers, texts = self._sets
        found = _look_up(column.texts, texts) if len(texts) else None
        if len(numbers):
            as_numbers = _look_up(column.numbers, numbers)
            found = as_numbers if found is None else pc.or_kleene(found, as_numbers)
        return found


def _look_up(cells: pa.Array, wanted: pa.Array) -> pa.Array:
    """Whether each cell is wanted; unknown where it is missing."""
    found = pc.is_in(cells, value_set=wanted)
    return pc.if_else(pc.is_valid(cells), found, pa.scalar(None, pa.bool_()))


@dataclass(frozen=True)
class Like:
    """Whether a cell matches a pattern: % is any text, _ any character, case counts."""

    column: str
    pattern: str

    def __call__(self, column: Column) -> pa.Array:
        """Match every cell; Arrow's own LIKE would take a backslash for an escape."""
        parts = (WILDCARDS.get(character) or re.escape(character) for character in self.pattern)
        return pc.match_substring_regex(column.texts, f"(?s)^(?:{''.join(parts)})$")


@dataclass(frozen=True)
class Missing:
    """Whether a cell is missing; never unknown."""

    column: str

    def __call__(self, column: Column) -> pa.Array:
        """Check every cell."""
        return pc.is_null(column.texts)


Test = Comparison | Among | Like | Missing
Join = Literal["and", "or", "not"]
Step = Test | Join
"""A condition is a list of steps: a test pushes its answers on a stack, a join pops answers and
pushes the joined ones."""


# The words: names, numbers, texts, signs and keywords, each with its position.


_WORD = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<name>[^\W\d]\w*)
    | "(?P<quoted>(?:[^"]|"")*)"
    | '(?P<text>(?:[^']|'')*)'
    | (?P<sign><>|!=|<=|>=|[=<>(),])
    )""",
    re.VERBOSE,
)

_NOT_HERE = {
    "--": "comments",
    "/*": "comments",
    ";": "second statement",
    "::": "casts",
    "?": "parameters",
    "$": "parameters",
    ":": "parameters",
    "*": "stars",
}
"""What SQL has and a condition has not, by how it begins."""


@dataclass(frozen=True)
class Word:
    """One word: its kind, what it says, and its position, counted from 1.

    The kinds are ``number``, ``name`` (a column), ``text``, ``sign``, ``keyword`` and ``end``.
    """

    kind: str
    said: str
    place: int

    def is_(self, *said: str) -> bool:
        """Whether this is one of these signs or keywords."""
        return self.kind in ("sign", "keyword") and self.said in said


def split_words(text: str) -> list[Word]:
    """Split a condition into words; the last one is the end.

    >>> [word.kind for word in split_words("zip LIKE '02%'")]
    ['name', 'keyword', 'text', 'end']

    Notes
    -----
    *Cost*: one look at each character.
    """
    _check_characters(text)
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _WORD.match(text, at)
        if match is None:
            raise _explain_unreadable(text, at)
        found.append(_make_word(match))
        at = match.end()
    return [*found, Word("end", "", end + 1)]


def _check_characters(text: str) -> None:
    if len(text) > LONGEST:
        what = f"a condition has at most {LONGEST:,} characters, this has {len(text):,}"
        raise WhereError(what, "Mark the rows in a column of the table instead.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        # Bytes of the command line that are not UTF-8 arrive as halves of characters.
        place = error.start + 1
    else:
        return
    raise WhereError(f"position {place}: this is not a character", "Write it in UTF-8.", place)


def _make_word(match: re.Match[str]) -> Word:
    kind = str(match.lastgroup)
    said, place = match[kind], match.start(kind) + 1
    match kind:
        case "quoted":
            return Word("name", said.replace('""', '"'), place - 1)
        case "text":
            return Word("text", said.replace("''", "'"), place - 1)
        case "name" if said.lower() in KEYWORDS:
            return Word("keyword", said.lower(), place)
    return Word(kind, said, place)


def _explain_unreadable(text: str, at: int) -> WhereError:
    """Say where the text is that is not a word, and why."""
    at += len(text[at:]) - len(text[at:].lstrip())
    rest = text[at : at + 2]
    foreign = next((name for start, name in _NOT_HERE.items() if rest.startswith(start)), None)
    if foreign is not None:
        what, fix = f"a condition has no {foreign}", "Compare columns with numbers and texts only."
    elif rest[0] in "'\"":
        kind = "text" if rest[0] == "'" else "column name"
        what, fix = f"the quote of a {kind} is not closed", "Close it."
    elif rest[0].isdigit() or rest[0] in "+-.":
        what, fix = "this is not a number", "Put codes in single quotes, such as '02138-1'."
    else:
        what = "this character means nothing here"
        fix = "Put texts in single quotes, and column names with such characters in double quotes."
    return WhereError(f"position {at + 1}: {what}", fix, at + 1)


# The parser: from words to steps.


_BINDS = {"or": 1, "and": 2, "not": 3}
_JOINS: dict[str, Join] = {"and": "and", "or": "or", "not": "not"}
_SIGNS = {"=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def parse_condition(text: str) -> tuple[Step, ...]:
    """Turn a condition into steps in postfix order.

    NOT binds closest, then AND, then OR. Nothing here calls itself, so no nesting is too deep.

    >>> parse_condition("age >= 40 AND NOT zip = '02138'")[2:]
    ('not', 'and')

    Notes
    -----
    E. W. Dijkstra's shunting yard. *Cost*: one look at each word.
    """
    words = split_words(text)
    if len(words) == 1:
        raise WhereError("the condition is empty", "Write one, such as age >= 40, or leave it out.")
    return _Parser(words).parse()


class _Parser:
    """Reads words once, from left to right; joins and open brackets wait until they apply."""

    def __init__(self, words: list[Word]) -> None:
        self._words, self._at = words, 0
        self._steps: list[Step] = []
        self._waiting: list[Word] = []
        self._tests = 0

    def parse(self) -> tuple[Step, ...]:
        while True:
            self._read_operand()
            word = self._take()
            if word.kind == "end":
                break
            if not word.is_("and", "or"):
                raise _make_expected_error(word, "AND, OR, a closing bracket or the end")
            self._apply_joins(_BINDS[word.said])
            self._waiting.append(word)
        self._apply_joins(0)
        if self._waiting:
            raise _make_expected_error(
                word, f"the bracket opened at {self._waiting[-1].place} to be closed"
            )
        return tuple(self._steps)

    def _read_operand(self) -> None:
        while self._peek().is_("(", "not"):
            self._waiting.append(self._take())
        self._read_test()
        while self._peek().is_(")"):
            word = self._take()
            self._apply_joins(0)
            if not self._waiting:
                raise _make_expected_error(word, "no closing bracket, since none is open")
            self._waiting.pop()

    def _apply_joins(self, binds: int) -> None:
        """Apply the waiting joins that bind at least as closely, back to the last open bracket."""
        while self._waiting and self._waiting[-1].said != "(":
            join = self._waiting[-1].said
            if _BINDS[join] < binds:
                break
            self._waiting.pop()
            self._steps.append(_JOINS[join])

    def _read_test(self) -> None:
        column = self._take()
        if column.kind != "name":
            raise _make_expected_error(column, "a column", _hint_at_column(column))
        self._tests += 1
        if self._tests > MOST_TESTS:
            what = f"position {column.place}: a condition has at most {MOST_TESTS:,} tests"
            raise WhereError(what, "Use IN for many values of one column.", column.place)

        word = self._take()
        if word.is_(*_SIGNS):
            self._steps.append(_compare(column.said, _SIGNS[word.said], self._take_value()))
            return
        if word.is_("is"):
            negated = self._skip("not")
            self._require("null", "NULL or NOT NULL")
            self._steps.append(Missing(column.said))
        else:
            negated = word.is_("not")
            self._read_long_test(column.said, self._take() if negated else word)
        if negated:
            self._steps.append("not")

    def _read_long_test(self, column: str, word: Word) -> None:
        match word.kind, word.said:
            case "keyword", "in":
                self._read_in(column)
            case "keyword", "between":
                self._read_between(column)
            case "keyword", "like":
                self._read_like(column)
            case _:
                wanted = "a comparison (= != < <= > >=), IN, BETWEEN, LIKE or IS NULL"
                hint = "There are no functions; compare the column itself." if word.is_("(") else ""
                raise _make_expected_error(word, wanted, hint)

    def _read_in(self, column: str) -> None:
        self._require("(", "an opening bracket")
        values = [self._take_value()]
        while self._skip(","):
            values.append(self._take_value())
        self._require(")", "a comma or a closing bracket")
        numbers = tuple(float(word.said) for word in values if word.kind == "number")
        texts = tuple(word.said for word in values if word.kind == "text")
        self._steps.append(Among(column, numbers, texts))

    def _read_between(self, column: str) -> None:
        low = self._take_value()
        self._require("and", "AND and the upper end")
        high = self._take_value()
        self._steps += [_compare(column, ">=", low), _compare(column, "<=", high), "and"]

    def _read_like(self, column: str) -> None:
        word = self._take()
        if word.kind != "text":
            raise _make_expected_error(word, "a text in single quotes", _hint_at_value(word))
        if len(word.said) > LONGEST_PATTERN:
            what = f"position {word.place}: a pattern has at most {LONGEST_PATTERN:,} characters"
            raise WhereError(what, "Use a shorter one.", word.place)
        self._steps.append(Like(column, word.said))

    def _peek(self) -> Word:
        return self._words[self._at]

    def _take(self) -> Word:
        word = self._words[self._at]
        self._at += word.kind != "end"
        return word

    def _take_value(self) -> Word:
        word = self._take()
        if word.kind not in ("number", "text"):
            raise _make_expected_error(
                word, "a number, or a text in single quotes", _hint_at_value(word)
            )
        if word.kind == "number":
            _check_number(word)
        elif not word.said:
            what = f"position {word.place}: an empty text is a missing value here"
            raise WhereError(what, "Use IS NULL or IS NOT NULL.", word.place)
        return word

    def _skip(self, said: str) -> bool:
        found = self._peek().is_(said)
        self._at += found
        return found

    def _require(self, said: str, wanted: str) -> None:
        word = self._take()
        if not word.is_(said):
            raise _make_expected_error(word, wanted)


def _compare(column: str, sign: str, word: Word) -> Comparison:
    """A bare number compares as a number, a text is equal or not, a day has an order."""
    if word.kind == "number":
        return Comparison(column, sign, float(word.said), "numbers")
    if sign in ("=", "!="):
        return Comparison(column, sign, word.said, "texts")
    return Comparison(column, sign, _read_day(word), "days")


def _check_number(word: Word) -> None:
    """Refuse numbers that memory would round: two different codes could compare as equal."""
    mantissa = word.said.lower().partition("e")[0]
    digits = sum(character.isdigit() for character in mantissa.lstrip("+-0."))
    if digits > DIGITS or not math.isfinite(float(word.said)):
        what = f"position {word.place}: a number has at most {DIGITS} digits"
        raise WhereError(what, "Put long codes in single quotes.", word.place)


def _read_day(word: Word) -> str:
    """A day; other texts have no order, since everybody would expect another one."""
    try:
        good = len(word.said) == 10 and str(date.fromisoformat(word.said)) == word.said
    except ValueError:
        good = False
    if not good:
        what = f"position {word.place}: only numbers and days have an order here"
        fix = "Write numbers without quotes and days as 'YYYY-MM-DD'; use = IN LIKE for texts."
        raise WhereError(what, fix, word.place)
    return word.said


# What to say where something else was expected.


def _make_expected_error(word: Word, wanted: str, hint: str = "") -> WhereError:
    where = "at the end" if word.kind == "end" else f"position {word.place}"
    return WhereError(f"{where}: expected {wanted}", hint, word.place)


def _hint_at_column(word: Word) -> str:
    match word.kind:
        case "number":
            return "The column comes first: age >= 40."
        case "text":
            return "Single quotes are for values; column names have double quotes, or none."
        case "keyword":
            return "A column of that name needs double quotes."
    return ""


def _hint_at_value(word: Word) -> str:
    if word.kind == "name" and word.said.lower() == "select":
        return "There are no subqueries; list the values."
    if word.kind == "name":
        return "Double quotes and bare words name columns; a text has single quotes."
    if word.is_("null"):
        return "Use IS NULL or IS NOT NULL."
    return ""


@dataclass(frozen=True)
class Where:
    """A condition on the cells of a row, such as ``age >= 40 AND zip LIKE '02%'``.

    A column is compared with a value: ``= != <> < <= > >=``, ``IN (...)``, ``BETWEEN .. AND ..``,
    ``LIKE`` with ``%`` and ``_``, ``IS [NOT] NULL``, joined by ``AND``, ``OR``, ``NOT`` and
    brackets. A bare number compares as a number, a text in single quotes character by character;
    days ``'YYYY-MM-DD'`` have an order, other texts have none.

    A test is unknown for a missing cell, and for a cell that is not a number (or not a day) where
    it is compared with one. As in SQL, neither such a test nor its negation finds the row.

    Examples
    --------
    >>> where = Where("age >= 40 AND zip LIKE '02%'")
    >>> where.columns
    ('age', 'zip')
    >>> where({"age": pa.array(["41", "39", None]), "zip": pa.array(["02138"] * 3)}).tolist()
    [True, False, False]

    Notes
    -----
    [Sweeney2001]_, sec. 6.1: Datafly answers a query at the time of access. *Departures*: none.
    *Cost*: one Arrow call per test and batch.
    """

    text: str
    _steps: tuple[Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_steps", parse_condition(self.text))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its tests and how they are joined, in postfix order."""
        return self._steps

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names, once each, in their order."""
        tests = (step for step in self._steps if not isinstance(step, str))
        return tuple(dict.fromkeys(test.column for test in tests))

    def __call__(self, cells: Mapping[str, pa.Array]) -> npt.NDArray[np.bool_]:
        """Mark the rows for which it is true; cells are text, null where missing."""
        columns = {name: Column(cells[name]) for name in self.columns}
        stack: list[pa.Array] = []
        for step in self._steps:
            match step:
                case "not":
                    stack.append(pc.invert(stack.pop()))
                case "and":
                    stack.append(pc.and_kleene(stack.pop(), stack.pop()))
                case "or":
                    stack.append(pc.or_kleene(stack.pop(), stack.pop()))
                case _:
                    stack.append(step(columns[step.column]))
        found = pc.fill_null(stack.pop(), False)
        return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.bool_)
