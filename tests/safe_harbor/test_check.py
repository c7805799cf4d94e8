"""Which rule a column falls under, and whether it meets it."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from discreet.errors import UnknownColumnError
from discreet.safe_harbor.check import check_safe_harbor
from discreet.safe_harbor.checked import RULES, Question
from tests.safe_harbor.made import BROKEN, DAY, MET, many, numbered, standing


def test_there_are_eighteen_rules_from_a_to_r() -> None:
    assert "".join(rule.letter for rule in RULES) == "ABCDEFGHIJKLMNOPQR"
    assert {rule.letter for rule in RULES} == set(BROKEN) == set(MET)


@pytest.mark.parametrize("letter", BROKEN)
def test_a_column_that_breaks_each_rule_is_named_with_its_letter(letter: str) -> None:
    found = standing(*BROKEN[letter])
    assert (found.rule, found.standing) == (letter, "breaks"), found.why
    assert found.fix


@pytest.mark.parametrize("letter", MET)
def test_a_column_near_each_rule_that_keeps_it_is_let_through(letter: str) -> None:
    found = standing(*MET[letter])
    assert found.standing == "meets", found.why


@pytest.mark.parametrize(
    ("values", "how", "count"),
    [
        (("02138", "60601"), "more than three digits", 30),
        (("02138-1234", "606011234"), "more than three digits", 30),
        (("2138", "60601"), "leading zeros", 15),
        (("036", "021"), "20,000 or fewer", 15),
        (("099", "021"), "20,000 or fewer", 15),
        (("SW1A 1AA", "021"), "no ZIP code of the United States", 15),
        (("0213*", "021**"), "more than three digits", 15),
    ],
)
def test_zip_codes_break_rule_b(values: tuple[str, ...], how: str, count: int) -> None:
    found = standing("zip", many(*values))
    assert (found.rule, found.standing) == ("B", "breaks")
    assert f"{count} rows show" in found.why
    assert how in found.why


@pytest.mark.parametrize("values", [("021", "000", None), ("021**", "02***"), ("*", "021", "?")])
def test_three_digits_of_large_areas_and_coarser_ones_meet_rule_b(
    values: tuple[str | None, ...],
) -> None:
    assert standing("zip", many(*values)).standing == "meets"


@pytest.mark.parametrize(
    "value",
    ["1965-09-20", "9/20/1965", "20.09.1965", "20 Sep 1965", "September 20, 1965", "19650920",
     "1965-09", "1965-Q3", "9/20/65", "2020-01-31T10:11:12Z"],
)  # fmt: skip
def test_one_date_finer_than_the_year_breaks_rule_c(value: str) -> None:
    found = standing("birth_date", ["1970"] * 40 + [value])
    assert (found.rule, found.standing) == ("C", "breaks")
    assert "1 row " in found.why


@pytest.mark.parametrize(
    ("year", "expected"),
    [("1937", "meets"), ("1936", "breaks"), ("1910", "breaks"), ("1936 or before", "meets"),
     ("1930-1934", "breaks"), ("1935-1939", "look"), ("1937-1939", "meets"),
     ("1931 or before", "look"), ("<1931", "look"), ("<1937", "meets"), ("<1950", "meets")],
)  # fmt: skip
def test_years_of_birth_that_show_an_age_over_89_break_rule_c(year: str, expected: str) -> None:
    assert standing("birth_year", ["1970", "1980", "1990", year] * 5).standing == expected


def test_two_digits_of_a_year_of_birth_must_be_looked_at() -> None:
    assert standing("YOB", many("31", "50", "60")).standing == "look"
    assert standing("birth_order", many("1", "2", "3")).standing == "meets"


@pytest.mark.parametrize("value", ["Jan 2001", "March 2020", "2001-W12", "2001 Q2", "Monday"])
def test_a_month_a_week_or_a_weekday_breaks_rule_c_in_any_column(value: str) -> None:
    found = standing("onset", [*many("early", "late", "Marlboro 2001", rows=30), value])
    assert (found.rule, found.standing, found.why[:5]) == ("C", "breaks", "1 row")


def test_the_day_decides_which_years_of_birth_are_too_old() -> None:
    frame = pa.table({"birth_year": many("1936", "1950", "1960")})
    for day, expected in (("2025-12-31", True), ("2026-01-01", False)):
        assert check_safe_harbor(frame, Question.on(day)).holds is expected


@pytest.mark.parametrize(
    ("age", "expected"),
    [("89", "meets"), ("90+", "meets"), ("90 or older", "meets"), (">=90", "meets"),
     ("85-89", "meets"), ("90", "look"), ("91", "breaks"), ("104", "breaks"), ("90-94", "breaks"),
     ("95+", "breaks"), ("91 years", "breaks"), ("90.5", "breaks"), ("adult", "meets"),
     (None, "meets")],
)  # fmt: skip
def test_ages_over_89_are_told_together_only(age: str | None, expected: str) -> None:
    found = standing("age", ["30", "45", "61", age] * 5)
    assert (found.rule, found.standing) == ("C", expected), found.why


def test_ninety_meets_rule_c_where_it_is_known_to_stand_for_all_above() -> None:
    assert standing("age", many("30", "90", "41"), capped=("age",)).standing == "meets"
    for span in ("90-94", "85-94", "[90,95)"):
        assert standing("age", many("30", "90", span), capped=("age",)).standing == "breaks"


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [("age", ("93",), "breaks"), ("age", ("30", "95"), "breaks"), ("birth", ("1931",), "breaks"),
     ("zip", ("36", "2138"), "breaks"), ("zip_known", ("0", "1"), "meets"),
     ("age_known", ("yes", "no"), "meets")],
)  # fmt: skip
def test_one_or_two_different_values_are_read_if_they_are_numbers(
    name: str, values: tuple[str, ...], expected: str
) -> None:
    assert standing(name, many(*values)).standing == expected


def test_free_text_must_be_looked_at_by_a_person() -> None:
    notes = [f"seen on Monday by the doctor, went home and did well {n}" for n in range(20)]
    assert standing("remarks", notes).standing == "look"


def test_scrubbed_text_is_not_vouched_for() -> None:
    found = standing("remarks", many("a", "b"), scrubbed=("remarks",))
    assert (found.standing, "scrubbed" in found.why) == ("look", True)


def test_a_keyed_pseudonym_is_derived_from_the_person_and_breaks_rule_r() -> None:
    found = standing("ssn", numbered("P{}"), replaced=("ssn",))
    assert (found.rule, found.standing) == ("R", "breaks")
    assert "164.514(c)(1)" in found.why


def test_a_random_code_is_let_through_by_the_holders_word_only() -> None:
    values = numbered("X{}Q")
    assert standing("token", values).standing == "breaks"
    assert standing("token", values, codes=("token",)).standing == "meets"


def test_a_code_that_shows_mail_addresses_is_none() -> None:
    found = standing("token", numbered("p{}@example.org"), codes=("token",))
    assert (found.rule, found.standing) == ("F", "breaks")


def test_a_code_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownColumnError, match="tokn"):
        standing("token", numbered("X{}Q"), codes=("tokn",))


@pytest.mark.parametrize(
    ("value", "letter"),
    [("call 617-555-0100", "D"), ("flu (ann@example.org)", "F"), ("ssn: 123-45-6789, sent", "G"),
     ("see https://example.org/ann.", "N")],
)  # fmt: skip
def test_an_identifier_among_other_words_breaks_its_rule(value: str, letter: str) -> None:
    found = standing("diagnosis", [*many("flu", "gout", "type 2 @ home"), value])
    assert (found.rule, found.standing) == (letter, "breaks")


def test_a_few_stray_values_break_a_rule() -> None:
    found = standing("contact", ["none"] * 40 + ["someone@example.org"])
    assert (found.rule, found.standing, "1 row " in found.why) == ("F", "breaks", True)


@pytest.mark.parametrize(
    ("values", "expected"),
    [(("MA", "NH", "IL"), "meets"), (("Ohio", "Utah", "New York"), "meets"),
     (("MA", "NH", "Cambridge area"), "look")],
)  # fmt: skip
def test_states_meet_rule_b(values: tuple[str, ...], expected: str) -> None:
    assert standing("state", many(*values)).standing == expected


def test_columns_that_a_policy_does_not_release_are_not_looked_at() -> None:
    frame = pa.table({"ssn": numbered("123-45-{}", 1000), "sex": many("F", "M")})
    found = check_safe_harbor(frame, Question.on(DAY, released=("sex",)))
    assert found.holds
    assert found.columns[0].why == "it is not released"


def test_no_value_of_the_table_is_in_the_facts() -> None:
    frame = pa.table(dict(BROKEN.values()))
    told = json.dumps(check_safe_harbor(frame, Question.on(DAY)).facts())
    values = {value for _, column in BROKEN.values() for value in column}
    assert [value for value in values if value in told] == []


def test_facts_say_the_day_the_table_of_areas_and_what_no_program_checks() -> None:
    facts = check_safe_harbor(pa.table({"sex": many("F", "M")}), Question.on(DAY)).facts()
    assert (facts["as_of"], facts["zip_table"]["date"]) == (DAY, "2020-04-01")
    assert any("actual knowledge" in notice for notice in facts["notices"])


def test_the_last_four_digits_of_a_social_security_number_are_a_part_of_one() -> None:
    found = standing("ssn_last4", [str(1000 + 37 * n) for n in range(30)])
    assert (found.rule, found.standing) == ("G", "breaks")


@pytest.mark.parametrize("name", ["zcta", "geoid", "census_tract", "county_fips"])
def test_geocodes_break_rule_b(name: str) -> None:
    found = standing(name, many("25017", "25025", "33011"))
    assert (found.rule, found.standing) == ("B", "breaks")
