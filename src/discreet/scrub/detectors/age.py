"""Ages of people, in numbers and words."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page


def is_possible_age(page: Page, first: int, after: int) -> bool:
    """Whether no number is above 125."""
    numbers = re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    return all(int(number) <= 125 for number in numbers)


def is_joined(page: Page, first: int, after: int) -> bool:
    """Whether one word is a number and a short word for years old: 45yo."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"(\d{1,3})([A-Za-z]{1,4})", page.tokens[first].strip())
    return bool(
        parts
        and int(parts[1]) <= 125
        and page.lexicon.mask(parts[2].lower()) & page.lexicon.bit("age_suffix")
    )


AGE = TemplateDetector(
    "age",
    "numbers.txt",
    check=is_possible_age,
    examples=(
        ("an 89-year-old man", (("89-year-old", "AGE"),)),
        ("Dot is a 7 and 6/12 year old female", (("7 and 6/12 year old", "AGE"),)),
        ("aged 92; age: 45; Age 7", (("92", "AGE"), ("45", "AGE"), ("7", "AGE"))),
        ("in her nineties, in his early 80s", (("nineties", "AGE"), ("early 80s", "AGE"))),
        ("45 y/o, 45 yo F, 45 y.o.", (("45 y/o", "AGE"), ("45 yo", "AGE"), ("45 y.o", "AGE"))),
        ("ninety-two years old", (("ninety-two years old", "AGE"),)),
        ("She is 91 years of age and turned 92.", (("91 years of age", "AGE"), ("92", "AGE"))),
        ("a six month old girl", (("six month old", "AGE"),)),
        ("I am 34 and he's 52, both well", (("34", "AGE"), ("52", "AGE"))),
        ("for 20 years, in the 90s, page 45, age 300, 5 years ago, he is 5 feet tall", ()),
    ),
)

JOINED_AGE = TemplateDetector(
    "joined_age",
    "numbers.txt",
    check=is_joined,
    examples=(
        ("a 45yo, 87yof", (("45yo", "AGE"), ("87yof", "AGE"))),
        ("in the 90s, 5mg, 300yo", ()),
    ),
)
