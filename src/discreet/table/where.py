"""Which rows somebody asked for: a small language of conditions, never passed on as SQL."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import date
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import WhereError

# The single tests of a condition: true, false, or unknown for each cell of a column.


NUMBER = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$"
DAY = r"^\d{4}-\d{2}-\d{2}([T ].*)?$"

WILD = {"%": ".*", "_": "."}

COMPARE: dict[str, Callable[..., pa.Array]] = {
    "=": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}


class Column:
    """The cells of a column in a batch, read as numbers or days when a test first asks.

    ``cells`` are texts, null where missing.
    """

    def __init__(self, cells: pa.Array) -> None:
        self.cells = cells
        self._read: dict[str, pa.Array] = {}

    @property
    def numbers(self) -> pa.Array:
        """The cells as numbers, null where they are none."""
        if "numbers" not in self._read:
            trimmed = pc.utf8_trim_whitespace(_only(self.cells, NUMBER))
            plain = pc.utf8_ltrim(trimmed, characters="+")
            self._read["numbers"] = pc.cast(plain, pa.float64())
        return self._read["numbers"]

    @property
    def days(self) -> pa.Array:
        """The days of ISO dates and times as text, whose order is theirs; null for other cells."""
        if "days" not in self._read:
            days = pc.utf8_slice_codeunits(_only(self.cells, DAY), 0, 10)
            read = pc.strptime(days, format="%Y-%m-%d", unit="s", error_is_null=True)
            # 30 February is read as 1 March, so what was read is compared with what stands there.
            real = pc.equal(pc.strftime(read, format="%Y-%m-%d"), days)
            self._read["days"] = pc.if_else(real, days, pa.scalar(None, days.type))
        return self._read["days"]


def _only(cells: pa.Array, shape: str) -> pa.Array:
    fits = pc.match_substring_regex(cells, shape)
    return pc.if_else(fits, cells, pa.scalar(None, cells.type))


@dataclass(frozen=True)
class Number:
    """A comparison with a number; a cell that is no number is neither true nor false."""

    column: str
    sign: str
    value: float

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.numbers, self.value)


@dataclass(frozen=True)
class Text:
    """Whether a cell is this text, letter for letter, or is not."""

    column: str
    sign: str
    value: str

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.cells, self.value)


@dataclass(frozen=True)
class Day:
    """Whether a cell is before or after a day; a cell that is no ISO date is neither."""

    column: str
    sign: str
    value: str

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.days, self.value)


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
        found = _look_up(column.cells, texts) if len(texts) else None
        if len(numbers):
            as_numbers = _look_up(column.numbers, numbers)
            found = as_numbers if found is None else pc.or_kleene(found, as_numbers)
        return found


def _look_up(cells: pa.Array, wanted: pa.Array) -> pa.Array:
    """Whether each cell is wanted; unknown where there is none."""
    found = pc.is_in(cells, value_set=wanted)
    return pc.if_else(pc.is_valid(cells), found, pa.scalar(None, pa.bool_()))


@dataclass(frozen=True)
class Like:
    """Whether a cell has a shape: % is any text, _ any letter, case counts."""

    column: str
    shape: str

    def __call__(self, column: Column) -> pa.Array:
        """Match every cell; Arrow's own LIKE takes a backslash beside a % for two."""
        letters = (WILD.get(letter) or re.escape(letter) for letter in self.shape)
        return pc.match_substring_regex(column.cells, f"(?s)^(?:{''.join(letters)})$")


@dataclass(frozen=True)
class Missing:
    """Whether a cell is missing."""

    column: str

    def __call__(self, column: Column) -> pa.Array:
        """Look at every cell; the answer is never unknown."""
        return pc.is_null(column.cells)


Test = Number | Text | Day | Among | Like | Missing


# The words of a condition: names, numbers, texts, signs, each with its place.


LONGEST = 100_000
"""Letters of a condition; a longer one is a list that belongs in a file."""

KEYWORDS = ("and", "or", "not", "in", "between", "like", "is", "null")
"""Words that are no column unless in double quotes, in any case."""

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


@dataclass(frozen=True)
class Word:
    """One word: its kind, what it says, and its place, counted from 1.

    The kinds are ``number``, ``name`` (a column), ``text``, ``sign``, ``keyword`` and ``end``.
    """

    kind: str
    said: str
    place: int

    def is_(self, *said: str) -> bool:
        """Whether this is one of these signs or keywords."""
        return self.kind in ("sign", "keyword") and self.said in said


def words(text: str) -> list[Word]:
    """Split a condition into words; the last one is the end.

    >>> [word.kind for word in words("zip LIKE '02%'")]
    ['name', 'keyword', 'text', 'end']

    Notes
    -----
    *Cost*: one look at each letter.
    """
    if len(text) > LONGEST:
        what = f"a condition has at most {LONGEST:,} letters, this has {len(text):,}"
        raise WhereError(what, "Mark the rows in a column of the table instead.")
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _WORD.match(text, at)
        if match is None:
            raise _unreadable(text, at)
        assert match.lastgroup is not None
        found.append(_word(match.lastgroup, match))
        at = match.end()
    return [*found, Word("end", "", end + 1)]


def _word(kind: str, match: re.Match[str]) -> Word:
    said, place = match[kind], match.start(kind) + 1
    match kind:
        case "quoted":
            return Word("name", said.replace('""', '"'), place - 1)
        case "text":
            return Word("text", said.replace("''", "'"), place - 1)
        case "name" if said.lower() in KEYWORDS:
            return Word("keyword", said.lower(), place)
    return Word(kind, said, place)


def _unreadable(text: str, at: int) -> WhereError:
    """Say where a word is that is none."""
    at += len(text[at:]) - len(text[at:].lstrip())
    place = at + 1
    if text[at] in "'\"":
        kind = "text" if text[at] == "'" else "column name"
        return WhereError(
            f"position {place}: the quote of a {kind} is not closed", "Close it.", place
        )
    if text[at].isdigit() or text[at] in "+-.":
        what = f"position {place}: this is no number"
        return WhereError(what, "Put codes in single quotes, such as '02138-1'.", place)
    what = f"position {place}: this sign means nothing here"
    return WhereError(
        what, "Put texts in single quotes and odd column names in double ones.", place
    )


# The values in a condition, and what to say where something else stands.


DIGITS = 15
"""Digits of a number that every number in memory keeps."""


def compared(column: str, sign: str, word: Word) -> Test:
    """The comparison of a column with a value: as numbers, letter for letter, or as days."""
    if word.kind == "number":
        return Number(column, sign, number(word))
    if sign in ("=", "!="):
        return Text(column, sign, word.said)
    return Day(column, sign, day(word))


def number(word: Word) -> float:
    """A number that can be compared without being rounded."""
    value = float(word.said)
    mantissa = word.said.lower().partition("e")[0]
    digits = sum(letter.isdigit() for letter in mantissa.lstrip("+-0."))
    if digits > DIGITS or not math.isfinite(value):
        what = f"position {word.place}: a number has at most {DIGITS} digits"
        raise WhereError(what, "Put long codes in single quotes.", word.place)
    return value


def day(word: Word) -> str:
    """A text that has an order: a day; others are in an order that nobody agreed on."""
    try:
        good = len(word.said) == 10 and str(date.fromisoformat(word.said)) == word.said
    except ValueError:
        good = False
    if not good:
        what = f"position {word.place}: only numbers and days have an order here"
        fix = "Write numbers without quotes and days as 'YYYY-MM-DD'; use = IN LIKE for texts."
        raise WhereError(what, fix, word.place)
    return word.said


def expected(word: Word, wanted: str, hint: str = "") -> WhereError:
    """Say what should stand where a word stands."""
    where = "at the end" if word.kind == "end" else f"position {word.place}"
    return WhereError(f"{where}: expected {wanted}", hint, word.place)


def column_hint(word: Word) -> str:
    """What may have been meant by a word that is no column."""
    match word.kind:
        case "number":
            return "The column comes first: age >= 40."
        case "text":
            return "Single quotes are for values; column names have double ones, or none."
        case "keyword":
            return "A column of that name needs double quotes."
    return ""


def value_hint(word: Word) -> str:
    """What may have been meant by a word that is no value."""
    if word.kind == "name":
        return "Double quotes and bare words name columns; a text has single quotes."
    if word.is_("null"):
        return "Use IS NULL or IS NOT NULL."
    return ""


# From the words of a condition to tests and what joins them.


Join = Literal["and", "or", "not"]
Step = Test | Join
"""A condition is a list of steps: a test puts its answer on a pile, a join takes answers off it."""

MOST_TESTS = 1_000
LONGEST_SHAPE = 1_000
"""Letters of a pattern: those of many thousands take minutes."""

_BINDS = {"or": 1, "and": 2, "not": 3}
_VALUE = "a number, or a text in single quotes"
_JOINS: dict[str, Join] = {"and": "and", "or": "or", "not": "not"}
_SIGNS = {"=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def steps(text: str) -> tuple[Step, ...]:
    """The steps of a condition, those of a pocket calculator that takes its signs last.

    NOT binds closest, then AND, then OR. Nothing here calls itself, so no nesting is too deep.

    >>> steps("age >= 40 AND NOT zip = '02138'")[2:]
    ('not', 'and')

    Notes
    -----
    E. W. Dijkstra's shunting yard. *Cost*: one look at each word.
    """
    found = words(text)
    if len(found) == 1:
        raise WhereError("the condition is empty", "Write one, such as age >= 40, or leave it out.")
    return _Parser(found).all()


class _Parser:
    def __init__(self, found: list[Word]) -> None:
        self._words, self._at = found, 0
        self._steps: list[Step] = []
        self._waiting: list[Word] = []
        self._tests = 0

    def all(self) -> tuple[Step, ...]:
        """Read to the end."""
        while True:
            self._operand()
            self._closing()
            word = self._next()
            if word.kind == "end":
                break
            if not word.is_("and", "or"):
                raise expected(word, "AND, OR, a closing bracket or the end")
            self._settle(_BINDS[word.said])
            self._waiting.append(word)
        self._settle(0)
        if self._waiting:
            raise expected(word, f"the bracket opened at {self._waiting[-1].place} to be closed")
        return tuple(self._steps)

    def _next(self) -> Word:
        word = self._words[self._at]
        self._at += word.kind != "end"
        return word

    def _peek(self) -> Word:
        return self._words[self._at]

    def _operand(self) -> None:
        """Opening brackets and NOTs, then one test."""
        while self._peek().is_("(", "not"):
            self._waiting.append(self._next())
        word = self._next()
        if word.kind != "name":
            raise expected(word, "a column", column_hint(word))
        self._tests += 1
        if self._tests > MOST_TESTS:
            what = f"position {word.place}: a condition has at most {MOST_TESTS:,} tests"
            raise WhereError(what, "Use IN for many values of one column.", word.place)
        self._test(word.said)

    def _closing(self) -> None:
        while self._peek().is_(")"):
            word = self._next()
            self._settle(0)
            if not self._waiting:
                raise expected(word, "no closing bracket, since none is open")
            self._waiting.pop()

    def _settle(self, binds: int) -> None:
        """Join what binds at least as closely, back to the last open bracket."""
        while self._waiting and self._waiting[-1].said != "(":
            join = self._waiting[-1].said
            if _BINDS[join] < binds:
                break
            self._waiting.pop()
            self._steps.append(_JOINS[join])

    def _test(self, column: str) -> None:
        word = self._next()
        if word.is_(*_SIGNS):
            self._steps.append(compared(column, _SIGNS[word.said], self._value()))
            return
        if word.is_("is"):
            negated = self._skip("not")
            self._need("null", "NULL or NOT NULL")
            self._steps.append(Missing(column))
        else:
            negated = word.is_("not")
            word = self._next() if negated else word
            self._longer(column, word)
        if negated:
            self._steps.append("not")

    def _longer(self, column: str, word: Word) -> None:
        readers: dict[str, Callable[[str], None]] = {
            "in": self._in,
            "between": self._between,
            "like": self._like,
        }
        if word.kind != "keyword" or word.said not in readers:
            wanted = "a comparison (= != < <= > >=), IN, BETWEEN, LIKE or IS NULL"
            raise expected(word, wanted)
        readers[word.said](column)

    def _in(self, column: str) -> None:
        self._need("(", "an opening bracket")
        numbers: list[float] = []
        texts: list[str] = []
        while True:
            word = self._value()
            if word.kind == "number":
                numbers.append(number(word))
            else:
                texts.append(word.said)
            if not self._skip(","):
                break
        self._need(")", "a comma or a closing bracket")
        self._steps.append(Among(column, tuple(numbers), tuple(texts)))

    def _between(self, column: str) -> None:
        low = self._value()
        self._need("and", "AND and the upper end")
        high = self._value()
        self._steps.append(compared(column, ">=", low))
        self._steps.append(compared(column, "<=", high))
        self._steps.append("and")

    def _like(self, column: str) -> None:
        word = self._next()
        if word.kind != "text":
            raise expected(word, "a text in single quotes", value_hint(word))
        if len(word.said) > LONGEST_SHAPE:
            what = f"position {word.place}: a pattern has at most {LONGEST_SHAPE:,} letters"
            raise WhereError(what, "Use a shorter one.", word.place)
        self._steps.append(Like(column, word.said))

    def _value(self) -> Word:
        word = self._next()
        if word.kind not in ("number", "text"):
            raise expected(word, _VALUE, value_hint(word))
        if word.kind == "text" and not word.said:
            what = f"position {word.place}: an empty text is a missing value here"
            raise WhereError(what, "Use IS NULL or IS NOT NULL.", word.place)
        return word

    def _skip(self, said: str) -> bool:
        found = self._peek().is_(said)
        self._at += found
        return found

    def _need(self, said: str, wanted: str) -> None:
        word = self._next()
        if not word.is_(said):
            raise expected(word, wanted)


@dataclass(frozen=True)
class Where:
    """A condition on the cells of a row, such as ``age >= 40 AND zip LIKE '02%'``.

    A column is compared with a value: ``= != <> < <= > >=``, ``IN (...)``, ``BETWEEN .. AND ..``,
    ``LIKE`` with ``%`` and ``_``, ``IS [NOT] NULL``, joined by ``AND``, ``OR``, ``NOT`` and
    brackets. A bare number compares as a number, a text in single quotes letter for letter; days
    ``'YYYY-MM-DD'`` have an order, other texts have none.

    What a test says of a missing cell, of a cell that is no number (bare number), or no day (order
    of days) is unknown, as in SQL: neither the test nor its negation finds the row.

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
    *Cost*: one Arrow call a test and batch.
    """

    text: str
    _steps: tuple[Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_steps", steps(self.text))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at, once each, in their order."""
        tests = (step for step in self._steps if not isinstance(step, str))
        return tuple(dict.fromkeys(test.column for test in tests))

    def __call__(self, cells: Mapping[str, pa.Array]) -> npt.NDArray[np.bool_]:
        """Mark the rows for which it is true; cells are text, null where missing."""
        columns = {name: Column(cells[name]) for name in self.columns}
        pile: list[pa.Array] = []
        for step in self._steps:
            match step:
                case "not":
                    pile.append(pc.invert(pile.pop()))
                case "and":
                    pile.append(pc.and_kleene(pile.pop(), pile.pop()))
                case "or":
                    pile.append(pc.or_kleene(pile.pop(), pile.pop()))
                case _:
                    pile.append(step(columns[step.column]))
        found = pc.fill_null(pile.pop(), False)
        return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.bool_)
