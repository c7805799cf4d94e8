"""Adversarial texts: time grows with the length, spans do not overlap, known names do not stay.

Time is measured of the whole scrubber, and of each detector by itself on what is made of its own
words: its examples, those of its templates, and the letters and signs of its expressions.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.replace.replacer import STYLES, Replacer
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
DETECTOR_FACTOR = 9.0
"""How much more time one detector may take for a text that is four times as long."""
SEPARATORS = ("", " ", "\n", ", ", "; ", "\t", ": ", "-", ".", "/", " (")
TAILS = (
    *(
        "1",
        "a",
        "A",
        " ",
        "-1",
        " 1",
        "(",
        "[",
        "<a",
        ")",
        ".a",
        "@a",
        "a@",
        "/a",
        ":",
        "\n",
        "Aa ",
    ),
    *("e\u0301", "\u200b", "\u0301", "\u00a0", "\u202e", "A. ", "'", '"', "_", "0", "1,", "& "),
)
"""What goes on for ever after a word of the detector, or before it."""
FORMS = ("repeated", "tail", "lead", "nested", "one word")


@cache
def load_scrubber(is_known: bool) -> Scrubber:
    """The scrubber, which takes a second to load; one that knows the people."""
    return Scrubber(people=PEOPLE if is_known else ())


def run_case(random: Random, folder: Path) -> Counter[str]:
    """One text that is repeated, for its time, and one that is mixed, for what must hold."""
    counts: Counter[str] = Counter()
    unit = "".join(random.choice(UNITS) for _ in range(random.choice((1, 1, 1, 2, 3))))
    check_time(unit, LONG if random.random() < 1 / 6 else SHORT, counts)
    check_detector(random, counts)
    for _ in range(4):
        check_text(make_text(random), random, counts)
    return counts


def check_time(unit: str, length: int, counts: Counter[str]) -> None:
    """Compare the CPU time of a text with that of one that is some times as long."""
    scrubber = load_scrubber(False)
    factor = FACTOR if length == SHORT else TIMES * 2.0
    grown = measure_growth(
        lambda text: measure(scrubber, text), lambda n: unit * (n // len(unit)), length, factor
    )
    if grown is not None:
        raise ProductError(f"{TIMES} times {unit!r} takes {grown:.0f} times as long")
    counts["texts of growing length"] += 1
    counts["texts of 80,000 characters"] += length == LONG


def measure_growth(
    seconds: Callable[[str], float], make: Callable[[int], str], length: int, factor: float
) -> float | None:
    """How many times as long the longer text takes, if that is too much three times in a row."""
    seconds(make(length))  # words that are new take time once
    grown = 0.0
    for _ in range(3):
        short, long = seconds(make(length)), seconds(make(TIMES * length))
        if long <= LEAST or long <= factor * short:
            return None
        grown = long / short
    return grown


@cache
def load_detectors() -> dict[str, Any]:
    """Every detector by its name, and those that others run together."""
    found = {}
    for detector in ALL:
        for one in (detector, *getattr(detector, "parts", ())):
            found[one.name] = one
    return found


@cache
def load_detector(name: str) -> Scrubber:
    """A scrubber that runs one detector only."""
    return Scrubber(detectors=(load_detectors()[name],), threshold=0)


@cache
def name_words(name: str) -> tuple[str, ...]:
    """What a detector looks for, as far as its examples, templates and expressions tell."""
    detector = load_detectors()[name]
    texts = [text for text, _ in detector.examples]
    spans = [span for _, wanted in detector.examples for span, _ in wanted]
    texts += _template_examples().get(name, [])
    literals = [word for pattern in _find_patterns(detector) for word in _literals(pattern)]
    words = [word for text in texts for word in text.split()]
    return tuple(dict.fromkeys([*texts, *spans, *words, *literals])) or ("a",)


@cache
def _template_examples() -> dict[str, list[str]]:
    """The examples beside the templates of each detector."""
    found: dict[str, list[str]] = {}
    section = ""
    for file in files("discreet.scrubbing.languages.en").iterdir():
        if not file.name.endswith(".txt"):
            continue
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                section = line.strip("[]\n ")
            elif section and "  # " in line:
                found.setdefault(section, []).append(line.rpartition("  # ")[2])
    return found


def _find_patterns(value: Any) -> Iterator[str]:
    """The regular expressions of a detector, wherever they are in it."""
    if isinstance(value, re.Pattern):
        yield value.pattern
    elif isinstance(value, tuple):
        for one in value:
            yield from _find_patterns(one)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _find_patterns(getattr(value, one.name))


def _literals(pattern: str) -> list[str]:
    """Letters and signs that an expression has by themselves."""
    plain = re.sub(r"\\[A-Za-z]|\(\?[<!=:P\w]*>?|\[[^]]*\]|\{[\d,]+\}|[()|?*+^$]", " ", pattern)
    return [word.replace("\\", "") for word in plain.split() if word != "\\"]


def check_detector(random: Random, counts: Counter[str]) -> None:
    """Time one detector on texts that are made to keep it busy."""
    name = random.choice(sorted(load_detectors()))
    scrubber = load_detector(name)
    for _ in range(3):
        form, make = make_busy(random, name_words(name))
        grown = measure_growth(
            lambda text: measure_finding(scrubber, text), make, SHORT, DETECTOR_FACTOR
        )
        if grown is not None:
            raise ProductError(
                f"{name}: {TIMES} times the text takes {grown:.0f} times as long; it is {form}: "
                f"{make(80)!r}"
            )
        counts["detectors timed"] += 1
        counts[f"detector {name}"] += 1


def measure_finding(scrubber: Scrubber, text: str) -> float:
    """CPU seconds of the findings alone."""
    started = time.process_time()
    scrubber.find(text)
    return time.process_time() - started


def make_busy(random: Random, words: tuple[str, ...]) -> tuple[str, Callable[[int], str]]:
    """A text of any length from the words of a detector, and its form."""
    word = change_word(random, random.choice(words))
    other = change_word(random, random.choice(words)) if random.random() < 0.3 else ""
    form, tail = random.choice(FORMS), random.choice(TAILS)
    unit = f"{word}{random.choice(SEPARATORS)}{other}{random.choice(SEPARATORS)}" or "a"
    makers: dict[str, Callable[[int], str]] = {
        "repeated": lambda n: unit * max(1, n // len(unit)),
        "tail": lambda n: word + tail * (n // len(tail)),
        "lead": lambda n: tail * (n // len(tail)) + word,
        "nested": lambda n: "(" * (n // 2) + word + ")" * (n // 2),
        "one word": lambda n: re.sub(r"\s", "", unit * n)[:n] or "a" * n,
    }
    return form, makers[form]


def change_word(random: Random, word: str) -> str:
    """A word of a detector as it is, cut, or nearly so."""
    ways: tuple[Callable[[str], str], ...] = (
        str, str, str.upper, str.lower, str.title,
        lambda w: w[: random.randrange(len(w)) + 1],
        lambda w: w[random.randrange(len(w)) :],
        lambda w: re.sub(r"\d", "9", w),
        lambda w: re.sub(r"[a-z]", "x", w),
        lambda w: re.sub(r"\s+", random.choice(("", "  ", "\n", "\u00a0")), w),
    )  # fmt: skip
    return random.choice(ways)(word) or word


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
