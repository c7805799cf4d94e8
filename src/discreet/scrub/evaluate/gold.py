"""Gold: texts in which people have marked what is personal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import NamedTuple

from discreet.display import dataclass, safe_repr


@safe_repr
class GoldSpan(NamedTuple):
    """Characters ``start`` to ``end`` are personal information of this kind.

    An ``optional`` span may be found or left: it counts neither for recall nor for precision
    (an age below 90, a month with a year).
    """

    start: int
    end: int
    label: str
    optional: bool = False


@safe_repr
class GoldProblem(NamedTuple):
    """Something in a gold file that cannot be right. It holds no text of the file."""

    where: str
    what: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}{f' ({self.detail})' if self.detail else ''}"


@dataclass(frozen=True)
class GoldText:
    """One marked text. Its ``repr`` shows no character of it."""

    name: str
    text: str = field(repr=False)
    spans: tuple[GoldSpan, ...] = field(repr=False)


@dataclass(frozen=True)
class Gold:
    """Marked texts, and what was wrong with the marks.

    Examples
    --------
    >>> gold = Gold.of([("letter", "Dear Ann,", [(5, 8, "NAME"), (5, 80, "NAME")])])
    >>> len(gold.texts[0].spans)
    1
    >>> print(gold.problems[0])
    letter, span 2: out of range (5 to 80 of 9 characters)
    """

    texts: tuple[GoldText, ...]
    problems: tuple[GoldProblem, ...] = ()

    @classmethod
    def of(cls, marked: Iterable[tuple[str, str, Iterable[tuple[int, int, str]]]]) -> Gold:
        """Gold from (name, text, spans) with the spans checked."""
        texts, problems = [], []
        for name, text, spans in marked:
            good, bad = checked(name, text, [GoldSpan(*span) for span in spans])
            texts.append(GoldText(name, text, good))
            problems.extend(bad)
        return cls(tuple(texts), tuple(problems))

    def problem_counts(self) -> dict[str, int]:
        """How often each thing was wrong."""
        return dict(Counter(problem.what for problem in self.problems))


def checked(
    name: str, text: str, spans: Sequence[GoldSpan]
) -> tuple[tuple[GoldSpan, ...], list[GoldProblem]]:
    """The spans that can be scored, in order, and what is wrong with the others.

    White space at the ends of a span is left off. A span out of range, of no characters, or given
    twice is not scored. Spans that overlap are scored, each for itself, and named.
    """
    good: list[GoldSpan] = []
    problems: list[GoldProblem] = []
    for number, span in enumerate(spans, 1):
        where = f"{name}, span {number}"
        if not 0 <= span.start <= span.end <= len(text):
            detail = f"{span.start} to {span.end} of {len(text)} characters"
            problems.append(GoldProblem(where, "out of range", detail))
            continue
        trimmed = _trimmed(text, span)
        if trimmed.start == trimmed.end:
            problems.append(GoldProblem(where, "empty", f"at {span.start}"))
        elif trimmed in good:
            problems.append(GoldProblem(where, "given twice", f"at {span.start}"))
        else:
            good.append(trimmed)
    good.sort()
    reach = 0
    for span in good:
        if span.start < reach:
            problems.append(GoldProblem(name, "overlapping", f"{span.start} to {span.end}"))
        reach = max(reach, span.end)
    return tuple(good), problems


def _trimmed(text: str, span: GoldSpan) -> GoldSpan:
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    return span._replace(start=start, end=max(start, span.start + len(part.rstrip())))
