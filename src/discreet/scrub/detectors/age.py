"""Ages of people, in numbers and words."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page


def is_possible_age(page: Page, first: int, after: int) -> bool:
    """Whether no number is above 125; between commas, it follows a name or is high."""
    numbers = re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    if any(int(number) > 125 for number in numbers):
        return False
    if after - first == 1 and first > 1 and page.tokens[first - 1].strip() in (",", "("):
        high = page.tokens[first - 1][0] == "," and 90 <= int(numbers[0] if numbers else 90) <= 115
        return high or _is_name(page, first - 2)
    return True


def _is_name(page: Page, token: int) -> bool:
    """Whether a word is a first or last name and written so."""
    lexicon, word = page.lexicon, page.tokens[token].strip()
    return bool(lexicon.mask(word) & lexicon.union("first", "last")) and not word.islower()


def is_joined(page: Page, first: int, after: int) -> bool:
    """Whether one word is a number and a short word for years old: 45yo."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"(\d{1,3})([A-Za-z]{1,4})", page.tokens[first].strip())
    if parts and parts[2] in "FM" and first and page.tokens[first - 1].istitle():
        high = 90 <= int(parts[1]) <= 112
        return high and (parts[2] == "M" or not 97 <= int(parts[1]) <= 104)
    months = page.tokens[after] if after < len(page.tokens) else ""
    return bool(
        parts
        and int(parts[1]) <= 125
        and not re.fullmatch(r"\d+m", months.strip())
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
        ("Gran, 96 tomorrow! Mrs Ada Fox (94)", (("96", "AGE"), ("94", "AGE"))),
        (
            "in his 97th year; she'll turn 44, hes 91 now",
            (("97th", "AGE"), ("44", "AGE"), ("91", "AGE")),
        ),
        ("She was ninety-six.", (("ninety-six", "AGE"),)),
        (
            "A woman, 102, won. Ada M., 99, Lodi. He died at 91.",
            (("102", "AGE"), ("99", "AGE"), ("91", "AGE")),
        ),
        ("Scores: Visitors, 45, and Hosts, 61, at 20", ()),
        ("people aged 45 to 65 after 2 yrs W-2", ()),
        ("for 20 years, in the 90s, page 45, age 300, 5 years ago, he is 5 feet tall", ()),
    ),
)

JOINED_AGE = TemplateDetector(
    "joined_age",
    "numbers.txt",
    check=is_joined,
    examples=(
        ("a 45yo, 87yof, Ida Fox 96F", (("45yo", "AGE"), ("87yof", "AGE"), ("96F", "AGE"))),
        ("in the 90s, 5mg, 300yo, service 12y 4m", ()),
    ),
)
