"""Names: format kept, parts consistent, nobody's."""

from __future__ import annotations

import re

import pytest

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.replace import Replacer
from discreet.scrubbing.replace.words import load_words
from tests.scrubbing.replace.applied import KEY, found, replaced, scrubbed


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("Frank Graves", r"[A-Z][a-z]+ [A-Z][a-z]+"),
        ("F. R. Graves, MD", r"[A-Z]\. [A-Z]\. [A-Z][a-z]+, MD"),
        ("Dr. Graves", r"Dr\. [A-Z][a-z]+"),
        ("Frank Red Graves", r"[A-Z][a-z]+ [A-Z][a-z]+ [A-Z][a-z]+"),
        ("“Red” Graves", r"“[A-Z][a-z]+” [A-Z][a-z]+"),
        ("frank red graves", r"[a-z]+ [a-z]+ [a-z]+"),
    ],
)
def test_figure_110_names_keep_their_form(name: str, shape: str) -> None:
    new = replaced("NAME", name)
    assert re.fullmatch(shape, new)
    assert "graves" not in new.lower() and "frank" not in new.lower()


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("GRAVES, FRANK R.", r"[A-Z]{5,}, [A-Z]{5,} [A-Z]\."),
        ("Graves'", r"[A-Z][a-z]+'"),
        ("Mrs. O'Brien-Smith's", r"Mrs\. O'[A-Z][a-z]+-[A-Z][a-z]+'s"),
        ("van der Berg", r"van der [A-Z][a-z]+"),
        ("Juan de la Cruz", r"[A-Z][a-z]+ de la [A-Z][a-z]+"),
        ("Mary and John Smith", r"[A-Z][a-z]+ and [A-Z][a-z]+ [A-Z][a-z]+"),
        ("Graves Jr.", r"[A-Z][a-z]+ Jr\."),
        ("Patrick Hayes, M.D.", r"[A-Z][a-z]+ [A-Z][a-z]+, M\.D\."),
        ("Prof. Dr. Kate Bishop", r"Prof\. Dr\. [A-Z][a-z]+ [A-Z][a-z]+"),
        ("TJ Smith", r"[A-Z]{2} [A-Z][a-z]+"),
        ("Dot", r"[A-Z][a-z]{2,3}"),
    ],
)
def test_other_forms_stay_as_well(name: str, shape: str) -> None:
    new = replaced("NAME", name)
    assert re.fullmatch(shape, new) and new != name


def test_parts_of_a_name_agree_wherever_they_are() -> None:
    first, last = replaced("NAME", "Frank Graves").split()
    assert replaced("NAME", "Mr. Graves") == f"Mr. {last}"
    assert replaced("NAME", "Frank") == first
    assert replaced("NAME", "GRAVES") == last.upper()
    assert replaced("NAME", "Graves, Frank") == f"{last}, {first}"
    assert replaced("EMAIL", "frank.graves@partners.org").startswith(f"{first}.{last}@".lower())


def test_accents_do_not_make_another_person() -> None:
    assert replaced("NAME", "José").upper() == replaced("NAME", "JOSE")


def test_initials_fit_the_name_that_the_document_has_in_full() -> None:
    text = "Frank Red Graves came. F. Graves left. F. R. Graves, M.D. signed: FRG"
    names = [("Frank Red Graves", "NAME"), ("F. Graves", "NAME"), ("F. R. Graves, M.D.", "NAME")]
    new = Replacer(key=KEY).apply(text, found(text, *names)).text
    first, middle, last = new.split(" came")[0].split()
    assert f"{first[0]}. {last} left" in new
    assert f"{first[0]}. {middle[0]}. {last}, M.D." in new


def test_made_up_names_are_in_no_list() -> None:
    words = load_words("en")
    names = [*words.order("last")[:150], *words.order("female")[:75], *words.order("male")[:75]]
    new = [replaced("NAME", name) for name in names]
    assert not [word for word in new if words.is_real(word)]
    assert not [old for old, word in zip(names, new, strict=True) if old in word]
    assert len(set(new)) > 285


def test_a_first_name_keeps_its_sex_and_a_language_its_sound() -> None:
    words = load_words("en")
    endings = [replaced("NAME", name)[-1] in "aeiy" for name in words.order("female")[:100]]
    others = [replaced("NAME", name)[-1] in "aeiy" for name in words.order("male")[:100]]
    assert sum(endings) > sum(others) + 20
    assert [words.flavour(name) for name in ("virginia", "patrick", "terry", "graves")] == [
        "female", "male", "neutral", "last",
    ]  # fmt: skip
    german = [replaced("NAME", name, language="de") for name in load_words("de").order("last")]
    english = [replaced("NAME", name) for name in load_words("de").order("last")]
    assert sum(map(_is_german, german)) > 2 * sum(map(_is_german, english))


def _is_german(name: str) -> bool:
    return bool(re.search("sch|mann$|tz|ö|ü|ä|ß|ck", name.lower()))


def test_a_misspelt_name_maps_near_the_right_one() -> None:
    text = "Marjorie Long wrote. Dear Dr. Lang: thank you, Dr. Longg."
    findings = found(text, ("Marjorie Long", "NAME"), ("Lang", "NAME"), ("Longg", "NAME"))
    new = Replacer(key=KEY).apply(text, findings, same={"Lang": "Long", "Longg": "long"}).text
    right = new.split(" wrote")[0].split()[1]
    wrong = re.search(r"Dear Dr\. (\w+):", new)[1]  # type: ignore[index]
    longer = re.search(r"you, Dr\. (\w+)\.", new)[1]  # type: ignore[index]
    assert sum(a != b for a, b in zip(right, wrong, strict=True)) == 1
    assert len(longer) == len(right) + 1


def test_what_the_machine_calls_misspelt_is_matched_in_the_document() -> None:
    text = "Virginia Townsend. Seen again: Virgina"
    findings = found(text, ("Virginia Townsend", "NAME"))
    findings += found(text, ("Virgina", "NAME"), reason="posted name, misspelt")
    findings = [f for f in findings if text[f.start : f.end] != "Virgina" or f.start > 20]
    new = Replacer(key=KEY).apply(text, findings).text
    right, wrong = new.split()[0], new.split()[-1]
    assert len(wrong) == len(right) - 1 and wrong[0] == right[0]


@pytest.mark.parametrize("name", ["Иван Петров", "محمد", "李小龙", "..."])
def test_a_name_without_latin_letters_is_removed(name: str) -> None:
    result = scrubbed("NAME", name)
    assert result.text == "[NAME]" and result.removed == 1


def test_names_to_avoid_do_not_come_out() -> None:
    new = replaced("NAME", "Graves")
    assert replaced("NAME", "Graves", avoid=frozenset({new})) != new


def test_a_misspelt_name_is_nobodys_name_either() -> None:
    words = load_words("en")
    for right in words.order("last")[:150]:
        wrong = right[:2] + right[1] + right[2:]
        text = f"{right} {wrong}"
        findings = [
            Finding(0, len(right), "NAME", 0.9, "given", "given"),
            Finding(len(right) + 1, len(text), "NAME", 0.9, "given", "given"),
        ]
        new = Replacer(key=KEY).apply(text, findings, same={wrong: right}).text.split()
        assert not words.is_real(new[1]), new
        assert new[0] != new[1]
