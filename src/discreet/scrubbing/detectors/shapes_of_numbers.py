"""All detectors of numbers by shape, in one pass over the digits.

Cost: one search for digits, in C; at each number, shapes are tried from the likeliest, and the
first that matches and passes its check wins. Shapes that start with letters are tried where digits
follow letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from discreet.display import dataclass
from discreet.scrubbing.detectors.dates import DATE
from discreet.scrubbing.detectors.detector import Example, Shape, ShapeDetector
from discreet.scrubbing.detectors.internet import IP
from discreet.scrubbing.detectors.issued_numbers import CARD, CRYPTO, DEVICE, IBAN, SSN, VEHICLE
from discreet.scrubbing.detectors.other_numbers import COORDINATES
from discreet.scrubbing.detectors.phones import PHONE
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

PARTS = (CARD, COORDINATES, CRYPTO, DATE, DEVICE, IBAN, IP, PHONE, SSN, VEHICLE)

_NUMBER = re.compile(r"\d(?<!\d\d)(?=[\dA-Za-z]{2}|\w?[^\w\n]{1,3}[\dA-Z])")
"""Where a run of digits starts, except for a single digit on its own."""

_SIGNS = frozenset("+(-")
_LETTERS = re.compile(r"(?<![^\W_])[A-Za-z]{1,4}$")


@dataclass(frozen=True)
class ShapesDetector:
    """Runs the shape detectors together; in turn 1 only."""

    name: str
    parts: tuple[ShapeDetector, ...]
    examples: tuple[Example, ...] = ()

    @cached_property
    def _shapes(self) -> list[tuple[Shape, ShapeDetector]]:
        pairs = [(shape, part) for part in self.parts for shape in part.shapes]
        return sorted(pairs, key=lambda pair: -pair[0].likelihood)

    @cached_property
    def _all(self) -> re.Pattern[str]:
        """One expression that matches wherever any of the shapes does."""
        forms = []
        for place, (shape, _) in enumerate(self._shapes):
            forms.append(re.sub(r"\bsame\b", f"same{place}", shape.pattern.pattern))
        return re.compile("|".join(forms))

    def find(self, page: Page) -> Iterator[Finding]:
        """The findings of all parts."""
        if page.turn == 2:
            return
        text, done, match = page.text, 0, self._all.match
        for number in _NUMBER.finditer(text):
            digit = number.start()
            for start in _list_beginnings(text, digit):
                if start >= done and match(text, start):
                    finding = self._find_best(text, start)
                    if finding:
                        done = finding.end
                        yield finding
                        break

    def _find_best(self, text: str, start: int) -> Finding | None:
        for shape, part in self._shapes:
            found = shape.pattern.match(text, start)
            if found and (shape.check is None or shape.check(found[0])):
                return Finding(
                    start,
                    found.end(),
                    shape.kind,
                    shape.likelihood,
                    part.name,
                    shape.name,
                    part.precedence,
                )
        return None


def _list_beginnings(text: str, digit: int) -> tuple[int, ...]:
    """Where a number with its first digit at a place may begin: at signs, at letters, or there."""
    before = text[digit - 1 : digit]
    if before in _SIGNS:
        return (
            (digit - 2, digit - 1, digit)
            if text[digit - 2 : digit - 1] in _SIGNS
            else (
                digit - 1,
                digit,
            )
        )
    if before.isalpha():
        letters = _LETTERS.search(text, max(0, digit - 5), digit)
        return (letters.start(),) if letters else ()
    return (digit,)


SHAPES_OF_NUMBERS = ShapesDetector(
    "shapes_of_numbers",
    PARTS,
    examples=(
        (
            "304-255-1423 on 3/1/91, card 4111 1111 1111 1111",
            (("304-255-1423", "PHONE"), ("3/1/91", "DATE"), ("4111 1111 1111 1111", "CARD")),
        ),
        (
            "DE89370400440532013000 or 078-05-1120",
            (("DE89370400440532013000", "IBAN"), ("078-05-1120", "SSN")),
        ),
        (
            "(304) 255-1423, +44 20 7946 0958",
            (("(304) 255-1423", "PHONE"), ("+44 20 7946 0958", "PHONE")),
        ),
        (
            "her son (304 255 1423) or (+44 20 7946 0958)",
            (("304 255 1423", "PHONE"), ("+44 20 7946 0958", "PHONE")),
        ),
        ("[-76.2034,134.6532]", (("-76.2034,134.6532", "LOCATION"),)),
        ("12 of 300 in 1999 for $2,500.50", ()),
    ),
)
