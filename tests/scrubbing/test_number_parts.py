"""Detectors of numbers: each part finds what its table says, and one pass finds what many find."""

from __future__ import annotations

import pytest

from discreet.scrubbing.detectors import cue, shapes_of_numbers, words_of_numbers
from discreet.scrubbing.detectors.detector import ShapeDetector, TemplateDetector
from discreet.scrubbing.languages.load import load_language
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.templates.alphabet import Alphabet
from discreet.scrubbing.templates.atoms import END, START, Atoms
from discreet.scrubbing.templates.expression import Expression, list_atoms
from discreet.scrubbing.templates.template import Template
from discreet.scrubbing.templates.tokens import tokenize

Part = ShapeDetector | TemplateDetector | cue.CueDetector
PARTS: tuple[Part, ...] = (*shapes_of_numbers.PARTS, *words_of_numbers.PARTS)
EXAMPLES = [
    pytest.param(part, text, found, id=f"{part.name}: {text[:40]}")
    for part in PARTS
    for text, found in part.examples
]
TEMPLATES = load_language("en").templates("numbers.txt", False)
LEXICON = load_language("en").lexicon
ONE_PASS = load_language("en").one_pass(False)


def fitting(text: str) -> list[tuple[Template, int, int]]:
    matches = ONE_PASS.matches(tokenize(text)).get("numbers.txt", [])
    return [(ONE_PASS.templates[n], first, after) for n, first, after, _ in matches]


@pytest.mark.parametrize(("part", "text", "found"), EXAMPLES)
def test_examples_are_found_by_the_part_alone(
    part: Part, text: str, found: tuple[tuple[str, str], ...]
) -> None:
    assert tuple(list_texts(text, Scrubber(detectors=(part,)).find_all(text))) == found


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_has_examples_of_what_it_finds_and_of_what_it_leaves(part: Part) -> None:
    assert any(found for _, found in part.examples)
    assert any(not found for _, found in part.examples)


def test_every_section_of_the_file_has_its_detector() -> None:
    sections = {template.section for template in TEMPLATES.templates}
    assert sections == {part.name for part in words_of_numbers.PARTS}


@pytest.mark.parametrize("template", TEMPLATES.templates, ids=lambda t: f"{t.section}: {t.name}")
def test_a_template_fits_its_own_example(template: Template) -> None:
    assert template.example
    assert template in [found for found, _, _ in fitting(template.example)]


@pytest.fixture(scope="module")
def atoms() -> Atoms:
    return Atoms((a for t in TEMPLATES.templates for a in list_atoms(t)), LEXICON)


@pytest.fixture(scope="module")
def expressions(atoms: Atoms) -> list[tuple[Template, Expression]]:
    return [(template, Expression(template, atoms.bits)) for template in TEMPLATES.templates]


@pytest.mark.parametrize(
    "text", [text for part in words_of_numbers.PARTS for text, _ in part.examples]
)
def test_one_pass_loses_nothing_that_each_template_finds(
    text: str, atoms: Atoms, expressions: list[tuple[Template, Expression]]
) -> None:
    row = START, START, *Alphabet(atoms).letters(tokenize(text)), END
    together = set(fitting(text))
    for template, expression in expressions:
        for first, after in expression.match_everywhere(row):
            assert (template, first - 2, after - 2) in together


PROSE = """In 2021 revenue grew 14% to $3.2 billion, with 12,500 employees in 45 countries.
The 1990s and the crisis of 2008-2010; Route 66; Boeing 737-800; Windows 10; COVID-19; H1N1; 4K.
Version 3.11.7 is out; see RFC 7231, ISO 27001 and CVE-2021-44228. Gate B12 opens at 10:45.
Score 21-14, a 3-2 win, pain 7/10, vision 20/20, odds 3:1, 1-2 tablets for 6-8 weeks.
Lisinopril 10 mg daily, 0.5-1 mg as needed, 1000 mL, T 98.6 F, HR 88, BP 132/84, SpO2 98%.
I bought 3 tickets for 150 dollars, 12 of 30 people came; 100,000 fans watched.
The bill (H.R. 1319) passed 220-211. Section 230, Article 5. Apollo 11 landed. B12, CO2, AK-47.
The recipe needs 250g flour, 2 eggs, 1/2 tsp salt, 180 C for 25-30 min. ISBN 978-3-16-148410-0.
The S&P 500 fell 2.3% to 4,120.55 points; WBC 12.5, Na 138; page 214 of 560; Chapter 12."""


@pytest.mark.parametrize("line", PROSE.splitlines())
def test_numbers_in_plain_prose_are_left(line: str) -> None:
    detectors = (shapes_of_numbers.SHAPES_OF_NUMBERS, words_of_numbers.WORDS_OF_NUMBERS)
    assert list_texts(line, Scrubber(detectors=detectors).find(line)) == []
