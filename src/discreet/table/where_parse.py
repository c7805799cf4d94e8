"""From the words of a condition to tests and what joins them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from discreet.errors import WhereError
from discreet.table.where_tests import Among, Like, Missing, Test
from discreet.table.where_values import column_hint, compared, expected, number, value_hint
from discreet.table.where_words import Word, words

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
