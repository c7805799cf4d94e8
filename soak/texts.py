"""Adversarial texts: time grows with the length, spans do not overlap, known names do not stay."""

from __future__ import annotations

import re
import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

from discreet.replacement_key import ReplacementKey
from discreet.scrub.finding import Finding
from discreet.scrub.machine import Scrubber
from discreet.scrub.replace.replacer import STYLES, Replacer
from soak.part import Part, ProductError

UNITS = (
    *"aA1([<\"'.@/:\n -_#,&=\té",
    *("\r\n", "John Smith ", "JohnSmith", "Mary Miller, ", "Rebecca Lane ", "Smith-", "J. ", "1 "),
    *("123-", "1.", "617-555-01 ", "a.b@", "a@b.", "1/2/", "12-Jan-", "http://", "www.a.", "QUJD"),
    *("/a", "1.2.3.", "a:b:", "<a>", "((a", "e\u0301", "a\u200b", "\u200d", '"a" ', "Apt 4, "),
    *("12 Oak Street ", "Oak Street, ", "Acme Corp & ", "the ", "The ", "0x1f ", "o'", "Aa1"),
    *("a: ", "Name: ", "a|b|", "a,b,c\n", "name,phone\n", "Mr. ", "45 year ", "1999 ", "&amp;"),
    *("%20", "a_", "123-45-", "4111 ", "Dr ", "of the ", "12345 ", "a1", "a\n\n", "::", "patient "),
    *("MA 02138 ", "A:", "SMITH ", "SMITH, JOHN ", "St. ", "rd ", "She lives at 12 Oak Street,\n"),
)
"""What is repeated, alone or mixed: almost names, numbers, dates, addresses, markup and codes."""
PEOPLE = ("Rebecca Lane", "Tom Church", "Ana-Maria O'Neil", "José Park", "Major Banks", "May Long")
SHORT, LONG, TIMES, FACTOR = 3_000, 20_000, 4, 12.0
"""Characters of the shorter text, in one case of six more; how much longer the other is, and how
much more time it may take. What grows with the square shows in long texts first."""
LEAST = 0.15
"""CPU seconds under which a text was quick enough, whatever the shorter one took."""
KEY = b"soak" * 8


@cache
def load_scrubber(is_known: bool) -> Scrubber:
    """The scrubber, which takes a second to load; one that knows the people."""
    return Scrubber(people=PEOPLE if is_known else ())


def run_case(random: Random, folder: Path) -> Counter[str]:
    """One text that is repeated, for its time, and one that is mixed, for what must hold."""
    counts: Counter[str] = Counter()
    unit = "".join(random.choice(UNITS) for _ in range(random.choice((1, 1, 1, 2, 3))))
    check_time(unit, LONG if random.random() < 1 / 6 else SHORT, counts)
    for _ in range(4):
        check_text(make_text(random), random, counts)
    return counts


def check_time(unit: str, length: int, counts: Counter[str]) -> None:
    """Compare the CPU time of a text with that of one that is some times as long."""
    scrubber = load_scrubber(False)
    factor = FACTOR if length == SHORT else TIMES * 2.0
    measure(scrubber, unit * (length // len(unit)))  # words that are new take time once
    for _ in range(3):
        short = measure(scrubber, unit * (length // len(unit)))
        long = measure(scrubber, unit * (TIMES * length // len(unit)))
        if long <= LEAST or long <= factor * short:
            counts["texts of growing length"] += 1
            counts["texts of 80,000 characters"] += length == LONG
            return
    raise ProductError(f"{TIMES} times {unit!r} takes {long / short:.0f} times as long")


def measure(scrubber: Scrubber, text: str) -> float:
    """CPU seconds that a text takes, findings and replacements."""
    started = time.process_time()
    Replacer(key=ReplacementKey(KEY)).apply(text, scrubber.find(text))
    return time.process_time() - started


def make_text(random: Random) -> str:
    """Units and known names, in any case and order."""
    parts = []
    for _ in range(random.randrange(2, 30)):
        part = random.choice(UNITS) * random.choice((1, 1, 1, 2, 9))
        if random.random() < 0.4:
            name = random.choice(PEOPLE)
            name = random.choice((name, name.upper(), name.lower(), turn(name)))
            before = random.choice(("", "at ", "Mrs. ", "12 ", "on "))
            part = f" {before}{name}{random.choice(' .,;')} "
        parts.append(part)
    return "".join(parts)


def turn(name: str) -> str:
    """A name with the last one first."""
    first, last = name.split(" ")
    return f"{last}, {first}"


def check_text(text: str, random: Random, counts: Counter[str]) -> None:
    """Check what must hold of the findings in any text, and of what is written."""
    scrubber = load_scrubber(True)
    findings = scrubber.find(text)
    check_spans(text, findings)
    style = random.choice(STYLES)
    new = [
        Replacer(style=style, key=ReplacementKey(KEY)).apply(text, scrubber.find(text)).text
        for _ in range(2)
    ]
    if new[0] != new[1]:
        raise ProductError(f"the same key gives two texts of {text!r}")
    for name in PEOPLE:
        first, last = map(re.escape, name.split(" "))
        written = rf"(?<!\w)(?:{first} {last}|{last}, {first})(?!\w)"
        if re.search(written, new[0], re.IGNORECASE):
            raise ProductError(f"{name} is still in {new[0]!r}, from {text!r}")
    counts["texts with known names"] += 1
    counts["findings"] += len(findings)


def check_spans(text: str, findings: list[Finding]) -> None:
    """Findings are in order, apart, and inside of the text."""
    done = 0
    for finding in findings:
        if not done <= finding.start < finding.end <= len(text):
            raise ProductError(f"findings overlap or leave the text {text!r}")
        done = finding.end


PART = Part("texts", run_case, 1)
